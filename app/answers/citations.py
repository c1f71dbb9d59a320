"""Every value of an answer is looked for, letter by letter, in lines and facts; lines are cited.

Citations come from the program: a model's own are only hints, checked like everything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.answers.facts import Fact
from app.answers.messages import Citation
from app.answers.terms import STOP_WORDS
from app.answers.view import Lines
from app.answers.wording import common_time
from app.stream.records import DROPPED, Record

MOST_CITATIONS = 5
_MOST_SEARCHES = 12
"""Values looked for in the whole log; each costs a pass over it."""

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_YEAR_FIRST = r"(?:19|20)\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
_VALUE_FORMS = tuple(
    (form, re.compile(pattern))
    for form, pattern in (
        (
            "quote",
            r"\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|「([^」\n]{2,300})」|`([^`\n]{2,300})`",
        ),
        ("url", r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s\"'<>，。）)]+"),
        (
            "time",
            rf"(?<!\d)(?:{_YEAR_FIRST}[T ]?)?\d{{1,2}}:\d{{2}}:\d{{2}}(?:[.,:]\d{{1,6}})?(?!\d)",
        ),
        ("time", r"(?<!\d)\d{1,2}[时点]\d{1,2}分(?:\d{1,2}秒)?"),
        ("date", rf"(?<![\d.]){_YEAR_FIRST}(?!\d)|(?<!\d)\d{{1,2}}月\d{{1,2}}[日号]"),
        ("date", rf"\b{_MONTH} \d{{1,2}}\b(?!:)"),
        ("address", r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w]|\.\d)"),
        (
            "id",
            r"\b0x[0-9a-fA-F]+\b|(?<![\w./\\-])(?:/[\w.@%+~$-]+){2,}|\b[A-Za-z]:\\[^\s\"'<>，。]+",
        ),
        (
            "id",
            r"(?<![\w.])(?=[A-Za-z_\-:.$]*\d)(?=[\d_\-:.$]*[A-Za-z])[A-Za-z0-9][\w$]*(?:[-:.$/]+[\w$]+)*",
        ),
        (
            "name",
            r"(?<![\w.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?!\w)|"
            r"(?<![\w.])[A-Za-z]\w*(?:_\w+)+"
            r"|\b[A-Z]?[a-z0-9]+[A-Z]\w*\b",
        ),
        (
            "name",
            r"(?i:\b(?:user(?:name)?|account|host(?:name)?|node|process|component|device)"
            r"(?: name)?(?: is| was| named)?[ :]+[\"'`]?)((?!(?:is|was|and|in|on|of|the|that|"
            r"which|names?"
            r"|from|at|with|to|for|has|had|were|are|did|does|wrote|"
            r"address)\b)[A-Za-z][\w.-]{1,40}\w)",
        ),
        ("name", r"(?<=[\u4e00-\u9fff] )([A-Za-z][\w.-]+)|(?<=[\u4e00-\u9fff])([A-Za-z][\w.-]+)"),
        (
            "number",
            r"(?<![\w.,:])[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"
            r"|(?<![\w.:])[-+]?\d+(?:\.\d+)?(?!\w*:\d|\.\d)",
        ),
    )
)
_ZH_CLOCK = re.compile(r"(\d{1,2})[时点](\d{1,2})分(?:(\d{1,2})秒)?")
_LABEL = re.compile(r"\s*[\[【(（]\s*([^\[\]\s:：]{1,80})\s*[:：]\s*(\d{1,9})\s*[\]】)）]")
_LINE_NUMBER = re.compile(r"(?:\blines?\s+|第\s*)(\d{1,9})(?:\s*行)?", re.IGNORECASE)
_REMAINS = re.compile(
    r"<\|[^|<>\n]{0,40}\|>|</?s>|\[/?INST\]|<<?/?SYS>>?|<\|?im_(?:start|end)\|?>|<end_of_turn>|"
    r"<start_of_turn>(?:user|model)?",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\s*(?:assistant|answer|response|output|final answer|回答|答案|答)\s*[:：]\s*", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?](?=\s|$)|[.!?](?!\s)[^.!?。！？\n]*|[。！？\n])*")
_REPEATED = re.compile(r"(.{6,240}?)(?:\s*\1){2,}", re.DOTALL)
_REPEATED_SHORT = re.compile(r"(\S{1,6}?)(?:\s?\1){7,}")


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a text claims.

    Attributes:
        text: as written.
        start, stop: where it stands in the text.
        form: ``number``, ``address``, ``time``, ``date``, ``id``, ``name``, ``url`` or ``quote``.
    """

    text: str
    start: int
    stop: int
    form: str


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer after the check.

    Attributes:
        text: without loops, echoes of the question and remains of templates.
        citations: the lines that hold its values, those that hold most first.
        supported: values found in lines or facts.
        unsupported: values found nowhere; their places are in the text.
        cut: whether something was cut.
    """

    text: str
    citations: tuple[Citation, ...]
    supported: tuple[Value, ...]
    unsupported: tuple[Value, ...]
    cut: bool


def check_answer(
    text: str,
    lines: Lines,
    *,
    question: str,
    evidence: Sequence[int] = (),
    facts: Iterable[Fact] = (),
    most_citations: int = MOST_CITATIONS,
) -> Checked:
    """Clean an answer, look for its values, and choose the lines to cite.

    Arguments:
        lines: the log.
        evidence: store indices of the lines that were read with the question.
        facts: computed facts; what they say needs no line of its own.
        most_citations: most lines cited.
    """
    cleaned, hints = clean_answer(text, question)
    facts = tuple(facts)
    pool = list(dict.fromkeys([*(i for fact in facts for i in fact.lines), *evidence]))
    hays = {index: haystack(lines.record(index)) for index in pool}
    computed = normal(" ".join(f"{fact.sentence} {' '.join(fact.values)}" for fact in facts))
    asked = normal(question)
    totals = normal(f"{lines.kept} {lines.kept:,}")
    holders: dict[Value, list[int]] = {}
    supported: list[Value] = []
    unsupported: list[Value] = []
    searches = 0
    for value in values_in(cleaned):
        wanted = normal(_common_clock(value))
        found = [index for index in pool if contains(hays[index], wanted)]
        if not found and not contains(computed, wanted):
            named = _is_line(value, cleaned, pool, lines)
            if named or contains(asked, wanted) or contains(totals, wanted):
                supported.append(value)
                continue
            if searches < _MOST_SEARCHES and len(wanted) > 1:
                searches += 1
                found = _search(lines, value)
                hays.update({index: haystack(lines.record(index)) for index in found})
        if found:
            holders[value] = found
        if found or contains(computed, wanted):
            supported.append(value)
        else:
            unsupported.append(value)
    chosen = _choose(holders, _hinted(hints, pool, lines), most_citations)
    for fact in facts:
        if len(chosen) < most_citations:
            chosen += [i for i in fact.lines if i not in chosen][: most_citations - len(chosen)]
    if not chosen and pool and not unsupported:
        chosen = _by_words(cleaned, pool, hays)
    cited = []
    for index in chosen:
        record = lines.record(index)
        if record is not DROPPED:
            cited.append(Citation(record.source, record.number, record.text))
    return Checked(
        cleaned, tuple(cited), tuple(supported), tuple(unsupported), cleaned.strip() != text.strip()
    )


# --- values -----------------------------------------------------------------------------------


def values_in(text: str) -> list[Value]:
    """The values a text claims, in order, none inside another."""
    taken: list[tuple[int, int]] = []
    found: list[Value] = []
    for form, pattern in _VALUE_FORMS:
        for match in pattern.finditer(text):
            group = next((i for i in range(1, (match.lastindex or 0) + 1) if match[i]), 0)
            start, stop = match.span(group)
            if any(start < b and stop > a for a, b in taken):
                continue
            if form == "number" and _is_bullet(text, start, stop):
                continue
            if form == "name" and _is_plain_word(match[group]):
                continue
            taken.append((start, stop))
            found.append(Value(match[group], start, stop, form))
    return sorted(found, key=lambda value: value.start)


def _is_plain_word(word: str) -> bool:
    """Whether a supposed name is a verb or a function word of the sentence."""
    return word.lower() in STOP_WORDS or (word.islower() and word.endswith(("ed", "ing")))


def _common_clock(value: Value) -> str:
    """A Chinese clock time as logs write it."""
    found = _ZH_CLOCK.fullmatch(value.text)
    if found is None:
        return value.text
    parts = [int(part) for part in found.groups() if part is not None]
    return ":".join(f"{part:02d}" for part in parts)


def _is_bullet(text: str, start: int, stop: int) -> bool:
    """The "1." of a numbered list is no claim."""
    line_start = text.rfind("\n", 0, start) + 1
    return not text[line_start:start].strip() and text[stop : stop + 1] in (".", ")", "、", "）")


def normal(text: str) -> str:
    """NFKC, lower case, plain quotes and dashes, single spaces, no separators of thousands."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = text.translate(_PLAIN)
    text = re.sub(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])", lambda m: m[0].replace(",", ""), text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"(?<=[\u3000-\u9fff]) | (?=[\u3000-\u9fff])", "", text)


_PLAIN = {
    0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"',
    **dict.fromkeys(range(0x2010, 0x2016), "-"), 0x2212: "-",
}  # fmt: skip


def contains(hay: str, wanted: str) -> bool:
    """Whether a normalised text holds a value whole: 12 is not in 312, 12.5 or 1.12."""
    if not wanted:
        return False
    at = hay.find(wanted)
    while at >= 0:
        before, after = hay[at - 1 : at] if at else "", hay[at + len(wanted) : at + len(wanted) + 2]
        whole = not (wanted[0].isalnum() and before.isalnum() and before.isascii())
        whole = whole and not (wanted[-1].isalnum() and after[:1].isalnum() and after[:1].isascii())
        if wanted[0].isdigit() and before == "." and hay[at - 2 : at - 1].isdigit():
            whole = False
        if wanted[-1].isdigit() and after[:1] == "." and after[1:2].isdigit():
            whole = False
        if whole or _unit_follows(wanted, after):
            return True
        at = hay.find(wanted, at + 1)
    return False


def _unit_follows(wanted: str, after: str) -> bool:
    """ "5120ms" in a line supports "5120" in an answer."""
    return (
        wanted[-1].isdigit()
        and after[:1].isalpha()
        and after[:1] in "smkgvwa%"
        and wanted.isdigit()
    )


def haystack(record: Record) -> str:
    """A line's text with its time in common forms, normalised."""
    forms = [record.text]
    if record.time_s is not None and record.raw_time:
        forms += [common_time(record.time_s, record.raw_time, lang) for lang in ("en", "zh")]
    return normal(" \n ".join(forms))


def _is_line(value: Value, text: str, pool: Sequence[int], lines: Lines) -> bool:
    """A line number named as such, of a line that was read."""
    if value.form != "number":
        return False
    named = {match.start(1): match[1] for match in _LINE_NUMBER.finditer(text)}
    if value.start not in named:
        return False
    return any(lines.record(index).number == int(named[value.start]) for index in pool)


def _search(lines: Lines, value: Value) -> list[int]:
    """The value anywhere in the log; plain short numbers prove nothing and are not searched."""
    text = _common_clock(value).strip()
    if value.form == "number" and len(text.lstrip("+-")) < 3:
        return []
    found = lines.find(text, ignore_case=True)
    wanted = normal(text)
    return [i for i in found[:20].tolist() if contains(haystack(lines.record(i)), wanted)][:3]


# --- choosing lines ---------------------------------------------------------------------------


def _choose(holders: dict[Value, list[int]], hinted: list[int], most: int) -> list[int]:
    """Few lines that hold all located values: greedily the one that holds most that is left."""
    left = {value: set(found) for value, found in holders.items()}
    chosen: list[int] = []
    while left and len(chosen) < most:
        weights: dict[int, float] = {}
        for value, found in left.items():
            for index in found:
                weights[index] = weights.get(index, 0.0) + 1.0 + min(len(value.text), 40) / 40
        for index in hinted:
            if index in weights:
                weights[index] += 0.5
        best = max(weights, key=lambda index: (weights[index], -index))
        chosen.append(best)
        left = {value: found for value, found in left.items() if best not in found}
    return chosen


def _hinted(hints: list[tuple[str, int]], pool: Sequence[int], lines: Lines) -> list[int]:
    wanted = set(hints)
    found = []
    for index in pool:
        record = lines.record(index)
        if (record.source, record.number) in wanted:
            found.append(index)
    return found


def _by_words(text: str, pool: Sequence[int], hays: dict[int, str]) -> list[int]:
    """Where an answer has no values: the line that shares most of its longer words."""
    words = set(re.findall(r"[a-z]{4,}|[\u4e00-\u9fff]{2}", normal(text)))
    if not words:
        return []
    shared = {index: sum(word in hays[index] for word in words) for index in pool}
    best = max(pool, key=lambda index: shared[index])
    return [best] if shared[best] >= 2 else []


# --- cleaning ---------------------------------------------------------------------------------


def clean_answer(text: str, question: str = "") -> tuple[str, list[tuple[str, int]]]:
    """Cut remains of templates, echoes of the question, loops and labels.

    Returns:
        the text, and the lines that labels like ``[source:line]`` named.
    """
    text = _REMAINS.sub(" ", text)
    hints = [(match[1], int(match[2])) for match in _LABEL.finditer(text)]
    text = _LABEL.sub("", text)
    text = _LEAD.sub("", text)
    asked = normal(question)
    if asked:
        kept = [line for line in text.split("\n") if normal(_LEAD.sub("", line)) != asked]
        text = "\n".join(kept)
    text = _REPEATED_SHORT.sub(r"\1", text)
    text = _REPEATED.sub(r"\1", text)
    return _without_repeats(text).strip(), hints


def _without_repeats(text: str) -> str:
    """Sentences said twice are said once; short ones ("Yes.") may come back."""
    seen: set[str] = set()
    kept: list[str] = []
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        key = normal(sentence).strip(" .!?。！？")
        if len(key) > 12 and key in seen:
            if sentence.endswith("\n"):
                kept.append("\n")
            continue
        seen.add(key)
        kept.append(sentence)
    return re.sub(r"\n{3,}", "\n\n", "".join(kept))
