"""What the engine needs to know before it starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.engine.native.surface import KvFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """How the engine is set up; it does not change while the engine runs.

    Attributes:
        target: GGUF file of the model that answers.
        draft: GGUF file of the draft model, or None. Plain decoding does not load it.
        system: the system message; pinned as sinks together with ``heading``.
        heading: first words of the user message, before the log.
        backend: name of the native library.
        sink_tokens: tokens of the opening to pin; 0 pins all of it. Fewer is for experiments: the
            rest of the opening then rolls out with the log.
        window_tokens: log tokens the window holds.
        reserve_tokens: tokens kept free for a question with its evidence and its answer.
        batch_tokens: most tokens computed in one call.
        threads: threads of the native library.
        key_format, value_format: number formats of the KV cache.
    """

    target: Path
    draft: Path | None = None
    system: str
    heading: str
    backend: str = "mainline"
    sink_tokens: int = 0
    window_tokens: int = 2048
    reserve_tokens: int = 1024
    batch_tokens: int = 128
    threads: int = 2
    key_format: KvFormat = KvFormat.F16
    value_format: KvFormat = KvFormat.F16
