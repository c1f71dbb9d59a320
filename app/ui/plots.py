"""The plots of the engine panels, painted by hand: a ring and a line, no plotting library."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.engine.messages import CacheOccupancy
from app.ui import i18n, theme

_TURN: Final = 360 * 16
_TOP: Final = 90 * 16


class Ring(QWidget):
    """The cache drawn as what it is: a ring with a fixed arc of sinks and a rolling window.

    Clockwise from the top: the sinks, which never move; the window with its write head; the room
    kept free for questions, with the asking part in it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cache = CacheOccupancy()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_cache(self, cache: CacheOccupancy) -> None:
        """Draw another occupancy."""
        if cache != self._cache:
            self._cache = cache
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(112), theme.dp(112))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        thickness = theme.dp(14)
        side = min(self.width(), self.height()) - thickness - 2
        box = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        self._arc(painter, box, 0, 1, "raised", thickness)
        cache = self._cache
        capacity = max(1, cache.capacity_tokens)
        sinks = cache.sink_tokens / capacity
        limit = max(cache.window_limit_tokens, cache.window_tokens) / capacity
        window = cache.window_tokens / capacity
        asking = cache.asking_tokens / capacity
        self._arc(painter, box, sinks, window, "part", thickness)
        self._arc(painter, box, 0, sinks, "text", thickness)
        if asking:
            self._arc(painter, box, sinks + limit, asking, "touchable", thickness)
        if cache.capacity_tokens:
            for border in (0.0, sinks, sinks + limit):
                self._tick(painter, box, border, thickness + 2, "ground", 2)
            head = cache.write_head / capacity
            self._tick(painter, box, head, thickness + theme.dp(6), "touchable", 3)
        self._draw_middle(painter, box)

    def _arc(
        self, painter: QPainter, box: QRectF, start: float, share: float, role: str, width: float
    ) -> None:
        if share <= 0:
            return
        painter.setPen(
            QPen(theme.colour(role), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        )
        painter.drawArc(box, round(_TOP - start * _TURN), -round(min(1.0, share) * _TURN))

    def _tick(
        self, painter: QPainter, box: QRectF, at: float, length: float, role: str, width: float
    ) -> None:
        painter.save()
        painter.translate(box.center())
        painter.rotate(at * 360)
        painter.setPen(QPen(theme.colour(role), width))
        radius = box.width() / 2
        painter.drawLine(QPointF(0, -radius - length / 2), QPointF(0, -radius + length / 2))
        painter.restore()

    def _draw_middle(self, painter: QPainter, box: QRectF) -> None:
        cache = self._cache
        used = cache.sink_tokens + cache.window_tokens + cache.asking_tokens
        share = used / cache.capacity_tokens if cache.capacity_tokens else 0.0
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(theme.VALUE_PX, bold=True))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{round(share * 100)}%")


class Line(QWidget):
    """The last values as a line, the normal band shaded, the present one marked.

    Arguments:
        kept: how many values are kept; memory stays constant.
    """

    def __init__(self, kept: int = 240, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values: deque[float] = deque(maxlen=kept)
        self._band: tuple[float, float] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def push(self, value: float) -> None:
        """Add the newest value."""
        self.values.append(value)
        self.update()

    def set_values(self, values: Iterable[float]) -> None:
        """Show other values."""
        self.values.clear()
        self.values.extend(values)
        self.update()

    def set_band(self, band: tuple[float, float] | None) -> None:
        """Shade what is normal, or nothing."""
        if band != self._band:
            self._band = band
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(160), theme.dp(48))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.dp(64), theme.dp(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font())
        axis = self.fontMetrics().horizontalAdvance("00.0") + theme.dp(8)
        box = QRectF(
            theme.dp(4), theme.dp(6), max(1, self.width() - axis - theme.dp(8)),
            max(1, self.height() - theme.dp(12)),
        )  # fmt: skip
        low, high = self._range()
        if self._band is not None:
            top = self._y(box, min(self._band[1], high), low, high)
            bottom = self._y(box, max(self._band[0], low), low, high)
            painter.fillRect(
                QRectF(box.left(), top, box.width(), bottom - top), theme.colour("band")
            )
        painter.fillRect(QRectF(box.left(), box.bottom(), box.width(), 1), theme.colour("line"))
        if not self.values:
            return
        step = box.width() / max(1, (self.values.maxlen or 2) - 1)
        start = box.right() - step * (len(self.values) - 1)
        points = [
            QPointF(start + place * step, self._y(box, value, low, high))
            for place, value in enumerate(self.values)
        ]
        painter.setPen(QPen(theme.colour("secondary"), 1.5))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("text"))
        painter.drawEllipse(points[-1], 3, 3)
        painter.setPen(theme.colour("secondary"))
        right = QRectF(box.right() + theme.dp(8), 0, axis, self.height())
        flags = Qt.AlignmentFlag.AlignLeft
        painter.drawText(right, flags | Qt.AlignmentFlag.AlignTop, i18n.decimal(high, 1))
        painter.drawText(right, flags | Qt.AlignmentFlag.AlignBottom, i18n.decimal(low, 1))

    def _range(self) -> tuple[float, float]:
        """Ends of the axis: what was seen and the band, with a little room."""
        seen = [*self.values, *(self._band or ())]
        if not seen:
            return 0.0, 1.0
        low, high = min(seen), max(seen)
        room = max(0.05 * (high - low), 0.02 * abs(high), 0.01)
        return low - room, high + room

    @staticmethod
    def _y(box: QRectF, value: float, low: float, high: float) -> float:
        return box.bottom() - (value - low) / (high - low) * box.height()
