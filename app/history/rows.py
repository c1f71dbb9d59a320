"""What the history holds and hands back: plain frozen dataclasses.

The history sits below the answers and cannot import them, so what it takes is described by
protocols that ``app.answers.messages`` fulfils.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

INTERRUPTED = "interrupted"
"""``finish`` of an answer that the end of the program cut off."""


class CitationLike(Protocol):
    """A log line an answer rests on."""

    @property
    def source(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def text(self) -> str: ...


class AnswerLike(Protocol):
    """A finished answer, as ``app.answers.messages.Answer`` is one."""

    @property
    def id(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def abstained(self) -> bool: ...
    @property
    def citations(self) -> Sequence[CitationLike]: ...
    @property
    def finish(self) -> str: ...
    @property
    def asked_at_s(self) -> float: ...
    @property
    def ttft_ms(self) -> float: ...
    @property
    def prefill_tokens(self) -> int: ...
    @property
    def answer_tokens(self) -> int: ...
    @property
    def tokens_per_s(self) -> float: ...
    @property
    def target(self) -> str: ...
    @property
    def draft(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One line of the history list.

    Attributes:
        finish: a ``FinishReason`` value; empty while the answer is being written.
        text: the answer's text, whole; empty before it ended.
    """

    id: str
    question: str
    text: str
    finish: str
    abstained: bool
    asked_at_s: float


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """A cited line with its text at the time of the answer."""

    source: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A question with everything known about its answer.

    The fields up to ``seed`` are those of ``app.answers.messages.Answer``.

    Attributes:
        target_sha256, draft_sha256: digests of the model files; empty where there was none.
        sources: names of the logs that were open.
        settings: the settings in force, as they were.
        plan: what the program searched and counted, as shown on the answer.
        finished_at_s: seconds since 1970 (UTC); 0 before it ended.
    """

    id: str
    question: str
    text: str
    abstained: bool
    citations: tuple[StoredCitation, ...]
    finish: str
    asked_at_s: float
    ttft_ms: float
    prefill_tokens: int
    answer_tokens: int
    tokens_per_s: float
    target: str
    draft: str
    backend: str
    seed: int
    target_sha256: str = ""
    draft_sha256: str = ""
    sources: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    plan: str = ""
    finished_at_s: float = 0.0


@dataclass(frozen=True, slots=True)
class HistoryNotice:
    """Something the operator should know about the history; templates as in ``AppError``."""

    message: str
    hint: str
    values: tuple[tuple[str, object], ...] = ()
