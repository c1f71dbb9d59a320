"""Mainline llama.cpp, through the low-level interface of llama-cpp-python."""

from __future__ import annotations

import ctypes
from functools import cached_property
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from app.engine.native.abort import NativeAbortFlag
from app.engine.native.batch import Batch
from app.engine.native.logs import LogLines
from app.engine.native.surface import (
    CacheFull,
    Capabilities,
    ContextOptions,
    DecodeAborted,
    FloatRow,
    KvFormat,
    LoadProgress,
    NativeError,
)
from app.errors import AppError

# llama-cpp-python's functions are untyped ctypes wrappers; one Any keeps the rest of the module
# checked.
_api: Any = llama_cpp

_GGML_TYPES = {
    KvFormat.F16: llama_cpp.GGML_TYPE_F16,
    KvFormat.Q8_0: llama_cpp.GGML_TYPE_Q8_0,
    KvFormat.Q4_0: llama_cpp.GGML_TYPE_Q4_0,
}
_DECODE_MEANINGS = {
    -1: "invalid batch",
    -2: "out of memory",
    -3: "computation failed",
}
_CACHE_FULL = 1
_ABORTED = 2

_NO_ABORT = llama_cpp.ggml_abort_callback()

_log = LogLines()


def _take_native_log(level: int, text: bytes, _data: object) -> None:
    _log.write(level, text)


# The C side keeps this function for as long as the process runs.
_on_native_log = _api.llama_log_callback(_take_native_log)


class MainlineBackend:
    """llama.cpp as built into llama-cpp-python."""

    def __init__(self) -> None:
        _api.llama_log_set(_on_native_log, ctypes.c_void_p(0))
        _api.llama_backend_init()

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        return Capabilities(
            name="mainline",
            version=llama_cpp.__version__,
            kv_formats=(
                (KvFormat.F16, KvFormat.F16),
                (KvFormat.Q8_0, KvFormat.Q8_0),
                (KvFormat.Q8_0, KvFormat.Q4_0),
            ),
            flash_attention=True,
            unified_cache=True,
        )

    def load_model(self, path: Path, progress: LoadProgress | None = None) -> MainlineModel:
        """Load weights from a GGUF file.

        Raises:
            AppError: the file is missing, or the library refuses it.
        """
        return MainlineModel(path, progress)


class MainlineModel:
    """Weights and vocabulary, as ``surface.Model`` says."""

    def __init__(self, path: Path, progress: LoadProgress | None) -> None:
        if not path.is_file():
            raise AppError(
                "The model file {path} is missing.",
                'Fetch it with "anchorline models fetch", or choose another profile.',
                path=path,
            )
        self.path = path
        parameters = _api.llama_model_default_params()
        parameters.n_gpu_layers = 0
        if progress is not None:
            self._progress = llama_cpp.llama_progress_callback(
                lambda fraction, _data: progress(fraction) or True
            )
            parameters.progress_callback = self._progress
        _log.last_error = ""
        self._pointer: Any = _api.llama_model_load_from_file(str(path).encode(), parameters)
        if not self._pointer:
            raise AppError(
                "The model file {path} cannot be loaded: {reason}.",
                'Check it with "anchorline models verify", and fetch it again if it is damaged.',
                path=path,
                reason=_log.last_error or "the native library gives no reason",
            )
        self._vocabulary: Any = _api.llama_model_get_vocab(self._pointer)
        self.vocabulary_size = int(_api.llama_vocab_n_tokens(self._vocabulary))
        self.trained_context = int(_api.llama_model_n_ctx_train(self._pointer))
        self.weight_bytes = int(_api.llama_model_size(self._pointer))
        self._pieces: dict[int, bytes] = {}

    @cached_property
    def chat_template(self) -> str:
        """Jinja source of the chat template; empty where the file has none."""
        source = _api.llama_model_chat_template(self._pointer, None)
        return source.decode("utf-8", "replace") if source else ""

    @cached_property
    def begin_text(self) -> str:
        """Text of the begin-of-sequence token; empty where there is none."""
        return self._control_text(_api.llama_vocab_bos(self._vocabulary))

    @cached_property
    def end_text(self) -> str:
        """Text of the end-of-sequence token; empty where there is none."""
        return self._control_text(_api.llama_vocab_eos(self._vocabulary))

    @property
    def pointer(self) -> Any:
        """The native handle, for this module's contexts."""
        return self._pointer

    def tokenize(self, text: str, *, parse_special: bool = False) -> NDArray[np.int32]:
        """Token ids of a text, as ``surface.Model`` says."""
        raw = text.encode("utf-8", "replace")
        # A byte-level vocabulary never needs more tokens than bytes; 8 more for a leading space.
        room = len(raw) + 8
        buffer = np.empty(room, np.int32)
        count = _api.llama_tokenize(
            self._vocabulary,
            raw,
            len(raw),
            buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_int32)),
            room,
            False,
            parse_special,
        )
        if count < 0:
            raise NativeError("llama_tokenize", count, f"{-count} tokens from {len(raw)} bytes")
        return buffer[:count].copy()

    def token_bytes(self, token: int) -> bytes:
        """The bytes a token stands for; empty for control tokens."""
        piece = self._pieces.get(token)
        if piece is None:
            piece = self._piece(token, special=False)
            self._pieces[token] = piece
        return piece

    def ends_generation(self, token: int) -> bool:
        """Whether the token ends an answer."""
        return bool(_api.llama_vocab_is_eog(self._vocabulary, token))

    def new_context(self, options: ContextOptions) -> MainlineContext:
        """Make a context, as ``surface.Model`` says."""
        return MainlineContext(self, options)

    def close(self) -> None:
        """Free it; harmless when repeated."""
        if self._pointer:
            _api.llama_model_free(self._pointer)
            self._pointer = None

    def _control_text(self, token: int) -> str:
        return self._piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""

    def _piece(self, token: int, *, special: bool) -> bytes:
        if not 0 <= token < self.vocabulary_size:
            raise ValueError(f"token {token} is outside the vocabulary of {self.vocabulary_size}")
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            count = _api.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count


class MainlineContext:
    """A KV cache and the computation over it, as ``surface.Context`` says."""

    def __init__(self, model: MainlineModel, options: ContextOptions) -> None:
        self.options = options
        self._abort = NativeAbortFlag()
        self._pointer: Any = _api.llama_init_from_model(
            model.pointer, _native_options(options, self._abort)
        )
        if not self._pointer:
            raise AppError(
                "There is not enough memory for a context of {cells} tokens: {reason}.",
                "Choose a smaller window, or the tiny profile.",
                cells=options.cells,
                reason=_log.last_error or "the native library gives no reason",
            )
        self._memory: Any = _api.llama_get_memory(self._pointer)
        self._row_type = ctypes.c_float * model.vocabulary_size
        self._views: dict[int, Any] = {}
        self._shift_pending = False
        self._kv_bytes_per_token = _kv_bytes_per_token(model, options)

    @property
    def kv_bytes_per_token(self) -> int:
        """Bytes one KV cell takes over all layers."""
        return self._kv_bytes_per_token

    @property
    def abort_flag(self) -> NativeAbortFlag:
        """Raise it to stop a running decode."""
        return self._abort

    def decode(self, batch: Batch) -> None:
        """Compute a batch, as ``surface.Context`` says."""
        if not 1 <= batch.size <= self.options.batch_tokens:
            raise ValueError(f"a batch has 1 to {self.options.batch_tokens} rows, not {batch.size}")
        outputs = int(np.count_nonzero(batch.outputs[: batch.size]))
        if outputs > self.options.output_rows:
            raise ValueError(f"{outputs} output rows asked, {self.options.output_rows} reserved")
        if self._abort.is_set():
            raise DecodeAborted("llama_decode", _ABORTED, "aborted before it began")
        code = self._decode(self._native_batch(batch))
        if code == 0:
            return
        if code == _CACHE_FULL:
            raise CacheFull("llama_decode", code, "no free cells")
        if code == _ABORTED:
            raise DecodeAborted("llama_decode", code, "aborted")
        raise NativeError("llama_decode", code, _DECODE_MEANINGS.get(code, "unknown code"))

    def logits(self, row: int) -> FloatRow:
        """Logits of an output row, as ``surface.Context`` says."""
        pointer = _api.llama_get_logits_ith(self._pointer, row)
        if not pointer:
            raise ValueError(f"row {row} of the last batch was not marked as output")
        address = ctypes.cast(pointer, ctypes.c_void_p).value
        assert address is not None
        view: FloatRow = np.ctypeslib.as_array(self._row_type.from_address(address))
        return view

    def remove(self, sequence: int, start: int, end: int = -1) -> None:
        """Drop positions of a sequence."""
        self._check_sequence(sequence)
        if not _api.llama_memory_seq_rm(self._memory, sequence, start, end):
            raise NativeError("llama_memory_seq_rm", 0, "a partial range cannot be removed")

    def copy(self, source: int, target: int, start: int = 0, end: int = -1) -> None:
        """Let ``target`` share the cells of ``source``."""
        self._check_sequence(source)
        self._check_sequence(target)
        _api.llama_memory_seq_cp(self._memory, source, target, start, end)

    def keep_only(self, sequence: int) -> None:
        """Drop every other sequence."""
        self._check_sequence(sequence)
        _api.llama_memory_seq_keep(self._memory, sequence)

    def shift(self, sequence: int, start: int, end: int, delta: int) -> None:
        """Move positions of a sequence."""
        self._check_sequence(sequence)
        _api.llama_memory_seq_add(self._memory, sequence, start, end, delta)
        self._shift_pending = True

    def position_range(self, sequence: int) -> tuple[int, int]:
        """Smallest and largest position of a sequence; ``(-1, -1)`` when it is empty."""
        self._check_sequence(sequence)
        return (
            int(_api.llama_memory_seq_pos_min(self._memory, sequence)),
            int(_api.llama_memory_seq_pos_max(self._memory, sequence)),
        )

    def clear(self) -> None:
        """Empty the whole cache."""
        _api.llama_memory_clear(self._memory, False)

    def save_sequence(self, sequence: int) -> bytes:
        """Keys, values and positions of a sequence."""
        self._check_sequence(sequence)
        size = int(_api.llama_state_seq_get_size(self._pointer, sequence))
        buffer = (ctypes.c_uint8 * size)()
        written = int(_api.llama_state_seq_get_data(self._pointer, buffer, size, sequence))
        if written <= 0:
            raise NativeError("llama_state_seq_get_data", written, "the sequence was not saved")
        return bytes(memoryview(buffer)[:written])

    def load_sequence(self, sequence: int, state: bytes) -> None:
        """Replace a sequence by a saved one."""
        self._check_sequence(sequence)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        read = int(_api.llama_state_seq_set_data(self._pointer, buffer, len(state), sequence))
        if read <= 0:
            raise NativeError("llama_state_seq_set_data", read, "the state does not fit")

    def close(self) -> None:
        """Free it; harmless when repeated."""
        if self._pointer:
            _api.llama_free(self._pointer)
            self._pointer = None

    def _decode(self, native: Any) -> int:
        if not self._shift_pending:
            return int(_api.llama_decode(self._pointer, native))
        # The keys are re-rotated at the start of this call. llama.cpp would abort that pass like
        # any other, leave half of the layers rotated and rotate them again at the next call, so
        # it has to run to its end.
        _api.llama_set_abort_callback(self._pointer, _NO_ABORT, None)
        try:
            code = int(_api.llama_decode(self._pointer, native))
        finally:
            _api.llama_set_abort_callback(
                self._pointer,
                llama_cpp.ggml_abort_callback(self._abort.callback_address),
                self._abort.data_address,
            )
        self._shift_pending = False
        return code

    def _check_sequence(self, sequence: int) -> None:
        # The library asserts on a bad id, which would end the process.
        if not 0 <= sequence < self.options.sequences:
            raise ValueError(f"sequence {sequence} is outside 0 to {self.options.sequences - 1}")

    def _native_batch(self, batch: Batch) -> Any:
        view = self._views.get(id(batch))
        if view is None:
            view = _BatchView(batch)
            self._views[id(batch)] = view
        view.native.n_tokens = batch.size
        return view.native


class _BatchView:
    """The C struct over a batch's arrays; made once, and keeps the batch alive."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        rows = batch.sequence_ids
        addresses = rows.ctypes.data + np.arange(batch.capacity) * rows.strides[0]
        self.row_pointers = addresses.astype(np.uintp)
        int32_pointer = ctypes.POINTER(ctypes.c_int32)
        self.native = llama_cpp.llama_batch(
            n_tokens=0,
            token=batch.tokens.ctypes.data_as(int32_pointer),
            embd=None,
            pos=batch.positions.ctypes.data_as(int32_pointer),
            n_seq_id=batch.sequence_counts.ctypes.data_as(int32_pointer),
            seq_id=self.row_pointers.ctypes.data_as(ctypes.POINTER(int32_pointer)),
            logits=batch.outputs.ctypes.data_as(ctypes.POINTER(ctypes.c_int8)),
        )


def _native_options(options: ContextOptions, abort: NativeAbortFlag) -> Any:
    native = _api.llama_context_default_params()
    native.n_ctx = options.cells
    native.n_batch = options.batch_tokens
    native.n_ubatch = options.batch_tokens
    native.n_outputs_max = options.output_rows
    native.n_seq_max = options.sequences
    native.n_threads = options.threads
    native.n_threads_batch = options.batch_threads
    native.flash_attn_type = (
        llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED
        if options.flash_attention
        else llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
    )
    native.type_k = _GGML_TYPES[options.key_format]
    native.type_v = _GGML_TYPES[options.value_format]
    native.offload_kqv = False
    native.op_offload = False
    native.no_perf = True
    native.kv_unified = True
    native.abort_callback = llama_cpp.ggml_abort_callback(abort.callback_address)
    native.abort_callback_data = abort.data_address
    return native


_BYTES_PER_VALUE = {KvFormat.F16: 2.0, KvFormat.Q8_0: 34 / 32, KvFormat.Q4_0: 18 / 32}


def _kv_bytes_per_token(model: MainlineModel, options: ContextOptions) -> int:
    layers = int(_api.llama_model_n_layer(model.pointer))
    heads = int(_api.llama_model_n_head(model.pointer))
    kv_heads = int(_api.llama_model_n_head_kv(model.pointer))
    width = int(_api.llama_model_n_embd(model.pointer)) // heads * kv_heads
    key, value = _BYTES_PER_VALUE[options.key_format], _BYTES_PER_VALUE[options.value_format]
    return round(layers * width * (key + value))
