"""A short text with the shape of its level in front."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.ui import marks, theme
from app.ui.controls import label
from app.ui.marks import LEVEL_MARKS, Level
from app.ui.plain_text import PlainText


class Glyph(QWidget):
    """The shape of a level."""

    def __init__(self, level: Level = Level.QUIET, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._level = level
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def level(self) -> Level:
        """The level shown."""
        return self._level

    def set_level(self, level: Level) -> None:
        """Show another level."""
        if level is not self._level:
            self._level = level
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(20), theme.dp(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        centre = QPointF(self.width() / 2, self.height() / 2)
        marks.paint(painter, LEVEL_MARKS[self._level], centre, theme.dp(14))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.StyleChange:
            self.updateGeometry()
        super().changeEvent(event)


class MarkedLabel(QWidget):
    """Shape and one line of text.

    Arguments:
        wrapping: the text may take several lines.
    """

    def __init__(
        self,
        level: Level = Level.QUIET,
        *,
        wrapping: bool = False,
        role: str = "text",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.glyph = Glyph(level)
        self._wrapped = PlainText(role) if wrapping else None
        self._line: QLabel | None = None if wrapping else label(role if role != "text" else "")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.dp(8))
        row.addWidget(self.glyph, 0, Qt.AlignmentFlag.AlignTop)
        shown = self._wrapped if self._wrapped is not None else self._line
        assert shown is not None
        row.addWidget(shown, 1)

    @property
    def level(self) -> Level:
        """The level shown."""
        return self.glyph.level

    def text(self) -> str:
        """The text shown."""
        if self._wrapped is not None:
            return self._wrapped.text()
        return self._line.text() if self._line is not None else ""

    def show_text(self, level: Level, text: str) -> None:
        """Show a level and a text."""
        self.glyph.set_level(level)
        self.setAccessibleName(text)
        if self._wrapped is not None:
            self._wrapped.set_text(text)
        elif self._line is not None:
            self._line.setText(text)
