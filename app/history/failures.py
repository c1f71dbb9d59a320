"""Two kinds of database error: what the machine caused becomes words, a bug stays a bug."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import AppError

_WORDS: dict[str, tuple[str, str]] = {
    "SQLITE_READONLY": (
        "The history in {path} can only be read, not written.",
        "Allow writing to that folder; until then new answers are not kept.",
    ),
    "SQLITE_PERM": (
        "There is no permission to use the history in {path}.",
        "Allow reading and writing in that folder; until then new answers are not kept.",
    ),
    "SQLITE_CANTOPEN": (
        "The history in {path} cannot be opened.",
        "See that the folder exists and can be written; until then new answers are not kept.",
    ),
    "SQLITE_BUSY": (
        "The history in {path} is locked by another program.",
        "Close the other program that uses it, then ask again.",
    ),
    "SQLITE_LOCKED": (
        "The history in {path} is locked by another program.",
        "Close the other program that uses it, then ask again.",
    ),
    "SQLITE_FULL": (
        "The disk that holds the history in {path} is full.",
        "Free some space; until then new answers are not kept.",
    ),
    "SQLITE_IOERR": (
        "The disk that holds the history in {path} cannot be read or written ({reason}).",
        "Check the disk; until then new answers are not kept.",
    ),
    "SQLITE_CORRUPT": (
        "The history in {path} is damaged.",
        "Start Anchorline again: it sets the damaged file aside and begins a new one.",
    ),
    "SQLITE_NOTADB": (
        "The history in {path} is damaged.",
        "Start Anchorline again: it sets the damaged file aside and begins a new one.",
    ),
}


def primary_code(error: sqlite3.Error) -> str:
    """The name of the primary result code, such as ``SQLITE_BUSY`` for ``SQLITE_BUSY_SNAPSHOT``.

    Empty for errors that Python's module raises by itself. Result codes: sqlite.org/rescode.html.
    """
    name: str = getattr(error, "sqlite_errorname", "") or ""
    return "_".join(name.split("_")[:2])


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken, so that only a new one helps."""
    return primary_code(error) in ("SQLITE_CORRUPT", "SQLITE_NOTADB")


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn errors that the environment caused into ``AppError``; let bugs through.

    Raises:
        AppError: the database is read-only, locked, damaged, out of reach, or its disk is full.
    """
    try:
        yield
    except sqlite3.Error as error:
        words = _WORDS.get(primary_code(error))
        if words is None:
            raise
        raise AppError(*words, path=path, reason=error) from error
