"""Lines of one shape share a template."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.stream import templates
from app.stream.parsing import LineParser
from app.stream.templates import UNASSIGNED, TemplateMiner, mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("port 38926 from 173.234.31.186", "port <*> from <*>"),
        ("blk_-6952295868487656571 size 67108864", "blk_-<*> size <*>"),
        ("HRESULT 0x800f080d", "HRESULT <*>"),
        ("session 0x24f0557806a0010 timeout", "session <*> timeout"),
        ("id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "id <*>"),
        ("speed 0.62 m/s", "speed <*> m/s"),
        ("0 errors, rate 0.0 %", "0 errors, rate 0.0 %"),
        ("3号线停机", "<*>号线停机"),
        ("deadbeef is a word", "deadbeef is a word"),
    ],
)
def test_what_varies_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


def test_ids_stay_the_same_and_texts_become_general() -> None:
    miner = TemplateMiner()
    first, _ = miner.assign("Failed password for root from 1.2.3.4 port 99 [ssh]")
    assert miner.take_changed() == {first: "Failed password for root from <*> port <*> [ssh]"}
    again, _ = miner.assign("Failed password for admin from 5.6.7.8 port 12 [ssh]")
    assert again == first
    assert miner.take_changed() == {first: "Failed password for <*> from <*> port <*> [ssh]"}
    assert miner.take_changed() == {}
    other, _ = miner.assign("Connection closed by 1.2.3.4 [preauth]")
    assert other != first


def test_memory_is_bounded_when_every_line_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "_MAX_TEMPLATES", 50)
    monkeypatch.setattr(templates, "_CACHE_ENTRIES", 100)
    miner = TemplateMiner()
    words = [
        f"{chr(97 + a)}{chr(97 + b)} only{chr(97 + b)}{chr(97 + a)}"
        for a in range(26)
        for b in range(26)
    ]
    ids = [miner.assign(text)[0] for text in words]
    assert len(set(ids)) <= 51
    assert miner.unassigned == ids.count(UNASSIGNED) > 0


@pytest.mark.parametrize(
    ("name", "fewest", "most"),
    [("Apache.log", 6, 6), ("OpenSSH.log", 15, 40), ("HDFS.log", 12, 25), ("Linux.log", 60, 150)],
)
def test_real_logs_have_few_templates(sample_logs: Path, name: str, fewest: int, most: int) -> None:
    lines = (sample_logs / name).read_text().splitlines()
    records = LineParser(name, TemplateMiner(), 0.0).parse(lines, 1)
    assert fewest <= len({record.template_id for record in records}) <= most
