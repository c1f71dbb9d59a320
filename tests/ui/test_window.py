"""The whole window: files, notices, languages, themes, shapes, names, touch targets."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.answers.messages import AnswerText, Notice, SourceStatus
from app.engine.messages import EnginePhase, EngineState
from app.errors import AppError
from app.session.events import ModelFetch
from app.ui import theme
from app.ui.controls import IconButton
from app.ui.marks import Level
from app.ui.window.evidence_card import EvidenceCard
from tests.ui.conftest import Bench
from tests.ui.fakes import TARGET, answer, record


def drop(window: QWidget, paths: list[Path]) -> None:
    """Drop files from a file manager."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy = Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(300, 300), copy, data, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), copy, data, left, none))


def test_several_dropped_files_are_followed(bench: Bench, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.log", "b b.log", "日志.log")]
    for path in paths:
        path.write_text("x\n", encoding="utf-8")
    drop(bench.window, paths)
    assert bench.session.files == paths


def test_a_file_that_cannot_be_read_is_said_and_the_others_are_opened(
    bench: Bench, tmp_path: Path
) -> None:
    good = tmp_path / "good.log"
    good.write_text("x\n")
    drop(bench.window, [tmp_path / "gone.log", good])
    assert bench.session.files == [good]
    assert bench.window.notices.isVisible()
    assert "gone.log" in bench.window.notices.message.text()
    assert bench.window.notices.hint.text() == "Check that the file is there."


def test_a_dropped_model_is_named_with_what_to_do(bench: Bench, tmp_path: Path) -> None:
    model = tmp_path / "some.gguf"
    model.write_bytes(b"GGUF")
    drop(bench.window, [model])
    assert bench.session.files == []
    assert bench.window.notices.message.text() == "some.gguf is a model, not a log."
    assert bench.window.notices.hint.text() == f"Import it with: anchorline models import {model}"


def test_the_gravest_notice_is_shown_first_and_each_only_once(bench: Bench, qtbot: QtBot) -> None:
    bar = bench.window.notices
    bench.session.emit(Notice("A file was rotated."))
    bench.session.emit(Notice("The models did not load.", severity="critical"))
    bench.session.emit(Notice("A file was rotated."))
    assert bar.message.text() == "The models did not load."
    assert bar.glyph.level is Level.CRITICAL
    assert bar.more.text() == "1 more"
    qtbot.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert bar.message.text() == "A file was rotated."
    qtbot.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_a_mere_notice_leaves_by_itself_and_a_warning_stays(bench: Bench, qtbot: QtBot) -> None:
    bar = bench.window.notices
    bar._timer.setInterval(30)
    bench.session.emit(Notice("A file was lost.", severity="warning"))
    bench.session.emit(Notice("A file was rotated."))
    bar.dismiss()
    assert bar.message.text() == "A file was rotated."
    bench.session.emit(Notice("A file was lost.", severity="warning"))
    assert bar.message.text() == "A file was lost."
    bar.dismiss()
    qtbot.waitUntil(lambda: not bar.isVisible())


def test_braces_in_values_are_left_alone(bench: Bench) -> None:
    bench.controller.post(Notice.of(AppError("There is no file {path}.", path="{odd}.log")))
    assert bench.window.notices.message.text() == "There is no file {odd}.log."


def test_an_empty_question_cannot_be_asked(bench: Bench, qtbot: QtBot) -> None:
    bar = bench.window.conversation.bar
    qtbot.keyClicks(bar.field, "   ")
    assert not bar.button.isEnabled()
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bench.session.asked == []


def test_the_header_says_what_is_read_and_which_model_answers(bench: Bench, qtbot: QtBot) -> None:
    header = bench.window.header
    bench.session.emit(EngineState(EnginePhase.LOADING, load_fraction=0.4))
    assert header.engine.phase_word() == "Loading 40%"
    bench.session.emit(EngineState(EnginePhase.READY, TARGET))
    assert header.engine.accessibleName() == "Engine: Ready"
    assert TARGET in header.engine.accessibleDescription()
    assert "standard" in header.engine.accessibleDescription()
    bench.session.emit(SourceStatus("line3.log", "following", 1234))
    qtbot.waitUntil(lambda: "line3.log" in header.chips())
    assert header.chips()["line3.log"].accessibleName() == "line3.log: following, 1,234 lines"
    bench.session.emit(SourceStatus("line3.log", "missing", 1234))
    qtbot.waitUntil(lambda: header.chips()["line3.log"].state_word() == "missing")


def test_models_being_fetched_are_shown_until_they_are_here(bench: Bench, qtbot: QtBot) -> None:
    bar = bench.window.fetch
    bench.session.profile = "tiny"
    bench.session.emit(ModelFetch("standard", 400_000_000, 1_600_000_000))
    qtbot.waitUntil(bar.isVisible)
    assert bar.text.text() == (
        "Fetching the standard models: 400 MB of 1,600 MB. The tiny profile answers meanwhile."
    )
    assert bar.progress.value() * 4 == bar.progress.maximum()
    bench.session.emit(ModelFetch("standard", 1_600_000_000, 1_600_000_000, finished=True))
    qtbot.waitUntil(lambda: not bar.isVisible())


def test_a_loss_is_announced_once(bench: Bench) -> None:
    lost = SourceStatus("a.log", "following", 5, "{count} lines of {name} were lost.",
                        (("count", 3), ("name", "a.log")))  # fmt: skip
    bench.session.emit(lost)
    bench.session.emit(lost)
    assert bench.window.notices.message.text() == "3 lines of a.log were lost."
    bench.window.notices.dismiss()
    assert not bench.window.notices.isVisible()


def test_a_missing_log_is_announced_until_it_is_there(bench: Bench) -> None:
    note = "{name} is not there; it is read as soon as it appears."
    bench.session.emit(SourceStatus("a.log", "missing", 0, note, (("name", "a.log"),)))
    bench.session.emit(SourceStatus("b.log", "missing", 0, note, (("name", "b.log"),)))
    bench.session.emit(SourceStatus("b.log", "missing", 0))
    bench.session.emit(SourceStatus("b.log", "following", 3))
    assert bench.window.notices.message.text().startswith("a.log is not there")
    bench.session.emit(SourceStatus("a.log", "reading", 1))
    assert not bench.window.notices.isVisible()


def visible_texts(window: QWidget) -> set[str]:
    """Texts of labels and buttons on the screen, and names of what is painted."""
    found = set()
    for item in window.findChildren(QWidget):
        if not item.isVisibleTo(window):
            continue
        if isinstance(item, QLabel | QPushButton) and item.text():
            found.add(item.text())
        if isinstance(item, QLineEdit) and item.placeholderText():
            found.add(item.placeholderText())
        if item.accessibleName():
            found.add(item.accessibleName())
    return found


def test_the_language_changes_at_once_everywhere(bench: Bench, qtbot: QtBot) -> None:
    window = bench.window
    bench.session.append([record(1), record(2)])
    bench.session.write_answer(answer("a1"))
    bench.controller.post(Notice.of(AppError("There is no file {path}.", path="x.log")))
    bench.session.emit(EngineState(EnginePhase.READY, TARGET))
    window.header.engine.setChecked(True)
    qtbot.waitUntil(window.conversation.turns[0].cards[0].isVisible)
    qtbot.waitUntil(lambda: window.log.filter.counts.text() == "2 lines")
    english = visible_texts(window)
    qtbot.mouseClick(window.header.language, Qt.MouseButton.LeftButton)
    assert bench.session.language == "zh_CN"
    wanted = {"提问", "询问日志", "筛选日志行", "全部", "警告", "依据 1 行日志", "引擎：就绪"}
    qtbot.waitUntil(lambda: wanted <= visible_texts(window))
    assert window.notices.message.text() == "文件 x.log 不存在。"
    told = {"Anchorline", answer().question, answer().text, *bench.session.suggestions}
    left_over = {
        text
        for text in (english & visible_texts(window)) - told
        if any(character.isalpha() for character in text)
    }
    assert left_over <= {"5.7 MB", "0.0 MB", "–", "0.41 s"}
    qtbot.mouseClick(window.header.language, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: visible_texts(window) == english)


def test_the_theme_button_goes_round(bench: Bench, qtbot: QtBot) -> None:
    seen = [theme.name()]
    for _ in range(3):
        qtbot.mouseClick(bench.window.header.theme, Qt.MouseButton.LeftButton)
        seen.append(theme.name())
        ground = bench.window.grab().toImage().pixelColor(4, 2).name().upper()
        assert ground == theme.tokens().surface
    assert seen == ["night", "day", "contrast", "night"]


def test_theme_and_language_may_change_while_an_answer_is_written(
    bench: Bench, qtbot: QtBot
) -> None:
    header, conversation = bench.window.header, bench.window.conversation
    bench.session.append([record(1), record(2)])
    bench.session.write_answer(answer("a0"))
    answer_id = bench.session.ask("Why?")
    for _ in range(4):
        bench.session.emit(AnswerText(answer_id, "word "))
        qtbot.mouseClick(header.theme, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(header.language, Qt.MouseButton.LeftButton)
        assert conversation.bar.answering
    bench.session.write_answer(answer(answer_id, text="Because."))
    assert conversation.turns[-1].text.text() == "Because."
    assert conversation.bar.button.text() == "Ask"


@pytest.mark.parametrize("size", [(1280, 800), (1024, 600), (800, 1280), (1920, 1080)])
def test_everything_fits_with_all_panels_open(
    bench: Bench, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window = bench.window
    bench.session.append([record(n + 1, "x" * 300) for n in range(100)])
    bench.session.write_answer(answer("a1"))
    window.resize(*size)
    window.header.engine.setChecked(True)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    for part in (
        window.header.engine, window.drawer, window.log.view, window.log.filter.text,
        window.conversation.bar.button, window.conversation.bar.field,
    ):  # fmt: skip
        corner = part.mapTo(window, part.rect().bottomRight())
        assert part.isVisible()
        assert window.rect().contains(corner)
    button = window.conversation.bar.button
    bottom = button.mapTo(window, button.rect().bottomLeft()).y()
    assert window.height() - bottom < theme.dp(24)


def test_portrait_stacks_log_over_conversation(bench: Bench, qtbot: QtBot) -> None:
    window = bench.window
    window.resize(800, 1280)
    qtbot.waitUntil(
        lambda: (
            window.conversation.mapTo(window, QPoint()).y() > window.log.mapTo(window, QPoint()).y()
        )
    )
    assert window.log.width() == window.conversation.width() == 800


def test_everything_that_can_be_touched_has_a_name_and_is_large_enough(
    bench: Bench, qtbot: QtBot
) -> None:
    window = bench.window
    bench.session.append([record(1), record(2)])
    bench.session.write_answer(answer("a1"))
    qtbot.waitUntil(lambda: window.log.rows.total == 2)
    window.log.view.select(0)
    bench.session.emit(Notice("A file was rotated."))
    window.header.engine.setChecked(True)
    qtbot.waitUntil(window.conversation.turns[0].cards[0].isVisible)
    touched = [
        item
        for item in window.findChildren(QWidget)
        if isinstance(item, QAbstractButton | QLineEdit) and item.isVisibleTo(window)
    ]
    assert len(touched) > 15
    assert any(isinstance(item, EvidenceCard) for item in touched)
    assert any(isinstance(item, IconButton) for item in touched)
    for item in touched:
        name = item.accessibleName() or (item.text() if isinstance(item, QPushButton) else "")
        assert name, item
        assert item.height() >= theme.dp(44), (name, item.height())
        assert item.width() >= theme.dp(44), (name, item.width())
    bar = window.conversation.bar
    assert bar.button.height() >= theme.mm(20)
    assert bar.button.width() >= theme.mm(20)


def test_a_missing_on_screen_keyboard_is_said(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_IM_MODULE", raising=False)
    qtbot.mouseClick(bench.window.header.keyboard, Qt.MouseButton.LeftButton)
    assert bench.window.notices.message.text() == "This terminal has no on-screen keyboard."


def test_shortcuts_reach_everything(bench: Bench, qtbot: QtBot) -> None:
    window = bench.window
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window, Qt.Key.Key_F2)
    assert window.drawer.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F, control)
    assert window.focusWidget() is window.log.filter.text
    qtbot.keyClick(window, Qt.Key.Key_L, control)
    assert window.focusWidget() is window.conversation.bar.field
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(window.log.filter.levels.buttons[2].isChecked)
