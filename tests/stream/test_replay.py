"""A log is written again, line by line, as a live source would."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import AppError
from app.stream.replay import replay
from tests.stream.helpers import Running


@pytest.mark.parametrize("rate", [0.0, 100_000.0])
def test_the_copy_is_the_same_byte_for_byte(tmp_path: Path, rate: float) -> None:
    source = tmp_path / "source.log"
    source.write_bytes("一\r\ntwo\n\n".encode("gb18030") * 50 + b"last without end")
    assert replay(source, tmp_path / "live" / "copy.log", rate) == 151
    assert (tmp_path / "live" / "copy.log").read_bytes() == source.read_bytes()


def test_a_followed_replay_arrives_line_by_line(tmp_path: Path, sample_logs: Path) -> None:
    target = tmp_path / "live.log"
    with Running() as running:
        running.service.add_file(target, must_exist=False)
        assert replay(sample_logs / "OpenSSH.log", target, 4_000.0) == 2_000
        texts = running.wait_lines(2_000)
    assert texts == (sample_logs / "OpenSSH.log").read_text().splitlines()


def test_it_stops_when_told(tmp_path: Path) -> None:
    source = tmp_path / "source.log"
    source.write_bytes(b"line\n" * 1_000)
    stop = threading.Event()
    seen: list[int] = []

    def progress(lines: int) -> None:
        seen.append(lines)
        if lines >= 3:
            stop.set()

    assert replay(source, tmp_path / "copy.log", 50.0, stop=stop, progress=progress) < 1_000
    assert seen[-1] >= 3


def test_compressed_logs_are_replayed_unpacked_and_appended(tmp_path: Path) -> None:
    source = tmp_path / "old.gz"
    source.write_bytes(gzip.compress(b"b\n"))
    target = tmp_path / "live.log"
    target.write_bytes(b"a\n")
    replay(source, target, 0, append=True)
    assert target.read_bytes() == b"a\nb\n"


def test_mistakes_are_explained(tmp_path: Path) -> None:
    source = tmp_path / "a.log"
    source.write_bytes(b"a\n")
    with pytest.raises(AppError, match="onto itself"):
        replay(source, source, 1.0)
    with pytest.raises(AppError, match="negative"):
        replay(source, tmp_path / "b.log", -1.0)
    with pytest.raises(AppError, match="no file"):
        replay(tmp_path / "missing.log", tmp_path / "b.log", 1.0)
    with pytest.raises(AppError, match="cannot be written"):
        replay(source, tmp_path, 1.0)
    assert source.read_bytes() == b"a\n"


LINES = [f"{random.Random(number).getrandbits(64):x}\n".encode() for number in range(5_000)]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("change", ["cut", "broken"])
def test_a_damaged_archive_is_named_and_what_was_before_is_written(
    tmp_path: Path, pack: Callable[[bytes], bytes], change: str
) -> None:
    """The cut one ended in a traceback, the broken one in "copy.log cannot be written"."""
    packed = bytearray(pack(b"".join(LINES)))
    if change == "cut":
        del packed[-len(packed) // 4 :]
    else:
        middle = len(packed) // 2
        packed[middle : middle + 1_000] = bytes(1_000)
    source = tmp_path / "old.log.gz"
    source.write_bytes(packed)
    with pytest.raises(AppError, match="damaged") as refused:
        replay(source, tmp_path / "copy.log", 0)
    assert refused.value.values["path"] == source
    if change == "cut":
        written = (tmp_path / "copy.log").read_bytes()
        assert b"".join(LINES).startswith(written)
        assert written or pack is not gzip.compress


def test_a_source_that_cannot_be_read_on_is_not_taken_for_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lost:
        def __enter__(self) -> Lost:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __iter__(self) -> Lost:
            return self

        def __next__(self) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    source = tmp_path / "a.log"
    source.write_bytes(b"a\n")
    monkeypatch.setattr("app.stream.replay._open_source", lambda _: Lost())
    with pytest.raises(AppError, match="Cannot read") as refused:
        replay(source, tmp_path / "b.log", 1.0)
    assert refused.value.values["path"] == source
