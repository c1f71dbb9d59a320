"""The window: header, notices, engine drawer, log on the left, conversation on the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.ui import icons, theme
from app.ui.window.conversation import Conversation
from app.ui.window.fetch_bar import FetchBar
from app.ui.window.header import Header
from app.ui.window.history_page import HistoryPage
from app.ui.window.log_pane import LogPane
from app.ui.window.notices import NoticeBar
from app.ui.window.panels import Drawer
from app.ui.window.turn import SeverityOf

_LEFT_SHARE = 55
_LOW_DP = 720


class MainWindow(QWidget):
    """Arranges the parts; what they do is wired by :class:`app.ui.controller.Controller`."""

    files_offered = Signal(list)
    """Paths that were dropped on the window or chosen in the dialog."""
    close_wanted = Signal()
    """The operator closes the window; whoever runs it shuts everything down, then hides it."""
    history_wanted = Signal()

    def __init__(self, severity_of: SeverityOf) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle("Anchorline")
        self.setWindowIcon(icons.application_icon())
        self.setAcceptDrops(True)
        self._may_close = False
        self._portrait: bool | None = None
        self.header = Header()
        self.notices = NoticeBar()
        self.fetch = FetchBar()
        self.drawer = Drawer()
        self.drawer.hide()
        self.log = LogPane()
        self.conversation = Conversation(severity_of)
        self.history = HistoryPage(severity_of)
        self.right = QStackedWidget()
        self.right.addWidget(self.conversation)
        self.right.addWidget(self.history)
        self.splitter = QSplitter()
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.log)
        self.splitter.addWidget(self.right)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for item in (self.header, self.notices, self.fetch, self.drawer):
            column.addWidget(item)
        column.addWidget(self.splitter, 1)
        self._wire()
        self._add_shortcuts()
        self.retranslate()

    def _wire(self) -> None:
        # In this order: what gives way to the drawer is gone before it takes its room.
        self.header.engine.toggled.connect(self._save_height)
        self.header.engine.toggled.connect(self.drawer.setVisible)
        self.header.history.clicked.connect(self.toggle_history)
        self.header.open_wanted.connect(self.choose_files)
        self.history.closed.connect(self.show_conversation)

    def _add_shortcuts(self) -> None:
        for keys, action in (
            ("Ctrl+F", self.log.filter.text.setFocus),
            ("Ctrl+L", self.conversation.bar.field.setFocus),
            ("Ctrl+O", self.choose_files),
            ("Ctrl+H", self.toggle_history),
            ("Ctrl+End", self.log.view.follow),
            ("Ctrl+D", self.notices.dismiss),
            ("F2", self.header.engine.toggle),
            ("Ctrl+Shift+L", self.header.language_wanted.emit),
            ("Ctrl+Shift+T", self.header.theme_wanted.emit),
            ("Ctrl+K", self.header.keyboard_wanted.emit),
            ("Alt+Left", self._back),
            ("Escape", self.conversation.bar.stop_if_answering),
            ("Ctrl+Q", self.close),
        ):
            QShortcut(QKeySequence(keys), self, action)

    # --- right side ---------------------------------------------------------------------------

    def toggle_history(self) -> None:
        """Between conversation and history."""
        if self.right.currentWidget() is self.history:
            self.show_conversation()
        else:
            self.right.setCurrentWidget(self.history)
            self.header.history.setChecked(True)
            self.history_wanted.emit()

    def show_conversation(self) -> None:
        """Back to questions and answers."""
        self.right.setCurrentWidget(self.conversation)
        self.header.history.setChecked(False)

    def _back(self) -> None:
        if self.right.currentWidget() is self.history:
            self.history.go_back()

    # --- files --------------------------------------------------------------------------------

    def choose_files(self) -> None:
        """Let the operator pick log files."""
        dialog = QFileDialog(self, self.tr("Open log files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(
            lambda names: self.files_offered.emit([Path(name) for name in names])
        )
        dialog.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        event.acceptProposedAction()
        self.files_offered.emit(paths)

    # --- shape --------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = event.size()
        self._arrange(size.width() < size.height())
        self._save_height()

    def _save_height(self) -> None:
        """On a low screen the drawer takes the place of the timeline and the suggestions."""
        low = self.height() < theme.dp(_LOW_DP) and self.header.engine.isChecked()
        self.log.timeline.setVisible(not low)
        self.conversation.set_low(low)

    def _arrange(self, portrait: bool) -> None:
        if portrait is self._portrait:
            return
        self._portrait = portrait
        self.header.set_narrow(portrait)
        self.drawer.set_narrow(portrait)
        self.splitter.setOrientation(
            Qt.Orientation.Vertical if portrait else Qt.Orientation.Horizontal
        )
        left = 48 if portrait else _LEFT_SHARE
        self.splitter.setStretchFactor(0, left)
        self.splitter.setStretchFactor(1, 100 - left)
        self.splitter.setSizes([left * 100, (100 - left) * 100])

    def sizeHint(self) -> QSize:
        return QSize(1280, 800)

    # --- life ---------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
            return
        event.ignore()
        self.close_wanted.emit()

    def close_now(self) -> None:
        """End threads of the parts and close, without asking anybody."""
        self._may_close = True
        self.log.close_threads()
        self.close()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Take every text again in the language in force."""
        self.setAccessibleName(self.tr("Anchorline console"))
