"""An operator at a real window: follows a log that is being written, asks, taps the evidence.

Run by test_console.py as a process of its own under a virtual display; also by hand:
``DISPLAY=:7 python -m tests.e2e.operator LOG QUESTION PROFILE OUT LANGUAGE``. It prints one JSON
object with what was seen and saves screenshots.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.config import Paths, Settings
from app.engine.messages import EnginePhase, EngineState, Telemetry
from app.session import Session
from app.stream.replay import replay
from app.ui.application import Console, render_screenshot, run_console

PATIENCE_S = 800
LINES_PER_S = 50.0


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something to become true on the screen."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"waited in vain: {what}") from None


def enter(field: QLineEdit, text: str) -> None:
    """Type a text: by keys, or, what no key has, as an input method commits it."""
    if text.isascii():
        QTest.keyClicks(field, text)
        return
    committed = QInputMethodEvent()
    committed.setCommitString(text)
    QCoreApplication.sendEvent(field, committed)


class Operator:
    """Drives the console by keys and clicks."""

    def __init__(self, log: Path, question: str, out: Path) -> None:
        self.log, self.question, self.out = log, question, out
        self.followed = out / log.name
        self.stop = threading.Event()
        self.seen: dict[str, Any] = {}

    def write_log(self) -> None:
        replay(self.log, self.followed, LINES_PER_S, stop=self.stop)

    async def drive(self, console: Console) -> int:
        writer = threading.Thread(target=self.write_log, daemon=True)
        writer.start()
        try:
            await self.work(console)
        finally:
            self.stop.set()
            await asyncio.get_running_loop().run_in_executor(None, writer.join)
        return 0

    async def work(self, console: Console) -> None:
        window, session = console.window, console.session
        ready = asyncio.Event()
        telemetry: list[Telemetry] = []

        def watch(event: object) -> None:
            if isinstance(event, EngineState) and event.phase is EnginePhase.READY:
                ready.set()
            if isinstance(event, Telemetry):
                telemetry.append(event)

        session.subscribe(watch)
        await until(ready.is_set, "the engine is ready")
        await until(lambda: len(session.store) >= 60, "60 lines of the log")
        await until(
            lambda: bool(telemetry) and telemetry[-1].cache.window_tokens > 0, "the log stands"
        )
        bar, turns = window.conversation.bar, window.conversation.turns
        enter(bar.field, self.question)
        QTest.mouseClick(bar.button, Qt.MouseButton.LeftButton)
        await until(lambda: bool(turns) and turns[-1].answer is not None, "an answer")
        turn = turns[-1]
        answer = turn.answer
        assert answer is not None
        await until(lambda: bool(turn.cards) or answer.abstained, "evidence cards")
        lines_before = len(session.store)
        await until(lambda: len(session.store) > lines_before, "the log goes on")
        render_screenshot(window, self.out / "answered.png")
        if turn.cards:
            card = turn.cards[0]
            QTest.mouseClick(card, Qt.MouseButton.LeftButton)
            view = window.log.view
            await until(lambda: view.current_record() is not None, "the cited line is chosen")
            record = view.current_record()
            assert record is not None
            self.seen["jumped_to"] = [record.source, record.number, record.text]
            self.seen["card"] = [card.citation.source, card.citation.line, card.citation.text]
            render_screenshot(window, self.out / "evidence.png")
        rows = await session.history.recent()
        self.seen |= {
            "platform": QGuiApplication.platformName(),
            "profile": session.profile,
            "answer": answer.text,
            "citations": [[c.source, c.line, c.text] for c in answer.citations],
            "target": answer.target,
            "ttft_ms": answer.ttft_ms,
            "history": [row.question for row in rows],
            "lines": len(session.store),
            "window_tokens": telemetry[-1].cache.window_tokens,
        }


def main(log: Path, question: str, profile: str, out: Path, language: str) -> int:
    """Run it; prints what was seen."""
    operator = Operator(log, question, out)
    settings = replace(Settings(), profile=profile, answer_tokens=64)

    def make_session() -> Session:
        session = Session(paths=Paths.default(), settings=settings)
        session.add_file(operator.followed, must_exist=False)
        return session

    code = run_console(
        make_session,
        theme_name="night",
        language=language,
        size=(1280, 800),
        drive=operator.drive,
    )
    print(json.dumps(operator.seen, ensure_ascii=False))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]), sys.argv[5]))
