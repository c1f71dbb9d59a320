"""Small controls that the parts of the window share."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QScroller,
    QScrollerProperties,
    QSizePolicy,
    QWidget,
)

from app.ui import icons, theme


def make_kinetic(area: QAbstractScrollArea) -> None:
    """Let a finger fling the contents of a scroll area; the mouse keeps its own ways."""
    viewport = area.viewport()
    QScroller.grabGesture(viewport, QScroller.ScrollerGestureType.TouchGesture)
    scroller = QScroller.scroller(viewport)
    properties = scroller.scrollerProperties()
    metric = QScrollerProperties.ScrollMetric
    never = QScrollerProperties.OvershootPolicy.OvershootAlwaysOff
    properties.setScrollMetric(metric.VerticalOvershootPolicy, never)
    properties.setScrollMetric(metric.HorizontalOvershootPolicy, never)
    properties.setScrollMetric(metric.DragStartDistance, 0.004)
    scroller.setScrollerProperties(properties)


def describe(widget: QWidget, name: str, shortcut: str = "") -> None:
    """Give a widget its accessible name and a tool tip with its shortcut, both translated."""
    widget.setAccessibleName(name)
    keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    widget.setToolTip(f"{name} ({keys})" if keys else name)


def label(role: str = "", parent: QWidget | None = None) -> QLabel:
    """A label that never takes its text for markup.

    Arguments:
        role: ``secondary``, ``strong``, ``heading``, ``value`` or nothing for plain text.
    """
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    return made


def rule(vertical: bool = False) -> QWidget:
    """A line of one pixel."""
    made = QWidget()
    made.setObjectName("rule")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    if vertical:
        made.setFixedWidth(1)
    else:
        made.setFixedHeight(1)
    return made


def button(kind: str, parent: QWidget | None = None) -> QPushButton:
    """A push button in one of the style sheet's kinds (``primary``, ``link``, ``chip`` …)."""
    made = QPushButton(parent)
    made.setProperty("kind", kind)
    return made


def set_kind(target: QPushButton, kind: str) -> None:
    """Change a button's kind and have the style sheet applied again."""
    if target.property("kind") != kind:
        target.setProperty("kind", kind)
        target.style().unpolish(target)
        target.style().polish(target)


class IconButton(QAbstractButton):
    """A touch target of 48 dp with an icon, and a word where the icon alone would not do."""

    def __init__(self, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        side = theme.dp(48)
        if not self.text():
            return QSize(side, side)
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(side + width + theme.dp(8), side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5)
        radius = theme.dp(8)
        if self.isDown() or self.isChecked():
            painter.setPen(QPen(theme.colour("line"), 1))
            painter.setBrush(theme.colour("line" if self.isDown() else "raised"))
            painter.drawRoundedRect(inner, radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("touchable"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(inner, radius, radius)
        ink = theme.colour("text" if self.isEnabled() else "line")
        side = theme.dp(24)
        left = (self.height() - side) / 2 if self.text() else (self.width() - side) / 2
        icons.paint(
            painter, self._icon_name, QRectF(left, (self.height() - side) / 2, side, side), ink
        )
        if self.text():
            painter.setPen(ink)
            box = QRectF(left + side + theme.dp(6), 0, self.width(), self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self.text())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self.updateGeometry()
            self.update()
        super().changeEvent(event)


class SearchField(QLineEdit):
    """A line of text to look for, with a glass in front and a full-size button that empties it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.empty_button = IconButton("close", self)
        self.empty_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.empty_button.setCursor(Qt.CursorShape.ArrowCursor)
        self.empty_button.hide()
        self.empty_button.clicked.connect(self.clear)
        self.textChanged.connect(lambda text: self.empty_button.setVisible(bool(text)))
        self.setTextMargins(theme.dp(24), 0, theme.dp(36), 0)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self.empty_button.sizeHint()
        self.empty_button.setGeometry(
            self.width() - size.width(), (self.height() - size.height()) // 2,
            size.width(), size.height(),
        )  # fmt: skip

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = theme.dp(20)
        box = QRectF(theme.dp(10), (self.height() - side) / 2, side, side)
        icons.paint(QPainter(self), "search", box, theme.colour("secondary"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        describe(self.empty_button, self.tr("Empty the field"))


class Segments(QWidget):
    """A row of buttons of which one is down: a choice that shows all its values."""

    chosen = Signal(int)
    """Place of the button that was put down, from 0."""

    def __init__(self, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("segments")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons = [button("segment") for _ in range(count)]
        for place, item in enumerate(self.buttons):
            item.setCheckable(True)
            self._group.addButton(item, place)
            row.addWidget(item)
        self.buttons[0].setChecked(True)
        self._group.idClicked.connect(self.chosen)

    def choose(self, place: int) -> None:
        """Put a button down without announcing it."""
        self.buttons[place].setChecked(True)


class Strip(QScrollArea):
    """A row of widgets that scrolls sideways under the finger; no bar, no arrows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self._inside.setObjectName("surface")
        self.row = QHBoxLayout(self._inside)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.addStretch(1)
        self.setWidget(self._inside)
        make_kinetic(self)

    def add(self, widget: QWidget) -> None:
        """Append a widget at the right end."""
        self.row.insertWidget(self.row.count() - 1, widget)
        widget.show()
        self.updateGeometry()

    def clear(self) -> None:
        """Remove every widget."""
        while self.row.count() > 1:
            item = self.row.takeAt(0)
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._inside.sizeHint().width(), theme.dp(48))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.dp(48), theme.dp(48))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.horizontalScrollBar().setSingleStep(theme.dp(48))
