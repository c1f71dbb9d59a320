"""How a log's lines are built: where level, component and message stand.

Learned from a sample of the log itself, never from knowing the system that wrote it. Four builds
are told apart: JSON objects, delimited columns, and free text with or without a level column.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.stream.records import Record

SAMPLE_LINES = 400

_CANONICAL = {
    "trace": "trace", "verbose": "trace", "finest": "trace",
    "debug": "debug", "dbg": "debug", "fine": "debug", "调试": "debug",
    "info": "info", "information": "info", "informational": "info", "inf": "info", "信息": "info",
    "notice": "notice", "提示": "notice", "通知": "notice",
    "warn": "warning", "warning": "warning", "wrn": "warning",
    "警告": "warning", "告警": "warning", "预警": "warning",
    "error": "error", "err": "error", "错误": "error", "severe": "severe", "failure": "failure",
    "critical": "critical", "crit": "critical", "严重": "critical",
    "fatal": "fatal", "致命": "fatal", "alert": "alert", "alarm": "alarm", "alm": "alarm",
    "报警": "alarm", "emerg": "emergency", "emergency": "emergency", "panic": "panic",
}  # fmt: skip
LEVEL_LETTERS = {
    "V": "trace",
    "D": "debug",
    "I": "info",
    "W": "warning",
    "E": "error",
    "F": "fatal",
    "A": "alert",
}
"""Levels of logs that write a single letter, as phones do."""
_TOKEN = re.compile(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]:?|\S+")
_STRIP = "[](){}<>:,;|*-\"'"
_NAME = re.compile(r"[A-Za-z_\u4e00-\u9fff][^\s\[(]*")
_HEAD_TOKENS = 14
_LEVEL_KEYS = ("level", "severity", "lvl", "levelname", "loglevel", "log.level", "级别", "等级")
_COMPONENT_KEYS = (
    "component", "logger", "module", "service", "source", "subsystem", "tag", "device", "station",
    "app", "process", "program", "name", "组件", "模块", "来源", "设备", "工位", "部件",
)  # fmt: skip
_MESSAGE_KEYS = ("message", "msg", "text", "event", "description", "desc", "消息", "内容", "描述")


def canonical_level(word: str) -> str:
    """The common name of a level word, such as ``warning`` for ``WARN``; empty for other words."""
    return _CANONICAL.get(word.strip(_STRIP).lower(), "")


@dataclass(frozen=True, slots=True)
class Head:
    """What a line says before its message.

    Attributes:
        level: as written; empty where there is none.
        level_name: its common name, such as ``warning``.
        component: who wrote the line, without process number; empty where unknown.
        host: the machine or node named before the component; empty where none is.
        message_start: offset of the message in the text.
        body_start: offset right behind time and level, where the component may stand.
    """

    level: str = ""
    level_name: str = ""
    component: str = ""
    message_start: int = 0
    body_start: int = 0
    host: str = ""


_NOTHING = Head()


@dataclass(slots=True)
class Shape:
    """The build of a log's lines; ``head`` takes one apart.

    Attributes:
        kind: ``json``, ``delimited`` or ``text``.
        columns: names of the columns of a delimited log with a header row, or keys of JSON.
    """

    kind: str = "text"
    columns: tuple[str, ...] = ()
    has_level: bool = False
    has_component: bool = False
    delimiter: str = ""
    header_text: str = ""
    _read: Callable[[Record], Head] = field(default=lambda _record: _NOTHING)
    _heads: dict[int, Head] = field(default_factory=dict)

    def head(self, record: Record) -> Head:
        """Take one line apart."""
        return self._read(record)

    def fields(self, record: Record) -> dict[str, str]:
        """Named columns of a line; empty for free text."""
        if self.kind == "json":
            return _json_fields(record.text)
        if self.kind == "delimited" and self.columns:
            parts = split_delimited(record.text, self.delimiter)
            return dict(zip(self.columns, parts, strict=False))
        return {}

    def body(self, record: Record) -> str:
        """The line without its time and level; the component stays."""
        return record.text[self.head(record).body_start :].strip()

    def message(self, record: Record) -> str:
        """The line without what stands before its message."""
        return record.text[self.head(record).message_start :]


def learn_shape(sample: Sequence[Record]) -> Shape:
    """Find out how lines are built from a sample of them."""
    filled = [record for record in sample if record.text.strip()]
    if not filled:
        return Shape()
    texts = [record.text for record in filled]
    objects = sum(text.lstrip().startswith("{") and text.rstrip().endswith("}") for text in texts)
    if objects >= 0.8 * len(texts):
        shape = _learn_json(texts)
        if shape is not None:
            return shape
    for delimiter in ("|", "\t", ";", ","):
        shape = _learn_delimited(filled, delimiter)
        if shape is not None:
            return shape
    return _learn_text(filled)


def split_delimited(text: str, delimiter: str) -> list[str]:
    """The columns of a delimited line, stripped; quotes are respected."""
    if '"' in text:
        try:
            return [part.strip() for part in next(csv.reader([text], delimiter=delimiter))]
        except (csv.Error, StopIteration):
            pass
    return [part.strip() for part in text.split(delimiter)]


# --- JSON -------------------------------------------------------------------------------------


def _json_fields(text: str) -> dict[str, str]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return _flat(data) if isinstance(data, dict) else {}


def _flat(data: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        elif isinstance(value, str):
            flat[prefix + key] = value
        else:
            flat[prefix + key] = json.dumps(value, ensure_ascii=False)
    return flat


def _learn_json(texts: Sequence[str]) -> Shape | None:
    keys: Counter[str] = Counter()
    for text in texts:
        keys.update(_json_fields(text).keys())
    if not keys:
        return None
    level = _named(keys, _LEVEL_KEYS)
    component = _named(keys, _COMPONENT_KEYS)
    message = _named(keys, _MESSAGE_KEYS)

    def read(record: Record) -> Head:
        fields = _json_fields(record.text)
        body = fields.get(message, "")
        start = record.text.find(body[:20]) if body else 0
        raw = fields.get(level, "")
        start = max(start, 0)
        return Head(raw, canonical_level(raw), fields.get(component, ""), start, start)

    return Shape("json", tuple(keys), bool(level), bool(component), _read=read)


def _named(keys: Sequence[str] | Counter[str], wanted: Sequence[str]) -> str:
    lower = {key.lower(): key for key in keys}
    for name in wanted:
        if name in lower:
            return lower[name]
    for name in wanted:
        for key, original in lower.items():
            if key.endswith((f".{name}", f"_{name}")) or key.startswith(f"{name}_"):
                return original
    return ""


# --- delimited columns ------------------------------------------------------------------------


def _learn_delimited(records: Sequence[Record], delimiter: str) -> Shape | None:
    rows = [split_delimited(record.text, delimiter) for record in records]
    width, lines = Counter(len(row) for row in rows).most_common(1)[0]
    at_least = 3 if delimiter != "," else 4
    if width < at_least or lines < 0.8 * len(rows):
        return None
    body = [row for row in rows if len(row) == width]
    if delimiter == "," and sum(" " in part for row in body for part in row[:2]) > 2 * len(body):
        return None
    header = _header_row(records[0], rows[0], width)
    columns = list(zip(*(body[1:] if header and len(body) > 1 else body), strict=True))
    distinct = [len(set(column)) for column in columns]
    level = _first(
        i for i in range(width) if _share(columns[i], lambda v: canonical_level(v) != "") > 0.8
    )
    named_component = header.index(n) if (n := _named(header, _COMPONENT_KEYS)) else -1
    component = named_component
    if component < 0:
        component = _first(
            i
            for i in range(width - 1)
            if i != level
            and 1 < distinct[i] <= max(20, len(body) // 10)
            and _share(columns[i], lambda v: _NAME.match(v) is not None) > 0.8
        )
    named_message = header.index(n) if (n := _named(header, _MESSAGE_KEYS)) else -1
    message = named_message if named_message >= 0 else width - 1

    def read(record: Record) -> Head:
        parts = split_delimited(record.text, delimiter)
        if len(parts) < width or (header and parts[:width] == header):
            return _NOTHING
        start = record.text.find(parts[message]) if message < width - 1 else -1
        if start < 0:
            start = len(record.text) - len(record.text.split(delimiter, width - 1)[-1].lstrip())
        raw = parts[level] if level >= 0 else ""
        name = parts[component] if component >= 0 else ""
        return Head(raw, canonical_level(raw), name, start, start)

    return Shape(
        "delimited",
        tuple(header),
        level >= 0,
        component >= 0,
        delimiter,
        records[0].text if header else "",
        _read=read,
    )


def _header_row(record: Record, parts: Sequence[str], width: int) -> list[str]:
    plain = all(part and not re.search(r"\d{2,}", part) and len(part) <= 40 for part in parts)
    if record.number == 1 and len(parts) == width and plain and not record.raw_time:
        return list(parts)
    return []


# --- free text --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    stop: int


def _tokens(record: Record) -> list[_Token]:
    """The line's first tokens; a bracketed group is one, the time is left out."""
    text, time_start, time_stop = record.text, -1, -1
    if record.raw_time:
        time_start = text.find(record.raw_time)
        time_stop = time_start + len(record.raw_time)
    found: list[_Token] = []
    position = 0
    while len(found) < _HEAD_TOKENS:
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


def _learn_text(records: Sequence[Record]) -> Shape:
    rows = [_tokens(record) for record in records]
    level, is_letter = _level_column(rows)
    after = level + 1 if level >= 0 else 0
    part = _component_column(rows, level, after)
    host_at = _host_column(rows, part.index if part is not None else max(level, 4))

    def read(record: Record) -> Head:
        tokens = _tokens(record)
        raw, name = "", ""
        start = tokens[0].start if tokens else 0
        if level >= 0 and len(tokens) > level:
            raw = tokens[level].text.strip(_STRIP)
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

    return Shape("text", (), level >= 0, part is not None, _read=read)


def _level_column(rows: Sequence[Sequence[_Token]]) -> tuple[int, bool]:
    """Index of the token that is the level, and whether levels are single letters; -1 if none."""
    words: Counter[int] = Counter()
    letters: Counter[int] = Counter()
    for row in rows:
        for index, token in enumerate(row):
            bare = token.text.strip(_STRIP)
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
        found = _NAME.match(token.strip("*"))
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
        for i, token in enumerate(row[after : after + 5], start=after):
            if re.fullmatch(
                r"[A-Za-z_\u4e00-\u9fff][^\s:]*(?:\[[^\]]*\])?:|[A-Za-z_]\S*::?", token.text
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
        if _share(following, lambda v: v.startswith("[")) > 0.8 and _few(following, total):
            return _Component(after, "bracket")
        return _Component(level - 1, "word") if _is_label(before, total) else None
    dashed = sum(any(token.text == "-" for token in row[1:4]) for row in rows)
    if dashed >= 0.8 * total and _is_label(_column(rows, 0), total):
        return _Component(0, "word")
    labels = [index for index in range(5) if _is_label(_column(rows, index), total, 0.08)]
    # "node-12 unix.hw …": a name with a number is a machine rather than what it runs.
    labels.sort(key=lambda index: _share(_column(rows, index), _has_digit) > 0.8)
    return _Component(labels[0], "word") if labels else None


_HOST_NAME = re.compile(r"[A-Za-z][\w.-]*\d[\w.:/-]*|[a-z][\w-]*(?:\.[\w-]+)+|[A-Za-z][\w-]{2,}")


def _host_column(rows: Sequence[Sequence[_Token]], before: int) -> int:
    """Index of the token that names a machine, left of the component; -1 if there is none."""
    total = len(rows)
    for index in range(max(before, 0)):
        column = _column(rows, index)
        if len(column) < 0.9 * total or len(set(column)) > max(30, total // 3):
            continue
        if _share(column, lambda v: _HOST_NAME.fullmatch(v) is not None) < 0.95:
            continue
        if _share(column, lambda v: canonical_level(v) != "") < 0.5:
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
    named = _share(values, lambda v: _NAME.match(v.strip("*")) is not None) > 0.9
    return named and _few(values, total, most_distinct)


def _few(values: Sequence[str], total: int, most_distinct: float = 0.1) -> bool:
    return 1 < len(set(values)) <= max(6, most_distinct * total)


def _share(values: Sequence[str], test: Callable[[str], bool]) -> float:
    return sum(map(test, values)) / len(values) if values else 0.0


def _first(indices: Iterable[int]) -> int:
    return next(iter(indices), -1)
