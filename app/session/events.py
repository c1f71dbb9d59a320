"""Everything a session may tell its front end."""

from __future__ import annotations

from dataclasses import dataclass

from app.answers.messages import (
    AnswerFinished,
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    LinesAppended,
    Notice,
    SourceStatus,
    Suggestions,
)
from app.engine.messages import EngineState, Ingested, Telemetry


@dataclass(frozen=True, slots=True)
class ModelFetch:
    """Better models are being fetched while others answer.

    Attributes:
        profile: what is being fetched.
        done_bytes, total_bytes: over all its files.
        finished: everything is here; the engine changes over.
    """

    profile: str
    done_bytes: int
    total_bytes: int
    finished: bool = False


SessionEvent = (
    LinesAppended
    | SourceStatus
    | AnswerStarted
    | AnswerPrefill
    | AnswerText
    | AnswerFinished
    | Suggestions
    | Notice
    | EngineState
    | Ingested
    | Telemetry
    | ModelFetch
)
