"""How many records each template has, and where the first and the latest are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.stream.records import Record, Severity
from app.stream.templates import UNASSIGNED, Template


@dataclass(slots=True)
class _Counted:
    """Running figures of one template."""

    count: int
    first_index: int
    last_index: int
    severity: int


class TemplateCounts:
    """Figures of all templates, dropped records included; not thread-safe by itself."""

    def __init__(self) -> None:
        self._counted: dict[int, _Counted] = {}
        self._texts: dict[int, str] = {}

    def name(self, texts: Mapping[int, str]) -> None:
        """Name templates, or give them the more general text they have now."""
        self._texts.update(texts)

    def add(self, batch: Sequence[Record], first: int) -> None:
        """Count records; ``first`` is the index of the first."""
        counted = self._counted
        for index, record in enumerate(batch, first):
            known = counted.get(record.template_id)
            if known is None:
                counted[record.template_id] = _Counted(1, index, index, record.severity)
                continue
            known.count += 1
            known.first_index = min(known.first_index, index)
            known.last_index = max(known.last_index, index)
            known.severity = max(known.severity, record.severity)

    def remove(
        self, index: int, first: int, ids: NDArray[np.generic], severities: NDArray[np.generic]
    ) -> None:
        """Count a record no more.

        Arguments:
            index: of the record.
            first: index of the oldest record that is kept.
            ids, severities: template ids and severities of the kept records, the one to remove
                among them.
        """
        template_id = int(ids[index - first])
        known = self._counted[template_id]
        known.count -= 1
        if known.count == 0:
            del self._counted[template_id]
            return
        others = ids == template_id
        others[index - first] = False
        indices = np.flatnonzero(others) + first
        if len(indices):
            known.last_index = int(indices[-1])
            if known.first_index >= first:  # else what is known of dropped records still holds
                known.first_index = int(indices[0])
                known.severity = int(severities[others].max())

    def templates(self) -> dict[int, Template]:
        """All templates by id, as they are now."""
        return {
            number: Template(
                number,
                self._texts.get(number, ""),
                counted.count,
                counted.first_index,
                counted.last_index,
                Severity(counted.severity),
            )
            for number, counted in self._counted.items()
            if number != UNASSIGNED
        }
