"""The essence of what stood in a log before it was opened."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.stream.digest_text import LineShortener, estimate_tokens
from app.stream.records import Record, Severity
from app.stream.templates import UNASSIGNED

_TAIL_LINES = 64
_SEVERE_LINES = 64
_TEMPLATES = 512
_TAIL_SHARE = 0.3
_COUNTS_SHARE = 0.25


@dataclass(slots=True)
class _Kind:
    """Lines of one template."""

    first: Record
    last: Record
    count: int
    severity: Severity


@dataclass(frozen=True, slots=True)
class BacklogLine:
    """A digest line.

    Attributes:
        text, first_line, last_line: as in ``DigestLine``.
        counted: log lines behind a count that are not shown in full as well; 0 for a full line.
    """

    text: str
    first_line: int
    last_line: int
    counted: int


class Backlog:
    """Collects existing lines in bounded memory, then condenses them to a number of tokens."""

    def __init__(self, shortener: LineShortener) -> None:
        self._shortener = shortener
        self._kinds: dict[int, _Kind] = {}
        self._tail: deque[Record] = deque(maxlen=_TAIL_LINES)
        self._severe: deque[Record] = deque(maxlen=_SEVERE_LINES)

    @property
    def template_ids(self) -> tuple[int, ...]:
        """Templates seen."""
        return tuple(self._kinds)

    def add(self, records: Sequence[Record]) -> None:
        """Take the next lines."""
        self._shortener.learn(records)
        self._tail.extend(records[-_TAIL_LINES:])
        kinds = self._kinds
        for record in records:
            kind = kinds.get(record.template_id)
            if kind is not None:
                kind.count += 1
                kind.last = record
                kind.severity = max(kind.severity, record.severity)
            elif record.template_id != UNASSIGNED and len(kinds) < _TEMPLATES:
                kinds[record.template_id] = _Kind(record, record, 1, record.severity)
                if record.severity >= Severity.WARNING:
                    self._severe.append(record)

    def compose(self, tokens: int) -> list[BacklogLine]:
        """The most telling lines that fit into ``tokens``, in order of line numbers.

        First the first line of each severe template, then the end of the log, then the first line
        of the other templates; the commonest templates also as counts.
        """
        counts = self._counts(int(tokens * _COUNTS_SHARE))
        left = tokens - sum(cost for _, cost in counts)
        chosen: dict[int, Record] = {}
        severe_left = self._choose(self._severe, chosen, left // 2)
        left -= left // 2 - severe_left
        tail_budget = min(left, int(tokens * _TAIL_SHARE))
        left -= tail_budget - self._choose(reversed(self._tail), chosen, tail_budget)
        self._choose((kind.first for kind in self._kinds.values()), chosen, left)
        return self._written(chosen, [kind for kind, _ in counts])

    def _counts(self, tokens: int) -> list[tuple[_Kind, int]]:
        """Severe templates, then the commonest, as far as their counts fit; each with its cost."""
        found: list[tuple[_Kind, int]] = []
        repeated = [kind for kind in self._kinds.values() if kind.count > 2]
        for kind in sorted(
            repeated, key=lambda kind: (kind.severity < Severity.WARNING, -kind.count)
        ):
            cost = estimate_tokens(kind.last.text) + 8
            if cost > tokens:
                break
            tokens -= cost
            found.append((kind, cost))
        return found

    def _choose(self, records: Iterable[Record], chosen: dict[int, Record], tokens: int) -> int:
        """Add records while they fit; return the tokens left."""
        for record in records:
            if record.number in chosen:
                continue
            cost = estimate_tokens(record.text)
            if cost > tokens:
                break
            chosen[record.number] = record
            tokens -= cost
        return tokens

    def _written(self, chosen: dict[int, Record], counted: list[_Kind]) -> list[BacklogLine]:
        shown: dict[int, int] = {}
        for record in chosen.values():
            shown[record.template_id] = shown.get(record.template_id, 0) + 1
        entries: list[tuple[int, Record, _Kind | None]] = [
            (record.number, record, None) for record in chosen.values()
        ]
        entries += [(kind.last.number, kind.last, kind) for kind in counted]
        lines = []
        entries.sort(key=lambda entry: (entry[0], entry[2] is not None))
        for number, record, kind in entries:
            if kind is None:
                lines.append(BacklogLine(self._shortener.full(record), number, number, 0))
                continue
            rest = kind.count - shown.get(record.template_id, 0)
            if rest < 2:
                continue
            first = kind.first.number
            text = self._shortener.repeated(kind.count, first, record)
            lines.append(BacklogLine(text, first, number, rest))
        return lines
