"""A session on the real tiny model and small logs of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from app.answers.messages import Answer, AnswerFinished
from app.config import Paths, Settings
from app.session import Session, SessionEvent

Result = TypeVar("Result")
PATIENCE_S = 180

LOG = """\
2026-11-30 08:00:01 INFO  gateway: heartbeat ok
2026-11-30 08:00:04 INFO  camera-2: frame 118 result=OK
2026-11-30 08:00:09 WARN  plc-3: encoder ENC-3 slip 6.0 %, limit 3.0 %
2026-11-30 08:00:12 ERROR plc-3: line 3 stopped: jam at station S3-07
2026-11-30 08:00:15 INFO  operator: badge 4471 reset the interlock
2026-11-30 08:00:19 INFO  camera-2: frame 119 result=OK
"""


class Running:
    """A started session with its events so far."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.events: list[SessionEvent] = []
        self._changed = asyncio.Event()
        session.subscribe(self._take)

    def _take(self, event: SessionEvent) -> None:
        self.events.append(event)
        self._changed.set()

    async def wait(self, accept: Callable[[SessionEvent], bool]) -> SessionEvent:
        """The first event, past or future, that is accepted."""
        seen = 0
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for event in self.events[seen:]:
                    if accept(event):
                        return event
                seen = len(self.events)
                self._changed.clear()
                await self._changed.wait()

    async def answer(self, question: str) -> Answer:
        """Ask, and wait for the checked answer."""
        return await self.finished(self.session.ask(question))

    async def finished(self, answer_id: str) -> Answer:
        """Wait for a checked answer."""
        event = await self.wait(
            lambda item: isinstance(item, AnswerFinished) and item.answer.id == answer_id
        )
        assert isinstance(event, AnswerFinished)
        return event.answer


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A small log file."""
    path = tmp_path / "line3.log"
    path.write_text(LOG, encoding="utf-8")
    return path


@pytest.fixture
def settings() -> Settings:
    """Short answers: tests need the path, not the prose."""
    return replace(Settings(), profile="tiny", answer_tokens=24, window_tokens=512)


def run_session(
    work: Callable[[Running], Awaitable[Result]], settings: Settings, *logs: Path
) -> Result:
    """Start a session, do some work with it, close it."""

    async def main() -> Result:
        session = Session(paths=Paths.default(), settings=settings)
        running = Running(session)
        await session.start()
        try:
            for path in logs:
                session.add_file(path)
            return await work(running)
        finally:
            await session.close()

    return asyncio.run(main())
