"""The log: any number of lines, following, filtering, jumping, copying."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.answers.messages import Citation
from app.stream.records import DROPPED, Record, Severity
from app.stream.store import LogStore
from app.ui.models.log_rows import LogRows
from app.ui.window.log_row import LogRowPainter, RowState
from app.ui.window.log_view import LogView
from tests.ui.conftest import Bench
from tests.ui.fakes import answer, demo_records, record

MANY = 100_000


def fill(bench: Bench, qtbot: QtBot, count: int, **changes: object) -> None:
    """So many plain lines, shown."""
    first = len(bench.session.store)
    bench.session.append([record(first + n + 1, **changes) for n in range(count)])  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: bench.window.log.rows.total == first + count)


def last_visible(bench: Bench) -> int:
    """Number of the lowest line on the screen."""
    view = bench.window.log.view
    row = view.row_at(view.viewport().height() - 1)
    return bench.window.log.rows.count() if row is None else row + 1


def test_a_hundred_thousand_lines_arrive_and_the_newest_is_on_the_screen(
    bench: Bench, qtbot: QtBot
) -> None:
    for _ in range(10):
        fill(bench, qtbot, MANY // 10)
    assert bench.window.log.rows.count() == MANY
    assert last_visible(bench) == MANY
    assert bench.window.log.filter.counts.text() == "100,000 lines"


def test_only_lines_on_the_screen_are_read(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(bench, qtbot, MANY)
    read: list[int] = []
    original = LogStore.records

    def counting(store: LogStore, start: int, stop: int) -> list[Record]:
        read.append(stop - start)
        return original(store, start, stop)

    monkeypatch.setattr(LogStore, "records", counting)
    bench.window.log.view.jump_to(MANY // 2)
    bench.window.grab()
    rows_that_fit = bench.window.log.view.viewport().height() // 20
    assert read
    assert max(read) <= rows_that_fit


def test_scrolling_away_stops_following_and_counts_new_lines(bench: Bench, qtbot: QtBot) -> None:
    view = bench.window.log.view
    fill(bench, qtbot, 500)
    assert view.following
    assert not view.new_lines_button.isVisible()
    view.verticalScrollBar().setValue(0)
    assert not view.following
    fill(bench, qtbot, 40)
    assert view.new_lines_button.isVisible()
    assert view.new_lines_button.text() == "40 new lines"
    assert view.verticalScrollBar().value() == 0
    qtbot.mouseClick(view.new_lines_button, Qt.MouseButton.LeftButton)
    assert view.following
    assert last_visible(bench) == 540
    assert not view.new_lines_button.isVisible()


def test_words_and_severity_filter_with_live_counts(bench: Bench, qtbot: QtBot) -> None:
    pane = bench.window.log
    bench.session.append(
        [
            record(1, "pump A started"),
            record(2, "pump A pressure low", Severity.WARNING),
            record(3, "泵B 压力过低", Severity.WARNING),
            record(4, "pump A stopped", Severity.ERROR),
        ]
    )
    qtbot.waitUntil(lambda: pane.rows.total == 4)
    qtbot.keyClicks(pane.filter.text, "PUMP a")
    qtbot.waitUntil(lambda: pane.filter.counts.text() == "3 of 4")
    qtbot.mouseClick(pane.filter.levels.buttons[1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.filter.counts.text() == "2 of 4")
    bench.session.append([record(5, "pump A failed", Severity.CRITICAL), record(6, "pump A ok")])
    qtbot.waitUntil(lambda: pane.filter.counts.text() == "3 of 6")
    shown = [item.number for _, item in pane.rows.records(0, pane.rows.count())]
    assert shown == [2, 4, 5]


def test_a_filter_over_many_lines_is_found_in_pieces_and_completely(
    bench: Bench, qtbot: QtBot
) -> None:
    pane = bench.window.log
    bench.session.append(
        [record(n + 1, f"job {n} needle" if n % 1000 == 0 else f"job {n}") for n in range(MANY)]
    )
    with qtbot.waitSignal(
        pane.rows.counted,
        check_params_cb=lambda hits, seen, done: (hits, seen, done) == (100, MANY, True),
    ):
        pane.filter.text.setText("needle")
    assert pane.rows.index_at(99) == 99_000


def test_lines_that_a_new_filter_finds_are_not_called_new(bench: Bench, qtbot: QtBot) -> None:
    pane = bench.window.log
    fill(bench, qtbot, 300)
    pane.view.verticalScrollBar().setValue(0)
    pane.filter.text.setText("event")
    qtbot.waitUntil(lambda: pane.rows.filtered and pane.rows.count() == 300)
    assert pane.view.new_lines == 0


def test_no_match_is_said(bench: Bench, qtbot: QtBot) -> None:
    pane = bench.window.log
    fill(bench, qtbot, 5)
    pane.filter.text.setText("nothing like it")
    qtbot.waitUntil(lambda: pane.filter.counts.text() == "0 of 5")
    assert pane.rows.count() == 0
    pane.filter.clear()
    qtbot.waitUntil(lambda: pane.rows.count() == 5)


def test_a_citation_scrolls_to_its_line_and_marks_it(bench: Bench, qtbot: QtBot) -> None:
    view = bench.window.log.view
    fill(bench, qtbot, 2000)
    bench.controller.show_citation(Citation("line3.log", 700, "event 700"))
    chosen = view.current_record()
    assert chosen is not None
    assert chosen.number == 700
    assert view.is_cited(699)
    assert not view.following
    top = view.row_at(0)
    assert top is not None
    assert top < 699 < last_visible(bench)
    assert bench.window.log.chosen.isVisible()
    assert bench.window.log.chosen.text.text() == "event 700"


def test_a_citation_that_the_filter_hides_lifts_the_filter(bench: Bench, qtbot: QtBot) -> None:
    pane = bench.window.log
    fill(bench, qtbot, 100)
    pane.filter.text.setText("event 5")
    qtbot.waitUntil(lambda: pane.filter.counts.text() == "11 of 100")
    bench.controller.show_citation(Citation("line3.log", 42, "event 42"))
    assert pane.filter.text.text() == ""
    chosen = pane.view.current_record()
    assert chosen is not None
    assert chosen.number == 42


def test_a_citation_that_is_gone_is_said(bench: Bench) -> None:
    bench.controller.show_citation(Citation("other.log", 9, "as it was"))
    assert bench.window.notices.message.text() == "Line 9 of other.log is not in the open log."


def rotate(bench: Bench, qtbot: QtBot) -> None:
    """A file of yesterday with an alarm in line 120, then today's of the same name."""
    yesterday = [record(n, f"yesterday {n}", Severity.ERROR) for n in range(1, 201)]
    today = [record(n, f"today {n}") for n in range(1, 151)]
    bench.session.append([*yesterday, *today])
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 350)


def test_a_citation_leads_to_the_line_it_was_before_the_log_was_rotated(
    bench: Bench, qtbot: QtBot
) -> None:
    view = bench.window.log.view
    rotate(bench, qtbot)
    old, new = (Citation("line3.log", 120, f"{day} 120") for day in ("yesterday", "today"))
    bench.session.write_answer(answer("a1", citations=(old,)))
    assert view.is_cited(119)
    assert not view.is_cited(319)
    assert bench.controller.severity_of(old) is Severity.ERROR
    assert bench.controller.severity_of(new) is Severity.INFO
    for citation in (old, new):
        bench.controller.show_citation(citation)
        chosen = view.current_record()
        assert chosen is not None
        assert chosen.text == citation.text
    assert not bench.window.notices.isVisible()


def test_another_line_of_the_same_number_is_not_taken_for_the_cited_one(
    bench: Bench, qtbot: QtBot
) -> None:
    view = bench.window.log.view
    rotate(bench, qtbot)
    gone = Citation("line3.log", 120, "last week 120")
    bench.session.write_answer(answer("a1", citations=(gone,)))
    assert not view.is_cited(119)
    assert not view.is_cited(319)
    assert bench.controller.severity_of(gone) is Severity.UNKNOWN
    bench.controller.show_citation(gone)
    assert view.current_record() is None
    assert bench.window.notices.message.text() == "Line 120 of line3.log is not in the open log."


def test_a_line_that_was_cited_before_its_end_was_written_is_found(
    bench: Bench, qtbot: QtBot
) -> None:
    fill(bench, qtbot, 9)
    bench.session.append([record(10, "E204 light curtain broken at gate 2")])
    bench.controller.show_citation(Citation("line3.log", 10, "E204 light curtain"))
    chosen = bench.window.log.view.current_record()
    assert chosen is not None
    assert chosen.number == 10


def test_control_characters_are_shown_not_obeyed(bench: Bench, qtbot: QtBot) -> None:
    text = "\x1b[31mred\x1b[0m\tand \x07 and \u202eevil <b>bold</b>"
    bench.session.append([record(1, text)])
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 1)
    bench.window.log.view.select(0)
    assert bench.window.log.chosen.text.text() == "red    and \\x07 and \\u202eevil <b>bold</b>"


def test_copied_lines_are_the_raw_ones(bench: Bench, qtbot: QtBot) -> None:
    view = bench.window.log.view
    bench.session.append([record(1, "one\t1"), record(2, "two \x1b[1m2"), record(3, "three")])
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 3)
    view.select(0)
    qtbot.mouseClick(bench.window.log.chosen.extend_button, Qt.MouseButton.LeftButton)
    row_px = view.viewport().height() - 1
    assert view.row_at(row_px) is None
    place = next(y for y in range(row_px) if view.row_at(y) == 1)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, place + 4))
    assert view.selected_indices() == (0, 1)
    qtbot.mouseClick(bench.window.log.chosen.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "one\t1\ntwo \x1b[1m2"


def test_keys_move_through_the_log(bench: Bench, qtbot: QtBot) -> None:
    view = bench.window.log.view
    fill(bench, qtbot, 1000)

    def number() -> int | None:
        chosen = view.current_record()
        return chosen.number if chosen is not None else None

    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert number() == 1
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.selected_indices() == (1, 2)
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert (number() or 0) > 10
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.following


class EndlessStore(LogStore):
    """So many lines that no machine holds them; their text says which they are."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def __len__(self) -> int:
        return self.count

    def records(self, start: int, stop: int) -> list[Record]:
        return [record(index + 1) for index in range(start, min(stop, self.count))]


@pytest.mark.parametrize("count", [80_000_000, 100_000_000, 2_000_000_000])
def test_a_log_taller_than_qt_can_count_is_scrolled_from_end_to_end(
    application: QApplication, qtbot: QtBot, count: int
) -> None:
    rows = LogRows()
    view = LogView(rows)
    qtbot.addWidget(view)
    view.resize(800, 600)
    with qtbot.waitExposed(view):
        view.show()
    store = EndlessStore(count)
    rows.set_store(store)
    bottom = view.viewport().height() - 1
    assert view.row_at(bottom) == count - 1, "it follows"
    store.count += 40
    rows.sync()
    assert view.row_at(bottom) == count + 39
    for row in (0, 1, count // 2 + 1, count - 2):
        assert view.jump_to(row)
        top, last = view.row_at(0), view.row_at(bottom)
        assert top is not None
        assert last is not None
        assert top <= row <= last
        view.grab()
        qtbot.keyClick(view, Qt.Key.Key_Up)
        chosen = view.current_record()
        assert chosen is not None
        assert chosen.number == max(1, row)
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    last = view.row_at(bottom)
    assert last is not None
    assert view.selected_indices()[0] <= last
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.following
    rows.close()


def test_growing_past_what_qt_can_count_leaves_the_lines_on_the_screen_where_they_are(
    application: QApplication, qtbot: QtBot
) -> None:
    rows = LogRows()
    view = LogView(rows)
    qtbot.addWidget(view)
    view.resize(800, 600)
    with qtbot.waitExposed(view):
        view.show()
    store = EndlessStore(50_000_000)
    rows.set_store(store)
    view.jump_to(30_000_000)
    top = view.row_at(0)
    assert top is not None
    store.count = 120_000_000
    rows.sync()
    assert not view.following
    assert abs((view.row_at(0) or 0) - top) <= 1
    rows.close()


def test_a_log_that_starts_again_is_shown_from_its_beginning(bench: Bench, qtbot: QtBot) -> None:
    fill(bench, qtbot, 50)
    bench.session.store.clear()
    bench.session.append([record(1, "fresh")])
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 1)
    assert [item.text for _, item in bench.window.log.rows.records(0, 9)] == ["fresh"]


def test_the_timeline_counts_and_leads_to_a_time(bench: Bench, qtbot: QtBot) -> None:
    timeline = bench.window.log.timeline
    lines: Sequence[Record] = list(demo_records(3000))
    with qtbot.waitSignal(
        timeline.counted, check_params_cb=lambda data: data.total == len(lines), timeout=15_000
    ):
        bench.session.append(lines)
    data = timeline.data
    assert data is not None
    assert data.dated
    assert int(data.errors.sum()) == sum(item.severity >= Severity.ERROR for item in lines)
    assert int(data.lines.sum()) == len(lines)
    with qtbot.waitSignal(timeline.index_chosen):
        qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(timeline.width() // 3, 20))
    assert not bench.window.log.view.following
    assert bench.window.log.view.current_record() is not None


def test_the_source_of_each_line_is_shown_only_where_there_are_several(
    bench: Bench, qtbot: QtBot
) -> None:
    view = bench.window.log.view
    fill(bench, qtbot, 3)
    alone = view.text_left_px
    view.show_sources({"line3.log": None, "OpenSSH.log": None})
    assert view.text_left_px > alone
    view.show_sources({"line3.log": None})
    assert view.text_left_px == alone


def test_a_line_that_is_no_longer_kept_is_drawn_as_such(qapp: QApplication) -> None:
    painter = LogRowPainter()
    painter.gone_text = "(no longer in memory; still in the file)"
    picture = QPixmap(400, painter.row_px)
    with QPainter(picture) as drawing:
        box = QRect(0, 0, 400, painter.row_px)
        shown = painter.draw(drawing, box, DROPPED, RowState(False, False, False, 0))
    assert shown == painter.gone_text
