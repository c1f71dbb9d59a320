"""The rows of one decode call, in arrays that are allocated once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Batch:
    """Rows to decode: token, position, sequences, and whether its logits are wanted.

    The arrays are laid out as the C interface wants them, so that a decode hands over pointers
    and copies nothing. Filling is by slices: no Python loop per token of a prefill.

    Arguments:
        capacity: most rows.
        sequences_per_row: most sequence ids one row may belong to.

    Attributes:
        size: rows in use.
        tokens, positions: int32, shape ``(capacity,)``.
        sequence_counts: int32, shape ``(capacity,)``.
        sequence_ids: int32, shape ``(capacity, sequences_per_row)``.
        outputs: int8, shape ``(capacity,)``; 1 where logits are wanted.
    """

    def __init__(self, capacity: int, sequences_per_row: int = 4) -> None:
        if capacity < 1 or sequences_per_row < 1:
            raise ValueError("a batch needs room for at least one row and one sequence")
        self.capacity = capacity
        self.sequences_per_row = sequences_per_row
        self.size = 0
        self.tokens: NDArray[np.int32] = np.zeros(capacity, np.int32)
        self.positions: NDArray[np.int32] = np.zeros(capacity, np.int32)
        self.sequence_counts: NDArray[np.int32] = np.ones(capacity, np.int32)
        self.sequence_ids: NDArray[np.int32] = np.zeros((capacity, sequences_per_row), np.int32)
        self.outputs: NDArray[np.int8] = np.zeros(capacity, np.int8)

    def clear(self) -> None:
        """Forget all rows."""
        self.size = 0

    def add(
        self, token: int, position: int, sequences: Sequence[int], *, output: bool = False
    ) -> int:
        """Append one row.

        Returns:
            Its index, for ``Context.logits``.

        Raises:
            ValueError: the batch is full, or the row belongs to no or too many sequences.
        """
        if self.size >= self.capacity:
            raise ValueError(f"the batch is full ({self.capacity} rows)")
        if not 1 <= len(sequences) <= self.sequences_per_row:
            raise ValueError(f"a row belongs to 1 to {self.sequences_per_row} sequences")
        row = self.size
        self.tokens[row] = token
        self.positions[row] = position
        self.sequence_counts[row] = len(sequences)
        self.sequence_ids[row, : len(sequences)] = sequences
        self.outputs[row] = output
        self.size += 1
        return row

    def extend(
        self, tokens: NDArray[np.int32], start: int, sequence: int, *, output_last: bool = False
    ) -> None:
        """Append consecutive rows of one sequence.

        Arguments:
            tokens: int32, shape ``(n,)``.
            start: position of the first.
            sequence: the sequence they all belong to.
            output_last: whether the logits of the last row are wanted.

        Raises:
            ValueError: they do not fit.
        """
        count = len(tokens)
        first, last = self.size, self.size + count
        if last > self.capacity:
            raise ValueError(f"{count} rows do not fit: {self.capacity - self.size} are free")
        self.tokens[first:last] = tokens
        self.positions[first:last] = np.arange(start, start + count, dtype=np.int32)
        self.sequence_counts[first:last] = 1
        self.sequence_ids[first:last, 0] = sequence
        self.outputs[first:last] = 0
        if output_last and count:
            self.outputs[last - 1] = 1
        self.size = last
