"""The parts of a line before its message: level, component, machine."""

from __future__ import annotations

from dataclasses import dataclass

_CANONICAL = {
    "trace": "trace", "verbose": "trace", "finest": "trace",
    "debug": "debug", "dbg": "debug", "fine": "debug", "调试": "debug",
    "info": "info", "information": "info", "informational": "info", "inf": "info", "信息": "info",
    "notice": "notice", "提示": "notice", "通知": "notice",
    "warn": "warning", "warning": "warning", "wrn": "warning",
    "警告": "warning", "告警": "warning", "预警": "warning",
    "error": "error", "err": "error", "错误": "error", "severe": "severe", "failure": "failure",
    "critical": "critical", "crit": "critical", "严重": "critical",
    "fatal": "fatal", "致命": "fatal", "alert": "alert", "alarm": "alarm", "alm": "alarm",
    "报警": "alarm", "emerg": "emergency", "emergency": "emergency", "panic": "panic",
}  # fmt: skip
LEVEL_LETTERS = {
    "V": "trace",
    "D": "debug",
    "I": "info",
    "W": "warning",
    "E": "error",
    "F": "fatal",
    "A": "alert",
}
"""Levels of logs that write a single letter, as phones do."""
PUNCTUATION = "[](){}<>:,;|*-\"'"
"""What may stand around a level word."""


def canonical_level(word: str) -> str:
    """The common name of a level word, such as ``warning`` for ``WARN``; empty for other words."""
    return _CANONICAL.get(word.strip(PUNCTUATION).lower(), "")


@dataclass(frozen=True, slots=True)
class Head:
    """What a line says before its message.

    Attributes:
        level: as written; empty where there is none.
        level_name: its common name, such as ``warning``.
        component: who wrote the line, without process number; empty where unknown.
        host: the machine or node named before the component; empty where none is.
        message_start: offset of the message in the text.
        body_start: offset right behind time and level, where the component may stand.
    """

    level: str = ""
    level_name: str = ""
    component: str = ""
    message_start: int = 0
    body_start: int = 0
    host: str = ""


NO_HEAD = Head()
"""Of a line that cannot be taken apart."""
