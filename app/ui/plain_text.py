"""A block of plain text that wraps anywhere it must and is never taken for markup."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import theme


class PlainText(QWidget):
    """Text in one face and colour, wrapped to its width.

    QLabel would do but for two things: it cannot break a long identifier or path, and it guesses
    at markup unless told otherwise everywhere.

    Arguments:
        role: colour token of the text.
        size_px: height of the face, in dp.
        most_lines: lines shown at most, the last one elided; 0 shows all.
        centred: a text lower than its place stands in the middle of it, not at the top.
    """

    def __init__(
        self,
        role: str = "text",
        *,
        size_px: int = theme.TEXT_PX,
        mono: bool = False,
        bold: bool = False,
        most_lines: int = 0,
        centred: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._role = role
        self._face = (size_px, mono, bold)
        self._most_lines = most_lines
        self._centred = centred
        self._text = ""
        self._layout: QTextLayout | None = None
        self._laid_out_width = -1
        self._height = 0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text == self._text:
            return
        self._text = text
        self.setAccessibleName(text)
        self._forget()

    def set_role(self, role: str) -> None:
        """Take another colour token."""
        self._role = role
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay_out(width)
        return self._height

    def sizeHint(self) -> QSize:
        width = max(self.width(), theme.dp(160))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        # What the text needs follows from the width it gets; a layout asks for that separately.
        return QSize(theme.dp(48), theme.dp(24) if self._text else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._lay_out(self.width())
        if self._layout is None:
            return
        painter = QPainter(self)
        painter.setPen(theme.colour(self._role))
        spare = max(0, self.height() - self._height) if self._centred else 0
        self._layout.draw(painter, QPointF(0, spare // 2))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._forget()
        super().changeEvent(event)

    def _forget(self) -> None:
        self._laid_out_width = -1
        self.updateGeometry()
        self.update()

    def _lay_out(self, width: int) -> None:
        if width == self._laid_out_width:
            return
        self._laid_out_width = width
        size_px, mono, bold = self._face
        face = theme.font(size_px, mono=mono, bold=bold)
        text = self._text.rstrip("\n")
        if self._most_lines:
            # Nothing beyond what the lines can hold is worth laying out.
            text = text[: self._most_lines * max(8, width // max(1, theme.dp(size_px) // 4))]
        self._layout = lay_out(text.replace("\n", "\u2028"), face, width, self._most_lines)
        count = self._layout.lineCount()
        last = self._layout.lineAt(count - 1) if count else None
        self._height = round(last.y() + last.height()) if last is not None else 0


def lay_out(text: str, face: QFont, width: int, most_lines: int = 0) -> QTextLayout:
    """Break text into lines of a width.

    Arguments:
        most_lines: with more lines than that the text is cut and elided; 0 keeps all.
    """
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(text, face)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    end = _break_lines(layout, width, most_lines)
    if most_lines and end < len(text):
        for spare in range(1, 8):
            layout.setText(text[: max(0, end - spare)].rstrip() + "…")
            if _break_lines(layout, width, most_lines) >= len(layout.text()):
                break
    return layout


def _break_lines(layout: QTextLayout, width: int, most_lines: int) -> int:
    """Lay out; returns how many characters found a place."""
    y = 0.0
    end = 0
    layout.beginLayout()
    while not most_lines or layout.lineCount() < most_lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, y))
        y += line.height()
        end = line.textStart() + line.textLength()
    layout.endLayout()
    return end
