"""Rising, falling or stuck: numbers in lines, and numbers of lines per hour or day."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from app.answers.facts import Fact, Work, spread
from app.answers.intent import Kind
from app.answers.quantities import Quantity
from app.answers.ranking import number_series, numeric_targets
from app.answers.targets import ValueKind
from app.answers.view import both
from app.answers.windows import Window, select
from app.answers.wording import join, number, say

_MOST_BUCKETS = 24
_NOTICEABLE = 0.05
"""A slope below this share of the mean over the whole span counts as none."""


def trend_fact(work: Work) -> Fact | None:
    """How a number develops; None where there is nothing to compare."""
    if work.intent.of_counts:
        return counts_trend(work)
    return values_trend(work) or counts_trend(work)


def values_trend(work: Work) -> Fact | None:
    """The numbers beside what was asked for: first, last, direction."""
    for target in numeric_targets(work):
        series = number_series(work, target, work.chosen.indices)
        if len(series) < max(2, 0.3 * len(work.chosen.indices)):
            continue
        series = _in_time_order(work, series)
        name = target.word or say(work.language, "values")
        return _say_series(work, name, series)
    return None


def _in_time_order(work: Work, series: list[tuple[Quantity, int]]) -> list[tuple[Quantity, int]]:
    times = work.lines.times_s[[index for _, index in series]]
    if not np.isfinite(times).all() or (np.diff(times) >= 0).all():
        return series
    return [series[at] for at in np.argsort(times, kind="stable")]


def _say_series(work: Work, name: str, series: list[tuple[Quantity, int]]) -> Fact:
    amounts = np.array([item.amount for item, _ in series])
    first, last = series[0][0], series[-1][0]
    low, high = series[int(amounts.argmin())][0], series[int(amounts.argmax())][0]
    steps = np.diff(amounts)
    if (steps == 0).all():
        key = "flat"
    elif last.amount > first.amount:
        key = "rising"
    elif last.amount < first.amount:
        key = "falling"
    else:
        key = "level"
    sentence = say(
        work.language,
        key,
        name=name,
        first=first.text,
        last=last.text,
        n=number(len(series)),
        when=work.when,
    )
    if key == "rising" and (steps >= 0).all():
        sentence += say(work.language, "steadily_up")
    elif key == "falling" and (steps <= 0).all():
        sentence += say(work.language, "steadily_down")
    elif key != "flat":
        sentence += say(work.language, "range", low=low.text, high=high.text)
    indices = np.array([index for _, index in series], dtype=np.int64)
    ends = (int(indices[0]), int(indices[-1]))
    return Fact(
        Kind.TREND,
        sentence,
        (first.text, last.text),
        tuple(dict.fromkeys((*ends, *spread(indices)))),
        len(series),
        work.plan,
    )


def counts_trend(work: Work) -> Fact | None:
    """How many lines per hour (or day, or minute), and whether that rises or falls."""
    windows = _distinct_windows(work)
    if len(windows) > 1:
        buckets = []
        for window in sorted(windows, key=_begins):
            inside = np.flatnonzero(select([window], work.lines.times_s)).astype(np.int64)
            buckets.append((window.words, len(both(work.chosen.before_window, inside))))
        unit = ""
    else:
        unit, buckets = _buckets(work)
    if len(buckets) < 2:
        return None
    counts = np.array([n for _, n in buckets], dtype=float)
    listed = [f"{label}: {number(n)}" for label, n in buckets]
    lead = join(work.language, listed)
    if unit:
        lead = say(work.language, "per_bucket", unit=say(work.language, unit), list=lead)
    sentence = lead + say(work.language, _direction(counts))
    if (counts == counts.max()).sum() == 1:
        label, n = buckets[int(counts.argmax())]
        sentence += say(work.language, "highest", label=label, n=number(n))
    return Fact(
        Kind.TREND,
        sentence,
        tuple(str(n) for _, n in buckets),
        spread(work.chosen.indices),
        int(counts.sum()),
        work.plan,
    )


def _distinct_windows(work: Work) -> list[Window]:
    unique: dict[tuple[object, ...], Window] = {}
    for window in work.intent.terms.windows:
        key = tuple(
            None if moment is None else (moment.month, moment.day, moment.second_of_day)
            for moment in (window.start, window.end)
        )
        unique.setdefault(key, window)
    return list(unique.values())


def _begins(window: Window) -> tuple[int, int, float]:
    moment = window.start if window.start is not None else window.end
    if moment is None:
        return 0, 0, 0.0
    return moment.month or 0, moment.day or 0, moment.second_of_day or 0.0


def _buckets(work: Work) -> tuple[str, list[tuple[str, int]]]:
    times = work.lines.times_s[work.chosen.indices]
    times = times[np.isfinite(times)]
    if len(times) == 0:
        return "", []
    asked = {target.kind for target in work.intent.targets}
    span = float(times.max() - times.min())
    if ValueKind.DAY in asked or (span > 3 * 86_400 and ValueKind.HOUR not in asked):
        unit, size, form = "day", 86_400.0, "%Y-%m-%d" if work.picker.has_year else "%b %d"
    elif ValueKind.MINUTE in asked or (span <= 2 * 3_600 and ValueKind.HOUR not in asked):
        unit, size, form = "minute", 60.0, "%H:%M"
        if span <= 120:
            unit, size, form = "second", 1.0, "%H:%M:%S"
    else:
        unit, size, form = "hour", 3_600.0, "%H:00" if span < 86_400 else "%b %d %H:00"
    slots = np.floor(times / size).astype(np.int64)
    first, last = int(slots.min()), int(slots.max())
    step = max(1, -(-(last - first + 1) // _MOST_BUCKETS))
    buckets = []
    for slot in range(first, last + 1, step):
        label = datetime.fromtimestamp(slot * size, UTC).strftime(form)
        buckets.append((label, int(((slots >= slot) & (slots < slot + step)).sum())))
    return unit, buckets


def _direction(counts: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    if (counts == counts[0]).all():
        return "counts_flat"
    if len(counts) <= 4:
        if counts[-1] == counts[0]:
            return "counts_mixed"
        return "counts_rising" if counts[-1] > counts[0] else "counts_falling"
    at = np.arange(len(counts))
    slope = float(np.polyfit(at, counts, 1)[0]) * len(counts)
    if abs(slope) < _NOTICEABLE * max(counts.mean(), 1.0):
        return "counts_mixed"
    return "counts_rising" if slope > 0 else "counts_falling"
