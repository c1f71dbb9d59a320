"""Perplexity of the log while it streams in, from a sample of its tokens."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import numpy as np

from app.engine.cache import TokenArray
from app.engine.native.surface import FloatRow


def token_loss(logits: FloatRow, token: int) -> float:
    """Negative log-likelihood of a token, in nats.

    Arguments:
        logits: float32, shape ``(vocabulary,)``.
        token: the token that really followed.
    """
    top = float(logits.max())
    # float32 is enough inside the sum: the terms are at most 1 and the result is a logarithm.
    return top + math.log(float(np.exp(logits - np.float32(top)).sum())) - float(logits[token])


class StreamingPerplexity:
    """Perplexity over the latest sampled tokens.

    Arguments:
        stride: one row in this many is sampled; its logits cost about a tenth of a token.
        window: samples kept.
        least: samples needed before a value is given.
    """

    def __init__(self, stride: int = 32, window: int = 256, least: int = 16) -> None:
        self._stride = stride
        self._least = least
        self._losses: deque[float] = deque(maxlen=window)
        self._offset = 0

    @property
    def samples(self) -> int:
        """How many sampled tokens the value rests on."""
        return len(self._losses)

    @property
    def value(self) -> float | None:
        """exp of the mean loss, or None before there are enough samples."""
        if len(self._losses) < self._least:
            return None
        return math.exp(sum(self._losses) / len(self._losses))

    def rows(self, chunk: TokenArray) -> Sequence[int]:
        """Rows of a chunk to sample: every ``stride``-th token of the stream."""
        first = -self._offset % self._stride
        self._offset = (self._offset + len(chunk)) % self._stride
        return range(first, len(chunk), self._stride)

    def observe(self, logits: FloatRow, token: int) -> None:
        """Take one sampled row and the token that followed it."""
        self._losses.append(token_loss(logits, token))

    def clear(self) -> None:
        """Forget all samples."""
        self._losses.clear()
        self._offset = 0
