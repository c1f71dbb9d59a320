"""The bundled faces: one proportional, one fixed-width, both with Chinese."""

from __future__ import annotations

import logging
from functools import cache
from typing import Final

from PySide6.QtGui import QFontDatabase

from app.data import data_path

SANS: Final = "Anchorline Sans"
MONO: Final = "Anchorline Mono"
SANS_FAMILIES: Final = [SANS, "Noto Sans CJK SC", "sans-serif"]
MONO_FAMILIES: Final = [MONO, SANS, "Noto Sans Mono CJK SC", "monospace"]

_FILES: Final = ("AnchorlineSans-Regular", "AnchorlineSans-Bold", "AnchorlineMono-Regular")

log = logging.getLogger(__name__)


@cache
def load() -> tuple[str, ...]:
    """Register the bundled faces with Qt, once; returns the files that could not be read.

    Without them the console falls back to the system's faces: legible, not as exact.
    """
    missing = []
    for stem in _FILES:
        path = data_path(f"resources/fonts/{stem}.otf")
        if not path.is_file() or QFontDatabase.addApplicationFont(str(path)) < 0:
            missing.append(path.name)
    if missing:
        log.warning("bundled fonts missing: %s", ", ".join(missing))
    return tuple(missing)
