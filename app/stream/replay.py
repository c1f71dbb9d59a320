"""Writes an existing log line by line, as a live source would."""

from __future__ import annotations

import lzma
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from app.errors import AppError
from app.stream.opening import (
    cannot_read,
    check_readable,
    compression_of,
    open_decompressing,
    open_shared,
)


def replay(
    file: Path,
    to: Path,
    rate_lines_per_s: float,
    *,
    stop: threading.Event | None = None,
    append: bool = False,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write ``file`` to ``to`` at a steady rate, each line at once and whole.

    Bytes are copied as they are; a last line without line end stays without. Lines that fall due
    together (at high rates) are written together.

    Arguments:
        file: the log to replay; may be compressed (gzip, bzip2, xz).
        to: the file to write; begun anew unless ``append`` is set.
        rate_lines_per_s: lines a second; 0 means as fast as possible.
        stop: ends it early.
        append: keep what is in ``to``.
        progress: told the number of lines written, now and then.

    Returns:
        The number of lines written.

    Raises:
        AppError: one of the files cannot be read or written, they are the same, or the rate is
            negative.
    """
    if rate_lines_per_s < 0:
        raise AppError(
            "The rate {rate} is negative.",
            "Give lines a second, such as 20; 0 means as fast as possible.",
            rate=rate_lines_per_s,
        )
    check_readable(file)
    stop = stop or threading.Event()
    with _open_source(file) as source:
        try:
            if to.exists() and file.samefile(to):
                raise AppError(
                    "{path} would be replayed onto itself.",
                    "Name another file to write to.",
                    path=file,
                )
            to.parent.mkdir(parents=True, exist_ok=True)
            with to.open("ab" if append else "wb", buffering=0) as target:
                return _copy(_lines(source, file), target, rate_lines_per_s, stop, progress)
        except OSError as error:
            raise AppError(
                "{path} cannot be written: {reason}.",
                "Free some disk space, or check that the folder may be written to.",
                path=to,
                reason=error.strerror or str(error),
            ) from error


def _open_source(file: Path) -> BinaryIO:
    try:
        with open_shared(file) as probe:
            compression = compression_of(probe.read(16))
        return open_decompressing(file, compression) if compression else file.open("rb")
    except OSError as error:
        raise cannot_read(file, error) from error


def _lines(source: BinaryIO, file: Path) -> Iterator[bytes]:
    """The lines of an open file; its troubles are told from those of the file written to."""
    try:
        yield from source
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        # What gzip and bz2 say of wrong data is an OSError that no operating system gave.
        if isinstance(error, OSError) and error.errno is not None:
            raise cannot_read(file, error) from error
        raise AppError(
            "{path} is damaged: {reason}.",
            "The lines before the damage were written; for the others get a whole copy.",
            path=file,
            reason=error,
        ) from error


def _copy(
    source: Iterator[bytes],
    target: BinaryIO,
    rate_lines_per_s: float,
    stop: threading.Event,
    progress: Callable[[int], None] | None,
) -> int:
    begun = time.monotonic()
    written = 0
    lines: list[bytes] = []
    try:
        for line in source:
            due_s = written / rate_lines_per_s if rate_lines_per_s else 0.0
            wait_s = due_s - (time.monotonic() - begun)
            if (wait_s > 0 or len(lines) >= 1_000) and lines:
                target.write(b"".join(lines))
                lines.clear()
                if progress is not None:
                    progress(written)
            if stop.wait(wait_s) if wait_s > 0 else stop.is_set():
                break
            lines.append(line)
            written += 1
    except AppError:
        target.write(b"".join(lines))  # what was read before the damage
        raise
    target.write(b"".join(lines))
    if progress is not None:
        progress(written)
    return written
