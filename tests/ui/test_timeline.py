"""The timeline's counts: right at every length, and cheap at any."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.stream.records import Record, Severity
from app.stream.store import LogStore
from app.ui.models import histogram
from app.ui.models.histogram import Counts
from tests.ui.conftest import Bench
from tests.ui.fakes import START_S, record

BUCKETS = 120
LONG = 300_000


def test_a_new_line_in_a_long_log_does_not_have_the_others_counted_again(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline = bench.window.log.timeline
    read: list[int] = []
    original = LogStore.severities

    def counting(store: LogStore, start: int, stop: int) -> object:
        found = original(store, start, stop)
        read.append(found.size)
        return found

    long_log = [record(n + 1, "x", time_s=START_S + n) for n in range(LONG)]
    with qtbot.waitSignal(timeline.counted, check_params_cb=lambda data: data.total == LONG):
        bench.session.append(long_log)
    monkeypatch.setattr(LogStore, "severities", counting)
    with qtbot.waitSignal(timeline.counted, check_params_cb=lambda data: data.total == LONG + 1):
        bench.session.append([record(LONG + 1, "E204", Severity.ERROR, time_s=START_S + LONG)])
    assert timeline.data is not None
    assert timeline.data.errors[-1] == 1
    assert read
    assert sum(read) < LONG / 3


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines settle early, so that a short log goes through everything a long one does."""
    monkeypatch.setattr(histogram, "PIECE_LINES", 70)
    monkeypatch.setattr(histogram, "UNSETTLED_LINES", 40)


def growing_log(chance: random.Random) -> Iterator[Record]:
    """Bursts and pauses, some lines late, one file much older than what was there."""
    time_s = START_S
    severities = list(Severity)
    for number in range(1, 2_001):
        time_s += chance.choice((0.0, 0.001, 0.5, 30.0, 400.0 if number % 100 == 0 else 1.0))
        if number == 900:
            time_s -= 86_400.0
        late = chance.choice((0.0, 0.0, 45.0))
        dated = chance.random() > 0.05
        yield record(
            number, "x", chance.choice(severities), time_s=time_s - late if dated else None
        )


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("seed", range(4))
def test_a_log_counted_as_it_grows_counts_as_if_read_at_once(seed: int) -> None:
    store, lines = LogStore(), list(growing_log(random.Random(seed)))
    counts = Counts(store)
    for start in range(0, len(lines), 130):
        store.append(lines[start : start + 130])
        known = lines[: start + 130]
        data = counts.histogram(BUCKETS)
        times_s = np.array([item.time_s for item in known if item.time_s is not None])
        errors = sum(r.severity >= Severity.ERROR for r in known if r.time_s is not None)
        warnings = sum(r.severity == Severity.WARNING for r in known if r.time_s is not None)
        assert data.total == len(known)
        assert (data.start_s, data.end_s) == (times_s.min(), times_s.max())
        assert int(data.lines.sum()) == times_s.size
        assert int(data.errors.sum()) == errors
        assert int(data.warnings.sum()) == warnings
        step = (times_s.max() - times_s.min()) / BUCKETS
        so_far = np.cumsum(data.lines)
        for bucket in range(BUCKETS):
            border = times_s.min() + (bucket + 1) * step
            least, most = (int((times_s <= border + slack * step).sum()) for slack in (-0.1, 0.1))
            assert least <= so_far[bucket] <= most
            first = int(data.first_index[bucket])
            assert (first == -1) == (data.lines[bucket] == 0)
            if first >= 0:
                time_s = known[first].time_s
                assert time_s is not None
                assert border - 1.1 * step <= time_s <= border + 0.1 * step


@pytest.mark.usefixtures("small_pieces")
def test_a_log_without_times_is_counted_by_arrival() -> None:
    store = LogStore()
    counts = Counts(store)
    for first in range(0, 12_000, 3_000):
        store.append([record(first + n + 1, "x") for n in range(3_000)])
        data = counts.histogram(BUCKETS)
        assert not data.dated
        assert int(data.lines.sum()) == first + 3_000
        assert data.first_index[0] == 0
        even = (first + 3_000) / BUCKETS
        assert all(abs(count - even) <= 4 for count in data.lines.tolist())


def test_a_line_that_is_completed_is_counted_as_what_it_has_become() -> None:
    store = LogStore()
    counts = Counts(store)
    store.append([record(1, "start", time_s=START_S), record(2, "E2", time_s=START_S + 9)])
    assert int(counts.histogram(BUCKETS).errors.sum()) == 0
    assert store.complete(record(2, "E204 broken", Severity.ERROR, time_s=START_S + 9))
    assert int(counts.histogram(BUCKETS).errors.sum()) == 1


@pytest.mark.usefixtures("small_pieces")
def test_a_log_that_starts_again_is_counted_from_its_beginning() -> None:
    store = LogStore()
    counts = Counts(store)
    assert counts.histogram(BUCKETS).total == 0
    store.append([record(n + 1, "x", Severity.ERROR, time_s=START_S + n) for n in range(500)])
    assert int(counts.histogram(BUCKETS).errors.sum()) == 500
    store.clear()
    store.append([record(n + 1, "y", time_s=START_S + n) for n in range(60)])
    data = counts.histogram(BUCKETS)
    assert (int(data.errors.sum()), int(data.lines.sum())) == (0, 60)


def test_times_that_cannot_be_right_break_nothing() -> None:
    store = LogStore()
    counts = Counts(store)
    wild = (START_S, 0.0, -6e10, 4e11, 1e300, -1e300)
    for number, time_s in enumerate(wild, 1):
        store.append([record(number, "x", time_s=time_s)])
        assert int(counts.histogram(BUCKETS).lines.sum()) == number
