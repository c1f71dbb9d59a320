"""The session: wires sources, engine, answers and history together on one loop."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from app.answers.heads import head_index
from app.answers.messages import LinesAppended, Notice, SourceStatus, Suggestions
from app.answers.suggestions import suggest
from app.answers.view import Lines
from app.config import Paths, Settings
from app.engine.messages import (
    AnswerEnd,
    Command,
    EnginePhase,
    EngineProblem,
    EngineState,
    Event,
    Ingested,
    PrefillProgress,
    Telemetry,
    TokenText,
)
from app.errors import AppError
from app.session.asking import Asking
from app.session.engine_link import EngineLink, EngineSizes
from app.session.events import SessionEvent
from app.session.history_link import HistoryLink
from app.session.standing import StandingContext
from app.session.upgrade import fetch_profile
from app.stream.digest import DigestLine
from app.stream.service import SourceChange, StreamService
from app.stream.store import LogStore

logger = logging.getLogger("anchorline.session")

_SUGGEST_EVERY_S = 5.0

Result = TypeVar("Result")


class Session:
    """Everything below the window. All methods are called on the loop's thread.

    Arguments:
        paths: folders to use.
        settings: what the operator has set.
        profile: overrides the settings' profile where given.
        sizes: standing context.
        language: ``en`` or ``zh_CN``; may be set at any time, suggestions follow it.
        pinned_questions: questions to suggest first, by language.
        one_shot: a command that may run beside a console, and leaves its open questions alone.
    """

    def __init__(
        self,
        *,
        paths: Paths,
        settings: Settings,
        profile: str = "",
        sizes: EngineSizes | None = None,
        language: str = "en",
        pinned_questions: Callable[[str], tuple[str, ...]] = lambda _language: (),
        one_shot: bool = False,
    ) -> None:
        self.store = LogStore()
        self.history = HistoryLink(paths.history, owner=not one_shot)
        self.suggestions: tuple[str, ...] = ()
        self.engine_failed = False
        """No model answers; code still does."""
        self._language = language
        self._pinned_questions = pinned_questions
        self._paths = paths
        self._settings = settings
        self._sizes = sizes or EngineSizes(window=settings.window_tokens)
        self._subscribers: list[Callable[[SessionEvent], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._engine = self._new_engine(profile or settings.profile)
        self._standing = StandingContext(self._submit, self._sizes.window)
        self._asking: Asking | None = None
        self._stream = self._new_stream()
        self._tasks: set[asyncio.Task[None]] = set()
        self._current = asyncio.Event()
        self._closed = False
        self._when_started: list[Callable[[], None]] = []
        self._fetch_cancelled = threading.Event()

    # --- life ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the history, start reading, load the models in the background."""
        self._loop = asyncio.get_running_loop()
        self._asking = self._new_asking()
        self._stream.start()
        self._spawn(self._engine.start())
        told = await self.history.open()
        if told is not None:
            self._emit(Notice(told.message, told.hint, told.values, "warning"))
        self._spawn(self._refresh_suggestions())
        for action in self._when_started:
            action()

    def when_started(self, action: Callable[[], None]) -> None:
        """Do something once ``start`` has come to its end."""
        self._when_started.append(action)

    async def close(self) -> None:
        """Shut down in order: sources, questions, engine, history. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self._fetch_cancelled.set()
        await self._off_loop(self._stream.close)
        for task in self._tasks:
            task.cancel()
        # Together: a question waits for the engine's last word on it.
        closing = [self._engine.close()]
        if self._asking is not None:
            closing.append(self._asking.close())
        await asyncio.gather(*closing)
        await self.history.close()

    def subscribe(self, callback: Callable[[SessionEvent], None]) -> Callable[[], None]:
        """Be told every event, on the loop's thread; returns a function that ends it."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    # --- what the operator does -----------------------------------------------------------------

    def add_file(self, path: Path, *, follow: bool = True, must_exist: bool = True) -> str:
        """Read a log file and follow it; its display name.

        Raises:
            AppError: it cannot be read, or is no text log.
        """
        return self._stream.add_file(path, follow=follow, must_exist=must_exist)

    def open_file(self, path: Path) -> None:
        """Read a log file and follow it; what is wrong with it is told as a ``Notice``.

        Looking at the file happens off the loop: a network path that hangs hangs no window.
        """
        self._spawn(self._open_file(path))

    def ask(self, question: str) -> str:
        """Ask; the answer's id. Events tell how it goes.

        Raises:
            AppError: the question is empty.
        """
        assert self._asking is not None, "start() comes first"
        return self._asking.ask(question)

    def stop(self, answer_id: str | None = None) -> None:
        """Stop one answer, or all that are open."""
        if self._asking is not None:
            self._asking.stop(answer_id)

    @property
    def profile(self) -> str:
        """Which profile answers."""
        return self._engine.profile

    @property
    def language(self) -> str:
        """The operator's language, ``en`` or ``zh_CN``."""
        return self._language

    @language.setter
    def language(self, language: str) -> None:
        self._language = language
        if self._loop is not None:
            self._spawn(self._suggest())

    async def switch_profile(self, profile: str) -> None:
        """Answer with another profile's models from now on; the standing log moves along.

        Waits until no question is open. The models in force stay when the others cannot be used.

        Raises:
            AppError: the other profile's files cannot be used; nothing has changed.
        """
        engine = self._new_engine(profile)
        await engine.check()
        if self._asking is not None:
            await self._asking.idle()
        old, self._engine = self._engine, engine
        await old.close()
        self._standing.resend()
        await engine.start()

    def fetch_models(self, profile: str) -> None:
        """Fetch a profile's models in the background, then answer with them."""
        self._spawn(self._fetch_models(profile))

    async def wait_current(self) -> None:
        """Wait until what the sources hold now has been read and stands in the model's context.

        Returns as well when the engine has failed: then nothing will stand.
        """
        await self._off_loop(self._stream.wait_read)
        # The stream's reports were posted to the loop before wait_read returned.
        await asyncio.sleep(0)
        sent = self._standing.sent
        while not self._standing.has_read(sent) and not self.engine_failed:
            self._current.clear()
            await self._current.wait()

    async def reset(self) -> None:
        """Forget all sources and the standing log: another log begins."""
        await self._off_loop(self._stream.close)
        self.store = LogStore()
        self._stream = self._new_stream()
        self._stream.start()
        if self._asking is not None:
            await self._asking.close()
            self._asking = self._new_asking()
        self._standing.clear()

    async def _open_file(self, path: Path) -> None:
        try:
            await self._off_loop(lambda: self.add_file(path))
        except AppError as error:
            self._emit(Notice.of(error))

    async def _fetch_models(self, profile: str) -> None:
        try:
            fetched = await fetch_profile(
                profile, self._paths.models, emit=self._emit, cancelled=self._fetch_cancelled
            )
        except AppError as error:
            self._emit(Notice.of(error))
            return
        if fetched and profile != self.profile:
            try:
                await self.switch_profile(profile)
            except AppError as error:
                self._emit(Notice.of(error))

    # --- what the parts say -----------------------------------------------------------------------

    def _new_engine(self, profile: str) -> EngineLink:
        return EngineLink(
            profile=profile,
            models_dir=self._paths.models,
            settings=self._settings,
            sizes=self._sizes,
            on_event=self._engine_event,
        )

    def _new_asking(self) -> Asking:
        return Asking(
            store=self.store,
            engine=lambda: self._engine,
            history=self.history,
            settings=self._settings,
            in_force=asdict(self._settings) | asdict(self._sizes),
            emit=self._emit,
        )

    def report(self, error: AppError) -> None:
        """Tell the operator of an error; from any thread, also before ``start``."""
        if self._loop is None:
            self.when_started(lambda: self._emit(Notice.of(error)))
        else:
            self._post(self._emit, Notice.of(error))

    def _submit(self, command: Command) -> None:
        """To the engine in force, which a change of profile replaces."""
        self._engine.submit(command)

    def _new_stream(self) -> StreamService:
        return StreamService(
            self.store,
            on_lines=lambda first, count: self._post(self._emit, LinesAppended(first, count)),
            on_status=lambda change: self._post(self._source_changed, change),
            on_digest=lambda lines: self._post(self._digested, lines),
            digest_rate=lambda: self._standing.tokens_per_s,
            backlog_tokens=self._sizes.window * 3 // 4,
        )

    def _source_changed(self, change: SourceChange) -> None:
        self._emit(
            SourceStatus(change.name, change.state, change.lines, change.note, change.values)
        )

    def _digested(self, lines: tuple[DigestLine, ...]) -> None:
        self._standing.add(lines)

    def _engine_event(self, event: Event) -> None:
        match event:
            case PrefillProgress() | TokenText() | AnswerEnd():
                if self._asking is not None:
                    self._asking.engine_event(event)
            case EngineProblem():
                self._emit(
                    Notice(
                        event.message,
                        event.hint,
                        tuple(event.values.items()),
                        "critical" if event.fatal else "warning",
                    )
                )
            case Ingested():
                self._standing.ingested(event)
                self._current.set()
                self._emit(event)
            case Telemetry():
                self._standing.measured(event)
                self._emit(event)
            case EngineState():
                self.engine_failed = event.phase is EnginePhase.FAILED
                self._current.set()
                self._emit(event)

    def _emit(self, event: SessionEvent) -> None:
        for callback in tuple(self._subscribers):
            callback(event)

    def _post(self, action: Callable[..., None], *arguments: object) -> None:
        """Run something on the loop's thread; called from other threads."""
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(action, *arguments)
        except RuntimeError:
            logger.info("the loop is closed; %s not delivered", arguments)

    # --- suggestions ----------------------------------------------------------------------------

    async def _refresh_suggestions(self) -> None:
        while True:
            try:
                await self._suggest()
            except Exception:
                logger.exception("no suggestions this time")
            await asyncio.sleep(_SUGGEST_EVERY_S)

    async def _suggest(self) -> None:
        pinned = self._pinned_questions(self._language)
        found = await self._off_loop(self._look_through)
        questions = tuple(dict.fromkeys((*pinned, *found)))
        if questions != self.suggestions:
            self.suggestions = questions
            self._emit(Suggestions(questions))

    def _look_through(self) -> tuple[str, ...]:
        """Off the loop: index what is new for the next question, and find questions in it."""
        head_index(self.store, Lines(self.store))
        return suggest(self.store, self._language)

    def _spawn(self, work: object) -> None:
        assert asyncio.iscoroutine(work)
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _off_loop(self, action: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(None, action)
