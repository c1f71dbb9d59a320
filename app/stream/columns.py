"""Arrays that grow: amortised constant cost an element, no Python object an element."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Column:
    """A growing one-dimensional array.

    What has been appended is never moved within the array that a reader holds, so a slice taken
    earlier stays right while the column grows, and when its oldest elements are dropped: indices
    of the others do not change by that.

    Attributes:
        first: index of the oldest element that is kept.
    """

    def __init__(self, dtype: DTypeLike, capacity: int = 4_096) -> None:
        self._values: NDArray[np.generic] = np.empty(capacity, dtype)
        self._count = 0
        self.first = 0

    def __len__(self) -> int:
        """Elements appended so far, dropped ones included."""
        return self._count

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Type of the elements."""
        return self._values.dtype

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._values.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes allocated."""
        return self._values.nbytes

    def extend(self, values: Sequence[float] | NDArray[np.generic]) -> None:
        """Append several elements."""
        kept = self._count - self.first
        end = kept + len(values)
        if end > len(self._values):
            grown = np.empty(max(end, len(self._values) * 3 // 2), self._values.dtype)
            grown[:kept] = self._values[:kept]
            self._values = grown
        self._values[kept:end] = values
        self._count += len(values)

    def drop_before(self, index: int) -> None:
        """Let go of the elements below an index; the room is used again."""
        if index <= self.first:
            return
        kept = self._values[index - self.first : self._count - self.first]
        self._values = np.empty_like(self._values)
        self._values[: len(kept)] = kept
        self.first = index
        self._count = max(self._count, index)

    def set(self, index: int, value: float) -> None:
        """Change one element."""
        self._values[index - self.first] = value

    def slice(self, start: int, stop: int) -> NDArray[np.generic]:
        """A read-only view of elements ``start`` to ``stop``, cut to what is there at the end.

        Raises:
            IndexError: elements from ``start`` on were dropped; cutting would misalign the others.
        """
        if start < self.first:
            raise IndexError(f"element {start} was dropped; {self.first} is the first that is kept")
        view = self._values[start - self.first : max(start, min(stop, self._count)) - self.first]
        view.flags.writeable = False
        return view

    def int_at(self, index: int) -> int:
        """One element as a Python integer."""
        return int(self._values[index - self.first])

    def float_at(self, index: int) -> float:
        """One element as a Python float."""
        return float(self._values[index - self.first])
