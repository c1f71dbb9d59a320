"""Measures how long the UI thread was away from its event loop."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer


class Heartbeat(QObject):
    """A timer that notices when it fires late.

    The lateness of a 5 ms timer is the time the loop spent in one piece on something else: the
    longest one is what an operator may have felt as a hang.

    Attributes:
        longest_block_ms: the worst lateness since the last reset.
        beats: how often the timer has fired since then.
    """

    INTERVAL_MS = 5

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.longest_block_ms = 0.0
        self.beats = 0
        self._last_s = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(self.INTERVAL_MS)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Begin to measure."""
        self.reset()
        self._timer.start()

    def stop(self) -> None:
        """End the measurement; the figures stay."""
        self._timer.stop()

    def reset(self) -> None:
        """Forget what was measured."""
        self.longest_block_ms = 0.0
        self.beats = 0
        self._last_s = time.perf_counter()

    def _beat(self) -> None:
        now_s = time.perf_counter()
        late_ms = (now_s - self._last_s) * 1000 - self.INTERVAL_MS
        self.longest_block_ms = max(self.longest_block_ms, late_ms)
        self._last_s = now_s
        self.beats += 1
