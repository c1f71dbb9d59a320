"""Which log lines the view shows, in order: all of them, or those that a pattern finds."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.answers.messages import Citation
from app.errors import AppError
from app.stream.records import Record, Severity
from app.stream.store import LinePattern
from app.ui.models import cited
from app.ui.session_api import StoreLike

SCAN_LINES: Final = 20_000
"""Lines matched in one piece: hits show up early and a changed pattern waits little."""

log = logging.getLogger(__name__)

_NOTHING: Final = np.empty(0, dtype=np.int64)


def is_everything(pattern: LinePattern) -> bool:
    """Whether a pattern leaves no line out."""
    return not pattern.text and pattern.min_severity <= Severity.UNKNOWN and pattern.sources is None


class LogRows(QObject):
    """Rows of the log view: row number to store index and back.

    Matching runs on a thread of its own, in pieces, and goes on as lines arrive; the UI thread
    only takes finished pieces.
    """

    replaced = Signal()
    """The rows are others now (another pattern, another log)."""
    grown = Signal(int)
    """Rows came at the end; so many of them are lines that arrived since the pattern was set."""
    counted = Signal(int, int, bool)
    """Matching lines, lines looked at, and whether all lines have been looked at."""
    refused = Signal(object)
    """The pattern cannot be used (an AppError says why)."""
    _found = Signal(int, object, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store: StoreLike | None = None
        self._pattern = LinePattern()
        self._everything = True
        self._known = 0
        self._known_before = 0
        self._hits = _NOTHING
        self._hit_count = 0
        self._scanned = 0
        self._scanning = False
        self._generation = 0
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="log-filter")
        self._found.connect(self._take)

    # --- reading ------------------------------------------------------------------------------

    @property
    def pattern(self) -> LinePattern:
        """The pattern in force."""
        return self._pattern

    @property
    def filtered(self) -> bool:
        """Whether lines may be left out."""
        return not self._everything

    @property
    def total(self) -> int:
        """Lines in the store, as far as the view knows."""
        return self._known

    def count(self) -> int:
        """Rows to show."""
        return self._known if self._everything else self._hit_count

    def index_at(self, row: int) -> int:
        """Store index of a row."""
        return row if self._everything else int(self._hits[row])

    def row_of(self, index: int) -> int | None:
        """Row of a store index, or None where it is not shown."""
        if self._everything:
            return index if 0 <= index < self._known else None
        row = int(np.searchsorted(self._hits[: self._hit_count], index))
        return row if row < self._hit_count and self._hits[row] == index else None

    def records(self, start: int, stop: int) -> list[tuple[int, Record]]:
        """Store index and record of the rows ``start`` to ``stop - 1``."""
        stop = min(stop, self.count())
        if self._store is None or start >= stop:
            return []
        if self._everything:
            return list(enumerate(self._store.records(start, stop), start))
        indices = self._hits[start:stop].tolist()
        return [(index, self._store.record(index)) for index in indices]

    def locate(self, citation: Citation) -> int | None:
        """Store index of a cited line that is there as it was, or None."""
        return cited.find(self._store, citation) if self._store is not None else None

    # --- changing -----------------------------------------------------------------------------

    def set_store(self, store: StoreLike) -> None:
        """Show another store."""
        self._store = store
        self._restart()

    def set_pattern(self, pattern: LinePattern) -> None:
        """Show only lines that match."""
        if pattern == self._pattern:
            return
        self._pattern = pattern
        self._restart()

    def sync(self) -> None:
        """Take notice of lines that have arrived; cheap, call it as often as the view repaints."""
        if self._store is None:
            return
        length = len(self._store)
        if length < self._known:
            self._restart()
            return
        new = length - self._known
        if not new:
            return
        self._known = length
        if self._everything:
            self.grown.emit(new)
            self.counted.emit(length, length, True)
        else:
            self._scan_on()

    def close(self) -> None:
        """End the matching thread; waits for the piece in work."""
        self._generation += 1
        self._pool.shutdown(wait=True, cancel_futures=True)

    # --- matching -----------------------------------------------------------------------------

    def _restart(self) -> None:
        self._generation += 1
        self._everything = is_everything(self._pattern)
        self._known = len(self._store) if self._store is not None else 0
        self._known_before = self._known
        self._hits, self._hit_count, self._scanned = _NOTHING, 0, 0
        self._scanning = False
        self.replaced.emit()
        if self._everything:
            self.counted.emit(self._known, self._known, True)
        else:
            self._scan_on()

    def _scan_on(self) -> None:
        if self._scanning or self._store is None:
            return
        if self._scanned >= self._known:
            self.counted.emit(self._hit_count, self._scanned, True)
            return
        self._scanning = True
        stop = min(self._known, self._scanned + SCAN_LINES)
        self._pool.submit(
            self._scan, self._generation, self._store, self._pattern, self._scanned, stop
        )

    def _scan(
        self, generation: int, store: StoreLike, pattern: LinePattern, start: int, stop: int
    ) -> None:
        """Match one piece; runs on the matching thread."""

        def cancelled() -> bool:
            return generation != self._generation

        if cancelled():
            return
        try:
            hits: object = store.match(pattern, start, stop, cancelled)
        except AppError as error:
            hits = error
        except Exception:
            log.exception("matching lines %d to %d failed", start, stop)
            hits = AppError("The log cannot be searched; the program's log file says more.")
        self._found.emit(generation, hits, stop)

    def _take(self, generation: int, hits: object, scanned: int) -> None:
        if generation != self._generation:
            return
        self._scanning = False
        if isinstance(hits, AppError):
            self.refused.emit(hits)
            return
        assert isinstance(hits, np.ndarray)
        self._append(hits)
        self._scanned = scanned
        if hits.size:
            self.grown.emit(int(np.count_nonzero(hits >= self._known_before)))
        self.counted.emit(self._hit_count, scanned, scanned >= self._known)
        if scanned < self._known:
            self._scan_on()

    def _append(self, hits: NDArray[np.int64]) -> None:
        needed = self._hit_count + hits.size
        if needed > self._hits.size:
            larger = np.empty(max(needed, 2 * self._hits.size, 1024), dtype=np.int64)
            larger[: self._hit_count] = self._hits[: self._hit_count]
            self._hits = larger
        self._hits[self._hit_count : needed] = hits
        self._hit_count = needed
