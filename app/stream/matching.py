"""What a filter or a search looks for, compiled so that no pattern can stall the console."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import regex

from app.errors import AppError
from app.stream.records import Severity

_BLOCK_TIMEOUT_S = 2.0
"""A pattern that needs longer for one block (about a thousand lines) would never finish."""


@dataclass(frozen=True, slots=True)
class LinePattern:
    """Which lines are wanted.

    Attributes:
        text: what the line contains; empty means any line.
        regex: ``text`` is a regular expression.
        ignore_case: upper and lower case are the same.
        min_severity: this severity or worse.
        sources: display names; None means all.
    """

    text: str = ""
    regex: bool = False
    ignore_case: bool = True
    min_severity: Severity = Severity.UNKNOWN
    sources: frozenset[str] | None = None


BlockMatcher = Callable[[str], list[int]]
"""Takes a block of lines, each ended by a line feed; returns the positions that match."""


def compile_text(pattern: LinePattern) -> BlockMatcher:
    """A matcher for ``pattern.text``.

    Raises:
        AppError: the text is not a valid regular expression; or, when the matcher runs, it takes
            too long.
    """
    if pattern.regex:
        return _regex_matcher(pattern)
    return _literal_matcher(pattern)


def _literal_matcher(pattern: LinePattern) -> BlockMatcher:
    needle = pattern.text.lower() if pattern.ignore_case else pattern.text
    ignore_case = pattern.ignore_case

    def match(block: str) -> list[int]:
        if ignore_case:
            block = block.lower()
        if needle not in block:
            return []
        return [at for at, line in enumerate(block.split("\n")) if needle in line]

    return match


def _regex_matcher(pattern: LinePattern) -> BlockMatcher:
    flags = regex.IGNORECASE if pattern.ignore_case else 0
    try:
        compiled = regex.compile(pattern.text, flags)
    except regex.error as error:
        raise AppError(
            'The search pattern "{pattern}" is not valid: {reason}.',
            "Correct the pattern, or search for it as plain text.",
            pattern=pattern.text,
            reason=error,
        ) from error

    def match(block: str) -> list[int]:
        lines = block.split("\n")
        lines.pop()
        search, now, end = compiled.search, time.monotonic, time.monotonic() + _BLOCK_TIMEOUT_S
        try:
            return [
                at
                for at, line in enumerate(lines)
                if search(line, timeout=max(0.001, end - now()), concurrent=True)
            ]
        except TimeoutError as error:
            raise AppError(
                'The search pattern "{pattern}" takes too long.',
                "Use a simpler pattern, or search for plain text.",
                pattern=pattern.text,
            ) from error

    return match
