"""Counts along an axis whose ends move: neighbouring cells are merged, nothing is counted again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

CELLS: Final = 4_096
"""At least half of them span the axis: 17 or more to each of a timeline's 120 buckets."""

_NONE: Final = np.iinfo(np.int64).max
_LARGEST: Final = 2.0**62


@dataclass(frozen=True, slots=True)
class Cells:
    """Counts by cell or bucket, int64; ``first_index`` is -1 for an empty bucket."""

    lines: NDArray[np.int64]
    warnings: NDArray[np.int64]
    errors: NDArray[np.int64]
    first_index: NDArray[np.int64]


class Grid:
    """Lines by their place on an axis, in a fixed number of cells.

    Cell ``n`` of width ``w`` holds places from ``n * w`` to ``(n + 1) * w``. Where a line falls
    outside, cells are merged in pairs, each twice as wide, until all have room.

    Attributes:
        count: lines held.
        least, most: ends of the places held, exact.

    Arguments:
        width: of a cell at first, in units of the axis.
    """

    def __init__(self, width: float) -> None:
        self._width = width
        self._base = 0
        self._cells = _empty(CELLS, _NONE)
        self.count = 0
        self.least = float("inf")
        self.most = float("-inf")

    def copy(self) -> Grid:
        """A grid of its own with the same lines."""
        twin = Grid(self._width)
        cells = self._cells
        twin._cells = Cells(
            cells.lines.copy(), cells.warnings.copy(), cells.errors.copy(), cells.first_index.copy()
        )
        twin._base, twin.count = self._base, self.count
        twin.least, twin.most = self.least, self.most
        return twin

    def add(
        self,
        places: NDArray[np.float64],
        indices: NDArray[np.int64],
        warnings: NDArray[np.bool_],
        errors: NDArray[np.bool_],
    ) -> None:
        """Count lines.

        Arguments:
            places: finite places on the axis, any order.
            indices: store index of each line.
            warnings, errors: whether each is one.
        """
        if not places.size:
            return
        self.least = min(self.least, float(places.min()))
        self.most = max(self.most, float(places.max()))
        self.count += int(places.size)
        self._make_room()
        at = self._cell_of(places) - self._base
        cells = self._cells
        cells.lines[:] += np.bincount(at, minlength=CELLS)
        cells.warnings[:] += np.bincount(at[warnings], minlength=CELLS)
        cells.errors[:] += np.bincount(at[errors], minlength=CELLS)
        np.minimum.at(cells.first_index, at, indices)

    def share(self, buckets: int, start: float, end: float) -> Cells:
        """The counts in ``buckets`` equal parts from ``start`` to ``end``."""
        shared = _empty(buckets, _NONE)
        filled = np.flatnonzero(self._cells.lines)
        middles = (filled + self._base + 0.5) * self._width
        scaled = (middles - start) / max(end - start, self._width) * buckets
        at = np.clip(scaled.astype(np.int64), 0, buckets - 1)
        _merge(shared, self._cells, filled, at)
        shared.first_index[shared.lines == 0] = -1
        return shared

    def _cell_of(self, places: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.floor(places / self._width).astype(np.int64)

    def _make_room(self) -> None:
        """Widen the cells until all places fit, then put what is held where it belongs."""
        width, halvings = self._width, 0
        while max(abs(self.least), abs(self.most)) / width >= _LARGEST:
            width, halvings = width * 2, halvings + 1
        low, high = math.floor(self.least / width), math.floor(self.most / width)
        while high - low >= CELLS:
            width, halvings, low, high = width * 2, halvings + 1, low >> 1, high >> 1
        if not halvings and self._base <= low and high < self._base + CELLS:
            return
        filled = np.flatnonzero(self._cells.lines)
        held, self._cells = self._cells, _empty(CELLS, _NONE)
        # Room is left on the later side, where the log goes on.
        before, self._base, self._width = self._base, low, width
        shift = min(halvings, 62)
        _merge(self._cells, held, filled, ((filled + before) >> shift) - low)


def _empty(size: int, first_index: int) -> Cells:
    zeros = [np.zeros(size, np.int64) for _ in range(3)]
    return Cells(zeros[0], zeros[1], zeros[2], np.full(size, first_index, np.int64))


def _merge(into: Cells, cells: Cells, filled: NDArray[np.intp], places: NDArray[np.int64]) -> None:
    """Add cells to others, each to the one of its place."""
    for target, source in (
        (into.lines, cells.lines),
        (into.warnings, cells.warnings),
        (into.errors, cells.errors),
    ):
        np.add.at(target, places, source[filled])
    np.minimum.at(into.first_index, places, cells.first_index[filled])
