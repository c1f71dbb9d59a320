"""What ``anchorline models`` prints and returns."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from app.errors import UsageError
from app.models.commands import fetch_models, import_model, list_models, verify_models
from tests.models.helpers import gguf

TINY = "SmolLM2-135M-Instruct.Q4_1.gguf"


def test_an_empty_folder_is_listed_with_what_can_be_fetched(tmp_path: Path) -> None:
    out = io.StringIO()
    assert list_models(tmp_path, out=out) == 0
    lines = out.getvalue().splitlines()
    assert any("tiny" in line and "to be fetched" in line for line in lines)
    assert any("absent" in line and TINY in line and "98 MB" in line for line in lines)


def test_states_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "qwen2.5-0.5b-instruct-q4_k_m.gguf.part").write_bytes(b"begun")
    (tmp_path / "qwen2.5-1.5b-instruct-q4_k_m.gguf").write_bytes(b"GGUF cut")
    (tmp_path / "mine.gguf").write_bytes(gguf())
    out = io.StringIO()
    list_models(tmp_path, as_json=True, out=out)
    states = {row["name"]: row["state"] for row in json.loads(out.getvalue())["files"]}
    assert states["qwen2.5-0.5b-instruct-q4_k_m.gguf"] == "partly fetched"
    assert states["qwen2.5-1.5b-instruct-q4_k_m.gguf"] == "unusable"
    assert states["mine.gguf"] == "present"
    assert states[TINY] == "absent"


@pytest.mark.model
def test_a_present_profile_is_ready_at_once_and_verifies(
    models_dir: Path, tiny_model: Path
) -> None:
    err = io.StringIO()
    assert fetch_models(["tiny"], models_dir, err=err) == 0
    assert err.getvalue() == "tiny: ready.\n"
    assert verify_models(["tiny"], models_dir, err=err) == 0
    assert f"{tiny_model.name}: verified" in err.getvalue()


def test_verify_says_what_is_wrong_and_exits_with_2(tmp_path: Path) -> None:
    (tmp_path / TINY).write_bytes(b"GGUF" + bytes(1000))
    err = io.StringIO()
    assert verify_models([], tmp_path, err=err) == 2
    assert "truncated: it has 1004 of 98362432 bytes" in err.getvalue()


def test_verify_without_any_model_names_the_next_step(tmp_path: Path) -> None:
    err = io.StringIO()
    assert verify_models([], tmp_path, err=err) == 2
    assert "anchorline models fetch tiny" in err.getvalue()


def test_importing_an_unknown_model_warns(tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(gguf())
    err = io.StringIO()
    assert import_model(tmp_path / "mine.gguf", tmp_path / "models", err=err) == 0
    assert "Warning: Anchorline does not know this model" in err.getvalue()


def test_an_unknown_name_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="huge"):
        fetch_models(["huge"], tmp_path, err=io.StringIO())
