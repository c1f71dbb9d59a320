"""The question field and, always in the same place, Ask or Stop."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from app.ui import icons, theme
from app.ui.controls import button, describe, set_kind


class QuestionBar(QWidget):
    """Enter or Ask sends the question; while an answer is written the same place says Stop."""

    asked = Signal(str)
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answering = False
        self.setObjectName("bar")
        self.field = QLineEdit()
        self.field.setObjectName("question")
        self.field.setMaxLength(2000)
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.button = button("primary")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.dp(12), theme.dp(8), theme.dp(12), theme.dp(12))
        row.setSpacing(theme.dp(8))
        row.addWidget(self.field, 1)
        row.addWidget(self.button)
        self.field.returnPressed.connect(self.ask)
        self.field.textChanged.connect(lambda _text: self._show())
        self.button.clicked.connect(self._pressed)
        self._fit()
        self.retranslate()

    @property
    def answering(self) -> bool:
        """Whether the button says Stop."""
        return self._answering

    def set_answering(self, answering: bool) -> None:
        """An answer is being written, or none."""
        self._answering = answering
        self._show()

    def ask(self) -> None:
        """Send what stands in the field."""
        question = self.field.text().strip()
        if question and not self._answering:
            self.asked.emit(question)

    def stop_if_answering(self) -> None:
        """What Escape does: ask for a stop while an answer is written, else nothing."""
        if self._answering:
            self.stop_wanted.emit()

    def clear(self) -> None:
        """Make room for the next question."""
        self.field.clear()

    def _pressed(self) -> None:
        if self._answering:
            self.stop_wanted.emit()
        else:
            self.ask()

    def _show(self) -> None:
        role = "text" if self._answering else "on_touchable"
        set_kind(self.button, "stop" if self._answering else "primary")
        self.button.setEnabled(self._answering or bool(self.field.text().strip()))
        if not self.button.isEnabled():
            role = "secondary"
        self.button.setText(self.tr("Stop") if self._answering else self.tr("Ask"))
        name = "stop" if self._answering else "ask"
        self.button.setIcon(icons.icon(name, theme.colour(role), theme.dp(24)))
        self.button.setIconSize(QSize(theme.dp(24), theme.dp(24)))
        describe(self.button, self.button.text(), "Esc" if self._answering else "Return")

    def _fit(self) -> None:
        """Ask and Stop take 20 mm each way; a glove hits them without looking."""
        self.button.setFixedWidth(max(theme.dp(112), theme.mm(20)))
        self.setFixedHeight(max(theme.dp(68), theme.mm(20) + theme.dp(20)))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() is QEvent.Type.StyleChange:
            self._fit()
            self._show()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.field.setPlaceholderText(self.tr("Ask about the log"))
        describe(self.field, self.tr("Question"), "Ctrl+L")
        self._show()
