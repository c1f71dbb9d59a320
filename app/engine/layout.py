"""Sink and window arithmetic: pure functions that say which slot a token has and what to evict.

The cache holds ``sinks`` pinned tokens, then a rolling ``window`` of log tokens, then a ``reserve``
for one question and its answer. Sinks keep attention stable when the oldest tokens go (Xiao et al.,
"Efficient Streaming Language Models with Attention Sinks", ICLR 2024); here the whole system
prompt is pinned, not four tokens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """How the cells of the cache are shared out; all in tokens.

    Raises:
        ValueError: a part is negative, or the window or the reserve is empty.
    """

    sinks: int
    window: int
    reserve: int

    def __post_init__(self) -> None:
        if self.sinks < 0 or self.window < 1 or self.reserve < 1:
            raise ValueError("sinks must be at least 0, window and reserve at least 1")

    @property
    def capacity(self) -> int:
        """Cells needed in all."""
        return self.sinks + self.window + self.reserve

    @property
    def block(self) -> int:
        """Least tokens evicted at once: every eviction re-rotates the window's keys once, so it
        is done in blocks, not token by token."""
        return max(1, self.window // 8)

    @property
    def longest_segment(self) -> int:
        """Most tokens of one segment; a longer one would push the rest of the log out."""
        return max(1, self.window // 4)

    def slot(self, position: int) -> int:
        """Slot of the token at a stream position, counted since the start and never reset.

        ``position`` below ``sinks`` keeps its slot; the others share the window in turn.
        """
        if position < 0:
            raise ValueError("positions start at 0")
        if position < self.sinks:
            return position
        return self.sinks + (position - self.sinks) % self.window

    def segments_to_evict(self, segments: Iterable[int], used: int, incoming: int) -> int:
        """How many of the oldest segments must go before ``incoming`` tokens fit.

        Arguments:
            segments: token counts of the segments in the window, oldest first.
            used: their sum.
            incoming: tokens about to be appended.

        Returns:
            A number of whole segments: 0 if they fit, otherwise enough for them and for at least
            a ``block``, so that the next evictions are rare.

        Raises:
            ValueError: they would not fit into an empty window.
        """
        if incoming > self.window:
            raise ValueError(f"{incoming} tokens do not fit a window of {self.window}")
        if used + incoming <= self.window:
            return 0
        wanted = max(used + incoming - self.window, min(self.block, used))
        evicted = count = 0
        for length in segments:
            if evicted >= wanted:
                break
            evicted += length
            count += 1
        return count
