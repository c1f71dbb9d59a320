"""Facts computed from the whole log: counts, first and last, distinct values, presence.

Every fact is exact over the lines of the view; rankings and trends are in their own modules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.answers.intent import Intent, Kind
from app.answers.selection import Picker, Selection
from app.answers.targets import Target, ValueKind
from app.answers.values import Finder, addresses_with_ports, finders
from app.answers.view import Indices, Lines
from app.answers.wording import duration, join, number, say, shown, when
from app.stream.records import Record

CITED_LINES = 5
"""Most lines a fact cites."""
_PROBE_LINES = 200


@dataclass(frozen=True, slots=True)
class Fact:
    """Something computed, ready to be said.

    Attributes:
        kind: what was computed.
        sentence: in the question's language.
        values: what the sentence claims, as text.
        lines: store indices of lines that show it, a bounded sample.
        total: how many lines it rests on.
        plan: what was done, for the operator to check.
        sure: whether rules were sure of what was asked.
    """

    kind: Kind
    sentence: str
    values: tuple[str, ...]
    lines: tuple[int, ...]
    total: int
    plan: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Work:
    """What every computation needs."""

    lines: Lines
    intent: Intent
    picker: Picker
    chosen: Selection

    @property
    def language(self) -> str:
        return self.intent.language

    @property
    def what(self) -> str:
        """The criteria in words."""
        if not self.chosen.criteria:
            return say(self.language, "all_lines")
        return " + ".join(self.chosen.criteria)

    @property
    def when(self) -> str:
        """The times in words, with a space or bracket before; empty for none."""
        if not self.chosen.window_words:
            return ""
        words = join(self.language, self.chosen.window_words)
        return f"（{words}）" if self.language == "zh" else f" ({words})"

    @property
    def plan(self) -> str:
        """What was counted, as shown on the answer."""
        return f"{self.what}{self.when}"

    def at(self, record: Record) -> str:
        """The line's time as part of a sentence; empty where unknown."""
        time = when(record, self.language)
        return say(self.language, "at", time=time) if time else ""


def spread(indices: Indices, most: int = CITED_LINES) -> tuple[int, ...]:
    """A few of the lines: the first, the last and some between."""
    if len(indices) <= most:
        return tuple(indices.tolist())
    at = np.unique(np.linspace(0, len(indices) - 1, most).astype(np.int64))
    return tuple(indices[at].tolist())


def count_fact(work: Work) -> Fact:
    """How many lines; how many of each where texts are compared; and different values if asked."""
    chosen, language = work.chosen, work.language
    n = len(chosen.indices)
    key = "count_all" if chosen.unfiltered else "count"
    sentence = say(
        language, key, n=number(n), total=number(work.lines.kept), what=work.what, when=work.when
    )
    values = [str(n)]
    if len(chosen.per_literal) > 1:
        each = [
            (literal.text, int(np.isin(found, chosen.indices).sum()))
            for literal, found in chosen.per_literal
        ]
        parts = [say(language, "count_each", what=f"“{t}”", n=number(m)) for t, m in each]
        sentence += " " + join(language, parts)
        values += [str(m) for _, m in each]
        if work.intent.compares:
            top = max(each, key=lambda item: item[1])
            sentence += say(language, "more_of", what=f"“{top[0]}”")
        else:
            sentence += "。" if language == "zh" else "."
    asked = [t for t in work.intent.targets if t.kind in _COUNTED_THINGS]
    if asked and n:
        found_values = collect(work, asked[0], chosen.indices)
        different = {value for value, _ in found_values}
        if 1 < len(different) != n:
            sentence += " " + say(
                language,
                "distinct",
                n=number(len(different)),
                name=asked[0].word,
                lines=number(len({i for _, i in found_values})),
                when="",
                list="",
            )
    sure = not chosen.unfiltered or bool(chosen.window_words)
    return Fact(Kind.COUNT, sentence, tuple(values), spread(chosen.indices), n, work.plan, sure)


_COUNTED_THINGS = frozenset(
    {ValueKind.IP, ValueKind.USER, ValueKind.HOST, ValueKind.PORT, ValueKind.CODE, ValueKind.NAMED}
)


def distinct_fact(work: Work) -> Fact | None:
    """How many different values of the thing asked for; None where it cannot be found in lines."""
    for target in work.intent.targets:
        found = collect(work, target, work.chosen.indices)
        if not found:
            continue
        counted = Counter(value for value, _ in found)
        listed = ""
        if len(counted) <= 12:
            listed = (": " if work.language == "en" else "：") + join(work.language, list(counted))
        sentence = say(
            work.language,
            "distinct",
            n=number(len(counted)),
            name=target.word,
            lines=number(len({index for _, index in found})),
            when=work.when,
            list=listed,
        )
        lines = np.unique([index for _, index in found])
        values = (str(len(counted)), *list(counted)[:12])
        return Fact(Kind.DISTINCT, sentence, values, spread(lines), len(lines), work.plan)
    return None


def edge_fact(work: Work, kind: Kind) -> Fact | None:
    """The first or the last line, with its time and the values asked for beside it."""
    indices = work.chosen.indices
    if len(indices) == 0:
        return None
    last = kind is Kind.LAST
    index, other = edge_index(work, last=last)
    record = work.lines.record(index)
    sentence = say(
        work.language,
        "last" if last else "first",
        n=number(len(indices)),
        what=work.what,
        when=work.when,
        line=record.number,
        at=work.at(record),
        text=shown(record.text),
    )
    cited = [index]
    if other is not None:
        neighbour = work.lines.record(other)
        sentence += say(work.language, "file_order", line=neighbour.number, at=work.at(neighbour))
        cited.append(other)
    values, said = beside(work, record)
    sentence += said
    times = [when(record, work.language)] if record.time_s is not None else []
    sure = not work.chosen.unfiltered or bool(work.chosen.window_words)
    return Fact(kind, sentence, (*times, *values), tuple(cited), len(indices), work.plan, sure)


def edge_index(work: Work, *, last: bool) -> tuple[int, int | None]:
    """The first or last of the chosen lines; and that by line order where times disagree.

    Times decide where all are known; of equal times the line order does.
    """
    indices = work.chosen.indices
    by_line = int(indices[-1] if last else indices[0])
    times = work.lines.times_s[indices]
    if not np.isfinite(times).all():
        return by_line, None
    extreme = times.max() if last else times.min()
    among = indices[times == extreme]
    by_time = int(among[-1] if last else among[0])
    if by_time == by_line or times[-1 if last else 0] == extreme:
        return by_line, None
    return by_time, None if work.intent.by_clock else by_line


def span_fact(work: Work) -> Fact | None:
    """First and last together, and the time between."""
    first = edge_fact(work, Kind.FIRST)
    final = edge_fact(work, Kind.LAST)
    if first is None or final is None:
        return None
    sentence = f"{first.sentence} {final.sentence}"
    start, end = work.lines.record(first.lines[0]), work.lines.record(final.lines[0])
    if start.time_s is not None and end.time_s is not None:
        sentence += " " + say(
            work.language,
            "span",
            start=when(start, work.language),
            end=when(end, work.language),
            duration=duration(end.time_s - start.time_s, work.language),
        )
    return Fact(
        Kind.SPAN,
        sentence,
        (*first.values, *final.values),
        (*first.lines, *final.lines),
        first.total,
        work.plan,
        first.sure,
    )


def interval_fact(work: Work) -> Fact | None:
    """The time between two quoted texts, or between first and last of one."""
    literals = work.chosen.per_literal
    if len(literals) >= 2:
        start_index = int(literals[0][1][0])
        later = literals[1][1][literals[1][1] > start_index]
        if len(later) == 0:
            return None
        end_index = int(later[0])
    elif len(work.chosen.indices) >= 2 and work.chosen.criteria:
        start_index, end_index = int(work.chosen.indices[0]), int(work.chosen.indices[-1])
    else:
        return None
    start, end = work.lines.record(start_index), work.lines.record(end_index)
    if start.time_s is None or end.time_s is None:
        return None
    length = duration(abs(end.time_s - start.time_s), work.language)
    sentence = say(
        work.language,
        "span",
        start=when(start, work.language),
        end=when(end, work.language),
        duration=length,
    )
    sure = len(literals) >= 2
    return Fact(Kind.INTERVAL, sentence, (length,), (start_index, end_index), 2, work.plan, sure)


def present_fact(work: Work) -> Fact | None:
    """Whether there is any such line: how many, and the first; None where there is none."""
    indices = work.chosen.indices
    if len(indices) == 0 or work.chosen.unfiltered:
        return None
    record = work.lines.record(int(indices[0]))
    sentence = say(
        work.language,
        "yes",
        n=number(len(indices)),
        what=work.what,
        when=work.when,
        line=record.number,
        at=work.at(record),
        text=shown(record.text),
    )
    values, said = beside(work, record)
    return Fact(
        Kind.PRESENT,
        sentence + said,
        (str(len(indices)), *values),
        spread(indices),
        len(indices),
        work.plan,
        bool(work.intent.terms.literals or work.intent.terms.identifiers),
    )


def beside(work: Work, record: Record) -> tuple[list[str], str]:
    """The values asked for that one line holds, and a sentence for them."""
    values: list[str] = []
    said: list[str] = []
    for target in work.intent.targets:
        if target.kind in (ValueKind.DAY, ValueKind.HOUR, ValueKind.MINUTE, ValueKind.MESSAGE):
            continue
        for find in finders(target, work.picker.layout, work.intent.terms.literals):
            found = find(record)
            if found:
                value = found[0]
                if value not in values:
                    values.append(value)
                    said.append(say(work.language, "value", name=target.word, value=value))
                break
    return values, (" " + " ".join(said)) if said else ""


def collect(
    work: Work, target: Target, indices: Indices, *, every: bool = False
) -> list[tuple[str, int]]:
    """Values of a target in lines, with the line of each; the way that finds most is taken.

    Arguments:
        every: whether a line may give several values rather than its likeliest one.
    """
    way = best_way(work, target, indices)
    if way is None:
        return []
    found: list[tuple[str, int]] = []
    with_ports = target.kind is ValueKind.IP and not work.intent.ignore_ports
    for index, record in work.lines.pick(indices):
        values = addresses_with_ports(record.text) if with_ports else way(record)
        if not every:
            values = values[:1]
        found += [(value, index) for value in dict.fromkeys(values)]
    return found


def best_way(work: Work, target: Target, indices: Indices) -> Finder | None:
    """Of the ways to find a target's values, the first that works in most lines it could."""
    ways = finders(target, work.picker.layout, work.intent.terms.literals)
    probe = indices[np.linspace(0, len(indices) - 1, min(len(indices), _PROBE_LINES)).astype(int)]
    records: Sequence[Record] = [record for _, record in work.lines.pick(probe)]
    hits = [sum(bool(way(record)) for record in records) for way in ways]
    most = max(hits, default=0)
    if most == 0:
        return None
    return next(way for way, hit in zip(ways, hits, strict=True) if hit >= 0.6 * most)
