"""The real tiny model, loaded once for all engine tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.native import load_backend
from app.engine.native.surface import Context, ContextOptions, Model


@pytest.fixture(scope="session")
def model(tiny_model: Path) -> Iterator[Model]:
    """SmolLM2 through mainline."""
    loaded = load_backend("mainline").load_model(tiny_model)
    yield loaded
    loaded.close()


@pytest.fixture
def context(model: Model) -> Iterator[Context]:
    """A small context of 512 cells."""
    made = model.new_context(ContextOptions(cells=512, batch_tokens=64, output_rows=16))
    yield made
    made.close()
