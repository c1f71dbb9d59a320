"""Small makers of records and a service whose callbacks are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from app.stream.digest import DigestLine
from app.stream.records import Record, Severity
from app.stream.service import SourceChange, StreamService
from app.stream.store import LogStore

WAIT_S = 20.0


def record(
    number: int,
    text: str = "text",
    *,
    source: str = "a.log",
    severity: Severity = Severity.INFO,
    template_id: int = 1,
    raw_time: str = "",
    time_s: float | None = None,
) -> Record:
    return Record(source, number, text, severity, raw_time, time_s, template_id)


class Running:
    """A stream service with a store, and all it has said."""

    def __init__(self, rate: float = 1e9, store: LogStore | None = None) -> None:
        self.store = LogStore() if store is None else store
        self.ranges: list[tuple[int, int]] = []
        self.changes: list[SourceChange] = []
        self.digest: list[DigestLine] = []
        self.said = threading.Condition()
        self.service = StreamService(
            self.store,
            on_lines=lambda first, count: self._keep(self.ranges, (first, count)),
            on_status=lambda change: self._keep(self.changes, change),
            on_digest=lambda lines: self._keep(self.digest, *lines),
            digest_rate=lambda: rate,
        )

    def _keep(self, kept: list[Any], *items: Any) -> None:
        with self.said:
            kept += items
            self.said.notify_all()

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self.said:
            assert self.said.wait_for(condition, WAIT_S), "waited in vain"

    def wait_lines(self, count: int) -> list[str]:
        """Texts of all records once ``count`` were reported."""
        self.wait_for(lambda: sum(number for _, number in self.ranges) >= count)
        return [record.text for record in self.store.records(0, len(self.store))]

    def notes(self) -> list[str]:
        return [change.note for change in self.changes if change.note]

    def __enter__(self) -> Running:
        self.service.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.service.close()
