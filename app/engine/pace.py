"""Speed over the latest tokens: steadier than one batch, quicker than an average of everything."""

from __future__ import annotations

_REMEMBERED_TOKENS = 512.0


class Pace:
    """Tokens a second; what was measured fades out as about ``remembered`` newer tokens come.

    Arguments:
        remembered: tokens after which a measurement weighs half.
    """

    def __init__(self, remembered: float = _REMEMBERED_TOKENS) -> None:
        self._remembered = remembered
        self._tokens = 0.0
        self._seconds = 0.0

    @property
    def tokens_per_s(self) -> float:
        """The speed; 0 before anything was measured."""
        return self._tokens / self._seconds if self._seconds > 0 else 0.0

    def add(self, tokens: int, seconds: float) -> None:
        """Take a measurement."""
        if tokens <= 0 or seconds <= 0:
            return
        fade = 0.5 ** (tokens / self._remembered)
        self._tokens = self._tokens * fade + tokens
        self._seconds = self._seconds * fade + seconds
