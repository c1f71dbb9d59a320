"""What the console needs of a session: the surface that app.session.Session offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.answers.messages import Answer
from app.session.events import SessionEvent
from app.stream.records import Record
from app.stream.store import LinePattern

__all__ = ["HistoryLike", "HistoryRowLike", "SessionEvent", "SessionLike", "StoreLike"]


class StoreLike(Protocol):
    """Lines read so far; safe to read from any thread."""

    def __len__(self) -> int: ...

    def record(self, index: int) -> Record: ...

    def records(self, start: int, stop: int) -> Sequence[Record]: ...

    def index_of(self, source: str, line: int) -> int | None: ...

    def line_numbers(self, start: int, stop: int) -> NDArray[np.uint32]: ...

    def severities(self, start: int, stop: int) -> NDArray[np.uint8]: ...

    def times_s(self, start: int, stop: int) -> NDArray[np.float64]: ...

    def match(
        self,
        pattern: LinePattern,
        start: int = 0,
        stop: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.int64]: ...


class HistoryRowLike(Protocol):
    """A past question as the history list shows it."""

    @property
    def id(self) -> str: ...

    @property
    def question(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def asked_at_s(self) -> float: ...

    @property
    def abstained(self) -> bool: ...

    @property
    def finish(self) -> str: ...


class HistoryLike(Protocol):
    """Past questions, read off the UI thread."""

    async def recent(self, limit: int = 200, search: str = "") -> Sequence[HistoryRowLike]: ...

    async def load(self, answer_id: str) -> Answer: ...


class SessionLike(Protocol):
    """A running session; every method is called on the event loop's thread.

    ``language`` is settable: suggestions and answers follow it.
    """

    language: str

    @property
    def store(self) -> StoreLike: ...

    @property
    def history(self) -> HistoryLike: ...

    @property
    def profile(self) -> str: ...

    @property
    def suggestions(self) -> tuple[str, ...]: ...

    def subscribe(self, callback: Callable[[SessionEvent], None]) -> Callable[[], None]: ...

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    def open_file(self, path: Path) -> None: ...

    def ask(self, question: str) -> str: ...

    def stop(self, answer_id: str | None = None) -> None: ...
