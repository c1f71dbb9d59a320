"""The console from start to end: shown first, closed in order, whatever goes wrong between."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.answers.messages import AnswerText, Notice, Suggestions
from app.engine.messages import EnginePhase, EngineState, FinishReason
from app.errors import AppError
from app.session import engine_link
from app.ui import application
from app.ui.application import Console, render_screenshot, run_console
from app.ui.unattended import first_answer
from app.ui.window.main_window import MainWindow
from tests.ui.conftest import Bench, until
from tests.ui.fakes import FakeSession, answer


def test_the_console_runs_a_driver_leaves_a_picture_and_closes_the_session(tmp_path: Path) -> None:
    session = FakeSession()
    log = tmp_path / "line3.log"
    log.write_text("x\n")
    picture = tmp_path / "shots" / "console.png"

    async def drive(console: Console) -> int:
        assert console.window.isVisible()
        assert session.started
        console.ask("Why did line 3 stop?")
        await until(lambda: session.asked == ["Why did line 3 stop?"])
        return 7

    code = run_console(
        lambda: session, files=[log], size=(1280, 800), screenshot_path=picture, drive=drive
    )
    assert code == 7
    assert session.files == [log]
    assert session.closed
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1280, 800)


def test_the_window_is_shown_before_the_session_is_made(application: object) -> None:
    visible: list[bool] = []

    def make() -> FakeSession:
        visible.extend(
            widget.isVisible() for widget in QApplication.topLevelWidgets()
            if widget.objectName() == "window"
        )  # fmt: skip
        return FakeSession()

    async def drive(_console: Console) -> int:
        return 0

    assert run_console(make, drive=drive) == 0
    assert True in visible


def test_closing_the_window_closes_the_session_and_ends_the_console() -> None:
    session = FakeSession()

    async def drive(console: Console) -> int:
        console.window.close()
        await asyncio.Event().wait()
        return 0

    assert run_console(lambda: session, drive=drive) == 130
    assert session.closed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_in_order(number: signal.Signals) -> None:
    session = FakeSession()
    before = signal.getsignal(number)

    async def drive(_console: Console) -> int:
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()
        return 0

    assert run_console(lambda: session, drive=drive) == 130
    assert session.closed
    assert signal.getsignal(number) is before


def test_what_hinders_the_start_is_said_in_the_window(tmp_path: Path) -> None:
    session = FakeSession()
    said: list[str] = []

    async def start() -> None:
        raise AppError("The model file {name} is missing.", name="tiny.gguf")

    session.start = start  # type: ignore[method-assign]

    async def drive(console: Console) -> int:
        said.append(console.window.notices.message.text())
        return 0

    assert run_console(lambda: session, drive=drive) == 0
    assert said == ["The model file tiny.gguf is missing."]
    assert session.closed


def test_offscreen_the_window_has_the_size_of_a_terminal_and_qt_is_quiet(
    capfd: pytest.CaptureFixture[str],
) -> None:
    sizes: list[tuple[int, int]] = []

    async def drive(console: Console) -> int:
        sizes.append((console.window.width(), console.window.height()))
        return 0

    assert run_console(FakeSession, drive=drive) == 0
    assert sizes == [(1280, 800)]
    assert capfd.readouterr().err == ""


def test_no_session_at_all_ends_an_unattended_console() -> None:
    def make() -> FakeSession:
        raise AppError("The model file {name} is missing.", name="tiny.gguf")

    async def drive(_console: Console) -> int:
        return 0

    assert run_console(make, drive=drive) == 2


def test_a_session_that_fails_to_close_does_not_keep_the_console(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = FakeSession()

    async def close() -> None:
        await asyncio.Event().wait()

    async def drive(_console: Console) -> int:
        return 0

    session.close = close  # type: ignore[method-assign]
    monkeypatch.setattr("app.ui.application.CLOSE_TIMEOUT_S", 0.05)
    assert run_console(lambda: session, drive=drive) == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AppError("The log {name} is gone.", "Copy it.", name="a.log"), "The log a.log is gone."),
        (TimeoutError(), "The console was closed because its task took too long."),
    ],
)
def test_what_a_driver_fails_of_is_one_line_and_the_session_is_closed(
    capfd: pytest.CaptureFixture[str], error: Exception, said: str
) -> None:
    session = FakeSession()

    async def drive(_console: Console) -> int:
        raise error

    assert run_console(lambda: session, drive=drive) == 2
    assert session.closed
    line, rest = capfd.readouterr().err.split("\n", 1)
    assert line.startswith(f"anchorline: {said}")
    assert rest == ""


@pytest.mark.parametrize("where", ["driver", "start", "close"])
def test_after_an_error_in_the_program_nothing_is_left_running(where: str) -> None:
    session = FakeSession()
    windows: list[MainWindow] = []

    async def fail() -> None:
        raise ZeroDivisionError

    async def drive(console: Console) -> int:
        windows.append(console.window)
        if where == "driver":
            await fail()
        return 0

    if where in ("start", "close"):
        setattr(session, where, fail)
    with pytest.raises(ZeroDivisionError):
        run_console(lambda: session, drive=drive)
    assert session.closed or where == "close"
    left = {thread.name.rpartition("_")[0] for thread in threading.enumerate()}
    assert not left & {"log-filter", "timeline"}
    assert not any(window.isVisible() for window in windows)


def test_the_console_waits_longer_than_its_session_may_take_to_end() -> None:
    """The engine is given up only after its own time; the program must still be there then."""
    assert application.CLOSE_TIMEOUT_S > engine_link._JOIN_S


@pytest.mark.parametrize("name", ["folder.png", "file/x.png", "file/deep/x.png"])
def test_a_picture_that_cannot_be_written_is_an_error_in_words(
    bench: Bench, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AppError, match="Cannot write the screenshot"):
        render_screenshot(bench.window, tmp_path / name)


def test_an_operator_is_told_that_the_picture_was_not_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    session = FakeSession()
    (tmp_path / "file").write_text("in the way")

    async def drive(_console: Console) -> int:
        return 0

    picture = tmp_path / "file" / "x.png"
    assert run_console(lambda: session, drive=drive, screenshot_path=picture) == 2
    assert session.closed
    assert "Cannot write the screenshot" in capfd.readouterr().err


class AnsweringSession(FakeSession):
    """Answers each question at once."""

    def __init__(self, finish: FinishReason = FinishReason.COMPLETE) -> None:
        super().__init__()
        self.finish = finish

    def ask(self, question: str) -> str:
        answer_id = super().ask(question)
        self.emit(Notice("A file was rotated."))
        self.emit(AnswerText(answer_id, "Line 3 stopped."))
        self.write_answer(answer(answer_id, question=question, finish=self.finish))
        return answer_id


def test_unattended_the_first_suggestion_is_asked_and_its_answer_printed() -> None:
    session = AnsweringSession()
    out = io.StringIO()
    assert run_console(lambda: session, drive=lambda console: first_answer(console, out)) == 0
    assert session.asked == ["Why did line 3 stop?"]
    printed = out.getvalue()
    assert "> Why did line 3 stop?" in printed
    assert "Line 3 stopped." in printed
    assert "A file was rotated." in printed
    assert "line3.log:2: event 2" in printed


@pytest.mark.parametrize(
    ("checked", "printed_again"),
    [("Line 3\nstopped.", False), ("Line 3 stopped [1].", True), ("", False)],
)
def test_unattended_the_checked_answer_is_printed_where_it_is_another(
    checked: str, printed_again: bool
) -> None:
    class Checking(FakeSession):
        def ask(self, question: str) -> str:
            answer_id = super().ask(question)
            self.write_answer(answer(answer_id, text=checked), ("Line 3 ", "stopped."))
            return answer_id

    out = io.StringIO()
    assert run_console(Checking, drive=lambda console: first_answer(console, out)) == 0
    printed = out.getvalue()
    assert "Line 3 stopped." in printed
    assert ("Checked answer:\nLine 3 stopped [1]." in printed) is printed_again
    assert printed.count("stopped") == 1 + printed_again


def test_unattended_suggestions_may_come_late() -> None:
    session = AnsweringSession()
    session.suggestions = ()
    out = io.StringIO()

    async def drive(console: Console) -> int:
        asyncio.get_running_loop().call_soon(session.emit, Suggestions(("Which alarms repeat?",)))
        return await first_answer(console, out)

    assert run_console(lambda: session, drive=drive) == 0
    assert session.asked == ["Which alarms repeat?"]


@pytest.mark.parametrize("failure", ["answer", "engine"])
def test_unattended_without_an_answer_the_exit_code_says_so(failure: str) -> None:
    session = AnsweringSession(FinishReason.ERROR)
    if failure == "engine":
        session.suggestions = ()

    async def drive(console: Console) -> int:
        asyncio.get_running_loop().call_soon(session.emit, EngineState(EnginePhase.FAILED))
        return await first_answer(console, io.StringIO())

    assert run_console(lambda: session, drive=drive) == 2
