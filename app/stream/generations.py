"""Where the numbered lines of one file stand among all records."""

from __future__ import annotations

import numpy as np

from app.stream.columns import Column

RUN_BYTES = 8
"""Memory of one run: at worst, where sources write in turn, every line is one."""


class Generation:
    """Where the lines of one file of a source are: runs consecutive in number and in index."""

    def __init__(self) -> None:
        self._numbers = Column(np.uint32, capacity=8)
        self._indices = Column(np.uint32, capacity=8)
        self.next_number = 0
        self.next_index = -1

    def add(self, number: int, index: int) -> None:
        if number != self.next_number or index != self.next_index:
            self._numbers.extend([number])
            self._indices.extend([index])
        self.next_number = number + 1
        self.next_index = index + 1

    def index_of(self, number: int) -> int | None:
        first, runs = self._numbers.first, len(self._numbers)
        run = int(np.searchsorted(self._numbers.slice(first, runs), number, "right")) - 1 + first
        if run < first or number >= self.next_number:
            return None
        return self._indices.int_at(run) + number - self._numbers.int_at(run)

    def drop_before(self, index: int) -> None:
        """Forget runs that end below a store index."""
        first, runs = self._indices.first, len(self._indices)
        run = int(np.searchsorted(self._indices.slice(first, runs), index, "right")) - 1 + first
        self._numbers.drop_before(run)
        self._indices.drop_before(run)
