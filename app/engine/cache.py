"""The circular, sink-anchored KV cache that the log stands in."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.layout import Layout
from app.engine.messages import CacheOccupancy
from app.engine.native.batch import Batch
from app.engine.native.surface import Context, DecodeAborted, FloatRow

TokenArray = NDArray[np.int32]

STREAM = 0
"""Sequence of the standing log."""
ASKING = 1
"""Sequence of the question being answered; it shares the cells of the standing log."""

_UNSTOPPABLE_ROWS = 4
"""Rows of the decode that follows a shift: it cannot be aborted, and Stop has 200 ms."""


@dataclass(frozen=True, slots=True)
class CachedSegment:
    """A log segment as it stands, or is about to stand, in the cache.

    Attributes:
        tokens: int32, shape ``(n,)``.
        source, first_line, last_line: the log lines it stands for.
    """

    tokens: TokenArray
    source: str
    first_line: int
    last_line: int


RowSampler = Callable[[TokenArray], Sequence[int]]
"""Chooses rows of a chunk whose logits are wanted, given the chunk's tokens."""
RowObserver = Callable[[FloatRow, int], None]
"""Told the logits of a chosen row and the token that really followed."""


class StreamCache:
    """Sinks, a rolling window of log segments, and at most one question forked off it.

    The stream owns positions ``0 .. sinks + window_tokens - 1`` without a gap: evicting removes
    the oldest segments and moves the rest down, so positions stay below the trained length for
    ever. That re-rotates the window's keys once for each evicted block.

    Arguments:
        context: an empty context with at least ``layout.capacity`` cells.
        layout: how to share it out.
        opening: tokens to pin, shape ``(layout.sinks,)``.

    Raises:
        DecodeAborted: the abort flag was raised meanwhile.
        ValueError: context and layout do not fit each other.
    """

    def __init__(self, context: Context, layout: Layout, opening: TokenArray) -> None:
        if len(opening) != layout.sinks:
            raise ValueError(f"{len(opening)} opening tokens for {layout.sinks} sinks")
        if context.options.cells < layout.capacity:
            raise ValueError(f"{context.options.cells} cells are too few for {layout}")
        self.context = context
        self.layout = layout
        self.segments: deque[CachedSegment] = deque()
        self.window_tokens = 0
        self.appended_tokens = 0
        self.evicted_tokens = 0
        self.asking_tokens = 0
        self._opening = opening
        self._shifted = False
        self._batch = Batch(context.options.batch_tokens, context.options.sequences)
        self.clear()

    @property
    def stream_end(self) -> int:
        """Position that the next log token gets."""
        return self.layout.sinks + self.window_tokens

    @property
    def asking_end(self) -> int:
        """Position that the next token of the question or answer gets."""
        return self.stream_end + self.asking_tokens

    def occupancy(self) -> CacheOccupancy:
        """The cache by part."""
        return CacheOccupancy(
            capacity_tokens=self.layout.capacity,
            sink_tokens=self.layout.sinks,
            window_tokens=self.window_tokens,
            asking_tokens=self.asking_tokens,
            window_limit_tokens=self.layout.window,
            write_head=self.layout.slot(self.layout.sinks + self.appended_tokens),
            bytes_per_token=self.context.kv_bytes_per_token,
            evicted_tokens=self.evicted_tokens,
        )

    def clear(self) -> None:
        """Forget the log and any question; the sinks are read again."""
        self._forget()
        self._read_opening()

    def rebuild(self) -> None:
        """Read sinks and standing segments again, after the native cache was damaged."""
        standing = list(self.segments)
        appended, evicted = self.appended_tokens, self.evicted_tokens
        self.clear()
        self.append(standing)
        self.appended_tokens, self.evicted_tokens = appended, evicted

    def append(
        self,
        segments: Sequence[CachedSegment],
        *,
        sampler: RowSampler | None = None,
        observer: RowObserver | None = None,
    ) -> int:
        """Read log segments into the window, evicting whole old ones to make room.

        The segments of one call are computed together, in batches as large as the context allows.

        Arguments:
            segments: none longer than ``layout.longest_segment``.
            sampler, observer: see ``RowSampler`` and ``RowObserver``.

        Returns:
            How many of them stand in the cache now: all, or fewer after an abort.

        Raises:
            ValueError: a segment is empty or too long, or a question is open.
        """
        if self.asking_tokens:
            raise ValueError("the log cannot move while a question is open")
        done = 0
        for group in self._groups(segments):
            try:
                self._append_group(group, sampler, observer)
            except DecodeAborted:
                self.context.remove(STREAM, self.stream_end)
                return done
            done += len(group)
        return done

    @contextmanager
    def question(self) -> Iterator[None]:
        """Fork the standing log for one question; leaving drops the fork, whatever happened.

        Within the block ``read`` and ``step`` extend the fork. Nothing is copied.
        """
        if self.asking_tokens:
            raise ValueError("a question is open already")
        self.context.copy(STREAM, ASKING)
        try:
            yield
        finally:
            self.context.remove(ASKING, 0)
            self.asking_tokens = 0

    def read(
        self, tokens: TokenArray, progress: Callable[[int, int], None] | None = None
    ) -> FloatRow:
        """Read the question's tokens into the fork.

        Arguments:
            tokens: int32, shape ``(n,)``, n at least 1.
            progress: told tokens read and tokens in all, after each batch.

        Returns:
            Logits after the last token, as ``Context.logits``.

        Raises:
            DecodeAborted: the abort flag was raised; leave the block.
            ValueError: no tokens, or more than the reserve holds.
        """
        total = len(tokens)
        if not 1 <= total <= self.layout.reserve - self.asking_tokens:
            raise ValueError(f"{total} tokens do not fit the reserve of {self.layout.reserve}")
        for start, chunk in self._chunks(tokens):
            self._batch.clear()
            last = start + len(chunk) == total
            self._batch.extend(chunk, self.asking_end, ASKING, output_last=last)
            self._decode()
            self.asking_tokens += len(chunk)
            if progress is not None:
                progress(self.asking_tokens, total)
        return self.context.logits(self._batch.size - 1)

    def step(self, token: int) -> FloatRow:
        """Append one decoded token to the fork.

        Returns:
            Logits after it, as ``Context.logits``.

        Raises:
            DecodeAborted: the abort flag was raised; leave the block.
            ValueError: the reserve is used up.
        """
        if self.asking_tokens >= self.layout.reserve:
            raise ValueError(f"the reserve of {self.layout.reserve} tokens is used up")
        self._batch.clear()
        row = self._batch.add(token, self.asking_end, (ASKING,), output=True)
        self._decode()
        self.asking_tokens += 1
        return self.context.logits(row)

    def _forget(self) -> None:
        self.context.clear()
        self.segments.clear()
        self.window_tokens = self.asking_tokens = 0
        self.appended_tokens = self.evicted_tokens = 0

    def _read_opening(self) -> None:
        for start in range(0, len(self._opening), self._batch.capacity):
            self._batch.clear()
            self._batch.extend(self._opening[start : start + self._batch.capacity], start, STREAM)
            self._decode()

    def _groups(self, segments: Sequence[CachedSegment]) -> Iterator[list[CachedSegment]]:
        """Split into runs that are computed, and committed or undone, together."""
        limit = min(self._batch.capacity, self.layout.window // 2)
        group: list[CachedSegment] = []
        size = 0
        for segment in segments:
            length = len(segment.tokens)
            if not 1 <= length <= self.layout.longest_segment:
                raise ValueError(f"a segment has 1 to {self.layout.longest_segment} tokens")
            if group and size + length > limit:
                yield group
                group, size = [], 0
            group.append(segment)
            size += length
        if group:
            yield group

    def _append_group(
        self,
        group: list[CachedSegment],
        sampler: RowSampler | None,
        observer: RowObserver | None,
    ) -> None:
        tokens = np.concatenate([segment.tokens for segment in group])
        self._make_room(len(tokens))
        position = self.stream_end
        for start, chunk in self._chunks(tokens):
            self._batch.clear()
            self._batch.extend(chunk, position + start, STREAM)
            rows = self._wanted_rows(chunk, sampler)
            self._batch.outputs[rows] = 1
            self._decode()
            if observer is not None:
                for row in rows:
                    observer(self.context.logits(row), int(chunk[row + 1]))
        self.segments.extend(group)
        self.window_tokens += len(tokens)
        self.appended_tokens += len(tokens)

    def _decode(self) -> None:
        self.context.decode(self._batch)
        self._shifted = False

    def _chunks(self, tokens: TokenArray) -> Iterator[tuple[int, TokenArray]]:
        start = 0
        size = _UNSTOPPABLE_ROWS if self._shifted else self._batch.capacity
        while start < len(tokens):
            yield start, tokens[start : start + size]
            start += size
            size = self._batch.capacity

    def _wanted_rows(self, chunk: TokenArray, sampler: RowSampler | None) -> list[int]:
        if sampler is None:
            return []
        limit = self.context.options.output_rows
        # The token after the chunk's last row is not known yet.
        return [row for row in sampler(chunk) if 0 <= row < len(chunk) - 1][:limit]

    def _make_room(self, incoming: int) -> None:
        count = self.layout.segments_to_evict(
            (len(segment.tokens) for segment in self.segments), self.window_tokens, incoming
        )
        if not count:
            return
        evicted = sum(len(self.segments.popleft().tokens) for _ in range(count))
        start, end = self.layout.sinks, self.stream_end
        self.context.remove(STREAM, start, start + evicted)
        self.context.shift(STREAM, start + evicted, end, -evicted)
        self.window_tokens -= evicted
        self.evicted_tokens += evicted
        self._shifted = True
