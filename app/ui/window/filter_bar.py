"""The filter above the log: words, least severity, and how many lines that leaves."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.stream.records import Severity
from app.stream.store import LinePattern
from app.ui import i18n, theme
from app.ui.controls import SearchField, Segments, describe, label
from app.ui.throttle import Throttle

_LEVELS: Final = (Severity.UNKNOWN, Severity.WARNING, Severity.ERROR)
_TYPING_MS: Final = 150


class FilterBar(QWidget):
    """Makes the pattern of the log view."""

    pattern_changed = Signal(object)
    """The operator wants another :class:`LinePattern`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = (0, 0, True)
        self.text = SearchField()
        self.levels = Segments(len(_LEVELS))
        self.counts = label("secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.dp(8), theme.dp(4), theme.dp(8), theme.dp(4))
        row.setSpacing(theme.dp(8))
        row.addWidget(self.text, 1)
        row.addWidget(self.levels)
        row.addWidget(self.counts)
        self._announce = Throttle(self._emit, _TYPING_MS, self)
        self.text.textChanged.connect(lambda _text: self._announce())
        self.levels.chosen.connect(lambda _place: self._announce())
        self.retranslate()

    def pattern(self) -> LinePattern:
        """The pattern as set now."""
        chosen = next(place for place, item in enumerate(self.levels.buttons) if item.isChecked())
        return LinePattern(text=self.text.text().strip(), min_severity=_LEVELS[chosen])

    def clear(self) -> None:
        """Let every line through again."""
        self.text.clear()
        self.levels.choose(0)
        self._announce.cancel()
        self._emit()

    def show_counts(self, matching: int, looked_at: int, complete: bool) -> None:
        """Say how many lines match of how many looked at."""
        self._counts = (matching, looked_at, complete)
        if matching == looked_at and complete:
            text = self.tr("{count} lines").format(count=i18n.number(looked_at))
        else:
            text = self.tr("{matching} of {count}").format(
                matching=i18n.number(matching), count=i18n.number(looked_at)
            )
        self.counts.setText(text if complete else f"{text} …")

    def _emit(self) -> None:
        self.pattern_changed.emit(self.pattern())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.text.setPlaceholderText(self.tr("Filter lines"))
        describe(self.text, self.tr("Filter lines"), "Ctrl+F")
        words = (self.tr("All"), self.tr("Warnings"), self.tr("Errors"))
        names = (
            self.tr("Show all lines"),
            self.tr("Show warnings and worse"),
            self.tr("Show errors and worse"),
        )
        for item, word, name, key in zip(
            self.levels.buttons, words, names, ("Alt+1", "Alt+2", "Alt+3"), strict=True
        ):
            item.setText(word)
            item.setShortcut(key)
            describe(item, name, key)
        self.show_counts(*self._counts)
