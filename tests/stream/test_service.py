"""The stream service on real files: what was there, what comes, and what happens to the file."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest

from app.errors import AppError
from app.stream import blocks
from app.stream.digest import Digest, DigestLine
from app.stream.records import Severity
from app.stream.service import StreamService
from app.stream.store import LinePattern, LogStore
from app.stream.text import display_text
from tests.stream.helpers import WAIT_S, Running

DATA = Path(__file__).parents[1] / "data"


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(text)


def test_existing_lines_then_live_lines(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    append(path, "2026-11-30 08:00:00 INFO a\n2026-11-30 08:00:01 ERROR b\n")
    with Running() as running:
        assert running.service.add_file(path) == "line.log"
        assert running.service.wait_read(WAIT_S)
        assert len(running.store) == 2
        append(path, "2026-11-30 08:00:02 INFO c\n")
        assert running.wait_lines(3)[2] == "2026-11-30 08:00:02 INFO c"
        record = running.store.record(1)
        assert (record.source, record.number, record.severity) == ("line.log", 2, Severity.ERROR)
        assert record.raw_time == "2026-11-30 08:00:01"
        assert record.time_s == 1_796_025_601.0
        running.wait_for(
            lambda: any("INFO c" in line.text or " c\n" in line.text for line in running.digest)
        )


def test_reported_ranges_follow_one_another(sample_logs: Path) -> None:
    with Running() as running:
        for name in ("OpenSSH.log", "Apache.log", "Spark.log"):
            running.service.add_file(sample_logs / name)
        assert running.service.wait_read(WAIT_S)
        expected = 0
        for first, count in running.ranges:
            assert first == expected
            expected += count
        assert expected == len(running.store) == 6_000


def test_each_real_log_is_read_whole(sample_logs: Path) -> None:
    with Running(rate=100.0) as running:
        for path in sorted(sample_logs.glob("*.log")):
            running.service.add_file(path, follow=False)
        assert running.service.wait_read(WAIT_S)
        for path in sorted(sample_logs.glob("*.log")):
            lines = path.read_text(encoding="utf-8").splitlines()
            for number in (1, 1_000, 2_000):
                index = running.store.index_of(path.name, number)
                assert index is not None
                assert running.store.record(index).text == lines[number - 1]
        assert {change.state for change in running.changes} <= {"reading", "ended"}
        assert running.service.digest_share.lines == 16_000
        share = running.service.digest_share
        full = [line for line in running.digest if line.first_line == line.last_line]
        assert share.full_lines == len(full)
        assert 0 < share.counted_lines <= 16_000 - len(full)
        assert share.fraction == (share.full_lines + share.counted_lines) / 16_000


def test_a_last_line_without_line_end_is_there_and_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    append(path, "one\ntwo")
    os.utime(path, (1, 1))  # its writer has been quiet for long
    with Running() as running:
        running.service.add_file(path)
        assert running.service.wait_read(WAIT_S)
        assert running.wait_lines(2) == ["one", "two"]
        append(path, " and a half\nthree\n")
        assert running.wait_lines(3) == ["one", "two and a half", "three"]
        assert [running.store.record(index).number for index in range(3)] == [1, 2, 3]


def test_a_line_is_completed_though_another_source_has_written_since(tmp_path: Path) -> None:
    """The store held both "ERROR par" and "ERROR partial" under one number."""
    path, other = tmp_path / "a.log", tmp_path / "b.log"
    append(path, "ERROR par")
    os.utime(path, (1, 1))  # its writer has been quiet for long
    with Running() as running:
        running.service.add_file(path)
        assert running.wait_lines(1) == ["ERROR par"]
        running.service.add_file(other, must_exist=False)
        append(other, "from b\n")
        running.wait_lines(2)
        append(path, "tial\nnext\n")
        assert running.wait_lines(3) == ["ERROR partial", "from b", "next"]
        store = running.store
        assert store.index_of("a.log", 1) == 0
        assert store.match(LinePattern("ERROR")).tolist() == [0]
        assert sum(template.count for template in store.templates().values()) == 3
        assert running.service.digest_share.lines == 3


def test_rotation_numbers_from_one_again_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    append(path, "old 1\nold 2\nold 3\n")
    with Running() as running:
        running.service.add_file(path)
        running.wait_lines(3)
        append(path, "old 4\n")
        path.rename(tmp_path / "line.log.1")
        append(path, "new 1\nnew 2\n")
        assert running.wait_lines(6) == ["old 1", "old 2", "old 3", "old 4", "new 1", "new 2"]
        assert running.store.index_of("line.log", 2) == 5
        assert running.store.index_of("line.log", 4) == 3
        running.wait_for(lambda: any("rotated" in note for note in running.notes()))


def test_truncation_is_announced_with_its_values(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    append(path, "one\ntwo\n")
    with Running() as running:
        running.service.add_file(path)
        running.wait_lines(2)
        os.truncate(path, 0)
        append(path, "x\n")
        assert running.wait_lines(3)[2] == "x"
        running.wait_for(lambda: any("emptied" in note for note in running.notes()))
        change = next(change for change in running.changes if "emptied" in change.note)
        text = change.note.format(**dict(change.values))
        assert text.startswith("line.log was emptied and starts again. 0 bytes were not read")


def test_a_file_that_does_not_exist_yet_is_awaited(tmp_path: Path) -> None:
    path = tmp_path / "later.log"
    with Running() as running:
        with pytest.raises(AppError, match="no file"):
            running.service.add_file(path)
        running.service.add_file(path, must_exist=False)
        running.wait_for(lambda: any(change.state == "missing" for change in running.changes))
        append(path, "here\n")
        assert running.wait_lines(1) == ["here"]


def test_from_the_end_only_numbers_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    append(path, "1\n2\n3\n")
    with Running() as running:
        running.service.add_file(path, from_start=False)
        assert running.service.wait_read(WAIT_S)
        assert len(running.store) == 0
        append(path, "4\n")
        assert running.wait_lines(1) == ["4"]
        assert running.store.record(0).number == 4


def test_files_of_one_name_get_names_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        append(tmp_path / folder / "app.log", f"in {folder}\n")
    with Running() as running:
        assert running.service.add_file(tmp_path / "a" / "app.log") == "app.log"
        assert running.service.add_file(tmp_path / "b" / "app.log") == "b/app.log"
        assert running.service.add_file(tmp_path / "a" / "app.log") == "app.log"
        assert sorted(running.wait_lines(2)) == ["in a", "in b"]
        index = running.store.index_of("b/app.log", 1)
        assert index is not None
        assert running.store.record(index).text == "in b"


def test_logs_in_other_encodings(tmp_path: Path) -> None:
    with Running() as running:
        running.service.add_file(DATA / "press-gb18030.log", follow=False)
        running.service.add_file(DATA / "camera-utf16.log", follow=False)
        assert running.service.wait_read(WAIT_S)
        index = running.store.index_of("press-gb18030.log", 3)
        assert index is not None
        record = running.store.record(index)
        assert record.text == "2026-11-30 08:00:09.018 [报警] 压机P2 油温 66.4 ℃，停机"
        assert record.severity is Severity.ERROR
        last = running.store.index_of("camera-utf16.log", 3)
        assert last is not None
        assert running.store.record(last).text == "08:15:02.700 ERROR camera-1 frame 1003 lost 丢帧"


def test_colours_and_control_characters(tmp_path: Path) -> None:
    with Running() as running:
        running.service.add_file(DATA / "colour.log", follow=False)
        texts = running.wait_lines(3)
        assert texts[0] == "2026-11-30 08:00:00 INFO start\tunit\t4"
        assert running.store.record(1).severity is Severity.ERROR
        assert display_text(texts[1]).endswith("frame a␀b")
        assert display_text(texts[2]).endswith("user ⟨RLO⟩gnp.exe")


def test_undecodable_bytes_are_counted_and_announced(tmp_path: Path) -> None:
    path = tmp_path / "bad.log"
    path.write_bytes("温度 23 °C，湿度 46 %\n".encode() * 20 + b"broken \xff\xfe byte\n")
    with Running() as running:
        running.service.add_file(path, follow=False)
        assert running.service.wait_read(WAIT_S)
        assert "�" in running.store.record(20).text
        assert running.service.losses()["bad.log"].undecodable == 2
        assert any("not valid {encoding}" in note for note in running.notes())


def test_a_hole_of_nul_bytes_is_counted_and_announced_once(tmp_path: Path) -> None:
    """A file truncated under a writer that does not append; it was passed over in silence."""
    path = tmp_path / "line.log"
    path.write_bytes(bytes(200_000) + b"12:00:01 a\n" + bytes(2_000) + b"12:00:02 b\n")
    with Running() as running:
        running.service.add_file(path, follow=False)
        assert running.service.wait_read(WAIT_S)
        losses = running.service.losses()["line.log"]
        # The second hole came in the middle of a read; it stays in its line and loses nothing.
        assert (losses.hole_bytes, losses.cut_bytes) == (200_000, 200_000)
        assert len([note for note in running.notes() if "gap of NUL bytes" in note]) == 1


def test_what_was_left_out_of_a_giant_line_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "line.log"
    path.write_bytes(b"x" * 200_000 + b"\nnext\n")
    with Running() as running:
        running.service.add_file(path, follow=False)
        assert running.wait_lines(2)[1] == "next"
        losses = running.service.losses()["line.log"]
        assert (losses.cut_lines, losses.cut_bytes, losses.hole_bytes) == (1, 134_464, 0)


def test_what_is_assumed_about_times_is_said_once(tmp_path: Path) -> None:
    path = tmp_path / "host.log"
    append(path, "".join(f"Jun 14 15:16:{s:02} combo sshd[1]: x\n" for s in range(60)))
    with Running() as running:
        running.service.add_file(path, follow=False)
        assert running.service.wait_read(WAIT_S)
        notes = [dict(change.values) for change in running.changes if "no year" in change.note]
        assert notes == [{"name": "host.log"}]


def test_a_compressed_file_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "old.log.gz"
    path.write_bytes(gzip.compress(b"packed\n" * 5_000))
    with Running() as running:
        running.service.add_file(path)
        assert running.service.wait_read(WAIT_S)
        assert len(running.store) == 5_000
        assert running.changes[-1].state == "ended"


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF" + bytes(100))
    with Running() as running, pytest.raises(AppError, match="not a text log"):
        running.service.add_file(tmp_path / "model.gguf")


def test_thirty_files_at_once(tmp_path: Path) -> None:
    with Running() as running:
        for number in range(30):
            append(tmp_path / f"{number}.log", f"first of {number}\n")
            running.service.add_file(tmp_path / f"{number}.log")
        assert running.service.wait_read(WAIT_S)
        for number in range(30):
            append(tmp_path / f"{number}.log", f"second of {number}\n")
        assert len(running.wait_lines(60)) == 60


def test_a_source_that_fails_for_a_bug_of_ours_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    append(tmp_path / "bad.log", "explode\n")
    append(tmp_path / "good.log", "fine\n")
    learn = "app.stream.templates.severity_of"

    def severity_of(text: str) -> Severity:
        if text == "explode":
            raise RuntimeError("a bug")
        return Severity.UNKNOWN

    monkeypatch.setattr(learn, severity_of)
    with Running() as running:
        running.service.add_file(tmp_path / "bad.log")
        running.service.add_file(tmp_path / "good.log")
        assert running.service.wait_read(WAIT_S)
        assert running.wait_lines(1) == ["fine"]
        assert any(
            change.name == "bad.log" and change.state == "failed" for change in running.changes
        )
    assert "a bug" in caplog.text


def test_an_error_of_ours_is_announced_and_reading_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The thread ended in silence, and the header went on saying "following"."""
    broken = threading.Event()
    broken.set()
    whole = Digest.poll

    def poll(digest: Digest) -> tuple[DigestLine, ...]:
        if broken.is_set():
            raise RuntimeError("a bug")
        return whole(digest)

    monkeypatch.setattr(Digest, "poll", poll)
    path, other = tmp_path / "a.log", tmp_path / "b.log"
    append(path, "one\n")
    append(other, "two\n")
    with Running() as running:
        running.service.add_file(path)
        running.service.add_file(other)
        assert running.service.wait_read(WAIT_S)
        running.wait_for(lambda: any(change.state == "following" for change in running.changes))
        append(path, "three\n")
        assert running.wait_lines(3)[2] == "three"
        broken.clear()
        append(path, "four\n")
        running.wait_for(lambda: any("four" in line.text for line in running.digest))
        told = [change.name for change in running.changes if "error in the program" in change.note]
        assert sorted(told) == ["a.log", "b.log"]
    assert caplog.text.count("_report_digest failed") == 1


def test_a_callback_that_fails_is_called_again_and_misses_no_line(tmp_path: Path) -> None:
    ranges: list[tuple[int, int]] = []
    tries = [0]
    heard = threading.Event()

    def on_lines(first: int, count: int) -> None:
        tries[0] += 1
        if tries[0] == 1:
            raise RuntimeError("a bug")
        ranges.append((first, count))
        heard.set()

    append(tmp_path / "a.log", "one\ntwo\n")
    service = StreamService(
        LogStore(),
        on_lines=on_lines,
        on_status=lambda change: None,
        on_digest=lambda lines: None,
        digest_rate=lambda: 100.0,
    )
    service.start()
    service.add_file(tmp_path / "a.log")
    assert heard.wait(WAIT_S)
    service.close()
    assert ranges == [(0, 2)]


def test_that_the_oldest_lines_are_let_go_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_BYTES", 1_000)
    path, quiet = tmp_path / "busy.log", tmp_path / "quiet.log"
    append(quiet, "here\n")
    with Running(store=LogStore(50_000)) as running:
        running.service.add_file(path, must_exist=False)
        for first in range(0, 4_000, 1_000):
            append(path, "".join(f"line {first + at}\n" for at in range(1_000)))
            running.wait_lines(first + 1_000)
        running.wait_for(lambda: any("no longer kept" in note for note in running.notes()))
        running.service.add_file(quiet)
        assert running.wait_lines(4_001)[-1] == "here"
        assert running.store.index_of("busy.log", 1) is None
        told = [change.name for change in running.changes if "no longer kept" in change.note]
        assert told == ["busy.log"]


def test_closing_ends_the_thread_even_in_the_middle_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "big.log"
    path.write_bytes(b"2026-11-30 08:00:00 INFO frame result=OK\n" * 300_000)
    running = Running()
    with running:
        running.service.add_file(path)
        running.wait_lines(1)
    assert not any(thread.name == "stream" for thread in threading.enumerate())
    assert len(running.store) < 300_000
    assert not running.service.wait_read(0)
    running.service.close()


def test_a_source_that_never_pauses_counts_as_read(tmp_path: Path) -> None:
    """What was there at the start ends, even if the writer is faster than any pause."""
    path = tmp_path / "busy.log"
    append(path, "before\n" * 1_000)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            append(path, "live line\n" * 50)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with Running() as running:
            running.service.add_file(path)
            assert running.service.wait_read(WAIT_S)
    finally:
        stop.set()
        writer.join()


def test_callbacks_run_on_one_thread(tmp_path: Path) -> None:
    seen: set[str] = set()
    store = LogStore()
    ready = threading.Event()

    def note(*_: object) -> None:
        seen.add(threading.current_thread().name)

    def digest(_: tuple[DigestLine, ...]) -> None:
        note()
        ready.set()

    service = StreamService(
        store, on_lines=note, on_status=note, on_digest=digest, digest_rate=lambda: 100.0
    )
    append(tmp_path / "a.log", "x\n")
    service.start()
    service.add_file(tmp_path / "a.log")
    assert ready.wait(WAIT_S)
    service.close()
    assert seen == {"stream"}
