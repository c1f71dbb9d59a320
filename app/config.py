"""Where things are kept and what the operator has set: per-user folders and a small TOML file."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

import platformdirs
import psutil

from app.errors import AppError

APP_NAME = "anchorline"


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders Anchorline writes to; nothing is written anywhere else."""

    data: Path
    config: Path
    state: Path

    @classmethod
    def default(cls) -> Paths:
        """Per-user folders by the platform's rules.

        ``ANCHORLINE_HOME`` moves all of them below one folder (a USB stick, a test).
        """
        home = os.environ.get("ANCHORLINE_HOME")
        if home:
            root = Path(home)
            return cls(root / "data", root / "config", root / "state")
        return cls(
            Path(platformdirs.user_data_dir(APP_NAME, appauthor=False)),
            Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)),
            Path(platformdirs.user_state_dir(APP_NAME, appauthor=False)),
        )

    @property
    def models(self) -> Path:
        """Model weights, shared by every checkout and version.

        ``ANCHORLINE_MODELS`` names another folder (read-only media, a shared disk).
        """
        override = os.environ.get("ANCHORLINE_MODELS")
        return Path(override) if override else self.data / "models"

    @property
    def history(self) -> Path:
        """The SQLite file of questions and answers."""
        return self.data / "history.sqlite"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.toml"

    @property
    def log(self) -> Path:
        """The program's own log file."""
        return self.state / "anchorline.log"


_MOST_THREADS = 8


def default_threads() -> int:
    """One thread a physical core that this process may use, at most eight.

    Two threads of one core share its arithmetic units, and beyond eight cores memory bandwidth,
    not arithmetic, is what a small model waits for.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    physical = psutil.cpu_count(logical=False) or allowed or 1
    return max(1, min(allowed or 1, physical, _MOST_THREADS))


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator may set; every value has a working default."""

    profile: str = "auto"
    """``auto`` (standard where its files are present, tiny otherwise), ``tiny`` or ``standard``."""
    language: str = "auto"
    """``auto`` (the system's), ``en`` or ``zh_CN``."""
    theme: str = "auto"
    """``auto``, ``night``, ``day`` or ``contrast``."""
    window_tokens: int = 2048
    """Log tokens the standing context holds besides the sinks."""
    evidence_tokens: int = 200
    """Most tokens of evidence lines read with a question."""
    answer_tokens: int = 256
    """Most tokens of an answer."""
    temperature: float = 0.0
    """0 is greedy decoding."""
    seed: int = 0
    threads: int = field(default_factory=default_threads)
    """Threads of the native library."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Read settings; a missing file means defaults.

        Raises:
            AppError: the file is not TOML, has an unknown key or a value of the wrong type.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return cls()
        except (OSError, UnicodeDecodeError) as error:
            raise AppError(
                "Cannot read the settings in {path}: {reason}.",
                "Mend or remove the file; without it the defaults apply.",
                path=path,
                reason=error,
            ) from error
        try:
            raw = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise AppError(
                "The settings in {path} are not valid TOML: {reason}.",
                "Mend or remove the file; without it the defaults apply.",
                path=path,
                reason=error,
            ) from error
        defaults = cls()
        known = {item.name: type(getattr(defaults, item.name)) for item in fields(cls)}
        for key, value in raw.items():
            wanted = known.get(key)
            if wanted is None:
                raise AppError(
                    'Unknown setting "{key}" in {path}.',
                    "Known settings: {known}.",
                    key=key,
                    path=path,
                    known=", ".join(known),
                )
            acceptable = (int, float) if wanted is float else (wanted,)
            if not isinstance(value, acceptable) or isinstance(value, bool):
                raise AppError(
                    'The setting "{key}" in {path} has the wrong type.',
                    "It takes a value of type {type}, such as {example}.",
                    key=key,
                    path=path,
                    type=wanted.__name__,
                    example=getattr(defaults, key),
                )
            _check_value(path, key, value)
        return cls(**raw)


_CHOICES = {
    "language": ("auto", "en", "zh_CN"),
    "theme": ("auto", "night", "day", "contrast"),
}
_LEAST = {
    "window_tokens": 128,
    "evidence_tokens": 0,
    "answer_tokens": 1,
    "temperature": 0,
    "threads": 1,
}


def _check_value(path: Path, key: str, value: object) -> None:
    choices = _CHOICES.get(key)
    if choices is not None and value not in choices:
        raise AppError(
            'The setting "{key}" in {path} cannot be {value}.',
            "It can be {choices}.",
            key=key,
            path=path,
            value=value,
            choices=", ".join(choices),
        )
    least = _LEAST.get(key)
    if least is not None and isinstance(value, int | float) and value < least:
        raise AppError(
            'The setting "{key}" in {path} cannot be {value}.',
            "It is at least {least}.",
            key=key,
            path=path,
            value=value,
            least=least,
        )
