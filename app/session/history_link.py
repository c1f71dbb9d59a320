"""The history on a thread of its own: SQLite never runs on the loop's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from app.answers.messages import Answer, Citation
from app.engine.messages import FinishReason
from app.errors import AppError
from app.history.rows import HistoryNotice, HistoryRow, StoredAnswer
from app.history.store import History, open_history

logger = logging.getLogger("anchorline.session")

Result = TypeVar("Result")


class HistoryLink:
    """Opens the history on one thread and runs everything there, in order.

    Arguments:
        path: the SQLite file; None keeps the history in memory.
        owner: whether what was never finished there was cut off by the end of this program; false
            for a one-shot command that may run beside a console.
    """

    def __init__(self, path: Path | None, *, owner: bool = True) -> None:
        self._path = path
        self._owner = owner
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="history")
        self._history: History | None = None

    async def open(self) -> HistoryNotice | None:
        """Open it; where the file cannot be used the history is kept in memory.

        Returns:
            What the operator should be told, or None.
        """
        return await self._call(self._open)

    async def run(self, action: Callable[[History], Result]) -> Result:
        """Run an action on the history's thread.

        Raises:
            AppError: as the action does.
        """
        return await self._call(lambda: action(self._opened()))

    async def recent(self, limit: int = 200, search: str = "") -> list[HistoryRow]:
        """The latest questions, newest first."""
        return await self.run(lambda history: list(history.recent(limit, search)))

    async def load(self, answer_id: str) -> Answer:
        """An old answer with its evidence as it was.

        Raises:
            AppError: there is no such answer.
        """
        try:
            return _as_answer(await self.run(lambda history: history.load(answer_id)))
        except KeyError as error:
            raise AppError(
                "This answer is no longer in the history.", "Search for its question."
            ) from error

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        if self._history is not None:
            await self._call(self._history.close)
        self._thread.shutdown()

    async def _call(self, action: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, action)

    def _open(self) -> HistoryNotice | None:
        self._history = history = open_history(self._path) if self._path else History(None)
        interrupted = history.mark_interrupted() if self._owner else 0
        if interrupted:
            logger.info("%d answers were cut off when the program last ended", interrupted)
        return history.notice

    def _opened(self) -> History:
        assert self._history is not None, "open() comes first"
        return self._history


def _as_answer(stored: StoredAnswer) -> Answer:
    return Answer(
        id=stored.id,
        question=stored.question,
        text=stored.text,
        abstained=stored.abstained,
        citations=tuple(Citation(c.source, c.line, c.text) for c in stored.citations),
        finish=_finish(stored.finish),
        asked_at_s=stored.asked_at_s,
        ttft_ms=stored.ttft_ms,
        prefill_tokens=stored.prefill_tokens,
        answer_tokens=stored.answer_tokens,
        tokens_per_s=stored.tokens_per_s,
        target=stored.target,
        draft=stored.draft,
        backend=stored.backend,
        seed=stored.seed,
    )


def _finish(stored: str) -> FinishReason:
    """A word that this version does not know was written by another one: the answer has ended."""
    try:
        return FinishReason(stored or FinishReason.INTERRUPTED)
    except ValueError:
        return FinishReason.COMPLETE
