"""On what machine a figure was measured."""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path

_WIDEST_FIRST = ("amx_int8", "avx512f", "avx2", "avx", "sve", "asimddp", "asimd")


def describe_machine() -> dict[str, object]:
    """Processor class, cores, date: what must stand beside every figure."""
    return {
        "machine": f"{platform.machine()}, {_processor()}, {os.cpu_count()} cores",
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or "unknown processor"
    flags = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    present = set(flags[1].split()) if flags else set()
    return next((name for name in _WIDEST_FIRST if name in present), "baseline instructions")
