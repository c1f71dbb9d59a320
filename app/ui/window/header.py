"""The header: what is read, which model answers, and the buttons for the whole window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from app.answers.messages import SourceStatus
from app.engine.messages import EnginePhase, EngineState
from app.ui import i18n, icons, marks, theme
from app.ui.controls import IconButton, Strip, describe, label
from app.ui.marks import LEVEL_MARKS, Level
from app.ui.window.turn import short_model_name

_SOURCE_LEVELS = {
    "reading": Level.NOTICE,
    "following": Level.QUIET,
    "ended": Level.QUIET,
    "missing": Level.WARNING,
    "failed": Level.CRITICAL,
}
_PHASE_LEVELS = {
    EnginePhase.LOADING: Level.NOTICE,
    EnginePhase.READY: Level.SOUND,
    EnginePhase.INGESTING: Level.SOUND,
    EnginePhase.ANSWERING: Level.SOUND,
    EnginePhase.FAILED: Level.CRITICAL,
    EnginePhase.CLOSED: Level.QUIET,
}


class Logo(QWidget):
    """The program's mark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(32), theme.dp(32))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        icons.paint(painter, "anchorline", QRectF(self.rect()), theme.colour("touchable"))


class SourceChip(QWidget):
    """One source: its state as shape and word, its name, its lines."""

    def __init__(self, status: SourceStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = status
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.retranslate()

    def show_status(self, status: SourceStatus) -> None:
        """Show another state."""
        self.status = status
        self.retranslate()

    def state_word(self) -> str:
        """The state in the language in force."""
        words = {
            "reading": self.tr("reading"),
            "following": self.tr("following"),
            "ended": self.tr("read"),
            "missing": self.tr("missing"),
            "failed": self.tr("failed"),
        }
        return words.get(self.status.state, self.status.state)

    def _parts(self) -> tuple[str, str]:
        name = self.status.name
        short = name if len(name) <= 28 else f"{name[:12]}…{name[-14:]}"
        return short, f"{self.state_word()} · {i18n.number(self.status.lines)}"

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        name, rest = self._parts()
        width = metrics.horizontalAdvance(name) + metrics.horizontalAdvance(rest)
        return QSize(width + theme.dp(8 + 16 + 8 + 8 + 12), theme.dp(48))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        level = _SOURCE_LEVELS.get(self.status.state, Level.NOTICE)
        middle = self.height() / 2
        marks.paint(painter, LEVEL_MARKS[level], QPointF(theme.dp(16), middle), theme.dp(13))
        name, rest = self._parts()
        flags = Qt.AlignmentFlag.AlignVCenter
        left = theme.dp(32)
        painter.setPen(theme.colour("text"))
        painter.drawText(QRectF(left, 0, self.width(), self.height()), flags, name)
        left += self.fontMetrics().horizontalAdvance(name) + theme.dp(8)
        painter.setPen(theme.colour("secondary"))
        painter.drawText(QRectF(left, 0, self.width(), self.height()), flags, rest)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        text = self.tr("{name}: {state}, {count} lines").format(
            name=self.status.name, state=self.state_word(), count=i18n.number(self.status.lines)
        )
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.updateGeometry()
        self.update()


class EngineButton(QAbstractButton):
    """Phase, profile and model in one line; opens and closes the panels."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = EngineState(EnginePhase.LOADING)
        self._profile = ""
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.retranslate()

    def show_state(self, state: EngineState, profile: str) -> None:
        """Show another phase; the model's name stays until another one is loaded."""
        self.state, self._profile = state, profile
        self.retranslate()

    def phase_word(self) -> str:
        """The phase in the language in force."""
        words = {
            EnginePhase.LOADING: self.tr("Loading"),
            EnginePhase.READY: self.tr("Ready"),
            EnginePhase.INGESTING: self.tr("Reading"),
            EnginePhase.ANSWERING: self.tr("Answering"),
            EnginePhase.FAILED: self.tr("No model"),
            EnginePhase.CLOSED: self.tr("Closed"),
        }
        word = words[self.state.phase]
        if self.state.phase is EnginePhase.LOADING and self.state.load_fraction > 0:
            return f"{word} {round(self.state.load_fraction * 100)}%"
        return word

    def _rest(self) -> str:
        parts = (self._profile, short_model_name(self.state.target))
        return " · ".join(part for part in parts if part)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        # The widest phase reserves its room, so that nothing moves while phases change.
        words = metrics.horizontalAdvance(self.tr("Answering"))
        rest = metrics.horizontalAdvance(self._rest())
        return QSize(words + rest + theme.dp(36 + 12 + 32), theme.dp(48))

    def minimumSizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.tr("Answering"))
        return QSize(words + theme.dp(36 + 32), theme.dp(48))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 3.5, -0.5, -3.5)
        painter.setPen(QPen(theme.colour("touchable" if self.hasFocus() else "line"), 1))
        painter.setBrush(
            theme.colour("raised") if self.isChecked() or self.isDown() else Qt.BrushStyle.NoBrush
        )
        painter.drawRoundedRect(box, theme.dp(8), theme.dp(8))
        middle = self.height() / 2
        mark = LEVEL_MARKS[_PHASE_LEVELS[self.state.phase]]
        marks.paint(painter, mark, QPointF(theme.dp(18), middle), theme.dp(13))
        flags = Qt.AlignmentFlag.AlignVCenter
        metrics = self.fontMetrics()
        left, right = theme.dp(34), self.width() - theme.dp(34)
        word = self.phase_word()
        painter.setPen(theme.colour("text"))
        painter.drawText(QRectF(left, 0, right - left, self.height()), flags, word)
        left += metrics.horizontalAdvance(word) + theme.dp(10)
        rest = metrics.elidedText(self._rest(), Qt.TextElideMode.ElideRight, max(0, right - left))
        painter.setPen(theme.colour("secondary"))
        if right - left > theme.dp(40):
            painter.drawText(QRectF(left, 0, right - left, self.height()), flags, rest)
        side = theme.dp(18)
        painter.translate(self.width() - theme.dp(12) - side / 2, middle)
        if self.isChecked():
            painter.rotate(180)
        icons.paint(
            painter, "chevron", QRectF(-side / 2, -side / 2, side, side), theme.colour("secondary")
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() is QEvent.Type.StyleChange:
            self.updateGeometry()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        describe(self, self.tr("Engine: {state}").format(state=self.phase_word()), "F2")
        self.setAccessibleDescription(
            self.tr("Profile {profile}, target {target}, draft {draft}").format(
                profile=self._profile or "–",
                target=self.state.target or "–",
                draft=self.state.draft or "–",
            )
        )
        self.setToolTip(f"{self.accessibleName()}\n{self.accessibleDescription()}")
        self.updateGeometry()
        self.update()


class Header(QWidget):
    """One row in landscape, two where the window is narrow."""

    language_wanted = Signal()
    theme_wanted = Signal()
    keyboard_wanted = Signal()
    open_wanted = Signal()
    history_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._chips: dict[str, SourceChip] = {}
        self.logo = Logo()
        self.name = label("strong")
        self.name.setText("Anchorline")
        self.sources = Strip()
        self.no_source = label("secondary")
        self.sources.add(self.no_source)
        self.engine = EngineButton()
        self.open = IconButton("open")
        self.history = IconButton("history")
        self.language = IconButton("language")
        self.theme = IconButton("theme")
        self.keyboard = IconButton("keyboard")
        for source, signal in (
            (self.open, self.open_wanted),
            (self.history, self.history_wanted),
            (self.language, self.language_wanted),
            (self.theme, self.theme_wanted),
            (self.keyboard, self.keyboard_wanted),
        ):
            source.clicked.connect(signal)
        self.history.setCheckable(True)
        self._buttons = QWidget()
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for item in (self.open, self.history, self.language, self.theme, self.keyboard):
            row.addWidget(item)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(theme.dp(12), theme.dp(4), theme.dp(8), theme.dp(4))
        self._grid.setHorizontalSpacing(theme.dp(8))
        self._grid.setVerticalSpacing(0)
        self._narrow: bool | None = None
        self.set_narrow(False)
        self.retranslate()

    def set_narrow(self, narrow: bool) -> None:
        """Put the sources in a row of their own, or between name and engine."""
        if narrow is self._narrow:
            return
        self._narrow = narrow
        items = (self.logo, self.name, self.sources, self.engine, self._buttons)
        for item in items:
            self._grid.removeWidget(item)
        self._grid.addWidget(self.logo, 0, 0)
        self._grid.addWidget(self.name, 0, 1)
        if narrow:
            self._grid.addWidget(self.sources, 1, 0, 1, 5)
        else:
            self._grid.addWidget(self.sources, 0, 2)
        self._grid.addWidget(self.engine, 0, 3)
        self._grid.addWidget(self._buttons, 0, 4)
        self._grid.setColumnStretch(2, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where room is scarce the mark alone stands for the name; the sources need it more.
        self.name.setVisible(bool(self._narrow) or event.size().width() >= theme.dp(1100))

    def show_source(self, status: SourceStatus) -> None:
        """A source changed."""
        chip = self._chips.get(status.name)
        if chip is None:
            self.no_source.hide()
            chip = SourceChip(status)
            self._chips[status.name] = chip
            self.sources.add(chip)
        else:
            chip.show_status(status)

    def chips(self) -> dict[str, SourceChip]:
        """Source name to its chip."""
        return self._chips

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.no_source.setText(self.tr("No log open"))
        self.sources.setAccessibleName(self.tr("Log sources"))
        self.language.setText("EN" if i18n.language() == "zh_CN" else "中")
        describe(self.open, self.tr("Open log files"), "Ctrl+O")
        describe(self.history, self.tr("History"), "Ctrl+H")
        describe(self.language, self.tr("Change language"), "Ctrl+Shift+L")
        describe(self.theme, self.tr("Change theme"), "Ctrl+Shift+T")
        describe(self.keyboard, self.tr("On-screen keyboard"), "Ctrl+K")
        self.language.updateGeometry()
