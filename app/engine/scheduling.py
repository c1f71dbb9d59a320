"""The decode loop: which tokens are computed when. Plain decoding, one token a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.engine.cache import StreamCache
from app.engine.native.surface import FloatRow
from app.engine.sampling import Sampler


def decode_plain(
    cache: StreamCache,
    logits: FloatRow,
    sampler: Sampler,
    ends: Callable[[int], bool],
) -> Iterator[tuple[int, ...]]:
    """Decode until the model ends the answer.

    Every way of decoding is such a generator: it yields the tokens accepted by one step and is
    simply not asked again when the consumer has enough, so no front end knows which way runs.

    Arguments:
        cache: with an open question whose tokens have been read.
        logits: after the question's last token.
        sampler: chooses each token.
        ends: whether a token ends the answer; that token is not yielded.

    Raises:
        DecodeAborted: the abort flag was raised.
    """
    position = 0
    while True:
        token = sampler.choose(logits, position)
        if ends(token):
            return
        yield (token,)
        position += 1
        logits = cache.step(token)
