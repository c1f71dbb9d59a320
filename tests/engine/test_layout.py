"""Sink and window arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.layout import Layout


def test_sinks_keep_their_slots_and_the_window_rolls() -> None:
    layout = Layout(sinks=4, window=8, reserve=2)
    assert [layout.slot(position) for position in range(14)] == [
        *(0, 1, 2, 3),
        *(4, 5, 6, 7, 8, 9, 10, 11),
        *(4, 5),
    ]


@given(st.integers(0, 50), st.integers(1, 50), st.integers(0, 10_000))
def test_slots_follow_the_formula(sinks: int, window: int, position: int) -> None:
    slot = Layout(sinks, window, 1).slot(position)
    expected = position if position < sinks else sinks + (position - sinks) % window
    assert slot == expected
    assert slot < sinks + window


@given(
    st.lists(st.integers(1, 40), max_size=30),
    st.integers(8, 200),
    st.integers(1, 60),
)
def test_evicting_makes_room_and_takes_whole_oldest_segments(
    segments: list[int], window: int, incoming: int
) -> None:
    layout = Layout(0, window, 1)
    used = sum(segments)
    if used > window or incoming > window:
        return
    count = layout.segments_to_evict(segments, used, incoming)
    left = used - sum(segments[:count])
    assert left + incoming <= window
    if count:
        assert used + incoming > window, "nothing leaves while there is room"
        before_last = used - sum(segments[: count - 1])
        freed = used - before_last
        assert freed < max(layout.block, used + incoming - window), "no more than needed leaves"


def test_what_can_never_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        Layout(0, 8, 1).segments_to_evict([], 0, 9)
    with pytest.raises(ValueError, match="at least"):
        Layout(0, 0, 1)
