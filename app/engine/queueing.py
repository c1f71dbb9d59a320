"""What waits for the engine, and what must interrupt it. Any thread may put; one takes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from app.engine.messages import Ask, Command, Ingest, LogSegment, Reset, Shutdown, Stop

# Log text of our models has two to three characters a token; the cache counts exactly.
_CHARS_PER_TOKEN = 2


class Activity(Enum):
    """What the engine's thread is in the middle of."""

    IDLE = "idle"
    INGESTING = "ingesting"
    ANSWERING = "answering"
    RECOVERING = "recovering"
    """Reading the standing log again after a failure: only a shutdown interrupts that."""


@dataclass(frozen=True, slots=True)
class Work:
    """The next thing to do; exactly one field is set."""

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
    chars: int = 0
    reset: bool = False
    closing: bool = False


class CommandQueue:
    """Commands by priority: stop, then ask, then ingest.

    It also decides when the running decode must be interrupted: a stop interrupts its answer, a
    question interrupts the reading of the log (which goes on afterwards from the last whole
    segment), a shutdown and a reset interrupt everything. The rule and the state it needs are under
    one lock, so that no interruption hits the wrong work.

    A log that arrives faster than it can be read must not pile up: of what waits, only the newest
    ``most_waiting_tokens`` are kept, since anything older would have left the window by the time
    the newest is read. What is passed over so is counted.

    Arguments:
        most_waiting_tokens: tokens of log that may wait, estimated from the text's length.
    """

    def __init__(self, most_waiting_tokens: int) -> None:
        self._lock = threading.Condition()
        self._waiting = _Waiting()
        self._activity = Activity.IDLE
        self._running_id = ""
        self._stopped = False
        self._most_waiting_chars = most_waiting_tokens * _CHARS_PER_TOKEN
        self._skipped_segments = 0
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
    def skipped_segments(self) -> int:
        """Segments passed over because too many waited, since the start or the last reset."""
        with self._lock:
            return self._skipped_segments

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
                    self._accept(command.segments)
                case Reset():
                    self._waiting.segments.clear()
                    self._waiting.chars = self._skipped_segments = 0
                    self._waiting.reset = True
                    if self._activity in (Activity.INGESTING, Activity.ANSWERING):
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
        self._turn_to(Activity.IDLE)

    def recovering(self) -> None:
        """The work handed out has failed and is being made good; ``done`` ends that too."""
        self._turn_to(Activity.RECOVERING)

    def ingested(self, unread: Sequence[LogSegment]) -> None:
        """Say which of the segments handed out were not read; they are the next ones again."""
        with self._lock:
            # After a reset nobody wants them.
            if not self._waiting.reset:
                self._waiting.segments.extendleft(reversed(unread))
                self._waiting.chars += _chars(unread)

    def given_up(self, segments: Sequence[LogSegment]) -> None:
        """These segments were handed out and are lost: they count as passed over."""
        with self._lock:
            if not self._waiting.reset:
                self._skipped_segments += len(segments)

    def drain(self) -> list[Ask]:
        """Every question that will not be answered any more."""
        with self._lock:
            asks = [*self._waiting.cancelled, *self._waiting.asks]
            self._waiting = _Waiting(closing=True)
            return asks

    def _turn_to(self, activity: Activity) -> None:
        with self._lock:
            self._activity = activity
            self._running_id = ""
            self._stopped = False
            if not self._waiting.closing:
                self._calm()

    def _accept(self, segments: tuple[LogSegment, ...]) -> None:
        waiting = self._waiting
        waiting.segments.extend(segments)
        waiting.chars += _chars(segments)
        while waiting.chars > self._most_waiting_chars and len(waiting.segments) > 1:
            self._take_oldest()
            self._skipped_segments += 1

    def _take_oldest(self) -> LogSegment:
        segment = self._waiting.segments.popleft()
        self._waiting.chars -= len(segment.text)
        return segment

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
        room = most_tokens_hint * _CHARS_PER_TOKEN
        chosen = [self._take_oldest()]
        while self._waiting.segments:
            room -= len(chosen[-1].text)
            if room < len(self._waiting.segments[0].text):
                break
            chosen.append(self._take_oldest())
        return tuple(chosen)


def _chars(segments: Sequence[LogSegment]) -> int:
    return sum(len(segment.text) for segment in segments)


def _nothing() -> None:
    """Before a context exists there is nothing to interrupt."""
