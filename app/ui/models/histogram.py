"""Counts of lines, warnings and errors along the log; numpy only, made to run off the UI thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.stream.records import Severity
from app.ui.models.grid import Grid
from app.ui.session_api import StoreLike

# Fewer dated lines than this share and the axis counts lines instead of seconds.
_DATED_SHARE = 0.8
_LEAST_WIDTH_S = 0.001

PIECE_LINES: Final = 262_144
"""Lines read in one piece; bounds what is held while a long log is counted for the first time."""
UNSETTLED_LINES: Final = 65_536
"""The newest lines are counted anew each time: a line may be completed after it has been read."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """The log in buckets of equal width, by time where the lines have one, else by arrival.

    Attributes:
        lines, warnings, errors: counts by bucket, int64.
        first_index: store index of the first line of each bucket; -1 for an empty one.
        start_s, end_s: the axis' ends in seconds since 1970-01-01 (UTC), or None by arrival.
        total: lines counted.
    """

    lines: NDArray[np.int64]
    warnings: NDArray[np.int64]
    errors: NDArray[np.int64]
    first_index: NDArray[np.int64]
    start_s: float | None
    end_s: float | None
    total: int

    @property
    def dated(self) -> bool:
        """Whether the axis is time."""
        return self.start_s is not None


class Counts:
    """Running counts of one store, by time and by arrival; reads each settled line once.

    Bounds of buckets are exact to a fraction of a bucket: lines stand in a finer grid, whose
    cells are shared out among the buckets by their middles. Used from one thread at a time.
    """

    def __init__(self, store: StoreLike) -> None:
        self._store = store
        self._forget()

    def _forget(self) -> None:
        self._settled = 0
        self._by_time = Grid(_LEAST_WIDTH_S)
        self._by_arrival = Grid(1.0)

    def histogram(self, buckets: int) -> Histogram:
        """The store as it is now, in ``buckets`` buckets."""
        total = len(self._store)
        if total < self._settled:
            self._forget()
        while self._settled < total - UNSETTLED_LINES:
            stop = min(total - UNSETTLED_LINES, self._settled + PIECE_LINES)
            count = self._add(self._by_time, self._by_arrival, self._settled, stop)
            if not count:  # emptied meanwhile
                break
            self._settled += count
        by_time, by_arrival = self._by_time.copy(), self._by_arrival.copy()
        total = self._settled + self._add(by_time, by_arrival, self._settled, total)
        dated = by_time.count >= _DATED_SHARE * total and by_time.least < by_time.most
        grid, start, end = (
            (by_time, by_time.least, by_time.most) if dated else (by_arrival, 0.0, float(total))
        )
        shared = grid.share(buckets, start, end)
        return Histogram(
            lines=shared.lines,
            warnings=shared.warnings,
            errors=shared.errors,
            first_index=shared.first_index,
            start_s=start if dated else None,
            end_s=end if dated else None,
            total=total,
        )

    def _add(self, by_time: Grid, by_arrival: Grid, start: int, stop: int) -> int:
        """Count lines into both grids; how many there were."""
        severities = self._store.severities(start, stop)
        times_s = self._store.times_s(start, stop)
        count = min(severities.size, times_s.size)
        severities, times_s = severities[:count], times_s[:count]
        errors = severities >= Severity.ERROR
        warnings = severities == Severity.WARNING
        indices = np.arange(start, start + count, dtype=np.int64)
        known = np.isfinite(times_s)
        by_time.add(times_s[known], indices[known], warnings[known], errors[known])
        by_arrival.add(indices.astype(np.float64), indices, warnings, errors)
        return count
