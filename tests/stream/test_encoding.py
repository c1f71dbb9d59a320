"""The encoding of a log is found once, also on short Chinese samples."""

from __future__ import annotations

import pytest

from app.stream.encoding import detect_encoding
from app.stream.lines import LineReader

CHINESE = "2026-11-30 08:00:01 报警：3号线停机，编码器打滑\n2026-11-30 08:00:02 复位\n"


@pytest.mark.parametrize("name", ["utf-8", "gb18030", "utf-16-le", "utf-16-be"])
def test_chinese_logs_read_right_in_every_usual_encoding(name: str) -> None:
    assert detect_encoding(CHINESE.encode(name)).name == name
    assert LineReader().feed(CHINESE.encode(name)) == CHINESE.splitlines()


@pytest.mark.parametrize(
    ("bom", "name"),
    [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")],
)
def test_a_byte_order_mark_decides_and_is_not_shown(bom: bytes, name: str) -> None:
    assert LineReader().feed(bom + CHINESE.encode(name)) == CHINESE.splitlines()


@pytest.mark.parametrize("text", ["错误", "报警", "故障停机", "3号线"])
def test_one_short_chinese_line_is_enough(text: str) -> None:
    assert LineReader().feed(text.encode("gb18030") + b"\n") == [text]
    assert LineReader().feed(text.encode("utf-8") + b"\n") == [text]


def test_a_long_english_beginning_does_not_decide_against_chinese_later() -> None:
    reader = LineReader()
    reader.feed(b"plain ascii line\n" * 10_000)
    assert reader.feed("急停 已按下\n".encode("gb18030")) == ["急停 已按下"]
    assert reader.encoding.name == "gb18030"


def test_a_few_bad_bytes_do_not_turn_utf8_into_another_encoding() -> None:
    data = ("温度 23 °C\n" * 50).encode() + b"bad \xff\xfe byte\n"
    reader = LineReader()
    lines = reader.feed(data)
    assert lines[0] == "温度 23 °C"
    assert reader.encoding.name == "utf-8"
    assert reader.undecodable > 0


def test_western_text_is_not_taken_for_chinese() -> None:
    text = "Störung an Förderband fünf, Motor überhitzt, Lüfter läuft\n" * 5
    assert "Förderband fünf" in LineReader().feed(text.encode("cp1252"))[0]


def test_nul_bytes_alone_are_not_utf16() -> None:
    assert detect_encoding(b"\0" * 5000).unit_bytes == 1


def test_a_cut_character_at_the_end_of_the_sample_does_no_harm() -> None:
    assert detect_encoding(CHINESE.encode()[:-2]).name == "utf-8"
    assert detect_encoding("报警停机".encode("gb18030")[:-1]).name == "gb18030"
