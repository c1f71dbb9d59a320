"""What waits for the engine, and what must interrupt it. Any thread may put; one takes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from app.engine.messages import Ask, Command, Ingest, LogSegment, Reset, Shutdown, Stop


class Activity(Enum):
    """What the engine's thread is in the middle of."""

    IDLE = "idle"
    INGESTING = "ingesting"
    ANSWERING = "answering"


@dataclass(frozen=True, slots=True)
class Work:
    """The next thing to do; exactly one field is set, or ``closing``.

    ``segments`` stay queued until ``CommandQueue.ingested`` says how many were read.
    """

    ask: Ask | None = None
    cancelled: Ask | None = None
    segments: tuple[LogSegment, ...] = ()
    reset: bool = False
    closing: bool = False


@dataclass(slots=True)
class _Waiting:
    asks: deque[Ask] = field(default_factory=deque)
    cancelled: deque[Ask] = field(default_factory=deque)
    segments: deque[LogSegment] = field(default_factory=deque)
    reset: bool = False
    closing: bool = False


class CommandQueue:
    """Commands by priority: stop, then ask, then ingest.

    It also decides when the running decode must be interrupted: a stop interrupts its answer, a
    question interrupts the reading of the log (which goes on afterwards from the last whole
    segment), a shutdown and a reset interrupt everything. The rule and the state it needs are under
    one lock, so that no interruption hits the wrong work.
    """

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._waiting = _Waiting()
        self._activity = Activity.IDLE
        self._running_id = ""
        self._stopped = False
        self._interrupt: Callable[[], None] = _nothing
        self._calm: Callable[[], None] = _nothing

    def attach(self, interrupt: Callable[[], None], calm: Callable[[], None]) -> None:
        """Say how to interrupt a decode; before that there is none to interrupt.

        Arguments:
            interrupt: raises the context's abort flag; called under the lock, must not block.
            calm: clears it.
        """
        with self._lock:
            self._interrupt, self._calm = interrupt, calm
            if self._waiting.closing:
                interrupt()

    @property
    def waiting_segments(self) -> int:
        """Segments accepted but not read."""
        with self._lock:
            return len(self._waiting.segments)

    @property
    def stopped(self) -> bool:
        """Whether the running answer was told to stop."""
        return self._stopped

    def put(self, command: Command) -> None:
        """Take a command; never blocks."""
        with self._lock:
            match command:
                case Ask():
                    self._waiting.asks.append(command)
                    if self._activity is Activity.INGESTING:
                        self._interrupt()
                case Stop():
                    self._stop(command.answer_id)
                case Ingest():
                    self._waiting.segments.extend(command.segments)
                case Reset():
                    self._waiting.segments.clear()
                    self._waiting.reset = True
                    if self._activity is not Activity.IDLE:
                        self._interrupt()
                case Shutdown():
                    self._waiting.closing = True
                    self._interrupt()
            self._lock.notify()

    def take(self, most_tokens_hint: int) -> Work:
        """The next work; blocks until there is some, and marks it as running.

        Arguments:
            most_tokens_hint: about how many tokens of log to hand out at once.
        """
        with self._lock:
            while True:
                work = self._next(most_tokens_hint)
                if work is not None:
                    return work
                self._lock.wait()

    def done(self) -> None:
        """The work handed out has ended; interruptions meant for it are void."""
        with self._lock:
            self._activity = Activity.IDLE
            self._running_id = ""
            self._stopped = False
            if not self._waiting.closing:
                self._calm()

    def ingested(self, count: int) -> None:
        """Take the first ``count`` segments off the queue: they stand in the cache."""
        with self._lock:
            # A reset may have emptied the queue meanwhile.
            for _ in range(min(count, len(self._waiting.segments))):
                self._waiting.segments.popleft()

    def drain(self) -> list[Ask]:
        """Every question that will not be answered any more."""
        with self._lock:
            asks = [*self._waiting.cancelled, *self._waiting.asks]
            self._waiting = _Waiting(closing=True)
            return asks

    def _stop(self, answer_id: str) -> None:
        if self._activity is Activity.ANSWERING and self._running_id == answer_id:
            self._stopped = True
            self._interrupt()
            return
        for ask in self._waiting.asks:
            if ask.answer_id == answer_id:
                self._waiting.asks.remove(ask)
                self._waiting.cancelled.append(ask)
                return

    def _next(self, most_tokens_hint: int) -> Work | None:
        waiting = self._waiting
        if waiting.closing:
            return Work(closing=True)
        if waiting.cancelled:
            return Work(cancelled=waiting.cancelled.popleft())
        if waiting.reset:
            waiting.reset = False
            return Work(reset=True)
        if waiting.asks:
            self._activity = Activity.ANSWERING
            self._running_id = waiting.asks[0].answer_id
            return Work(ask=waiting.asks.popleft())
        if waiting.segments:
            self._activity = Activity.INGESTING
            return Work(segments=self._some_segments(most_tokens_hint))
        return None

    def _some_segments(self, most_tokens_hint: int) -> tuple[LogSegment, ...]:
        # Three bytes a token is a cautious guess for log text; the cache splits exactly.
        room = most_tokens_hint * 3
        chosen: list[LogSegment] = []
        for segment in self._waiting.segments:
            room -= len(segment.text)
            if chosen and room < 0:
                break
            chosen.append(segment)
        return tuple(chosen)


def _nothing() -> None:
    """Before a context exists there is nothing to interrupt."""
