"""The store gives back what it was given, quickly, from any thread."""

from __future__ import annotations

import math
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError
from app.stream import blocks
from app.stream.lines import LineReader
from app.stream.parsing import LineParser
from app.stream.records import DROPPED, Record, Severity
from app.stream.store import LinePattern, LogStore
from app.stream.templates import TemplateMiner
from tests.stream.helpers import record

_TEXTS = st.text(st.characters(blacklist_characters="\n"), max_size=40)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few lines, nearly all compressed, so that small stores have many."""
    monkeypatch.setattr(blocks, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(blocks, "_PLAIN_BLOCKS", 2)
    monkeypatch.setattr(blocks, "_UNPACKED_BLOCKS", 2)


def filled(texts: list[str], batch: int = 7) -> LogStore:
    store = LogStore()
    records = [record(number, text) for number, text in enumerate(texts, 1)]
    for start in range(0, len(records), batch):
        assert store.append(records[start : start + batch]) == start
    return store


@given(st.lists(_TEXTS, max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_records_come_back_as_they_were(texts: list[str], start: int, stop: int) -> None:
    store = filled(texts)
    expected = [record(number, text) for number, text in enumerate(texts, 1)]
    assert store.records(0, len(texts)) == expected
    assert store.records(start, stop) == expected[start:stop]
    assert [store.record(index) for index in range(len(texts))] == expected


@pytest.mark.usefixtures("small_blocks")
def test_old_blocks_are_compressed_and_read_the_same() -> None:
    texts = [f"line {number} 报警 {'x' * (number % 30)}" for number in range(500)]
    store = filled(texts)
    assert [store.record(index).text for index in range(500)] == texts
    assert [entry.text for entry in store.records(100, 300)] == texts[100:300]
    assert store.match(LinePattern("line 499")).tolist() == [499]


def test_a_record_that_is_not_there_is_an_index_error() -> None:
    store = filled(["a"])
    for index in (-1, 1):
        with pytest.raises(IndexError):
            store.record(index)
    assert store.records(5, 9) == []


def test_a_text_with_a_line_feed_is_refused() -> None:
    with pytest.raises(ValueError, match="line feed"):
        LogStore().append([record(1, "a\nb")])


def test_time_and_raw_time_are_kept_apart() -> None:
    store = LogStore()
    given_records = [
        record(1, "[09:15:02] a", raw_time="09:15:02", time_s=1000.5),
        record(2, "no time"),
    ]
    store.append(given_records)
    assert store.records(0, 2) == given_records
    times = store.times_s(0, 2)
    assert times[0] == 1000.5
    assert math.isnan(times[1])


def test_arrays_are_cut_to_what_is_there_and_cannot_be_written() -> None:
    store = LogStore()
    store.append([record(1, severity=Severity.ERROR), record(2, severity=Severity.DEBUG)])
    severities = store.severities(0, 99)
    assert severities.tolist() == [5, 1]
    assert severities.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        severities[0] = 0


def test_a_line_is_found_by_source_and_number() -> None:
    store = LogStore()
    store.append([record(1), record(2)])
    store.append([record(1, source="b.log")])
    store.append([record(3), record(4)])
    assert [store.index_of("a.log", line) for line in (1, 2, 3, 4, 5, 0)] == [
        0,
        1,
        3,
        4,
        None,
        None,
    ]
    assert store.index_of("b.log", 1) == 2
    assert store.index_of("c.log", 1) is None


def test_after_a_rotation_the_newest_file_wins() -> None:
    store = LogStore()
    store.append([record(1, "old 1"), record(2, "old 2"), record(3, "old 3")])
    store.append([record(1, "new 1"), record(2, "new 2")])
    assert store.index_of("a.log", 2) == 4
    assert store.index_of("a.log", 3) == 2


def test_the_last_line_of_a_source_can_be_completed() -> None:
    store = LogStore()
    store.append([record(1, "one"), record(2, "tw", template_id=7)])
    assert store.complete(record(2, "two", severity=Severity.ERROR, template_id=8))
    assert [entry.text for entry in store.records(0, 9)] == ["one", "two"]
    assert store.severities(1, 2).tolist() == [5]
    assert 7 not in store.templates()
    assert store.templates()[8].count == 1
    assert not store.complete(record(1, "one!"))
    assert not store.complete(record(3, "three"))
    assert not store.complete(record(1, "one", source="b.log"))


def test_a_line_is_completed_when_another_source_has_written_since() -> None:
    """It became a second record of the same number."""
    store = LogStore()
    store.append([record(1, "one"), record(2, "tw", template_id=7)])
    store.append([record(1, "other", source="b.log", template_id=7)])
    store.append([record(2, "more", source="b.log", template_id=8)])
    assert store.complete(record(2, "two", severity=Severity.ERROR, template_id=8))
    assert [entry.text for entry in store.records(0, 9)] == ["one", "two", "other", "more"]
    assert (store.index_of("a.log", 2), len(store)) == (1, 4)
    assert store.match(LinePattern("tw")).tolist() == [1]
    seven, eight = store.templates()[7], store.templates()[8]
    assert (seven.count, seven.first_index, seven.last_index) == (1, 2, 2)
    assert (eight.count, eight.first_index, eight.last_index) == (2, 1, 3)
    assert (seven.severity, eight.severity) == (Severity.INFO, Severity.ERROR)


@pytest.mark.usefixtures("small_blocks")
def test_a_line_can_be_completed_in_a_block_that_was_full_or_compressed() -> None:
    store = LogStore()
    texts = [f"line {number} 报警 {'x' * (number % 30)}" for number in range(60)]
    store.append([record(1, text, source=f"{at}.log") for at, text in enumerate(texts)])
    for at in range(60):
        assert store.record(at).text == texts[at]  # some blocks stay unpacked
        texts[at] = "z" * (at % 7 * 20)
        assert store.complete(record(1, texts[at], source=f"{at}.log"))
    store.append([record(2, "after")])
    assert [entry.text for entry in store.records(0, 61)] == [*texts, "after"]
    assert [store.record(at).text for at in range(60)] == texts


def test_clearing_forgets_everything() -> None:
    store = filled(["a", "b"])
    store.clear()
    assert len(store) == 0
    assert store.index_of("a.log", 1) is None
    assert store.append([record(1, "new")]) == 0
    assert store.record(0).text == "new"


def test_templates_are_counted() -> None:
    store = LogStore()
    store.append([record(1, template_id=3), record(2, template_id=3, severity=Severity.ERROR)])
    store.append([record(3, template_id=-1), record(4, template_id=3)])
    store.set_template_texts({3: "child <*> exited"})
    assert list(store.templates()) == [3]
    template = store.templates()[3]
    assert (template.text, template.count) == ("child <*> exited", 3)
    assert (template.first_index, template.last_index) == (0, 3)
    assert template.severity is Severity.ERROR


# --- the limit ----------------------------------------------------------------------------------


def limited(
    limit_bytes: int, lines: int = 1_000, sources: int = 2
) -> tuple[LogStore, list[Record]]:
    """A store with a limit, and everything that was put into it."""
    store = LogStore(limit_bytes)
    everything = [
        record(
            number // sources + 1,
            f"line {number} {'x' * (number % 30)}",
            source=f"{number % sources}.log",
            severity=Severity.ERROR if number % 10 == 0 else Severity.INFO,
            template_id=number % 3 + 1,
            time_s=float(number),
        )
        for number in range(lines)
    ]
    for start in range(0, lines, 7):
        store.append(everything[start : start + 7])
    return store, everything


@pytest.mark.usefixtures("small_blocks")
def test_beyond_its_limit_a_store_lets_the_oldest_lines_go() -> None:
    """It grew without end."""
    store, everything = limited(20_000)
    first = store.first_index
    assert len(store) == 1_000
    assert 0 < first < 900
    assert store.records(first, 1_000) == everything[first:]
    assert [store.record(index) for index in range(first, 1_000)] == everything[first:]
    with pytest.raises(IndexError):
        store.record(1_000)


@pytest.mark.usefixtures("small_blocks")
def test_nothing_is_misaligned_by_lines_that_were_let_go() -> None:
    store, everything = limited(20_000)
    first = store.first_index
    assert store.record(first - 1) is DROPPED
    assert store.records(first - 2, first + 2) == [DROPPED, DROPPED, *everything[first : first + 2]]
    assert store.records(0, 3) == [DROPPED] * 3
    for start, stop in ((0, 1_000), (first - 5, first + 5), (0, first), (5, 5), (first, 1_000)):
        expected = [everything[at] if at >= first else DROPPED for at in range(start, stop)]
        severities = store.severities(start, stop).tolist()
        assert severities == [entry.severity for entry in expected]
        assert store.template_ids(start, stop).tolist() == [entry.template_id for entry in expected]
        assert store.line_numbers(start, stop).tolist() == [entry.number for entry in expected]
        times = [time for time in store.times_s(start, stop).tolist() if not math.isnan(time)]
        assert times == [entry.time_s for entry in expected if entry is not DROPPED]
        assert len(store.times_s(start, stop)) == stop - start


@pytest.mark.usefixtures("small_blocks")
def test_lines_that_were_let_go_are_not_found() -> None:
    store, everything = limited(20_000)
    first = store.first_index
    assert store.match(LinePattern()).tolist() == list(range(first, 1_000))
    expected = [at for at in range(first, 1_000) if "7" in everything[at].text]
    assert store.match(LinePattern("7")).tolist() == expected
    assert store.match(LinePattern("7"), 0, first).tolist() == []
    for at, entry in enumerate(everything):
        found = store.index_of(entry.source, entry.number)
        assert found == (at if at >= first else None)
    assert store.dropped_sources == {"0.log", "1.log"}


@pytest.mark.usefixtures("small_blocks")
def test_a_search_goes_on_when_lines_are_let_go_under_it() -> None:
    store, _ = limited(100_000)
    found = store.match_blocks(LinePattern("line"))
    hits = next(found).tolist()
    for start in range(1, 3_000, 100):
        store.append([record(number, "later") for number in range(start, start + 100)])
    first = store.first_index
    assert first > 0
    hits += [index for part in found for index in part.tolist()]
    assert hits == [*range(len(hits) - max(0, 1_000 - first)), *range(first, 1_000)]


@pytest.mark.usefixtures("small_blocks")
def test_templates_count_lines_that_were_let_go() -> None:
    store, _ = limited(20_000)
    assert [template.count for template in store.templates().values()] == [334, 333, 333]
    assert store.templates()[1].first_index == 0


@pytest.mark.usefixtures("small_blocks")
def test_a_line_whose_beginning_was_let_go_is_a_new_record() -> None:
    store = LogStore(20_000)
    store.append([record(1, "par", source="quiet.log")])
    for start in range(1, 1_000, 10):
        store.append([record(number, "x" * 30) for number in range(start, start + 10)])
    assert not store.complete(record(1, "partial", source="quiet.log"))
    index = store.append([record(1, "partial", source="quiet.log")])
    assert store.index_of("quiet.log", 1) == index


def test_a_store_keeps_the_memory_it_has_however_long_it_runs() -> None:
    limit = 4_000_000
    store = LogStore(limit)
    batch = [record(number, f"belt speed {number % 97} m/s") for number in range(1, 1_001)]
    sizes = []
    for _ in range(1_000):
        store.append(batch)
        sizes.append(store.nbytes)
    assert len(store) == 1_000_000
    assert max(sizes) < 2 * limit + 64 * 128 * 1024
    assert max(sizes[500:]) <= max(sizes[:500])
    assert store.record(999_999).text == batch[-1].text


# --- searching ----------------------------------------------------------------------------------


@given(
    st.lists(st.text("aAb报 .", max_size=6), max_size=40),
    st.text("aAb报.", max_size=2),
    st.booleans(),
)
def test_a_literal_search_finds_what_python_finds(
    texts: list[str], needle: str, ignore_case: bool
) -> None:
    def folded(text: str) -> str:
        return text.lower() if ignore_case else text

    found = filled(texts).match(LinePattern(needle, ignore_case=ignore_case))
    assert found.dtype == np.int64
    assert found.tolist() == [i for i, text in enumerate(texts) if folded(needle) in folded(text)]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    "pattern", ["^a", "b$", r"a\s*$", "报.?a", r"(?<!a)b", r"\Aa.*b\Z", "[^b]+"]
)
def test_a_regular_expression_sees_one_line_at_a_time(pattern: str) -> None:
    texts = ["a", "b", "ab", "a  ", "", "b报a", " ab", "ba"] * 20
    expected = [i for i, text in enumerate(texts) if re.search(pattern, text)]
    assert filled(texts).match(LinePattern(pattern, regex=True)).tolist() == expected


def test_a_search_can_be_limited() -> None:
    store = LogStore()
    store.append([record(1, "jam"), record(2, "jam", severity=Severity.ERROR)])
    store.append([record(1, "jam", source="b.log", severity=Severity.CRITICAL)])
    assert store.match(LinePattern("jam", min_severity=Severity.ERROR)).tolist() == [1, 2]
    assert store.match(LinePattern("jam", sources=frozenset({"b.log"}))).tolist() == [2]
    assert store.match(LinePattern(sources=frozenset())).tolist() == []
    assert store.match(LinePattern("jam"), 1, 2).tolist() == [1]
    assert store.match(LinePattern()).tolist() == [0, 1, 2]


@pytest.mark.usefixtures("small_blocks")
def test_a_search_stops_when_it_is_cancelled() -> None:
    store = filled([f"jam {number}" for number in range(300)])
    asked: list[bool] = []

    def cancelled() -> bool:
        asked.append(True)
        return len(asked) == 3

    found = store.match(LinePattern("jam"), cancelled=cancelled).tolist()
    assert 0 < len(found) < 300
    assert found == list(range(len(found)))


def test_a_wrong_regular_expression_is_explained() -> None:
    with pytest.raises(AppError, match="not valid") as refused:
        filled(["a"]).match(LinePattern("(", regex=True))
    assert refused.value.hint


def test_a_regular_expression_that_would_never_end_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.stream.matching._BLOCK_TIMEOUT_S", 0.05)
    store = filled(["a" * 5_000 + "!"])
    with pytest.raises(AppError, match="too long"):
        store.match(LinePattern(r"(a+)+$", regex=True))


def test_a_million_lines() -> None:
    store = LogStore()
    batch = [record(number, f"belt speed {number % 97} m/s") for number in range(1, 1_001)]
    for _ in range(1_000):
        store.append(batch)
    assert len(store) == 1_000_000
    assert store.record(999_999).text == batch[-1].text
    assert store.record(123_456).text == batch[456].text
    assert len(store.match(LinePattern("speed 96"))) == 10_000
    assert store.nbytes < 60_000_000


def test_reading_while_lines_arrive() -> None:
    store = LogStore()
    wrong: list[Record] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            latest = store.records(max(0, len(store) - 50), len(store))
            wrong.extend(entry for entry in latest if entry.text != f"text {entry.number}")
            store.match(LinePattern("9"), max(0, len(store) - 3_000))

    reader = threading.Thread(target=read)
    reader.start()
    for start in range(1, 30_000, 100):
        store.append([record(number, f"text {number}") for number in range(start, start + 100)])
    done.set()
    reader.join(20)
    assert wrong == []


def test_the_real_logs_come_back_line_by_line(sample_logs: Path) -> None:
    for path in sorted(sample_logs.glob("*.log")):
        store = LogStore()
        reader = LineReader()
        lines = reader.feed(path.read_bytes())
        last = reader.partial()
        lines += [last] if last else []
        store.append(LineParser(path.name, TemplateMiner(), 0.0).parse(lines, 1))
        assert [entry.text for entry in store.records(0, 9_999)] == path.read_text().splitlines()
        assert store.index_of(path.name, 2_000) == 1_999
