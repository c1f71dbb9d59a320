"""The text of many lines in little memory: blocks of encoded lines, old ones compressed."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections import OrderedDict

import numpy as np

from app.stream.columns import Column

_BLOCK_BYTES = 128 * 1024
_PLAIN_BLOCKS = 64
"""So many of the newest blocks stay uncompressed: what is watched live."""
_UNPACKED_BLOCKS = 16
"""So many old blocks stay unpacked after they were looked at."""


class TextBlocks:
    """Appended lines, found again by index; not thread-safe by itself.

    The bytes of a closed block never change (another block takes its place), so a reader may hold
    them without a lock.
    """

    def __init__(self) -> None:
        self.clear()

    def __len__(self) -> int:
        return len(self._starts)

    def clear(self) -> None:
        """Forget all lines."""
        self._starts = Column(np.uint32)
        self._first_lines = [0]
        self._closed: list[bytes] = []
        self._closed_bytes = 0
        self._packed = 0
        self._open = bytearray()
        self._unpacked: OrderedDict[int, bytes] = OrderedDict()

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        unpacked = sum(len(block) for block in self._unpacked.values())
        return self._closed_bytes + unpacked + len(self._open) + self._starts.nbytes

    @property
    def used_bytes(self) -> int:
        """Bytes that the lines need, without room to grow and what is unpacked for readers."""
        starts = (len(self) - self.first) * self._starts.itemsize
        return self._closed_bytes + len(self._open) + starts

    @property
    def first(self) -> int:
        """Index of the oldest line that is kept."""
        return self._first_lines[0]

    def drop_oldest(self, bytes_wanted: int, bytes_a_line: int) -> int:
        """Let go of the oldest closed blocks; the other lines keep their indices.

        Arguments:
            bytes_wanted: at least so many are to come free, if closed blocks hold them.
            bytes_a_line: what the caller holds for each line besides its text.

        Returns:
            The first line that is kept.
        """
        freed = count = 0
        while count < len(self._closed) and freed < bytes_wanted:
            lines = self._first_lines[count + 1] - self._first_lines[count]
            freed += len(self._closed[count]) + lines * (bytes_a_line + self._starts.itemsize)
            count += 1
        self._closed_bytes -= sum(len(block) for block in self._closed[:count])
        del self._closed[:count], self._first_lines[:count]
        self._packed = max(0, self._packed - count)
        self._unpacked.clear()  # its blocks have other numbers now
        self._starts.drop_before(self.first)
        return self.first

    def append(self, texts: list[str]) -> None:
        """Append lines; none may contain a line feed."""
        at = 0
        while at < len(texts):
            at += self._append_to_open(texts[at:] if at else texts)
            if len(self._open) >= _BLOCK_BYTES:
                self._close_block()

    def replace(self, index: int, text: str) -> None:
        """Put another text in the place of a line; costs work for its block only."""
        block = self.block_at(index)
        stop = self._last_line(block)
        data = bytearray(self._plain(block))
        start = self._starts.int_at(index)
        end = self._starts.int_at(index + 1) if index + 1 < stop else len(data)
        line = _encode(text)
        data[start:end] = line
        longer = len(line) - (end - start)
        for later in range(index + 1, stop):
            self._starts.set(later, self._starts.int_at(later) + longer)
        self._put_block(block, data)

    def text(self, index: int) -> str:
        """One line."""
        return self.texts(index, index + 1)[0]

    def texts(self, start: int, stop: int) -> list[str]:
        """Lines ``start`` to ``stop``."""
        found: list[str] = []
        while start < stop:
            block = bisect_right(self._first_lines, start) - 1
            first = self._first_lines[block]
            end = self._last_line(block)
            upto = min(stop, end)
            found += self._slice(block, start, upto, whole=(start == first and upto == end))
            start = upto
        return found

    def block_count(self) -> int:
        """Number of blocks, the open one included."""
        return len(self._first_lines)

    def block_at(self, index: int) -> int:
        """The block that holds line ``index``."""
        return bisect_right(self._first_lines, index) - 1

    def block_lines(self, block: int) -> tuple[int, int]:
        """Indices of a block's first line and of the line after its last."""
        return self._first_lines[block], self._last_line(block)

    def block_data(self, block: int) -> tuple[bytes, bool]:
        """The bytes of a block, and whether they are compressed (see ``block_text``)."""
        if block == len(self._closed):
            return bytes(self._open), False
        unpacked = self._unpacked.get(block)
        if unpacked is not None:
            return unpacked, False
        return self._closed[block], block < self._packed

    def _last_line(self, block: int) -> int:
        if block + 1 < len(self._first_lines):
            return self._first_lines[block + 1]
        return len(self)

    def _append_to_open(self, texts: list[str]) -> int:
        """Append lines until the open block is full; return how many were taken."""
        starts: list[int] = []
        open_block = self._open
        for text in texts:
            starts.append(len(open_block))
            open_block += _encode(text)
            if len(open_block) >= _BLOCK_BYTES:
                break
        self._starts.extend(starts)
        return len(starts)

    def _close_block(self) -> None:
        self._closed.append(bytes(self._open))
        self._closed_bytes += len(self._open)
        self._open = bytearray()
        self._first_lines.append(len(self))
        while len(self._closed) - self._packed > _PLAIN_BLOCKS:
            self._set_closed(self._packed, zlib.compress(self._closed[self._packed], 1))
            self._packed += 1

    def _put_block(self, block: int, data: bytearray) -> None:
        self._unpacked.pop(block, None)
        if block == len(self._closed):
            self._open = data
        else:
            plain = bytes(data)
            self._set_closed(block, zlib.compress(plain, 1) if block < self._packed else plain)

    def _set_closed(self, block: int, data: bytes) -> None:
        self._closed_bytes += len(data) - len(self._closed[block])
        self._closed[block] = data

    def _slice(self, block: int, start: int, stop: int, *, whole: bool) -> list[str]:
        data = self._plain(block)
        if not whole:
            begin = self._starts.int_at(start)
            at_end = stop == self._last_line(block)
            end = len(data) if at_end else self._starts.int_at(stop)
            data = data[begin:end]
        lines = bytes(data).decode("utf-8", "surrogatepass").split("\n")
        lines.pop()
        return lines

    def _plain(self, block: int) -> bytes | bytearray:
        if block == len(self._closed):
            return self._open
        if block >= self._packed:
            return self._closed[block]
        plain = self._unpacked.get(block)
        if plain is None:
            plain = zlib.decompress(self._closed[block])
            self._unpacked[block] = plain
            if len(self._unpacked) > _UNPACKED_BLOCKS:
                self._unpacked.popitem(last=False)
        else:
            self._unpacked.move_to_end(block)
        return plain


def block_text(data: bytes, packed: bool) -> str:
    """The text of a block from ``TextBlocks.block_data``; every line ends with a line feed."""
    plain = zlib.decompress(data) if packed else data
    return plain.decode("utf-8", "surrogatepass")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass") + b"\n"
