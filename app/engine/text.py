"""From decoded tokens to text: whole characters only, and an end to loops."""

from __future__ import annotations

import codecs

import numpy as np
from numpy.typing import NDArray


class TextAssembler:
    """Joins token bytes and gives out whole characters; a character may span tokens."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """Everything given out so far."""
        return "".join(self._parts)

    def feed(self, piece: bytes) -> str:
        """Take a token's bytes; the characters that are complete now, possibly none."""
        return self._give(self._decoder.decode(piece))

    def flush(self) -> str:
        """Give out what is left; an unfinished character becomes a replacement character."""
        return self._give(self._decoder.decode(b"", final=True))

    def _give(self, text: str) -> str:
        self._parts.append(text)
        return text


class LoopDetector:
    """Notices that the output repeats itself.

    For each period up to ``longest_period`` it counts how many tokens in a row equal the token
    one period earlier: constant work a token.

    Arguments:
        longest_period: longest repeated phrase, in tokens.
        copies: full repetitions, after the first, that make a loop.
        least_tokens: repeated tokens needed in any case, so that short rows of equal signs pass.
    """

    def __init__(self, longest_period: int = 64, copies: int = 3, least_tokens: int = 24) -> None:
        periods = np.arange(1, longest_period + 1)
        self._limits = np.maximum(periods * copies, least_tokens)
        self._runs: NDArray[np.int64] = np.zeros(longest_period, np.int64)
        # The latest tokens, newest first: entry p - 1 is the token p steps ago.
        self._recent: NDArray[np.int64] = np.full(longest_period, -1, np.int64)

    def feed(self, token: int) -> bool:
        """Take a token; whether the output is in a loop now."""
        self._runs = np.where(self._recent == token, self._runs + 1, 0)
        self._recent[1:] = self._recent[:-1]
        self._recent[0] = token
        return bool(np.any(self._runs >= self._limits))
