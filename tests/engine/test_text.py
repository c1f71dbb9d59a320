"""Text out of tokens."""

from __future__ import annotations

from app.engine.text import LoopDetector, TextAssembler


def test_characters_come_out_whole() -> None:
    assembler = TextAssembler()
    raw = "线".encode()
    assert assembler.feed(raw[:1]) == ""
    assert assembler.feed(raw[1:] + b"!") == "线!"
    assert assembler.feed(raw[:2]) == ""
    assert assembler.flush() == "\ufffd"
    assert assembler.text == "线!\ufffd"


def test_a_loop_is_noticed() -> None:
    detector = LoopDetector()
    looping = [1, 2, 3, 4, 5, 6, 7] * 20
    noticed = [index for index, token in enumerate(looping) if detector.feed(token)]
    assert noticed
    assert noticed[0] < 7 * 5, "soon after the phrase has come back three times"


def test_lists_and_short_runs_are_no_loops() -> None:
    detector = LoopDetector()
    counted = [token for number in range(30) for token in (1, 2, 100 + number, 3)]
    assert not any(detector.feed(token) for token in counted)
    detector = LoopDetector()
    assert not any(detector.feed(token) for token in [5] * 20)
    assert any(detector.feed(token) for token in [5] * 20)
