"""Whatever a log holds, reading it never raises, and its lines come back as they were."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.stream.digest import Digest
from app.stream.lines import LineReader
from app.stream.parsing import LineParser
from app.stream.severity import severity_of
from app.stream.store import LogStore
from app.stream.templates import TemplateMiner

# Pieces that the rules look for, in any order and number.
_PIECES = st.sampled_from(
    [
        "2026-11-30 08:00:00,123",
        "Feb 29 10:00:00",
        "99:99:99",
        "24:60:61",
        "13/13/13 01:02:03",
        "1700000000",
        "19991399-25:61:61:999",
        "[Sun Feb 31 04:47:44 2005]",
        "<34>",
        "<999>",
        "[error]",
        "ERROR",
        "level=",
        '"level":50',
        "0 errors",
        "停机",
        "报警解除",
        "E/Tag",
        "<*>",
        "{name}",
        "%s",
        "0x",
        "-",
        "\0",
        "\u202e",
        "\ufeff",
        "\x85",
        "\u2028",
        "  ",
        "\t",
        "1" * 400,
        "a" * 3_000,
    ]
)
_LINES = st.lists(
    st.lists(st.one_of(_PIECES, st.text(max_size=5)), max_size=6)
    .map(" ".join)
    .map(lambda text: text.replace("\n", " ")),
    max_size=30,
)


@given(_LINES)
@settings(max_examples=200)
def test_any_lines_become_records_and_a_digest(lines: list[str]) -> None:
    records = LineParser("x", TemplateMiner(), 0.0).parse(lines, 1)
    assert [record.text for record in records] == lines
    for record in records:
        assert record.raw_time in record.text
        assert (record.time_s is None) == (record.raw_time == "")
    store = LogStore()
    store.append(records)
    assert store.records(0, len(lines)) == records
    now_s = [0.0]
    digest = Digest(lambda: 50.0, clock=lambda: now_s[0])
    digest.add(records[:10], backlog=True)
    digest.end_backlog("x")
    digest.add(records[10:], backlog=False)
    now_s[0] = 100.0
    for line in digest.poll():
        assert line.text.endswith("\n")
        assert line.text.count("\n") == 1
        assert 1 <= line.first_line <= line.last_line <= len(lines)


@given(st.text())
def test_any_text_has_a_severity(text: str) -> None:
    severity_of(text)


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_any_bytes_become_records(parts: list[bytes]) -> None:
    reader = LineReader()
    parser = LineParser("x", TemplateMiner(), 1e9)
    for part in parts:
        parser.parse(reader.feed(part), 1)
    parser.parse(reader.settle(), 1)
    reader.partial()
