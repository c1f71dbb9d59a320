"""What a question says about when, in English or Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from app.answers.windows import DAY_S, Moment, Window

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
    r"(?![\d:])\s*(?P<ap>[ap]\.?m\b\.?)?",
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
_LAST_SPAN = re.compile(
    r"(?:\b(?:last|past|latest|final)\s+(?P<n>\d+|half(?:\s+an)?|an?|few)?\s*"
    r"(?P<unit>second|sec|minute|min|hour|day)s?\b)"
    r"|(?:(?:最近|过去|最后|近)\s*(?P<zn>\d+|半|[一二两三四五六七八九十]{1,3})?\s*个?\s*"
    r"(?P<zunit>秒|分钟|小时|天))",
    re.IGNORECASE,
)
_UNIT_S = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3_600, "day": DAY_S,
    "秒": 1, "分钟": 60, "小时": 3_600, "天": DAY_S,
}  # fmt: skip
_DAY_WORDS = ((re.compile(r"\byesterday\b|昨[天日]", re.IGNORECASE), 1),
              (re.compile(r"\btoday\b|今[天日]", re.IGNORECASE), 0))  # fmt: skip
_RANGE_JOIN = re.compile(
    r"^[\s,，(（]*(?:to|until|till|through|thru|up to|-|–|—|~|～|到|至|直到)[\s,，]*(?:the\s+)?$",
    re.IGNORECASE,
)
_LIST_JOIN = re.compile(r"^\s*(?:,|，|、|and|or|, and|和|与|及|以及)\s*(?:the\s+)?$", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:\b(?:before|prior to|until|till|up to|earlier than|by)\s+(?:the\s+)?|直到|截至|截止到?)$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:\b(?:after|since|from|later than|starting(?: from| at)?|as of)\s+(?:the\s+)?|自从|从|自)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$|介于$", re.IGNORECASE)
_AROUND = re.compile(
    r"(?:\b(?:around|about|near|roughly|approximately|circa)\s+|大约|大概|约)$", re.IGNORECASE
)
_ZH_BEFORE = re.compile(r"^\s*(?:整)?\s*(?:之前|以前|前)")
_ZH_AFTER = re.compile(r"^\s*(?:整)?\s*(?:之后|以后|后|起|开始|以来)")
_ZH_AROUND = re.compile(r"^\s*(?:左右|前后|附近)")
_TO_END = re.compile(
    r"^\s*,?\s*(?:onwards?\b|起|(?:to|until|till|through|up to)\s+(?:(?:the|its)\s+)?(?:very\s+)?"
    r"(?:end|close|last line)\b|(?:一直)?(?:到|至|直到)\s*(?:日志|文件|\S+\.\w+)?\s*的?"
    r"(?:最后|末尾|结束|结尾|为止))",
    re.IGNORECASE,
)
_OPEN_GAP = re.compile(
    r"^[\s,]*(?:before|after|until|till|since|up to|prior to)\s+(?:the\s+)?$", re.IGNORECASE
)
_HOUR_BEFORE = re.compile(
    r"\bhours?\s+(?:\w+\s+){0,2}$|\bhours?\s+(?:that\s+)?(?:starts?|starting|beginning|begins|from)"
    r"\s+(?:at|with|from)?\s*$",
    re.IGNORECASE,
)
_HOUR_AFTER = re.compile(
    r"^[\s-]*hour\b|^\s*(?:开始的?)?\s*(?:这|那|的)\s*一?个?\s*小时|^\s*开始的[一1]\s*个?小时",
    re.IGNORECASE,
)
_MINUTE_BEFORE = re.compile(r"\bminutes?\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_MINUTE_AFTER = re.compile(r"^\s*(?:这|那|的)\s*一?\s*分钟", re.IGNORECASE)
_HOUR_NUMBER = re.compile(r"\bhour\s+(?P<h>[01]?\d|2[0-3])\b(?![:.\d])", re.IGNORECASE)
_SPAN_AFTER = re.compile(r"^\s*(?:之间|期间|这段|这一段|之內|之内)")
_PARTS = (
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:凌晨|early morning)", re.IGNORECASE), 0, 6),
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:上午|早上|早晨|morning)", re.IGNORECASE), 6, 12),
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:下午|afternoon)", re.IGNORECASE), 12, 18),
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:晚上|夜里|evening|night)", re.IGNORECASE), 18, 24),
)
_EXCLUSIVE = re.compile(r"exclusive|excluding|不含|不包括", re.IGNORECASE)
_INCLUSIVE = re.compile(r"inclusive|including|\(含|（含|含这|包括", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    stop: int
    moment: Moment
    within_day: bool = False
    """Whether a date before it bounds an open end: "on July 1 before noon"."""
    covers: int = -1
    """Where the words of that date begin; -1 for none."""


def find_windows(question: str) -> tuple[list[Window], str]:
    """Every window a question names, and the question with their words blanked out.

    Several windows mean their union ("on 24 and 25 August"; "the hours 08:00, 09:00, 10:00").
    Quoted text must have been blanked out before: a quoted time is a text to look for.
    """
    spans = list(_LAST_SPAN.finditer(question))
    if spans:
        found = spans[0]
        return [_last_span(found)], _blank(question, [(found.start(), found.end())])
    marks = _marks(question)
    if not marks:
        for pattern, offset in _DAY_WORDS:
            word = pattern.search(question)
            if word:
                span = (word.start(), word.end())
                return [Window(day_offset=offset, words=word.group())], _blank(question, [span])
        return [], question
    windows: list[Window] = []
    used: list[tuple[int, int]] = []
    i = 0
    while i < len(marks):
        i += _take(question, marks, i, windows, used)
    return windows, _blank(question, used)


def _take(
    question: str,
    marks: list[_Mark],
    i: int,
    windows: list[Window],
    used: list[tuple[int, int]],
) -> int:
    """Make the window that begins at mark ``i``; returns how many marks it took."""
    mark = marks[i]
    before, after = question[: mark.start], question[mark.stop :]
    following = marks[i + 1] if i + 1 < len(marks) else None
    if following is not None and _is_range(question, mark, following):
        end = _inherit(following.moment, mark.moment)
        start = _inherit_date(mark.moment, end)
        words = question[mark.start : following.stop]
        windows.append(Window(start, end, _whole_end(question, end), words=words))
        used.append((mark.start, following.stop))
        return 2
    previous = windows[-1] if windows else None
    moment = mark.moment
    if previous is not None and previous.start is not None:
        moment = _inherit(moment, previous.start)
    listed = i > 0 and _LIST_JOIN.match(question[marks[i - 1].stop : mark.start]) is not None
    if listed and previous is not None and _is_point(previous):
        # "the hours starting at 08:00, 09:00 and 10:00": all of one size.
        assert previous.end is not None
        if previous.end.has_date == moment.has_date:
            moment = replace(moment, unit_s=max(moment.unit_s, previous.end.unit_s))
    begin = mark.covers if mark.covers >= 0 else mark.start
    window = _single(moment, before, after, question[begin : mark.stop])
    windows.append(_within_day(window) if mark.within_day else window)
    used.append((begin, mark.stop))
    return 1


def _within_day(window: Window) -> Window:
    """An open window cut to the day of its closed end."""
    if window.start is None and window.end is not None:
        return replace(window, start=replace(window.end, second_of_day=0.0))
    if window.end is None and window.start is not None:
        day = replace(window.start, second_of_day=None, unit_s=float(DAY_S))
        return replace(window, end=day, whole_end=True)
    return window


def _is_range(question: str, mark: _Mark, following: _Mark) -> bool:
    join = question[mark.stop : following.start]
    if _RANGE_JOIN.match(join):
        return True
    if _LIST_JOIN.match(join) is None:
        return False
    between = _BETWEEN.search(question[: mark.start]) is not None
    return between or _SPAN_AFTER.match(question[following.stop :]) is not None


def _is_point(window: Window) -> bool:
    return window.start is not None and window.start == window.end


def _single(moment: Moment, before: str, after: str, words: str) -> Window:
    """The window that one moment stands for, by the words around it."""
    if _TO_END.match(after):
        return Window(moment, None, words=words)
    if moment.second_of_day is not None and moment.unit_s < 3_600:
        if _HOUR_BEFORE.search(before) or _HOUR_AFTER.match(after):
            moment = replace(moment, unit_s=3_600.0)
            return Window(moment, moment, words=words)
        if _MINUTE_BEFORE.search(before) or _MINUTE_AFTER.match(after):
            moment = replace(moment, unit_s=60.0)
            return Window(moment, moment, words=words)
    if _AROUND.search(before) or _ZH_AROUND.match(after):
        return _around(moment, words)
    if _BEFORE.search(before) or _ZH_BEFORE.match(after):
        return Window(None, moment, False, words=words)
    if _ZH_AFTER.match(after) or (_AFTER.search(before) and _opens(moment, before)):
        return Window(moment, None, words=words)
    if moment.second_of_day is None:
        for pattern, low, high in _PARTS:
            if pattern.match(after):
                start = replace(moment, second_of_day=low * 3_600.0, unit_s=3_600.0)
                end = replace(moment, second_of_day=high * 3_600.0, unit_s=3_600.0)
                return Window(start, end, False, words=words)
    return Window(moment, moment, words=words)


def _opens(moment: Moment, before: str) -> bool:
    """Whether the word before leaves the end open; "the lines from 24 August" are of that day."""
    plain_from = re.search(r"(?:\bfrom\s+(?:the\s+)?|从)$", before, re.IGNORECASE)
    return not (plain_from and moment.second_of_day is None)


def _last_span(found: re.Match[str]) -> Window:
    amount, unit = found["n"] or found["zn"], found["unit"] or found["zunit"]
    if amount is None or amount.lower() in ("a", "an"):
        number = 1.0
    elif amount.lower().startswith("half") or amount == "半":
        number = 0.5
    elif amount.lower() == "few":
        number = 5.0
    else:
        number = float(amount) if amount.isdigit() else float(_zh_int(amount))
    return Window(last_s=number * _UNIT_S[unit.lower()], words=found.group())


def _marks(question: str) -> list[_Mark]:
    """Dates and clock times in order; a date and the clock time beside it become one."""
    dates: list[_Mark] = []
    taken: list[tuple[int, int]] = []

    def free(start: int, stop: int) -> bool:
        return all(stop <= a or start >= b for a, b in taken)

    for pattern in _DATE_PATTERNS:
        for found in pattern.finditer(question):
            moment = _date(found.groupdict())
            if moment is not None and free(*found.span()):
                dates.append(_Mark(*found.span(), moment))
                taken.append(found.span())
    if not dates:
        for found in _SHORT_DATE.finditer(question):
            moment = _date(found.groupdict())
            if moment is not None:
                dates.append(_Mark(*found.span(), moment))
                taken.append(found.span())
    for mark in list(dates):
        follow = _ONLY_DAY.match(question, mark.stop)
        if follow is None:
            follow = _ONLY_DAY.match(question, mark.stop + 1)
        if follow is not None and free(follow.start("d"), follow.end()):
            day = replace(mark.moment, day=int(follow["d"]))
            dates.append(_Mark(follow.start("d"), follow.end(), day))
            taken.append((follow.start("d"), follow.end()))
    clocks = [_Mark(*span, moment) for span, moment in _clock_times(question) if free(*span)]
    return _merge(question, sorted(dates + clocks, key=lambda mark: mark.start))


def _merge(question: str, marks: list[_Mark]) -> list[_Mark]:
    merged: list[_Mark] = []
    for mark in marks:
        last = merged[-1] if merged else None
        if last is not None:
            gap = question[last.stop : mark.start]
            close = re.fullmatch(
                r"[\s,，Tt(（]*(?:at|on|from|between|的|当天|这一天|那天|上|in the hour starting at"
                r"|during|in)?[\s,，]*(?:the\s+)?",
                gap,
                re.IGNORECASE,
            )
            from_range = re.search(r"from|between", gap, re.IGNORECASE) is not None
            complementary = last.moment.has_date != mark.moment.has_date
            if complementary and last.moment.has_date and _OPEN_GAP.match(gap):
                merged[-1] = replace(mark, moment=_join(last.moment, mark.moment), within_day=True)
                merged[-1] = replace(merged[-1], covers=last.start)
                continue
            if close and complementary and last.moment.has_date:
                start = mark.start if from_range else last.start
                if from_range:
                    merged.pop()
                    merged.append(_Mark(last.start, mark.stop, _join(last.moment, mark.moment)))
                else:
                    merged[-1] = _Mark(start, mark.stop, _join(last.moment, mark.moment))
                continue
            if (
                complementary
                and mark.moment.has_date
                and re.fullmatch(r"[\s,，]*(?:on|of|,)?\s*(?:the\s+)?", gap, re.IGNORECASE)
            ):
                # "from 22:50:00 to 22:59:59 on December 23": the date belongs to both.
                date = mark.moment
                merged[-1] = _Mark(last.start, mark.stop, _join(date, last.moment))
                if len(merged) > 1 and not merged[-2].moment.has_date:
                    join = question[merged[-2].stop : last.start]
                    if _RANGE_JOIN.match(join):
                        merged[-2] = replace(merged[-2], moment=_join(date, merged[-2].moment))
                continue
        merged.append(mark)
    return merged


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
        hour = _zh_half_day(_zh_int(match["h"]), match["part"])
        minute = 30 if match["half"] else _zh_int(match["mi"]) if match["mi"] else 0
        second = float(_zh_int(match["s"])) if match["s"] else 0.0
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


def _zh_int(text: str) -> int:
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_ZH_DIGITS.get(tens, 1) if tens else 1) * 10 + (_ZH_DIGITS.get(ones, 0))
    return _ZH_DIGITS.get(text[-1], 0)


def _inherit(moment: Moment, earlier: Moment) -> Moment:
    if moment.has_date or not earlier.has_date:
        if moment.has_date and moment.year is None and earlier.year is not None:
            return replace(moment, year=earlier.year)
        return moment
    return replace(moment, year=earlier.year, month=earlier.month, day=earlier.day)


def _inherit_date(start: Moment, end: Moment) -> Moment:
    """A range whose end has a date begins on it, unless it says otherwise."""
    if start.has_date or not end.has_date:
        return start
    return replace(start, year=end.year, month=end.month, day=end.day)


def _whole_end(question: str, end: Moment) -> bool:
    """Whether the unit that ends a range belongs to it: seconds and days do, round hours do not."""
    if _EXCLUSIVE.search(question):
        return False
    if end.second_of_day is None or end.unit_s <= 1 or _INCLUSIVE.search(question):
        return True
    return end.unit_s == 60 and end.second_of_day % 3_600 == 59 * 60


def _around(moment: Moment, words: str) -> Window:
    if moment.second_of_day is None:
        return Window(moment, moment, True, words=words)
    slack = 300.0 if moment.unit_s <= 60 else 1_800.0
    low = max(moment.second_of_day - slack, 0.0)
    high = min(moment.second_of_day + slack, DAY_S - 1.0)
    start = replace(moment, second_of_day=low)
    return Window(start, replace(moment, second_of_day=high, unit_s=1.0), True, words=words)


def _blank(question: str, spans: list[tuple[int, int]]) -> str:
    characters = list(question)
    for start, stop in spans:
        characters[start:stop] = " " * (stop - start)
    return "".join(characters)
