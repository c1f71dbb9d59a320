"""From digest lines to the standing context, and back into it after the engine was replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from app.engine.messages import Command, Ingest, Ingested, LogSegment, Reset, Telemetry
from app.stream.digest import DigestLine

# Before anything was measured: what the slowest supported machine reads.
_ASSUMED_TOKENS_PER_S = 40.0
# Questions need the engine too, and the estimate of tokens is rough.
_SHARE_FOR_LOG = 0.5
_CHARS_PER_TOKEN = 3


class StandingContext:
    """Feeds the engine with digest lines.

    Arguments:
        submit: hands a command to the engine.
        window_tokens: size of the engine's window; what cannot stand in it is forgotten here too.
    """

    def __init__(self, submit: Callable[[Command], None], window_tokens: int) -> None:
        self._submit = submit
        self._most_chars = window_tokens * _CHARS_PER_TOKEN
        self._recent: deque[LogSegment] = deque()
        self._chars = 0
        self._measured_tokens_per_s = 0.0
        self._sent = 0
        self._arrived = 0

    @property
    def tokens_per_s(self) -> float:
        """Log tokens a second that the engine can take; safe to read from any thread."""
        return (self._measured_tokens_per_s or _ASSUMED_TOKENS_PER_S) * _SHARE_FOR_LOG

    @property
    def sent(self) -> int:
        """Segments sent so far; ``has_read`` says when they stand."""
        return self._sent

    def has_read(self, sent: int) -> bool:
        """Whether the first ``sent`` segments stand in the context (or have been passed over)."""
        return self._arrived >= sent

    def add(self, lines: Sequence[DigestLine]) -> None:
        """Send digest lines."""
        segments = tuple(
            LogSegment(line.text, line.first_line, line.last_line, line.source) for line in lines
        )
        self._recent.extend(segments)
        self._chars += sum(len(segment.text) for segment in segments)
        while self._chars > self._most_chars and len(self._recent) > 1:
            self._chars -= len(self._recent.popleft().text)
        self._sent += len(segments)
        self._submit(Ingest(segments))

    def ingested(self, event: Ingested) -> None:
        """Take the engine's word on what stands."""
        self._arrived = event.read_segments + event.skipped_segments

    def measured(self, event: Telemetry) -> None:
        """Follow the measured reading speed."""
        self._measured_tokens_per_s = event.ingest_tokens_per_s

    def resend(self) -> None:
        """Give a new engine the log that the old one had."""
        self._sent, self._arrived = len(self._recent), 0
        if self._recent:
            self._submit(Ingest(tuple(self._recent)))

    def clear(self) -> None:
        """Begin another log."""
        self._recent.clear()
        self._chars = self._sent = self._arrived = 0
        self._submit(Reset())
