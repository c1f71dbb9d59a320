"""Headers are read without native code; damaged ones are refused in words, never with a crash."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import AppError
from app.models.gguf import read_gguf, read_tokens
from tests.models.helpers import entry, gguf, text

WHOLE = gguf()


@pytest.mark.model
def test_the_tiny_models_header_is_understood(tiny_model: Path) -> None:
    info = read_gguf(tiny_model)
    assert (info.architecture, info.block_count, info.context_length) == ("llama", 30, 8192)
    assert info.vocabulary.size == 49_152
    assert info.required_bytes == info.file_bytes
    # 30 layers x 3 KV heads x (64 + 64) elements x 2 bytes
    assert info.kv_bytes_per_token() == 23_040
    assert "<|im_start|>" in info.chat_template


def test_tokens_are_read_by_id(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(WHOLE)
    assert read_tokens(path) == (b"a", b"b", b"ab", "终".encode())
    info = read_gguf(path)
    assert (info.key_length, info.head_count_kv, info.required_bytes) == (4, 1, len(WHOLE))


def test_a_missing_file_is_named_with_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(AppError, match=r"m\.gguf is missing.*anchorline models fetch"):
        read_gguf(tmp_path / "m.gguf")


@pytest.mark.parametrize("length", [0, 3, 4, 20, 100, 300, len(WHOLE) - 1])
def test_a_file_cut_anywhere_is_called_truncated(tmp_path: Path, length: int) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(WHOLE[:length])
    with pytest.raises(AppError, match="truncated"):
        read_gguf(path)


def _with_header(entries: list[bytes], tensors: bytes = b"", count: int = 1) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, count, len(entries)) + b"".join(entries) + tensors


ARCHITECTURE = entry("general.architecture", "llama")
TENSOR = text("t") + struct.pack("<IQIQ", 1, 8, 0, 0)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04" + bytes(100), "not in the GGUF format"),
        (b"<!DOCTYPE html>" + bytes(100), "not in the GGUF format"),
        (b"GGUF" + struct.pack("<I", 1) + bytes(64), "format version is 1"),
        (b"GGUF" + struct.pack(">I", 3) + bytes(64), "format version"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 40, 1) + bytes(64), "speaks of .* tensors"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 1 << 60) + bytes(64), "speaks of .* entries"),
        (_with_header([struct.pack("<Q", 1 << 50)]) + bytes(64), "bytes of a text"),
        (_with_header([text("k") + struct.pack("<I", 77)]) + bytes(64), "unknown type 77"),
        (
            _with_header([text("k") + struct.pack("<IIQ", 9, 8, 1 << 40)]) + bytes(64),
            "array items",
        ),
        (_with_header([text("k") + struct.pack("<IIQ", 9, 9, 1)]) + bytes(64), "nest arrays"),
        (
            _with_header([text("k") + struct.pack("<IIQQ", 9, 8, 1, 1 << 45)]) + bytes(64),
            "implausibly long",
        ),
        (_with_header([ARCHITECTURE, ARCHITECTURE], TENSOR) + bytes(128), "occurs twice"),
        (_with_header([ARCHITECTURE], count=0) + bytes(128), "holds no model"),
        (_with_header([entry("x", 1)], TENSOR) + bytes(128), "holds no model"),
        (
            _with_header([ARCHITECTURE, entry("general.alignment", 33)], TENSOR) + bytes(128),
            "alignment",
        ),
        (
            _with_header([ARCHITECTURE], text("t") + struct.pack("<IQIQ", 1, 8, 0, 7)) + bytes(128),
            "odd place",
        ),
        (
            _with_header([ARCHITECTURE], text("t") + struct.pack("<IQIQ", 1, 1 << 60, 0, 0))
            + bytes(128),
            "implausible",
        ),
        (_with_header([ARCHITECTURE], text("t") + struct.pack("<I", 99)) + bytes(128), "dimens"),
    ],
)
def test_insane_headers_are_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(AppError, match=reason):
        read_gguf(path)


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at=st.integers(0, len(WHOLE) - 1),
    change=st.binary(min_size=1, max_size=12),
    length=st.integers(0, len(WHOLE)),
)
def test_no_damage_leads_to_anything_but_words(
    tmp_path: Path, at: int, change: bytes, length: int
) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes((WHOLE[:at] + change + WHOLE[at + len(change) :])[:length])
    try:
        read_gguf(path)
    except AppError as error:
        assert "m.gguf" in str(error)
