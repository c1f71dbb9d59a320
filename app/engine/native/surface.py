"""The typed surface that every native library is put behind.

The rest of the engine works against these protocols and cannot tell which library it has.
Differences between libraries are stated as ``Capabilities``, never guessed from a name.

Threads: an object belongs to the thread that made it. The one exception is ``AbortFlag``, which
any thread may raise. Every call that computes releases the GIL (they are ctypes calls).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.engine.native.batch import Batch

FloatRow = NDArray[np.float32]


class KvFormat(StrEnum):
    """Number format of cached keys or values."""

    F16 = "f16"
    Q8_0 = "q8_0"
    Q4_0 = "q4_0"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a native library can do.

    Attributes:
        name: short name shown to people, such as ``mainline``.
        version: version of the Python package that carries the library.
        kv_formats: pairs (keys, values) that a context can be made with.
        flash_attention: whether flash attention can be switched on.
        unified_cache: whether sequences share one buffer, so that a fork copies nothing.
    """

    name: str
    version: str
    kv_formats: tuple[tuple[KvFormat, KvFormat], ...]
    flash_attention: bool
    unified_cache: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """How a context is made.

    Attributes:
        cells: KV cells, in tokens, over all sequences together.
        batch_tokens: most tokens of one ``decode`` call.
        output_rows: most rows of one ``decode`` call whose logits are wanted.
        sequences: how many sequence ids may be in use at once.
        threads: threads for one-row batches; ``batch_threads`` for larger ones.
        key_format, value_format: KV number formats; quantised values need flash attention.
        flash_attention: compute attention in one fused kernel.
    """

    cells: int
    batch_tokens: int = 256
    output_rows: int = 16
    sequences: int = 4
    threads: int = 2
    batch_threads: int = 2
    key_format: KvFormat = KvFormat.F16
    value_format: KvFormat = KvFormat.F16
    flash_attention: bool = True


class NativeError(Exception):
    """A native call failed in a way that no operator can mend.

    Attributes:
        call: name of the native function.
        code: its return code.
    """

    def __init__(self, call: str, code: int, meaning: str) -> None:
        self.call = call
        self.code = code
        super().__init__(f"{call} returned {code}: {meaning}")


class CacheFull(NativeError):
    """No KV cells are left for the batch; the cache is unchanged."""


class DecodeAborted(NativeError):
    """The abort flag was raised during a decode; the caller trims what was half written."""


class AbortFlag(Protocol):
    """A flag that stops a running decode; any thread may raise it."""

    def set(self) -> None:
        """Stop the running decode, and refuse further ones until cleared."""

    def clear(self) -> None:
        """Allow decoding again."""

    def is_set(self) -> bool:
        """Whether decoding is stopped."""


class Context(Protocol):
    """A KV cache and the computation over it."""

    @property
    def options(self) -> ContextOptions:
        """How it was made."""

    @property
    def kv_bytes_per_token(self) -> int:
        """Bytes one KV cell takes over all layers."""

    @property
    def abort_flag(self) -> AbortFlag:
        """Raise it to stop a running decode."""

    def decode(self, batch: Batch) -> None:
        """Compute a batch and write its keys and values.

        The first decode after a ``shift`` also re-rotates the keys, and cannot be aborted: keep
        it short.

        Raises:
            CacheFull: there are not enough free cells; nothing was written.
            DecodeAborted: the abort flag was raised; part of the batch may be in the cache.
            NativeError: anything else.
            ValueError: the batch is empty, too large, or asks for too many output rows.
        """

    def logits(self, row: int) -> FloatRow:
        """Logits of a batch row that was marked as output.

        Arguments:
            row: index of the row in the batch of the last ``decode``.

        Returns:
            float32, shape ``(vocabulary,)``: a view, valid until the next ``decode``.
        """

    def remove(self, sequence: int, start: int, end: int = -1) -> None:
        """Drop positions ``start`` to ``end`` (excluded; -1: to the last) of a sequence."""

    def copy(self, source: int, target: int, start: int = 0, end: int = -1) -> None:
        """Let ``target`` share the cells of ``source``; nothing is copied in a unified cache."""

    def keep_only(self, sequence: int) -> None:
        """Drop every other sequence."""

    def shift(self, sequence: int, start: int, end: int, delta: int) -> None:
        """Move positions ``start`` to ``end`` (excluded) by ``delta``; keys are re-rotated.

        Cells shared with another sequence move for both: collapse before shifting.
        """

    def position_range(self, sequence: int) -> tuple[int, int]:
        """Smallest and largest position of a sequence; ``(-1, -1)`` when it is empty."""

    def clear(self) -> None:
        """Empty the whole cache."""

    def save_sequence(self, sequence: int) -> bytes:
        """Keys, values and positions of a sequence."""

    def load_sequence(self, sequence: int, state: bytes) -> None:
        """Replace a sequence by a saved one.

        Raises:
            NativeError: the state does not fit this model, format or cache.
        """

    def close(self) -> None:
        """Free it; harmless when repeated."""


class Model(Protocol):
    """Weights and vocabulary."""

    @property
    def path(self) -> Path:
        """The GGUF file."""

    @property
    def vocabulary_size(self) -> int:
        """Number of token ids."""

    @property
    def trained_context(self) -> int:
        """Positions the model was trained for."""

    @property
    def weight_bytes(self) -> int:
        """Bytes of all tensors."""

    @property
    def chat_template(self) -> str:
        """Jinja source of the chat template; empty where the file has none."""

    @property
    def begin_text(self) -> str:
        """Text of the begin-of-sequence token; empty where there is none."""

    @property
    def end_text(self) -> str:
        """Text of the end-of-sequence token; empty where there is none."""

    def tokenize(self, text: str, *, parse_special: bool = False) -> NDArray[np.int32]:
        """Token ids of a text.

        Arguments:
            text: any text; characters that are not valid Unicode scalars are replaced.
            parse_special: turn the text of control tokens into those tokens. Never for log or
                question text.
        """

    def token_bytes(self, token: int) -> bytes:
        """The bytes a token stands for; empty for control tokens."""

    def ends_generation(self, token: int) -> bool:
        """Whether the token ends an answer."""

    def new_context(self, options: ContextOptions) -> Context:
        """Make a context.

        Raises:
            AppError: the options cannot be had (memory, formats).
        """

    def close(self) -> None:
        """Free it; every context must be closed before. Harmless when repeated."""


LoadProgress = Callable[[float], None]


class Backend(Protocol):
    """A native library."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""

    def load_model(self, path: Path, progress: LoadProgress | None = None) -> Model:
        """Load weights from a GGUF file.

        Arguments:
            path: the file.
            progress: called with 0 to 1 on this thread.

        Raises:
            AppError: the file is missing, or the library refuses it.
        """


def detokenize(model: Model, tokens: Sequence[int] | NDArray[np.int32]) -> bytes:
    """The bytes of several tokens."""
    return b"".join(model.token_bytes(int(token)) for token in tokens)
