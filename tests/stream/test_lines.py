"""Bytes become numbered lines, wherever they are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.stream.encoding import Encoding
from app.stream.lines import LineReader, RawLines
from app.stream.text import MAX_LINE_BYTES, MAX_LINE_CHARS

# Bytes in which line ends, NULs, escapes and halves of characters are common.
_AWKWARD = st.lists(
    st.one_of(
        st.sampled_from(
            [b"\n", b"\r\n", b"\r", b"\0", b"\x1b[31m", b"\xef\xbb\xbf", b"\xff", b"\n\0"]
        ),
        st.text(max_size=8).map(lambda text: text.encode("utf-8", "replace")),
        st.text("报警停机 error\n", max_size=8).map(lambda text: text.encode("gb18030")),
        st.binary(max_size=6),
    ),
    max_size=40,
).map(b"".join)
_CUTS = st.lists(st.integers(0, 400), max_size=8)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    return [data[start:end] for start, end in pairwise(edges)]


def read_all(parts: list[bytes], encoding: Encoding | None = None) -> list[str]:
    reader = LineReader(encoding)
    lines = [line for part in parts for line in reader.feed(part)]
    lines += reader.settle()
    last = reader.partial()
    return lines if last is None else [*lines, last]


@given(_AWKWARD, _CUTS, st.sampled_from(["utf-8", "gb18030", "utf-16-le", "utf-16-be"]))
def test_raw_lines_put_together_are_the_input(data: bytes, cuts: list[int], name: str) -> None:
    raw = RawLines(Encoding(name))
    blocks = [raw.feed(part) for part in pieces(data, cuts)]
    blocks.append(raw.settle())
    assert b"".join(blocks) + raw.pending == data


@given(_AWKWARD, _CUTS)
def test_reading_never_raises_and_no_line_holds_a_line_feed(data: bytes, cuts: list[int]) -> None:
    for line in read_all(pieces(data, cuts)):
        assert "\n" not in line
        line.encode("utf-8")


@given(
    st.lists(
        st.text(st.characters(blacklist_characters="\r\n\x1b\x9b", blacklist_categories=["Cs"]))
    ),
    _CUTS,
    st.sampled_from(["utf-8", "gb18030", "utf-16-le", "utf-16-be"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_lines_are_the_same_wherever_the_bytes_are_cut(
    lines: list[str], cuts: list[int], name: str, end: str
) -> None:
    data = "".join(line + end for line in lines).encode(name)
    expected = list(lines)
    if expected:
        expected[0] = expected[0].removeprefix("\ufeff")
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return  # reads as a byte-order mark of another encoding: that one is obeyed
    assert read_all(pieces(data, cuts), Encoding(name)) == expected


def test_a_character_cut_by_a_read_waits_for_its_rest() -> None:
    reader = LineReader()
    data = "3号线 停机\n".encode()
    cut = data.index("停".encode()) + 1
    assert reader.feed(data[:cut]) == []
    assert reader.feed(data[cut:]) == ["3号线 停机"]
    assert reader.undecodable == 0


def test_a_last_line_without_line_end_is_shown_and_completed_later() -> None:
    reader = LineReader()
    assert reader.feed(b"one\ntwo") == ["one"]
    assert reader.partial() == "two"
    assert reader.feed(b" three\n") == ["two three"]
    assert reader.partial() is None


def test_half_a_character_at_the_end_of_a_partial_line_is_not_shown_yet() -> None:
    reader = LineReader()
    reader.feed("ok 报警".encode()[:-1])
    assert reader.partial() == "ok 报"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\rc", ["a", "b", "c"]),
        (b"a\rb\r", ["a", "b"]),
        # A carriage return inside a line of a file with line feeds is no line end, as in grep -n.
        (b"10%\r20%\r100%\ndone\n", ["10%\r20%\r100%", "done"]),
        (b"a\n\r\nb", ["a", "", "b"]),
        (b"\n\n", ["", ""]),
        (b"", []),
    ],
)
def test_line_ends(data: bytes, lines: list[str]) -> None:
    assert read_all([data]) == lines
    assert read_all([bytes([byte]) for byte in data]) == lines


def test_a_giant_line_keeps_its_beginning_and_the_next_line_its_number() -> None:
    reader = LineReader()
    lines: list[str] = []
    for _ in range(40):
        lines += reader.feed(b"x" * MAX_LINE_BYTES)
    lines += reader.feed(b"end\nnext\n")
    assert [len(lines[0]), lines[1]] == [MAX_LINE_CHARS, "next"]
    assert reader.cut_lines == 1
    assert reader.cut_bytes == 39 * MAX_LINE_BYTES + 3


def test_a_giant_line_is_cut_between_characters() -> None:
    reader = LineReader(Encoding("utf-8"))
    lines = reader.feed(("停" * MAX_LINE_BYTES).encode())
    lines += reader.feed(b"\n")
    assert lines == ["停" * (MAX_LINE_BYTES // 3)]
    assert reader.undecodable == 0


def test_a_giant_line_within_one_read_is_cut_too() -> None:
    reader = LineReader()
    lines = reader.feed(b"a\n" + b"y" * (MAX_LINE_BYTES + 5) + b"\nb\n")
    assert [len(line) for line in lines] == [1, MAX_LINE_CHARS, 1]
    assert (reader.cut_lines, reader.cut_bytes) == (1, 5)


def test_a_hole_of_nul_bytes_does_not_swallow_the_line_behind_it() -> None:
    """A file truncated under a writer that does not append begins with such a hole."""
    reader = LineReader()
    lines: list[str] = []
    for _ in range(16):
        lines += reader.feed(b"\0" * 100_000)
    lines += reader.feed(b"12:00:01 first line after the hole\n")
    assert lines == ["12:00:01 first line after the hole"]
    assert reader.cut_bytes == 1_600_000


def test_single_nul_bytes_stay_in_the_line() -> None:
    assert read_all([b"a\0b\n"]) == ["a\0b"]


def test_terminal_colours_are_taken_out() -> None:
    assert read_all([b"\x1b[1;31mERROR\x1b[0m jam\x1b]0;title\x07\n"]) == ["ERROR jam"]


def test_undecodable_bytes_are_replaced_and_counted() -> None:
    reader = LineReader(Encoding("utf-8"))
    assert reader.feed(b"speed \xff 0.6\nok \xef\xbf\xbd\n") == ["speed � 0.6", "ok �"]
    assert reader.undecodable == 1


def test_undecodable_bytes_of_an_encoding_without_replacement_character() -> None:
    """Counting them raised, and the source was given up."""
    reader = LineReader(Encoding("shift_jis"))
    assert reader.feed("停止".encode("shift_jis") + b" \xe0\n") == ["停止 �"]
    assert reader.undecodable == 1
