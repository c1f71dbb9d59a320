"""The models that a measurement runs on."""

from __future__ import annotations

from dataclasses import dataclass

from app.answers.prompt import HEADING, SYSTEM
from app.config import Paths, Settings
from app.engine.configuration import EngineConfig
from app.models.resolve import resolve


@dataclass(frozen=True, slots=True)
class BenchTarget:
    """A checked profile, ready to be measured."""

    config: EngineConfig
    models: str
    backend: str


def bench_target(profile: str) -> BenchTarget:
    """Check a profile's files.

    Raises:
        AppError: a file is missing or wrong.
    """
    resolved = resolve(profile, Paths.default().models)
    config = EngineConfig(
        target=resolved.target_path,
        system=SYSTEM,
        heading=HEADING,
        window_tokens=2048,
        reserve_tokens=1024,
        threads=Settings().threads,
    )
    return BenchTarget(config, resolved.target_path.name, config.backend)
