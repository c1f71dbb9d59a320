"""How one log line is drawn: number, severity, source and text in columns of a fixed-width face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.stream.records import DROPPED, Record, Severity
from app.ui import marks, theme
from app.ui.display import columns, visible

MOST_SOURCE_COLUMNS: Final = 14
_WORD_COLUMNS: Final = 4


@dataclass(frozen=True, slots=True)
class RowState:
    """What the view knows about a row beyond its record.

    Attributes:
        cited: an answer rests on the line.
        selected: the operator has chosen it.
        focused: the view has the keyboard's focus.
        shift_px: how far the text is scrolled sideways.
    """

    cited: bool
    selected: bool
    focused: bool
    shift_px: int


class LogRowPainter:
    """Measures and draws rows; one per view.

    Attributes:
        row_px: height of a row.
        column_px: width of a half-width character.
        pad_px: space between columns.
        source_columns: width of the source's name; 0 leaves it out.
        number_columns: width of the line number.
        gone_text: drawn for a line that the store no longer keeps.
    """

    def __init__(self) -> None:
        self.source_columns = 0
        self.number_columns = 4
        self.gone_text = ""
        self.measure()

    def measure(self) -> None:
        """Take sizes anew, after a change of theme or density."""
        self.face = theme.font(mono=True)
        metrics = QFontMetricsF(self.face)
        self.column_px = metrics.horizontalAdvance("0")
        self.row_px = max(theme.dp(24), round(metrics.height()))
        self.pad_px = theme.dp(8)
        self._baseline_px = (self.row_px - metrics.height()) / 2 + metrics.ascent()

    @property
    def text_left_px(self) -> int:
        """Left edge of the text: after number, mark, word and, with several sources, the name."""
        left = self.pad_px + self.column_px * self.number_columns + self.pad_px + theme.dp(20)
        left += self.column_px * _WORD_COLUMNS + self.pad_px
        if self.source_columns:
            left += self.column_px * self.source_columns + self.pad_px
        return round(left)

    def text_width_px(self, text: str) -> float:
        """Width of a line's text as drawn."""
        return QFontMetricsF(self.face).horizontalAdvance(text)

    def draw(self, painter: QPainter, box: QRect, record: Record, state: RowState) -> str:
        """Draw a line into a box; returns its text as drawn."""
        if record is DROPPED:
            painter.setPen(theme.colour("secondary"))
            place = QPointF(self.text_left_px, box.top() + self._baseline_px)
            painter.drawText(place, self.gone_text)
            return self.gone_text
        self._draw_background(painter, box, record, state)
        baseline = box.top() + self._baseline_px
        x = self._draw_margin(painter, box, record, baseline)
        if self.source_columns:
            painter.setPen(theme.colour("secondary"))
            painter.drawText(QPointF(x, baseline), _cut(record.source, self.source_columns))
        left = self.text_left_px
        text = visible(record.text)
        # Shaping costs more than anything else here: what lies beyond the edge is not drawn.
        room = round((box.width() - left + state.shift_px) / self.column_px) + 2
        painter.save()
        painter.setClipRect(QRectF(left, box.top(), box.width() - left, box.height()))
        quiet = record.severity is Severity.DEBUG
        painter.setPen(theme.colour("secondary" if quiet else "text"))
        painter.drawText(QPointF(left - state.shift_px, baseline), text[:room])
        painter.restore()
        return text

    def _draw_margin(self, painter: QPainter, box: QRect, record: Record, baseline: float) -> float:
        """Number, mark and word; returns where the next column begins."""
        x = float(self.pad_px)
        number = str(record.number)
        number_px = self.column_px * self.number_columns
        painter.setPen(theme.colour("secondary"))
        painter.drawText(QPointF(x + number_px - self.column_px * len(number), baseline), number)
        x += number_px + self.pad_px
        mark = marks.SEVERITY_MARKS[record.severity]
        if mark is not None:
            centre = QPointF(x + theme.dp(8), box.top() + box.height() / 2)
            marks.paint(painter, mark, centre, theme.dp(13))
        x += theme.dp(20)
        painter.setPen(theme.colour(mark.role if mark is not None else "secondary"))
        painter.drawText(QPointF(x, baseline), marks.severity_word(record.severity))
        return x + self.column_px * _WORD_COLUMNS + self.pad_px

    def _draw_background(
        self, painter: QPainter, box: QRect, record: Record, state: RowState
    ) -> None:
        if state.cited:
            painter.fillRect(box, theme.colour("cited"))
            edge = QRect(box.left(), box.top(), theme.dp(4), box.height())
            painter.fillRect(edge, theme.colour("touchable"))
        elif state.selected:
            painter.fillRect(box, theme.colour("raised"))
        elif record.severity >= Severity.CRITICAL:
            painter.fillRect(box, theme.colour("critical_fill"))
        if state.selected:
            painter.setPen(theme.colour("touchable" if state.focused else "line"))
            painter.drawLine(box.left(), box.bottom(), box.right(), box.bottom())


def _cut(name: str, room: int) -> str:
    """A name in so many columns at most, its end kept: that is where log files differ."""
    if columns(name) <= room:
        return name
    end = name
    while columns(end) > room - 1:
        end = end[1:]
    return f"…{end}"
