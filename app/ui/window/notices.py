"""The bar that says in words what the operator should know and what to do about it."""

from __future__ import annotations

from collections import deque
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.answers.messages import Notice
from app.ui import i18n, theme
from app.ui.controls import IconButton, describe, label
from app.ui.marked import Glyph
from app.ui.marks import Level
from app.ui.plain_text import PlainText

_KEPT: Final = 20
READING_TIME_MS: Final = 12_000
_FILLS: Final = {Level.CRITICAL: "critical_fill", Level.WARNING: "warning_fill"}


class NoticeBar(QWidget):
    """Shows one notice at a time, the newest of the gravest first, until it is dismissed.

    What needs nobody (a mere notice) leaves by itself after a while.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[Notice] = deque(maxlen=_KEPT)
        self.glyph = Glyph()
        self.message = PlainText(bold=True)
        self.hint = PlainText()
        self.more = label("secondary")
        self.close_button = IconButton("close")
        words = QVBoxLayout()
        words.setSpacing(theme.dp(2))
        words.addStretch(1)
        words.addWidget(self.message)
        words.addWidget(self.hint)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.dp(16), theme.dp(8), theme.dp(4), theme.dp(8))
        row.setSpacing(theme.dp(12))
        row.addWidget(self.glyph, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        row.addWidget(self.more)
        row.addWidget(self.close_button)
        self.close_button.clicked.connect(self.dismiss)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(READING_TIME_MS)
        self._timer.timeout.connect(self.dismiss)
        self._timed: Notice | None = None
        self.hide()
        self.retranslate()

    @property
    def shown(self) -> Notice | None:
        """The notice on show."""
        return max(reversed(self._waiting), key=_gravity, default=None)

    def post(self, notice: Notice) -> None:
        """Show a notice; one that already waits is not shown twice."""
        if notice in self._waiting:
            self._waiting.remove(notice)
        self._waiting.append(notice)
        self.retranslate()

    def dismiss(self) -> None:
        """Take the notice on show away."""
        shown = self.shown
        if shown is not None:
            self._waiting.remove(shown)
        self.retranslate()

    def withdraw(self, notice: Notice) -> None:
        """Take a notice away whose reason is gone."""
        if notice in self._waiting:
            self._waiting.remove(notice)
            self.retranslate()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour(_FILLS.get(self.glyph.level, "raised")))
        painter.setPen(theme.colour("line"))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        describe(self.close_button, self.tr("Dismiss this notice"), "Ctrl+D")
        notice = self.shown
        self.setVisible(notice is not None)
        self._time(notice)
        if notice is None:
            return
        self.glyph.set_level(_level(notice))
        self.message.set_text(i18n.sentence(notice.message, notice.values))
        self.hint.set_text(i18n.sentence(notice.hint, notice.values))
        self.hint.setVisible(bool(notice.hint))
        others = len(self._waiting) - 1
        self.more.setText(self.tr("%Ln more", "", others))
        self.more.setVisible(others > 0)
        self.setAccessibleName(f"{self.message.text()} {self.hint.text()}".strip())
        self.update()

    def _time(self, notice: Notice | None) -> None:
        """Let a mere notice leave once it has been on show long enough to be read."""
        if notice is self._timed:
            return
        self._timed = notice
        if notice is not None and _level(notice) is Level.NOTICE:
            self._timer.start()
        else:
            self._timer.stop()


def _level(notice: Notice) -> Level:
    known = {"warning": Level.WARNING, "critical": Level.CRITICAL}
    return known.get(notice.severity, Level.NOTICE)


def _gravity(notice: Notice) -> int:
    return (Level.NOTICE, Level.WARNING, Level.CRITICAL).index(_level(notice))
