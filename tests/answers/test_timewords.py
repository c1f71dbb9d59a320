"""What a question says about when selects the lines of that time."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from app.answers.timewords import find_windows
from app.answers.windows import select

DAY = "2025-12-05"


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def chosen(question: str, *times: str) -> list[str]:
    """Which of the times the question means."""
    windows, _ = find_windows(question)
    flags = select(windows, np.array([seconds(time) for time in times]))
    return [time for time, flag in zip(times, flags, strict=True) if flag]


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("between 09:00:00 and 09:59:59", ["09:00:00", "09:59:59.900"], ["08:59:59", "10:00:00"]),
        ("from 9:15 to 9:20", ["09:15:00", "09:19:59"], ["09:20:00.001", "09:14:59"]),
        ("上午9点到10点之间", ["09:00:00", "09:59:59"], ["10:00:01", "21:30:00"]),
        ("下午三点半以后", ["15:30:00", "23:00:00"], ["15:29:59", "03:40:00"]),
        ("in the hour starting at 10:00", ["10:00:00", "10:59:59"], ["09:59:59", "11:00:00"]),
        ("in the minute 16:20", ["16:20:00", "16:20:59.5"], ["16:19:59", "16:21:00"]),
        ("at 04:30:05", ["04:30:05", "04:30:05.250"], ["04:30:04", "04:30:06"]),
        ("around 22:30", ["22:26:00", "22:34:00"], ["22:20:00", "22:40:00"]),
        ("since 3 o'clock", ["03:00:00", "23:59:59"], ["02:59:59"]),
        ("20:11:07 到 20:11:09(含这三秒)", ["20:11:07", "20:11:09.5"], ["20:11:06", "20:11:10"]),
        ("before noon", ["11:59:59", "00:00:00"], ["12:00:01"]),
        ("between 23:30 and 00:30", ["23:45:00", "00:10:00"], ["12:00:00", "01:00:00"]),
        ("hour 09", ["09:30:00"], ["10:30:00"]),
    ],
)
def test_clock_times(question: str, inside: list[str], outside: list[str]) -> None:
    times = [f"{DAY} {time}" for time in (*inside, *outside)]
    assert chosen(question, *times) == [f"{DAY} {time}" for time in inside]


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("on July 17", ["2005-07-17 00:00:00", "2005-07-17 23:59:59"], ["2005-07-18 00:00:00"]),
        ("On 17th of July, 2005", ["2005-07-17 12:00:00"], ["2006-07-17 12:00:00"]),
        ("2005 年 7 月 17 日", ["2005-07-17 12:00:00"], ["2005-07-16 12:00:00"]),
        ("7月16日和17日", ["2005-07-16 01:00:00", "2005-07-17 02:00:00"], ["2005-07-18 00:00:00"]),
        ("7月16日到18日", ["2005-07-17 01:00:00"], ["2005-07-19 00:00:00"]),
        (
            "on July 27 from 14:41:54 to the end of the log",
            ["2005-07-27 14:41:54", "2005-07-28 00:00:00"],
            ["2005-07-27 14:41:53"],
        ),
        (
            "From 22:50:00 to 22:59:59 on December 23",
            ["2005-12-23 22:55:00"],
            ["2005-12-22 22:55:00", "2005-12-23 23:00:00"],
        ),
        (
            "2016-09-28 的 04:30:00 到 04:30:59",
            ["2016-09-28 04:30:59.9"],
            ["2016-09-29 04:30:10", "2016-09-28 04:31:00"],
        ),
        ("on July 1 before noon", ["2005-07-01 11:00:00"], ["2005-06-30 11:00:00"]),
        (
            "from Dec 10 22:00 to Dec 11 02:00",
            ["2005-12-10 23:00:00", "2005-12-11 01:59:00"],
            ["2005-12-10 21:00:00", "2005-12-11 03:00:00"],
        ),
        ("11月10日上午", ["2005-11-10 09:00:00"], ["2005-11-10 15:00:00"]),
        ("yesterday", ["2005-11-10 09:00:00"], ["2005-11-11 08:00:00"]),
        (
            "in the last 10 minutes",
            ["2005-11-11 07:55:00", "2005-11-11 08:00:00"],
            ["2005-11-11 07:00:00"],
        ),
        ("最近半小时", ["2005-11-11 07:31:00", "2005-11-11 08:00:00"], ["2005-11-11 07:00:00"]),
    ],
)  # fmt: skip
def test_dates(question: str, inside: list[str], outside: list[str]) -> None:
    times = sorted((*inside, *outside))
    assert chosen(question, *times) == sorted(inside)


def test_midnight_of_the_day_a_log_begins_on_means_its_end() -> None:
    times = ("2017-12-23 22:15:29", "2017-12-23 23:59:59", "2017-12-24 00:00:01")
    assert chosen("12 月 23 日零点之前", *times) == list(times[:2])


@pytest.mark.parametrize(
    "question",
    [
        "what does 10.250.15.198:50010 do",
        "第一次是几点几分几秒?",
        "which of the 12 children failed with code 500",
        "version 6.1.7601",
        "how many times",
        "",
    ],
)
def test_what_is_no_time_is_left_alone(question: str) -> None:
    assert find_windows(question) == ([], question)


def test_lines_without_a_time_are_never_inside() -> None:
    windows, _ = find_windows("after 09:00")
    assert not select(windows, np.array([np.nan, np.nan])).any()
