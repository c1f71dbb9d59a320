"""One question, from the operator's words to a checked answer in the history."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TypeVar

from app.answers.composing import Prepared, check, prepare
from app.answers.messages import (
    Answer,
    AnswerFinished,
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    Notice,
)
from app.answers.view import SearchStopped
from app.config import Settings
from app.engine.messages import (
    AnswerEnd,
    Ask,
    FinishReason,
    PrefillProgress,
    Stop,
    TokenText,
)
from app.errors import AppError
from app.history.store import History
from app.session.engine_link import EngineLink
from app.session.events import SessionEvent
from app.session.history_link import HistoryLink
from app.stream.store import LogStore

logger = logging.getLogger("anchorline.session")

Result = TypeVar("Result")

CODE = "code"
"""``backend`` of an answer that was computed and never needed a model."""


@dataclass(slots=True)
class _Open:
    """A question that has no final answer yet."""

    question: str
    asked_at_s: float
    started_s: float
    end: asyncio.Future[AnswerEnd]
    stopped: bool = False
    asked_engine: bool = False
    first_word_s: float = 0.0
    task: asyncio.Task[None] | None = field(default=None)

    def is_stopped(self) -> bool:
        """Whether the operator has stopped it meanwhile."""
        return self.stopped

    @property
    def ttft_ms(self) -> float:
        """From the tap to the model's first word: search, history and waiting included."""
        return (self.first_word_s - self.started_s) * 1000 if self.first_word_s else 0.0


class Asking:
    """Runs questions one after the other; all methods on the loop's thread.

    Arguments:
        store: the log.
        engine: answers what code alone cannot; read at each use, since a profile may be changed.
        history: keeps every question from the moment it is asked.
        settings: token budgets, temperature, seed.
        in_force: what is recorded with every question: settings and sizes as they are used.
        emit: told the progress of every question.
    """

    def __init__(
        self,
        *,
        store: LogStore,
        engine: Callable[[], EngineLink],
        history: HistoryLink,
        settings: Settings,
        in_force: Mapping[str, object],
        emit: Callable[[SessionEvent], None],
    ) -> None:
        self._store = store
        self._engine = engine
        self._history = history
        self._settings = settings
        self._in_force = in_force
        self._emit = emit
        self._open: dict[str, _Open] = {}
        self._turn = asyncio.Lock()
        # Searching a large log takes a moment and must not wait behind other executor work.
        self._searching = ThreadPoolExecutor(1, thread_name_prefix="answers")

    @property
    def open_ids(self) -> tuple[str, ...]:
        """Questions without a final answer, oldest first."""
        return tuple(self._open)

    def ask(self, question: str) -> str:
        """Take a question; its id.

        Raises:
            AppError: the question is empty.
        """
        question = question.strip()
        if not question:
            raise AppError("There is no question.", "Type or choose one, then press Ask.")
        answer_id = uuid.uuid4().hex
        entry = _Open(
            question, time.time(), time.monotonic(), asyncio.get_running_loop().create_future()
        )
        self._open[answer_id] = entry
        self._emit(AnswerStarted(answer_id, question))
        entry.task = asyncio.get_running_loop().create_task(self._run(answer_id, entry))
        return answer_id

    def stop(self, answer_id: str | None) -> None:
        """Stop one question, or all; what was written stays."""
        for open_id, entry in self._open.items():
            if answer_id in (None, open_id):
                entry.stopped = True
                if entry.asked_engine:
                    self._engine().submit(Stop(open_id))

    def engine_event(self, event: PrefillProgress | TokenText | AnswerEnd) -> None:
        """Pass on what the engine says of a question."""
        entry = self._open.get(event.answer_id)
        if entry is None:
            return
        match event:
            case PrefillProgress():
                self._emit(AnswerPrefill(event.answer_id, event.done_tokens, event.total_tokens))
            case TokenText():
                entry.first_word_s = entry.first_word_s or time.monotonic()
                self._emit(AnswerText(event.answer_id, event.text))
            case AnswerEnd():
                if not entry.end.done():
                    entry.end.set_result(event)

    async def close(self) -> None:
        """Stop everything and wait until each question is in the history."""
        self.stop(None)
        tasks = [entry.task for entry in self._open.values() if entry.task is not None]
        if tasks:
            await asyncio.wait(tasks)
        self._searching.shutdown()

    async def idle(self) -> None:
        """Wait until no question is open."""
        while tasks := [entry.task for entry in self._open.values() if entry.task is not None]:
            await asyncio.wait(tasks)

    async def _run(self, answer_id: str, entry: _Open) -> None:
        # Before its turn comes: a question that waits must survive the end of the program too.
        await self._begin(answer_id, entry)
        plan = ""
        try:
            async with self._turn:
                answer, plan = await self._answer(answer_id, entry)
        except AppError as error:
            self._notice(error)
            answer = self._blank(answer_id, entry, FinishReason.ERROR)
        except Exception:
            logger.exception("question %s failed", answer_id)
            self._notice(
                AppError(
                    "The question could not be answered because of an error in the program.",
                    "Ask again; details are in the program's log file.",
                )
            )
            answer = self._blank(answer_id, entry, FinishReason.ERROR)
        await self._finish(answer, plan)
        del self._open[answer_id]
        self._emit(AnswerFinished(answer))

    async def _answer(self, answer_id: str, entry: _Open) -> tuple[Answer, str]:
        if entry.is_stopped():
            return self._blank(answer_id, entry, FinishReason.STOPPED), ""
        try:
            prepared = await self._in_thread(
                lambda: prepare(
                    self._store,
                    entry.question,
                    self._settings.evidence_tokens,
                    cancelled=entry.is_stopped,
                )
            )
        except SearchStopped:
            return self._blank(answer_id, entry, FinishReason.STOPPED), ""
        if entry.is_stopped():
            return self._blank(answer_id, entry, FinishReason.STOPPED), ""
        if prepared.complete:
            return self._by_code(answer_id, entry, prepared), prepared.plan
        if prepared.text:
            self._emit(AnswerText(answer_id, f"{prepared.text}\n\n"))
        end = await self._ask_engine(answer_id, entry, prepared)
        checked = await self._in_thread(lambda: check(self._store, prepared, end.text, end.finish))
        answer = replace(
            self._blank(answer_id, entry, end.finish),
            text=checked.text,
            abstained=checked.abstained,
            citations=checked.citations,
            ttft_ms=entry.ttft_ms,
            prefill_tokens=end.prefill_tokens,
            answer_tokens=end.answer_tokens,
            tokens_per_s=end.tokens_per_s,
            target=end.target,
            draft=end.draft,
            backend=end.backend,
        )
        return answer, prepared.plan

    async def _ask_engine(self, answer_id: str, entry: _Open, prepared: Prepared) -> AnswerEnd:
        entry.asked_engine = True
        self._engine().submit(
            Ask(
                answer_id,
                prepared.prompt,
                max_tokens=self._settings.answer_tokens,
                temperature=self._settings.temperature,
                seed=self._settings.seed,
            )
        )
        return await entry.end

    def _by_code(self, answer_id: str, entry: _Open, prepared: Prepared) -> Answer:
        self._emit(AnswerText(answer_id, prepared.text))
        return replace(
            self._blank(answer_id, entry, FinishReason.COMPLETE),
            text=prepared.text,
            abstained=prepared.abstained,
            citations=prepared.citations,
            ttft_ms=(time.monotonic() - entry.started_s) * 1000,
            backend=CODE,
        )

    def _blank(self, answer_id: str, entry: _Open, finish: FinishReason) -> Answer:
        return Answer(
            id=answer_id,
            question=entry.question,
            text="",
            abstained=False,
            citations=(),
            finish=finish,
            asked_at_s=entry.asked_at_s,
            ttft_ms=0.0,
            prefill_tokens=0,
            answer_tokens=0,
            tokens_per_s=0.0,
            target="",
            draft="",
            backend="",
            seed=self._settings.seed,
        )

    async def _begin(self, answer_id: str, entry: _Open) -> None:
        await self._in_history(
            lambda history: history.begin(
                answer_id,
                entry.question,
                asked_at_s=entry.asked_at_s,
                settings=self._in_force,
                sources=self._store.source_names,
                seed=self._settings.seed,
            )
        )

    async def _finish(self, answer: Answer, plan: str) -> None:
        resolved = self._engine().resolved
        by_model = resolved is not None and answer.target != ""
        await self._in_history(
            lambda history: history.finish(
                answer,
                plan=plan,
                sources=self._store.source_names,
                target_sha256=resolved.target_sha256 if resolved and by_model else None,
                draft_sha256=resolved.draft_sha256 if resolved and answer.draft else None,
            )
        )

    async def _in_history(self, action: Callable[[History], None]) -> None:
        """Write to the history; a question is answered even where it cannot be kept."""
        try:
            await self._history.run(action)
        except AppError as error:
            self._notice(error)
        except Exception:
            logger.exception("the history failed")

    async def _in_thread(self, action: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._searching, action)

    def _notice(self, error: AppError) -> None:
        logger.warning("%s", error)
        self._emit(Notice.of(error))
