"""A steady view of the store while one question is answered: later lines do not move the ground."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.stream.matching import LinePattern
from app.stream.records import Record, Severity

Indices = NDArray[np.int64]
"""Store indices of lines, ascending."""

_CHUNK_LINES = 8_192


class LogView(Protocol):
    """What the answers need of the store; ``app.stream.store.LogStore`` fulfils it."""

    def __len__(self) -> int: ...
    @property
    def first_index(self) -> int: ...
    def index_of(self, source: str, line: int) -> int | None: ...
    @property
    def source_names(self) -> tuple[str, ...]: ...
    def record(self, index: int) -> Record: ...
    def records(self, start: int, stop: int) -> Sequence[Record]: ...
    def times_s(self, start: int, stop: int) -> NDArray[np.float64]: ...
    def severities(self, start: int, stop: int) -> NDArray[np.uint8]: ...
    def template_ids(self, start: int, stop: int) -> NDArray[np.int32]: ...
    def match(
        self,
        pattern: LinePattern,
        start: int = 0,
        stop: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.int64]: ...


class Lines:
    """The store's lines up to now, with searches that are remembered for this question.

    Arguments:
        store: the log.
        cancelled: asked between chunks of work; true ends a search with ``SearchStopped``.
    """

    def __init__(self, store: LogView, cancelled: Callable[[], bool] | None = None) -> None:
        self._store = store
        self._cancelled = cancelled
        self.first = store.first_index
        """Index of the oldest line that is kept; so many are no longer."""
        self.count = max(self.first, len(store))
        """One more than the index of the newest line of this view."""
        self._found: dict[tuple[str, bool, bool], Indices] = {}
        self._ignored: Indices = np.empty(0, dtype=np.int64)
        self._times: NDArray[np.float64] | None = None
        self._templates: NDArray[np.int32] | None = None

    def ignore(self, indices: Indices) -> None:
        """Leave lines out of what ``find`` and ``every`` give: a header row names columns only."""
        self._ignored = indices
        self._found.clear()

    def record(self, index: int) -> Record:
        """The record at a store index."""
        return self._store.record(index)

    def text(self, index: int) -> str:
        """The text of the line at a store index."""
        return self._store.record(index).text

    @property
    def kept(self) -> int:
        """Lines in this view."""
        return self.count - self.first

    @property
    def stored(self) -> int:
        """Lines in the store by now: more than in this view, or fewer where it was cleared."""
        return len(self._store)

    def chunk(self, first: int) -> Sequence[Record]:
        """The next records from an index on: some thousands, fewer at the end."""
        self._check()
        return self._store.records(first, min(first + _CHUNK_LINES, self.count))

    def walk(self) -> Iterator[tuple[int, Record]]:
        """Every kept line with its index, in order of arrival."""
        for start in range(self.first, self.count, _CHUNK_LINES):
            yield from enumerate(self.chunk(start), start)

    def pick(self, indices: Indices) -> Iterator[tuple[int, Record]]:
        """The lines at these indices, in their order."""
        if len(indices) == self.kept:
            yield from self.walk()
            return
        for step, index in enumerate(indices.tolist()):
            if step % _CHUNK_LINES == 0:
                self._check()
            yield index, self._store.record(index)

    def sample(self, most: int, source: str = "") -> list[Record]:
        """At most ``most`` records, spread evenly over the log or over one of its sources."""
        if source and len(self.sources) > 1:
            of_source = self.of_sources(frozenset((source,)))
        else:
            of_source = np.arange(self.first, self.count, dtype=np.int64)
        if len(of_source) > most:
            of_source = of_source[np.linspace(0, len(of_source) - 1, most).astype(np.int64)]
        return [record for _, record in self.pick(of_source)]

    @property
    def every(self) -> Indices:
        """Indices of all kept lines."""
        indices = np.arange(self.first, self.count, dtype=np.int64)
        if len(self._ignored):
            indices = np.setdiff1d(indices, self._ignored, assume_unique=True)
        return indices

    @property
    def times_s(self) -> NDArray[np.float64]:
        """Seconds since 1970 by index, not-a-number where unknown or no longer kept."""
        if self._times is None:
            self._times = np.asarray(self._store.times_s(0, self.count), dtype=np.float64)
        return self._times

    @property
    def template_ids(self) -> NDArray[np.int32]:
        """Template id by index, -1 where a line has none or is no longer kept."""
        if self._templates is None:
            self._templates = np.asarray(self._store.template_ids(0, self.count))
        return self._templates

    def find(self, text: str, *, ignore_case: bool = False, regex: bool = False) -> Indices:
        """Indices of the lines that contain a text or match a regular expression."""
        key = (text, ignore_case, regex)
        if key not in self._found:
            self._found[key] = self._search(text, ignore_case, regex)
        return self._found[key]

    def search(self, pattern: str, literal: str, *, ignore_case: bool = False) -> Indices:
        """Lines that match a regular expression and hold a text in any case.

        Looking for the text first is many times faster than the expression on every line.

        Arguments:
            literal: what every match contains, such as the longest word of the expression.
        """
        key = (pattern, ignore_case, True)
        if key not in self._found:
            compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
            near = self.find(literal, ignore_case=True)
            hits = [index for index, record in self.pick(near) if compiled.search(record.text)]
            self._found[key] = np.array(hits, dtype=np.int64)
        return self._found[key]

    def count_of(self, text: str, *, ignore_case: bool = False, regex: bool = False) -> int:
        """How many lines ``find`` finds."""
        return len(self.find(text, ignore_case=ignore_case, regex=regex))

    def severe(self, at_least: Severity, at_most: Severity = Severity.CRITICAL) -> Indices:
        """Indices of the lines with a severity in a range."""
        levels = np.asarray(self._store.severities(self.first, self.count))
        found = np.flatnonzero((levels >= at_least) & (levels <= at_most))
        return found.astype(np.int64) + self.first

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of all sources."""
        return self._store.source_names

    def index_of(self, source: str, line: int) -> int | None:
        """Index of a line of a source by its number."""
        return self._store.index_of(source, line)

    def of_sources(self, names: frozenset[str]) -> Indices:
        """Lines of some of the sources."""
        found = self._store.match(
            LinePattern(sources=names), self.first, self.count, self._cancelled
        )
        self._check()  # A stopped search returns what it found so far.
        return found if len(self._ignored) == 0 else np.setdiff1d(found, self._ignored)

    def _search(self, text: str, ignore_case: bool, regex: bool) -> Indices:
        self._check()
        pattern = LinePattern(text, regex=regex, ignore_case=ignore_case)
        found = self._store.match(pattern, self.first, self.count, self._cancelled)
        self._check()
        if len(self._ignored):
            found = np.setdiff1d(found, self._ignored, assume_unique=True)
        return found

    def _check(self) -> None:
        if self._cancelled is not None and self._cancelled():
            raise SearchStopped


class SearchStopped(Exception):
    """The question was stopped while the log was searched."""


def both(first: Indices, second: Indices) -> Indices:
    """The lines in both."""
    return np.intersect1d(first, second, assume_unique=True)


def either(parts: Sequence[Indices]) -> Indices:
    """The lines in any."""
    if not parts:
        return np.empty(0, dtype=np.int64)
    return np.unique(np.concatenate(parts))
