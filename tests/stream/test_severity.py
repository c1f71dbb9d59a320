"""Severity from level fields first, from words second, and never from a denied word."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from app.stream.parsing import LineParser
from app.stream.records import Severity
from app.stream.severity import severity_of
from app.stream.templates import TemplateMiner

U, D, I, N, W, E, C = Severity  # noqa: E741


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        # level fields, as they stand once the time is taken out
        ("[error] mod_jk child workerEnv in error state 6", E),
        ("[notice] jk2_init() Found child 6725 in error slot", N),
        ("[core:error] [pid 12] AH00126", E),
        ("148 INFO dfs.DataNode: error while closing", I),
        ("- WARN  [SendWorker:1:QuorumCnxManager$SendWorker@688] - Send worker leaving", W),
        (", Info                  CBS    Failed to get next element", I),
        ("[main] ERROR c.e.Foo - boom", E),
        ("ERROR:root:boom", E),
        ("25746 INFO nova.osapi_compute.wsgi.server [req-1] GET", I),
        (" 1702  2395 D WindowManager: printFreezing", D),
        (" 1702  2395 E WindowManager: fail", E),
        ("E/ActivityManager( 1702): ANR", E),
        ("[W] low pressure", W),
        ('level=warn msg="slow"', W),
        ('{"level":"error","msg":"x"}', E),
        ('{"level":40,"msg":"x"}', W),
        ("[报警] 3号线停机", E),
        ("【警告】 温度高", W),
        ("[信息] 报警解除", I),
        ("FATAL:  the database system is starting up", C),
        ("CRIT   plc-3: line 3 stopped", C),
        ("NOTICE hmi-3: jam cleared", N),
        ("DEBUG gateway: 0 errors", D),
        # words
        ("sshd[1]: error: Received disconnect", E),
        ("sshd[1]: fatal: Write failed", C),
        ("sshd[1]: Failed password for root", W),
        ("logrotate: ALERT exited abnormally with [1]", E),
        ("kernel: Out of memory: Kill process 12", C),
        ("java.lang.NullPointerException: x", E),
        ("plc-3 emergency stop pressed", C),
        ("3号线停机", C),
        ("编码器故障", E),
        ("伺服报警 4012", E),
        ("温度告警", W),
        ("连接超时", W),
        ("warning: low disk", W),
        # no level, no trouble
        ("job done: 0 errors, 0 warnings", U),
        ("errors=0 failed=0", U),
        ("error_count: 0", U),
        ("error rate: 0.0%", U),
        ("no error found", U),
        ("finished without errors", U),
        ("alarm cleared", U),
        ("ECC error corrected", U),
        ("未发现故障", U),
        ("无报警", U),
        ("报警已解除", U),
        ("故障数 0", U),
        ("计划停机 完成", U),
        ("opened /var/log/error.log", U),
        ("opened app.error.log", U),
        ("handler ErrorHandler registered", U),
        ("timeout=30 retries=3", U),
        ("Alarm uploadStaticsToDB totalSteps=7163", U),
        ("belt speed 0.60 m/s", U),
        # trouble, although a number or a denial is near
        ("job done: 5 errors", E),
        ("10 errors", E),
        ("errors=7", E),
        ("error code: 0x80070001", E),
        ("no retry, error 17", E),
    ],
)
def test_severity_of_a_line(text: str, severity: Severity) -> None:
    assert severity_of(text) is severity


def severities(lines: list[str]) -> list[Severity]:
    return [record.severity for record in LineParser("x", TemplateMiner(), 0.0).parse(lines, 1)]


def test_a_syslog_priority_decides() -> None:
    assert severities(["<34>Oct 11 22:14:15 mymachine su: x", "<190>Oct 11 22:14:15 m su: x"]) == [
        C,
        I,
    ]


def test_zero_and_other_counts_of_one_template_differ() -> None:
    lines = ["08:00:01 scan: 0 errors", "08:00:02 scan: 3 errors", "08:00:03 scan: 0 errors"]
    assert severities(lines) == [U, E, U]


LEVELS = {
    "Apache.log": {E: 595, N: 1405},
    "HDFS.log": {I: 1920, W: 80},
    "Spark.log": {I: 2000},
    "Windows.log": {I: 2000},
    "Zookeeper.log": {I: 669, W: 1318, E: 13},
}


@pytest.mark.parametrize("name", sorted(LEVELS))
def test_levels_of_the_real_logs(sample_logs: Path, name: str) -> None:
    lines = (sample_logs / name).read_text(encoding="utf-8").splitlines()
    assert Counter(severities(lines)) == LEVELS[name]


def test_openssh_words(sample_logs: Path) -> None:
    lines = (sample_logs / "OpenSSH.log").read_text(encoding="utf-8").splitlines()
    found = severities(lines)
    for line, severity in zip(lines, found, strict=True):
        if "error:" in line:
            assert severity is E
        elif "fatal:" in line:
            assert severity is C
        elif "Accepted password" in line or "session opened" in line:
            assert severity is U
