"""Asking, reading along, stopping; answers with evidence and answers without."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.answers.messages import (
    AnswerFinished,
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    Citation,
    Suggestions,
)
from app.engine.messages import FinishReason
from app.stream.records import Severity
from app.ui.marks import Level
from app.ui.window.conversation import MOST_TURNS
from tests.ui.conftest import Bench
from tests.ui.fakes import answer, record


def ask(bench: Bench, qtbot: QtBot, question: str) -> None:
    """Type a question and press Enter."""
    field = bench.window.conversation.bar.field
    field.clear()
    qtbot.keyClicks(field, question)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_enter_asks_and_empties_the_field(bench: Bench, qtbot: QtBot) -> None:
    ask(bench, qtbot, "Why did line 3 stop?")
    assert bench.session.asked == ["Why did line 3 stop?"]
    assert bench.window.conversation.bar.field.text() == ""
    assert bench.window.conversation.turns[0].question.text() == "Why did line 3 stop?"


def test_the_button_asks_then_stops_in_the_same_place(bench: Bench, qtbot: QtBot) -> None:
    bar = bench.window.conversation.bar
    assert not bar.button.isEnabled()
    bar.field.setText("E204?")
    place = bar.button.geometry()
    assert bar.button.text() == "Ask"
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert bench.session.asked == ["E204?"]
    assert bar.button.text() == "Stop"
    assert bar.button.geometry() == place
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(bench.window, Qt.Key.Key_Escape)
    assert bench.session.stopped == ["a1", "a1"]
    bench.session.emit(AnswerFinished(answer("a1", finish=FinishReason.STOPPED)))
    assert bar.button.text() == "Ask"


def test_stop_reaches_the_answer_on_the_screen_and_what_waits_behind_it(
    bench: Bench, qtbot: QtBot
) -> None:
    bar = bench.window.conversation.bar
    ask(bench, qtbot, "Why did line 3 stop?")
    bench.session.ask("Which alarms repeat?")  # by another front end of the session
    bench.session.emit(AnswerText("a1", "Line 3 stopped"))
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert bench.session.stopped == ["a1", "a2"]
    bench.session.emit(AnswerFinished(answer("a1", finish=FinishReason.STOPPED)))
    assert bar.button.text() == "Stop", "one is still open"
    bench.session.emit(AnswerFinished(answer("a2", finish=FinishReason.STOPPED)))
    assert bar.button.text() == "Ask"


def test_escape_does_nothing_when_no_answer_is_written(bench: Bench, qtbot: QtBot) -> None:
    qtbot.keyClick(bench.window, Qt.Key.Key_Escape)
    assert bench.session.stopped == []


def test_words_appear_as_they_come_and_the_checked_answer_replaces_them(
    bench: Bench, qtbot: QtBot
) -> None:
    ask(bench, qtbot, "Why?")
    turn = bench.window.conversation.turns[0]
    bench.session.emit(AnswerPrefill("a1", 40, 312))
    assert turn.progress.isVisible()
    assert (turn.progress.value(), turn.progress.maximum()) == (40, 312)
    assert turn.progress_text.text() == "Reading the question and its lines: 40 of 312 tokens"
    for word in ("Line 3 ", "stopped ", "because"):
        bench.session.emit(AnswerText("a1", word))
    qtbot.waitUntil(lambda: turn.text.text() == "Line 3 stopped because")
    assert not turn.progress.isVisible()
    bench.session.emit(AnswerFinished(answer("a1", text="Line 3 stopped.")))
    assert turn.text.text() == "Line 3 stopped."
    assert turn.metrics.text().startswith("first word 0.41 s · 23.4 tokens/s · 312 tokens read")


def test_words_that_wait_to_be_drawn_do_not_follow_the_final_answer(
    bench: Bench, qtbot: QtBot
) -> None:
    ask(bench, qtbot, "Why?")
    turn = bench.window.conversation.turns[0]
    bench.session.emit(AnswerText("a1", "first"))
    bench.session.emit(AnswerText("a1", " late"))
    bench.session.emit(AnswerFinished(answer("a1", text="final")))
    bench.window.conversation.show_words.flush()
    assert turn.text.text() == "final"


def test_a_card_for_each_cited_line_leads_to_it(bench: Bench, qtbot: QtBot) -> None:
    bench.session.append(
        [record(n + 1, severity=Severity.ERROR if n == 1 else Severity.INFO) for n in range(400)]
    )
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 400)
    cited = (Citation("line3.log", 2, "event 2"), Citation("line3.log", 300, "event 300"))
    bench.session.write_answer(answer("a1", citations=cited))
    turn = bench.window.conversation.turns[0]
    assert turn.rests_on.text() == "Rests on 2 lines"
    assert [card.accessibleName() for card in turn.cards] == [
        "Line 2 of line3.log: event 2",
        "Line 300 of line3.log: event 300",
    ]
    qtbot.mouseClick(turn.cards[0], Qt.MouseButton.LeftButton)
    chosen = bench.window.log.view.current_record()
    assert chosen is not None
    assert chosen.number == 2
    assert bench.window.log.view.is_cited(1)
    assert bench.window.log.view.is_cited(299)


def test_an_abstained_answer_is_plain_and_looks_different(bench: Bench) -> None:
    bench.session.write_answer(
        answer("a1", abstained=True, citations=(), text="The log does not say.")
    )
    turn = bench.window.conversation.turns[0]
    assert turn.verdict.isVisible()
    assert turn.verdict.text() == "No answer: the log does not say"
    assert turn.box.property("abstained") is True
    assert not turn.cards
    assert not turn.rests_on.isVisible()


@pytest.mark.parametrize(
    ("finish", "level", "words"),
    [
        (FinishReason.STOPPED, Level.NOTICE, "Stopped: written up to here"),
        (FinishReason.LENGTH, Level.NOTICE, "Cut at the length limit"),
        (FinishReason.LOOP, Level.NOTICE, "Cut where it began to repeat itself"),
        (FinishReason.ERROR, Level.WARNING, "Failed: no complete answer"),
    ],
)
def test_an_answer_that_did_not_end_by_itself_says_why(
    bench: Bench, finish: FinishReason, level: Level, words: str
) -> None:
    bench.session.write_answer(answer("a1", finish=finish))
    verdict = bench.window.conversation.turns[0].verdict
    assert verdict.isVisible()
    assert (verdict.level, verdict.text()) == (level, words)


def test_an_answer_is_never_taken_for_markup(bench: Bench) -> None:
    hostile = '<a href="file:///etc/passwd">click</a> <img src="http://example.invalid/x.png">'
    bench.session.write_answer(
        answer(
            "a1", question="<h1>?</h1>", text=hostile, citations=(Citation("<i>.log", 1, hostile),)
        )
    )
    turn = bench.window.conversation.turns[0]
    assert turn.text.text() == hostile
    assert turn.question.text() == "<h1>?</h1>"
    assert hostile in turn.cards[0].accessibleName()


def test_a_suggestion_is_asked_by_one_tap(bench: Bench, qtbot: QtBot) -> None:
    bench.session.emit(Suggestions(("What & why?", "Which alarms repeat?")))
    conversation = bench.window.conversation
    welcome = conversation.welcome_chips()
    assert [chip.accessibleName() for chip in welcome] == ["What & why?", "Which alarms repeat?"]
    qtbot.mouseClick(welcome[0], Qt.MouseButton.LeftButton)
    assert bench.session.asked == ["What & why?"]
    assert conversation.chips.isVisible()


def offered(bench: Bench) -> list[QWidget]:
    """The suggestions that may be tapped, from left to right."""
    chips = bench.window.conversation.chips.findChildren(QPushButton)
    return sorted((chip for chip in chips if chip.isVisible()), key=lambda chip: chip.x())


def click(window: QWidget, place: QPoint) -> None:
    """A click at a place of the window, whatever is there."""
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=place)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_suggestion_that_is_tapped_twice_is_asked_once(
    bench: Bench, qtbot: QtBot, at_once: bool
) -> None:
    """Whether its answer takes a while or is computed before the second tap lands."""
    window, session = bench.window, bench.session
    session.write_answer(answer("a0"))
    qtbot.waitUntil(lambda: len(offered(bench)) == 2 and offered(bench)[0].width() > 100)
    chip = offered(bench)[0]
    place = chip.mapTo(window, chip.rect().center())
    click(window, place)
    assert session.asked == ["Why did line 3 stop?"]
    if at_once:
        session.write_answer(answer("a1"))
    qtbot.waitUntil(lambda: isinstance(window.childAt(place), QPushButton))
    click(window, place)
    assert session.asked == ["Why did line 3 stop?"]
    session.write_answer(answer("a1"))
    qtbot.waitUntil(lambda: all(chip.isEnabled() for chip in offered(bench)))
    click(window, place)
    assert session.asked == ["Why did line 3 stop?"] * 2


def test_a_question_that_is_open_is_not_asked_again(bench: Bench) -> None:
    bench.controller.ask("Why did line 3 stop?")
    bench.controller.ask("Why did line 3 stop?")
    assert bench.session.asked == ["Why did line 3 stop?"]


def test_an_old_answer_makes_room_after_many(bench: Bench) -> None:
    for number in range(MOST_TURNS + 5):
        bench.session.emit(AnswerStarted(f"a{number}", f"question {number}"))
        bench.session.write_answer(answer(f"a{number}", question=f"question {number}"))
    turns = bench.window.conversation.turns
    assert len(turns) == MOST_TURNS
    assert turns[0].question.text() == "question 5"


def test_the_question_of_a_long_answer_stays_in_view(bench: Bench, qtbot: QtBot) -> None:
    cited = tuple(Citation("line3.log", n, f"line {n} " * 30) for n in range(1, 12))
    bench.session.write_answer(answer("a1", citations=()))
    ask(bench, qtbot, "And then?")
    bench.session.write_answer(answer("a1", question="And then?", citations=cited))
    conversation = bench.window.conversation
    turn = conversation.turns[-1]
    bar = conversation.scroller.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == min(turn.y(), bar.maximum()) and bar.maximum() > 0)
    assert turn.question.visibleRegion().boundingRect().height() > 0


def test_copy_takes_question_answer_and_lines(bench: Bench, qtbot: QtBot) -> None:
    bench.session.write_answer(answer("a1"))
    turn = bench.window.conversation.turns[0]
    qtbot.mouseClick(turn.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == (
        "Why did line 3 stop?\n\nLine 3 stopped because the light curtain was broken.\n\n"
        "line3.log:2: event 2"
    )
