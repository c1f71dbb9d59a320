"""Memory of this process as the system sees it."""

from __future__ import annotations

from pathlib import Path

import psutil

_STATUS = Path("/proc/self/status")


def process_memory() -> tuple[int, int, int]:
    """Anonymous, swapped and resident bytes of this process; -1 where the system cannot say.

    Growth is judged by anonymous plus swapped memory: resident memory alone rises with mapped
    weights and hides what was swapped out.
    """
    try:
        text = _STATUS.read_text(encoding="ascii", errors="replace")
    except OSError:
        return -1, -1, int(psutil.Process().memory_info().rss)
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    anonymous, swapped, resident = (
        int(fields[name].split()[0]) * 1024 if name in fields else -1
        for name in ("RssAnon", "VmSwap", "VmRSS")
    )
    return anonymous, swapped, resident
