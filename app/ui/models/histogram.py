"""Counts of lines, warnings and errors along the log; numpy only, made to run off the UI thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.stream.records import Severity
from app.ui.session_api import StoreLike

# Fewer dated lines than this share and the axis counts lines instead of seconds.
_DATED_SHARE = 0.8


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


def histogram(store: StoreLike, buckets: int) -> Histogram:
    """Count a store's lines in ``buckets`` buckets."""
    total = len(store)
    severities = store.severities(0, total)
    total = int(severities.size)
    times_s = store.times_s(0, total)[:total]
    known = np.isfinite(times_s)
    span = _span(times_s, known)
    if span is None:
        place = np.arange(total, dtype=np.int64) * buckets // max(1, total)
        kept = np.ones(total, dtype=bool)
    else:
        start_s, end_s = span
        kept = known
        scaled = (times_s[known] - start_s) / (end_s - start_s) * buckets
        place = np.clip(scaled.astype(np.int64), 0, buckets - 1)
    levels = severities[kept]
    errors = place[levels >= Severity.ERROR]
    warnings = place[levels == Severity.WARNING]
    first = np.full(buckets, -1, dtype=np.int64)
    indices = np.flatnonzero(kept)
    # Written backwards, so that the earliest line of a bucket is the one that stays.
    first[place[::-1]] = indices[::-1]
    return Histogram(
        lines=np.bincount(place, minlength=buckets),
        warnings=np.bincount(warnings, minlength=buckets),
        errors=np.bincount(errors, minlength=buckets),
        first_index=first,
        start_s=span[0] if span is not None else None,
        end_s=span[1] if span is not None else None,
        total=total,
    )


def _span(times_s: NDArray[np.float64], known: NDArray[np.bool_]) -> tuple[float, float] | None:
    """First and last time, or None where too few lines are dated or all at one instant."""
    count = int(known.sum())
    if count == 0 or count < _DATED_SHARE * times_s.size:
        return None
    dated = times_s[known]
    start_s, end_s = float(dated.min()), float(dated.max())
    return (start_s, end_s) if end_s > start_s else None
