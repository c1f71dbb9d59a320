"""Between session and window: events in, commands out; no drawing and no log reading here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.answers.messages import (
    AnswerFinished,
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    Citation,
    LinesAppended,
    Notice,
    SourceStatus,
    Suggestions,
)
from app.engine.messages import EnginePhase, EngineState, Ingested, Telemetry
from app.errors import AppError
from app.session.events import ModelFetch
from app.stream.records import Severity
from app.ui import i18n, keyboard, theme
from app.ui.models import cited
from app.ui.session_api import SessionEvent, SessionLike
from app.ui.throttle import Throttle
from app.ui.window.main_window import MainWindow

log = logging.getLogger(__name__)

_TELEMETRY_MS = 100
_SOURCES_MS = 200
_TROUBLED = ("missing", "failed")
"""States of a source that a notice tells of until they are over."""


class Controller(QObject):
    """Wires one window to one session."""

    answered = Signal(object)
    """An answer is finished and on the page: its :class:`Answer`."""
    streamed = Signal(str, str)
    """More words of an answer: its id and the text."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self._app = app
        self._session: SessionLike | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._open: dict[str, str] = {}
        self._engine = EngineState(EnginePhase.LOADING)
        self._telemetry = Telemetry()
        self._fetch: ModelFetch | None = None
        self._statuses: dict[str, SourceStatus] = {}
        self._troubles: dict[str, Notice] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.window = MainWindow(self.severity_of)
        self._show_telemetry = Throttle(self._draw_telemetry, _TELEMETRY_MS, self)
        self._show_sources = Throttle(self._draw_sources, _SOURCES_MS, self)
        self._show_fetch = Throttle(self._draw_fetch, _SOURCES_MS, self)
        self._wire()

    def _wire(self) -> None:
        window = self.window
        window.files_offered.connect(self.open_files)
        window.history_wanted.connect(self._list_history)
        window.conversation.asked.connect(self.ask)
        window.conversation.citation_chosen.connect(self.show_citation)
        window.conversation.bar.stop_wanted.connect(self.stop)
        window.history.search_changed.connect(self._list_history)
        window.history.opened.connect(self._open_answer)
        window.history.citation_chosen.connect(self.show_citation)
        window.log.rows.refused.connect(lambda error: self.post(Notice.of(error)))
        window.header.language_wanted.connect(
            lambda: self.set_language(i18n.following(i18n.language()))
        )
        window.header.theme_wanted.connect(
            lambda: theme.apply(self._app, theme.following(theme.name()))
        )
        window.header.keyboard_wanted.connect(self._call_keyboard)

    # --- session ------------------------------------------------------------------------------

    @property
    def session(self) -> SessionLike | None:
        """The session in use."""
        return self._session

    def attach(self, session: SessionLike) -> None:
        """Show a session from now on."""
        self.detach()
        self._session = session
        session.language = i18n.language()
        self._unsubscribe = session.subscribe(self.on_event)
        self.window.log.set_store(session.store)
        self.window.conversation.set_suggestions(session.suggestions)
        self._open.clear()
        self.window.conversation.set_answering(False)
        self.window.header.engine.show_state(self._engine, session.profile)

    def detach(self) -> None:
        """Hear no more of the session and draw no more; waits for nothing."""
        self._show_telemetry.cancel()
        self._show_sources.cancel()
        self._show_fetch.cancel()
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        for task in self._tasks:
            task.cancel()

    def on_event(self, event: SessionEvent) -> None:
        """Take what the session tells; cheap, since drawing is throttled."""
        conversation = self.window.conversation
        match event:
            case LinesAppended():
                self.window.log.refresh()
            case AnswerText(answer_id, text):
                conversation.append(answer_id, text)
                self.streamed.emit(answer_id, text)
            case AnswerPrefill(answer_id, done_tokens, total_tokens):
                conversation.prefill(answer_id, done_tokens, total_tokens)
            case Telemetry():
                self._telemetry = event
                self._show_telemetry()
            case Ingested():
                pass  # the panels take their figures from the telemetry
            case EngineState():
                self._on_engine(event)
            case SourceStatus():
                self._on_source(event)
            case AnswerStarted(answer_id, question):
                self._on_started(answer_id, question)
            case AnswerFinished():
                self._on_finished(event)
            case Suggestions(questions):
                conversation.set_suggestions(questions)
            case Notice():
                self.post(event)
            case ModelFetch():
                self._fetch = event
                self._show_fetch()

    def post(self, notice: Notice) -> None:
        """Say something to the operator."""
        self.window.notices.post(notice)

    def _on_engine(self, state: EngineState) -> None:
        self._engine = state
        profile = self._session.profile if self._session is not None else ""
        self.window.header.engine.show_state(state, profile)
        self._show_telemetry()

    def _on_source(self, status: SourceStatus) -> None:
        known = self._statuses.get(status.name)
        self._statuses[status.name] = status
        if status.state not in _TROUBLED and status.name in self._troubles:
            self.window.notices.withdraw(self._troubles.pop(status.name))
        self._show_sources()
        if status.note and (
            known is None or (known.note, known.values) != (status.note, status.values)
        ):
            troubled = status.state in _TROUBLED
            notice = Notice(status.note, "", status.values, "warning" if troubled else "notice")
            if troubled:
                self._troubles[status.name] = notice
            self.post(notice)

    def _on_started(self, answer_id: str, question: str) -> None:
        self._open[answer_id] = question
        self.window.show_conversation()
        self.window.conversation.set_answering(True)
        if self.window.conversation.turn_of(answer_id) is None:
            self.window.conversation.begin(answer_id, question)

    def _on_finished(self, event: AnswerFinished) -> None:
        answer = event.answer
        self.window.conversation.finish(answer)
        self._open.pop(answer.id, None)
        self.window.conversation.set_answering(bool(self._open))
        self.window.log.set_cited(answer.citations)
        self.answered.emit(answer)

    def _draw_telemetry(self) -> None:
        self.window.drawer.show_telemetry(self._telemetry, self._engine)

    def _draw_sources(self) -> None:
        for status in self._statuses.values():
            self.window.header.show_source(status)
        self.window.log.view.show_sources(self._statuses.keys())

    def _draw_fetch(self) -> None:
        if self._fetch is not None:
            profile = self._session.profile if self._session is not None else ""
            self.window.fetch.show_fetch(self._fetch, profile)

    # --- what the operator does ---------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Ask the session; the field is emptied once the question is taken.

        A question that still waits for its answer is not asked again: a gloved hand taps twice.
        """
        if self._session is None or question in self._open.values():
            return
        try:
            self._session.ask(question)
        except AppError as error:
            self.post(Notice.of(error))
            return
        self.window.conversation.bar.clear()

    def stop(self) -> None:
        """Stop the answer being written, and questions that wait behind it."""
        if self._session is not None:
            self._session.stop(None)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Follow log files; what cannot be opened is said, the others are opened all the same."""
        if self._session is None:
            return
        for path in paths:
            if path.suffix.lower() == ".gguf":
                self.post(_model_dropped(path))
                continue
            self._session.open_file(path)

    def show_citation(self, citation: Citation) -> None:
        """Scroll the log to a cited line, if it is still there as it was."""
        if not self.window.log.show_cited(citation):
            self.post(
                Notice(
                    "Line {line} of {source} is not in the open log.",
                    "Its text as it was at the time stands on the card.",
                    (("line", citation.line), ("source", citation.source)),
                )
            )

    def severity_of(self, citation: Citation) -> Severity:
        """Severity of a cited line while it stands in the open log."""
        if self._session is None:
            return Severity.UNKNOWN
        store = self._session.store
        index = cited.find(store, citation)
        found = store.records(index, index + 1) if index is not None else []
        return found[0].severity if found else Severity.UNKNOWN

    def set_language(self, code: str) -> None:
        """Change the language of the window and of what the session says."""
        chosen = i18n.set_language(code)
        if self._session is not None:
            self._session.language = chosen
            self.window.conversation.set_suggestions(self._session.suggestions)

    def _call_keyboard(self) -> None:
        self.window.conversation.bar.field.setFocus()
        if not keyboard.call_up():
            self.post(keyboard.NO_KEYBOARD)

    # --- history ------------------------------------------------------------------------------

    def _list_history(self, search: str = "") -> None:
        if self._session is not None:
            self._spawn(self._fill_history(self._session, search))

    async def _fill_history(self, session: SessionLike, search: str) -> None:
        self.window.history.set_rows(await session.history.recent(limit=200, search=search))

    def _open_answer(self, answer_id: str) -> None:
        if self._session is not None:
            self._spawn(self._load_answer(self._session, answer_id))

    async def _load_answer(self, session: SessionLike, answer_id: str) -> None:
        try:
            answer = await session.history.load(answer_id)
        finally:
            self.window.history.end_opening(answer_id)
        self.window.history.show_answer(answer)
        self.window.log.set_cited(answer.citations)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run a coroutine on the running loop; what a person can mend is said."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except AppError as error:
            self.post(Notice.of(error))


def _model_dropped(path: Path) -> Notice:
    return Notice(
        "{name} is a model, not a log.",
        "Import it with: anchorline models import {path}",
        (("name", path.name), ("path", path)),
    )
