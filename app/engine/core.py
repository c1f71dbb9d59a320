"""Model, cache and prompt frame together: what the worker drives, one call at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from app.engine.cache import CachedSegment, StreamCache, TokenArray
from app.engine.chat import chat_frame
from app.engine.configuration import EngineConfig
from app.engine.layout import Layout
from app.engine.messages import Ask, LogSegment
from app.engine.native import load_backend
from app.engine.native.surface import ContextOptions
from app.engine.perplexity import StreamingPerplexity
from app.engine.sampling import Sampler
from app.engine.scheduling import decode_plain
from app.errors import AppError

_OUTPUT_ROWS = 16


class EngineCore:
    """A loaded target with the standing log in its cache. No threads, no queues.

    Arguments:
        config: what to load and how large.
        progress: told 0 to 1 while the weights are loaded.

    Raises:
        AppError: the model cannot be loaded, or the sizes do not fit it.
    """

    def __init__(
        self, config: EngineConfig, progress: Callable[[float], None] | None = None
    ) -> None:
        backend = load_backend(config.backend)
        self.backend_name = backend.capabilities.name
        self.model = backend.load_model(config.target, progress)
        self._ends = self.model.ends_generation
        frame = chat_frame(self.model, config.system, config.heading)
        self.opening = opening = self.model.tokenize(frame.opening, parse_special=True)
        self._closing = self.model.tokenize(frame.closing, parse_special=True)
        sinks = min(config.sink_tokens, len(opening)) or len(opening)
        self.layout = Layout(sinks, config.window_tokens, config.reserve_tokens)
        _check_sizes(self.layout, self.model.trained_context, config.target)
        self.context = self.model.new_context(_context_options(config, self.layout))
        self.cache = StreamCache(self.context, self.layout, opening[:sinks])
        self._unpinned = opening[sinks:]
        self.perplexity = StreamingPerplexity()
        self._read_unpinned()

    def segment(self, segment: LogSegment) -> CachedSegment | None:
        """Tokenise a log segment; one that is too long is cut, an empty one is None."""
        tokens = self.model.tokenize(segment.text)[: self.layout.longest_segment]
        if not len(tokens):
            return None
        return CachedSegment(tokens, segment.source, segment.first_line, segment.last_line)

    def ingest(self, segments: Sequence[CachedSegment]) -> int:
        """Read segments into the standing log; how many stand (fewer after an abort)."""
        return self.cache.append(
            segments, sampler=self.perplexity.rows, observer=self.perplexity.observe
        )

    def question_tokens(self, ask: Ask) -> TokenArray:
        """The tokens that this question adds behind the standing log.

        Raises:
            AppError: they leave no room for an answer.
        """
        tokens = np.concatenate([self.model.tokenize(ask.text), self._closing])
        room = self.layout.reserve - max(1, ask.max_tokens)
        if len(tokens) > room:
            raise AppError(
                "The question is too long: {tokens} tokens, where {room} fit.",
                "Ask a shorter question.",
                tokens=len(tokens),
                room=max(0, room),
            )
        return tokens

    def answer(
        self, ask: Ask, tokens: TokenArray, progress: Callable[[int, int], None]
    ) -> Iterator[tuple[int, ...]]:
        """Read the question, then decode; inside ``cache.question()``.

        Raises:
            DecodeAborted: the abort flag was raised.
        """
        logits = self.cache.read(tokens, progress)
        sampler = Sampler(ask.temperature, ask.seed)
        return decode_plain(self.cache, logits, sampler, self._ends)

    def reset(self) -> None:
        """Forget the standing log."""
        self.cache.clear()
        self.perplexity.clear()
        self._read_unpinned()

    def close(self) -> None:
        """Free every native object; harmless when repeated."""
        self.context.close()
        self.model.close()

    def _read_unpinned(self) -> None:
        step = self.layout.longest_segment
        parts = [self._unpinned[i : i + step] for i in range(0, len(self._unpinned), step)]
        self.cache.append([CachedSegment(part, "", 0, 0) for part in parts])


def _context_options(config: EngineConfig, layout: Layout) -> ContextOptions:
    return ContextOptions(
        cells=layout.capacity,
        batch_tokens=config.batch_tokens,
        output_rows=_OUTPUT_ROWS,
        threads=config.threads,
        batch_threads=config.threads,
        key_format=config.key_format,
        value_format=config.value_format,
    )


def _check_sizes(layout: Layout, trained: int, target: Path) -> None:
    if layout.capacity > trained:
        raise AppError(
            "A context of {capacity} tokens is more than {model} was trained for ({trained}).",
            "Choose a window of at most {most} tokens.",
            capacity=layout.capacity,
            model=target.name,
            trained=trained,
            most=max(0, trained - layout.sinks - layout.reserve),
        )
