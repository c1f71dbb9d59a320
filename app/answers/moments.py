"""Dates and clock times named in a question, in English or Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from app.answers.windows import Moment

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ZH_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_DATE_PATTERNS = (
    re.compile(r"(?<!\d)(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*[日号]?"),
    re.compile(r"(?<!\d)(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*[日号]"),
    re.compile(r"(?<![\d.\-/])(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d)"),
    re.compile(
        rf"\b(?P<mon>{_MONTH})\b\.?\s*(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:|\d)"
        r"(?:,?\s*(?P<y>(?:19|20)\d\d)\b(?!:))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<![\d:.])\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mon>{_MONTH})\b\.?"
        r"(?:,?\s*(?P<y>(?:19|20)\d\d)\b(?!:))?",
        re.IGNORECASE,
    ),
)
_SHORT_DATE = re.compile(r"(?<![\d.\-/:])(?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?![\d.\-/:])")
_ONLY_DAY = re.compile(
    r"(?:[和、与及到至-]|\band\b|\bto\b)\s*(?P<d>\d{1,2})\s*(?:[日号]|(?:st|nd|rd|th)\b)"
)
_CLOCK = re.compile(
    r"(?<![\d:.])(?P<h>[01]?\d|2[0-4])[:：](?P<mi>[0-5]\d)(?:[:：](?P<s>[0-5]\d(?:[.,]\d{1,6})?))?"
    r"(?!\d|[:：]\d)\s*(?P<ap>[ap]\.?m\b\.?)?",
    re.IGNORECASE,
)
_ZH_NUMBER = r"(?:\d{1,2}|[零〇一二两三四五六七八九十]{1,3})"
_ZH_CLOCK = re.compile(
    rf"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜间)?\s*"
    rf"(?<!\d)(?P<h>{_ZH_NUMBER})\s*[点时](?!间|刻|候)(?:钟|整)?(?P<half>半)?"
    rf"(?:\s*(?P<mi>{_ZH_NUMBER})\s*分(?:钟)?(?:\s*(?P<s>{_ZH_NUMBER})\s*秒)?)?"
)
_AMPM = re.compile(
    r"(?<![\d:.])(?P<h>1[0-2]|0?[1-9])\s*(?P<ap>a\.?m\b\.?|p\.?m\b\.?|o'clock)", re.IGNORECASE
)
_MIDNIGHT = re.compile(r"\bmidnight\b|零点|午夜|半夜十二点", re.IGNORECASE)
_NOON = re.compile(r"\bnoon\b|正午", re.IGNORECASE)
_OPEN_GAP = re.compile(
    r"^[\s,]*(?:before|after|until|till|since|up to|prior to)\s+(?:the\s+)?$", re.IGNORECASE
)
_HOUR_NUMBER = re.compile(r"\bhour\s+(?P<h>[01]?\d|2[0-3])\b(?![:.\d])", re.IGNORECASE)
RANGE_JOIN = re.compile(
    r"^[\s,，(（]*(?:to|until|till|through|thru|up to|-|–|—|~|～|到|至|直到)[\s,，]*(?:the\s+)?$",
    re.IGNORECASE,
)


_DATE_FIRST_GAP = re.compile(
    r"[\s,，Tt(（]*(?:at|on|from|between|的|当天|这一天|那天|上|in the hour starting at|during|in)?"
    r"[\s,，]*(?:the\s+)?",
    re.IGNORECASE,
)
_CLOCK_FIRST_GAP = re.compile(r"[\s,，]*(?:on|of|,)?\s*(?:the\s+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A point in time with the place of its words.

    Attributes:
        start, stop: where its words stand in the question.
        within_day: whether a date before it bounds an open end: "on July 1 before noon".
        covers: where the words of that date begin; -1 for none.
        between: whether "between" stands inside its words ("on 18 October between 9:00 and …").
    """

    start: int
    stop: int
    moment: Moment
    within_day: bool = False
    covers: int = -1
    between: bool = False


def find_marks(question: str) -> list[Mark]:
    """Dates and clock times in order; a date and the clock time beside it become one."""
    dates: list[Mark] = []
    taken: list[tuple[int, int]] = []

    def free(start: int, stop: int) -> bool:
        return all(stop <= a or start >= b for a, b in taken)

    for pattern in _DATE_PATTERNS:
        for found in pattern.finditer(question):
            moment = _date(found.groupdict())
            if moment is not None and free(*found.span()):
                dates.append(Mark(*found.span(), moment))
                taken.append(found.span())
    if not dates:
        for found in _SHORT_DATE.finditer(question):
            moment = _date(found.groupdict())
            if moment is not None:
                dates.append(Mark(*found.span(), moment))
                taken.append(found.span())
    for mark in list(dates):
        follow = _ONLY_DAY.match(question, mark.stop)
        if follow is None:
            follow = _ONLY_DAY.match(question, mark.stop + 1)
        if follow is not None and free(follow.start("d"), follow.end()):
            day = replace(mark.moment, day=int(follow["d"]))
            dates.append(Mark(follow.start("d"), follow.end(), day))
            taken.append((follow.start("d"), follow.end()))
    clocks = [Mark(*span, moment) for span, moment in _clock_times(question) if free(*span)]
    return _merge(question, sorted(dates + clocks, key=lambda mark: mark.start))


def _merge(question: str, marks: list[Mark]) -> list[Mark]:
    """Join each date with the clock time beside it."""
    merged: list[Mark] = []
    for mark in marks:
        last = merged[-1] if merged else None
        if last is None or last.moment.has_date == mark.moment.has_date:
            merged.append(mark)
            continue
        gap = question[last.stop : mark.start]
        if last.moment.has_date and _OPEN_GAP.match(gap):
            moment = _join(last.moment, mark.moment)
            merged[-1] = replace(mark, moment=moment, within_day=True, covers=last.start)
        elif last.moment.has_date and _DATE_FIRST_GAP.fullmatch(gap):
            moment = _join(last.moment, mark.moment)
            merged[-1] = Mark(last.start, mark.stop, moment, between="between" in gap.lower())
        elif mark.moment.has_date and _CLOCK_FIRST_GAP.fullmatch(gap):
            merged[-1] = Mark(last.start, mark.stop, _join(mark.moment, last.moment))
            _date_range_start(question, merged, mark.moment, last.start)
        else:
            merged.append(mark)
    return merged


def _date_range_start(question: str, merged: list[Mark], date: Moment, start: int) -> None:
    """ "From 22:50:00 to 22:59:59 on December 23": the date belongs to both."""
    if len(merged) < 2 or merged[-2].moment.has_date:
        return
    if RANGE_JOIN.match(question[merged[-2].stop : start]):
        merged[-2] = replace(merged[-2], moment=_join(date, merged[-2].moment))


def _join(date: Moment, clock: Moment) -> Moment:
    return Moment(date.year, date.month, date.day, clock.second_of_day, clock.unit_s)


def _date(parts: dict[str, str | None]) -> Moment | None:
    month_name = parts.get("mon")
    month = _MONTHS[month_name.lower()] if month_name else int(parts.get("m") or 0)
    day = int(parts.get("d") or 0)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    year = parts.get("y")
    return Moment(int(year) if year else None, month, day)


def _clock_times(question: str) -> list[tuple[tuple[int, int], Moment]]:
    found: list[tuple[tuple[int, int], Moment]] = []

    def add(span: tuple[int, int], seconds: float, unit: float) -> None:
        if all(span[1] <= a or span[0] >= b for (a, b), _ in found):
            found.append((span, Moment(second_of_day=seconds, unit_s=unit)))

    for match in _CLOCK.finditer(question):
        hour = _half_day(int(match["h"]), match["ap"])
        second = float((match["s"] or "0").replace(",", "."))
        unit = 60.0 if match["s"] is None else 1.0 if match["s"].isdigit() else 0.001
        span = (match.start(), match.start() + len(match.group().rstrip()))
        prefix = re.search(r"(凌晨|早上|上午|中午|下午|傍晚|晚上|夜里)\s*$", question[: span[0]])
        if prefix:
            hour = _zh_half_day(hour, prefix.group(1))
            span = (prefix.start(), span[1])
        add(span, hour * 3_600 + int(match["mi"]) * 60 + second, unit)
    for match in _ZH_CLOCK.finditer(question):
        if match["h"].isdigit() and int(match["h"]) > 24:
            continue
        hour = _zh_half_day(zh_int(match["h"]), match["part"])
        minute = 30 if match["half"] else zh_int(match["mi"]) if match["mi"] else 0
        second = float(zh_int(match["s"])) if match["s"] else 0.0
        unit = 1.0 if match["s"] else 60.0 if match["mi"] or match["half"] else 3_600.0
        add(match.span(), hour * 3_600 + minute * 60 + second, unit)
    for match in _AMPM.finditer(question):
        add(match.span(), _half_day(int(match["h"]), match["ap"]) * 3_600.0, 3_600.0)
    for match in _HOUR_NUMBER.finditer(question):
        add(match.span(), int(match["h"]) * 3_600.0, 3_600.0)
    for pattern, seconds in ((_MIDNIGHT, 0.0), (_NOON, 43_200.0)):
        for match in pattern.finditer(question):
            add(match.span(), seconds, 60.0)
    return found


def _half_day(hour: int, mark: str | None) -> int:
    letter = (mark or "").lower()[:1]
    if letter == "p" and hour < 12:
        return hour + 12
    return 0 if letter == "a" and hour == 12 else hour


def _zh_half_day(hour: int, part: str | None) -> int:
    if part in ("下午", "傍晚", "晚上", "夜里", "夜间") and hour < 12:
        return hour + 12 if not (part in ("夜里", "夜间") and hour < 6) else hour
    return hour + 12 if part == "中午" and hour < 3 else hour


def zh_int(text: str) -> int:
    """A number below a hundred in digits or in Chinese characters."""
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_ZH_DIGITS.get(tens, 1) if tens else 1) * 10 + (_ZH_DIGITS.get(ones, 0))
    return _ZH_DIGITS.get(text[-1], 0)
