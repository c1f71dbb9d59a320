"""One process at a time: a lock on a file, given back by the system when its holder dies."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from app.models.sources import Cancelled

_POLL_S = 0.2


@contextlib.contextmanager
def exclusive(path: Path, cancelled: Callable[[], bool]) -> Iterator[None]:
    """Hold the lock on ``path`` while the block runs; wait for another process that has it.

    Raises:
        Cancelled: ``cancelled`` said so while waiting.
        OSError: the file cannot be made.
    """
    pause = threading.Event()
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while not _try_lock(handle):
            if cancelled():
                raise Cancelled
            pause.wait(_POLL_S)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
