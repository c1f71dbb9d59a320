"""Choosing a token from logits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.native.surface import FloatRow


@dataclass(frozen=True, slots=True)
class Sampler:
    """Greedy at temperature 0, otherwise top-k then top-p (nucleus) sampling.

    Random numbers are counter-based (Philox: Salmon et al., "Parallel random numbers: as easy as
    1, 2, 3", SC 2011), keyed by seed and position: they do not depend on how many were drawn
    before, so an answer can be replayed whatever the schedule was.

    Attributes:
        temperature: 0 for greedy.
        seed: any integer.
        top_k: candidates kept.
        top_p: probability mass kept of those.
    """

    temperature: float = 0.0
    seed: int = 0
    top_k: int = 40
    top_p: float = 0.95

    def choose(self, logits: FloatRow, position: int) -> int:
        """The next token.

        Arguments:
            logits: float32, shape ``(vocabulary,)``.
            position: index of the token within the answer, from 0.
        """
        if self.temperature <= 0.0:
            return int(np.argmax(logits))
        count = min(self.top_k, len(logits))
        candidates = np.argpartition(logits, -count)[-count:]
        candidates = candidates[np.argsort(-logits[candidates], kind="stable")]
        scaled = logits[candidates].astype(np.float64) / self.temperature
        weights = np.exp(scaled - scaled[0])
        cumulative = np.cumsum(weights / weights.sum())
        kept = int(np.searchsorted(cumulative, self.top_p)) + 1
        draw = uniform(self.seed, position) * cumulative[min(kept, count) - 1]
        return int(candidates[int(np.searchsorted(cumulative, draw, side="right"))])


def uniform(seed: int, position: int, node: int = 0) -> float:
    """A number in [0, 1) that depends on its three keys only."""
    mask = (1 << 64) - 1
    bits = np.random.Philox(key=seed & mask, counter=[0, 0, node & mask, position & mask])
    return float(np.random.Generator(bits).random())
