"""The console by finger: real touch events, no method calls."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.answers.messages import Citation
from tests.ui.conftest import Bench
from tests.ui.fakes import answer, record

_DEVICE: list[QPointingDevice] = []


def finger() -> QPointingDevice:
    """A touch screen; Qt keeps it until the process ends."""
    if not _DEVICE:
        _DEVICE.append(QTest.createTouchDevice())
    return _DEVICE[0]


def tap(target: QWidget) -> None:
    """One finger down and up in the middle of a widget."""
    window = target.window()
    place = target.mapTo(window, target.rect().center())
    QTest.touchEvent(window, finger()).press(0, place, window).commit()
    QTest.touchEvent(window, finger()).release(0, place, window).commit()


def swipe(target: QWidget, start: QPoint, by: QPoint, steps: int = 12) -> None:
    """One finger drawn across a widget."""
    window = target.window()
    begin = QPointF(target.mapTo(window, start))
    QTest.touchEvent(window, finger()).press(0, begin.toPoint(), window).commit()
    for step in range(1, steps + 1):
        place = begin + QPointF(by) * step / steps
        QTest.touchEvent(window, finger()).move(0, place.toPoint(), window).commit()
    end = (begin + QPointF(by)).toPoint()
    QTest.touchEvent(window, finger()).release(0, end, window).commit()


def test_a_finger_draws_the_log_down_and_following_ends(bench: Bench, qtbot: QtBot) -> None:
    view = bench.window.log.view
    bench.session.append([record(n + 1) for n in range(1000)])
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 1000 and view.following)
    at_end = view.verticalScrollBar().value()
    swipe(view.viewport(), QPoint(300, 120), QPoint(0, 300))
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() < at_end)
    assert not view.following
    assert view.current_record() is None, "a finger that scrolls chooses no line"
    qtbot.waitUntil(view.new_lines_button.isVisible)
    tap(view.new_lines_button)
    qtbot.waitUntil(lambda: view.following)


def test_a_question_is_asked_and_its_line_found_by_taps_alone(bench: Bench, qtbot: QtBot) -> None:
    window = bench.window
    bench.session.append([record(n + 1) for n in range(1000)])
    qtbot.waitUntil(lambda: window.log.rows.total == 1000)
    chip = window.conversation.welcome_chips()[0]
    qtbot.waitUntil(chip.isVisible)
    tap(chip)
    qtbot.waitUntil(lambda: bench.session.asked == ["Why did line 3 stop?"])
    tap(window.conversation.bar.button)
    qtbot.waitUntil(lambda: bench.session.stopped == ["a1"])
    cited = (Citation("line3.log", 77, "event 77"),)
    bench.session.write_answer(answer("a1", citations=cited))
    card = window.conversation.turns[0].cards[0]
    qtbot.waitUntil(card.isVisible)
    tap(card)
    qtbot.waitUntil(lambda: window.log.view.current_record() is not None)
    chosen = window.log.view.current_record()
    assert chosen is not None
    assert chosen.number == 77


def test_the_panels_open_and_close_by_a_tap(bench: Bench, qtbot: QtBot) -> None:
    tap(bench.window.header.engine)
    qtbot.waitUntil(bench.window.drawer.isVisible)
    tap(bench.window.header.engine)
    qtbot.waitUntil(lambda: not bench.window.drawer.isVisible())


def test_a_tap_on_a_line_chooses_it(bench: Bench, qtbot: QtBot) -> None:
    view = bench.window.log.view
    bench.session.append([record(n + 1) for n in range(3)])
    qtbot.waitUntil(lambda: bench.window.log.rows.total == 3)
    place = next(y for y in range(view.viewport().height()) if view.row_at(y) == 1) + 5
    window = bench.window
    spot = view.viewport().mapTo(window, QPoint(300, place))
    QTest.touchEvent(window, finger()).press(0, spot, window).commit()
    QTest.touchEvent(window, finger()).release(0, spot, window).commit()
    qtbot.waitUntil(lambda: view.current_record() is not None)
    assert view.selected_indices() == (1,)
    assert bench.window.log.chosen.isVisible()
