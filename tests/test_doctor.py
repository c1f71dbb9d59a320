"""The doctor finds what is missing, says what to do, and never falls ill itself."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from app import doctor
from app.config import Paths
from app.doctor import Check, State


@pytest.fixture
def paths(home: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """An empty home without any model."""
    monkeypatch.setenv("ANCHORLINE_MODELS", str(home / "models"))
    return Paths.default()


def found(paths: Paths, name: str) -> Check:
    return next(check for check in doctor.examine(paths) if check.name == name)


def test_on_an_empty_home_everything_installed_is_well(paths: Paths) -> None:
    checks = {check.name: check for check in doctor.examine(paths)}
    for name in ("Python", "Packages", "Inference library", "Qt libraries", "History", "Settings"):
        assert checks[name].state is State.OK, checks[name]


def test_without_any_model_the_tiny_one_is_asked_for(paths: Paths) -> None:
    assert found(paths, "Model, tiny").state is State.FAIL
    assert found(paths, "Model, tiny").remedy == "anchorline models fetch tiny"
    assert found(paths, "Model, standard").state is State.WARN


def test_a_truncated_model_is_found(paths: Paths) -> None:
    paths.models.mkdir(parents=True)
    (paths.models / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"GGUF")
    check = found(paths, "Model, tiny")
    assert check.state is State.FAIL
    assert "truncated" in check.detail
    assert "fetch it again" in check.remedy


@pytest.mark.model
@pytest.mark.usefixtures("tiny_model")
def test_the_real_tiny_model_is_well() -> None:
    assert found(Paths.default(), "Model, tiny").state is State.OK


def test_without_a_display_it_says_what_works_all_the_same(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    check = found(paths, "Display")
    assert check.state is State.WARN
    assert "anchorline ask" in check.remedy
    monkeypatch.setenv("DISPLAY", ":7")
    assert found(paths, "Display").detail == "DISPLAY=:7"


def test_a_missing_qt_is_found(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda _name: None)
    assert found(paths, "Qt libraries").detail == "PySide6 is not installed"


def test_missing_system_libraries_come_with_the_command_that_brings_them(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = {"libxcb-cursor.so.0", "libEGL.so.1"}
    monkeypatch.setattr(doctor, "_not_found", lambda _plugin, _known: missing)
    check = found(paths, "Qt libraries")
    assert check.detail == "missing: libEGL.so.1, libxcb-cursor.so.0"
    assert check.remedy == "apt-get install libegl1 libxcb-cursor0"


def test_a_library_for_another_processor_is_told_from_a_missing_one(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.sys, "executable", "/bin/false")
    assert "does not load" in found(paths, "Inference library").detail
    program = paths.data / "dies"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nkill -ILL $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(doctor.sys, "executable", str(program))
    assert "another processor" in found(paths, "Inference library").detail


def test_a_damaged_history_is_found(paths: Paths) -> None:
    paths.history.parent.mkdir(parents=True)
    paths.history.write_bytes(b"not a database, but long enough to look like one" * 40)
    check = found(paths, "History")
    assert check.state is State.FAIL
    assert check.remedy


def test_answers_in_the_history_are_counted(paths: Paths) -> None:
    paths.history.parent.mkdir(parents=True)
    with sqlite3.connect(paths.history) as database:
        database.execute("CREATE TABLE answers (id TEXT)")
        database.execute("INSERT INTO answers VALUES ('a')")
    database.close()
    assert found(paths, "History").detail.startswith("1 answers")


def test_wrong_settings_are_found(paths: Paths) -> None:
    paths.settings.parent.mkdir(parents=True)
    paths.settings.write_text("window_tokens = 'many'")
    assert found(paths, "Settings").state is State.FAIL


def test_a_data_folder_that_cannot_be_written_is_found(paths: Paths) -> None:
    paths.data.parent.mkdir(parents=True, exist_ok=True)
    paths.data.write_text("a file stands where the folder should")
    assert found(paths, "Data folder").state is State.FAIL


def test_what_it_trips_over_is_a_finding(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    def trip() -> Check:
        raise RuntimeError("a strange machine")

    monkeypatch.setattr(doctor, "_processor", trip)
    check = found(paths, "Processor")
    assert (check.state, check.detail) == (
        State.FAIL,
        "could not be examined: a strange machine",
    )


def test_findings_are_written_for_people_and_for_programs() -> None:
    checks = [
        Check("Python", State.OK, "3.11"),
        Check("Display", State.WARN, "none", "Start a desktop."),
    ]
    assert doctor.as_text(checks).splitlines() == [
        "ok    Python              3.11",
        "warn  Display             none",
        "                          -> Start a desktop.",
    ]
    assert json.loads(doctor.as_json(checks))[1]["remedy"] == "Start a desktop."
    assert doctor.exit_code(checks) == 0
    assert doctor.exit_code([*checks, Check("x", State.FAIL, "")]) == 2
