"""Throttled updates and the measure of the event loop's pauses."""

from __future__ import annotations

import time

from pytestqt.qtbot import QtBot

from app.ui.heartbeat import Heartbeat
from app.ui.throttle import Throttle


def test_the_first_call_is_made_at_once_and_the_others_become_one(qtbot: QtBot) -> None:
    calls: list[int] = []
    asked = 0
    throttle = Throttle(lambda: calls.append(asked), 20)
    for _ in range(100):
        asked += 1
        throttle()
    assert calls == [1]
    qtbot.waitUntil(lambda: len(calls) == 2)
    assert calls == [1, 100]


def test_a_waiting_call_can_be_made_now_or_forgotten(qtbot: QtBot) -> None:
    calls: list[int] = []
    throttle = Throttle(lambda: calls.append(1), 10_000)
    throttle()
    throttle()
    throttle.flush()
    assert len(calls) == 2
    throttle()
    throttle.cancel()
    throttle.flush()
    assert len(calls) == 2
    throttle()
    assert len(calls) == 3


def test_a_blocked_event_loop_is_noticed(qtbot: QtBot) -> None:
    heart = Heartbeat()
    heart.start()
    qtbot.waitUntil(lambda: heart.beats > 2)
    end = time.perf_counter() + 0.08
    while time.perf_counter() < end:
        pass
    beats = heart.beats
    qtbot.waitUntil(lambda: heart.beats > beats)
    assert heart.longest_block_ms >= 60
    heart.reset()
    assert heart.longest_block_ms == 0
    heart.stop()
