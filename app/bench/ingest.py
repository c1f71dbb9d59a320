"""How fast the log is read and an answer written, at several sizes of the standing context."""

from __future__ import annotations

import statistics
import time
from itertools import islice

from app.answers.prompt import question_text
from app.bench.material import log_segments
from app.bench.target import BenchTarget
from app.demo import demo_questions
from app.engine.cache import CachedSegment
from app.engine.core import EngineCore
from app.engine.messages import Ask

_CONTEXTS = (500, 1_000, 2_000)
_MEASURED_TOKENS = 256
_ANSWER_TOKENS = 24
_RUNS = 3


def run(target: BenchTarget, _tokens: int | None, runs: int | None) -> dict[str, object]:
    """Medians over runs; the window is as large as the largest context."""
    core = EngineCore(target.config)
    try:
        reading: dict[int, list[float]] = {size: [] for size in _CONTEXTS}
        writing: dict[int, list[float]] = {size: [] for size in _CONTEXTS}
        for _ in range(runs or _RUNS):
            core.reset()
            source = log_segments(core)
            for size in _CONTEXTS:
                while core.cache.window_tokens < size - _MEASURED_TOKENS:
                    core.ingest([next(source)])
                measured: list[CachedSegment] = []
                while sum(len(item.tokens) for item in measured) < _MEASURED_TOKENS:
                    measured.append(next(source))
                started_s = time.perf_counter()
                core.ingest(measured)
                elapsed_s = time.perf_counter() - started_s
                reading[size].append(sum(len(item.tokens) for item in measured) / elapsed_s)
                writing[size].append(_decode_tokens_per_s(core))
        figures: dict[str, object] = {}
        for size in _CONTEXTS:
            figures[f"ingest_tps_{size}"] = round(statistics.median(reading[size]), 1)
            figures[f"decode_tps_{size}"] = round(statistics.median(writing[size]), 2)
        return figures
    finally:
        core.close()


def _decode_tokens_per_s(core: EngineCore) -> float:
    ask = Ask("bench", question_text(demo_questions("en")[0], []), max_tokens=_ANSWER_TOKENS)
    times_s = []
    with core.cache.question():
        tokens = core.question_tokens(ask)
        for _ in islice(core.answer(ask, tokens, lambda _done, _total: None), _ANSWER_TOKENS):
            times_s.append(time.perf_counter())
    return (len(times_s) - 1) / (times_s[-1] - times_s[0]) if len(times_s) > 1 else 0.0
