"""What the session tells its front end (the console or the command line)."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.messages import FinishReason
from app.errors import AppError


@dataclass(frozen=True, slots=True)
class Citation:
    """A log line that an answer rests on, with its text as it was.

    Attributes:
        source: display name of the log source.
        line: line number in it, from 1.
        text: the line's text at the time of the answer.
    """

    source: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished (or stopped, or failed) answer, as shown and as kept in the history."""

    id: str
    question: str
    text: str
    abstained: bool
    citations: tuple[Citation, ...]
    finish: FinishReason
    asked_at_s: float
    ttft_ms: float
    prefill_tokens: int
    answer_tokens: int
    tokens_per_s: float
    target: str
    draft: str
    backend: str
    seed: int


# --- session events ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LinesAppended:
    """Records ``first`` to ``first + count - 1`` of the store are new."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source changed state.

    Attributes:
        name: display name.
        state: ``reading`` (existing content), ``following``, ``ended``, ``missing`` or ``failed``.
        lines: lines read from it so far.
        note: template of a sentence for the operator (rotation, truncation, loss); may be empty.
        values: fields of that template.
    """

    name: str
    state: str
    lines: int
    note: str = ""
    values: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerStarted:
    """A question was taken."""

    answer_id: str
    question: str


@dataclass(frozen=True, slots=True)
class AnswerPrefill:
    """Evidence and question are being read: tokens done of total."""

    answer_id: str
    done_tokens: int
    total_tokens: int


@dataclass(frozen=True, slots=True)
class AnswerText:
    """More text of an answer."""

    answer_id: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerFinished:
    """The answer in its final, checked form; its text replaces what was streamed."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Questions worth a tap now, in the operator's language."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the operator should know; templates as in ``AppError``."""

    message: str
    hint: str = ""
    values: tuple[tuple[str, object], ...] = ()
    severity: str = "notice"
    """``notice``, ``warning`` or ``critical``."""

    @classmethod
    def of(cls, error: AppError, severity: str = "warning") -> Notice:
        """What an error says, untranslated."""
        return cls(
            error.message_template, error.hint_template, tuple(error.values.items()), severity
        )
