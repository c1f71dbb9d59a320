"""Values of an answer are found in lines letter by letter, or are listed as unsupported."""

from __future__ import annotations

import pytest

from app.answers.citations import check_answer, clean_answer
from app.answers.view import Lines
from tests.answers.logs import store_of

LOG = """\
2025-06-02 07:30:36,101 INFO line3.plc: pressure 5.2 bar, tag P_101 ok
2025-06-02 07:31:00,000 WARN line3.plc: pressure 3.9 bar below limit 4.0 bar
2025-06-02 07:31:02,500 ERROR line3.plc: conveyor stopped by user lihua from 10.0.0.12 code E2001
2025-06-02 07:31:09,000 INFO gateway: session 0x14f05578bd80002 closed
2025-06-02 07:40:00,000 INFO line3.plc: conveyor started, 312 parts
"""


def check(text: str, question: str = "why did it stop?", evidence: tuple[int, ...] = (0, 1, 2)):  # type: ignore[no-untyped-def]
    return check_answer(text, Lines(store_of(LOG)), question=question, evidence=evidence)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The conveyor was stopped by user lihua.", {3}),
        ("Stopped at 07:31:02 with code E2001.", {3}),
        ("07时31分02秒停机,操作员 lihua。", {3}),
        ("Pressure fell from 5.2 bar to 3.9 bar.", {1, 2}),
        ("Session 0x14f05578bd80002 was closed.", {4}),
        ("It came from 10.0.0.12.", {3}),
        ("On 2025-06-02 there were 312 parts.", {5, 1}),
    ],
)
def test_cited_lines_hold_the_values(text: str, lines: set[int]) -> None:
    checked = check(text)
    assert checked.unsupported == ()
    assert {citation.line for citation in checked.citations} == lines


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It came from 10.0.0.1.", "10.0.0.1"),
        ("It stopped at 07:31:03.", "07:31:03"),
        ("There were 12 parts.", "12"),
        ("Pressure was 2.9 bar.", "2.9"),
        ("It was stopped by user wanglei.", "wanglei"),
        ("Tag P_102 failed.", "P_102"),
        ('The line says "conveyor jammed".', "conveyor jammed"),
        ("停机原因是 E2002。", "E2002"),
    ],
)
def test_values_found_nowhere_are_listed_with_their_place(text: str, value: str) -> None:
    checked = check(text)
    assert [item.text for item in checked.unsupported] == [value]
    place = checked.unsupported[0]
    assert checked.text[place.start : place.stop] == value


def test_what_the_question_itself_says_is_no_claim() -> None:
    checked = check("Code E9999 does not appear.", question="Is there a code E9999?")
    assert checked.unsupported == ()
    assert checked.citations == ()


def test_an_answer_without_values_cites_the_line_whose_words_it_uses() -> None:
    checked = check("The pressure was below its limit.")
    assert [citation.line for citation in checked.citations] == [2]


def test_an_invented_answer_cites_nothing() -> None:
    assert check("User bob used 10.9.8.7 on 2024-01-01.").citations == ()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Yes.<|im_end|>", "Yes."),
        ("Answer: it stopped.", "it stopped."),
        ("why did it stop?\nIt was stopped.", "It was stopped."),
        ("It stopped [line3.log:3].", "It stopped."),
        ("The line stopped here. " * 5, "The line stopped here."),
        ("stop stop stop stop stop stop stop stop stop", "stop"),
        ("1. root\n2. admin\n3. root", "1. root\n2. admin\n3. root"),
        ("No. No. It ran.", "No. No. It ran."),
        ("", ""),
    ],
)
def test_loops_echoes_and_remains_are_cut(text: str, clean: str) -> None:
    assert clean_answer(text, "why did it stop?")[0] == clean


def test_a_label_in_the_answer_is_a_hint_for_the_citation() -> None:
    text = "It stopped, as P_101 shows [sample.log:1]."
    assert clean_answer(text)[1] == [("sample.log", 1)]
    assert [citation.line for citation in check(text).citations] == [1]
