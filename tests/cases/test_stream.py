"""Log lines that were once read wrongly."""

from __future__ import annotations

import pytest

from app.stream.digest import Digest
from app.stream.parsing import LineParser
from app.stream.records import Record, Severity
from app.stream.templates import TemplateMiner


def parse(*lines: str) -> list[Record]:
    return LineParser("x.log", TemplateMiner(), 1_796_000_000.0).parse(lines, 1)


def test_an_android_alarm_is_a_timer_not_an_alarm() -> None:
    """The upper-case word for PLC alarms was looked for without regard to case."""
    line = "20171223-22:15:29:606|Step_SPUtils|30002312|Alarm uploadStaticsToDB totalSteps=7163"
    assert parse(line)[0].severity is Severity.UNKNOWN


def test_a_ratio_is_not_a_time() -> None:
    """Single digits were taken as hours, minutes and seconds."""
    assert parse("ratio 3:4:5 of water")[0].raw_time == ""


@pytest.mark.parametrize(
    ("line", "raw"),
    [
        ("date=2025-01-21 time=00:45:54 level=notice", "2025-01-21 time=00:45:54"),
        ('date="2025-01-21",time="00:45:54",level="notice"', '2025-01-21",time="00:45:54'),
        ('{"date": "2025-01-21", "time": "00:45:54"}', '2025-01-21", "time": "00:45:54'),
    ],
)
def test_date_and_time_under_two_keys_are_one_time(line: str, raw: str) -> None:
    """Only the time was read, and the day of the file's last change assumed."""
    record = parse(line)[0]
    assert (record.raw_time, record.time_s) == (raw, 1_737_420_354.0)


def test_a_day_first_date_with_two_digit_year() -> None:
    """It was read as year first, which spread 22 days over 21 years."""
    records = parse(*[f"{day:02}/11/26 08:00:00 x" for day in range(9, 31)])
    spread_s = (records[-1].time_s or 0.0) - (records[0].time_s or 0.0)
    assert spread_s == 21 * 86_400


def test_the_first_word_of_a_uniform_log_is_kept_in_the_digest() -> None:
    """It was taken for a host name and left out."""
    now_s = [60.0]
    digest = Digest(lambda: 1_000.0, clock=lambda: now_s[0])
    digest.add(
        parse(*[f"09:00:{second:02} frame {second} ok" for second in range(40)]), backlog=False
    )
    now_s[0] = 70.0
    assert all(" frame " in line.text for line in digest.poll())


@pytest.mark.parametrize("line", ["Apache/2.0 error log opened: 0 errors", "无故障", "errors=0"])
def test_a_denied_trouble_is_none(line: str) -> None:
    assert parse(line)[0].severity is Severity.UNKNOWN
