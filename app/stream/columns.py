"""Arrays that grow: amortised constant cost an element, no Python object an element."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Column:
    """A growing one-dimensional array.

    What has been appended is never moved within the array that a reader holds, so a slice taken
    earlier stays right while the column grows.
    """

    def __init__(self, dtype: DTypeLike, capacity: int = 4_096) -> None:
        self._values: NDArray[np.generic] = np.empty(capacity, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Bytes allocated."""
        return self._values.nbytes

    def extend(self, values: Sequence[float] | NDArray[np.generic]) -> None:
        """Append several elements."""
        end = self._count + len(values)
        if end > len(self._values):
            grown = np.empty(max(end, len(self._values) * 3 // 2), self._values.dtype)
            grown[: self._count] = self._values[: self._count]
            self._values = grown
        self._values[self._count : end] = values
        self._count = end

    def set(self, index: int, value: float) -> None:
        """Change one element."""
        self._values[index] = value

    def slice(self, start: int, stop: int) -> NDArray[np.generic]:
        """A read-only view of elements ``start`` to ``stop``, cut to what is there."""
        view = self._values[max(0, start) : max(0, min(stop, self._count))]
        view.flags.writeable = False
        return view

    def int_at(self, index: int) -> int:
        """One element as a Python integer."""
        return int(self._values[index])

    def float_at(self, index: int) -> float:
        """One element as a Python float."""
        return float(self._values[index])

    def clear(self) -> None:
        """Forget all elements; slices taken earlier keep theirs."""
        self._values = np.empty(16, self._values.dtype)
        self._count = 0
