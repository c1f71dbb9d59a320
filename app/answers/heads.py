"""Level and component of every line, kept as the log grows, one layout for each source."""

from __future__ import annotations

import threading
from array import array
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.answers.lineparts import LEVEL_LETTERS, NO_HEAD, Head, canonical_level
from app.answers.shape import SAMPLE_LINES, Shape, learn_shape
from app.answers.view import Indices, Lines, LogView
from app.stream.records import Record

_RELEARN_BELOW_LINES = 2_000
_MOST_NAMES = 60_000


class Layout:
    """How the lines of a log are built, over all of its sources.

    Arguments:
        shapes: one for each source.
    """

    def __init__(self, shapes: dict[str, Shape]) -> None:
        self.shapes = shapes
        names = [name for shape in shapes.values() for name in shape.columns]
        self.columns = tuple(dict.fromkeys(names))
        """Names of columns and keys, of all sources."""
        self.has_level = any(shape.has_level for shape in shapes.values())
        self.has_component = any(shape.has_component for shape in shapes.values())

    def head(self, record: Record) -> Head:
        """Take one line apart."""
        shape = self.shapes.get(record.source)
        return shape.head(record) if shape is not None else NO_HEAD

    def fields(self, record: Record) -> dict[str, str]:
        """Named columns of a line; empty for free text."""
        shape = self.shapes.get(record.source)
        return shape.fields(record) if shape is not None else {}

    def message(self, record: Record) -> str:
        """The line without what stands before its message."""
        return record.text[self.head(record).message_start :]

    def body(self, record: Record) -> str:
        """The line without its time and level; the component stays."""
        return record.text[self.head(record).body_start :].strip()


class HeadIndex:
    """Which line has which level and component; two small numbers a line.

    It is brought up to date at each question and costs work for new lines only.
    """

    def __init__(self) -> None:
        self.layout = Layout({})
        self._lock = threading.Lock()
        self._learned_at = 0
        self._last: Record | None = None
        self._levels = _Names()
        self._components = _Names()

    def update(self, lines: Lines) -> None:
        """Take in the lines that are new since the last time."""
        with self._lock:
            if self._is_stale(lines):
                self._learn(lines)
            layout = self.layout
            for index, record in lines.walk(len(self._levels)):
                head = layout.head(record)
                self._levels.add(head.level)
                self._components.add(head.component)
                if index == lines.count - 1:
                    self._last = record

    def levels(self) -> list[str]:
        """Level words as the log writes them."""
        return self._levels.names()

    def components(self) -> list[str]:
        """Names of components as the log writes them."""
        return self._components.names()

    def lines_of_level(self, name: str, count: int) -> Indices:
        """Lines with a level by its common name or as written.

        Arguments:
            count: only lines below this index.
        """
        words = [word for word in self.levels() if name in (word, canonical_level(word))]
        words = words or [word for word in self.levels() if LEVEL_LETTERS.get(word) == name]
        return self._levels.lines_of(words, count)

    def lines_of_components(self, names: list[str], count: int) -> Indices:
        """Lines of some components."""
        return self._components.lines_of(names, count)

    def lines_of_levels(self, names: list[str], count: int) -> Indices:
        """Lines with one of some levels, as written."""
        return self._levels.lines_of(names, count)

    def count_levels(self, indices: Indices) -> dict[str, int]:
        """How many of the lines have each level."""
        return self._levels.count(indices)

    def count_components(self, indices: Indices) -> dict[str, int]:
        """How many of the lines each component wrote."""
        return self._components.count(indices)

    def _is_stale(self, lines: Lines) -> bool:
        known = len(self._levels)
        if known == 0 or known > lines.count:
            return True
        if set(lines.sources) - set(self.layout.shapes):
            return True
        if self._learned_at < _RELEARN_BELOW_LINES and lines.count >= 4 * self._learned_at:
            return True
        # The store was cleared and filled again, or its last line was completed.
        return self._last is None or lines.record(known - 1) != self._last

    def _learn(self, lines: Lines) -> None:
        self.layout = Layout(
            {name: learn_shape(lines.sample(SAMPLE_LINES, name)) for name in lines.sources}
        )
        self._learned_at = lines.count
        self._levels, self._components = _Names(), _Names()
        self._last = None


class _Names:
    """One name a line, kept as numbers; 0 is no name."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {"": 0}
        self._of_line = array("H")

    def __len__(self) -> int:
        return len(self._of_line)

    def add(self, name: str) -> None:
        number = self._ids.get(name)
        if number is None:
            number = len(self._ids) if len(self._ids) < _MOST_NAMES else 0
            if number:
                self._ids[name] = number
        self._of_line.append(number)

    def names(self) -> list[str]:
        return [name for name in self._ids if name]

    def lines_of(self, names: list[str], count: int) -> Indices:
        numbers = [self._ids[name] for name in names if name in self._ids]
        return np.flatnonzero(np.isin(self._numbers()[:count], numbers)).astype(np.int64)

    def count(self, indices: Indices) -> dict[str, int]:
        counts = np.bincount(self._numbers()[indices], minlength=len(self._ids))
        return {name: int(counts[n]) for name, n in self._ids.items() if name and counts[n]}

    def _numbers(self) -> NDArray[np.uint16]:
        # A copy: an array that is looked into cannot grow.
        return np.array(self._of_line, dtype=np.uint16)


_INDEXES: WeakKeyDictionary[LogView, HeadIndex] = WeakKeyDictionary()
_GUARD = threading.Lock()


def head_index(store: LogView, lines: Lines) -> HeadIndex:
    """The index of a store, brought up to date; kept as long as the store lives."""
    with _GUARD:
        index = _INDEXES.get(store)
        if index is None:
            index = _INDEXES[store] = HeadIndex()
    index.update(lines)
    return index
