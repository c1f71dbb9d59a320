"""The engine's thread as its hosts see it: commands in, events out; on the real tiny model."""

from __future__ import annotations

import pickle
import queue
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app.engine.cache import CachedSegment, StreamCache
from app.engine.configuration import EngineConfig
from app.engine.core import EngineCore
from app.engine.messages import (
    AnswerEnd,
    Ask,
    EnginePhase,
    EngineProblem,
    EngineState,
    Event,
    FinishReason,
    Ingest,
    Ingested,
    LogSegment,
    PrefillProgress,
    Reset,
    Shutdown,
    Stop,
    Telemetry,
    TokenText,
)
from app.engine.native.surface import NativeError
from app.engine.worker import EngineWorker

EventType = TypeVar("EventType")
PATIENCE_S = 120


class Host:
    """Runs a worker and waits for its events."""

    def __init__(self, config: EngineConfig) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.seen: list[Event] = []
        self.worker = EngineWorker(config, self.events.put)
        self.worker.start()

    def wait(
        self, kind: type[EventType], accept: Callable[[EventType], bool] = lambda _: True
    ) -> EventType:
        while True:
            event = self.events.get(timeout=PATIENCE_S)
            self.seen.append(event)
            if isinstance(event, kind) and accept(event):
                return event

    def ask(self, answer_id: str, text: str = "\nQuestion: which part?", **more: int) -> None:
        self.worker.submit(Ask(answer_id, text, **{"max_tokens": 12, **more}))

    def end(self, answer_id: str) -> AnswerEnd:
        return self.wait(AnswerEnd, lambda event: event.answer_id == answer_id)

    def close(self) -> None:
        self.worker.submit(Shutdown())
        assert self.worker.join(PATIENCE_S)


def log(first: int, last: int) -> Ingest:
    return Ingest(
        tuple(
            LogSegment(f"L{n} 08:00:{n % 60:02} camera 2 judged part {n} good\n", n, n, "line.log")
            for n in range(first, last + 1)
        )
    )


def config(tiny_model: Path, **more: int) -> EngineConfig:
    sizes = {"window_tokens": 256, "reserve_tokens": 256, **more}
    return EngineConfig(target=tiny_model, system="Answer from the log.", heading="Log:\n", **sizes)


@pytest.fixture(scope="module")
def running(tiny_model: Path) -> Iterator[Host]:
    host = Host(config(tiny_model))
    host.wait(EngineState, lambda event: event.phase is EnginePhase.READY)
    yield host
    host.close()


@pytest.fixture
def host(running: Host) -> Host:
    """The shared worker with an empty standing log."""
    running.worker.submit(Reset())
    running.wait(Ingested, lambda event: event.tokens == 0)
    running.seen.clear()
    return running


def test_the_log_is_read_as_it_arrives_and_an_answer_rests_on_it(host: Host) -> None:
    host.worker.submit(log(1, 8))
    ingested = host.wait(Ingested, lambda event: event.waiting_segments == 0)
    assert ingested.last_line == 8
    host.ask("one")
    end = host.end("one")
    assert end.finish in (FinishReason.COMPLETE, FinishReason.LENGTH)
    assert 1 <= end.answer_tokens <= 12
    assert end.ttft_ms > 0
    assert end.context_tokens >= ingested.tokens
    streamed = "".join(event.text for event in host.seen if isinstance(event, TokenText))
    assert streamed == end.text


def test_a_question_reads_its_own_tokens_only(host: Host) -> None:
    host.ask("short")
    without_log = host.end("short").prefill_tokens
    host.worker.submit(log(1, 8))
    host.wait(Ingested, lambda event: event.waiting_segments == 0)
    host.ask("again")
    assert host.end("again").prefill_tokens == without_log


def test_the_log_goes_on_between_questions_in_constant_space(host: Host) -> None:
    for first in range(1, 60, 6):
        host.worker.submit(log(first, first + 5))
        host.wait(Ingested, lambda event: event.waiting_segments == 0)
    host.ask("q")
    host.end("q")
    telemetry = host.wait(Telemetry)
    cache = telemetry.cache
    assert cache.evicted_tokens > 0
    assert cache.window_tokens <= cache.window_limit_tokens == 256
    assert cache.asking_tokens == 0
    assert telemetry.memory.kv_bytes == cache.capacity_tokens * cache.bytes_per_token
    assert telemetry.perplexity is not None
    assert telemetry.perplexity > 1.0


def test_stop_ends_decoding_and_keeps_what_was_written(host: Host) -> None:
    host.ask("long", "\nCount from one to five hundred.", max_tokens=200)
    host.wait(TokenText)
    host.worker.submit(Stop("long"))
    end = host.end("long")
    assert end.finish is FinishReason.STOPPED
    assert end.text
    assert end.answer_tokens < 200
    host.ask("next")
    assert host.end("next").finish is not FinishReason.STOPPED


def test_stop_ends_reading_the_question_twice_in_a_row(host: Host) -> None:
    host.worker.submit(log(1, 8))
    host.wait(Ingested, lambda event: event.waiting_segments == 0)
    host.ask("before")
    expected = host.end("before").text
    for answer_id in ("first", "second"):
        host.ask(answer_id, "why " * 230)
        host.wait(PrefillProgress, lambda event, name=answer_id: event.answer_id == name)
        host.worker.submit(Stop(answer_id))
        host.worker.submit(Stop(answer_id))
        end = host.end(answer_id)
        assert end.finish is FinishReason.STOPPED
        assert end.answer_tokens == 0
    host.ask("after")
    assert host.end("after").text == expected, "the cache is as clean as before"


def test_a_waiting_question_can_be_taken_back(host: Host) -> None:
    host.ask("running", "\nCount from one to five hundred.", max_tokens=200)
    host.wait(TokenText)
    host.ask("waiting")
    host.worker.submit(Stop("waiting"))
    host.worker.submit(Stop("running"))
    assert host.end("running").finish is FinishReason.STOPPED
    assert host.end("waiting").answer_tokens == 0


def test_every_question_gets_exactly_one_end(host: Host) -> None:
    for number in range(4):
        host.ask(f"q{number}", max_tokens=2)
    host.worker.submit(Stop("q2"))
    host.worker.submit(Stop("never asked"))
    for number in (0, 1, 3):
        host.end(f"q{number}")
    ends = [event.answer_id for event in host.seen if isinstance(event, AnswerEnd)]
    assert sorted(ends) == ["q0", "q1", "q2", "q3"]


def test_a_question_does_not_wait_for_a_long_log(host: Host) -> None:
    # More than one batch of log; the question is asked while it is being read.
    host.worker.submit(log(1, 12))
    host.wait(EngineState, lambda event: event.phase is EnginePhase.INGESTING)
    host.ask("urgent", max_tokens=1)
    host.end("urgent")
    done = host.wait(Ingested, lambda event: event.waiting_segments == 0)
    assert done.last_line == 12, "the rest of the log is read afterwards, nothing is lost"


def test_a_flood_keeps_the_newest_and_says_what_was_passed_over(host: Host) -> None:
    host.worker.submit(log(1, 400))
    done = host.wait(Ingested, lambda event: event.waiting_segments == 0)
    assert done.last_line == 400
    assert done.skipped_segments > 0


def test_a_question_that_is_too_long_is_refused_in_words(host: Host) -> None:
    host.ask("endless", "why " * 2000)
    assert host.end("endless").finish is FinishReason.ERROR
    problem = next(event for event in host.seen if isinstance(event, EngineProblem))
    assert "too long" in problem.message
    assert not problem.fatal


def test_a_missing_model_is_said_and_questions_end(tmp_path: Path) -> None:
    host = Host(config(tmp_path / "none.gguf"))
    problem = host.wait(EngineProblem)
    assert problem.fatal
    assert "missing" in problem.message
    host.ask("q")
    assert host.end("q").finish is FinishReason.ERROR
    host.close()


def test_closing_ends_a_running_answer(tiny_model: Path) -> None:
    host = Host(config(tiny_model))
    host.ask("long", "\nCount from one to five hundred.", max_tokens=200)
    host.ask("waiting")
    host.wait(TokenText)
    host.close()
    assert host.end("long").finish is FinishReason.INTERRUPTED
    assert host.end("waiting").finish is FinishReason.INTERRUPTED
    host.wait(EngineState, lambda event: event.phase is EnginePhase.CLOSED)


def test_a_window_larger_than_the_model_is_refused_in_words(tiny_model: Path) -> None:
    host = Host(config(tiny_model, window_tokens=1_000_000))
    assert "trained for" in host.wait(EngineProblem).message
    host.close()


def test_commands_and_events_pickle(host: Host) -> None:
    host.ask("q", max_tokens=2)
    host.end("q")
    for message in (*host.seen, Ask("a", "b"), Stop("a"), log(1, 2), Reset(), Shutdown()):
        assert pickle.loads(pickle.dumps(message)) == message


def test_fewer_sinks_than_the_opening_roll_out_with_the_log(tiny_model: Path) -> None:
    host = Host(config(tiny_model, sink_tokens=4))
    telemetry = host.wait(Telemetry)
    assert telemetry.cache.sink_tokens == 4
    assert telemetry.cache.window_tokens > 0, "the rest of the opening stands in the window"
    host.close()


def test_after_a_native_failure_the_log_is_read_again_and_the_loss_is_counted(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(config(tiny_model))
    host.worker.submit(log(1, 4))
    host.wait(Ingested, lambda event: event.waiting_segments == 0)
    ingest = EngineCore.ingest
    failures = iter([NativeError("llama_decode", -3, "computation failed")])

    def fail_once(core: EngineCore, segments: Sequence[CachedSegment]) -> int:
        for failure in failures:
            core.context.clear()
            raise failure
        return ingest(core, segments)

    monkeypatch.setattr(EngineCore, "ingest", fail_once)
    host.worker.submit(log(5, 6))
    problem = host.wait(EngineProblem)
    assert "llama_decode" in problem.message.format(**problem.values)
    assert not problem.fatal
    told = host.wait(Ingested)
    assert told.read_segments + told.skipped_segments == 6, "the lost lines are counted"
    host.worker.submit(log(7, 8))
    host.wait(Ingested, lambda event: event.last_line == 8)
    host.ask("q")
    end = host.end("q")
    assert end.finish in (FinishReason.COMPLETE, FinishReason.LENGTH)
    telemetry = host.wait(Telemetry)
    assert telemetry.cache.window_tokens > 100, "lines 1 to 4 stand again"
    host.close()


def test_a_question_asked_while_the_log_is_read_again_waits(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(config(tiny_model))
    host.worker.submit(log(1, 8))
    host.wait(Ingested, lambda event: event.waiting_segments == 0)
    rebuild = StreamCache.rebuild

    def ask_meanwhile(cache: StreamCache) -> None:
        host.ask("meanwhile")
        host.worker.submit(Stop("another"))
        rebuild(cache)

    monkeypatch.setattr(StreamCache, "rebuild", ask_meanwhile)
    monkeypatch.setattr(
        EngineCore, "question_tokens", raise_once(EngineCore.question_tokens, RuntimeError("bug"))
    )
    host.ask("fails")
    assert host.end("fails").finish is FinishReason.ERROR
    assert host.end("meanwhile").finish in (FinishReason.COMPLETE, FinishReason.LENGTH)
    telemetry = host.wait(Telemetry)
    assert telemetry.cache.window_tokens > 150, "the whole log stands again"
    host.close()


def raise_once(method: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    errors = iter([error])

    def wrapped(*arguments: Any) -> Any:
        for first in errors:
            raise first
        return method(*arguments)

    return wrapped
