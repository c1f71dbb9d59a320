"""A log is written again, line by line, as a live source would."""

from __future__ import annotations

import gzip
import threading
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
