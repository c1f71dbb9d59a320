"""Where bytes come from: one small protocol, and files that are followed while they grow."""

from __future__ import annotations

import lzma
import os
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Protocol

from app.stream.opening import (
    cannot_read,
    compression_of,
    no_text_log,
    open_decompressing,
    open_shared,
)

_HEAD_BYTES = 256
"""How much of a file's beginning tells it from another one."""
_GRACE_S = 0.2
"""How long a file renamed away is still read: its writer may hold it open for a last line."""
_BOMB_BYTES = 64 * 1024 * 1024
_BOMB_RATIO = 200


class SourceState(StrEnum):
    """What a source is doing."""

    READING = "reading"
    FOLLOWING = "following"
    ENDED = "ended"
    MISSING = "missing"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SourceNote:
    """A sentence for the operator: a template and its fields, as in ``AppError``."""

    text: str
    values: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class SourceRead:
    """What one look at a source brought.

    Attributes:
        data: new bytes; empty when there were none.
        restarted: the bytes to come belong to a new file; finish the old one first. Such a read
            carries no data.
        at_end: everything written so far has been read.
        existing_read: everything that was there when the source was opened has been read.
        idle_s: how long the source has brought nothing new.
        note: something the operator should know.
    """

    data: bytes = b""
    restarted: bool = False
    at_end: bool = False
    existing_read: bool = False
    idle_s: float = 0.0
    note: SourceNote | None = None


class Source(Protocol):
    """A stream of bytes that never blocks for long and survives what happens to its origin."""

    @property
    def state(self) -> SourceState:
        """What the source is doing."""

    @property
    def lost_bytes(self) -> int:
        """Bytes known to have been written and never read."""

    def poll(self, limit_bytes: int) -> SourceRead:
        """Look once; return at most ``limit_bytes`` new bytes."""

    def close(self) -> None:
        """Let go of the origin; may be called twice."""


class FileSource:
    """Follows a file by its bytes: append, rename-and-create, truncate, gone and back.

    A replacement is noticed by inode, by size and by the file's first bytes; the old file is
    read to its end first. Compressed files (gzip, bzip2, xz) are read once.

    Arguments:
        path: the file; it may be missing when ``follow`` is set.
        follow: go on after the end.
        clock: monotonic seconds, for tests.
    """

    def __init__(
        self,
        path: Path,
        *,
        follow: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self._follow = follow
        self._clock = clock
        self._file: BinaryIO | None = None
        self._compressed_bytes = 0
        self._existing_bytes = 0
        self._position = 0
        self._head = b""
        self._seen: tuple[int, int] = (-1, -1)
        self._changed_at = clock()
        self._looked_at = clock()
        self._replaced_at: float | None = None
        self._opened_once = False
        self._state = SourceState.READING
        self._lost_bytes = 0

    @property
    def state(self) -> SourceState:
        """What the source is doing."""
        return self._state

    @property
    def lost_bytes(self) -> int:
        """Bytes known to have been written and never read."""
        return self._lost_bytes

    def poll(self, limit_bytes: int) -> SourceRead:
        """Look once; return at most ``limit_bytes`` new bytes. Never raises for the file's sake."""
        if self._state in (SourceState.ENDED, SourceState.FAILED):
            return SourceRead(at_end=True, idle_s=self._idle_s())
        try:
            if self._file is None:
                return self._open()
            return self._read(self._file, limit_bytes)
        except (EOFError, zlib.error, lzma.LZMAError) as error:
            return self._damaged(error)
        except OSError as error:
            return self._fail_or_wait(error)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    # --- opening ------------------------------------------------------------------------------

    def _open(self) -> SourceRead:
        try:
            file = open_shared(self.path)
        except FileNotFoundError:
            return self._missing()
        head = file.read(_HEAD_BYTES)
        refusal = no_text_log(self.path, head)
        if refusal is not None:
            file.close()
            return self._failed(refusal.message_template, values=refusal.values)
        compression = compression_of(head)
        if compression:
            self._compressed_bytes = os.fstat(file.fileno()).st_size
            file.close()
            file = open_decompressing(self.path, compression)
        came_back = self._opened_once and self._is_same_file(file, head)
        restarted = self._opened_once and not came_back
        if not came_back:
            self._position = 0
            self._head = b""
        file.seek(self._position)
        self._file = file
        self._seen = (-1, -1)
        self._replaced_at = None
        if not self._opened_once:
            self._existing_bytes = sys.maxsize if compression else os.fstat(file.fileno()).st_size
        self._opened_once = True
        if self._state is SourceState.MISSING:
            self._state = SourceState.FOLLOWING
        return SourceRead(restarted=restarted)

    def _is_same_file(self, file: BinaryIO, head: bytes) -> bool:
        """A file that was away is the same when its first bytes are and nothing is missing."""
        if self._compressed_bytes or not self._head or not head.startswith(self._head):
            return False
        return os.fstat(file.fileno()).st_size >= self._position

    # --- reading ------------------------------------------------------------------------------

    def _read(self, file: BinaryIO, limit_bytes: int) -> SourceRead:
        if not self._compressed_bytes:
            restart = self._look_for_restart(file)
            if restart is not None:
                return restart
        data = file.read(limit_bytes)
        self._looked_at = self._clock()
        if data:
            if len(self._head) < _HEAD_BYTES:
                self._head += data[: _HEAD_BYTES - len(self._head)]
            self._position += len(data)
            self._changed_at = self._clock()
            if self._is_bomb():
                return self._failed(
                    "{name} unpacks to more than {ratio} times its size and was cut off.",
                    data,
                    values={"ratio": _BOMB_RATIO},
                )
            return SourceRead(data, existing_read=self._position >= self._existing_bytes)
        return self._at_end(file)

    def _is_bomb(self) -> bool:
        limit = max(_BOMB_BYTES, self._compressed_bytes * _BOMB_RATIO)
        return self._compressed_bytes > 0 and self._position > limit

    def _look_for_restart(self, file: BinaryIO) -> SourceRead | None:
        """Truncated, or rewritten in place?"""
        status = os.fstat(file.fileno())
        now = (status.st_size, status.st_mtime_ns)
        if now == self._seen:
            return None
        before, self._seen = self._seen, now
        if status.st_size < self._position and not self._still_has_last_byte(file):
            unread = max(0, before[0] - self._position)
            return self._restart_in_place(file, unread)
        if self._head and self._first_bytes(file, len(self._head)) != self._head:
            return self._restart_in_place(file, 0)
        return None

    def _still_has_last_byte(self, file: BinaryIO) -> bool:
        """Network drives may report an old size; the data itself decides."""
        file.seek(self._position - 1)
        return bool(file.read(1))

    def _first_bytes(self, file: BinaryIO, count: int) -> bytes:
        file.seek(0)
        head = file.read(count)
        file.seek(self._position)
        return head

    def _restart_in_place(self, file: BinaryIO, unread_bytes: int) -> SourceRead:
        gap_ms = round((self._clock() - self._looked_at) * 1000)
        self._lost_bytes += unread_bytes
        self._position = 0
        self._head = b""
        self._changed_at = self._clock()
        file.seek(0)
        return SourceRead(
            restarted=True,
            note=SourceNote(
                "{name} was emptied and starts again. {lost_bytes} bytes were not read; lines"
                " written in the last {gap_ms} ms before that may be missing.",
                (("lost_bytes", unread_bytes), ("gap_ms", gap_ms)),
            ),
        )

    # --- the end of the file ------------------------------------------------------------------

    def _at_end(self, file: BinaryIO) -> SourceRead:
        if not self._follow or self._compressed_bytes:
            self._state = SourceState.ENDED
            self.close()
            return SourceRead(at_end=True, idle_s=self._idle_s())
        try:
            there = os.stat(self.path)  # noqa: PTH116 - Path.stat costs twice as much
        except FileNotFoundError:
            return self._gone()
        mine = os.fstat(file.fileno())
        if (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino):
            return self._replaced()
        self._replaced_at = None
        note = None
        if self._state is SourceState.MISSING:
            note = SourceNote("{name} is back.")
        self._state = SourceState.FOLLOWING
        return SourceRead(at_end=True, idle_s=self._idle_s(mine.st_mtime), note=note)

    def _gone(self) -> SourceRead:
        read = self._missing()
        if os.name == "nt" and self._clock() - self._changed_at > 1.0:
            # A deleted file's name stays taken on Windows while anyone has it open.
            self.close()
        return read

    def _missing(self) -> SourceRead:
        if not self._follow:
            error = cannot_read(self.path, FileNotFoundError())
            return self._failed(error.message_template, values=error.values)
        note = None
        if self._state is not SourceState.MISSING:
            self._state = SourceState.MISSING
            note = SourceNote("{name} is not there; it is read as soon as it appears.")
        return SourceRead(at_end=True, idle_s=self._idle_s(), note=note)

    def _replaced(self) -> SourceRead:
        """Another file has the name; give the old one's writer a moment, then change over."""
        now = self._clock()
        if self._replaced_at is None:
            self._replaced_at = now
        if now - max(self._replaced_at, self._changed_at) < _GRACE_S:
            return SourceRead()
        self.close()
        self._head = b""
        self._state = SourceState.FOLLOWING
        read = self._open()
        return SourceRead(
            restarted=read.restarted,
            note=read.note or SourceNote("{name} was rotated; the new file is followed."),
        )

    def _idle_s(self, mtime_s: float | None = None) -> float:
        idle_s = self._clock() - self._changed_at
        if mtime_s is not None:
            idle_s = max(idle_s, time.time() - mtime_s)
        return idle_s

    # --- failures -----------------------------------------------------------------------------

    def _damaged(self, error: Exception) -> SourceRead:
        return self._failed(
            "{name} is damaged: {reason}. What could be unpacked is shown.",
            values={"reason": error},
        )

    def _fail_or_wait(self, error: OSError) -> SourceRead:
        """A network drive comes back; a damaged archive does not."""
        if self._compressed_bytes:
            return self._damaged(error)
        reason = cannot_read(self.path, error)
        if not self._follow:
            return self._failed(reason.message_template, values=reason.values)
        self.close()
        note = None
        if self._state is not SourceState.MISSING:
            self._state = SourceState.MISSING
            note = SourceNote(reason.message_template, tuple(reason.values.items()))
        return SourceRead(at_end=True, idle_s=self._idle_s(), note=note)

    def _failed(self, template: str, data: bytes = b"", *, values: dict[str, object]) -> SourceRead:
        self.close()
        self._state = SourceState.FAILED
        note = SourceNote(template, tuple(values.items()))
        return SourceRead(data, at_end=True, idle_s=self._idle_s(), note=note)
