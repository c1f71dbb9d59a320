"""Where level, component and machine stand in lines of free text, learned from a sample."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.answers.lineparts import LEVEL_LETTERS, PUNCTUATION, Head, canonical_level
from app.stream.records import Record

_TOKEN = re.compile(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]:?|\S+")
COMPONENT_NAME = re.compile(r"[A-Za-z_\u4e00-\u9fff][^\s\[(]*")
"""What a component may be called; a number in brackets behind it is left out."""
_HEAD_TOKENS = 14
_COMPONENT_WITHIN = 9
"""Tokens behind the level, or from the beginning, among which a component may stand."""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    stop: int


def _tokens(record: Record, most: int = _HEAD_TOKENS) -> list[_Token]:
    """The line's first tokens; a bracketed group is one, the time is left out."""
    text, time_start, time_stop = record.text, -1, -1
    if record.raw_time:
        time_start = text.find(record.raw_time)
        time_stop = time_start + len(record.raw_time)
    found: list[_Token] = []
    position = 0
    while len(found) < most:
        if time_start >= 0 and time_start - 1 <= position <= time_start:
            # A bracket around the time goes with it.
            position = time_stop + (text[time_stop : time_stop + 1] in ("]", ")", ","))
            time_start = -1
        match = _TOKEN.search(text, position)
        if match is None:
            break
        if time_start >= 0 and match.start() <= time_start < match.end():
            if match.start() < time_start - 1:
                found.append(_Token(text[match.start() : time_start], match.start(), time_start))
            position = time_stop + (text[time_stop : time_stop + 1] in ("]", ")", ","))
            time_start = -1
            continue
        found.append(_Token(match.group(), match.start(), match.end()))
        position = match.end()
    return found


def learn_text(records: Sequence[Record]) -> tuple[bool, bool, Callable[[Record], Head]]:
    """Find the level and the component in lines of free text.

    Returns:
        whether there is a level, whether there is a component, and how to take a line apart.
    """
    rows = [_tokens(record) for record in records]
    level, is_letter = _level_column(rows)
    after = level + 1 if level >= 0 else 0
    part = _component_column(rows, level, after)
    host_at = _host_column(rows, part.index if part is not None else max(level, 4))

    needed = max(level, part.index if part is not None else -1, host_at, 0) + 1

    def read(record: Record) -> Head:
        tokens = _tokens(record, needed)
        raw, name = "", ""
        start = tokens[0].start if tokens else 0
        if level >= 0 and len(tokens) > level:
            raw = tokens[level].text.strip(PUNCTUATION)
            if (LEVEL_LETTERS.get(raw) if is_letter else canonical_level(raw)) is None or not (
                is_letter or canonical_level(raw)
            ):
                raw = ""
            else:
                start = tokens[level].stop
        body = start
        if part is not None and len(tokens) > part.index:
            token = tokens[part.index]
            name = part.name_in(token.text)
            if name and part.index > level:
                start, body = token.stop, token.start
        while start < len(record.text) and record.text[start] in " \t-:]|":
            start += 1
        canonical = (
            (LEVEL_LETTERS.get(raw, "") if is_letter else canonical_level(raw)) if raw else ""
        )
        host = tokens[host_at].text.rstrip(":") if 0 <= host_at < len(tokens) else ""
        return Head(raw, canonical, name, start, body, host)

    return level >= 0, part is not None, read


def _level_column(rows: Sequence[Sequence[_Token]]) -> tuple[int, bool]:
    """Index of the token that is the level, and whether levels are single letters; -1 if none."""
    words: Counter[int] = Counter()
    letters: Counter[int] = Counter()
    for row in rows:
        for index, token in enumerate(row):
            bare = token.text.strip(PUNCTUATION)
            marked = bare.isupper() or token.text[:1] in "[<(" or bare[:1].isupper()
            if canonical_level(bare) and (marked or not bare.isascii() or index == 0):
                words[index] += 1
                break
        for index, token in enumerate(row[:6]):
            if token.text.strip("/[]()") in LEVEL_LETTERS:
                letters[index] += 1
                break
    if words:
        index, lines = words.most_common(1)[0]
        if lines >= 0.5 * len(rows):
            return index, False
    if letters:
        index, lines = letters.most_common(1)[0]
        if lines >= 0.95 * len(rows):
            return index, True
    return -1, False


@dataclass(frozen=True, slots=True)
class _Component:
    index: int
    form: str

    def name_in(self, token: str) -> str:
        """The component's name in its token; empty where the token has another form."""
        if self.form == "class@line":
            found = re.search(r"([A-Za-z_][\w.$]*)@\d+", token)
            return found.group(1) if found else ""
        if self.form == "bracket":
            return token.strip("[]:") if token.startswith("[") else ""
        if self.form == "colon" and not token.endswith(":"):
            return ""
        # A program that names itself by its path is called by its last part.
        base = token.rsplit("/", 1)[-1] if token.startswith("/") else token
        found = COMPONENT_NAME.match(base.strip("*"))
        return found.group().rstrip(":,") if found else ""


def _component_column(
    rows: Sequence[Sequence[_Token]], level: int, after: int
) -> _Component | None:
    total = len(rows)
    classes = Counter(
        i for row in rows for i, t in enumerate(row) if re.search(r"[A-Za-z_][\w.$]*@\d+\]", t.text)
    )
    if classes and classes.most_common(1)[0][1] >= 0.6 * total:
        return _Component(classes.most_common(1)[0][0], "class@line")
    colons: Counter[int] = Counter()
    for row in rows:
        for i, token in enumerate(row[after : after + _COMPONENT_WITHIN], start=after):
            if re.fullmatch(
                r"[/A-Za-z_\u4e00-\u9fff][^\s:]*(?:\[[^\]]*\])?:|[A-Za-z_]\S*::?", token.text
            ):
                colons[i] += 1
                break
    if colons and colons.most_common(1)[0][1] >= 0.6 * total:
        return _Component(colons.most_common(1)[0][0], "colon")
    if level >= 0:
        following = _column(rows, after)
        before = _column(rows, level - 1) if level > 0 else []
        if _is_label(before, total) and not (_is_label(following, total, 0.05)):
            return _Component(level - 1, "word")
        if _is_label(following, total, 0.2):
            return _Component(after, "word")
        if share(following, lambda v: v.startswith("[")) > 0.8 and _few(following, total):
            return _Component(after, "bracket")
        return _Component(level - 1, "word") if _is_label(before, total) else None
    dashed = sum(any(token.text == "-" for token in row[1:4]) for row in rows)
    if dashed >= 0.8 * total and _is_label(_column(rows, 0), total):
        return _Component(0, "word")
    labels = [index for index in range(5) if _is_label(_column(rows, index), total, 0.08)]
    # "node-12 unix.hw …": a name with a number is a machine rather than what it runs.
    labels.sort(key=lambda index: share(_column(rows, index), _has_digit) > 0.8)
    return _Component(labels[0], "word") if labels else None


_HOST_NAME = re.compile(r"[A-Za-z][\w.-]*\d[\w.:/-]*|[a-z][\w-]*(?:\.[\w-]+)+|[A-Za-z][\w-]{2,}")


def _host_column(rows: Sequence[Sequence[_Token]], before: int) -> int:
    """Index of the token that names a machine, left of the component; -1 if there is none."""
    total = len(rows)
    for index in range(max(before, 0)):
        column = _column(rows, index)
        if len(column) < 0.9 * total or len(set(column)) > max(30, total // 3):
            continue
        if share(column, lambda v: _HOST_NAME.fullmatch(v) is not None) < 0.95:
            continue
        if share(column, lambda v: canonical_level(v) != "") < 0.5:
            return index
    return -1


def _has_digit(value: str) -> bool:
    return any(character.isdigit() for character in value)


def _column(rows: Sequence[Sequence[_Token]], index: int) -> list[str]:
    return [row[index].text for row in rows if len(row) > index] if index >= 0 else []


def _is_label(values: Sequence[str], total: int, most_distinct: float = 0.1) -> bool:
    """Whether a column holds names from a small set, as a component column does."""
    if len(values) < 0.9 * total:
        return False
    named = share(values, lambda v: COMPONENT_NAME.match(v.strip("*")) is not None) > 0.9
    return named and _few(values, total, most_distinct)


def _few(values: Sequence[str], total: int, most_distinct: float = 0.1) -> bool:
    return 1 < len(set(values)) <= max(6, most_distinct * total)


def share(values: Sequence[str], test: Callable[[str], bool]) -> float:
    """The share of values that pass a test; 0 for no values."""
    return sum(map(test, values)) / len(values) if values else 0.0
