"""Streaming perplexity."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.engine.perplexity import StreamingPerplexity, token_loss


def test_loss_is_the_negative_log_likelihood() -> None:
    logits = np.array([1.0, 2.0, 3.0], np.float32)
    expected = -math.log(math.exp(2) / (math.exp(1) + math.exp(2) + math.exp(3)))
    assert token_loss(logits, 1) == pytest.approx(expected, rel=1e-6)


def test_loss_survives_large_logits() -> None:
    assert token_loss(np.array([1e4, 0.0], np.float32), 1) == pytest.approx(1e4)


def test_every_stride_th_token_is_sampled_whatever_the_chunks() -> None:
    sampled: list[int] = []
    perplexity = StreamingPerplexity(stride=8)
    position = 0
    for size in (3, 5, 20, 1, 7, 40, 12):
        sampled += [position + row for row in perplexity.rows(np.zeros(size, np.int32))]
        position += size
    assert sampled == list(range(0, position, 8))


def test_a_value_comes_with_enough_samples_and_follows_the_latest() -> None:
    perplexity = StreamingPerplexity(window=20, least=4)
    uniform = np.zeros(10, np.float32)
    for _ in range(3):
        perplexity.observe(uniform, 0)
    assert perplexity.value is None
    perplexity.observe(uniform, 0)
    assert perplexity.value == pytest.approx(10.0)
    certain = np.array([30.0] + [0.0] * 9, np.float32)
    for _ in range(20):
        perplexity.observe(certain, 0)
    assert perplexity.value == pytest.approx(1.0, abs=1e-6)
