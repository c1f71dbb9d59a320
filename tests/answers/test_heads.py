"""Levels and components of all lines, while the log grows under a question that reads them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from app.answers.heads import HeadIndex, head_index
from app.answers.view import Lines, SearchStopped
from app.stream import blocks
from app.stream.parsing import LineParser
from app.stream.records import Record, Severity
from app.stream.store import LogStore
from app.stream.templates import TemplateMiner

LEVELS = ("INFO", "WARN", "ERROR")


class WatchedStore(LogStore):
    """A store that counts the records read from it, and lets a test in between."""

    def __init__(self, limit_bytes: int = 1_000_000_000) -> None:
        super().__init__(limit_bytes)
        self.read = 0
        self.meanwhile: Callable[[], None] = lambda: None

    def record(self, index: int) -> Record:
        self.read += 1
        return super().record(index)

    def records(self, start: int, stop: int) -> list[Record]:
        found = super().records(start, stop)
        self.read += len(found)
        self.meanwhile()
        return found


class Log:
    """Sources written into one store."""

    def __init__(self, limit_bytes: int = 1_000_000_000) -> None:
        self.store = WatchedStore(limit_bytes)
        self._miner = TemplateMiner()
        self._parsers: dict[str, LineParser] = {}
        self._numbers: dict[str, int] = {}

    def write(self, *lines: str, source: str = "a.log") -> None:
        self.store.append(self._records(lines, source))
        self._numbers[source] = self._numbers.get(source, 0) + len(lines)

    def complete(self, line: str, source: str = "a.log") -> None:
        self._numbers[source] -= 1
        assert self.store.complete(self._records([line], source)[0])
        self._numbers[source] += 1

    def _records(self, lines: Sequence[str], source: str) -> list[Record]:
        parser = self._parsers.setdefault(source, LineParser(source, self._miner, 0.0))
        return parser.parse(lines, self._numbers.get(source, 0) + 1)

    def heads(self) -> HeadIndex:
        return head_index(self.store, Lines(self.store))


def line(number: int, level: str = "", component: str = "feeder") -> str:
    level = level or LEVELS[number % 3]
    return (
        f"2026-11-30 08:{number // 60 % 60:02}:{number % 60:02} {level} {component}: part {number}"
    )


def lines(count: int, first: int = 0) -> list[str]:
    return [line(number) for number in range(first, first + count)]


def counted(heads: HeadIndex, count: int) -> dict[str, int]:
    return heads.count_levels(np.arange(count))


def test_levels_and_components_are_counted_as_the_log_grows() -> None:
    log = Log()
    log.write(*lines(30))
    assert counted(log.heads(), 30) == {"INFO": 10, "WARN": 10, "ERROR": 10}
    log.write(line(30, "FATAL", "press"))
    heads = log.heads()
    assert heads.levels() == [*LEVELS, "FATAL"]
    assert heads.lines_of_level("fatal", 31).tolist() == [30]
    assert heads.lines_of_components(["press"], 31).tolist() == [30]
    assert heads.lines_of_level("fatal", 30).tolist() == []


def test_a_question_reads_right_counts_while_the_log_is_learned_anew() -> None:
    """Names were emptied and filled again under the question: wrong counts, or an IndexError."""
    log = Log()
    log.write(*lines(30))
    heads = log.heads()
    seen: list[dict[str, int]] = []
    log.store.meanwhile = lambda: seen.append(counted(heads, 30))
    log.write(*lines(300, 30))
    assert counted(log.heads(), 330) == dict.fromkeys(LEVELS, 110)
    assert seen
    assert all(counts == dict.fromkeys(LEVELS, 10) for counts in seen)


def test_many_may_ask_at_once_while_lines_arrive() -> None:
    """An array was copied while it grew: BufferError, and levels one line off for good."""
    log = Log()
    log.write(*lines(30))
    done = threading.Event()
    wrong: list[object] = []

    def ask() -> None:
        while not done.is_set():
            try:
                view = Lines(log.store)
                heads = head_index(log.store, view)
                found = heads.lines_of_level("error", view.count)
                if found.tolist() != list(range(2, view.count, 3)):
                    wrong.append(found)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for first in range(30, 9_030, 30):
        log.write(*lines(30, first))
    done.set()
    for thread in threads:
        thread.join(20)
    assert wrong == []
    assert counted(log.heads(), 9_030) == dict.fromkeys(LEVELS, 3_010)


def test_a_completed_line_costs_no_more_than_itself() -> None:
    """The whole log was indexed again."""
    log = Log()
    log.write(*lines(3_000))
    log.write("2026-11-30 09:00:00 WA")
    log.heads()
    log.complete(line(3_000, "FATAL"))
    log.store.read = 0
    heads = log.heads()
    assert heads.lines_of_level("fatal", 3_001).tolist() == [3_000]
    assert log.store.read < 10


def test_a_line_is_completed_though_another_source_has_written_since() -> None:
    log = Log()
    log.write(*lines(50))
    log.write("2026-11-30 09:00:00 WA")
    log.heads()
    log.write(*lines(60), source="b.log")
    log.complete(line(50, "FATAL"))
    assert log.heads().lines_of_level("fatal", 111).tolist() == [50]
    assert counted(log.heads(), 111)["FATAL"] == 1


def test_an_index_given_out_before_a_line_was_completed_stays_as_it_was() -> None:
    log = Log()
    log.write(*lines(49), line(49, "WARN"))
    before = log.heads()
    log.complete(line(49, "FATAL") + " more")
    assert counted(log.heads(), 50)["FATAL"] == 1
    assert counted(before, 50) == {"INFO": 17, "WARN": 17, "ERROR": 16}


def test_a_stopped_question_leaves_its_work_to_the_next() -> None:
    """The first indexing of a large log began at zero after each Stop."""
    log = Log()
    log.write(*lines(30_000))
    asked = [0]

    def stopped() -> bool:
        asked[0] += 1
        return log.store.read > 20_000

    with pytest.raises(SearchStopped):
        head_index(log.store, Lines(log.store, stopped))
    assert asked[0] > 1
    assert counted(log.heads(), 30_000) == dict.fromkeys(LEVELS, 10_000)
    assert log.store.read < 30_000 + 2_000


def test_a_question_stopped_while_a_source_is_learned_leaves_no_wrong_layout() -> None:
    log = Log()
    log.write(*lines(4_000))
    log.write(*lines(4_000), source="b.log")
    for stop_at in range(1, 12):
        asked = iter(range(1, 1_000))
        try:
            head_index(log.store, Lines(log.store, lambda: next(asked) >= stop_at))  # noqa: B023
        except SearchStopped:
            continue
    heads = log.heads()
    assert counted(heads, 8_000) == {"INFO": 2_668, "WARN": 2_666, "ERROR": 2_666}


def test_a_source_learned_from_few_lines_is_learned_anew_without_the_others() -> None:
    log = Log()
    log.write(*lines(3_000))
    log.write("Traceback: xyz: abc", source="b.log")
    log.heads()
    log.write(*lines(60), source="b.log")
    log.store.read = 0
    heads = log.heads()
    assert counted(heads, 3_061) == dict.fromkeys(LEVELS, 1_020)
    assert heads.count_components(np.arange(3_061))["feeder"] == 3_060
    assert log.store.read < 1_000


def test_a_log_that_was_cleared_is_indexed_anew() -> None:
    log = Log()
    log.write(*lines(100))
    log.heads()
    log.store.clear()
    log.store.append([])
    log.write(*[line(number, "FATAL") for number in range(30)])
    assert counted(log.heads(), 30) == {"FATAL": 30}


def test_an_older_view_does_not_undo_what_a_newer_one_has_taken_in() -> None:
    """The console's round began with fewer lines than the question that overtook it."""
    log = Log()
    log.write(*lines(3_000))
    older = Lines(log.store)
    log.write(*lines(3_000, 3_000))
    log.heads()
    log.store.read = 0
    heads = head_index(log.store, older)
    assert counted(heads, older.count) == dict.fromkeys(LEVELS, 1_000)
    assert log.store.read < 10


def test_a_search_by_source_that_is_stopped_gives_no_part_of_its_lines() -> None:
    log = Log()
    log.write(*lines(5_000))
    with pytest.raises(SearchStopped):
        Lines(log.store, lambda: True).of_sources(frozenset(("a.log",)))


def test_lines_that_the_store_let_go_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_BYTES", 4_000)
    monkeypatch.setattr(blocks, "_PLAIN_BLOCKS", 2)
    log = Log(200_000)
    log.write(*[line(number, "FATAL", "press") for number in range(3_000)])
    before = log.heads()
    older = Lines(log.store)
    for first in range(0, 9_000, 30):
        log.write(*lines(30, first))
        if first % 900 == 0:
            log.heads()
    view = Lines(log.store)
    assert 3_000 < view.first < 12_000 - 1_000
    heads = log.heads()
    assert heads.levels() == list(LEVELS)
    assert heads.components() == ["feeder"]
    expected = [at for at in range(view.first, 12_000) if at % 3 == 2]
    assert heads.lines_of_level("error", 12_000).tolist() == expected
    assert sum(heads.count_levels(view.every).values()) == view.kept == len(view.every)
    assert [index for index, _ in view.walk()] == view.every.tolist()
    assert view.severe(Severity.ERROR).tolist() == expected
    assert len(view.sample(50)) == 50
    # A question that began before goes on with what it had.
    assert counted(before, 3_000)["FATAL"] == 3_000 - older.first
    assert heads.count_levels(older.every) == {}


def test_a_log_indexed_for_the_first_time_after_lines_were_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_BYTES", 4_000)
    monkeypatch.setattr(blocks, "_PLAIN_BLOCKS", 2)
    log = Log(200_000)
    for first in range(0, 9_000, 30):
        log.write(*lines(30, first))
    view = Lines(log.store)
    assert view.first > 0
    assert sum(log.heads().count_levels(view.every).values()) == view.kept
    assert log.store.read < view.kept + 1_000
