"""Times are read as the line writes them; what had to be assumed is known."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from app.stream.parsing import LineParser
from app.stream.records import Record
from app.stream.templates import TemplateMiner
from app.stream.timestamps import Clock, find_family

WRITTEN_AT_S = datetime(2026, 11, 30, 12, 0, tzinfo=UTC).timestamp()


def parse(lines: list[str], written_at_s: float = WRITTEN_AT_S) -> list[Record]:
    return LineParser("x.log", TemplateMiner(), written_at_s).parse(lines, 1)


def when(record: Record) -> str:
    assert record.time_s is not None
    return datetime.fromtimestamp(record.time_s, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


@pytest.mark.parametrize(
    ("line", "raw", "moment"),
    [
        ("Dec 10 06:55:46 LabSZ sshd[1]: x", "Dec 10 06:55:46", "2025-12-10 06:55:46.000"),
        ("Jun  4 15:16:01 combo kernel: x", "Jun  4 15:16:01", "2026-06-04 15:16:01.000"),
        (
            "[Sun Dec 04 04:47:44 2005] [error] x",
            "Sun Dec 04 04:47:44 2005",
            "2005-12-04 04:47:44.000",
        ),
        ("081109 203615 148 INFO dfs: x", "081109 203615", "2008-11-09 20:36:15.000"),
        ("17/06/09 20:10:40 INFO x", "17/06/09 20:10:40", "2017-06-09 20:10:40.000"),
        ("20171223-22:15:29:606|Step|1|x", "20171223-22:15:29:606", "2017-12-23 22:15:29.606"),
        ("20171224-1:2:35:789|Step|1|x", "20171224-1:2:35:789", "2017-12-24 01:02:35.789"),
        ("2016-09-28 04:30:30, Info   CBS    x", "2016-09-28 04:30:30", "2016-09-28 04:30:30.000"),
        (
            "2015-07-29 17:41:44,747 - INFO  [a] - x",
            "2015-07-29 17:41:44,747",
            "2015-07-29 17:41:44.747",
        ),
        ("2026-11-30T08:00:01.250Z start", "2026-11-30T08:00:01.250Z", "2026-11-30 08:00:01.250"),
        ("2026-11-30T08:00:01+08:00 start", "2026-11-30T08:00:01+08:00", "2026-11-30 08:00:01.000"),
        (
            "<34>1 2003-10-11T22:14:15.003Z host su - ID47 - x",
            "2003-10-11T22:14:15.003Z",
            "2003-10-11 22:14:15.003",
        ),
        (
            "2005-06-03-15.42.50.675872 R02 RAS x",
            "2005-06-03-15.42.50.675872",
            "2005-06-03 15:42:50.675",
        ),
        (
            "nova.log 2017-05-16 00:00:00.008 25746 INFO x",
            "2017-05-16 00:00:00.008",
            "2017-05-16 00:00:00.008",
        ),
        (
            '1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200',
            "10/Oct/2000:13:55:36 -0700",
            "2000-10-10 13:55:36.000",
        ),
        (
            "03-17 16:13:38.811  1702  2395 D Tag: x",
            "03-17 16:13:38.811",
            "2026-03-17 16:13:38.811",
        ),
        ("[10.30 16:49:06] chrome.exe - x", "10.30 16:49:06", "2026-10-30 16:49:06.000"),
        ("1077804742 node-246 x", "1077804742", "2004-02-26 14:12:22.000"),
        ("1077804742.250 node-246 x", "1077804742.250", "2004-02-26 14:12:22.250"),
        ('{"ts":1700000000123,"msg":"x"}', "1700000000123", "2023-11-14 22:13:20.123"),
        ("2026年11月30日 8时5分9秒 启动", "2026年11月30日 8时5分9秒", "2026-11-30 08:05:09.000"),
        ("30.11.2026 08:05:09 Start", "30.11.2026 08:05:09", "2026-11-30 08:05:09.000"),
        ("11/30/2026 02:05:09 PM Start", "11/30/2026 02:05:09 PM", "2026-11-30 14:05:09.000"),
        ("20261130 080509 start", "20261130 080509", "2026-11-30 08:05:09.000"),
        ("09:15:02.345 start", "09:15:02.345", "2026-11-30 09:15:02.345"),
        ("E1130 08:05:09.123456  12 a.go:3] x", "1130 08:05:09.123456", "2026-11-30 08:05:09.123"),
        ("12 Nov 2026 08:05:09.001 # x", "12 Nov 2026 08:05:09.001", "2026-11-12 08:05:09.001"),
        ("2016-12-31 23:59:60 leap", "2016-12-31 23:59:60", "2017-01-01 00:00:00.000"),
    ],
)
def test_the_usual_families(line: str, raw: str, moment: str) -> None:
    record = parse([line])[0]
    assert (record.raw_time, when(record)) == (raw, moment)


def test_a_line_without_time_has_none_and_keeps_its_text() -> None:
    records = parse(["2026-11-30 08:00:00 failed:", "  at module.c:12", "2026-11-30 08:00:01 ok"])
    assert [record.raw_time for record in records] == [
        "2026-11-30 08:00:00",
        "",
        "2026-11-30 08:00:01",
    ]
    assert records[1].time_s is None


def test_numbers_are_not_times() -> None:
    records = parse(
        ["value 12345 of 1514038530000 ticks", "ratio 3:4:5 of 99:99:99", "id 20269999"]
    )
    assert [record.time_s for record in records] == [None, None, None]


def test_midnight_starts_a_new_day_where_only_the_time_is_written() -> None:
    records = parse(["23:59:58 a", "23:59:59 b", "00:00:01 c", "00:00:02 d"])
    gaps = [round((b.time_s or 0) - (a.time_s or 0)) for a, b in pairwise(records)]
    assert gaps == [1, 2, 1]


def test_a_straggler_from_before_midnight_does_not_disturb_its_neighbours() -> None:
    records = parse(["23:59:58 a", "00:00:01 b", "23:59:59 late", "00:00:02 c"])
    first = records[0].time_s or 0
    assert [round((record.time_s or 0) - first) for record in records] == [0, 3, 1, 4]


def test_new_year_starts_a_new_year_where_no_year_is_written() -> None:
    written = datetime(2026, 1, 2, tzinfo=UTC).timestamp()
    records = parse(["Dec 31 23:59:59 h a: x", "Jan  1 00:00:01 h a: x"], written)
    assert [when(record)[:19] for record in records] == [
        "2025-12-31 23:59:59",
        "2026-01-01 00:00:01",
    ]


def test_a_line_out_of_order_keeps_its_own_time() -> None:
    records = parse(["Jun 14 15:16:01 h a: x", "Jun 13 15:16:01 h a: x", "Jun 14 15:16:02 h a: x"])
    assert [when(record)[5:10] for record in records] == ["06-14", "06-13", "06-14"]


def test_the_order_of_an_ambiguous_date_is_taken_from_the_other_lines() -> None:
    european = parse([f"{day:02}/11/26 08:00:00 x" for day in range(9, 31)])
    assert when(european[-1])[:10] == "2026-11-30"
    american = parse([f"11/{day:02}/2026 08:00:00 x" for day in range(9, 31)])
    assert when(american[-1])[:10] == "2026-11-30"


def test_what_was_assumed_is_said() -> None:
    yearless = LineParser("x", TemplateMiner(), WRITTEN_AT_S)
    yearless.parse(["Jun 14 15:16:01 h a: x"], 1)
    assert "year" in yearless.time_assumption
    full = LineParser("x", TemplateMiner(), WRITTEN_AT_S)
    full.parse(["2026-11-30 08:00:00 x"], 1)
    assert full.time_assumption == ""


def test_29_february_is_read_in_a_log_without_years() -> None:
    written = datetime(2025, 3, 1, tzinfo=UTC).timestamp()
    assert when(parse(["Feb 29 10:00:00 h a: x"], written)[0])[:10] == "2024-02-29"


def test_the_format_is_found_once_not_line_by_line() -> None:
    parser = LineParser("x", TemplateMiner(), WRITTEN_AT_S)
    parser.parse([f"2026-11-30 08:00:{second:02} x" for second in range(30)], 1)
    assert parser.parse(["Dec 10 06:55:46 h a: x"], 31)[0].raw_time == ""


FAMILIES = {
    "Apache.log": "apache",
    "HDFS.log": "ymd2-digits",
    "HealthApp.log": "compact",
    "Linux.log": "syslog",
    "OpenSSH.log": "syslog",
    "Spark.log": "ymd2",
    "Windows.log": "iso",
    "Zookeeper.log": "iso",
}


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_every_line_of_the_real_logs_has_its_time(sample_logs: Path, name: str) -> None:
    lines = (sample_logs / name).read_text(encoding="utf-8").splitlines()
    family = find_family(lines[:100])
    assert family is not None
    assert family.name == FAMILIES[name]
    clock = Clock(family, WRITTEN_AT_S)
    times = [clock.read(line) for line in lines]
    assert [line for line, time in zip(lines, times, strict=True) if time.time_s is None] == []
    assert all(time.start <= 1 for time in times)
