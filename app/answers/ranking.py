"""What occurs most often, and which number is the largest."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import numpy as np

from app.answers.facts import CITED_LINES, Fact, Work, beside, collect
from app.answers.intent import Kind
from app.answers.quantities import Quantity, quantity
from app.answers.targets import Target, ValueKind
from app.answers.terms import STOP_WORDS
from app.answers.view import Indices, both
from app.answers.wording import join, number, say, shown

_TIED_VALUES = 4
_CLOCK_FORMS = {
    ValueKind.HOUR: "%Y-%m-%d %H:00",
    ValueKind.DAY: "%Y-%m-%d",
    ValueKind.MINUTE: "%Y-%m-%d %H:%M",
}


def rank_fact(work: Work) -> Fact | None:
    """Which value occurs in most (or fewest) of the chosen lines, and in how many."""
    between = options_fact(work)
    if between is not None:
        return between
    for target in _targets(work):
        written = _head_fact(work, target)
        if written is not None:
            return written
        found = _values(work, target)
        if not found:
            continue
        lines_of: dict[str, list[int]] = {}
        for value, index in found:
            lines_of.setdefault(value, []).append(index)
        ranked = sorted(lines_of.items(), key=lambda item: len(item[1]), reverse=True)
        if work.intent.least:
            ranked.reverse()
        return _said(work, target, ranked, len({index for _, index in found}))
    return None


def _head_fact(work: Work, target: Target) -> Fact | None:
    """Components and levels are counted in the index, however long the log is."""
    heads, indices = work.picker.heads, work.chosen.indices
    if target.kind is ValueKind.COMPONENT and work.picker.layout.has_component:
        counted, lines_of = heads.count_components(indices), heads.lines_of_components
    elif target.kind is ValueKind.LEVEL and work.picker.layout.has_level:
        counted, lines_of = heads.count_levels(indices), heads.lines_of_levels
    else:
        return None
    if not counted or _named_column(work, target):
        return None
    ranked = sorted(counted.items(), key=lambda item: item[1], reverse=not work.intent.least)
    shown_lines = {
        name: both(indices, lines_of([name], work.lines.count)).tolist()
        for name, n in ranked
        if n == ranked[0][1] or name in dict(ranked[: work.intent.top])
    }
    listed = [(name, shown_lines[name]) for name, _ in ranked if name in shown_lines]
    return _said(work, target, listed, sum(counted.values()))


def _named_column(work: Work, target: Target) -> bool:
    """Whether the log has a column of exactly the word asked for, which then is meant."""
    return any(target.word == name.lower() for name in work.picker.layout.columns)


def options_fact(work: Work) -> Fact | None:
    """Of two words the one that stands in more lines, with both numbers; None where not asked."""
    options = work.intent.options
    if len(options) < 2:
        return None
    found = [both(work.chosen.indices, work.picker.find_identifier(option)) for option in options]
    if not all(len(indices) for indices in found):
        return None
    parts = [
        say(work.language, "times", text=option, n=number(len(indices)))
        for option, indices in zip(options, found, strict=True)
    ]
    most = max(range(len(options)), key=lambda at: len(found[at]))
    sentence = join(work.language, parts)
    if len(found[0]) != len(found[1]):
        sentence += say(work.language, "more_of", what=f"“{options[most]}”")
    values = (options[most], *(str(len(indices)) for indices in found))
    lines = tuple(found[most][:CITED_LINES].tolist())
    return Fact(Kind.RANK, sentence, values, lines, len(work.chosen.indices), work.plan)


def _said(work: Work, target: Target, ranked: list[tuple[str, list[int]]], lines: int) -> Fact:
    language = work.language
    top_value, top_lines = ranked[0]
    n = len(top_lines)
    tied = [value for value, at in ranked if len(at) == n]
    key, value = "rank_least" if work.intent.least else "rank", top_value
    if 1 < len(tied) <= _TIED_VALUES:
        key, value = "rank_tie", join(language, tied)
    if key != "rank_tie":
        value = f"“{value.strip('“”')}”"
    sentence = say(language, key, value=value, n=number(n), lines=number(lines), when=work.when)
    values = [*tied[:_TIED_VALUES], str(n)]
    if work.intent.top > 1:
        best = ranked[: work.intent.top]
        listed = [say(language, "times", text=v, n=number(len(at))) for v, at in best]
        sentence = say(
            language, "rank_top", lines=number(lines), when=work.when, list=join(language, listed)
        )
        values = [v for v, _ in best] + [str(len(at)) for _, at in best]
    cited = tuple(top_lines[:CITED_LINES])
    plan = f"{target.word}: {work.plan}" if target.word else work.plan
    return Fact(Kind.RANK, sentence, tuple(values), cited, lines, plan)


def _targets(work: Work) -> list[Target]:
    """What to rank by: what was asked; else what stands behind the quoted text."""
    targets = list(work.intent.targets)
    general = (ValueKind.NUMBER, ValueKind.NAMED)
    if work.intent.after_literal and (not targets or targets[0].kind in general):
        # "the state number behind “error state”": the position says more than the word.
        targets.insert(0, Target(ValueKind.NUMBER, ""))
        targets.insert(1, Target(ValueKind.NAMED, ""))
    if not targets and work.intent.terms.literals:
        targets.append(Target(ValueKind.NAMED, ""))
    if not targets:
        for word in (*work.intent.terms.names, *work.intent.terms.words):
            if word.lower() not in STOP_WORDS:
                targets.append(Target(ValueKind.NAMED, word.lower()))
    targets.append(Target(ValueKind.MESSAGE, ""))
    return targets


def _values(work: Work, target: Target) -> list[tuple[str, int]]:
    indices = work.chosen.indices
    if target.kind in _CLOCK_FORMS:
        return _clock_values(work, target.kind, indices)
    if target.kind is ValueKind.MESSAGE:
        return _message_values(work, indices)
    everywhere = target.kind is ValueKind.IP and not work.intent.terms.literals
    return collect(work, target, indices, every=everywhere)


def _clock_values(work: Work, kind: ValueKind, indices: Indices) -> list[tuple[str, int]]:
    times = work.lines.times_s
    form = _CLOCK_FORMS[kind]
    days = {int(time // 86_400) for time in times[indices] if np.isfinite(time)}
    if len(days) == 1:
        form = form.removeprefix("%Y-%m-%d ")
    elif not work.picker.has_year:
        form = form.replace("%Y-%m-%d", "%b %d")
    named = ""
    if kind is ValueKind.HOUR:
        named = "（%-H 点）" if work.language == "zh" else " (hour %-H)"
    found = []
    for index in indices.tolist():
        if np.isfinite(times[index]):
            moment = datetime.fromtimestamp(float(times[index]), UTC)
            label = moment.strftime(form) + named.replace("%-H", str(moment.hour))
            found.append((label, index))
    return found


def _message_values(work: Work, indices: Indices) -> list[tuple[str, int]]:
    """Lines grouped by template, each shown by the message of its first line."""
    layout = work.picker.layout
    counted: Counter[int] = Counter()
    first_of: dict[int, str] = {}
    members: list[tuple[int, int]] = []
    for index, record in work.lines.pick(indices):
        counted[record.template_id] += 1
        first_of.setdefault(record.template_id, f"“{shown(layout.message(record))}”")
        members.append((record.template_id, index))
    return [(first_of[template], index) for template, index in members]


def extreme_fact(work: Work) -> Fact | None:
    """The largest or smallest number of what was asked, and what its line says besides."""
    for target in numeric_targets(work):
        series = number_series(work, target, work.chosen.indices)
        if len(series) == 0:
            continue
        pick = min if work.intent.least else max
        quantity_at = pick(series, key=lambda item: item[0].amount)
        best, index = quantity_at
        record = work.lines.record(index)
        name = target.word or say(work.language, "the_number")
        sentence = say(
            work.language,
            "smallest" if work.intent.least else "largest",
            name=name,
            value=best.text,
            line=record.number,
            at=work.at(record),
            text=shown(record.text, best.text),
        )
        values, said = beside(work, record)
        sentence += said + say(work.language, "compared", n=number(len(series)))
        return Fact(Kind.EXTREME, sentence, (best.text, *values), (index,), len(series), work.plan)
    return None


def numeric_targets(work: Work) -> list[Target]:
    """Where the numbers may stand: beside the word asked for, in or behind the quoted text."""
    targets: list[Target] = []
    if work.intent.unit:
        targets.append(Target(ValueKind.NUMBER, work.intent.unit))
    if work.intent.after_literal:
        targets.append(Target(ValueKind.NUMBER, ""))
    for target in work.intent.targets:
        if target.kind in (ValueKind.NUMBER, ValueKind.NAMED, ValueKind.PORT, ValueKind.CODE):
            targets.append(target)
    terms = work.intent.terms
    for literal in terms.literals:
        if " " not in literal.text:
            targets.append(Target(ValueKind.NUMBER, literal.text))
    for word in (*terms.names, *terms.identifiers, *terms.words, *terms.chinese):
        targets.append(Target(ValueKind.NUMBER, word))
    if terms.literals or _one_template(work):
        targets.append(Target(ValueKind.NUMBER, ""))
    return targets


def _one_template(work: Work) -> bool:
    """Whether the chosen lines are of one shape, so that their numbers can be compared."""
    ids = work.lines.template_ids[work.chosen.indices]
    return len(ids) > 1 and bool(work.chosen.criteria) and bool((ids == ids[0]).all())


def number_series(work: Work, target: Target, indices: Indices) -> list[tuple[Quantity, int]]:
    """The numbers of a target in lines, in their order; empty where few lines have one."""
    numeric = Target(ValueKind.NUMBER, target.word, target.phrase, counted=target.counted)
    found = []
    for value, index in collect(work, numeric, indices):
        read = quantity(value)
        if read is not None:
            found.append((read, index))
    return found
