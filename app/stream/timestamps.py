"""When a line was written: the usual families of timestamps, found once per file on a sample."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import NamedTuple

_SEARCH_CHARS = 160
"""A timestamp further into the line belongs to its message."""
_EPOCH_CHARS = 60
_UNIX_DAY = date(1970, 1, 1).toordinal()
_DAY_S = 86_400
_CACHE_ENTRIES = 4_096

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_MON = r"(?P<b>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_HMS = r"(?P<H>[01]?\d|2[0-4]):(?P<M>[0-5]\d):(?P<S>[0-5]\d|60)"
_LOOSE_HMS = r"(?P<H>[01]?\d|2[0-4]):(?P<M>[0-5]?\d):(?P<S>[0-5]?\d|60)"
_FRACTION = r"(?:(?P<f>[.,:]\d{1,9})(?![\d:]))?"
_OFFSET = r"(?:\s?(?:Z|[+-]\d{2}:?\d{2})\b)?"
_AMPM = r"(?:\s?(?P<p>[AaPp]M)\b)?"
_CLOCK = _HMS + _FRACTION + _AMPM


@dataclass(frozen=True, slots=True)
class Family:
    """A way to write timestamps.

    Attributes:
        name: for messages and tests.
        pattern: named groups Y y m b d H M S f (fraction with its sign) p (AM/PM) e (epoch).
        assumption: a sentence about what is assumed to place such a time on a time line, a
            template with the field ``name``; may be empty.
    """

    name: str
    pattern: re.Pattern[str]
    assumption: str = ""


def _family(name: str, pattern: str, assumption: str = "") -> Family:
    return Family(name, re.compile(pattern), assumption)


_YEARLESS = "{name} writes no year; the year of its last change is assumed."
_DATELESS = "{name} writes no date; the day of its last change is assumed."
_ORDER = "{name} leaves the order of day, month and year open; it was taken from the first lines."

# From the most telling to the least; the first that fits nearly as many lines as any is taken.
FAMILIES = (
    _family(
        "iso",
        r"(?<![\d.])(?P<Y>(?:19|20)\d{2})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"
        # Firewalls and JSON keep the two apart: date=2025-01-21 time=00:45:54.
        r"(?:[-T_ ]{1,2}|\W{1,4}[Tt]ime\W{1,4})"
        r"(?P<H>\d{1,2})[:.](?P<M>\d{2})[:.](?P<S>\d{2})" + _FRACTION + _OFFSET,
    ),
    _family(
        "chinese",
        r"(?P<Y>(?:19|20)\d{2})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日\s*"
        r"(?P<H>\d{1,2})[:时点](?P<M>\d{1,2})[:分](?P<S>\d{1,2})秒?" + _FRACTION,
    ),
    _family(
        "compact",
        r"(?<!\d)(?P<Y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})[-T_ ]"
        + _LOOSE_HMS
        + _FRACTION
        + _OFFSET,
    ),
    _family(
        "digits",
        r"(?<!\d)(?P<Y>20\d{2})(?P<m>[01]\d)(?P<d>[0-3]\d)[-T_ ]?"
        r"(?P<H>[0-2]\d)(?P<M>[0-5]\d)(?P<S>[0-5]\d)(?P<f>[.,]\d{1,9})?(?!\d)",
    ),
    _family(
        "apache",
        r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},?\s+"
        + _MON
        + r"\s+(?P<d>\d{1,2})\s+"
        + _HMS
        + _FRACTION
        + r"\s+(?:[A-Z]{3,4}\s+)?(?P<Y>(?:19|20)\d{2})",
    ),
    _family(
        "access",
        r"(?P<d>\d{1,2})/" + _MON + r"/(?P<Y>(?:19|20)\d{2}):" + _HMS + r"(?:\s[+-]\d{4})?",
    ),
    _family(
        "dmony",
        r"(?<!\d)(?P<d>\d{1,2})[- ]"
        + _MON
        + r"[- ](?P<Y>(?:19|20)\d{2})[ T:]"
        + _HMS
        + _FRACTION
        + _OFFSET,
    ),
    _family(
        "syslog-year",
        _MON + r"\s+(?P<d>\d{1,2}),?\s+(?P<Y>(?:19|20)\d{2})[ ,]+" + _HMS + _FRACTION + _AMPM,
    ),
    _family(
        "syslog",
        r"(?<![A-Za-z])" + _MON + r"\s+(?P<d>\d{1,2})\s+" + _HMS + _FRACTION,
        _YEARLESS,
    ),
    _family(
        "dmy",
        r"(?<!\d)(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<Y>(?:19|20)\d{2})[ ,T]{1,2}" + _CLOCK,
        _ORDER,
    ),
    _family(
        "mdy",
        r"(?<!\d)(?P<m>\d{1,2})[/.-](?P<d>\d{1,2})[/.-](?P<Y>(?:19|20)\d{2})[ ,T]{1,2}" + _CLOCK,
        _ORDER,
    ),
    _family(
        "ymd2",
        r"(?<!\d)(?P<y>\d{2})[/.-](?P<m>\d{2})[/.-](?P<d>\d{2})[ ,T]{1,2}" + _CLOCK,
        _ORDER,
    ),
    _family(
        "dmy2",
        r"(?<!\d)(?P<d>\d{2})[/.-](?P<m>\d{2})[/.-](?P<y>\d{2})[ ,T]{1,2}" + _CLOCK,
        _ORDER,
    ),
    _family(
        "mdy2",
        r"(?<!\d)(?P<m>\d{2})[/.-](?P<d>\d{2})[/.-](?P<y>\d{2})[ ,T]{1,2}" + _CLOCK,
        _ORDER,
    ),
    _family(
        "ymd2-digits",
        r"(?<!\d)(?P<y>\d{2})(?P<m>[01]\d)(?P<d>[0-3]\d)[ _-](?P<H>[0-2]\d)(?P<M>[0-5]\d)"
        r"(?P<S>[0-5]\d)(?P<f>[.,]\d{1,9})?(?!\d)",
    ),
    _family(
        "klog",
        r"(?<=[IWEF])(?P<m>[01]\d)(?P<d>[0-3]\d) " + _HMS + _FRACTION,
        _YEARLESS,
    ),
    _family(
        "android",
        r"(?<![\d.-])(?P<m>\d{2})[-./](?P<d>\d{2})[ T]" + _HMS + _FRACTION,
        _YEARLESS,
    ),
    _family("epoch", r"(?<![\w.-])(?P<e>1\d{9})(?P<f>\.\d{1,9}|\d{3}|\d{6}|\d{9})?(?![\w.]\d|\d)"),
    _family("time", r"(?<![\d:.])" + _HMS + _FRACTION + _AMPM, _DATELESS),
)


@dataclass(frozen=True, slots=True)
class LineTime:
    """Where a line's time stands and what it is.

    Attributes:
        start, end: its place in the text; equal when none was found.
        time_s: seconds since 1970-01-01 of the time as written, read as UTC; None where unknown.
    """

    start: int
    end: int
    time_s: float | None


NO_TIME = LineTime(0, 0, None)


def find_family(sample: Sequence[str]) -> Family | None:
    """The family most lines of a sample use, or None when fewer than one in twenty has a time.

    Where the order of day, month and year is open, the order that puts the lines closest together
    is taken.
    """
    scores = [(_score(family, sample), family) for family in FAMILIES]
    best = max(score.hits for score, _ in scores)
    if best == 0 or best * 20 < len(sample):
        return None
    fitting = [(score, family) for score, family in scores if score.hits * 10 >= best * 9]
    chosen = fitting[0][1]
    if chosen.assumption is not _ORDER:
        return chosen
    orders = [pair for pair in fitting if pair[1].assumption is _ORDER]
    return min(orders, key=lambda pair: pair[0].spread_s)[1]


class _Score(NamedTuple):
    """How many lines a family reads, and over how long a time it spreads them."""

    hits: int
    spread_s: float


def _score(family: Family, sample: Sequence[str]) -> _Score:
    """No hits at all if the family reads more than one in twenty of its lines wrongly."""
    times_s: list[float] = []
    wrong = 0
    for line in sample:
        match = family.pattern.search(line, 0, _SEARCH_CHARS)
        if match is None or (family.name == "epoch" and match.start() > _EPOCH_CHARS):
            continue
        time_s = _absolute_s(match, 2000, 1)
        if time_s is None:
            wrong += 1
        else:
            times_s.append(time_s)
    hits = len(times_s)
    if wrong * 20 > hits or (family.name == "epoch" and hits * 5 < len(sample) * 4):
        return _Score(0, 0.0)
    return _Score(hits, max(times_s) - min(times_s) if times_s else 0.0)


def _absolute_s(match: re.Match[str], year: int, day_ordinal: int) -> float | None:
    """Seconds since 1970 without the fraction; ``year`` and ``day_ordinal`` fill what is missing.

    A year of two digits is taken as 1970 to 2069. None when there is no such date.
    """
    groups = match.groupdict()
    if groups.get("e"):
        return float(groups["e"])
    hour = int(groups["H"])
    half = groups.get("p")
    if half:
        hour = hour % 12 + (12 if half[0] in "Pp" else 0)
    time_of_day_s = hour * 3600 + int(groups["M"]) * 60 + int(groups["S"])
    if not groups.get("d"):
        return float((day_ordinal - _UNIX_DAY) * _DAY_S + time_of_day_s)
    if groups.get("Y"):
        year = int(groups["Y"])
    elif groups.get("y"):
        short = int(groups["y"])
        year = short + (2000 if short < 70 else 1900)
    month = _MONTHS[groups["b"].lower()] if groups.get("b") else int(groups["m"])
    try:
        days = date(year, month, int(groups["d"])).toordinal() - _UNIX_DAY
    except ValueError:
        return None
    return float(days * _DAY_S + time_of_day_s)


class Clock:
    """Reads the times of one file's lines, one after the other.

    Arguments:
        family: how this file writes time.
        written_at_s: when the file was last changed, seconds since 1970; fills a missing year
            or date, so that the first line is not after it.
    """

    def __init__(self, family: Family, written_at_s: float) -> None:
        self.family = family
        self._pattern = family.pattern
        self._written_at_s = written_at_s
        written = datetime.fromtimestamp(written_at_s, UTC)
        self._year = written.year
        self._day = written.date().toordinal()
        groups = self._pattern.groupindex
        self._has_date = "d" in groups or "e" in groups
        self._has_year = bool({"Y", "y", "e"} & set(groups))
        self._has_fraction = "f" in groups
        self._usual_start = 0
        self._last_s: float | None = None
        self._cache: dict[str, float | None] = {}

    def read(self, line: str) -> LineTime:
        """Find the time in a line; ``NO_TIME`` where it has none (a continued message)."""
        match = self._pattern.match(line, self._usual_start, _SEARCH_CHARS)
        if match is None:
            match = self._pattern.search(line, 0, _SEARCH_CHARS)
            if match is None:
                return NO_TIME
            self._usual_start = match.start()
        start, end = match.span()
        fraction_at = match.start("f") if self._has_fraction else -1
        raw = line[start:end] if fraction_at < 0 else line[start:fraction_at]
        try:
            seconds = self._cache[raw]
        except KeyError:
            seconds = self._seconds(raw, match)
        if seconds is None:
            return NO_TIME
        if not self._has_year:
            seconds = self._nearest(seconds, match)
        if fraction_at >= 0:
            seconds += _fraction_s(match["f"])
        return LineTime(start, end, seconds)

    def _seconds(self, raw: str, match: re.Match[str]) -> float | None:
        if len(self._cache) >= _CACHE_ENTRIES:
            self._cache.clear()
        seconds = _absolute_s(match, self._year, self._day)
        if seconds is None and not self._has_year:
            seconds = _absolute_s(match, self._year - 1, self._day)  # 29 February
        self._cache[raw] = seconds
        return seconds

    def _nearest(self, seconds: float, match: re.Match[str]) -> float:
        """Choose the year or day that keeps the times going forward.

        A line a little out of order stays where it belongs; a jump back of more than a quarter
        of the period is a new year (or midnight).
        """
        period_s = 365.25 * _DAY_S if self._has_date else float(_DAY_S)
        if self._last_s is None:
            if seconds > self._written_at_s + _DAY_S:
                self._step(-1)
                seconds = _absolute_s(match, self._year, self._day) or seconds
        else:
            ahead_s = seconds - self._last_s
            if ahead_s < -0.25 * period_s:
                self._step(1)
                seconds = _absolute_s(match, self._year, self._day) or seconds
            elif ahead_s > 0.75 * period_s:
                # A straggler from before the turn: its own time, but no step back.
                earlier = _absolute_s(match, self._year - 1, self._day - 1)
                return seconds if earlier is None else earlier
        self._last_s = seconds
        return seconds

    def _step(self, by: int) -> None:
        self._cache.clear()
        if self._has_date:
            self._year += by
        else:
            self._day += by


def _fraction_s(digits: str) -> float:
    """``.123``, ``,123``, ``:606`` or (after an epoch) plain ``606`` as seconds."""
    if not digits[0].isdigit():
        digits = digits[1:]
    return int(digits) / 10.0 ** len(digits)
