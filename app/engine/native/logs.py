"""Native log messages into Python logging."""

from __future__ import annotations

import logging

logger = logging.getLogger("anchorline.native")

_LEVELS = {
    1: logging.DEBUG,
    2: logging.DEBUG,  # INFO describes every tensor; those who ask for DEBUG want it
    3: logging.INFO,
    4: logging.WARNING,  # a failed call raises as well; an aborted one is no error
}
_CONTINUATION = 5


class LogLines:
    """Joins the pieces in which a native library writes its log lines.

    ``last_error`` keeps the newest error line, since return codes of the libraries rarely say
    why a call failed.
    """

    def __init__(self) -> None:
        self.last_error = ""
        self._level = logging.DEBUG
        self._text = ""

    def write(self, level: int, text: bytes | None) -> None:
        """Take one piece, as passed to a ``ggml_log_callback``."""
        if level != _CONTINUATION:
            self._level = _LEVELS.get(level, logging.DEBUG)
        self._text += (text or b"").decode("utf-8", "replace")
        while "\n" in self._text:
            line, self._text = self._text.split("\n", 1)
            self._emit(line)

    def _emit(self, line: str) -> None:
        line = line.strip(" .")
        if not line:
            return
        if self._level >= logging.WARNING:
            self.last_error = line
        logger.log(self._level, "%s", line)
