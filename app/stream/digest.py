"""What of the log is worth the model's tokens: first of each kind in full, repeats as counts."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.stream.backlog import Backlog
from app.stream.digest_text import LineShortener, estimate_tokens
from app.stream.records import Record, Severity
from app.stream.templates import UNASSIGNED, mask
from app.stream.text import display_text

_FLUSH_S = 0.9
"""Repeats wait so long for more of their kind: live lines reach the model within a second."""
_BURST_S = 4.0
"""Budget saved up while the log was quiet, in seconds of the token rate."""
_DEBT_S = 2.0
"""Errors and new templates may borrow so many seconds of the token rate."""
_RECENT_MESSAGES = 512
_LEAST_BACKLOG_TOKENS = 300
_INTERIM_S = 5.0
"""A log that takes longer to read than this is condensed once before its end is reached."""
_FORGET_TOKENS = 2_048
"""A template shown longer ago than this has left the model's window and counts as new."""


@dataclass(frozen=True, slots=True)
class DigestLine:
    """A piece of text for the model.

    Attributes:
        text: one line, line end included; it begins with its line numbers.
        first_line, last_line: numbers of the log lines it stands for, from 1, both included.
        source: display name of the source.
    """

    text: str
    first_line: int
    last_line: int
    source: str


@dataclass(frozen=True, slots=True)
class DigestShare:
    """How much of the log the digest stands for.

    Attributes:
        lines: lines that came in.
        full_lines: lines that were passed on in full.
        counted_lines: lines that are in a count of repeats.
        waiting_lines: lines seen, not yet in either.
        tokens: estimated tokens passed on.
    """

    lines: int = 0
    full_lines: int = 0
    counted_lines: int = 0
    waiting_lines: int = 0
    tokens: int = 0

    @property
    def fraction(self) -> float:
        """Lines that the digest stands for, in full or counted, over all lines; 0 to 1."""
        return (self.full_lines + self.counted_lines) / self.lines if self.lines else 1.0


@dataclass(slots=True)
class _Repeats:
    """Lines of one template that wait to be passed on as a count."""

    count: int
    first_line: int
    last: Record
    severity: Severity


@dataclass(slots=True)
class _SourceDigest:
    """What is known of one source."""

    shortener: LineShortener
    repeats: dict[int, _Repeats] = field(default_factory=dict)
    shown_at_token: dict[int, int] = field(default_factory=dict)
    backlog: Backlog | None = None
    backlog_since: float = 0.0
    backlog_parts: int = 0
    flushed_at: float = 0.0


class Digest:
    """Chooses and shortens lines within a token budget that follows the measured prefill speed.

    Existing content is condensed to a fixed number of tokens (its end, its kinds of line, its
    errors). Live lines pass in full while the budget lasts; beyond it, the first of each template
    and errors not said before pass first, and repeats become counts with their line range.

    Arguments:
        token_rate: tokens a second the model can read now; asked now and then, 0 holds lines back.
        backlog_tokens: most tokens for what was in a log when it was opened.
        clock: monotonic seconds, for tests.
    """

    def __init__(
        self,
        token_rate: Callable[[], float],
        *,
        backlog_tokens: int = 1_500,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._token_rate = token_rate
        self._backlog_tokens = backlog_tokens
        self._clock = clock
        self._sources: dict[str, _SourceDigest] = {}
        self._out: list[DigestLine] = []
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._rate = 0.0
        self._budget = 0.0
        self._filled_at = clock()
        self._lines = self._full = self._counted = self._waiting = self._tokens = 0

    @property
    def share(self) -> DigestShare:
        """How much of the log the digest stands for so far."""
        return DigestShare(self._lines, self._full, self._counted, self._waiting, self._tokens)

    def add(self, records: Sequence[Record], *, backlog: bool) -> None:
        """Take the next records of one source.

        Arguments:
            records: in order.
            backlog: they were there before the log was opened (``end_backlog`` follows).
        """
        if not records:
            return
        source = self._source(records[0].source)
        self._lines += len(records)
        if backlog:
            if source.backlog is None:
                source.backlog = Backlog(source.shortener)
                source.backlog_since = self._clock()
            source.backlog.add(records)
            return
        source.shortener.learn(records)
        self._fill()
        for record in records:
            self._add_live(source, record)

    def grown(self, record: Record) -> None:
        """A line that was added before is longer now; it is passed on again, and not counted."""
        source = self._source(record.source)
        text = source.shortener.full(record)
        self._spend(text)
        self._emit(text, record.number, record.number, record.source)

    def end_backlog(self, source_name: str) -> None:
        """All existing content of a source has been added: pass its essence on."""
        self._condense(source_name, self._source(source_name), self._backlog_share())

    def poll(self) -> tuple[DigestLine, ...]:
        """Lines due now; call a few times a second."""
        now = self._clock()
        self._fill()
        for name, source in self._sources.items():
            if self._is_interim_due(source, now):
                self._condense(name, source, self._backlog_share() // 2)
            if source.repeats and now - source.flushed_at >= _FLUSH_S:
                source.flushed_at = now
                self._flush(source)
        out, self._out = tuple(self._out), []
        return out

    def _source(self, name: str) -> _SourceDigest:
        found = self._sources.get(name)
        if found is None:
            found = self._sources[name] = _SourceDigest(LineShortener())
        return found

    def _fill(self) -> None:
        now = self._clock()
        self._rate = max(0.0, self._token_rate())
        gained = self._rate * (now - self._filled_at)
        self._budget = min(self._budget + gained, self._rate * _BURST_S)
        self._filled_at = now

    # --- existing content ---------------------------------------------------------------------

    def _backlog_share(self) -> int:
        """Tokens for the existing content of one source."""
        return max(self._backlog_tokens // len(self._sources), _LEAST_BACKLOG_TOKENS)

    def _is_interim_due(self, source: _SourceDigest, now: float) -> bool:
        return (
            source.backlog is not None
            and source.backlog_parts == 0
            and now - source.backlog_since >= _INTERIM_S
        )

    def _condense(self, name: str, source: _SourceDigest, tokens: int) -> None:
        """Pass on the essence of the existing content read so far."""
        backlog, source.backlog = source.backlog, None
        if backlog is None:
            return
        for line in backlog.compose(tokens if source.backlog_parts == 0 else tokens // 2):
            self._emit(line.text, line.first_line, line.last_line, name)
            self._counted += line.counted
            self._full += line.counted == 0
        for template_id in backlog.template_ids:
            source.shown_at_token[template_id] = self._tokens
        source.backlog_parts += 1

    # --- live lines ---------------------------------------------------------------------------

    def _add_live(self, source: _SourceDigest, record: Record) -> None:
        if self._passes(source, record):
            self._emit_full(source, record)
            return
        self._waiting += 1
        repeats = source.repeats.get(record.template_id)
        if repeats is None:
            source.repeats[record.template_id] = _Repeats(1, record.number, record, record.severity)
            return
        repeats.count += 1
        repeats.last = record
        repeats.severity = max(repeats.severity, record.severity)

    def _passes(self, source: _SourceDigest, record: Record) -> bool:
        """Is this line passed on in full, at once?"""
        rate = self._rate
        if rate <= 0:
            return False
        cost = estimate_tokens(record.text)
        if record.template_id not in source.repeats and self._budget - cost > rate * _BURST_S / 2:
            return True
        if self._budget - cost < -rate * _DEBT_S:
            return False
        if self._is_new(source, record):
            return True
        return record.severity >= Severity.WARNING and self._is_unsaid(record)

    def _is_new(self, source: _SourceDigest, record: Record) -> bool:
        if record.template_id == UNASSIGNED or record.template_id in source.repeats:
            return False
        shown_at = source.shown_at_token.get(record.template_id)
        return shown_at is None or self._tokens - shown_at > _FORGET_TOKENS

    def _is_unsaid(self, record: Record) -> bool:
        """No warning or error with the same words was passed on lately."""
        key = mask(record.text)
        if key in self._recent:
            self._recent.move_to_end(key)
            return False
        self._recent[key] = None
        if len(self._recent) > _RECENT_MESSAGES:
            self._recent.popitem(last=False)
        return True

    def _flush(self, source: _SourceDigest) -> None:
        """Pass counts on, the worst and then the oldest first, as far as the budget goes."""
        waiting = sorted(
            source.repeats.items(), key=lambda item: (-item[1].severity, item[1].first_line)
        )
        for template_id, repeats in waiting:
            if self._budget <= 0:
                return
            del source.repeats[template_id]
            self._waiting -= repeats.count
            if repeats.count == 1:
                self._emit_full(source, repeats.last)
                continue
            last = repeats.last
            text = source.shortener.repeated(repeats.count, repeats.first_line, last)
            source.shown_at_token[template_id] = self._tokens
            self._counted += repeats.count
            self._spend(text)
            self._emit(text, repeats.first_line, last.number, last.source)

    def _emit_full(self, source: _SourceDigest, record: Record) -> None:
        text = source.shortener.full(record)
        source.shown_at_token[record.template_id] = self._tokens
        self._full += 1
        self._spend(text)
        self._emit(text, record.number, record.number, record.source)

    def _spend(self, text: str) -> None:
        self._budget -= estimate_tokens(text)

    def _emit(self, text: str, first_line: int, last_line: int, source: str) -> None:
        self._tokens += estimate_tokens(text)
        if len(self._sources) > 1:
            text = f"{display_text(source)} {text}"
        self._out.append(DigestLine(text, first_line, last_line, source))
