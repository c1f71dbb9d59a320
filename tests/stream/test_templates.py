"""Lines of one shape share a template."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from drain3.drain import Drain, LogCluster

from app.stream import templates
from app.stream.parsing import LineParser
from app.stream.templates import UNASSIGNED, TemplateMiner, mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("port 38926 from 173.234.31.186", "port <#> from <#>"),
        ("blk_-6952295868487656571 size 67108864", "blk_-<#> size <#>"),
        ("HRESULT 0x800f080d", "HRESULT <#>"),
        ("session 0x24f0557806a0010 timeout", "session <#> timeout"),
        ("id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "id <#>"),
        ("speed 0.62 m/s", "speed <#> m/s"),
        ("0 errors, rate 0.0 %", "0 errors, rate 0.0 %"),
        ("3号线停机", "<#>号线停机"),
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
    [
        ("Apache.log", 6, 6),
        ("HDFS.log", 14, 18),
        ("HealthApp.log", 70, 85),
        ("Linux.log", 110, 125),
        ("OpenSSH.log", 23, 28),
        ("Spark.log", 32, 38),
        ("Windows.log", 42, 52),
        ("Zookeeper.log", 43, 52),
    ],
)
def test_real_logs_have_about_as_many_templates_as_people_counted(
    sample_logs: Path, name: str, fewest: int, most: int
) -> None:
    lines = (sample_logs / name).read_text().splitlines()
    records = LineParser(name, TemplateMiner(), 0.0).parse(lines, 1)
    assert fewest <= len({record.template_id for record in records}) <= most


def test_a_rare_line_is_not_lost_in_a_common_template() -> None:
    miner = TemplateMiner()
    failed = {
        miner.assign(f"host sshd[{n}]: Failed password for {user} from 1.2.3.{n} port 9{n} ssh2")[0]
        for n, user in enumerate(["root", "admin", "guest"])
    }
    accepted, _ = miner.assign("host sshd[9]: Accepted password for ann from 1.2.3.9 port 77 ssh2")
    assert len(failed) == 1
    assert accepted not in failed


def test_the_same_words_keep_their_template_when_the_cache_is_emptied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(templates, "_CACHE_ENTRIES", 2)
    miner = TemplateMiner()
    lines = ["10 20 30", "a 1", "b 2", "c 3", "d 4"]
    first = [miner.assign(line)[0] for line in lines]
    assert [miner.assign(line)[0] for line in lines] == first


def test_text_without_shape_costs_a_bounded_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dump of random words once made each line be compared with all lines before it."""
    compared: list[int] = []
    original = Drain.fast_match

    def counting(
        self: Drain, ids: Collection[int], tokens: Sequence[str], sim_th: float, include: bool
    ) -> LogCluster | None:
        compared.append(len(ids))
        return original(self, ids, tokens, sim_th, include)

    monkeypatch.setattr(Drain, "fast_match", counting)
    random_ = random.Random(1)
    miner = TemplateMiner()
    for _ in range(2_000):
        miner.assign("".join(random_.choices("ghijklmnopqrstuvwxyz", k=30)))
    assert max(compared) <= 100
