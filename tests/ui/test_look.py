"""Themes, sizes, fonts, text on the screen."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontDatabase, QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication

from app.ui import fonts, theme
from app.ui.display import columns, visible
from app.ui.theme import THEMES, Tokens


@pytest.mark.parametrize("name", list(THEMES))
def test_every_text_can_be_read(name: str) -> None:
    tokens: Tokens = THEMES[name]
    least = 7.0 if name == "contrast" else 4.5
    pairs = [
        (front, back)
        for front in ("text", "secondary", "touchable", "critical", "warning", "notice", "sound")
        for back in ("ground", "surface")
    ]
    pairs += [
        ("text", "raised"), ("text", "cited"), ("text", "critical_fill"), ("text", "warning_fill"),
        ("secondary", "cited"), ("secondary", "critical_fill"), ("critical", "critical_fill"),
        ("warning", "warning_fill"), ("critical", "cited"), ("warning", "cited"),
        ("secondary", "raised"), ("on_touchable", "touchable"),
    ]  # fmt: skip
    poor = {
        (front, back): round(theme.contrast_ratio(getattr(tokens, front), getattr(tokens, back)), 2)
        for front, back in pairs
        if theme.contrast_ratio(getattr(tokens, front), getattr(tokens, back)) < least
    }
    assert not poor


def test_contrast_of_black_and_white_is_the_greatest() -> None:
    assert theme.contrast_ratio("#000000", "#FFFFFF") == pytest.approx(21)


class _Screen:
    def __init__(self, dpi: float) -> None:
        self._dpi = dpi

    def physicalDotsPerInch(self) -> float:  # noqa: N802 - as Qt has it
        return self._dpi


@pytest.mark.parametrize(
    ("dpi", "target_px", "ask_px"),
    [
        (149.0, 48, 117),  # 10 inches at 1280x800
        (117.0, 48, 92),  # 10 inches at 1024x600
        (224.0, 67, 176),  # 10 inches at 1920x1200
        (96.0, 48, 76),  # a desktop
        (0.0, 48, 76),  # a screen that does not say
        (30.0, 48, 76),  # a projector
    ],
)
def test_sizes_come_from_the_density_of_the_screen(
    application: QApplication, dpi: float, target_px: int, ask_px: int
) -> None:
    try:
        theme.measure(_Screen(dpi))  # type: ignore[arg-type]
        assert (theme.dp(48), theme.mm(20)) == (target_px, ask_px)
    finally:
        theme.measure(application.primaryScreen())


def test_both_faces_are_bundled_and_in_force(application: QApplication) -> None:
    families = QFontDatabase.families()
    assert fonts.SANS in families
    assert fonts.MONO in families
    assert QFontInfo(theme.font()).family() == fonts.SANS
    assert QFontInfo(theme.font(mono=True)).family() == fonts.MONO


def test_every_common_chinese_character_is_in_the_font(application: QApplication) -> None:
    metrics = QFontMetricsF(theme.font())
    missing = [
        character
        for row in range(0xB0, 0xF8)
        for cell in range(0xA1, 0xFF)
        if (character := bytes((row, cell)).decode("gb2312", "ignore"))
        and not metrics.inFontUcs4(ord(character))
    ]
    assert not missing


def test_figures_are_tabular_and_ideographs_take_two_columns(application: QApplication) -> None:
    for mono in (False, True):
        metrics = QFontMetricsF(theme.font(mono=mono))
        assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1
    metrics = QFontMetricsF(theme.font(mono=True))
    assert metrics.horizontalAdvance("线") == pytest.approx(2 * metrics.horizontalAdvance("0"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a    b"),
        ("\x1b[1;31merror\x1b[0m", "error"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("nul \x00 bell \x07", "nul \\x00 bell \\x07"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("line\u2028break", "line\\u2028break"),
        ("3号线停机", "3号线停机"),
        ("", ""),
    ],
)
def test_invisible_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_of_megabytes_is_cut_for_the_screen() -> None:
    assert len(visible("x" * 5_000_000)) == 4001


def test_columns_count_ideographs_twice() -> None:
    assert columns("abc") == 3
    assert columns("3号线") == 5
