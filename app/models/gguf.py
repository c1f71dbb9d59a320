"""Read and judge a GGUF header in plain Python, before any native code sees the file.

A damaged or hostile header crashes native loaders; here every count, length and offset is checked
against bounds and against the file's size first. Format: the GGUF specification, versions 2 and 3
(https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from app.errors import AppError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_HEADER_BYTES = 256 << 20
MAX_ENTRIES = 65_536
MAX_STRING_BYTES = 16 << 20
MAX_ARRAY_ITEMS = 4 << 20
MAX_DIMENSIONS = 4
MAX_ALIGNMENT = 1 << 16

_SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING = 8
_ARRAY = 9

# Elements and bytes of one block by tensor type number (ggml.h, enum ggml_type).
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4),
    27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66),
}  # fmt: skip

Value = int | float | bool | str | bytes | tuple[bytes, ...] | None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What makes two models' tokens the same tokens.

    Attributes:
        kind, pre: tokenizer model and pre-tokenizer names.
        size: number of tokens.
        sha256: digest over all token texts, each with its length.
    """

    kind: str
    pre: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GgufInfo:
    """What a GGUF header says.

    Attributes:
        architecture: such as ``qwen2`` or ``llama``.
        context_length: tokens the model was trained for.
        key_length, value_length: elements per head of keys and of values.
        required_bytes: where the last tensor ends; a shorter file is truncated.
        chat_template: Jinja text; empty where there is none.
    """

    path: Path
    version: int
    architecture: str
    name: str
    tensor_count: int
    context_length: int
    block_count: int
    embedding_length: int
    head_count: int
    head_count_kv: int
    key_length: int
    value_length: int
    file_bytes: int
    required_bytes: int
    vocabulary: Vocabulary
    chat_template: str = field(repr=False, default="")

    def kv_bytes_per_token(
        self, key_element_bytes: float = 2, value_element_bytes: float = 2
    ) -> int:
        """Bytes one token takes in the KV cache over all layers (f16 unless said otherwise)."""
        per_head = self.key_length * key_element_bytes + self.value_length * value_element_bytes
        return round(self.block_count * self.head_count_kv * per_head)


def read_gguf(path: Path) -> GgufInfo:
    """Read the header.

    Raises:
        AppError: the file is missing, unreadable, not a GGUF, truncated, or its header is insane.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _Header(path, file, size).read()
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise unreadable(path, error) from error


def read_tokens(path: Path) -> tuple[bytes, ...]:
    """The texts of all tokens, by token id.

    Raises:
        AppError: as in ``read_gguf``.
    """
    try:
        with path.open("rb") as file:
            header = _Header(path, file, path.stat().st_size)
            header.read()
            return header.tokens
    except OSError as error:
        raise unreadable(path, error) from error


def missing(path: Path) -> AppError:
    """The error for a file that is not there."""
    return AppError(
        "The model file {name} is missing.",
        "Fetch it: anchorline models fetch. It belongs in {folder}.",
        name=path.name,
        folder=path.parent,
    )


def unreadable(path: Path, error: OSError) -> AppError:
    """The error for a file that the system does not let us read."""
    return AppError(
        "The model file {path} cannot be read: {reason}.",
        "Check its permissions and the disk.",
        path=path,
        reason=error.strerror or error,
    )


def unusable(path: Path, reason: str) -> AppError:
    """The error for a header that cannot be a model's."""
    return AppError(
        "{name} is not a usable model file: {reason}.",
        "Remove it and fetch it again: anchorline models fetch.",
        name=path.name,
        reason=reason,
    )


def truncated(path: Path, have_bytes: int, need_bytes: int) -> AppError:
    """The error for a file that ends too early."""
    return AppError(
        "{name} is truncated: it has {have} of {need} bytes.",
        "Remove it and fetch it again: anchorline models fetch.",
        name=path.name,
        have=have_bytes,
        need=need_bytes,
    )


class _Header:
    """One pass over a header, reading ahead as far as needed."""

    def __init__(self, path: Path, file: BinaryIO, file_bytes: int) -> None:
        self._path = path
        self._file = file
        self._file_bytes = file_bytes
        self._data = b""
        self._at = 0
        self._values: dict[str, Value] = {}
        self.tokens: tuple[bytes, ...] = ()

    def read(self) -> GgufInfo:
        if self._take(4) != MAGIC:
            raise self._bad("it is not in the GGUF format")
        version = self._number("I")
        if version not in VERSIONS:
            raise self._bad(f"its format version is {version}, and 2 and 3 can be read")
        tensor_count = self._bounded("Q", MAX_ENTRIES, "tensors")
        for _ in range(self._bounded("Q", MAX_ENTRIES, "metadata entries")):
            key = self._string().decode("utf-8", errors="replace")
            if key in self._values:
                raise self._bad("a metadata entry occurs twice")
            self._values[key] = self._value(self._number("I"))
        return self._info(version, tensor_count, self._data_end(tensor_count))

    # --- metadata ---

    def _value(self, kind: int) -> Value:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._array()
        return self._number(self._code(kind))

    def _array(self) -> Value:
        kind = self._number("I")
        count = self._bounded("Q", MAX_ARRAY_ITEMS, "array items")
        if kind == _STRING:
            return self._strings(count)
        if kind == _ARRAY:
            raise self._bad("its metadata nest arrays")
        code = self._code(kind)
        self._take(count * struct.calcsize(f"<{code}"))
        return None

    def _strings(self, count: int) -> tuple[bytes, ...]:
        # Vocabularies have 150,000 strings and more: this loop is the cost of reading a header.
        unpack = struct.Struct("<Q").unpack_from
        texts: list[bytes] = []
        data, at = self._data, self._at
        for _ in range(count):
            if at + 8 > len(data):
                self._at = at
                data = self._read_ahead(8)
                at = self._at
            length = unpack(data, at)[0]
            at += 8
            if length > MAX_STRING_BYTES:
                raise self._bad("a text in its metadata is implausibly long")
            if at + length > len(data):
                self._at = at
                data = self._read_ahead(length)
                at = self._at
            texts.append(data[at : at + length])
            at += length
        self._at = at
        return tuple(texts)

    # --- tensors ---

    def _data_end(self, tensor_count: int) -> int:
        """Where the last tensor ends, in bytes from the start of the file."""
        alignment = self._int("general.alignment", 32)
        if not 8 <= alignment <= MAX_ALIGNMENT or alignment & (alignment - 1):
            raise self._bad("its alignment is not a power of two")
        ends = [0]
        for _ in range(tensor_count):
            self._string()
            dimensions = self._bounded("I", MAX_DIMENSIONS, "dimensions of a tensor")
            elements = 1
            for _ in range(dimensions):
                elements *= self._number("Q")
            kind = self._number("I")
            offset = self._number("Q")
            if elements == 0 or elements > 1 << 48 or offset > 1 << 48:
                raise self._bad("the size or place of a tensor is implausible")
            if offset % alignment:
                raise self._bad("a tensor stands at an odd place")
            per_block, block_bytes = _BLOCKS.get(kind, (1, 0))
            ends.append(offset + -(-elements // per_block) * block_bytes)
        start = -(-self._consumed() // alignment) * alignment
        return start + max(ends)

    # --- result ---

    def _info(self, version: int, tensor_count: int, data_end: int) -> GgufInfo:
        architecture = self._text("general.architecture")
        if not architecture or tensor_count == 0:
            raise self._bad("it holds no model")
        if self._file_bytes < data_end:
            raise truncated(self._path, self._file_bytes, data_end)
        tokens = self._values.get("tokenizer.ggml.tokens")
        self.tokens = tokens if isinstance(tokens, tuple) else ()
        embedding = self._int(f"{architecture}.embedding_length")
        heads = self._int(f"{architecture}.attention.head_count")
        head = embedding // heads if heads else 0
        return GgufInfo(
            path=self._path,
            version=version,
            architecture=architecture,
            name=self._text("general.name"),
            tensor_count=tensor_count,
            context_length=self._int(f"{architecture}.context_length"),
            block_count=self._int(f"{architecture}.block_count"),
            embedding_length=embedding,
            head_count=heads,
            head_count_kv=self._int(f"{architecture}.attention.head_count_kv", heads),
            key_length=self._int(f"{architecture}.attention.key_length", head),
            value_length=self._int(f"{architecture}.attention.value_length", head),
            file_bytes=self._file_bytes,
            required_bytes=data_end,
            vocabulary=Vocabulary(
                kind=self._text("tokenizer.ggml.model"),
                pre=self._text("tokenizer.ggml.pre"),
                size=len(self.tokens),
                sha256=_digest(self.tokens),
            ),
            chat_template=self._text("tokenizer.chat_template"),
        )

    def _text(self, key: str) -> str:
        value = self._values.get(key)
        return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else ""

    def _int(self, key: str, default: int = 0) -> int:
        value = self._values.get(key, default)
        return value if isinstance(value, int) and 0 <= value < 1 << 32 else default

    # --- bytes ---

    def _string(self) -> bytes:
        return self._take(self._bounded("Q", MAX_STRING_BYTES, "bytes of a text"))

    def _bounded(self, code: str, limit: int, what: str) -> int:
        count = self._number(code)
        if count > limit:
            raise self._bad(f"its header speaks of {count} {what}")
        return count

    def _code(self, kind: int) -> str:
        code = _SCALARS.get(kind)
        if code is None:
            raise self._bad(f"its metadata have a value of unknown type {kind}")
        return code

    def _number(self, code: str) -> int:
        # Floats pass through here too; none of them is looked at.
        value: int = struct.unpack(f"<{code}", self._take(struct.calcsize(f"<{code}")))[0]
        return value

    def _take(self, count: int) -> bytes:
        if self._at + count > len(self._data):
            self._read_ahead(count)
        piece = self._data[self._at : self._at + count]
        self._at += count
        return piece

    def _read_ahead(self, count: int) -> bytes:
        """Bring at least ``count`` bytes from here on into memory; drops what was consumed."""
        rest = self._data[self._at :]
        position = self._file.tell()
        if position - len(rest) + count > self._file_bytes:
            raise truncated(self._path, self._file_bytes, position - len(rest) + count)
        if position + count > MAX_HEADER_BYTES:
            raise self._bad("its header is implausibly long")
        more = self._file.read(max(count - len(rest), 1 << 20))
        self._data = rest + more
        self._at = 0
        if len(self._data) < count:
            raise truncated(self._path, position + len(more), position - len(rest) + count)
        return self._data

    def _consumed(self) -> int:
        return self._file.tell() - len(self._data) + self._at

    def _bad(self, reason: str) -> AppError:
        return unusable(self._path, reason)


def _digest(tokens: tuple[bytes, ...]) -> str:
    digest = hashlib.sha256()
    pack: Callable[[int], bytes] = struct.Struct("<I").pack
    digest.update(b"".join(pack(len(token)) + token for token in tokens))
    return digest.hexdigest()
