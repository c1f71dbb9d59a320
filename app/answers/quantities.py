"""Numbers with units, made comparable."""

from __future__ import annotations

import re
from dataclasses import dataclass

UNIT_SCALE = {
    "b": 1.0, "bytes": 1.0, "kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3, "tb": 1024.0**4,
    "kib": 1024.0, "mib": 1024.0**2, "gib": 1024.0**3, "tib": 1024.0**4,
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "seconds": 1.0,
    "min": 60.0, "minutes": 60.0, "h": 3600.0, "hours": 3600.0,
    "hz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9, "mv": 1e-3, "v": 1.0, "ma": 1e-3, "a": 1.0,
    "pa": 1.0, "kpa": 1e3, "mpa": 1e6, "w": 1.0, "kw": 1e3, "mm": 1e-3, "cm": 1e-2, "m": 1.0,
    "g": 1.0, "kg": 1e3,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a line.

    Attributes:
        text: as the line writes it, unit included.
        amount: scaled to the unit's base (bytes, seconds, hertz).
    """

    text: str
    amount: float


def quantity(text: str) -> Quantity | None:
    """Read a number with an optional unit; None where the text does not begin with one."""
    found = re.match(r"\s*[\"'(\[]?([-+]?\d[\d,]*(?:\.\d+)?)(\s?[A-Za-zµ%°℃][A-Za-z/°%]*)?", text)
    if found is None:
        return None
    unit = (found.group(2) or "").strip()
    scale = UNIT_SCALE.get(unit.lower())
    known = scale is not None or unit in ("%", "°C", "℃", "bar", "rpm", "mm/s", "m/s", "l/min")
    shown = found.group(1) + (found.group(2) or "" if known else "")
    return Quantity(shown.strip(), float(found.group(1).replace(",", "")) * (scale or 1.0))
