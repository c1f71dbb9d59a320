"""A session without engine and files: the store is real, everything else is told by the test."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.answers.messages import (
    Answer,
    AnswerFinished,
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    Citation,
    LinesAppended,
    Notice,
)
from app.engine.messages import FinishReason
from app.errors import AppError
from app.stream.records import Record, Severity
from app.stream.store import LogStore
from app.ui.session_api import SessionEvent

TARGET = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
DRAFT = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
START_S = 1_733_800_000.0


def record(
    number: int,
    text: str = "",
    severity: Severity = Severity.INFO,
    *,
    source: str = "line3.log",
    time_s: float | None = None,
) -> Record:
    """A record with sensible defaults."""
    return Record(source, number, text or f"event {number}", severity, "", time_s, -1)


def answer(answer_id: str = "a1", **changes: object) -> Answer:
    """A complete answer that rests on one line; fields may be changed."""
    values: dict[str, object] = {
        "id": answer_id,
        "question": "Why did line 3 stop?",
        "text": "Line 3 stopped because the light curtain was broken.",
        "abstained": False,
        "citations": (Citation("line3.log", 2, "event 2"),),
        "finish": FinishReason.COMPLETE,
        "asked_at_s": START_S,
        "ttft_ms": 412.0,
        "prefill_tokens": 312,
        "answer_tokens": 24,
        "tokens_per_s": 23.4,
        "target": TARGET,
        "draft": "",
        "backend": "mainline",
        "seed": 0,
    }
    values.update(changes)
    return Answer(**values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Row:
    """A row of the history list."""

    id: str
    question: str
    text: str
    asked_at_s: float
    abstained: bool
    finish: FinishReason


class FakeHistory:
    """Answers kept in a list, newest first."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.searches: list[str] = []

    async def recent(self, limit: int = 200, search: str = "") -> Sequence[Row]:
        self.searches.append(search)
        return [
            Row(item.id, item.question, item.text, item.asked_at_s, item.abstained, item.finish)
            for item in reversed(self.answers)
            if search.lower() in item.question.lower()
        ][:limit]

    async def load(self, answer_id: str) -> Answer:
        found = next((item for item in self.answers if item.id == answer_id), None)
        if found is None:
            raise AppError("The answer {id} is not in the history.", id=answer_id)
        return found


class FakeSession:
    """Records what the console asks of it; emits what the test wants."""

    def __init__(self) -> None:
        self.language = "en"
        self.store = LogStore()
        self.history = FakeHistory()
        self.profile = "standard"
        self.suggestions: tuple[str, ...] = ("Why did line 3 stop?", "Which alarms repeat?")
        self.asked: list[str] = []
        self.open_ids: list[str] = []
        self.stopped: list[str] = []
        self.files: list[Path] = []
        self.started = False
        self.closed = False
        self._subscribers: list[Callable[[SessionEvent], None]] = []

    def subscribe(self, callback: Callable[[SessionEvent], None]) -> Callable[[], None]:
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def emit(self, event: SessionEvent) -> None:
        """Tell every subscriber."""
        if isinstance(event, AnswerFinished) and event.answer.id in self.open_ids:
            self.open_ids.remove(event.answer.id)
        for callback in list(self._subscribers):
            callback(event)

    async def start(self) -> None:
        self.started = True

    async def close(self) -> None:
        self.closed = True

    def open_file(self, path: Path) -> None:
        if path.is_file():
            self.files.append(path)
            return
        error = AppError("Cannot read {path}.", "Check that the file is there.", path=path)
        self.emit(Notice.of(error))

    def ask(self, question: str) -> str:
        if not question.strip():
            raise AppError("There is no question.", "Type or choose one, then press Ask.")
        self.asked.append(question)
        answer_id = f"a{len(self.asked)}"
        self.open_ids.append(answer_id)
        self.emit(AnswerStarted(answer_id, question))
        return answer_id

    def stop(self, answer_id: str | None = None) -> None:
        self.stopped += [item for item in self.open_ids if answer_id in (None, item)]

    # --- what a test makes happen ---------------------------------------------------------------

    def append(self, records: Sequence[Record]) -> None:
        """Lines arrive."""
        first = self.store.append(records)
        self.emit(LinesAppended(first, len(records)))

    def write_answer(self, final: Answer, words: Sequence[str] = ()) -> None:
        """An answer streams in and is finished."""
        self.emit(AnswerPrefill(final.id, final.prefill_tokens, final.prefill_tokens))
        for word in words:
            self.emit(AnswerText(final.id, word))
        self.history.answers.append(final)
        self.emit(AnswerFinished(final))


_LINES = (
    (Severity.INFO, "plc-3 cycle {n} complete, 12.{d} s, 24 parts"),
    (Severity.INFO, "camera-2 frame {n} ok, exposure 8{d}0 us, sharpness 0.9{d}"),
    (Severity.INFO, "gateway mqtt publish station/3/state seq={n} qos=1"),
    (Severity.DEBUG, "opcua read ns=2;s=Line3.Conveyor.Speed value=0.4{d}"),
    (Severity.INFO, "3号线 工单 WO-2026-11{d} 正在生产，良率 99.{d}%"),
    (Severity.NOTICE, "operator 王工 logged in at station 3"),
    (Severity.WARNING, "temperature of drive M4 is 7{d} degC, limit 80 degC"),
    (Severity.WARNING, "3号线 相机2 曝光不足，已自动补偿 +{d}%"),
    (Severity.ERROR, "plc-3 E204 light curtain broken at gate 2, conveyor stopped"),
    (Severity.ERROR, "3号线 急停按钮被按下，输送带停机，代码 E101"),
    (Severity.CRITICAL, "drive M4 overtemperature trip F0030, line 3 halted"),
)
_WEIGHTS = (30, 25, 18, 12, 12, 3, 5, 4, 1.2, 0.8, 0.4)


def demo_records(count: int, seed: int = 7) -> Iterator[Record]:
    """Lines of an inspection line, Chinese and English, with a burst of trouble."""
    chance = random.Random(seed)
    time_s = START_S
    for number in range(1, count + 1):
        time_s += chance.expovariate(1 / 1.4)
        trouble = 0.62 < number / count < 0.68
        weights = [w * (8 if trouble and place >= 6 else 1) for place, w in enumerate(_WEIGHTS)]
        severity, template = chance.choices(_LINES, weights)[0]
        clock = datetime.fromtimestamp(time_s, UTC).strftime("%H:%M:%S.%f")[:-3]
        text = f"{clock} {template.format(n=4000 + number, d=chance.randrange(10))}"
        yield Record("line3.log", number, text, severity, clock, time_s, -1)
