"""Log text is shown, never obeyed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.stream.text import display_text, strip_ansi


def test_control_characters_are_made_visible() -> None:
    assert display_text("a\0b\x07c\x7fd") == "a␀b␇c␡d"
    assert display_text("carriage\rreturn") == "carriage␍return"
    assert display_text("col1\tcol2") == "col1    col2"


def test_bidi_overrides_cannot_reorder_a_line() -> None:
    assert display_text("user \u202egnp.exe\u202c") == "user ⟨RLO⟩gnp.exe⟨PDF⟩"


def test_zero_width_characters_are_named() -> None:
    assert display_text("pass\u200bword \ufeff") == "pass⟨ZWSP⟩word ⟨BOM⟩"


def test_ordinary_text_is_untouched() -> None:
    text = "3号线停机 <b>not markup</b> {name} 23.4 °C ×12"
    assert display_text(text) is text


def test_terminal_sequences_are_removed() -> None:
    assert strip_ansi("\x1b[0;32mok\x1b[m \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\") == "ok link"


@given(st.text())
def test_what_is_shown_holds_no_hidden_character(text: str) -> None:
    shown = display_text(text)
    assert display_text(shown) == shown
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in shown)
    shown.encode("utf-8")


@given(st.text(st.characters(codec=None)))
def test_lone_surrogates_do_not_raise(text: str) -> None:
    display_text(text)
