"""Log text made safe to show and to search: caps, ANSI colours, control and bidi characters."""

from __future__ import annotations

import re

MAX_LINE_BYTES = 64 * 1024
"""A longer line is cut before anything else sees it; the whole of it stays in its file."""
MAX_LINE_CHARS = MAX_LINE_BYTES

# ECMA-48 control sequences (CSI, OSC, two-character escapes, character sets) and their C1 form.
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()*+][0-9A-Za-z]|[@-Z\\^_=>78cHM])"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)

_NAMED = {
    0x061C: "ALM",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0xFEFF: "BOM",
}


def _visible_table() -> dict[int, str]:
    table = {code: chr(0x2400 + code) for code in range(0x20)}
    table[0x09] = "    "
    table[0x7F] = "\u2421"
    table.update({code: f"⟨U+{code:04X}⟩" for code in range(0x80, 0xA0)})
    table.update({code: f"⟨{name}⟩" for code, name in _NAMED.items()})
    return table


_VISIBLE = _visible_table()
_HIDDEN = re.compile(
    "[" + "".join(re.escape(chr(code)) for code in sorted(_VISIBLE)) + "\ud800-\udfff]"
)


def strip_ansi(text: str) -> str:
    """Take terminal colours and cursor movements out of a text."""
    return _ANSI.sub("", text) if "\x1b" in text or "\x9b" in text else text


def display_text(text: str) -> str:
    """A line as it may be painted: nothing in it is obeyed, nothing in it is invisible.

    Terminal sequences go, tabs become four spaces, control characters become their pictures
    (``␀``), bidi overrides and zero-width characters are named (``⟨RLO⟩``).
    """
    text = strip_ansi(text)
    if _HIDDEN.search(text) is None:
        return text
    return text.translate(_VISIBLE).encode("utf-8", "replace").decode("utf-8")
