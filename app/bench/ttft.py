"""Time to the first token: the log standing in the cache, against reading it again."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from itertools import islice

import numpy as np

from app.answers.prompt import question_text
from app.bench.material import segments_of
from app.bench.target import BenchTarget
from app.demo import demo_questions
from app.engine.cache import CachedSegment, TokenArray
from app.engine.core import EngineCore
from app.engine.messages import Ask
from app.engine.native.batch import Batch
from app.engine.native.surface import Context, ContextOptions, detokenize

_LOG_TOKENS = 1_500
_RUNS = 5
_COMPARED_TOKENS = 24
_REPREFILL_BATCH = 512
_EVIDENCE_LINES = 5


@dataclass(frozen=True, slots=True)
class _Timed:
    ttft_ms: float
    tokens: tuple[int, ...]


def run(target: BenchTarget, tokens: int | None, runs: int | None) -> dict[str, object]:
    """Both ways in turn, in one process; medians.

    The opponent is fair: it reads opening, log and question into an empty context of its own, in
    the batch size that is best for it, and is not charged for loading anything.
    """
    core = EngineCore(target.config)
    try:
        segments = segments_of(core, tokens or _LOG_TOKENS)
        core.ingest(segments)
        question = demo_questions("en")[0]
        plain = _question(core, question, [])
        lines = [
            f"[line3.log:{n}] 08:00:0{n} PLC encoder slip 4 mm" for n in range(_EVIDENCE_LINES)
        ]
        with_evidence = _question(core, question, lines)
        opponent = core.model.new_context(_opponent_options(core, len(plain)))
        standing, again, evidence = [], [], []
        try:
            for _ in range(runs or _RUNS):
                standing.append(_standing(core, plain))
                again.append(_reprefill(core, opponent, segments, plain))
                evidence.append(_standing(core, with_evidence))
        finally:
            opponent.close()
        standing_ms = statistics.median(item.ttft_ms for item in standing)
        again_ms = statistics.median(item.ttft_ms for item in again)
        first, second = standing[0].tokens, again[0].tokens
        return {
            "ttft_standing_ms": round(standing_ms, 1),
            "ttft_reprefill_ms": round(again_ms, 1),
            "ratio": round(again_ms / standing_ms, 2),
            "ttft_with_evidence_ms": round(statistics.median(e.ttft_ms for e in evidence), 1),
            "log_tokens": core.cache.window_tokens,
            "question_tokens": len(plain),
            "evidence_question_tokens": len(with_evidence),
            "runs": len(standing),
            "same_answer": first == second,
            "answer_standing": detokenize(core.model, first).decode("utf-8", "replace"),
            "answer_reprefill": detokenize(core.model, second).decode("utf-8", "replace"),
        }
    finally:
        core.close()


def _question(core: EngineCore, question: str, evidence: list[str]) -> TokenArray:
    text = question_text(question, evidence)
    return core.question_tokens(Ask("bench", text, max_tokens=_COMPARED_TOKENS))


def _standing(core: EngineCore, tokens: TokenArray) -> _Timed:
    started_s = time.perf_counter()
    first_ms = 0.0
    written: list[int] = []
    with core.cache.question():
        ask = Ask("bench", "", max_tokens=_COMPARED_TOKENS)
        for accepted in islice(core.answer(ask, tokens, _ignore), _COMPARED_TOKENS):
            first_ms = first_ms or (time.perf_counter() - started_s) * 1000
            written += accepted
    return _Timed(first_ms, tuple(written))


def _reprefill(
    core: EngineCore, context: Context, segments: list[CachedSegment], question: TokenArray
) -> _Timed:
    context.clear()
    tokens = np.concatenate([core.opening, *(item.tokens for item in segments), question])
    batch = Batch(context.options.batch_tokens)
    started_s = time.perf_counter()
    for start in range(0, len(tokens), batch.capacity):
        batch.clear()
        part = tokens[start : start + batch.capacity]
        batch.extend(part, start, 0, output_last=start + len(part) == len(tokens))
        context.decode(batch)
    logits = context.logits(batch.size - 1)
    first_ms = 0.0
    written: list[int] = []
    for position in range(len(tokens), len(tokens) + _COMPARED_TOKENS):
        token = int(np.argmax(logits))
        first_ms = first_ms or (time.perf_counter() - started_s) * 1000
        if core.model.ends_generation(token):
            break
        written.append(token)
        batch.clear()
        row = batch.add(token, position, (0,), output=True)
        context.decode(batch)
        logits = context.logits(row)
    return _Timed(first_ms, tuple(written))


def _opponent_options(core: EngineCore, question_tokens: int) -> ContextOptions:
    cells = core.cache.stream_end + question_tokens + _COMPARED_TOKENS
    own = core.context.options
    return ContextOptions(
        cells=cells,
        batch_tokens=_REPREFILL_BATCH,
        sequences=1,
        threads=own.threads,
        batch_threads=own.batch_threads,
    )


def _ignore(_done: int, _total: int) -> None:
    """Progress is not measured."""
