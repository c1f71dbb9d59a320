"""The log: a list of any length of which only the visible rows are ever touched."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QPushButton, QScroller, QWidget

from app.stream.records import Record
from app.ui import i18n, theme
from app.ui.controls import button, make_kinetic
from app.ui.display import columns
from app.ui.models.log_rows import LogRows
from app.ui.window.log_row import MOST_SOURCE_COLUMNS, LogRowPainter, RowState

_TAP_SLACK_DP = 12
_MOST_STEPS = 2_000_000_000
"""Qt counts a scroll bar's steps in 32 bits; a longer log gets steps of several pixels."""


class LogView(QAbstractScrollArea):
    """Draws rows of a :class:`LogRows`; follows the end until the operator scrolls away."""

    selection_changed = Signal()
    """Other rows are selected, or none."""
    following_changed = Signal(bool)

    def __init__(self, rows: LogRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self._following = True
        self._new_lines = 0
        self._anchor: int | None = None
        self._current: int | None = None
        self._cited: frozenset[int] = frozenset()
        self._row = LogRowPainter()
        self._widest_px = 0.0
        self._step_px = 1
        self._settling = False
        self._extending = False
        self._touched_at: QPointF | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setObjectName("log")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        make_kinetic(self)
        self.new_lines_button: QPushButton = button("primary", self)
        self.new_lines_button.hide()
        self.new_lines_button.clicked.connect(self.follow)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        rows.replaced.connect(self._on_replaced)
        rows.grown.connect(self._on_grown)
        self.retranslate()

    # --- what the rest of the window asks -----------------------------------------------------

    @property
    def following(self) -> bool:
        """Whether the view stays at the newest line."""
        return self._following

    @property
    def new_lines(self) -> int:
        """Rows that came while the operator looked elsewhere."""
        return self._new_lines

    def selected_indices(self) -> tuple[int, ...]:
        """Store indices of the selected rows, in order; capped at 20,000."""
        bounds = self._selected_rows()
        if bounds is None:
            return ()
        first, last = bounds
        return tuple(
            self._rows.index_at(row) for row in range(first, min(last, first + 19_999) + 1)
        )

    def current_record(self) -> Record | None:
        """The record the operator has chosen last."""
        row = self._rows.row_of(self._current) if self._current is not None else None
        found = self._rows.records(row, row + 1) if row is not None else []
        return found[0][1] if found else None

    def follow(self) -> None:
        """Go to the newest line and stay there."""
        self._halt()
        self._set_following(True)
        self._to_end()

    def set_extending(self, extending: bool) -> None:
        """Let the next tap choose everything up to the line tapped, as Shift does."""
        self._extending = extending

    def show_sources(self, names: Collection[str]) -> None:
        """Show each line's source, or save the room where there is only one."""
        longest = max((columns(name) for name in names), default=0)
        wanted = min(longest, MOST_SOURCE_COLUMNS) if len(names) > 1 else 0
        if wanted != self._row.source_columns:
            self._row.source_columns = wanted
            self._settle_bars()
            self.viewport().update()

    def set_cited(self, indices: frozenset[int]) -> None:
        """Mark lines that an answer rests on."""
        self._cited = indices
        self.viewport().update()

    def is_cited(self, index: int) -> bool:
        """Whether a line is marked as one that an answer rests on."""
        return index in self._cited

    def jump_to(self, index: int) -> bool:
        """Scroll to a store index and make it the current line; False where it is not shown."""
        row = self._rows.row_of(index)
        if row is None:
            return False
        self._halt()
        self._set_following(False)
        self._settle_bars()
        top = row * self._row.row_px - self.viewport().height() // 3
        self.verticalScrollBar().setValue(max(0, top) // self._step_px)
        self._set_following(False)
        self.select(index)
        return True

    def select(self, index: int | None, *, extend: bool = False) -> None:
        """Choose a line; with ``extend`` everything from the first chosen one up to it."""
        self._current = index
        if not extend or self._anchor is None:
            self._anchor = index
        self.viewport().update()
        self.selection_changed.emit()

    # --- rows ---------------------------------------------------------------------------------

    def _on_replaced(self) -> None:
        self._new_lines = 0
        self._widest_px = 0.0
        if self._current is not None and self._rows.row_of(self._current) is None:
            self.select(None)
        self._settle_bars()
        if self._following:
            self._to_end()
        self._show_new_lines()
        self.viewport().update()

    def _on_grown(self, count: int) -> None:
        self._settle_bars()
        if self._following:
            self._to_end()
        else:
            self._new_lines += count
            self._show_new_lines()
        self.viewport().update()

    def _settle_bars(self) -> None:
        self._settling = True
        self._row.number_columns = max(4, len(str(max(1, self._rows.total))))
        page = self.viewport().height()
        bar = self.verticalScrollBar()
        row_px, rest_px = self._row.row_px, self._rest_px()
        offset_px = self._offset_px()
        before, self._step_px = self._step_px, 1 + rest_px // _MOST_STEPS
        bar.setRange(0, -(-rest_px // self._step_px))
        bar.setPageStep(max(row_px, page - row_px) // self._step_px)
        bar.setSingleStep(max(1, row_px // self._step_px))
        if self._step_px != before:
            bar.setValue(offset_px // self._step_px)
        across = self.horizontalScrollBar()
        room = self.viewport().width() - self._row.text_left_px
        across.setRange(0, max(0, round(self._widest_px - room + self._row.pad_px)))
        across.setPageStep(max(1, round(room)))
        across.setSingleStep(round(self._row.column_px * 4))
        self._settling = False

    def _halt(self) -> None:
        """End a fling: where the operator wants to go now is somewhere else."""
        QScroller.scroller(self.viewport()).stop()

    def _to_end(self) -> None:
        self._settling = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._settling = False

    def _scrolled(self, value: int) -> None:
        if self._settling:
            return
        self._set_following(value >= self.verticalScrollBar().maximum())

    def _set_following(self, following: bool) -> None:
        if following:
            self._new_lines = 0
        if following != self._following:
            self._following = following
            self.following_changed.emit(following)
        self._show_new_lines()

    def _show_new_lines(self) -> None:
        visible_now = not self._following and self._rows.count() > 0
        if visible_now:
            self.new_lines_button.setText(
                self.tr("%Ln new line(s)", "", self._new_lines)
                if self._new_lines
                else self.tr("To the end")
            )
            self._place_button()
        self.new_lines_button.setVisible(visible_now)

    def _place_button(self) -> None:
        size = self.new_lines_button.sizeHint()
        area = self.viewport().geometry()
        self.new_lines_button.setGeometry(
            area.right() - size.width() - theme.dp(16),
            area.bottom() - size.height() - theme.dp(12),
            size.width(),
            size.height(),
        )

    def _selected_rows(self) -> tuple[int, int] | None:
        if self._anchor is None or self._current is None:
            return None
        first, last = self._rows.row_of(self._anchor), self._rows.row_of(self._current)
        if last is None:
            return None
        if first is None:
            first = last
        return min(first, last), max(first, last)

    # --- geometry -----------------------------------------------------------------------------

    @property
    def text_left_px(self) -> int:
        """Left edge of the lines' text."""
        return self._row.text_left_px

    def _rest_px(self) -> int:
        """How far the log can be scrolled: its height beyond what fits."""
        return max(0, self._rows.count() * self._row.row_px - self.viewport().height())

    def _offset_px(self) -> int:
        """How far the log is scrolled."""
        return min(self._rest_px(), self.verticalScrollBar().value() * self._step_px)

    def row_at(self, y: int) -> int | None:
        """Row below a viewport coordinate, or None below the last one."""
        row = (y + self._offset_px()) // self._row.row_px
        return row if 0 <= row < self._rows.count() else None

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(480), theme.dp(320))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.dp(240), 3 * self._row.row_px)

    # --- drawing ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.colour("surface"))
        painter.setFont(self._row.face)
        offset, row_px = self._offset_px(), self._row.row_px
        shift_px = self.horizontalScrollBar().value()
        first = offset // row_px
        last = (offset + self.viewport().height()) // row_px + 1
        chosen = self._selected_rows()
        widest = self._widest_px
        for row, (index, record) in enumerate(self._rows.records(first, last), first):
            box = QRect(0, row * row_px - offset, self.viewport().width(), row_px)
            selected = chosen is not None and chosen[0] <= row <= chosen[1]
            state = RowState(index in self._cited, selected, self.hasFocus(), shift_px)
            text = self._row.draw(painter, box, record, state)
            if len(text) * 2 * self._row.column_px > widest:
                widest = max(widest, self._row.text_width_px(text))
        if widest > self._widest_px:
            self._widest_px = widest
            self._settle_bars()
        if not self._rows.count():
            self._draw_hint(painter)

    def _draw_hint(self, painter: QPainter) -> None:
        painter.setFont(theme.font())
        painter.setPen(theme.colour("secondary"))
        hint = (
            self.tr("No line matches the filter.")
            if self._rows.total
            else self.tr("Drop log files here, or tap Open in the header.")
        )
        box = self.viewport().rect().adjusted(self._row.pad_px * 3, 0, -self._row.pad_px * 3, 0)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(box, flags, hint)

    # --- events -------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle_bars()
        if self._following:
            self._to_end()
        self._place_button()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A mouse chooses at once and may go on dragging; a finger may be about to scroll."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if _by_finger(event):
            self._touched_at = event.position()
        else:
            self._choose_at(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and not _by_finger(event):
            row = self.row_at(round(event.position().y()))
            if row is not None and self._anchor is not None:
                self.select(self._rows.index_at(row), extend=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A finger that has not moved meant the line below it."""
        touched_at, self._touched_at = self._touched_at, None
        if touched_at is None:
            return
        if (event.position() - touched_at).manhattanLength() < theme.dp(_TAP_SLACK_DP):
            self._choose_at(event)

    def _choose_at(self, event: QMouseEvent) -> None:
        row = self.row_at(round(event.position().y()))
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        extend = row is not None and (shifted or self._extending)
        self.select(self._rows.index_at(row) if row is not None else None, extend=extend)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        page = max(1, self.viewport().height() // self._row.row_px - 1)
        steps = {keys.Key_Up: -1, keys.Key_Down: 1, keys.Key_PageUp: -page, keys.Key_PageDown: page}
        key = keys(event.key())
        count = self._rows.count()
        if key is keys.Key_End:
            self.follow()
        elif key is keys.Key_Home and count:
            self.jump_to(self._rows.index_at(0))
        elif key in steps and count:
            here = self._rows.row_of(self._current) if self._current is not None else None
            start = here if here is not None else self._first_visible_row(steps[key])
            row = min(count - 1, max(0, start + steps[key]))
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.select(self._rows.index_at(row), extend=extend)
            self._bring_into_view(row)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._row.measure()
            self._settle_bars()
            self.viewport().update()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self._row.gone_text = self.tr("(no longer in memory; still in the file)")
        self.setAccessibleName(self.tr("Log lines"))
        self.setAccessibleDescription(
            self.tr("{count} lines").format(count=i18n.number(self._rows.count()))
        )
        self._show_new_lines()
        self.viewport().update()

    def _first_visible_row(self, step: int) -> int:
        top = self._offset_px() // self._row.row_px
        bottom = top + self.viewport().height() // self._row.row_px
        return bottom if step < 0 else top

    def _bring_into_view(self, row: int) -> None:
        bar, page, offset = self.verticalScrollBar(), self.viewport().height(), self._offset_px()
        top, bottom = row * self._row.row_px, (row + 1) * self._row.row_px
        if top < offset:
            bar.setValue(top // self._step_px)
        elif bottom > offset + page:
            bar.setValue(-((page - bottom) // self._step_px))


def _by_finger(event: QMouseEvent) -> bool:
    """Whether a mouse event stands for a touch."""
    return event.source() is not Qt.MouseEventSource.MouseEventNotSynthesized
