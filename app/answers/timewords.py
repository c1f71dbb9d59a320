"""What a question says about when, in English or Chinese."""

from __future__ import annotations

import re
from dataclasses import replace

from app.answers.moments import RANGE_JOIN, Mark, find_marks, zh_int
from app.answers.windows import DAY_S, Moment, Window

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
_SPAN_AFTER = re.compile(r"^\s*(?:之间|期间|这段|这一段|之內|之内)")
_PARTS = (
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:凌晨|early morning)", re.IGNORECASE), 0, 6),
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:上午|早上|早晨|morning)", re.IGNORECASE), 6, 12),
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:下午|afternoon)", re.IGNORECASE), 12, 18),
    (re.compile(r"^\s*(?:的|,|in the)?\s*(?:晚上|夜里|evening|night)", re.IGNORECASE), 18, 24),
)
_EXCLUSIVE = re.compile(r"exclusive|excluding|不含|不包括", re.IGNORECASE)
_INCLUSIVE = re.compile(r"inclusive|including|\(含|（含|含这|包括", re.IGNORECASE)


def find_windows(question: str) -> tuple[list[Window], str]:
    """Every window a question names, and the question with their words blanked out.

    Several windows mean their union ("on 24 and 25 August"; "the hours 08:00, 09:00, 10:00").
    Quoted text must have been blanked out before: a quoted time is a text to look for.
    """
    spans = list(_LAST_SPAN.finditer(question))
    if spans:
        found = spans[0]
        return [_last_span(found)], _blank(question, [(found.start(), found.end())])
    marks = find_marks(question)
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
    marks: list[Mark],
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


def _is_range(question: str, mark: Mark, following: Mark) -> bool:
    join = question[mark.stop : following.start]
    if RANGE_JOIN.match(join):
        return True
    if _LIST_JOIN.match(join) is None:
        return False
    between = mark.between or _BETWEEN.search(question[: mark.start]) is not None
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
        number = float(amount) if amount.isdigit() else float(zh_int(amount))
    return Window(last_s=number * _UNIT_S[unit.lower()], words=found.group())


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
