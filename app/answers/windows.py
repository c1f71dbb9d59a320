"""Time windows, and which lines lie in them.

Logs often have no year, sometimes no date: a window keeps only what the question says, and is
resolved against the times that the log really has.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Moment:
    """What a question says about one point in time; None where it says nothing.

    Attributes:
        second_of_day: seconds since midnight.
        unit_s: how long the unit named last is: 1 for a second, 60 for a minute, 3,600 for an
            hour, 86,400 for a day.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    second_of_day: float | None = None
    unit_s: float = DAY_S

    @property
    def has_date(self) -> bool:
        return self.month is not None and self.day is not None


@dataclass(frozen=True, slots=True)
class Window:
    """A span of time as asked for; either end may be open.

    Attributes:
        start, end: None where open.
        whole_end: the end's whole unit belongs to the window ("to 09:59:59" holds 09:59:59.9).
        last_s: instead of both: the last so many seconds of the log.
        day_offset: instead of both: a day counted back from the log's last day.
        words: the question's own words.
    """

    start: Moment | None = None
    end: Moment | None = None
    whole_end: bool = True
    last_s: float | None = None
    day_offset: int | None = None
    words: str = ""


def select(windows: list[Window], times_s: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which lines lie in any of the windows.

    Arguments:
        times_s: seconds since 1970 of each line (read as UTC), not-a-number where unknown.

    Returns:
        one flag a line; lines without a time are never selected.
    """
    chosen = np.zeros(len(times_s), dtype=np.bool_)
    if not windows or not np.isfinite(times_s).any():
        return chosen
    for window in windows:
        chosen |= _select_one(window, times_s)
    return chosen


def _select_one(window: Window, times_s: NDArray[np.float64]) -> NDArray[np.bool_]:
    last = float(np.nanmax(times_s))
    first = float(np.nanmin(times_s))
    with np.errstate(invalid="ignore"):
        if window.last_s is not None:
            return times_s >= last - window.last_s
        if window.day_offset is not None:
            midnight = last - last % DAY_S - window.day_offset * DAY_S
            return (times_s >= midnight) & (times_s < midnight + DAY_S)
        start, end = window.start, window.end
        dated = (start is None or start.has_date) and (end is None or end.has_date)
        if not dated:
            return _select_by_clock(window, times_s)
        low = -np.inf if start is None else _instant(start, first, last)
        high = np.inf
        if end is not None:
            high = _instant(end, first, last)
            if window.whole_end:
                high += end.unit_s
        chosen = (times_s >= low) & (times_s < high)
        if start is None and end is not None and end.second_of_day == 0 and not chosen.any():
            # "before midnight of the 23rd" in a log that begins on the 23rd: its end was meant.
            chosen = (times_s >= low) & (times_s < high + DAY_S)
        return chosen


def _select_by_clock(window: Window, times_s: NDArray[np.float64]) -> NDArray[np.bool_]:
    clock = times_s % DAY_S
    low = window.start.second_of_day if window.start is not None else None
    high = window.end.second_of_day if window.end is not None else None
    low = 0.0 if low is None else low
    if high is None:
        high = float(DAY_S)
    elif window.whole_end and window.end is not None:
        high += window.end.unit_s
    if high == 0.0:
        high = float(DAY_S)
    if high < low:  # over midnight
        return (clock >= low) | (clock < high)
    # Seconds since 1970 as floating point carry about a microsecond of rounding.
    return (clock >= low - 1e-5) & (clock < high - 1e-5)


def _instant(moment: Moment, first_s: float, last_s: float) -> float:
    """Seconds since 1970 of a moment; a missing year is the one that the log's times suggest."""
    first_year = datetime.fromtimestamp(first_s, UTC).year
    last_year = datetime.fromtimestamp(last_s, UTC).year
    years = [moment.year] if moment.year is not None else list(range(first_year, last_year + 1))
    best: float | None = None
    for year in years[-20:]:
        try:
            day = datetime(year, moment.month or 1, moment.day or 1, tzinfo=UTC)
        except ValueError:
            continue
        instant = (day + timedelta(seconds=moment.second_of_day or 0.0)).timestamp()
        if best is None or first_s - DAY_S <= instant <= last_s + DAY_S:
            best = instant
    return float("inf") if best is None else best
