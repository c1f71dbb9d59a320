"""Settings and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.config import Paths, Settings
from app.errors import AppError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_missing_file_means_defaults(tmp_path: Path) -> None:
    assert Settings.load(tmp_path / "settings.toml") == Settings()
    assert 1 <= Settings().threads <= 8


def test_settings_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "s.toml", 'theme = "day"\nwindow_tokens = 512\ntemperature = 1\n')
    settings = Settings.load(path)
    assert (settings.theme, settings.window_tokens, settings.temperature) == ("day", 512, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("theme = ", "not valid TOML"),
        ('colour = "blue"', "colour"),
        ('window_tokens = "many"', "window_tokens"),
        ("window_tokens = true", "window_tokens"),
        ("theme = 3", "theme"),
        ('theme = "purple"', "purple"),
        ('language = "fr"', "fr"),
        ("threads = 0", "threads"),
        ("answer_tokens = -3", "answer_tokens"),
    ],
)
def test_a_mistake_is_named_with_what_to_do(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(AppError, match=said) as refused:
        Settings.load(write(tmp_path / "s.toml", text))
    assert refused.value.hint


def test_bytes_that_are_no_text_are_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AppError, match="Cannot read"):
        Settings.load(path)


def test_one_variable_moves_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANCHORLINE_HOME", str(tmp_path))
    monkeypatch.delenv("ANCHORLINE_MODELS")
    paths = Paths.default()
    for path in (paths.models, paths.history, paths.settings, paths.log):
        assert path.is_relative_to(tmp_path)
