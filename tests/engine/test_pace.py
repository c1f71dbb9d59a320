"""Measured speed."""

from __future__ import annotations

import pytest

from app.engine.pace import Pace


def test_a_small_slow_batch_does_not_halve_the_speed() -> None:
    pace = Pace()
    for _ in range(8):
        pace.add(128, 1.28)
    pace.add(10, 0.5)
    assert pace.tokens_per_s == pytest.approx(100, rel=0.1)


def test_a_lasting_change_is_followed() -> None:
    pace = Pace()
    pace.add(2_000, 20)
    for _ in range(20):
        pace.add(128, 2.56)
    assert pace.tokens_per_s == pytest.approx(50, rel=0.1)


def test_nothing_measured_is_no_speed() -> None:
    pace = Pace()
    pace.add(0, 1.0)
    assert pace.tokens_per_s == 0
