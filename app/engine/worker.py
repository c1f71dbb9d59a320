"""The engine's thread: owns models and cache, runs commands, emits events."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.engine.cache import TokenArray
from app.engine.configuration import EngineConfig
from app.engine.core import EngineCore
from app.engine.messages import (
    AnswerEnd,
    Ask,
    Command,
    EnginePhase,
    EngineProblem,
    EngineState,
    Event,
    FinishReason,
    Ingested,
    LogSegment,
    MemoryUse,
    PrefillProgress,
    Telemetry,
    TokenText,
)
from app.engine.native.surface import DecodeAborted, NativeError
from app.engine.pace import Pace
from app.engine.process_memory import process_memory
from app.engine.queueing import CommandQueue, Work
from app.engine.text import LoopDetector, TextAssembler
from app.errors import AppError

logger = logging.getLogger("anchorline.engine")

_TELEMETRY_INTERVAL_S = 0.25
# Log tokens handed to the core at once: an interruption loses at most about one segment.
_INGEST_TOKENS = 256


@dataclass(slots=True)
class _Measurements:
    """Latest measured figures, for telemetry."""

    reading: Pace = field(default_factory=Pace)
    decode_tokens_per_s: float = 0.0
    ttft_ms: float = 0.0
    sent_at_s: float = 0.0


class EngineWorker:
    """Runs an ``EngineCore`` on a thread of its own.

    Arguments:
        config: how to set the engine up.
        emit: told every event, on the worker's thread; must not block.
    """

    def __init__(self, config: EngineConfig, emit: Callable[[Event], None]) -> None:
        self._config = config
        self._emit = emit
        self._queue = CommandQueue(config.window_tokens)
        self._measured = _Measurements()
        self._read_segments = 0
        self._asked_at_s: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Begin loading; ``EngineState`` events tell how it goes."""
        self._thread.start()

    def submit(self, command: Command) -> None:
        """Hand in a command, from any thread; never blocks."""
        if isinstance(command, Ask):
            self._asked_at_s[command.answer_id] = time.monotonic()
        self._queue.put(command)

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait for the thread to end after ``Shutdown``; whether it has."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    # --- on the worker's thread -----------------------------------------------------------

    def _run(self) -> None:
        core = self._load()
        if core is not None:
            try:
                self._serve(core)
            finally:
                core.close()
        else:
            self._refuse_until_closed()
        for ask in self._queue.drain():
            self._end(ask, FinishReason.INTERRUPTED)
        self._emit(EngineState(EnginePhase.CLOSED))

    def _load(self) -> EngineCore | None:
        self._emit(EngineState(EnginePhase.LOADING))
        try:
            core = EngineCore(self._config, self._loading_progress())
        except AppError as error:
            self._problem(error, fatal=True)
        except DecodeAborted:
            logger.info("closed while loading")
        except Exception as error:
            logger.exception("the engine could not be started")
            self._problem(_unexpected(error), fatal=True)
        else:
            flag = core.context.abort_flag
            self._queue.attach(flag.set, flag.clear)
            return core
        self._emit(EngineState(EnginePhase.FAILED))
        return None

    def _loading_progress(self) -> Callable[[float], None]:
        shown = 0.0

        def progress(fraction: float) -> None:
            nonlocal shown
            if fraction >= shown + 0.02 or fraction >= 1.0:
                shown = fraction
                self._emit(EngineState(EnginePhase.LOADING, load_fraction=fraction))

        return progress

    def _refuse_until_closed(self) -> None:
        while not (work := self._queue.take(_INGEST_TOKENS)).closing:
            ask = work.ask or work.cancelled
            if ask is not None:
                self._end(ask, FinishReason.ERROR)
            self._queue.done()

    def _serve(self, core: EngineCore) -> None:
        self._phase(core, EnginePhase.READY)
        self._telemetry(core, force=True)
        while not (work := self._queue.take(_INGEST_TOKENS)).closing:
            try:
                self._perform(core, work)
            except DecodeAborted:
                # Outside of answers and log, only a shutdown interrupts; the queue knows of it.
                logger.info("interrupted: %s", "reset" if work.reset else "work")
            except Exception as error:
                logger.exception("work failed; the cache is read again")
                self._problem(_unexpected(error))
                if not self._recover(core):
                    self._refuse_until_closed()
                    return
            finally:
                self._queue.done()

    def _perform(self, core: EngineCore, work: Work) -> None:
        if work.cancelled is not None:
            self._end(work.cancelled, FinishReason.STOPPED, core)
        elif work.reset:
            core.reset()
            self._read_segments = 0
            self._tell_ingested(core, "", 0)
            self._telemetry(core, force=True)
        elif work.ask is not None:
            self._answer(core, work.ask)
        elif work.segments:
            self._ingest(core, work.segments)

    def _recover(self, core: EngineCore) -> bool:
        # Whatever the failure left in the native cache, the standing segments are known.
        self._queue.recovering()
        try:
            core.cache.rebuild()
        except DecodeAborted:
            return True  # a shutdown, which the queue hands out next
        except Exception as error:
            logger.exception("the cache could not be read again")
            self._problem(_unexpected(error), fatal=True)
            self._emit(EngineState(EnginePhase.FAILED))
            return False
        self._tell_ingested(core, "", 0)
        self._phase(core, EnginePhase.READY)
        return True

    def _ingest(self, core: EngineCore, segments: tuple[LogSegment, ...]) -> None:
        self._phase(core, EnginePhase.INGESTING)
        cached = [core.segment(segment) for segment in segments]
        before, started_s = core.cache.appended_tokens, time.monotonic()
        try:
            standing = core.ingest([item for item in cached if item is not None])
        except Exception:
            self._queue.given_up(segments)
            raise
        taken = _taken(cached, standing)
        self._queue.ingested(segments[taken:])
        if taken == len(segments):
            # The time of an interrupted batch says nothing about the speed of reading.
            read_tokens = core.cache.appended_tokens - before
            self._measured.reading.add(read_tokens, time.monotonic() - started_s)
        if taken:
            self._read_segments += taken
            last = segments[taken - 1]
            self._tell_ingested(core, last.source, last.last_line)
        waiting = self._queue.waiting_segments
        if not waiting:
            self._phase(core, EnginePhase.READY)
        self._telemetry(core, force=not waiting)

    def _tell_ingested(self, core: EngineCore, source: str, last_line: int) -> None:
        self._emit(
            Ingested(
                core.cache.appended_tokens,
                self._read_segments,
                self._queue.waiting_segments,
                self._queue.skipped_segments,
                source,
                last_line,
            )
        )

    def _answer(self, core: EngineCore, ask: Ask) -> None:
        self._phase(core, EnginePhase.ANSWERING)
        writing = _Writing(ask, self._asked_at_s.get(ask.answer_id, time.monotonic()), self._emit)
        try:
            tokens = core.question_tokens(ask)
            writing.prefill_tokens = len(tokens)
            self._emit(PrefillProgress(ask.answer_id, 0, len(tokens)))
            with core.cache.question():
                finish = self._write(core, ask, tokens, writing)
                writing.close()
        except DecodeAborted:
            finish = self._interrupted_as()
            writing.close()
        except AppError as error:
            self._problem(error)
            finish = FinishReason.ERROR
        except Exception:
            self._end(ask, FinishReason.ERROR, core, writing)
            raise
        if finish is FinishReason.COMPLETE and self._queue.stopped:
            finish = FinishReason.STOPPED
        self._end(ask, finish, core, writing)
        self._phase(core, EnginePhase.READY)
        self._telemetry(core, force=True)

    def _write(
        self, core: EngineCore, ask: Ask, tokens: TokenArray, writing: _Writing
    ) -> FinishReason:
        loop = LoopDetector()
        for accepted in core.answer(ask, tokens, writing.progress):
            for token in accepted:
                writing.token(core.model.token_bytes(token))
                if loop.feed(token):
                    return FinishReason.LOOP
                if writing.answer_tokens >= ask.max_tokens:
                    return FinishReason.LENGTH
            if self._queue.stopped:
                return FinishReason.STOPPED
            self._telemetry(core)
        return FinishReason.COMPLETE

    def _interrupted_as(self) -> FinishReason:
        return FinishReason.STOPPED if self._queue.stopped else FinishReason.INTERRUPTED

    # --- events -----------------------------------------------------------------------------

    def _phase(self, core: EngineCore, phase: EnginePhase) -> None:
        self._emit(
            EngineState(
                phase,
                target=self._config.target.name,
                backend=core.backend_name,
                load_fraction=1.0,
            )
        )

    def _end(
        self,
        ask: Ask,
        finish: FinishReason,
        core: EngineCore | None = None,
        writing: _Writing | None = None,
    ) -> None:
        self._asked_at_s.pop(ask.answer_id, None)
        if writing is not None and writing.answer_tokens:
            self._measured.ttft_ms = writing.ttft_ms
            self._measured.decode_tokens_per_s = writing.tokens_per_s
        self._emit(
            AnswerEnd(
                answer_id=ask.answer_id,
                text=writing.text if writing else "",
                finish=finish,
                ttft_ms=writing.ttft_ms if writing else 0.0,
                prefill_tokens=writing.prefill_tokens if writing else 0,
                answer_tokens=writing.answer_tokens if writing else 0,
                tokens_per_s=writing.tokens_per_s if writing else 0.0,
                context_tokens=core.cache.stream_end if core else 0,
                target=self._config.target.name,
                draft="",
                backend=core.backend_name if core else self._config.backend,
                seed=ask.seed,
            )
        )

    def _problem(self, error: AppError, *, fatal: bool = False) -> None:
        self._emit(EngineProblem(error.message_template, error.hint_template, error.values, fatal))

    def _telemetry(self, core: EngineCore, *, force: bool = False) -> None:
        now_s = time.monotonic()
        if not force and now_s - self._measured.sent_at_s < _TELEMETRY_INTERVAL_S:
            return
        self._measured.sent_at_s = now_s
        anonymous, swapped, resident = process_memory()
        cache = core.cache.occupancy()
        self._emit(
            Telemetry(
                cache=cache,
                memory=MemoryUse(
                    anonymous_bytes=anonymous,
                    swapped_bytes=swapped,
                    resident_bytes=resident,
                    model_bytes=core.model.weight_bytes,
                    kv_bytes=cache.bytes_per_token * cache.capacity_tokens,
                ),
                perplexity=core.perplexity.value,
                perplexity_tokens=core.perplexity.samples,
                ingest_tokens_per_s=self._measured.reading.tokens_per_s,
                decode_tokens_per_s=self._measured.decode_tokens_per_s,
                ttft_ms=self._measured.ttft_ms,
            )
        )


class _Writing:
    """An answer while it is written: its text, its tokens and its times."""

    def __init__(self, ask: Ask, asked_at_s: float, emit: Callable[[Event], None]) -> None:
        self._id = ask.answer_id
        self._asked_at_s = asked_at_s
        self._emit = emit
        self._assembler = TextAssembler()
        self._first_at_s = 0.0
        self._last_at_s = 0.0
        self.prefill_tokens = 0
        self.answer_tokens = 0

    @property
    def text(self) -> str:
        return self._assembler.text

    @property
    def ttft_ms(self) -> float:
        return (self._first_at_s - self._asked_at_s) * 1000 if self.answer_tokens else 0.0

    @property
    def tokens_per_s(self) -> float:
        elapsed_s = self._last_at_s - self._first_at_s
        return (self.answer_tokens - 1) / elapsed_s if elapsed_s > 0 else 0.0

    def progress(self, done: int, total: int) -> None:
        self._emit(PrefillProgress(self._id, done, total))

    def token(self, piece: bytes) -> None:
        self._last_at_s = time.monotonic()
        if not self.answer_tokens:
            self._first_at_s = self._last_at_s
        self.answer_tokens += 1
        self._send(self._assembler.feed(piece))

    def close(self) -> None:
        self._send(self._assembler.flush())

    def _send(self, text: str) -> None:
        if text:
            self._emit(TokenText(self._id, text))


def _taken(cached: Sequence[object], standing: int) -> int:
    """How many queued segments are done, given how many of the non-empty ones stand."""
    taken = 0
    for item in cached:
        if item is not None:
            if not standing:
                break
            standing -= 1
        taken += 1
    return taken


def _unexpected(error: Exception) -> AppError:
    reason = str(error) if isinstance(error, NativeError) else type(error).__name__
    return AppError(
        "The engine failed: {reason}.",
        "It goes on from the log it has read; details are in the program's log file.",
        reason=reason,
    )
