"""A log line that an answer rests on, as a card that leads to it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QTextLayout
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.answers.messages import Citation
from app.stream.records import Severity
from app.ui import i18n, marks, theme
from app.ui.display import visible
from app.ui.plain_text import lay_out

_MOST_LINES = 3


class EvidenceCard(QAbstractButton):
    """Source, line number and text of a citation; a tap shows the line in the log.

    Arguments:
        severity: of the line, where it is known.
    """

    def __init__(
        self,
        citation: Citation,
        severity: Severity = Severity.UNKNOWN,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.citation = citation
        self._severity = severity
        self._body: QTextLayout | None = None
        self._body_width = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.retranslate()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        body = self._lay_out(width)
        last = body.lineAt(body.lineCount() - 1) if body.lineCount() else None
        height = round(last.y() + last.height()) if last is not None else 0
        return max(theme.dp(48), theme.dp(8 + 24 + 4 + 10) + height)

    def sizeHint(self) -> QSize:
        width = max(self.width(), theme.dp(240))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.dp(160), self.heightForWidth(max(self.width(), theme.dp(160))))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        edge = "touchable" if self.hasFocus() or self.isDown() else "line"
        painter.setPen(QPen(theme.colour(edge), 2 if self.hasFocus() else 1))
        painter.setBrush(theme.colour("raised" if self.isDown() else "ground"))
        painter.drawRoundedRect(box, theme.dp(8), theme.dp(8))
        left, top, line = theme.dp(12), theme.dp(8), theme.dp(24)
        mark = marks.SEVERITY_MARKS[self._severity]
        if mark is not None:
            marks.paint(painter, mark, QPointF(left + theme.dp(7), top + line / 2), theme.dp(13))
            left += theme.dp(22)
        painter.setFont(theme.font())
        number = self._number()
        metrics = painter.fontMetrics()
        number_px = metrics.horizontalAdvance(number)
        right = self.width() - theme.dp(12)
        source = metrics.elidedText(
            self.citation.source, Qt.TextElideMode.ElideMiddle, right - left - number_px - 16
        )
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.colour("secondary"))
        painter.drawText(QRectF(left, top, right - left, line), flags, source)
        painter.setPen(theme.colour("touchable"))
        head = QRectF(right - number_px, top, number_px, line)
        painter.drawText(head, flags | Qt.AlignmentFlag.AlignRight, number)
        painter.setPen(theme.colour("text"))
        self._lay_out(self.width()).draw(painter, QPointF(theme.dp(12), top + line + theme.dp(4)))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() is QEvent.Type.StyleChange:
            self._body_width = -1
            self.updateGeometry()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.setAccessibleName(
            self.tr("Line {number} of {source}: {text}").format(
                number=i18n.number(self.citation.line),
                source=self.citation.source,
                text=visible(self.citation.text),
            )
        )
        self.setAccessibleDescription(self.tr("Shows this line in the log"))
        self.update()

    def _number(self) -> str:
        return self.tr("line {number}").format(number=i18n.number(self.citation.line))

    def _lay_out(self, width: int) -> QTextLayout:
        inner = max(1, width - theme.dp(24))
        if self._body is None or inner != self._body_width:
            text = visible(self.citation.text)[: _MOST_LINES * max(20, inner)]
            self._body = lay_out(text, theme.font(mono=True), inner, _MOST_LINES)
            self._body_width = inner
        return self._body
