"""Log text made fit to be seen: colour codes hidden, control and bidi characters shown."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

MOST_CHARACTERS: Final = 4000
"""Longest text drawn for one line; the store keeps the rest."""

_TAB: Final = "    "
# Colour and style sequences (ECMA-48 SGR) and erase-in-line, as log writers use them.
_ANSI = re.compile(r"\x1b\[[0-9;:]*[mK]")
# Everything that would move, hide or reorder text instead of being seen: C0, DEL, C1, zero-width
# and bidi controls, line and paragraph separators, byte order mark, language tags.
_HIDDEN = re.compile(
    r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """A log line as it is drawn: one line, no invisible characters, tabs as spaces.

    What is cut off or replaced changes only the picture; searching and copying use the raw text.
    """
    cut = len(text) > MOST_CHARACTERS
    shown = text[:MOST_CHARACTERS] if cut else text
    if not shown.isprintable():
        shown = _ANSI.sub("", shown).replace("\t", _TAB)
        shown = _HIDDEN.sub(_escape, shown)
    return f"{shown}…" if cut else shown


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@lru_cache(maxsize=4096)
def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def columns(text: str) -> int:
    """Columns a text takes in the fixed-width face: ideographs two, other characters one."""
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for character in text if _is_wide(character))
