"""How a log's lines are built: where level, component and message stand.

Learned from a sample of the log itself, never from knowing the system that wrote it. The builds
told apart: JSON objects, key=value pairs, delimited columns, web access logs, and free
text.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.answers.freetext import COMPONENT_NAME, learn_text, share
from app.answers.lineparts import NO_HEAD, Head, canonical_level
from app.stream.records import Record

SAMPLE_LINES = 400
_LEVEL_KEYS = ("level", "severity", "lvl", "levelname", "loglevel", "log.level", "级别", "等级")
_COMPONENT_KEYS = (
    "component", "logger", "module", "service", "source", "subsystem", "tag", "device", "station",
    "app", "process", "program", "name", "组件", "模块", "来源", "设备", "工位", "部件",
)  # fmt: skip
_MESSAGE_KEYS = ("message", "msg", "text", "event", "description", "desc", "消息", "内容", "描述")

# The common and combined log formats that web servers write.
_ACCESS = re.compile(
    r"^(?P<client>\S+) \S+ \S+ \[[^\]]+\] \"(?P<method>[A-Z]+) (?P<path>\S+)[^\"]*\" "
    r"(?P<status>\d{3})"
    r" (?P<size>\d+|-)(?: \"(?P<referrer>[^\"]*)\" \"(?P<user_agent>[^\"]*)\")?"
)
_PAIR = re.compile(r"([A-Za-z_][\w.-]*)=(\"[^\"]*\"|[^\s\"]*)")
_ACCESS_COLUMNS = ("client", "method", "path", "status", "size", "referrer", "user_agent")


@dataclass(slots=True)
class Shape:
    """The build of a log's lines; ``head`` takes one apart.

    Attributes:
        kind: ``json``, ``keyed`` (key=value), ``delimited``, ``access`` (a web server's access
            log) or ``text``.
        columns: names of the columns of a delimited log with a header row, or keys of JSON.
    """

    kind: str = "text"
    columns: tuple[str, ...] = ()
    has_level: bool = False
    has_component: bool = False
    delimiter: str = ""
    header_text: str = ""
    _read: Callable[[Record], Head] = field(default=lambda _record: NO_HEAD)

    def head(self, record: Record) -> Head:
        """Take one line apart."""
        return self._read(record)

    def fields(self, record: Record) -> dict[str, str]:
        """Named columns of a line; empty for free text."""
        if self.kind == "json":
            return _json_fields(record.text)
        if self.kind == "access":
            found = _ACCESS.search(record.text)
            return {k: v for k, v in found.groupdict().items() if v} if found else {}
        if self.kind == "keyed":
            return _pairs(record.text)
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
    shape = _learn_keyed(texts)
    if shape is not None:
        return shape
    if sum(_ACCESS.search(text) is not None for text in texts) >= 0.8 * len(texts):
        return Shape("access", _ACCESS_COLUMNS)
    for delimiter in ("|", "\t", ";", ","):
        shape = _learn_delimited(filled, delimiter)
        if shape is not None:
            return shape
    has_level, has_component, read = learn_text(filled)
    return Shape("text", (), has_level, has_component, _read=read)


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


# --- key=value --------------------------------------------------------------------------------


def _pairs(text: str) -> dict[str, str]:
    return {key: value.strip('"') for key, value in _PAIR.findall(text)}


def _learn_keyed(texts: Sequence[str]) -> Shape | None:
    """Lines that consist of ``key=value`` pairs nearly all through."""
    keys: Counter[str] = Counter()
    full = 0
    for text in texts:
        pairs = _PAIR.findall(text)
        keys.update(key for key, _ in pairs)
        covered = sum(len(key) + len(value) + 1 for key, value in pairs)
        full += len(pairs) >= 4 and covered > 0.6 * len(text)
    if full < 0.8 * len(texts):
        return None
    level = _named(keys, _LEVEL_KEYS)
    component = _named(keys, _COMPONENT_KEYS)

    def read(record: Record) -> Head:
        fields = _pairs(record.text)
        raw = fields.get(level, "")
        return Head(raw, canonical_level(raw), fields.get(component, ""))

    return Shape("keyed", tuple(keys), bool(level), bool(component), _read=read)


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
        i for i in range(width) if share(columns[i], lambda v: canonical_level(v) != "") > 0.8
    )
    named_component = header.index(n) if (n := _named(header, _COMPONENT_KEYS)) else -1
    component = named_component
    if component < 0:
        component = _first(
            i
            for i in range(width - 1)
            if i != level
            and 1 < distinct[i] <= max(20, len(body) // 10)
            and share(columns[i], lambda v: COMPONENT_NAME.match(v) is not None) > 0.8
        )
    named_message = header.index(n) if (n := _named(header, _MESSAGE_KEYS)) else -1
    message = named_message if named_message >= 0 else width - 1

    def read(record: Record) -> Head:
        parts = split_delimited(record.text, delimiter)
        if len(parts) < width or (header and parts[:width] == header):
            return NO_HEAD
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


def _first(indices: Iterable[int]) -> int:
    return next(iter(indices), -1)
