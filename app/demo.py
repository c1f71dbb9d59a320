"""The demo line: a seeded generator of an inspection line's log, in Chinese and English."""

from __future__ import annotations

import contextlib
import random
import threading
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from app.data import data_path
from app.errors import AppError

_SCENARIO = "resources/demo/inspection-line.toml"
_ROTATE_BYTES = 8 * 1024 * 1024
"""The demo runs for weeks; its log is renamed and begun anew at this size."""
_JUMP_BACK = 0.25
"""How strongly a tag is drawn back to its base at each step."""


@dataclass(frozen=True, slots=True)
class DemoLine:
    """A line of the demo log.

    Attributes:
        at_s: when it is written, seconds since 1970.
        text: the line, without line end.
    """

    at_s: float
    text: str


def demo_questions(language: str) -> tuple[str, ...]:
    """Questions the demo log answers; the first one from its first burst already.

    Arguments:
        language: ``zh_CN`` for Chinese, otherwise English.
    """
    questions = _scenario()["questions"]
    return tuple(questions["zh_CN" if language.startswith("zh") else "en"])


def demo_lines(seed: int, now_s: float) -> Iterator[DemoLine]:
    """The demo log, without end: a history of some minutes up to ``now_s``, then live lines.

    The same arguments give the same lines.
    """
    return _Line(_scenario(), seed, now_s).lines()


def run_demo(path: Path, seed: int, stop: threading.Event, *, now_s: float | None = None) -> None:
    """Write the demo log as the line's gateway would, until ``stop`` is set.

    Arguments:
        path: the file; begun anew.
        seed: chooses among the variations.
        stop: ends it within a fraction of a second.
        now_s: when the history ends and live lines begin; the present time by default.

    Raises:
        AppError: the file cannot be written.
    """
    begun_s = time.time() if now_s is None else now_s
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        file = _create(path, stack)
        for line in demo_lines(seed, begun_s):
            wait_s = line.at_s - begun_s - (time.monotonic() - begun)
            if wait_s > 0:
                _write(file, path, "")
            if stop.wait(wait_s) if wait_s > 0 else stop.is_set():
                return
            _write(file, path, line.text + "\n", flush=wait_s > 0)
            if file.tell() > _ROTATE_BYTES:
                stack.close()
                path.replace(path.with_name(path.name + ".1"))
                file = _create(path, stack)


def _create(path: Path, stack: contextlib.ExitStack) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
    except OSError as error:
        raise _cannot_write(path, error) from error


def _write(file: TextIO, path: Path, text: str, *, flush: bool = True) -> None:
    try:
        file.write(text)
        if flush:
            file.flush()
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: Path, error: OSError) -> AppError:
    return AppError(
        "The demo log {path} cannot be written: {reason}.",
        "Free some disk space, or check that the folder may be written to.",
        path=path,
        reason=error.strerror or str(error),
    )


def _scenario() -> dict[str, Any]:
    return tomllib.loads(data_path(_SCENARIO).read_text(encoding="utf-8"))


@dataclass(slots=True)
class _Tag:
    """A measured value that wanders around its base."""

    base: float
    spread: float
    decimals: int
    value: float

    def next(self, random_: random.Random) -> str:
        drift = random_.gauss(0.0, self.spread / 2)
        self.value += drift + _JUMP_BACK * (self.base - self.value)
        return f"{self.value:.{self.decimals}f}"


class _Line:
    """Draws lines and episodes on one time line."""

    def __init__(self, scenario: dict[str, Any], seed: int, now_s: float) -> None:
        self._scenario = scenario
        self._random = random.Random(seed)
        self._now_s = now_s
        self._tags = {
            name: _Tag(base, spread, decimals, base)
            for name, (base, spread, decimals) in scenario["tags"].items()
        }
        self._frame = self._random.randrange(10_000, 60_000)
        self._batch = self._random.randrange(300, 900)

    def lines(self) -> Iterator[DemoLine]:
        """All lines in order of time."""
        background = self._background()
        episodes = self._episodes()
        ordinary, special = next(background), next(episodes)
        while True:
            if ordinary.at_s <= special.at_s:
                yield ordinary
                ordinary = next(background)
            else:
                yield special
                special = next(episodes)

    def _background(self) -> Iterator[DemoLine]:
        kinds = self._scenario["background"]
        weights = [kind["weight"] for kind in kinds]
        at_s = self._now_s - self._scenario["history_s"]
        while True:
            gap = "history_gap_s" if at_s < self._now_s else "live_gap_s"
            at_s += self._random.expovariate(1.0 / self._scenario[gap])
            kind = self._random.choices(kinds, weights)[0]
            text = self._random.choice(kind["texts"])
            self._batch += "{batch}" in text
            yield self._line(at_s, kind["level"], kind["device"], text, self._drawn())

    def _episodes(self) -> Iterator[DemoLine]:
        """The first kind, then the others; each time round in another order."""
        kinds = list(self._scenario["episodes"])
        order = [kinds[0], *kinds[1:]]
        at_s = self._now_s - self._scenario["history_s"] + self._scenario["first_episode_s"]
        while True:
            for kind in order:
                values = {name: self._draw(spec) for name, spec in kind["values"].items()}
                stopped_s = at_s
                for step in kind["steps"]:
                    at_s += step["after_s"] * self._random.uniform(0.8, 1.2)
                    if step["level"] == "CRIT":
                        stopped_s = at_s
                    values["down_s"] = f"{at_s - stopped_s:.0f}"
                    yield self._line(at_s, step["level"], step["device"], step["text"], values)
                at_s += self._gap_s(at_s)
            self._random.shuffle(order)

    def _gap_s(self, at_s: float) -> float:
        if at_s < self._now_s:
            return float(self._scenario["history_episode_gap_s"])
        low, high = self._scenario["episode_gap_s"]
        return self._random.uniform(low, high)

    def _draw(self, spec: list[Any]) -> str:
        if isinstance(spec[0], str):
            return str(self._random.choice(spec))
        low, high, decimals = spec
        return f"{self._random.uniform(low, high):.{decimals}f}"

    def _drawn(self) -> dict[str, str]:
        self._frame += 1
        return {
            "unit": str(self._random.randrange(1, 5)),
            "frame": str(self._frame),
            "batch": str(self._batch),
            "area": f"{self._random.uniform(0.4, 3.2):.1f}",
            "pieces": str(self._random.randrange(180, 240)),
        }

    def _line(
        self, at_s: float, level: str, device: str, text: str, values: dict[str, str]
    ) -> DemoLine:
        fields = _Fields(self._tags, values, self._random)
        moment = datetime.fromtimestamp(at_s).astimezone()
        stamp = f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03d}"
        message = f"{device.format_map(fields)}: {text.format_map(fields)}"
        return DemoLine(at_s, f"{stamp} {level:<6} {message}")


class _Fields(dict[str, str]):
    """Values of an episode first, tags (drawn as they are used) second."""

    def __init__(self, tags: dict[str, _Tag], values: dict[str, str], random_: random.Random):
        super().__init__(values)
        self._tags = tags
        self._random = random_

    def __missing__(self, name: str) -> str:
        return self._tags[name].next(self._random)
