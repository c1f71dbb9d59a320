"""All records of the session: appended by the stream thread, read by any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from app.stream.blocks import TextBlocks, block_text
from app.stream.columns import Column
from app.stream.generations import RUN_BYTES, Generation
from app.stream.matching import BlockMatcher, LinePattern, compile_text
from app.stream.records import DROPPED, Record, Severity
from app.stream.template_counts import TemplateCounts
from app.stream.templates import UNASSIGNED, Template

__all__ = ["LinePattern", "LogStore", "Template"]

_MAX_RAW_TIME_START = 0xFFFF
_SEVERITIES = tuple(Severity)
_LIMIT_BYTES = 512 * 1024 * 1024
_DROPPED_SHARE = 8
"""An eighth goes at a time: dropping copies what stays."""


class LogStore:
    """Records by index, in order of arrival.

    Text is kept encoded in blocks, everything else in numpy columns: about 30 bytes a line
    besides the text, which is compressed once it is old.

    Beyond a limit the oldest records are let go. The others keep their indices, and ``len`` counts
    all: in the place of what is gone, ``record`` and ``records`` give ``DROPPED``, arrays give
    "unknown", and nothing is found there.

    Arguments:
        limit_bytes: most bytes for texts and columns; they take up to half as much again as room
            to grow.
    """

    def __init__(self, limit_bytes: int = _LIMIT_BYTES) -> None:
        self._lock = threading.RLock()
        self._limit_bytes = limit_bytes
        self._reset()

    def _reset(self) -> None:
        self._texts = TextBlocks()
        self._severities = Column(np.uint8)
        self._times_s = Column(np.float64)
        self._template_ids = Column(np.int32)
        self._numbers = Column(np.uint32)
        self._sources = Column(np.uint16)
        self._raw_starts = Column(np.uint16)
        self._raw_lengths = Column(np.uint8)
        self._columns: tuple[Column, ...] = (
            self._severities,
            self._times_s,
            self._template_ids,
            self._numbers,
            self._sources,
            self._raw_starts,
            self._raw_lengths,
        )
        self._line_bytes = sum(column.itemsize for column in self._columns) + RUN_BYTES
        self._dropped_of: set[int] = set()
        self._source_names: list[str] = []
        self._source_ids: dict[str, int] = {}
        self._generations: list[list[Generation]] = []
        self._counts = TemplateCounts()

    # --- writing ------------------------------------------------------------------------------

    def append(self, batch: Sequence[Record]) -> int:
        """Append records; return the index of the first.

        Raises:
            ValueError: a text contains a line feed.
        """
        texts = [record.text for record in batch]
        if any("\n" in text for text in texts):
            raise ValueError("a record is one line; its text may not contain a line feed")
        with self._lock:
            first = len(self._texts)
            self._append_columns(batch)
            self._counts.add(batch, first)
            # Last, since it decides the length that readers see.
            self._texts.append(texts)
            kept = len(self) - self.first_index
            over = self._texts.used_bytes + kept * self._line_bytes - self._limit_bytes
            if over > 0:
                self._drop_oldest(over + self._limit_bytes // _DROPPED_SHARE)
            return first

    def complete(self, record: Record) -> bool:
        """Put a record in the place of its source's newest one: the same line, grown since.

        Records of other sources may have come after it.

        Returns:
            False, and nothing changes, when the newest record of that source is another line.
        """
        if "\n" in record.text:
            raise ValueError("a record is one line; its text may not contain a line feed")
        with self._lock:
            at = self._source_ids.get(record.source)
            if at is None or self._generations[at][-1].next_number != record.number + 1:
                return False
            index = self._generations[at][-1].next_index - 1
            if index < self.first_index:
                return False
            first = self.first_index
            ids = self._template_ids.slice(first, len(self))
            severities = self._severities.slice(first, len(self))
            self._counts.remove(index, first, ids, severities)
            start, length = _raw_time_place(record)
            self._texts.replace(index, record.text)
            self._severities.set(index, record.severity)
            self._times_s.set(index, np.nan if record.time_s is None else record.time_s)
            self._template_ids.set(index, record.template_id)
            self._raw_starts.set(index, start)
            self._raw_lengths.set(index, length)
            self._counts.add([record], index)
            return True

    def set_template_texts(self, texts: Mapping[int, str]) -> None:
        """Name templates, or give them the more general text they have now."""
        with self._lock:
            self._counts.name(texts)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._reset()

    def _append_columns(self, batch: Sequence[Record]) -> None:
        nan = float("nan")
        places = [_raw_time_place(record) for record in batch]
        index = len(self._numbers)
        ids = []
        for at, record in enumerate(batch):
            source = self._source_ids.get(record.source)
            if source is None:
                source = self._add_source(record.source)
            ids.append(source)
            generations = self._generations[source]
            # Numbers that start again belong to a new file of this source.
            if record.number < generations[-1].next_number:
                generations.append(Generation())
            generations[-1].add(record.number, index + at)
        self._severities.extend([record.severity for record in batch])
        self._times_s.extend([nan if r.time_s is None else r.time_s for r in batch])
        self._template_ids.extend([record.template_id for record in batch])
        self._numbers.extend([record.number for record in batch])
        self._sources.extend(ids)
        self._raw_starts.extend([start for start, _ in places])
        self._raw_lengths.extend([length for _, length in places])

    def _add_source(self, name: str) -> int:
        self._source_names.append(name)
        self._generations.append([Generation()])
        self._source_ids[name] = len(self._source_names) - 1
        return self._source_ids[name]

    def _drop_oldest(self, bytes_wanted: int) -> None:
        before = self.first_index
        first = self._texts.drop_oldest(bytes_wanted, self._line_bytes)
        dropped = np.unique(self._sources.slice(before, first))
        self._dropped_of.update(dropped.tolist())
        for column in self._columns:
            column.drop_before(first)
        for generations in self._generations:
            while len(generations) > 1 and generations[0].next_index <= first:
                del generations[0]
            for generation in generations:
                generation.drop_before(first)

    # --- reading ------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Records appended so far, dropped ones included."""
        return len(self._texts)

    @property
    def first_index(self) -> int:
        """Index of the oldest record that is kept: so many were dropped."""
        return self._texts.first

    @property
    def dropped_sources(self) -> frozenset[str]:
        """Sources of which records were dropped."""
        with self._lock:
            return frozenset(self._source_names[at] for at in self._dropped_of)

    @property
    def nbytes(self) -> int:
        """Bytes held for texts and columns."""
        with self._lock:
            return self._texts.nbytes + sum(column.nbytes for column in self._columns)

    @property
    def source_names(self) -> tuple[str, ...]:
        """Display names of all sources that have sent lines, oldest first."""
        with self._lock:
            return tuple(self._source_names)

    def record(self, index: int) -> Record:
        """One record.

        Raises:
            IndexError: there is no such record.
        """
        with self._lock:
            if not 0 <= index < len(self._texts):
                raise IndexError(f"no record {index} in a store of {len(self._texts)}")
            if index < self.first_index:
                return DROPPED
            return self._record(index, self._texts.text(index))

    def records(self, start: int, stop: int) -> list[Record]:
        """Records ``start`` to ``stop``, cut to what is there."""
        with self._lock:
            start, stop = self._range(start, stop)
            kept = min(max(start, self.first_index), stop)
            texts = self._texts.texts(kept, stop)
            records = [self._record(index, text) for index, text in enumerate(texts, kept)]
            return [DROPPED] * (kept - start) + records

    def index_of(self, source: str, line: int) -> int | None:
        """Index of a source's line; where it had several files, of the newest that has it.

        None when there is no such line, or it is no longer kept.
        """
        with self._lock:
            at = self._source_ids.get(source)
            if at is None:
                return None
            for generation in reversed(self._generations[at]):
                index = generation.index_of(line)
                if index is not None:
                    return index if index >= self.first_index else None
            return None

    def severities(self, start: int, stop: int) -> NDArray[np.uint8]:
        """Severities of records ``start`` to ``stop`` (read-only)."""
        return cast("NDArray[np.uint8]", self._column(self._severities, start, stop, 0))

    def times_s(self, start: int, stop: int) -> NDArray[np.float64]:
        """Times of records ``start`` to ``stop``, seconds since 1970, nan where unknown."""
        return cast("NDArray[np.float64]", self._column(self._times_s, start, stop, np.nan))

    def template_ids(self, start: int, stop: int) -> NDArray[np.int32]:
        """Template ids of records ``start`` to ``stop``, -1 where none (read-only)."""
        return cast("NDArray[np.int32]", self._column(self._template_ids, start, stop, UNASSIGNED))

    def line_numbers(self, start: int, stop: int) -> NDArray[np.uint32]:
        """Line numbers of records ``start`` to ``stop`` (read-only)."""
        return cast("NDArray[np.uint32]", self._column(self._numbers, start, stop, 0))

    def templates(self) -> Mapping[int, Template]:
        """All templates by id, as they are now."""
        with self._lock:
            return self._counts.templates()

    # --- searching ----------------------------------------------------------------------------

    def match(
        self,
        pattern: LinePattern,
        start: int = 0,
        stop: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.int64]:
        """Indices of the records that a pattern fits, ascending.

        Arguments:
            pattern: what to look for.
            start, stop: where to look; ``stop`` None means up to the end.
            cancelled: asked between blocks of about a thousand lines; when it says yes, what was
                found so far is returned.

        Raises:
            AppError: the regular expression is wrong or takes too long.
        """
        parts: list[NDArray[np.int64]] = []
        for part in self.match_blocks(pattern, start, stop):
            parts.append(part)
            if cancelled is not None and cancelled():
                break
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def match_blocks(
        self, pattern: LinePattern, start: int = 0, stop: int | None = None
    ) -> Iterator[NDArray[np.int64]]:
        """As ``match``, one block of about a thousand lines after the other (some empty)."""
        matcher = compile_text(pattern) if pattern.text else None
        with self._lock:
            start, stop = self._range(start, len(self) if stop is None else stop)
        while start < stop:
            found, start = self._match_block(pattern, matcher, start, stop)
            yield found

    def _match_block(
        self, pattern: LinePattern, matcher: BlockMatcher | None, start: int, stop: int
    ) -> tuple[NDArray[np.int64], int]:
        """Matches from ``start`` to the end of its block, and where the next block begins."""
        with self._lock:
            if start >= len(self):  # cleared meanwhile
                return np.empty(0, np.int64), stop
            if start < self.first_index:  # dropped meanwhile
                return np.empty(0, np.int64), min(self.first_index, stop)
            block = self._texts.block_at(start)
            first, last = self._texts.block_lines(block)
            end = min(stop, last)
            wanted = self._wanted(pattern, start, end)
            data, packed = (b"", False)
            if matcher is not None and wanted.any():
                data, packed = self._texts.block_data(block)
        if matcher is not None and data:
            hits = np.zeros(last - first, np.bool_)
            hits[[at for at in matcher(block_text(data, packed)) if at < last - first]] = True
            wanted &= hits[start - first : end - first]
        return np.flatnonzero(wanted).astype(np.int64) + start, end

    def _wanted(self, pattern: LinePattern, start: int, stop: int) -> NDArray[np.bool_]:
        wanted = np.ones(stop - start, np.bool_)
        if pattern.min_severity > Severity.UNKNOWN:
            wanted &= self._severities.slice(start, stop) >= np.uint8(pattern.min_severity)
        if pattern.sources is not None:
            ids = [self._source_ids[name] for name in pattern.sources if name in self._source_ids]
            wanted &= np.isin(self._sources.slice(start, stop), ids)
        return wanted

    # --- helpers ------------------------------------------------------------------------------

    def _range(self, start: int, stop: int) -> tuple[int, int]:
        stop = max(0, min(stop, len(self)))
        return max(0, min(start, stop)), stop

    def _column(self, column: Column, start: int, stop: int, unknown: float) -> NDArray[np.generic]:
        """Part of a column, with ``unknown`` in the place of dropped records."""
        with self._lock:
            start, stop = self._range(start, stop)
            if start >= column.first:
                return column.slice(start, stop)
            kept = min(column.first, stop)
            filled = np.full(stop - start, unknown, column.dtype)
            if kept < stop:
                filled[kept - start :] = column.slice(kept, stop)
            filled.flags.writeable = False
            return filled

    def _record(self, index: int, text: str) -> Record:
        time_s = self._times_s.float_at(index)
        raw_start = self._raw_starts.int_at(index)
        raw_end = raw_start + self._raw_lengths.int_at(index)
        return Record(
            self._source_names[self._sources.int_at(index)],
            self._numbers.int_at(index),
            text,
            _SEVERITIES[self._severities.int_at(index)],
            text[raw_start:raw_end],
            None if time_s != time_s else time_s,  # noqa: PLR0124 - not a number
            self._template_ids.int_at(index),
        )


def _raw_time_place(record: Record) -> tuple[int, int]:
    """Where the time stands in the text: start and length in characters; (0, 0) without one."""
    raw = record.raw_time
    if not raw or len(raw) > 0xFF:
        return 0, 0
    start = record.text.find(raw)
    return (start, len(raw)) if 0 <= start <= _MAX_RAW_TIME_START else (0, 0)
