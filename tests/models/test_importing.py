"""A model brought on a stick is recognised by its contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import AppError, UsageError
from app.models.importing import import_file
from app.models.manifest import Manifest, Pair, Profile
from tests.models.helpers import gguf, listed

WHOLE = gguf()
FILE = listed("known.gguf", WHOLE)
PAIR = Pair("known", FILE, None)
MANIFEST = Manifest(
    {"known.gguf": FILE}, {"known": PAIR}, {"tiny": Profile("tiny", "", (PAIR,), PAIR)}
)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def test_a_known_file_gets_its_own_name_whatever_it_was_called(stick: Path, models: Path) -> None:
    source = stick / "download(1).gguf"
    source.write_bytes(WHOLE)
    imported = import_file(source, models, manifest=MANIFEST)
    assert imported.known == FILE
    assert (models / "known.gguf").read_bytes() == WHOLE
    assert source.exists()


def test_a_model_of_ones_own_keeps_its_name(stick: Path, models: Path) -> None:
    source = stick / "mine.gguf"
    source.write_bytes(gguf(["mine"]))
    imported = import_file(source, models, manifest=MANIFEST)
    assert (imported.known, imported.path) == (None, models / "mine.gguf")


def test_a_stranger_under_a_known_name_is_refused(stick: Path, models: Path) -> None:
    source = stick / "known.gguf"
    source.write_bytes(gguf(["another"]))
    with pytest.raises(AppError, match="has the name of a known model but other contents"):
        import_file(source, models, manifest=MANIFEST)
    assert list(models.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("notes.txt", b"hello", "not a model file"),
        ("page.gguf", b"<html>" + bytes(50), "not in the GGUF format"),
        ("cut.gguf", WHOLE[:-20], "truncated"),
    ],
)
def test_what_is_no_model_is_refused_and_not_copied(
    stick: Path, models: Path, name: str, data: bytes, reason: str
) -> None:
    (stick / name).write_bytes(data)
    with pytest.raises(AppError, match=reason):
        import_file(stick / name, models, manifest=MANIFEST)
    assert not models.exists()


def test_a_stick_that_is_not_there_is_said(stick: Path, models: Path) -> None:
    with pytest.raises(AppError, match="gone.gguf is missing"):
        import_file(stick / "gone.gguf", models, manifest=MANIFEST)
    with pytest.raises(UsageError):
        import_file(stick, models, manifest=MANIFEST)


def test_no_room_is_said_before_copying(
    stick: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stick / "mine.gguf").write_bytes(WHOLE)
    usage = type("Usage", (), {"free": 10})
    monkeypatch.setattr("app.models.importing.shutil.disk_usage", lambda _path: usage)
    with pytest.raises(AppError, match="Not enough room"):
        import_file(stick / "mine.gguf", models, manifest=MANIFEST)
