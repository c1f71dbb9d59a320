"""A line below the header while better models are being fetched."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from app.session.events import ModelFetch
from app.ui import i18n, theme
from app.ui.controls import label

_STEPS = 1000


class FetchBar(QWidget):
    """What is fetched, how far it is, and which models answer meanwhile."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._fetch: ModelFetch | None = None
        self._answering = ""
        self.text = label("secondary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _STEPS)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.dp(16), theme.dp(8), theme.dp(16), theme.dp(8))
        row.setSpacing(theme.dp(16))
        row.addWidget(self.text)
        row.addWidget(self.progress, 1)
        self.hide()
        self.retranslate()

    def show_fetch(self, fetch: ModelFetch, answering: str) -> None:
        """Show how far it is; nothing once it has come to its end.

        Arguments:
            answering: profile whose models answer meanwhile.
        """
        self._fetch, self._answering = fetch, answering
        self.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.progress.setAccessibleName(self.tr("Fetching models"))
        fetch = self._fetch
        self.setVisible(fetch is not None and not fetch.finished)
        if fetch is None:
            return
        self.text.setText(
            self.tr(
                "Fetching the {wanted} models: {done} of {total}. The {current} profile answers"
                " meanwhile."
            ).format(
                wanted=fetch.profile,
                done=i18n.megabytes(fetch.done_bytes),
                total=i18n.megabytes(fetch.total_bytes),
                current=self._answering,
            )
        )
        self.progress.setValue(round(_STEPS * fetch.done_bytes / max(1, fetch.total_bytes)))
