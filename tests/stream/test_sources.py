"""Files are followed whatever their writer does to them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import AppError
from app.stream.opening import check_readable
from app.stream.sources import FileSource, SourceRead, SourceState


class Watch:
    """A source read until it has nothing more, with a clock that the test moves."""

    def __init__(self, path: Path, *, follow: bool = True) -> None:
        self.now_s = 0.0
        self.reads: list[SourceRead] = []
        self.source = FileSource(path, follow=follow, clock=lambda: self.now_s)

    def read(self, limit_bytes: int = 1_000) -> bytes:
        """Poll until two looks in a row bring nothing; the grace of a rotation passes."""
        data, quiet = b"", 0
        while quiet < 2:
            read = self.source.poll(limit_bytes)
            self.reads.append(read)
            data += b"|" if read.restarted else read.data
            quiet = 0 if read.data or read.restarted else quiet + 1
            self.now_s += 0.3
        return data

    @property
    def notes(self) -> list[str]:
        return [read.note.text for read in self.reads if read.note is not None]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "line.log"
    path.write_bytes(b"first line\nsecond line\n")
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_existing_content_comes_first_then_what_is_appended(log: Path) -> None:
    watch = Watch(log)
    assert watch.read() == b"first line\nsecond line\n"
    append(log, b"third line\n")
    assert watch.read() == b"third line\n"
    assert watch.source.state is SourceState.FOLLOWING
    assert watch.notes == []


def test_reading_continues_where_it_stopped_byte_by_byte(log: Path) -> None:
    assert Watch(log).read(limit_bytes=1) == b"first line\nsecond line\n"


def test_without_following_the_end_is_the_end(log: Path) -> None:
    watch = Watch(log, follow=False)
    assert watch.read() == b"first line\nsecond line\n"
    assert watch.source.state is SourceState.ENDED


def test_a_renamed_file_is_read_to_its_end_before_its_successor(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    writer = log.open("ab")
    log.rename(log.with_suffix(".1"))
    log.write_bytes(b"new first\n")
    watch.source.poll(1_000)  # notices the other file
    writer.write(b"late line\n")
    writer.close()
    assert watch.read() == b"late line\n|new first\n"
    assert any("rotated" in note for note in watch.notes)
    assert watch.source.lost_bytes == 0


def test_rotation_is_noticed_while_the_name_is_missing_for_a_while(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    log.rename(log.with_suffix(".1"))
    append(log.with_suffix(".1"), b"still the old writer\n")
    assert watch.read() == b"still the old writer\n"
    assert watch.source.state is SourceState.MISSING
    log.write_bytes(b"new\n")
    assert watch.read() == b"|new\n"
    assert watch.source.state is SourceState.FOLLOWING


def test_truncation_starts_again_and_says_what_may_be_lost(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    os.truncate(log, 0)
    append(log, b"x\n")
    assert watch.read() == b"|x\n"
    assert any("emptied" in note and "may be missing" in note for note in watch.notes)


def test_bytes_seen_but_not_read_before_a_truncation_are_counted(log: Path) -> None:
    watch = Watch(log)
    watch.source.poll(1_000)
    watch.source.poll(5)
    os.truncate(log, 0)
    watch.read()
    assert watch.source.lost_bytes == len(b"first line\nsecond line\n") - 5


def test_a_file_copied_truncated_and_grown_beyond_its_old_size_is_noticed(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    os.truncate(log, 0)
    append(log, b"another first line\n" * 10)
    assert watch.read() == b"|" + b"another first line\n" * 10


def test_a_file_written_anew_in_place_with_the_same_size_is_noticed(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    size = log.stat().st_size
    log.write_bytes(b"z" * (size - 1) + b"\n")
    os.utime(log, (1, 1))
    assert watch.read() == b"|" + b"z" * (size - 1) + b"\n"


def test_an_append_is_never_taken_for_a_truncation(log: Path) -> None:
    watch = Watch(log)
    for number in range(200):
        append(log, b"line %d\n" % number)
        watch.read()
    assert not any(read.restarted for read in watch.reads)


def test_a_file_that_is_deleted_and_comes_back_is_followed_again(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    log.unlink()
    assert watch.read() == b""
    assert watch.source.state is SourceState.MISSING
    log.write_bytes(b"back again\n")
    assert watch.read() == b"|back again\n"


def test_a_file_that_is_moved_away_and_back_continues(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    away = log.with_suffix(".away")
    log.rename(away)
    watch.read()
    away.rename(log)
    append(log, b"more\n")
    assert watch.read() == b"more\n"
    assert "{name} is back." in watch.notes


def test_a_file_that_does_not_exist_yet_is_awaited(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "later.log")
    assert watch.read() == b""
    assert watch.source.state is SourceState.MISSING
    (tmp_path / "later.log").write_bytes(b"now\n")
    assert watch.read() == b"now\n"


def test_a_symbolic_link_that_moves_on_is_a_rotation(log: Path, tmp_path: Path) -> None:
    link = tmp_path / "current"
    link.symlink_to(log)
    watch = Watch(link)
    watch.read()
    other = tmp_path / "other.log"
    other.write_bytes(b"other\n")
    link.unlink()
    link.symlink_to(other)
    assert watch.read() == b"|other\n"


def test_twenty_rotations_in_a_row_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "busy.log"
    path.write_bytes(b"")
    watch = Watch(path)
    read = b""
    for number in range(20):
        append(path, b"%d\n" % number)
        read += watch.read()
        path.rename(tmp_path / f"busy.log.{number}")
        path.write_bytes(b"")
        read += watch.read()
    assert read.replace(b"|", b"").split() == [b"%d" % number for number in range(20)]


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files_are_read_through(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"old.log{suffix}"
    path.write_bytes(compress(b"packed line\n" * 1000))
    watch = Watch(path)
    assert watch.read() == b"packed line\n" * 1000
    assert watch.source.state is SourceState.ENDED


def test_a_damaged_archive_gives_what_it_has_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    whole = gzip.compress(os.urandom(50_000).hex().encode())
    path.write_bytes(whole[: len(whole) // 2])
    watch = Watch(path)
    assert len(watch.read()) > 1_000
    assert watch.source.state is SourceState.FAILED
    assert "damaged" in watch.notes[-1]


def test_an_archive_that_unpacks_without_end_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.stream.sources._BOMB_BYTES", 100_000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(2_000_000)))
    watch = Watch(path)
    assert len(watch.read(limit_bytes=50_000)) < 600_000
    assert watch.source.state is SourceState.FAILED
    assert "cut off" in watch.notes[-1]


@pytest.mark.parametrize(
    ("name", "head", "word"),
    [
        ("a.zip", b"PK\x03\x04", "zip"),
        ("model.gguf", b"GGUF\x03", "language model"),
        ("x.png", b"\x89PNG\r\n", "picture"),
        ("db", b"SQLite format 3\x00", "database"),
    ],
)
def test_what_is_no_log_is_refused_in_words(
    tmp_path: Path, name: str, head: bytes, word: str
) -> None:
    path = tmp_path / name
    path.write_bytes(head + b"\0" * 100)
    with pytest.raises(AppError, match=word) as refused:
        check_readable(path)
    assert refused.value.hint
    # The kind is no English word in a sentence of another language: each has its own sentence.
    assert refused.value.values == {"path": path}
    watch = Watch(path)
    watch.read()
    assert watch.source.state is SourceState.FAILED
    assert watch.notes == [refused.value.message_template]


def test_a_folder_a_missing_file_and_a_pipe_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(AppError, match="folder"):
        check_readable(tmp_path)
    with pytest.raises(AppError, match="no file"):
        check_readable(tmp_path / "nothing.log")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(AppError, match="regular file"):
        check_readable(tmp_path / "pipe")


def test_the_writer_can_rename_truncate_and_delete_what_is_read(log: Path) -> None:
    watch = Watch(log)
    watch.read()
    os.truncate(log, 3)
    log.rename(log.with_suffix(".moved"))
    log.with_suffix(".moved").unlink()
    watch.read()
    watch.source.close()
    watch.source.close()
