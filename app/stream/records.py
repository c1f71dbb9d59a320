"""What a log line becomes: a record with its number, severity, time and template."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Severity(IntEnum):
    """Severity of a line; higher is worse."""

    UNKNOWN = 0
    DEBUG = 1
    INFO = 2
    NOTICE = 3
    WARNING = 4
    ERROR = 5
    CRITICAL = 6


@dataclass(frozen=True, slots=True)
class Record:
    """One log line.

    Attributes:
        source: display name of the source (a file's name without folders).
        number: line number within the source's current file, from 1.
        text: the line, decoded, without its line end; never interpreted as markup.
        severity: by simple rules from fields and words.
        raw_time: the time as the line writes it; empty where none was found.
        time_s: seconds since 1970-01-01 of that time read as UTC, or None where unknown.
        template_id: id of the Drain template; -1 where none was assigned.
    """

    source: str
    number: int
    text: str
    severity: Severity
    raw_time: str
    time_s: float | None
    template_id: int


DROPPED = Record("", 0, "", Severity.UNKNOWN, "", None, -1)
"""Stands in the place of a line that is no longer kept (lines are numbered from 1)."""
