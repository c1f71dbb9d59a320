"""Stores made of lines, as the stream would make them."""

from __future__ import annotations

from pathlib import Path

from app.stream.parsing import LineParser
from app.stream.store import LogStore
from app.stream.templates import TemplateMiner

WRITTEN_AT_S = 1_767_225_600.0
"""When the invented files were last changed: 2026-01-01."""


def store_of(text: str, source: str = "sample.log", written_at_s: float = WRITTEN_AT_S) -> LogStore:
    """A store of the lines of a text."""
    store, miner = LogStore(), TemplateMiner()
    parser = LineParser(source, miner, written_at_s)
    store.append(parser.parse(text.splitlines(), 1))
    store.set_template_texts(miner.take_changed())
    return store


def store_of_file(path: Path) -> LogStore:
    """A store of the lines of a file."""
    return store_of(path.read_text("utf-8", "replace"), path.name)
