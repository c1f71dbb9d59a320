"""Live updates at a bearable rate: the first at once, those that follow soon as one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Throttle(QObject):
    """Calls a function at once, then at most once per interval however often it is asked.

    Arguments:
        function: what to call, without arguments; it reads the newest state itself.
        interval_ms: least time between two calls.
    """

    def __init__(
        self, function: Callable[[], None], interval_ms: int, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._function = function
        self._wanted = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._elapsed)

    def __call__(self) -> None:
        """Ask for a call: now if none was made lately, else when the interval is over."""
        if self._timer.isActive():
            self._wanted = True
            return
        self._timer.start()
        self._function()

    def flush(self) -> None:
        """Make a waiting call now."""
        if self._wanted:
            self._wanted = False
            self._timer.start()
            self._function()

    def cancel(self) -> None:
        """Forget a waiting call."""
        self._wanted = False
        self._timer.stop()

    def _elapsed(self) -> None:
        if self._wanted:
            self._wanted = False
            self._timer.start()
            self._function()
