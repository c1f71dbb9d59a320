"""The standing log in the circular cache, on the real tiny model."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from app.engine.cache import ASKING, STREAM, CachedSegment, StreamCache
from app.engine.layout import Layout
from app.engine.native.surface import Context, ContextOptions, DecodeAborted, Model

OPENING = "You read the log of an inspection line.\n"
LAYOUT_WINDOW = 160


def segment(model: Model, number: int) -> CachedSegment:
    text = (
        f"L{number} 08:{number // 60 % 60:02}:{number % 60:02} camera 2 judged part {number} good\n"
    )
    return CachedSegment(model.tokenize(text), "line.log", number, number)


@pytest.fixture
def cache(model: Model) -> Iterator[StreamCache]:
    opening = model.tokenize(OPENING)
    layout = Layout(len(opening), LAYOUT_WINDOW, 96)
    options = ContextOptions(cells=layout.capacity, batch_tokens=64, output_rows=16)
    context = model.new_context(options)
    yield StreamCache(context, layout, opening)
    context.close()


def positions(cache: StreamCache) -> tuple[int, int]:
    return cache.context.position_range(STREAM)


def continuation(
    cache: StreamCache, model: Model, text: str = "Question: which part?"
) -> list[int]:
    """The next tokens after a question, by greedy decoding."""
    with cache.question():
        token = int(np.argmax(cache.read(model.tokenize(text))))
        tokens = [token]
        for _ in range(5):
            tokens.append(int(np.argmax(cache.step(tokens[-1]))))
    return tokens


def test_old_segments_leave_whole_and_occupancy_stays_in_bounds(
    model: Model, cache: StreamCache
) -> None:
    for number in range(60):
        assert cache.append([segment(model, number)]) == 1
        assert positions(cache) == (0, cache.stream_end - 1), "no gap, no stray position"
        assert cache.window_tokens == sum(len(item.tokens) for item in cache.segments)
        assert cache.window_tokens <= LAYOUT_WINDOW
    occupancy = cache.occupancy()
    assert occupancy.evicted_tokens + occupancy.window_tokens == cache.appended_tokens
    assert occupancy.evicted_tokens > 5 * LAYOUT_WINDOW
    numbers = [item.first_line for item in cache.segments]
    assert numbers == list(range(numbers[0], 60)), "the newest stand, in order"
    sinks = cache.layout.sinks
    assert sinks <= occupancy.write_head < sinks + LAYOUT_WINDOW


def test_appending_one_by_one_equals_appending_at_once(model: Model, cache: StreamCache) -> None:
    segments = [segment(model, number) for number in range(6)]
    cache.append(segments)
    together = continuation(cache, model)
    cache.clear()
    for item in segments:
        cache.append([item])
    # Batch shapes round differently, so texts may part in the end, but not at once.
    assert continuation(cache, model)[:2] == together[:2]


def test_a_question_leaves_the_log_as_it_was(model: Model, cache: StreamCache) -> None:
    cache.append([segment(model, number) for number in range(6)])
    before = positions(cache)
    first = continuation(cache, model)
    assert cache.asking_tokens == 0
    assert positions(cache) == before
    assert cache.context.position_range(ASKING) == (-1, -1)
    assert continuation(cache, model) == first


def test_an_aborted_question_leaves_the_log_as_it_was(model: Model, cache: StreamCache) -> None:
    cache.append([segment(model, number) for number in range(6)])
    expected = continuation(cache, model)
    before = positions(cache)
    timer = threading.Timer(0.01, cache.context.abort_flag.set)
    timer.start()
    with pytest.raises(DecodeAborted), cache.question():
        logits = cache.read(model.tokenize("why " * 60))
        while True:
            logits = cache.step(int(np.argmax(logits)))
    timer.join()
    cache.context.abort_flag.clear()
    assert positions(cache) == before
    assert continuation(cache, model) == expected


def test_an_aborted_append_keeps_whole_segments_only(model: Model, cache: StreamCache) -> None:
    cache.append([segment(model, number) for number in range(4)])
    cache.context.abort_flag.set()
    assert cache.append([segment(model, number) for number in range(4, 8)]) == 0
    cache.context.abort_flag.clear()
    assert positions(cache) == (0, cache.stream_end - 1)
    assert [item.first_line for item in cache.segments] == [0, 1, 2, 3]
    assert cache.append([segment(model, number) for number in range(4, 8)]) == 4


def test_rebuilding_gives_the_same_standing_log(model: Model, cache: StreamCache) -> None:
    for number in range(30):
        cache.append([segment(model, number)])
    standing = [item.first_line for item in cache.segments]
    appended, evicted = cache.appended_tokens, cache.evicted_tokens
    cache.context.clear()
    cache.rebuild()
    assert [item.first_line for item in cache.segments] == standing
    assert (cache.appended_tokens, cache.evicted_tokens) == (appended, evicted)
    assert positions(cache) == (0, cache.stream_end - 1)


def test_sampled_rows_see_the_token_that_followed(model: Model, cache: StreamCache) -> None:
    item = segment(model, 1)
    seen: list[int] = []
    cache.append(
        [item],
        sampler=lambda chunk: range(0, len(chunk), 4),
        observer=lambda logits, token: seen.append(token),
    )
    expected = [int(token) for token in item.tokens[1::4]]
    assert seen == expected


def test_what_does_not_fit_is_refused(model: Model, cache: StreamCache) -> None:
    long = CachedSegment(np.ones(LAYOUT_WINDOW, np.int32), "line.log", 1, 1)
    with pytest.raises(ValueError, match="a segment has 1 to"):
        cache.append([long])
    with pytest.raises(ValueError, match="do not fit the reserve"), cache.question():
        cache.read(np.ones(97, np.int32))
    with pytest.raises(ValueError, match="used up"), cache.question():
        cache.read(np.ones(96, np.int32))
        cache.step(1)
    with cache.question():
        cache.read(np.ones(4, np.int32))
        with pytest.raises(ValueError, match="while a question is open"):
            cache.append([segment(model, 1)])


def test_a_context_too_small_for_the_layout_is_refused(model: Model, context: Context) -> None:
    with pytest.raises(ValueError, match="too few"):
        StreamCache(context, Layout(0, 4096, 64), np.empty(0, np.int32))
