"""Severity as shape, colour and word: one place, so that all three always agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.stream.records import Severity
from app.ui import theme


class Level(StrEnum):
    """How much something needs a person."""

    CRITICAL = "critical"
    WARNING = "warning"
    NOTICE = "notice"
    SOUND = "sound"
    QUIET = "quiet"


class Shape(StrEnum):
    """Shapes that carry the meaning where colours do not."""

    TRIANGLE = "triangle"
    HOLLOW_TRIANGLE = "hollow triangle"
    DIAMOND = "diamond"
    CIRCLE = "circle"
    TICK = "tick"
    DOT = "dot"


@dataclass(frozen=True, slots=True)
class Mark:
    """How one severity looks: shape and colour token."""

    shape: Shape
    role: str


LEVEL_MARKS: Final[dict[Level, Mark]] = {
    Level.CRITICAL: Mark(Shape.TRIANGLE, "critical"),
    Level.WARNING: Mark(Shape.DIAMOND, "warning"),
    Level.NOTICE: Mark(Shape.CIRCLE, "notice"),
    Level.SOUND: Mark(Shape.TICK, "sound"),
    Level.QUIET: Mark(Shape.DOT, "secondary"),
}

SEVERITY_MARKS: Final[dict[Severity, Mark | None]] = {
    Severity.CRITICAL: Mark(Shape.TRIANGLE, "critical"),
    Severity.ERROR: Mark(Shape.HOLLOW_TRIANGLE, "critical"),
    Severity.WARNING: Mark(Shape.DIAMOND, "warning"),
    Severity.NOTICE: Mark(Shape.CIRCLE, "notice"),
    Severity.INFO: None,
    Severity.DEBUG: None,
    Severity.UNKNOWN: None,
}


def severity_word(severity: Severity) -> str:
    """The short word for a severity in the language in force; four columns wide at most."""
    translate = QCoreApplication.translate
    words = {
        Severity.CRITICAL: translate("severity", "CRIT"),
        Severity.ERROR: translate("severity", "ERR"),
        Severity.WARNING: translate("severity", "WARN"),
        Severity.NOTICE: translate("severity", "NOTE"),
        Severity.INFO: translate("severity", "INFO"),
        Severity.DEBUG: translate("severity", "DBG"),
    }
    return words.get(severity, "")


def severity_name(severity: Severity) -> str:
    """The full word for a severity in the language in force."""
    translate = QCoreApplication.translate
    words = {
        Severity.CRITICAL: translate("severity", "critical"),
        Severity.ERROR: translate("severity", "error"),
        Severity.WARNING: translate("severity", "warning"),
        Severity.NOTICE: translate("severity", "notice"),
        Severity.INFO: translate("severity", "information"),
        Severity.DEBUG: translate("severity", "debug"),
    }
    return words.get(severity, "")


def paint(painter: QPainter, mark: Mark, centre: QPointF, size_px: float) -> None:
    """Draw a mark around a point in the colours of the theme in force."""
    paint_shape(painter, mark.shape, centre, size_px, theme.colour(mark.role))


def paint_shape(
    painter: QPainter, shape: Shape, centre: QPointF, size_px: float, colour: QColor
) -> None:
    """Draw a shape around a point, ``size_px`` wide and high."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = size_px / 2
    x, y = centre.x(), centre.y()
    pen = QPen(colour, max(1.5, size_px / 7))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if shape in (Shape.TRIANGLE, Shape.HOLLOW_TRIANGLE):
        if shape is Shape.TRIANGLE:
            painter.setBrush(colour)
        inner = half - pen.widthF() / 2
        top, base = y - inner * 0.95, y + inner * 0.8
        painter.drawPolygon(
            QPolygonF([QPointF(x, top), QPointF(x + inner, base), QPointF(x - inner, base)])
        )
    elif shape is Shape.DIAMOND:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(
            QPolygonF(
                [QPointF(x, y - half), QPointF(x + half, y), QPointF(x, y + half),
                 QPointF(x - half, y)]
            )
        )  # fmt: skip
    elif shape is Shape.CIRCLE:
        painter.drawEllipse(centre, half * 0.75, half * 0.75)
    elif shape is Shape.TICK:
        painter.drawPolyline(
            QPolygonF(
                [QPointF(x - half * 0.8, y), QPointF(x - half * 0.15, y + half * 0.6),
                 QPointF(x + half * 0.85, y - half * 0.6)]
            )
        )  # fmt: skip
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QRectF(x - half / 2, y - half / 2, half, half))
    painter.restore()
