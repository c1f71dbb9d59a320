"""What a question quotes and names is found in it."""

from __future__ import annotations

import re

import pytest

from app.answers.terms import read_terms, word_pattern


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ('lines with "Failed password"?', [("Failed password",)]),
        ("lines with 'Failed password' in them", [("Failed password",)]),
        ("含有“气压低于下限”的行", [("气压低于下限",)]),
        ("含有「急停」的行", [("急停",)]),
        ("lines with `kernel: oom`", [("kernel: oom",)]),
        ('"Found block ... locally"', [("Found block", "locally")]),
        ('"Found block … locally"', [("Found block", "locally")]),
        ('"Can\'t find child" first', [("Can't find child",)]),
        ("the server's log doesn't say why", []),
    ],
)
def test_quoted_text(question: str, parts: list[tuple[str, ...]]) -> None:
    assert [literal.parts for literal in read_terms(question).literals] == parts


@pytest.mark.parametrize(
    "identifier",
    [
        "10.251.99.99",
        "10.251.99.99:50010",
        "0x800f080d",
        "blk_-6952295868487656571",
        "node-246",
        "R02-M1-N0-C:J12-U11",
        "S40-RUN",
        "tty5",
        "KB4012212",
        "/var/log/messages",
        "myid=4",
        "rdd_2_0",
        "org.apache.hadoop.ipc.Client",
        "b9000564-fe1a-409b-b8cc-1e88b294cd1d",
        "00:1a:2b:3c:4d:5e",
        "android.intent.action.SCREEN_ON",
    ],
)
@pytest.mark.parametrize("question", ["What did {} do?", "{} 做了什么?", "为什么 {} 停了?"])
def test_identifiers(question: str, identifier: str) -> None:
    assert read_terms(question.format(identifier)).identifiers == (identifier,)


@pytest.mark.parametrize(
    ("question", "level"),
    [
        ("How many ERROR lines are there?", "error"),
        ("lines with the level [error]", "error"),
        ("count the warnings: how many warnings are there", "warning"),
        ("级别为 FATAL 的日志", "fatal"),
        ("警告级别的记录有几条", "warning"),
        ("Count the lines with level W.", "warning"),
    ],
)
def test_levels(question: str, level: str) -> None:
    assert read_terms(question).levels == (level,)


def test_a_log_s_own_name_is_no_term() -> None:
    terms = read_terms("What is going on in OpenSSH.log?", ["OpenSSH.log"])
    assert (terms.identifiers, terms.words, terms.names) == ((), (), ())


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ('How many lines contain "气压低于下限"?', "en"),
        ('"Failed password" 有多少行?', "zh"),
        ("哪个 IP 最多", "zh"),
        ("", "en"),
    ],
)
def test_language_is_that_of_the_words_outside_quotes(question: str, language: str) -> None:
    assert read_terms(question).language == language


def test_known_terms_of_several_words_stay_whole() -> None:
    assert read_terms("When was the emergency stop pressed?").words[0] == "emergency stop"


@pytest.mark.parametrize(
    ("word", "line", "found"),
    [
        ("detect", "Detected 731 MHz processor", True),
        ("detected", "auto-detect failed", True),
        ("altitude", "totalAltitude=240", True),
        ("rate", "calculateCalories separate", False),
        ("kill", "skill level", False),
        ("cat", "location category", False),
        ("温度", "焊头温度,41", True),
    ],
)
def test_words_are_found_in_any_form_but_not_inside_others(
    word: str, line: str, found: bool
) -> None:
    assert (re.search(word_pattern(word), line) is not None) == found
