"""Past questions: list, search, an old answer with its evidence as it was."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.answers.messages import Citation
from app.engine.messages import FinishReason
from tests.ui.conftest import Bench, Run, until
from tests.ui.fakes import answer


def remember(bench: Bench) -> None:
    """Three old answers."""
    bench.session.history.answers = [
        answer("h1", question="Why did line 3 stop?"),
        answer("h2", question="E204 是什么？", finish=FinishReason.INTERRUPTED, text=""),
        answer("h3", question="Who was it?", abstained=True, citations=()),
    ]


def questions(bench: Bench) -> list[str]:
    """The list as shown."""
    model = bench.window.history.model
    return [model.index(row).data() for row in range(model.rowCount())]


def test_the_list_shows_past_questions_and_finds_them(bench: Bench, run: Run, qtbot: QtBot) -> None:
    remember(bench)
    page = bench.window.history

    async def story() -> None:
        qtbot.mouseClick(bench.window.header.history, Qt.MouseButton.LeftButton)
        assert page.isVisible()
        await until(lambda: len(questions(bench)) == 3)
        assert questions(bench)[0] == "Who was it?"
        qtbot.keyClicks(page.search, "e204")
        await until(lambda: questions(bench) == ["E204 是什么？"])

    run(story())


def test_an_old_answer_opens_with_its_lines_as_they_were(
    bench: Bench, run: Run, qtbot: QtBot
) -> None:
    remember(bench)
    page = bench.window.history
    bench.session.history.answers[0] = answer(
        "h1", citations=(Citation("gone.log", 7, "the text of that day"),)
    )

    async def story() -> None:
        bench.window.toggle_history()
        await until(lambda: len(questions(bench)) == 3)
        place = page.list.visualRect(page.model.index(2)).center()
        qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await until(lambda: page.turn is not None and page.turn.isVisible())
        assert page.turn is not None
        assert page.turn.text.text() == answer().text
        assert page.turn.cards[0].accessibleName() == "Line 7 of gone.log: the text of that day"
        qtbot.mouseClick(page.turn.cards[0], Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
        assert "not in the open log" in bench.window.notices.message.text()
        qtbot.mouseClick(page.back, Qt.MouseButton.LeftButton)
        assert page.list.isVisible()
        qtbot.mouseClick(page.back, Qt.MouseButton.LeftButton)
        assert bench.window.conversation.isVisible()

    run(story())


def test_an_answer_that_is_gone_is_said(bench: Bench, run: Run) -> None:
    async def story() -> None:
        bench.window.history.opened.emit("nowhere")
        await until(bench.window.notices.isVisible)

    run(story())
    assert bench.window.notices.message.text() == "The answer nowhere is not in the history."


def test_an_answer_that_could_not_be_opened_may_be_tapped_again(
    bench: Bench, run: Run, qtbot: QtBot
) -> None:
    remember(bench)
    page, history = bench.window.history, bench.session.history

    async def story() -> None:
        bench.window.toggle_history()
        await until(lambda: len(questions(bench)) == 3)
        place = page.list.visualRect(page.model.index(2)).center()
        kept, history.answers = history.answers, []
        qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await until(bench.window.notices.isVisible)
        history.answers = kept
        qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        await until(lambda: page.turn is not None and page.turn.isVisible())

    run(story())


def test_a_new_question_leads_back_to_the_conversation(bench: Bench, run: Run) -> None:
    async def story() -> None:
        bench.window.toggle_history()
        bench.controller.ask("And now?")

    run(story())
    assert bench.window.conversation.isVisible()
    assert not bench.window.header.history.isChecked()
