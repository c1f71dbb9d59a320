"""A profile's name leads to checked files or to a sentence that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import AppError, UsageError
from app.models.manifest import Manifest, Pair, Profile
from app.models.resolve import choose_profile, missing_files, resolve
from tests.models.helpers import gguf, listed

TINY, BEST, BEST_DRAFT, OTHER, OTHER_DRAFT = (
    gguf([name, "x"]) for name in ("tiny", "a", "a", "b", "b")
)


@pytest.fixture
def manifest() -> Manifest:
    files = {
        name: listed(name, data)
        for name, data in {
            "tiny.gguf": TINY,
            "best.gguf": BEST,
            "best-draft.gguf": BEST_DRAFT,
            "other.gguf": OTHER,
            "other-draft.gguf": OTHER_DRAFT,
        }.items()
    }
    tiny = Pair("tiny", files["tiny.gguf"], None)
    best = Pair("best", files["best.gguf"], files["best-draft.gguf"])
    other = Pair("other", files["other.gguf"], files["other-draft.gguf"])
    return Manifest(
        files,
        {pair.name: pair for pair in (tiny, best, other)},
        {
            "tiny": Profile("tiny", "", (tiny,), tiny),
            "standard": Profile("standard", "", (best, other), other),
        },
    )


def test_auto_is_tiny_until_a_standard_target_is_there(tmp_path: Path, manifest: Manifest) -> None:
    (tmp_path / "tiny.gguf").write_bytes(TINY)
    assert resolve("auto", tmp_path, manifest=manifest).target_path.name == "tiny.gguf"
    (tmp_path / "other.gguf").write_bytes(OTHER)
    resolved = resolve("auto", tmp_path, manifest=manifest)
    assert (resolved.name, resolved.target_path.name, resolved.draft_path) == (
        "standard",
        "other.gguf",
        None,
    )


def test_standard_uses_the_recommended_pair_once_it_is_there(
    tmp_path: Path, manifest: Manifest
) -> None:
    for name, data in (("other", OTHER), ("other-draft", OTHER_DRAFT), ("best", BEST)):
        (tmp_path / f"{name}.gguf").write_bytes(data)
    (tmp_path / "best-draft.gguf").write_bytes(BEST_DRAFT)
    resolved = resolve("standard", tmp_path, manifest=manifest)
    assert resolved.target_path.name == "best.gguf"
    assert resolved.draft_path == tmp_path / "best-draft.gguf"
    assert resolved.target_sha256 == manifest.files["best.gguf"].sha256


def test_a_profile_without_files_names_the_command(tmp_path: Path, manifest: Manifest) -> None:
    with pytest.raises(AppError, match="anchorline models fetch standard"):
        resolve("standard", tmp_path, manifest=manifest)


def test_a_damaged_file_is_refused(tmp_path: Path, manifest: Manifest) -> None:
    (tmp_path / "tiny.gguf").write_bytes(TINY[:-1] + b"\x00")
    with pytest.raises(AppError, match="damaged"):
        resolve("tiny", tmp_path, manifest=manifest)


def test_too_large_a_model_is_refused(tmp_path: Path, manifest: Manifest) -> None:
    (tmp_path / "tiny.gguf").write_bytes(TINY)
    with pytest.raises(AppError, match="Not enough memory for tiny.gguf"):
        resolve("tiny", tmp_path, manifest=manifest, available_bytes=100)


def test_an_imported_model_is_used_by_its_file_name(tmp_path: Path, manifest: Manifest) -> None:
    (tmp_path / "mine.gguf").write_bytes(gguf(["mine"]))
    assert resolve("mine.gguf", tmp_path, manifest=manifest).target_sha256 == ""


def test_an_unknown_profile_is_a_usage_error(tmp_path: Path, manifest: Manifest) -> None:
    with pytest.raises(UsageError, match="Profiles: tiny, standard"):
        resolve("huge", tmp_path, manifest=manifest)


def test_what_is_missing_is_the_pair_that_can_be_fetched(
    tmp_path: Path, manifest: Manifest
) -> None:
    lacking = missing_files("standard", tmp_path, manifest)
    assert [file.name for file in lacking] == ["other.gguf", "other-draft.gguf"]
    (tmp_path / "best.gguf").write_bytes(BEST)
    (tmp_path / "best-draft.gguf").write_bytes(BEST_DRAFT)
    assert missing_files("standard", tmp_path, manifest) == ()
    assert choose_profile(tmp_path, manifest) == "standard"


@pytest.mark.model
def test_the_real_tiny_profile_resolves(models_dir: Path, tiny_model: Path) -> None:
    assert resolve("tiny", models_dir).target_path == tiny_model


@pytest.mark.standard
def test_the_real_standard_pair_shares_a_vocabulary(
    models_dir: Path, standard_pair: tuple[Path, Path]
) -> None:
    resolved = resolve("standard", models_dir)
    assert resolved.draft is not None
    assert resolved.target.vocabulary == resolved.draft.vocabulary
