"""Our own icons, drawn from SVG in any colour and size."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.data import data_path


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return data_path(f"resources/icons/{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    text = _source(name).replace("currentColor", colour)
    return QSvgRenderer(QByteArray(text.encode()))


def paint(painter: QPainter, name: str, rect: QRectF, colour: QColor) -> None:
    """Draw an icon.

    Arguments:
        name: file name below ``resources/icons`` without its ending.
    """
    _renderer(name, colour.name()).render(painter, rect)


def icon(name: str, colour: QColor, size_px: int) -> QIcon:
    """An icon for a stock button, at double density so that it stays sharp when scaled."""
    pixmap = QPixmap(size_px * 2, size_px * 2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint(painter, name, QRectF(0, 0, size_px * 2, size_px * 2), colour)
    painter.end()
    pixmap.setDevicePixelRatio(2)
    return QIcon(pixmap)


def application_icon() -> QIcon:
    """The program's icon in the sizes that task bars and title bars ask for."""
    made = QIcon()
    for size_px in (16, 24, 32, 48, 64, 128, 256):
        pixmap = QPixmap(size_px, size_px)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint(painter, "anchorline", QRectF(0, 0, size_px, size_px), QColor("#000000"))
        painter.end()
        made.addPixmap(pixmap)
    return made
