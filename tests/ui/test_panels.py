"""The engine's panels: figures and verdicts in plain words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.engine.messages import (
    CacheOccupancy,
    EnginePhase,
    EngineState,
    MemoryUse,
    Telemetry,
)
from app.ui import verdicts
from app.ui.marks import Level
from tests.ui.conftest import Bench
from tests.ui.fakes import TARGET

HEALTHY = Telemetry(
    cache=CacheOccupancy(3072, 200, 1000, 300, 2048, 900, 28_672, 0),
    memory=MemoryUse(1_400_000_000, 0, 1_500_000_000),
    perplexity=3.25,
    perplexity_tokens=512,
    ingest_tokens_per_s=80.25,
    decode_tokens_per_s=23.4,
    ttft_ms=412,
)


def show(bench: Bench, qtbot: QtBot, telemetry: Telemetry) -> None:
    """Open the drawer and let figures arrive."""
    bench.window.header.engine.setChecked(True)
    bench.session.emit(EngineState(EnginePhase.READY, TARGET))
    bench.session.emit(telemetry)
    drawer = bench.window.drawer
    qtbot.waitUntil(lambda: drawer.memory.telemetry is telemetry)


def test_the_parts_of_the_cache_are_shown_in_tokens_and_megabytes(
    bench: Bench, qtbot: QtBot
) -> None:
    show(bench, qtbot, HEALTHY)
    memory = bench.window.drawer.memory
    rows = [
        (name.text(), *(number.text() for number in numbers))
        for name, numbers in zip(memory.parts.names, memory.parts.numbers, strict=True)
    ]
    assert rows == [
        ("Sinks", "200", "5.7 MB"),
        ("Window", "1,000", "28.7 MB"),
        ("Asking", "300", "8.6 MB"),
        ("Process", "", "1,400 MB"),
        ("Swapped", "", "0.0 MB"),
    ]
    assert memory.ring.accessibleName() == "sinks 200, window 1,000, asking 300"


def test_a_healthy_engine_says_so_in_all_three_panels(bench: Bench, qtbot: QtBot) -> None:
    show(bench, qtbot, HEALTHY)
    drawer = bench.window.drawer
    assert drawer.acceptance.headline.text() == "plain decoding"
    assert drawer.acceptance.verdict_label.text().startswith("Healthy: plain decoding")
    assert drawer.memory.verdict_label.level is Level.SOUND
    assert drawer.perplexity.headline.text() == "3.25"
    assert drawer.perplexity.verdict_label.text().startswith("Measuring")


def test_swapped_memory_is_said_with_what_to_do(bench: Bench, qtbot: QtBot) -> None:
    show(bench, qtbot, replace(HEALTHY, memory=MemoryUse(1_400_000_000, 300_000_000, 0)))
    verdict = bench.window.drawer.memory.verdict_label
    assert verdict.level is Level.WARNING
    assert verdict.text() == (
        "Degraded: 300 MB are in swap, answers slow down. Close other programs."
    )


def test_a_model_that_did_not_load_is_said(bench: Bench, qtbot: QtBot) -> None:
    show(bench, qtbot, HEALTHY)
    bench.session.emit(EngineState(EnginePhase.FAILED))
    verdict = bench.window.drawer.acceptance.verdict_label
    qtbot.waitUntil(lambda: verdict.level is Level.CRITICAL)
    assert verdict.text() == "No model answers: see the notice at the top."


def test_drafts_that_are_accepted_are_shown_with_their_rate(bench: Bench, qtbot: QtBot) -> None:
    show(bench, qtbot, replace(HEALTHY, mode="sequential", acceptance_rate=0.68))
    panel = bench.window.drawer.acceptance
    assert panel.headline.text() == "68%"
    assert panel.line.isVisible()
    assert panel.verdict_label.text() == "Healthy: acceptance is in its band."


@pytest.mark.parametrize(
    ("values", "level", "start"),
    [
        ((), Level.QUIET, "Measuring"),
        ((3.0,) * 5, Level.QUIET, "Measuring"),
        ((3.0,) * 30, Level.SOUND, "Healthy"),
        ((3.0,) * 30 + (5.0,), Level.WARNING, "Degraded"),
    ],
)
def test_perplexity_is_judged_against_what_is_usual(
    values: tuple[float, ...], level: Level, start: str
) -> None:
    verdict = verdicts.perplexity(values)
    assert verdict.level is level
    assert verdict.template.startswith(start)


def test_a_full_window_is_healthy() -> None:
    verdict = verdicts.memory(replace(HEALTHY.cache, evicted_tokens=5000), HEALTHY.memory)
    assert verdict.level is Level.SOUND
    assert "oldest lines leave" in verdict.template


def test_the_panels_speak_chinese(bench: Bench, qtbot: QtBot) -> None:
    show(bench, qtbot, HEALTHY)
    bench.controller.set_language("zh_CN")
    drawer = bench.window.drawer
    qtbot.waitUntil(lambda: drawer.memory.title.text() == "内存")
    assert drawer.memory.verdict_label.text() == "正常：目前的日志全部在窗口内。"
    assert drawer.acceptance.headline.text() == "普通解码"
