"""The engine as seen from the session's loop: models checked, worker started, events delivered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.answers.prompt import HEADING, SYSTEM
from app.config import Settings
from app.engine.configuration import EngineConfig
from app.engine.messages import (
    AnswerEnd,
    Ask,
    Command,
    EnginePhase,
    EngineProblem,
    EngineState,
    Event,
    FinishReason,
    Shutdown,
)
from app.engine.worker import EngineWorker
from app.errors import AppError
from app.models.resolve import ResolvedProfile, resolve

logger = logging.getLogger("anchorline.session")

_JOIN_S = 30.0

AUTO = "auto"
TINY = "tiny"


@dataclass(frozen=True, slots=True)
class EngineSizes:
    """Token counts that the command line may override.

    Attributes:
        sinks: tokens to pin; 0 pins the whole opening of the prompt.
        window: log tokens in the standing context.
    """

    sinks: int = 0
    window: int = 2048


class EngineLink:
    """Owns the engine's worker for one profile.

    Arguments:
        profile: name for ``resolve``: ``auto``, ``tiny``, ``standard`` or an imported file.
        models_dir: folder with the weights.
        settings: token budgets and threads.
        sizes: standing context.
        on_event: told every engine event, on the loop's thread.
    """

    def __init__(
        self,
        *,
        profile: str,
        models_dir: Path,
        settings: Settings,
        sizes: EngineSizes,
        on_event: Callable[[Event], None],
    ) -> None:
        self.profile = profile
        self.resolved: ResolvedProfile | None = None
        self._models_dir = models_dir
        self._settings = settings
        self._sizes = sizes
        self._on_event = on_event
        self._worker: EngineWorker | None = None
        self._early: list[Command] = []
        self._ended = False

    @property
    def reserve_tokens(self) -> int:
        """Tokens kept free for a question: evidence is budgeted by an estimate, so twice that."""
        return 2 * self._settings.evidence_tokens + self._settings.answer_tokens + 256

    async def check(self) -> None:
        """Check the model files; ``start`` does it otherwise.

        ``auto`` falls back to the tiny profile where the standard one cannot run, and says why.

        Raises:
            AppError: no usable files.
        """
        try:
            self.resolved = await self._off_loop(self.profile)
        except AppError as error:
            if self.profile != AUTO:
                raise
            try:
                self.resolved = await self._off_loop(TINY)
            except AppError:
                raise error from None
            self._on_event(_problem(error))
        self.profile = self.resolved.name

    async def start(self) -> None:
        """Check the model files and start the worker; returns before the weights are loaded.

        What goes wrong is told as ``EngineProblem`` and ``EngineState`` events.
        """
        loop = asyncio.get_running_loop()
        self._on_event(EngineState(EnginePhase.LOADING))
        try:
            if self.resolved is None:
                await self.check()
        except AppError as error:
            self._fail(error)
            return
        except Exception as error:
            logger.exception("the models could not be checked")
            self._fail(AppError("The engine failed: {reason}.", reason=type(error).__name__))
            return
        if self._ended or self.resolved is None:
            return

        def emit(event: Event) -> None:
            try:
                loop.call_soon_threadsafe(self._on_event, event)
            except RuntimeError:
                # The loop has been closed before the worker's last words.
                logger.info("not delivered: %s", type(event).__name__)

        self._worker = EngineWorker(self._config(self.resolved), emit)
        self._worker.start()
        for command in self._early:
            self._worker.submit(command)
        self._early.clear()

    def submit(self, command: Command) -> None:
        """Hand in a command; before the worker exists it waits, after a failure it is answered."""
        if self._worker is not None:
            self._worker.submit(command)
        elif self._ended:
            if isinstance(command, Ask):
                self._on_event(_unanswered(command))
        else:
            self._early.append(command)

    async def close(self) -> None:
        """Stop the worker and free the models."""
        worker, self._worker = self._worker, None
        self._end()
        if worker is None:
            return
        worker.submit(Shutdown())
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(None, worker.join, _JOIN_S):
            logger.error("the engine did not end within %.0f s", _JOIN_S)

    def _end(self) -> None:
        """No worker any more: what waits for one is answered."""
        self._ended = True
        early, self._early = self._early, []
        for command in early:
            if isinstance(command, Ask):
                self._on_event(_unanswered(command))

    async def _off_loop(self, profile: str) -> ResolvedProfile:
        return await asyncio.get_running_loop().run_in_executor(None, self._resolve, profile)

    def _resolve(self, profile: str) -> ResolvedProfile:
        return resolve(
            profile,
            self._models_dir,
            context_tokens=self._sizes.window + self.reserve_tokens,
        )

    def _config(self, resolved: ResolvedProfile) -> EngineConfig:
        return EngineConfig(
            target=resolved.target_path,
            draft=resolved.draft_path,
            system=SYSTEM,
            heading=HEADING,
            sink_tokens=self._sizes.sinks,
            window_tokens=self._sizes.window,
            reserve_tokens=self.reserve_tokens,
            threads=self._settings.threads,
        )

    def _fail(self, error: AppError) -> None:
        self._on_event(_problem(error, fatal=True))
        self._on_event(EngineState(EnginePhase.FAILED))
        self._end()


def _problem(error: AppError, *, fatal: bool = False) -> EngineProblem:
    return EngineProblem(error.message_template, error.hint_template, error.values, fatal=fatal)


def _unanswered(ask: Ask) -> AnswerEnd:
    return AnswerEnd(
        answer_id=ask.answer_id,
        text="",
        finish=FinishReason.ERROR,
        ttft_ms=0.0,
        prefill_tokens=0,
        answer_tokens=0,
        tokens_per_s=0.0,
        context_tokens=0,
        target="",
        draft="",
        backend="",
        seed=ask.seed,
    )
