"""How soon Stop takes effect: in the middle of reading a question, and between answer tokens."""

from __future__ import annotations

import queue
import statistics
import time
from typing import TypeVar

from app.answers.prompt import question_text
from app.bench.target import BenchTarget
from app.demo import demo_questions
from app.engine.messages import (
    AnswerEnd,
    Ask,
    Event,
    PrefillProgress,
    Shutdown,
    Stop,
    TokenText,
)
from app.engine.worker import EngineWorker
from app.errors import AppError

_RUNS = 10
_PATIENCE_S = 300.0
_LONG_QUESTION_WORDS = 500
# Spread over the time that one batch takes, so that no moment of a decode is favoured.
_DELAYS_S = (0.02, 0.11, 0.23, 0.37, 0.53)

EventType = TypeVar("EventType")


def run(target: BenchTarget, _tokens: int | None, runs: int | None) -> dict[str, object]:
    """Time from handing in Stop to the end of the answer, through the worker's queue."""
    events: queue.Queue[Event] = queue.Queue()
    worker = EngineWorker(target.config, events.put)
    worker.start()
    reading, writing = [], []
    try:
        for number in range(runs or _RUNS):
            long = "why " * _LONG_QUESTION_WORDS
            worker.submit(Ask(f"reading {number}", long, max_tokens=64))
            _wait(events, PrefillProgress)
            time.sleep(_DELAYS_S[number % len(_DELAYS_S)])
            reading.append(_stop_ms(worker, events, f"reading {number}"))
            worker.submit(Ask(f"writing {number}", _question(), max_tokens=256))
            _wait(events, TokenText)
            time.sleep(_DELAYS_S[number % len(_DELAYS_S)])
            writing.append(_stop_ms(worker, events, f"writing {number}"))
    finally:
        worker.submit(Shutdown())
        worker.join()
    return {
        "stop_reading_ms": round(statistics.median(reading), 1),
        "stop_reading_worst_ms": round(max(reading), 1),
        "stop_writing_ms": round(statistics.median(writing), 1),
        "stop_writing_worst_ms": round(max(writing), 1),
        "runs": len(reading),
    }


def _question() -> str:
    return question_text(demo_questions("en")[0], ["Tell a long story about every line."])


def _stop_ms(worker: EngineWorker, events: queue.Queue[Event], answer_id: str) -> float:
    started_s = time.perf_counter()
    worker.submit(Stop(answer_id))
    _wait(events, AnswerEnd)
    return (time.perf_counter() - started_s) * 1000


def _wait(events: queue.Queue[Event], kind: type[EventType]) -> EventType:
    while True:
        try:
            event = events.get(timeout=_PATIENCE_S)
        except queue.Empty:
            raise AppError("The engine did not answer in time.", "Measure again.") from None
        if isinstance(event, kind):
            return event
