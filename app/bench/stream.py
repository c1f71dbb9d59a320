"""A long log through the cache: does anything grow?"""

from __future__ import annotations

import gc
import time

from app.bench.material import log_segments
from app.bench.target import BenchTarget
from app.engine.cache import CachedSegment
from app.engine.core import EngineCore
from app.engine.process_memory import process_memory

_TOKENS = 200_000
_WARM_UP_TOKENS = 20_000
_BATCH_TOKENS = 256


def run(target: BenchTarget, tokens: int | None, _runs: int | None) -> dict[str, object]:
    """Stream so many tokens; growth is of anonymous plus swapped memory after the warm-up."""
    wanted = tokens or _TOKENS
    warm_up = min(_WARM_UP_TOKENS, wanted // 10)
    core = EngineCore(target.config)
    try:
        started_s = time.perf_counter()
        baseline = peak = 0
        fullest = emptiest = 0
        evictions = 0
        pending: list[CachedSegment] = []
        for segment in log_segments(core):
            pending.append(segment)
            if sum(len(item.tokens) for item in pending) < _BATCH_TOKENS:
                continue
            before = core.cache.evicted_tokens
            core.ingest(pending)
            pending.clear()
            evictions += core.cache.evicted_tokens > before
            if core.cache.appended_tokens < warm_up:
                continue
            held = core.cache.window_tokens
            fullest, emptiest = max(fullest, held), min(emptiest or held, held)
            baseline = baseline or _private_bytes()
            if core.cache.appended_tokens >= wanted:
                break
        peak = _private_bytes()
        elapsed_s = time.perf_counter() - started_s
        occupancy = core.cache.occupancy()
        return {
            "tokens": core.cache.appended_tokens,
            "warm_up_tokens": warm_up,
            "growth_pct": round(100 * (peak - baseline) / baseline, 3),
            "private_mb_after_warm_up": round(baseline / 1e6, 1),
            "private_mb_at_end": round(peak / 1e6, 1),
            "window_limit_tokens": occupancy.window_limit_tokens,
            "window_tokens_least": emptiest,
            "window_tokens_most": fullest,
            "evictions": evictions,
            "capacity_tokens": occupancy.capacity_tokens,
            "tokens_per_s": round(core.cache.appended_tokens / elapsed_s, 1),
            "perplexity": round(core.perplexity.value or 0.0, 3),
        }
    finally:
        core.close()


def _private_bytes() -> int:
    gc.collect()
    anonymous, swapped, resident = process_memory()
    return anonymous + max(0, swapped) if anonymous >= 0 else resident
