"""What the engine is told and what it tells: frozen dataclasses that pickle.

Commands go in by one queue with priorities; events come out by a callback that runs on the
engine's thread. Neither side holds a reference to the other's objects, so the same worker can
live in a child process.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

# --- commands ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LogSegment:
    """Text for the standing context; a cache block boundary may fall only between segments.

    Attributes:
        text: one digest line, line end included.
        first_line, last_line: numbers of the log lines it stands for, from 1, both included.
        source: name of the log source.
    """

    text: str
    first_line: int
    last_line: int
    source: str


@dataclass(frozen=True, slots=True)
class Ingest:
    """Append log segments to the standing context, in order."""

    segments: tuple[LogSegment, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Answer from the standing context.

    Attributes:
        answer_id: the caller's name for this answer.
        text: what follows the log in the prompt: evidence lines, facts and the operator's words.
            Never parsed for special tokens.
        max_tokens: most tokens of the answer; always held.
        temperature: 0 is greedy.
        seed: seeds the sampler; recorded with the answer.
    """

    answer_id: str
    text: str
    max_tokens: int = 256
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """End the running answer, or take a waiting one out of the queue; what was written stays."""

    answer_id: str


@dataclass(frozen=True, slots=True)
class Reset:
    """Forget the standing log (not the sinks): another log begins."""


@dataclass(frozen=True, slots=True)
class Shutdown:
    """Stop whatever runs, free every native object, end the thread."""


Command = Ingest | Ask | Stop | Reset | Shutdown

# --- events -----------------------------------------------------------------------------------


class EnginePhase(StrEnum):
    """What the engine is doing, for the status header."""

    LOADING = "loading"
    READY = "ready"
    INGESTING = "ingesting"
    ANSWERING = "answering"
    FAILED = "failed"
    CLOSED = "closed"


class FinishReason(StrEnum):
    """Why an answer ended."""

    COMPLETE = "complete"
    """The model ended it."""
    LENGTH = "length"
    """``max_tokens`` was reached."""
    STOPPED = "stopped"
    """The operator stopped it."""
    LOOP = "loop"
    """It began to repeat itself and was cut."""
    ERROR = "error"
    """It failed; an ``EngineProblem`` says why."""
    INTERRUPTED = "interrupted"
    """The program ended while it ran."""


@dataclass(frozen=True, slots=True)
class EngineState:
    """The engine changed phase.

    Attributes:
        phase: the new phase.
        target, draft: file names of the models in force; empty before they are loaded.
        backend: the native library in force, such as ``mainline``.
        load_fraction: 0 to 1 while loading.
    """

    phase: EnginePhase
    target: str = ""
    draft: str = ""
    backend: str = ""
    load_fraction: float = 0.0


@dataclass(frozen=True, slots=True)
class Ingested:
    """Log segments stand in the cache now.

    Attributes:
        tokens: log tokens read since the start or the last reset.
        read_segments: segments read since the start or the last reset.
        waiting_segments: segments accepted but not read yet.
        skipped_segments: segments passed over because they came faster than they could be read.
        source, last_line: the newest log line that stands in the cache.
    """

    tokens: int
    read_segments: int
    waiting_segments: int
    skipped_segments: int
    source: str
    last_line: int


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """The question and its evidence are being read."""

    answer_id: str
    done_tokens: int
    total_tokens: int


@dataclass(frozen=True, slots=True)
class TokenText:
    """Newly decoded text of an answer: whole characters only; often one token, sometimes more."""

    answer_id: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerEnd:
    """An answer ended; always sent exactly once for each ``Ask``.

    Attributes:
        text: the whole text as the model wrote it.
        finish: why it ended.
        ttft_ms: from taking the command up to the first token, waiting included; 0 without one.
        prefill_tokens: tokens read for this question (evidence, question, closing template).
        answer_tokens: tokens decoded.
        tokens_per_s: decoding speed, first token excluded; 0 with fewer than two tokens.
        context_tokens: tokens of the standing context it rested on.
    """

    answer_id: str
    text: str
    finish: FinishReason
    ttft_ms: float
    prefill_tokens: int
    answer_tokens: int
    tokens_per_s: float
    context_tokens: int
    target: str
    draft: str
    backend: str
    seed: int


@dataclass(frozen=True, slots=True)
class CacheOccupancy:
    """The KV cache by part.

    Attributes:
        capacity_tokens: cells in the cache.
        sink_tokens, window_tokens, asking_tokens: cells in use by part.
        window_limit_tokens: most tokens the rolling window may hold.
        write_head: slot of the next log token, from 0, in ``[sinks, sinks + window limit)``.
        bytes_per_token: KV bytes one cell takes over all layers.
        evicted_tokens: log tokens that have left the window since the start.
    """

    capacity_tokens: int = 0
    sink_tokens: int = 0
    window_tokens: int = 0
    asking_tokens: int = 0
    window_limit_tokens: int = 0
    write_head: int = 0
    bytes_per_token: int = 0
    evicted_tokens: int = 0


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The process's memory, in bytes; -1 where the platform cannot say."""

    anonymous_bytes: int = -1
    swapped_bytes: int = -1
    resident_bytes: int = -1
    model_bytes: int = 0
    kv_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What the panels draw; sent at most four times a second and at the end of each answer.

    Attributes:
        mode: decoding mode in force, such as ``plain``.
        acceptance_rate: accepted over proposed draft tokens, or None where nothing is proposed.
        perplexity: exp of the mean negative log-likelihood of the latest sampled log tokens, or
            None before there are enough.
        perplexity_tokens: how many sampled tokens that rests on.
        ingest_tokens_per_s, decode_tokens_per_s, ttft_ms: latest measurements; 0 before one.
    """

    cache: CacheOccupancy = field(default_factory=CacheOccupancy)
    memory: MemoryUse = field(default_factory=MemoryUse)
    mode: str = "plain"
    acceptance_rate: float | None = None
    perplexity: float | None = None
    perplexity_tokens: int = 0
    ingest_tokens_per_s: float = 0.0
    decode_tokens_per_s: float = 0.0
    ttft_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class EngineProblem:
    """Something failed.

    Attributes:
        message, hint, values: as in ``AppError``, templates that the interface translates.
        fatal: the engine cannot go on (the models did not load).
    """

    message: str
    hint: str
    values: dict[str, object] = field(default_factory=dict)
    fatal: bool = False


Event = EngineState | Ingested | PrefillProgress | TokenText | AnswerEnd | Telemetry | EngineProblem
