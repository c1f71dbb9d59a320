"""The strip above the log: when errors and warnings came; a tap goes there."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import i18n, marks, theme
from app.ui.marks import Shape
from app.ui.models.histogram import Counts, Histogram
from app.ui.session_api import StoreLike
from app.ui.throttle import Throttle

log = logging.getLogger(__name__)

_BUCKETS = 120
_REFRESH_MS = 1000
_WORDS_DP = 128


class Timeline(QWidget):
    """Two lanes, errors and warnings, over the density of all lines."""

    index_chosen = Signal(object)
    """Store index of the first line of the bucket that was tapped (an int)."""
    counted = Signal(object)
    """A new :class:`Histogram` is shown."""
    _ready = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store: StoreLike | None = None
        self._counts: Counts | None = None
        self._data: Histogram | None = None
        self._busy = False
        self._cursor: int | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="timeline")
        self.refresh = Throttle(self._count, _REFRESH_MS, self)
        self._ready.connect(self._show)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.retranslate()

    @property
    def data(self) -> Histogram | None:
        """The counts shown."""
        return self._data

    def set_store(self, store: StoreLike) -> None:
        """Show another log."""
        self._store = store
        self._counts = Counts(store)
        self.refresh()

    def close_pool(self) -> None:
        """End the counting thread."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    # --- counting -----------------------------------------------------------------------------

    def _count(self) -> None:
        if self._busy or self._counts is None:
            return
        self._busy = True
        self._pool.submit(self._count_off_thread, self._counts)

    def _count_off_thread(self, counts: Counts) -> None:
        try:
            result: Histogram | None = counts.histogram(_BUCKETS)
        except Exception:
            log.exception("counting the timeline failed")
            result = None
        self._ready.emit(counts, result)

    def _show(self, counts: Counts, result: Histogram | None) -> None:
        self._busy = False
        if counts is not self._counts:
            self.refresh()
            return
        if result is None:
            return
        self._data = result
        self.retranslate()
        self.counted.emit(result)
        self.update()
        if self._store is not None and len(self._store) != result.total:
            self.refresh()

    # --- drawing ------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(400), 2 * theme.dp(20) + theme.dp(26) + theme.dp(8))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.dp(200), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("surface"))
        painter.setFont(theme.font())
        lane = theme.dp(20)
        plot = self._plot()
        data = self._data
        empty = np.zeros(_BUCKETS, dtype=np.int64)
        self._draw_density(painter, plot, data.lines if data is not None else empty)
        errors, warnings = (data.errors, data.warnings) if data is not None else (empty, empty)
        lanes = (
            (Shape.TRIANGLE, "critical", errors, self.tr("%Ln error(s)", "", int(errors.sum()))),
            (
                Shape.DIAMOND,
                "warning",
                warnings,
                self.tr("%Ln warning(s)", "", int(warnings.sum())),
            ),
        )
        for place, (shape, role, counts, words) in enumerate(lanes):
            top = plot.top() + place * lane
            middle = QPointF(theme.dp(16), top + lane / 2)
            present = bool(counts.any())
            ink = theme.colour(role if present else "line")
            marks.paint_shape(painter, shape, middle, theme.dp(13), ink)
            self._draw_bars(painter, QRectF(plot.left(), top, plot.width(), lane), counts, role)
            painter.setPen(theme.colour("text" if present else "secondary"))
            box = QRectF(plot.right() + theme.dp(8), top, theme.dp(_WORDS_DP), lane)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            # The lanes are lower than a line of text: descenders reach into the next one.
            painter.drawText(box, right | Qt.TextFlag.TextDontClip, words)
        self._draw_axis(painter, plot)
        if self.hasFocus():
            painter.setPen(theme.colour("touchable"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _plot(self) -> QRectF:
        left, right = theme.dp(32), theme.dp(_WORDS_DP + 16)
        height = 2 * theme.dp(20)
        return QRectF(left, theme.dp(6), max(1, self.width() - left - right), height)

    def _draw_density(self, painter: QPainter, plot: QRectF, counts: NDArray[np.int64]) -> None:
        """All lines as a quiet backdrop: heights by square root, so that bursts leave the rest."""
        most = float(counts.max()) if counts.size else 0.0
        if most <= 0:
            painter.fillRect(
                QRectF(plot.left(), plot.bottom() - 1, plot.width(), 1), theme.colour("line")
            )
            return
        step = plot.width() / counts.size
        fill = theme.colour("raised")
        for place in np.flatnonzero(counts):
            height = max(1.0, plot.height() * float(np.sqrt(counts[place] / most)))
            painter.fillRect(
                QRectF(plot.left() + place * step, plot.bottom() - height, step, height), fill
            )
        painter.fillRect(
            QRectF(plot.left(), plot.bottom() - 1, plot.width(), 1), theme.colour("line")
        )

    def _draw_bars(
        self, painter: QPainter, lane: QRectF, counts: NDArray[np.int64], role: str
    ) -> None:
        most = float(counts.max()) if counts.size else 0.0
        if most <= 0:
            return
        step = lane.width() / counts.size
        width = max(2.0, step - 1)
        fill = theme.colour(role)
        inner = lane.height() - theme.dp(4)
        for place in np.flatnonzero(counts):
            height = max(theme.dp(4), inner * float(np.sqrt(counts[place] / most)))
            left = lane.left() + place * step
            painter.fillRect(QRectF(left, lane.bottom() - 1 - height, width, height), fill)

    def _draw_axis(self, painter: QPainter, plot: QRectF) -> None:
        data = self._data
        painter.setPen(theme.colour("secondary"))
        box = QRectF(plot.left(), plot.bottom() + theme.dp(2), plot.width(), theme.dp(24))
        if data is None or not data.total:
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft, self.tr("No lines yet"))
            return
        if data.start_s is None or data.end_s is None:
            start, end = self.tr("first line"), self.tr("newest line")
        else:
            with_day = data.end_s - data.start_s > 86_400
            start, end = _clock(data.start_s, with_day), _clock(data.end_s, with_day)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft, start)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight, end)
        if self._cursor is not None:
            step = plot.width() / _BUCKETS
            left = plot.left() + (self._cursor + 0.5) * step
            painter.fillRect(
                QRectF(left - 1, plot.top(), 2, plot.height()), theme.colour("touchable")
            )

    # --- choosing -----------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        plot = self._plot()
        share = (event.position().x() - plot.left()) / plot.width()
        self._choose(int(share * _BUCKETS))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        here = self._cursor if self._cursor is not None else (-1 if step > 0 else _BUCKETS)
        self._choose(here + step, step)

    def _choose(self, bucket: int, direction: int = 1) -> None:
        """Announce the first line at a bucket or, where that is empty, at the next with lines."""
        if self._data is None or not self._data.total:
            return
        bucket = min(_BUCKETS - 1, max(0, bucket))
        filled = np.flatnonzero(self._data.first_index >= 0)
        later = filled[filled >= bucket] if direction > 0 else filled[filled <= bucket][::-1]
        chosen = int(later[0]) if later.size else int(filled[-1 if direction > 0 else 0])
        self._cursor = chosen
        self.update()
        self.index_chosen.emit(int(self._data.first_index[chosen]))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() is QEvent.Type.StyleChange:
            self.updateGeometry()
            self.update()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        errors = int(self._data.errors.sum()) if self._data is not None else 0
        warnings = int(self._data.warnings.sum()) if self._data is not None else 0
        self.setAccessibleName(self.tr("Timeline"))
        self.setAccessibleDescription(
            self.tr("{errors} errors, {warnings} warnings; tap to go to a time").format(
                errors=i18n.number(errors), warnings=i18n.number(warnings)
            )
        )
        self.setToolTip(self.accessibleDescription())
        self.update()


def _clock(time_s: float, with_day: bool) -> str:
    moment = datetime.fromtimestamp(time_s, UTC)
    return moment.strftime("%m-%d %H:%M" if with_day else "%H:%M:%S")
