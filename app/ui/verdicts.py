"""What the panels say in plain words: the rules behind healthy, degraded and what to do.

No Qt here: figures in, a level and a sentence out. The sentences are found for translation by
packaging/translations/update.py.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.engine.messages import CacheOccupancy, EnginePhase, MemoryUse, Telemetry
from app.ui.marks import Level

SWAP_LIMIT_BYTES: Final = 16_000_000
"""Less than this in swap is what any long-lived process leaves there."""
DRIFT_FACTOR: Final = 1.5
"""The log reads this much worse than it did when perplexity is called drifting."""
BASELINE_POINTS: Final = 20
ACCEPTANCE_BAND: Final = (0.6, 0.75)
"""The set-point band of the controller (shared articles' figures)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence on one panel.

    Attributes:
        level: its shape and colour.
        template: English sentence with named fields, translated in the context ``verdicts``.
        values: its fields.
    """

    level: Level
    template: str
    values: dict[str, object] = field(default_factory=dict)


def acceptance(telemetry: Telemetry, phase: EnginePhase) -> Verdict:
    """How decoding goes."""
    if phase is EnginePhase.FAILED:
        return Verdict(
            Level.CRITICAL,
            "No model answers: see the notice at the top.",
        )
    if phase is EnginePhase.LOADING:
        return Verdict(Level.QUIET, "The models are loading.")
    rate = telemetry.acceptance_rate
    if rate is None:
        return Verdict(
            Level.SOUND,
            "Healthy: plain decoding, every word comes from the target model.",
        )
    low, high = ACCEPTANCE_BAND
    if rate < low:
        return Verdict(
            Level.WARNING,
            "Degraded: few drafts are accepted; answers are right, only slower.",
        )
    if rate > high:
        return Verdict(
            Level.SOUND,
            "Healthy: drafts are accepted above the set-point.",
        )
    return Verdict(Level.SOUND, "Healthy: acceptance is in its band.")


def memory(cache: CacheOccupancy, use: MemoryUse) -> Verdict:
    """How the cache and the process stand."""
    if use.swapped_bytes > SWAP_LIMIT_BYTES:
        return Verdict(
            Level.WARNING,
            "Degraded: {size} MB are in swap, answers slow down. Close other programs.",
            {"size": round(use.swapped_bytes / 1e6)},
        )
    if not cache.capacity_tokens:
        return Verdict(Level.QUIET, "The cache is not set up yet.")
    if cache.evicted_tokens:
        return Verdict(
            Level.SOUND,
            "Healthy: the window is full, the oldest lines leave.",
        )
    return Verdict(
        Level.SOUND,
        "Healthy: the whole log so far stands in the window.",
    )


def baseline(values: Sequence[float]) -> float | None:
    """What perplexity has usually been, or None before there is enough to say."""
    return statistics.median(values) if len(values) >= BASELINE_POINTS else None


def usual_band(values: Sequence[float]) -> tuple[float, float] | None:
    """What perplexity may be without a word about it, or None before there is enough to say."""
    usual = baseline(values)
    return (usual / DRIFT_FACTOR, usual * DRIFT_FACTOR) if usual is not None else None


def perplexity(values: Sequence[float]) -> Verdict:
    """Whether the log still reads as it did, from the perplexities so far, oldest first."""
    if not values:
        return Verdict(Level.QUIET, "Measuring: a little more log is needed.")
    usual = baseline(values)
    if usual is None:
        return Verdict(Level.QUIET, "Measuring: learning what is usual here.")
    if values[-1] > usual * DRIFT_FACTOR:
        return Verdict(
            Level.WARNING,
            "Degraded: the newest lines are unlike what came before. Check answers"
            " against their lines.",
        )
    return Verdict(Level.SOUND, "Healthy: the log reads as it did before.")
