"""Level and component of every line, kept as the log grows, one layout for each source."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.answers.lineparts import LEVEL_LETTERS, NO_HEAD, Head, canonical_level
from app.answers.shape import SAMPLE_LINES, Shape, learn_shape
from app.answers.view import Indices, Lines, LogView
from app.stream.columns import Column
from app.stream.records import DROPPED, Record

_RELEARN_BELOW_LINES = 2_000
_MOST_NAMES = 60_000
"""Levels or components told apart; further ones count as no name."""


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


@dataclass(frozen=True, slots=True)
class Names:
    """One name a line, as numbers, up to the moment it was asked for; 0 is no name.

    Attributes:
        ids: number of each name that a line has.
        numbers: the number of each line's name, uint16, from the line ``first`` on.
    """

    ids: Mapping[str, int]
    numbers: NDArray[np.uint16]
    first: int

    def lines_of(self, names: Sequence[str], count: int) -> Indices:
        """Lines below ``count`` that have one of some names."""
        numbers = [self.ids[name] for name in names if name in self.ids]
        kept = self.numbers[: max(0, count - self.first)]
        return np.flatnonzero(np.isin(kept, numbers)).astype(np.int64) + self.first

    def count(self, indices: Indices) -> dict[str, int]:
        """How many of some lines have each name."""
        kept = indices[indices >= self.first] - self.first
        counts = np.bincount(self.numbers[kept], minlength=_MOST_NAMES)
        return {name: int(counts[number]) for name, number in self.ids.items() if counts[number]}


@dataclass(frozen=True, slots=True)
class HeadIndex:
    """Which line has which level and component, as it was at one moment; it never changes.

    Attributes:
        layout: how the lines are built.
        level_names, component_names: of the lines, as the log writes them.
    """

    layout: Layout
    level_names: Names
    component_names: Names

    def levels(self) -> list[str]:
        """Level words as the log writes them."""
        return list(self.level_names.ids)

    def components(self) -> list[str]:
        """Names of components as the log writes them."""
        return list(self.component_names.ids)

    def lines_of_level(self, name: str, count: int) -> Indices:
        """Lines with a level by its common name or as written.

        Arguments:
            count: only lines below this index.
        """
        words = [word for word in self.levels() if name in (word, canonical_level(word))]
        words = words or [word for word in self.levels() if LEVEL_LETTERS.get(word) == name]
        return self.level_names.lines_of(words, count)

    def lines_of_components(self, names: list[str], count: int) -> Indices:
        """Lines of some components."""
        return self.component_names.lines_of(names, count)

    def lines_of_levels(self, names: list[str], count: int) -> Indices:
        """Lines with one of some levels, as written."""
        return self.level_names.lines_of(names, count)

    def count_levels(self, indices: Indices) -> dict[str, int]:
        """How many of the lines have each level."""
        return self.level_names.count(indices)

    def count_components(self, indices: Indices) -> dict[str, int]:
        """How many of the lines each component wrote."""
        return self.component_names.count(indices)


class _NameColumn:
    """Names of lines while they are taken in; what ``names`` has given out is never changed."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {"": 0}
        self._numbers = Column(np.uint16)
        self._used = np.zeros(_MOST_NAMES, np.int64)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def first(self) -> int:
        """The oldest line whose name is kept."""
        return self._numbers.first

    def extend(self, names: Sequence[str]) -> None:
        numbers = self._numbers_of(names)
        self._numbers.extend(numbers)
        self._used += np.bincount(numbers, minlength=_MOST_NAMES)

    def put(self, indices: Indices, names: Sequence[str]) -> None:
        """Give some lines other names."""
        numbers = self._numbers_of(names)
        first = self._numbers.first
        changed = np.array(self._numbers.slice(first, len(self)))
        self._used -= np.bincount(changed[indices - first], minlength=_MOST_NAMES)
        self._used += np.bincount(numbers, minlength=_MOST_NAMES)
        changed[indices - first] = numbers
        self._numbers = Column(np.uint16)
        self._numbers.drop_before(first)
        self._numbers.extend(changed)

    def drop_before(self, index: int) -> None:
        """Forget the names of lines that are no longer kept."""
        dropped = self._numbers.slice(self._numbers.first, index)
        self._used -= np.bincount(dropped, minlength=_MOST_NAMES)
        self._numbers.drop_before(index)

    def names(self) -> Names:
        used = {name: number for name, number in self._ids.items() if name and self._used[number]}
        first = self._numbers.first
        numbers = self._numbers.slice(first, len(self))
        return Names(used, cast("NDArray[np.uint16]", numbers), first)

    def _numbers_of(self, names: Sequence[str]) -> NDArray[np.uint16]:
        for name in names:
            if name not in self._ids and len(self._ids) < _MOST_NAMES:
                self._ids[name] = len(self._ids)
        return np.array([self._ids.get(name, 0) for name in names], np.uint16)


class _Indexer:
    """Takes a log in as it grows, a chunk at a time, for whoever asks; from any thread.

    A question and the console's own round may ask at once: each chunk is taken in by one of them,
    and what was taken in stays when one of them is stopped.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._layout = Layout({})
        self._levels = _NameColumn()
        self._components = _NameColumn()
        self._counts: Counter[str] = Counter()
        self._learned_at: dict[str, int] = {}
        self._newest: dict[str, tuple[int, Record]] = {}

    def update(self, lines: Lines) -> HeadIndex:
        """Take in the lines that are new since the last time.

        Raises:
            SearchStopped: the question that asks was stopped.
        """
        while True:
            with self._lock:
                self._follow_changes(lines)
                self._learn_again(lines)
                if len(self._levels) >= lines.count:
                    return HeadIndex(self._layout, self._levels.names(), self._components.names())
                self._take_chunk(lines)

    def _take_chunk(self, lines: Lines) -> None:
        first = len(self._levels)
        records = lines.chunk(first)
        kept = [(index, r) for index, r in enumerate(records, first) if r is not DROPPED]
        for name in dict.fromkeys(record.source for _, record in kept):
            if name not in self._learned_at:
                self._learn(lines, name)
        heads = [self._layout.head(record) for record in records]
        self._levels.extend([head.level for head in heads])
        self._components.extend([head.component for head in heads])
        self._counts.update(record.source for _, record in kept)
        self._newest.update((record.source, (index, record)) for index, record in kept)

    def _follow_changes(self, lines: Lines) -> None:
        """The store may have dropped or completed lines, or have been cleared."""
        for column in (self._levels, self._components):
            if lines.first > column.first:
                column.drop_before(lines.first)
        for source, (index, before) in self._newest.items():
            now = lines.record(index) if index < lines.stored else None
            if now == before or now is DROPPED:
                continue
            if now is None or (now.source, now.number) != (source, before.number):
                self._forget()
                return
            if index >= self._levels.first:
                self._put(lines, np.array([index]), self._layout)
            self._newest[source] = (index, now)

    def _learn_again(self, lines: Lines) -> None:
        """What was learned from a few lines of a source is learned anew once it has more."""
        for name, learned_at in tuple(self._learned_at.items()):
            if learned_at < _RELEARN_BELOW_LINES and self._counts[name] >= 4 * learned_at:
                self._learn(lines, name)

    def _learn(self, lines: Lines, name: str) -> None:
        of_source = lines.of_sources(frozenset((name,)))
        shape = learn_shape(lines.sample(SAMPLE_LINES, name))
        layout = Layout({**self._layout.shapes, name: shape})
        known = (of_source >= self._levels.first) & (of_source < len(self._levels))
        self._put(lines, of_source[known], layout)
        self._layout = layout
        self._learned_at[name] = len(of_source)

    def _put(self, lines: Lines, indices: Indices, layout: Layout) -> None:
        """Take some lines in once more."""
        if len(indices):
            heads = [layout.head(record) for _, record in lines.pick(indices)]
            self._levels.put(indices, [head.level for head in heads])
            self._components.put(indices, [head.component for head in heads])


_INDEXERS: WeakKeyDictionary[LogView, _Indexer] = WeakKeyDictionary()
_GUARD = threading.Lock()


def head_index(store: LogView, lines: Lines) -> HeadIndex:
    """The heads of a store's lines, brought up to date; costs work for new lines only.

    Raises:
        SearchStopped: the question that asks was stopped; what was done until then stays.
    """
    with _GUARD:
        indexer = _INDEXERS.get(store)
        if indexer is None:
            indexer = _INDEXERS[store] = _Indexer()
    return indexer.update(lines)
