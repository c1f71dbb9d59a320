"""Choosing tokens."""

from __future__ import annotations

import numpy as np

from app.engine.sampling import Sampler, uniform


def test_temperature_zero_takes_the_top_token() -> None:
    logits = np.array([0.1, 3.0, 2.9, -1.0], np.float32)
    assert Sampler(0.0).choose(logits, 0) == 1


def test_draws_depend_on_their_keys_only() -> None:
    logits = np.random.default_rng(1).normal(size=500).astype(np.float32)
    sampler = Sampler(1.0, seed=7)
    forward = [sampler.choose(logits, position) for position in range(20)]
    backward = [sampler.choose(logits, position) for position in reversed(range(20))]
    assert forward == backward[::-1]
    other = [Sampler(1.0, seed=8).choose(logits, position) for position in range(20)]
    assert forward != other


def test_draws_follow_the_truncated_distribution() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.15, 0.04, 0.01], np.float32))
    sampler = Sampler(1.0, seed=3, top_k=4, top_p=0.94)
    draws = np.bincount([sampler.choose(logits, n) for n in range(4000)], minlength=5) / 4000
    # 0.5, 0.3 and 0.15 make 0.95 of the mass and 0.96 of the four candidates': three are kept.
    assert draws[3] == draws[4] == 0
    assert np.allclose(draws[:3], np.array([0.5, 0.3, 0.15]) / 0.95, atol=0.03)


def test_uniform_numbers_are_uniform_and_in_range() -> None:
    numbers = np.array([uniform(5, n) for n in range(2000)])
    assert numbers.min() >= 0.0
    assert numbers.max() < 1.0
    assert abs(numbers.mean() - 0.5) < 0.02
    assert uniform(-1, 0) != uniform(1, 0)
