"""Past questions: a searchable list, and an old answer with its evidence as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QScrollArea,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.answers.messages import Answer
from app.engine.messages import FinishReason
from app.ui import theme
from app.ui.controls import IconButton, SearchField, describe, label, make_kinetic, rule
from app.ui.models.history_model import ROW_ROLE, HistoryModel
from app.ui.session_api import HistoryRowLike
from app.ui.throttle import Throttle
from app.ui.window.turn import SeverityOf, Turn

_TYPING_MS: Final = 250


class _RowPainter(QStyledItemDelegate):
    """Question on the first line; time, state and the answer's first words on the second."""

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(theme.dp(200), theme.dp(64))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row: HistoryRowLike = index.data(ROW_ROLE)
        box = QRectF(option.rect)  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.colour("raised"))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), theme.colour("line"))
        inner = box.adjusted(theme.dp(16), theme.dp(6), -theme.dp(16), -theme.dp(6))
        half = inner.height() / 2
        asked = datetime.fromtimestamp(row.asked_at_s)
        today = asked.date() == datetime.now().date()
        clock = asked.strftime("%H:%M" if today else "%m-%d %H:%M")
        self._line(painter, QRectF(inner.left(), inner.top(), inner.width(), half),
                   row.question, clock, bold=True)  # fmt: skip
        words = " ".join(row.text.split())
        second = " · ".join(part for part in (self._state(row), words) if part)
        self._line(painter, QRectF(inner.left(), inner.top() + half, inner.width(), half), second)

    def _line(
        self, painter: QPainter, box: QRectF, text: str, right: str = "", *, bold: bool = False
    ) -> None:
        flags = Qt.AlignmentFlag.AlignVCenter
        if right:
            painter.setFont(theme.font())
            painter.setPen(theme.colour("secondary"))
            painter.drawText(box, flags | Qt.AlignmentFlag.AlignRight, right)
            taken = painter.fontMetrics().horizontalAdvance(right)
            box = box.adjusted(0, 0, -taken - theme.dp(12), 0)
        painter.setFont(theme.font(bold=bold))
        painter.setPen(theme.colour("text" if bold else "secondary"))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(text[:400], Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(box, flags | Qt.AlignmentFlag.AlignLeft, shown)

    def _state(self, row: HistoryRowLike) -> str:
        words: dict[str, str] = {
            "": self.tr("being written"),
            FinishReason.STOPPED: self.tr("stopped"),
            FinishReason.INTERRUPTED: self.tr("interrupted"),
            FinishReason.ERROR: self.tr("failed"),
            FinishReason.LENGTH: self.tr("cut"),
            FinishReason.LOOP: self.tr("cut"),
        }
        if row.finish in words:
            return words[row.finish]
        return self.tr("no answer") if row.abstained else ""


class HistoryPage(QWidget):
    """The list, and the answer that was opened from it."""

    search_changed = Signal(str)
    opened = Signal(str)
    """A past question was tapped: its answer's id."""
    closed = Signal()
    """Back to the conversation."""
    citation_chosen = Signal(object)

    def __init__(self, severity_of: SeverityOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._severity_of = severity_of
        self.turn: Turn | None = None
        self.model = HistoryModel()
        self.back = IconButton("back")
        self.title = label("heading")
        self.search = SearchField()
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_RowPainter(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        make_kinetic(self.list)
        self.empty = label("secondary")
        self.empty.setContentsMargins(theme.dp(16), theme.dp(16), theme.dp(16), theme.dp(16))
        self.empty.setWordWrap(True)
        self.scroller = QScrollArea()
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setWidgetResizable(True)
        make_kinetic(self.scroller)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.list)
        self.pages.addWidget(self.scroller)
        head = QHBoxLayout()
        head.setContentsMargins(theme.dp(4), theme.dp(4), theme.dp(12), theme.dp(4))
        head.setSpacing(theme.dp(8))
        head.addWidget(self.back)
        head.addWidget(self.title)
        head.addWidget(self.search, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(rule())
        column.addWidget(self.empty)
        column.addWidget(self.pages, 1)
        self._announce = Throttle(
            lambda: self.search_changed.emit(self.search.text().strip()), _TYPING_MS, self
        )
        self.search.textChanged.connect(lambda _text: self._announce())
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self.back.clicked.connect(self.go_back)
        self._opening = ""
        self.set_rows(())
        self.retranslate()

    def set_rows(self, rows: Sequence[HistoryRowLike]) -> None:
        """Show past questions."""
        self.model.set_rows(rows)
        self.empty.setVisible(not rows)

    def show_answer(self, answer: Answer) -> None:
        """Show an old answer with its evidence as it was."""
        self.turn = Turn(answer.id, answer.question, self._severity_of)
        self.turn.citation_chosen.connect(self.citation_chosen)
        self.turn.finish(answer)
        page = QWidget()
        page.setObjectName("surface")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.turn)
        column.addStretch(1)
        self.scroller.setWidget(page)
        self.pages.setCurrentIndex(1)
        self.search.hide()

    def end_opening(self, answer_id: str) -> None:
        """An answer was loaded or could not be: a tap on its entry asks for it again."""
        if self._opening == answer_id:
            self._opening = ""

    def go_back(self) -> None:
        """From an answer to the list, from the list to the conversation."""
        if self.pages.currentIndex() == 1:
            self.pages.setCurrentIndex(0)
            self.search.show()
        else:
            self.closed.emit()

    def _open(self, index: QModelIndex) -> None:
        row: HistoryRowLike | None = index.data(ROW_ROLE)
        # A tap both clicks and, on some platforms, activates.
        if row is not None and row.id != self._opening:
            self._opening = row.id
            self.opened.emit(row.id)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.title.setText(self.tr("History"))
        self.search.setPlaceholderText(self.tr("Search past questions"))
        describe(self.search, self.tr("Search past questions"))
        describe(self.back, self.tr("Back"), "Alt+Left")
        self.list.setAccessibleName(self.tr("Past questions"))
        self.empty.setText(self.tr("No past question to show."))
        self.list.viewport().update()
