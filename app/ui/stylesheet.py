"""The Qt style sheet, made from the tokens of a theme and the screen's density."""

from __future__ import annotations

from collections.abc import Callable
from string import Template

_SHEET = Template("""
* { font-size: ${px16}px; outline: none; }
QWidget { color: $text; }
QWidget#window, QWidget#ground, QSplitter { background: $ground; }
QWidget#surface, QScrollArea, QWidget#page { background: $surface; border: none; }
QWidget#header { background: $surface; border: none; border-bottom: 1px solid $line; }
QWidget#drawer { background: $surface; border: none; border-bottom: 1px solid $line; }
QWidget#bar { background: $surface; border: none; border-bottom: 1px solid $line; }
QWidget#foot { background: $surface; border: none; border-top: 1px solid $line; }
QWidget#panel { background: $ground; border: 1px solid $line; border-radius: ${px8}px; }
QFrame#answer { border: none; }
QFrame#answer[abstained="true"] {
    background: $ground; border: 1px dashed $notice; border-radius: ${px8}px;
}
QWidget#rule { background: $line; }
QLabel { background: transparent; }
QLabel[role="secondary"] { color: $secondary; }
QLabel[role="heading"] { font-size: ${px20}px; font-weight: bold; }
QLabel[role="value"] { font-size: ${px24}px; font-weight: bold; }
QLabel[role="strong"] { font-weight: bold; }

QPushButton {
    background: $raised; color: $text; border: 1px solid $line; border-radius: ${px8}px;
    padding: 0 ${px16}px; min-height: ${px46}px;
}
QPushButton:pressed { background: $line; }
QPushButton:focus { border: 2px solid $touchable; }
QPushButton:disabled { color: $secondary; background: $ground; }
QPushButton[kind="primary"] {
    background: $touchable; color: $on_touchable; border: 1px solid $touchable; font-weight: bold;
}
QPushButton[kind="primary"]:focus { border: 3px solid $text; }
QPushButton[kind="primary"]:pressed { background: $secondary; }
QPushButton[kind="primary"]:disabled {
    background: $raised; color: $secondary; border: 1px solid $line;
}
QPushButton[kind="stop"] {
    background: $surface; color: $text; border: 2px solid $text; font-weight: bold;
}
QPushButton[kind="link"] {
    background: transparent; border: 1px solid transparent; color: $touchable;
    padding: 0 ${px8}px;
}
QPushButton[kind="link"]:focus { border: 1px solid $touchable; }
QPushButton[kind="chip"] {
    background: $surface; border: 1px solid $line; color: $touchable; text-align: left;
    border-radius: ${px23}px; padding: 0 ${px16}px;
}
QPushButton[kind="chip"]:focus { border: 2px solid $touchable; }
QPushButton[kind="chip"]:disabled { color: $secondary; }
QPushButton[kind="segment"] {
    background: transparent; border: 1px solid transparent; color: $secondary;
    border-radius: ${px6}px; padding: 0 ${px12}px; min-height: ${px42}px;
}
QPushButton[kind="segment"]:checked {
    background: $raised; color: $text; border: 1px solid $line;
}
QPushButton[kind="segment"]:focus { border: 1px solid $touchable; }
QWidget#segments { background: $ground; border: 1px solid $line; border-radius: ${px8}px; }

QLineEdit {
    background: $ground; color: $text; border: 1px solid $line; border-radius: ${px8}px;
    padding: 0 ${px12}px; min-height: ${px46}px;
    selection-background-color: $touchable; selection-color: $on_touchable;
}
QLineEdit:focus { border: 2px solid $touchable; padding: 0 ${px11}px; }
QLineEdit#question { font-size: ${px18}px; }

QProgressBar {
    background: $raised; border: none; border-radius: ${px2}px; max-height: ${px4}px;
    min-height: ${px4}px;
}
QProgressBar::chunk { background: $touchable; border-radius: ${px2}px; }

QSplitter::handle { background: $ground; }
QSplitter::handle:horizontal { width: ${px8}px; }
QSplitter::handle:vertical { height: ${px8}px; }

QScrollBar:vertical { background: transparent; width: ${px12}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${px12}px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: ${px4}px; margin: ${px2}px; }
QScrollBar::handle:vertical { min-height: ${px48}px; }
QScrollBar::handle:horizontal { min-width: ${px48}px; }
QScrollBar::handle:pressed { background: $secondary; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QAbstractScrollArea::corner { background: transparent; border: none; }

QListView {
    background: $surface; border: none; selection-background-color: $raised;
    selection-color: $text;
}
QToolTip {
    background: $raised; color: $text; border: 1px solid $line; padding: ${px8}px;
}
QMenu { background: $raised; border: 1px solid $line; padding: ${px4}px; }
QMenu::item { padding: ${px12}px ${px24}px; border-radius: ${px6}px; }
QMenu::item:selected { background: $line; }
""")

_SIZES = (2, 4, 6, 8, 11, 12, 16, 18, 20, 23, 24, 42, 46, 48)


def stylesheet(colours: dict[str, str], dp: Callable[[float], int]) -> str:
    """The style sheet of a theme.

    Arguments:
        colours: token name to ``#RRGGBB``.
        dp: density-independent pixels to logical pixels.
    """
    sizes = {f"px{size}": str(dp(size)) for size in _SIZES}
    return _SHEET.substitute(**colours, **sizes)
