"""Left side of the window: timeline, filter, log, and the chosen line in full."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.answers.messages import Citation
from app.stream.store import LinePattern
from app.ui import i18n, marks, theme
from app.ui.controls import IconButton, describe, label, rule
from app.ui.display import visible
from app.ui.models.log_rows import LogRows
from app.ui.plain_text import PlainText
from app.ui.session_api import StoreLike
from app.ui.throttle import Throttle
from app.ui.window.filter_bar import FilterBar
from app.ui.window.log_view import LogView
from app.ui.window.timeline import Timeline

_REFRESH_MS = 50


class ChosenLine(QWidget):
    """The chosen line in full, with what can be done with it."""

    copy_wanted = Signal()
    close_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label("secondary")
        self.text = PlainText(mono=True, most_lines=4)
        self.copy_button = IconButton("copy")
        self.extend_button = IconButton("extend")
        self.extend_button.setCheckable(True)
        self.close_button = IconButton("close")
        words = QVBoxLayout()
        words.setContentsMargins(theme.dp(12), theme.dp(8), 0, theme.dp(8))
        words.setSpacing(theme.dp(4))
        words.addWidget(self.title)
        words.addWidget(self.text)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, theme.dp(4), 0)
        row.setSpacing(0)
        row.addLayout(words, 1)
        for item in (self.extend_button, self.copy_button, self.close_button):
            row.addWidget(item)
        self.copy_button.clicked.connect(self.copy_wanted)
        self.close_button.clicked.connect(self.close_wanted)
        self.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        describe(self.copy_button, self.tr("Copy the chosen lines"), "Ctrl+C")
        describe(self.extend_button, self.tr("Choose up to the next line tapped"))
        describe(self.close_button, self.tr("Choose no line"))


class LogPane(QWidget):
    """Timeline, filter and log of one store."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._store: StoreLike | None = None
        self.rows = LogRows(self)
        self.timeline = Timeline()
        self.filter = FilterBar()
        self.view = LogView(self.rows)
        self.chosen = ChosenLine()
        self.chosen.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for item in (self.timeline, rule(), self.filter, rule(), self.view, self.chosen):
            column.addWidget(item, 1 if item is self.view else 0)
        self.refresh = Throttle(self._sync, _REFRESH_MS, self)
        self.filter.pattern_changed.connect(self.rows.set_pattern)
        self.rows.counted.connect(self.filter.show_counts)
        self.timeline.index_chosen.connect(self._go_to)
        self.view.selection_changed.connect(self._show_chosen)
        self.chosen.copy_wanted.connect(self.copy)
        self.chosen.close_wanted.connect(lambda: self.view.select(None))
        self.chosen.extend_button.toggled.connect(self.view.set_extending)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.view, self.copy)

    def set_store(self, store: StoreLike) -> None:
        """Show the lines of a store."""
        self._store = store
        self.rows.set_store(store)
        self.timeline.set_store(store)

    def _sync(self) -> None:
        self.rows.sync()
        self.view.viewport().update()  # the last line may have been completed in place
        self.timeline.refresh()

    def show_cited(self, citation: Citation) -> bool:
        """Scroll to a cited line, lifting the filter if it hides it; False if not here."""
        index = self.rows.locate(citation)
        if index is None:
            return False
        self.rows.sync()
        if not self.view.is_cited(index):
            self.view.set_cited(frozenset((index,)))
        self._go_to(index)
        return True

    def set_cited(self, citations: Sequence[Citation]) -> None:
        """Mark the lines that an answer rests on."""
        found = [self.rows.locate(citation) for citation in citations]
        self.view.set_cited(frozenset(index for index in found if index is not None))

    def copy(self) -> None:
        """Put the chosen lines, as they were read, on the clipboard."""
        if self._store is None:
            return
        indices = self.view.selected_indices()
        texts = [self._store.record(index).text for index in indices]
        if texts:
            QGuiApplication.clipboard().setText("\n".join(texts))

    def close_threads(self) -> None:
        """End the threads that match and count."""
        self.rows.close()
        self.timeline.close_pool()

    def _go_to(self, index: int) -> None:
        if not self.view.jump_to(index):
            self.filter.clear()
            self.rows.set_pattern(LinePattern())
            self.view.jump_to(index)

    def _show_chosen(self) -> None:
        record = self.view.current_record()
        if record is None:
            self.chosen.extend_button.setChecked(False)
            self.chosen.hide()
            return
        parts = [
            record.source,
            self.tr("line {number}").format(number=i18n.number(record.number)),
            marks.severity_name(record.severity),
        ]
        count = len(self.view.selected_indices())
        if count > 1:
            parts.append(self.tr("%Ln line(s) chosen", "", count))
        self.chosen.title.setText(" · ".join(part for part in parts if part))
        self.chosen.text.set_text(visible(record.text))
        self.chosen.show()

    def sizeHint(self) -> QSize:
        return QSize(theme.dp(704), theme.dp(600))
