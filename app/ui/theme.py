"""The look in one place: colour tokens of each theme, sizes by physical density, palette."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette, QScreen
from PySide6.QtWidgets import QApplication

from app.ui import fonts
from app.ui.stylesheet import stylesheet


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours of one theme, as ``#RRGGBB``.

    Attributes:
        ground, surface, raised: backgrounds, from the window up.
        line: the 1 px lines that separate things.
        text, secondary: foregrounds.
        touchable, on_touchable: what reacts to a touch, and text on it.
        cited: background of a log line that an answer rests on.
        critical, warning, notice, sound: states; always with a shape and a word as well.
        critical_fill, warning_fill: backgrounds of such states.
        band: the normal band of a plot.
        part: the larger part of the cache in the ring.
    """

    ground: str
    surface: str
    raised: str
    line: str
    text: str
    secondary: str
    touchable: str
    on_touchable: str
    cited: str
    critical: str
    critical_fill: str
    warning: str
    warning_fill: str
    notice: str
    sound: str
    band: str
    part: str


THEMES: Final[dict[str, Tokens]] = {
    "night": Tokens(
        ground="#14171A",
        surface="#1C2126",
        raised="#252B31",
        line="#343C44",
        text="#E6EAEE",
        secondary="#A7B1BA",
        touchable="#5AA9E6",
        on_touchable="#0D1114",
        cited="#1A3245",
        critical="#FF6B6B",
        critical_fill="#3A2225",
        warning="#F5B83D",
        warning_fill="#382F1E",
        notice="#8FA3B5",
        sound="#5DBB7B",
        band="#222A30",
        part="#7B8FA1",
    ),
    "day": Tokens(
        ground="#F3F5F6",
        surface="#FFFFFF",
        raised="#E9EDF0",
        line="#CBD2D8",
        text="#1B2126",
        secondary="#55606A",
        touchable="#0B63B6",
        on_touchable="#FFFFFF",
        cited="#D3E6F8",
        critical="#B3261E",
        critical_fill="#FBE4E2",
        warning="#8A5A00",
        warning_fill="#FFE3A6",
        notice="#5B6B7A",
        sound="#1E7B43",
        band="#E6ECF0",
        part="#6B7C8B",
    ),
    "contrast": Tokens(
        ground="#000000",
        surface="#000000",
        raised="#1A1A1A",
        line="#B8B8B8",
        text="#FFFFFF",
        secondary="#E4E4E4",
        touchable="#FFE000",
        on_touchable="#000000",
        cited="#3D3600",
        critical="#FFB0B0",
        critical_fill="#330000",
        warning="#FFFFFF",
        warning_fill="#262626",
        notice="#FFFFFF",
        sound="#FFFFFF",
        band="#262626",
        part="#8C8C8C",
    ),
}

ORDER: Final = ("night", "day", "contrast")

TEXT_PX: Final = 16
HEADING_PX: Final = 20
VALUE_PX: Final = 24

# A portable terminal of 10 inches at 1280x800 has 149 dots per inch; at 160, 1 dp is 1 px. Screens
# below that are desktops and televisions, seen from further away: they get no smaller sizes.
_DP_DPI: Final = 160.0
_LEAST_DPI: Final = 96.0
_MOST_DPI: Final = 400.0


class _State:
    """What is in force now; one per process, as there is one QApplication."""

    name = "night"
    dpi = _LEAST_DPI


def tokens() -> Tokens:
    """Colours in force."""
    return THEMES[_State.name]


def name() -> str:
    """Name of the theme in force."""
    return _State.name


def colour(role: str) -> QColor:
    """A token of the theme in force as QColor.

    Arguments:
        role: field name of :class:`Tokens`.
    """
    return QColor(getattr(tokens(), role))


def dp(value: float) -> int:
    """Density-independent pixels (1/160 inch, never less than a pixel each) to logical pixels."""
    return round(value * max(1.0, _State.dpi / _DP_DPI))


def mm(value: float) -> int:
    """Millimetres on the screen to logical pixels."""
    return round(value / 25.4 * _State.dpi)


def font(pixels: int = TEXT_PX, *, mono: bool = False, bold: bool = False) -> QFont:
    """A bundled face with tabular figures, ``pixels`` dp high."""
    made = QFont()
    made.setFamilies(fonts.MONO_FAMILIES if mono else fonts.SANS_FAMILIES)
    made.setPixelSize(dp(pixels))
    made.setBold(bold)
    return made


def measure(screen: QScreen | None) -> None:
    """Take the density of a screen; one that does not say plausibly counts as a desktop's."""
    dpi = screen.physicalDotsPerInch() if screen is not None else 0.0
    _State.dpi = dpi if _LEAST_DPI <= dpi <= _MOST_DPI else _LEAST_DPI


def preferred() -> str:
    """The theme that suits the system: its contrast preference first, then its colour scheme."""
    hints = QGuiApplication.styleHints()
    accessibility = getattr(hints, "accessibility", None)  # Qt 6.10 and newer
    if accessibility is not None:
        preference = getattr(accessibility(), "contrastPreference", None)
        if preference is not None and getattr(preference(), "name", "") == "HighContrast":
            return "contrast"
    return "day" if hints.colorScheme() == Qt.ColorScheme.Light else "night"


def apply(app: QApplication, theme: str = "auto") -> str:
    """Put a theme in force for the whole application; returns the name of the one chosen.

    Arguments:
        theme: ``auto``, ``night``, ``day`` or ``contrast``.
    """
    _State.name = theme if theme in THEMES else preferred()
    app.setFont(font())
    app.setPalette(_palette(tokens()))
    app.setStyleSheet(stylesheet(_as_dict(tokens()), dp))
    return _State.name


def following(theme: str) -> str:
    """The theme that comes after one when the operator taps the theme button."""
    return ORDER[(ORDER.index(theme) + 1) % len(ORDER)]


def contrast_ratio(foreground: str, background: str) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.1, relative luminance)."""
    first, second = sorted((_luminance(foreground), _luminance(background)), reverse=True)
    return (first + 0.05) / (second + 0.05)


def _luminance(text: str) -> float:
    ink = QColor(text)
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (ink.redF(), ink.greenF(), ink.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _as_dict(values: Tokens) -> dict[str, str]:
    return {item.name: getattr(values, item.name) for item in fields(values)}


def _palette(values: Tokens) -> QPalette:
    roles = QPalette.ColorRole
    palette = QPalette()
    for role, value in (
        (roles.Window, values.ground),
        (roles.Base, values.surface),
        (roles.AlternateBase, values.raised),
        (roles.Button, values.raised),
        (roles.ToolTipBase, values.raised),
        (roles.Mid, values.line),
        (roles.WindowText, values.text),
        (roles.Text, values.text),
        (roles.ButtonText, values.text),
        (roles.ToolTipText, values.text),
        (roles.PlaceholderText, values.secondary),
        (roles.Link, values.touchable),
        (roles.Highlight, values.touchable),
        (roles.HighlightedText, values.on_touchable),
    ):
        palette.setColor(role, QColor(value))
    return palette
