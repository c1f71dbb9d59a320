"""Past questions as a Qt item model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.ui.session_api import HistoryRowLike

ROW_ROLE: Final = Qt.ItemDataRole.UserRole
_NO_PARENT: Final = QModelIndex()


class HistoryModel(QAbstractListModel):
    """Newest first; ``ROW_ROLE`` gives the row as the history returned it."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[HistoryRowLike] = []

    def set_rows(self, rows: Sequence[HistoryRowLike]) -> None:
        """Show other questions."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.question
        return None
