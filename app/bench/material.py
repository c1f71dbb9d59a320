"""Log text for measurements: the simulated inspection line, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator

from app.demo import demo_lines
from app.engine.cache import CachedSegment
from app.engine.core import EngineCore
from app.engine.messages import LogSegment

_SEED = 7
_START_S = 1_780_000_000.0


def log_segments(core: EngineCore) -> Iterator[CachedSegment]:
    """Tokenised demo lines, without end."""
    for number, line in enumerate(demo_lines(_SEED, _START_S), 1):
        text = f"L{number} {line.text}\n"
        segment = core.segment(LogSegment(text, number, number, "line3.log"))
        if segment is not None:
            yield segment


def segments_of(core: EngineCore, tokens: int) -> list[CachedSegment]:
    """The first demo lines that make at least so many tokens."""
    chosen: list[CachedSegment] = []
    total = 0
    for segment in log_segments(core):
        if total >= tokens:
            break
        chosen.append(segment)
        total += len(segment.tokens)
    return chosen
