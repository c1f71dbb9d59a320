"""Opening log files without standing in their writer's way; compressed files read through."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO, cast

from app.errors import AppError

_COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
}
# What is not a log at all, or only after it has been unpacked or exported.
# Whole sentences: in other languages the words around a kind depend on it.
_REFUSED = {
    b"PK\x03\x04": "{path} is not a text log but a zip archive or office document.",
    b"\x28\xb5\x2f\xfd": "{path} is not a text log but a zstandard archive.",
    b"7z\xbc\xaf\x27\x1c": "{path} is not a text log but a 7z archive.",
    b"Rar!\x1a\x07": "{path} is not a text log but a rar archive.",
    b"\x7fELF": "{path} is not a text log but a program.",
    b"\x89PNG": "{path} is not a text log but a picture.",
    b"\xff\xd8\xff": "{path} is not a text log but a picture.",
    b"%PDF-": "{path} is not a text log but a PDF document.",
    b"SQLite format 3\x00": "{path} is not a text log but a database.",
    b"ElfFile\x00": "{path} is not a text log but a Windows event log.",
    b"GGUF": "{path} is not a text log but a language model.",
}
_MAGIC_BYTES = 16


def check_readable(path: Path) -> None:
    """Refuse early what cannot be followed.

    Touches the file system: on a path that hangs, so does this.

    Raises:
        AppError: missing, a folder, a device, without permission, or not a text log.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise AppError(
                "{path} is a folder.", "Name the log file in it that you want to read.", path=path
            )
        if not stat.S_ISREG(mode):
            raise AppError(
                "{path} is not a regular file.",
                "Write the stream to a file, and name that file.",
                path=path,
            )
        with open_shared(path) as file:
            refusal = no_text_log(path, file.read(_MAGIC_BYTES))
    except OSError as error:
        raise cannot_read(path, error) from error
    if refusal is not None:
        raise refusal


def cannot_read(path: Path, error: OSError) -> AppError:
    """The operating system's refusal, in words."""
    if isinstance(error, FileNotFoundError):
        return AppError("There is no file {path}.", "Check the name and the folder.", path=path)
    if isinstance(error, PermissionError):
        return AppError(
            "{path} may not be read by this user.",
            "Ask for read permission on the file and its folder.",
            path=path,
        )
    return AppError(
        "Cannot read {path}: {reason}.",
        "Check that the disk or network drive is connected.",
        path=path,
        reason=error.strerror or str(error),
    )


def no_text_log(path: Path, head: bytes) -> AppError | None:
    """Why a file whose first bytes are ``head`` is not read; None for a log."""
    for magic, sentence in _REFUSED.items():
        if head.startswith(magic):
            hint = "Unpack or export it as text, then open the text file."
            return AppError(sentence, hint, path=path)
    return None


def compression_of(head: bytes) -> str:
    """``gzip``, ``bzip2``, ``xz``, or empty for a plain file."""
    return next((name for magic, name in _COMPRESSED.items() if head.startswith(magic)), "")


def open_shared(path: Path) -> BinaryIO:
    """Open for reading, unbuffered, so that the writer can still rename, truncate and delete."""
    if sys.platform == "win32":
        return _open_shared_windows(path)
    # A FIFO would block an ordinary open; O_NONBLOCK changes nothing for regular files.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    return os.fdopen(descriptor, "rb", buffering=0)


def open_decompressing(path: Path, compression: str) -> BinaryIO:
    """Open a compressed file; reading yields its contents."""
    if compression == "gzip":
        return cast(BinaryIO, gzip.open(path, "rb"))
    if compression == "bzip2":
        return cast(BinaryIO, bz2.open(path, "rb"))
    return cast(BinaryIO, lzma.open(path, "rb"))


if sys.platform == "win32":
    import ctypes
    import msvcrt

    def _open_shared_windows(path: Path) -> BinaryIO:
        """CreateFileW with every share mode; Python's own open denies renaming and deleting."""
        generic_read, share_all, open_existing, normal = 0x80000000, 0x7, 3, 0x80
        create = ctypes.windll.kernel32.CreateFileW
        create.restype = ctypes.c_void_p
        handle = create(str(path), generic_read, share_all, None, open_existing, normal, None)
        if handle is None or handle == ctypes.c_void_p(-1).value:
            raise ctypes.WinError()
        descriptor = msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY)
        return os.fdopen(descriptor, "rb", buffering=0)
