"""The demo line has a story in its first burst, and goes on for ever."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import pytest

from app import demo
from app.demo import demo_lines, demo_questions, run_demo
from app.errors import AppError
from app.stream.parsing import LineParser
from app.stream.records import Severity
from app.stream.store import LinePattern
from app.stream.templates import TemplateMiner
from tests.stream.helpers import Running

NOW_S = 1_796_040_000.0


def burst(seed: int) -> list[str]:
    lines = itertools.takewhile(lambda line: line.at_s <= NOW_S, demo_lines(seed, NOW_S))
    return [line.text for line in lines]


@pytest.mark.parametrize("seed", range(8))
def test_the_first_burst_answers_the_first_question(seed: int) -> None:
    lines = burst(seed)
    assert 150 <= len(lines) <= 260
    stops = [line for line in lines if "line 3 stopped" in line and "3号线停机" in line]
    assert stops
    assert "jam at station S3-0" in stops[0]
    assert "卡料" in stops[0]
    at = lines.index(stops[0])
    assert any("slip" in line for line in lines[:at])
    assert any("reset" in line for line in lines[at:])
    assert any("3号线恢复运行" in line for line in lines[at:])


def test_the_same_seed_tells_the_same_story_and_another_seed_another() -> None:
    assert burst(3) == burst(3)
    assert burst(3) != burst(4)


def test_times_go_forward_and_end_at_now() -> None:
    lines = list(itertools.islice(demo_lines(1, NOW_S), 2_000))
    assert all(a.at_s <= b.at_s for a, b in itertools.pairwise(lines))
    live = [line for line in lines if line.at_s > NOW_S]
    assert 2.0 < len(live) / (live[-1].at_s - NOW_S) < 5.0


def test_the_story_comes_again_with_variations() -> None:
    lines = [line.text for line in itertools.islice(demo_lines(5, NOW_S), 8_000)]
    stops = [line for line in lines if "line 3 stopped" in line]
    assert len(stops) >= 4
    assert len({line.split("jam at station")[1] for line in stops}) >= 2


def test_every_line_has_a_time_and_a_severity() -> None:
    lines = [line.text for line in itertools.islice(demo_lines(2, NOW_S), 3_000)]
    records = LineParser("demo.log", TemplateMiner(), NOW_S).parse(lines, 1)
    assert all(record.time_s is not None for record in records)
    assert {record.severity for record in records} == set(Severity) - {Severity.UNKNOWN}
    for record in records:
        assert (record.severity is Severity.CRITICAL) == ("line 3 stopped" in record.text)


def test_questions_in_both_languages() -> None:
    assert demo_questions("en")[0] == "Why did line 3 stop?"
    assert demo_questions("zh_CN")[0] == "3号线为什么停机？"
    assert len(demo_questions("en")) == len(demo_questions("zh_CN"))


def test_a_running_demo_can_be_followed_and_stopped(tmp_path: Path) -> None:
    path = tmp_path / "demo" / "line.log"
    stop = threading.Event()
    writer = threading.Thread(target=run_demo, args=(path, 1, stop))
    with Running() as running:
        running.service.add_file(path, must_exist=False)
        writer.start()
        running.wait_lines(200)  # the burst and the first live lines
        stop.set()
        writer.join(20)
        assert not writer.is_alive()
        found = running.store.match(LinePattern("3号线停机"))
        assert len(found) >= 1


def test_its_file_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "_ROTATE_BYTES", 4_000)
    path = tmp_path / "line.log"
    stop = threading.Event()
    writer = threading.Thread(target=run_demo, args=(path, 1, stop))
    with Running() as running:
        running.service.add_file(path, must_exist=False)
        writer.start()
        running.wait_for(lambda: any("line.log" in change.name for change in running.changes))
        running.wait_lines(10)
        stop.set()
        writer.join(20)
    assert path.stat().st_size < 6_000
    assert (tmp_path / "line.log.1").exists()


def test_a_folder_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(AppError, match="cannot be written"):
        run_demo(tmp_path / "file" / "line.log", 1, threading.Event())
