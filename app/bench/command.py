"""``anchorline bench NAME``: finds the measurement, runs it, prints figures with their origin."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

from app.bench import ingest, stop, stream, ttft
from app.bench.machine import describe_machine
from app.bench.target import BenchTarget, bench_target
from app.errors import UsageError

Figures = dict[str, object]


@dataclass(frozen=True, slots=True)
class Bench:
    """A measurement.

    Attributes:
        profile: models it is about unless others are asked for.
        about: one line on what it measures.
        run: does it; told the models, tokens (or None) and runs (or None).
    """

    profile: str
    about: str
    run: Callable[[BenchTarget, int | None, int | None], Figures]


BENCHES = {
    "ttft": Bench(
        "standard",
        "time to the first token over the standing log, against reading the log again",
        ttft.run,
    ),
    "stream": Bench(
        "tiny", "a long log through the cache: occupancy, memory growth, tokens/s", stream.run
    ),
    "stop": Bench("standard", "how soon Stop takes effect", stop.run),
    "ingest": Bench(
        "standard", "log tokens read and answer tokens written a second, by context", ingest.run
    ),
}


def run(arguments: argparse.Namespace) -> int:
    """Run one measurement and print its figures; the exit code."""
    if arguments.name == "list":
        for name, item in BENCHES.items():
            print(f"{name:<8} {item.about} ({item.profile} profile)")
        return 0
    bench = BENCHES.get(arguments.name)
    if bench is None:
        raise UsageError(
            'There is no measurement "{name}".',
            "Known: {known}.",
            name=arguments.name,
            known=", ".join(BENCHES),
        )
    target = bench_target(arguments.profile or bench.profile)
    figures = bench.run(target, arguments.tokens, arguments.runs)
    figures |= describe_machine() | {"models": target.models, "backend": target.backend}
    if arguments.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        width = max(len(name) for name in figures)
        for name, value in figures.items():
            print(f"{name:<{width}}  {value}")
    sys.stdout.flush()
    return 0
