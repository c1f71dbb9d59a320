"""Set-up changes nothing it may not, says the exact command instead, and leaves no orphans."""

from __future__ import annotations

import signal
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import native
import progress
import system

ROOT = Path(__file__).resolve().parents[2]
SETUP = ROOT / "packaging" / "setup"
LOCKS = ROOT / "packaging" / "locks"


def test_without_a_fitting_python_it_says_which_one_and_how(tmp_path: Path) -> None:
    for tool in ("dirname", "cat"):
        (tmp_path / tool).symlink_to(Path("/usr/bin") / tool)
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    outcome = subprocess.run(
        ["/bin/sh", SETUP / "setup.sh"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 2
    assert "needs Python 3.11 or 3.12" in outcome.stderr
    assert "Nothing was changed." in outcome.stderr


def test_every_lock_pins_and_hashes_and_names_no_server() -> None:
    for name in ("build", "runtime", "dev"):
        text = (LOCKS / f"{name}.lock").read_text()
        assert "//" not in text
        assert "--index" not in text
        pinned = [line for line in text.splitlines() if line and line[0] not in " #"]
        assert all("==" in line for line in pinned)
        assert text.count("--hash=sha256:") >= len(pinned)


def test_the_lock_holds_every_dependency_of_the_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (LOCKS / "runtime.lock").read_text()
    for requirement in project["dependencies"]:
        name = requirement.split(">")[0].split("=")[0].lower()
        assert f"\n{name}==" in lock, "run: make lock"


def test_the_native_library_is_one_entry_with_its_hash() -> None:
    lines = native.requirement(LOCKS / "runtime.lock").splitlines()
    assert lines[0].startswith("llama-cpp-python==0.3.")
    assert len(lines) == 2
    assert "--hash=sha256:" in lines[1]


def test_another_processor_gets_a_build_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    here = native.build_key(LOCKS / "runtime.lock")
    assert here == native.build_key(LOCKS / "runtime.lock")
    monkeypatch.setattr(native, "_processor_features", lambda: "avx2")
    assert native.build_key(LOCKS / "runtime.lock") != here


def test_the_build_tells_how_far_it_is() -> None:
    line = "  [57/312] /usr/bin/c++ -O3 -c ggml.cpp"
    assert native.build_status(line) == "object 57 of 312"
    assert native.build_status("warning: unused variable") is None


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine without two of Qt's libraries and without a compiler."""
    absent = {"libxcb-cursor.so.0", "libEGL.so.1"}
    monkeypatch.setattr(system, "loads", lambda soname: soname not in absent)
    monkeypatch.setattr(system, "has_compiler", lambda: False)
    return system.missing_packages(compiler=True, display=False)


def test_what_is_missing_is_named_by_package(lacking: list[str]) -> None:
    assert lacking == ["g++", "libegl1", "libxcb-cursor0"]


def test_where_installing_is_not_allowed_the_exact_command_is_printed(
    lacking: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "_privilege", lambda: None)
    monkeypatch.setattr(system.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(progress.SetupError) as failure:
        system.provide(lacking)
    command = "apt-get install -y --no-install-recommends g++ libegl1 libxcb-cursor0"
    assert command in str(failure.value)
    assert "Nothing was changed." in str(failure.value)


def test_without_apt_the_packages_are_named(
    lacking: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system.shutil, "which", lambda _name: None)
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000)
    with pytest.raises(progress.SetupError, match="by Debian's names.*g.. libegl1"):
        system.provide(lacking)


def test_a_complete_machine_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "loads", lambda _soname: True)
    assert "libegl1" not in system.missing_packages(compiler=False, display=False)


def _shell(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


def test_a_failed_step_shows_the_end_of_its_output_and_advice(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with pytest.raises(progress.SetupError) as failure:
        progress.run("fetching", _shell("echo first; echo Connection refused; exit 1"), log)
    assert "check the network or proxy" in str(failure.value)
    assert str(log) in str(failure.value)
    assert log.read_text() == "first\nConnection refused\n"


def test_an_interrupt_ends_everything_the_step_started(tmp_path: Path) -> None:
    seen: list[int] = []

    def interrupt(line: str) -> str | None:
        seen.append(int(line))
        raise KeyboardInterrupt

    # The inner shell's child would outlive it if only the shell itself were ended.
    script = "sleep 600 & echo $!; wait"
    with pytest.raises(KeyboardInterrupt):
        progress.run("compiling", _shell(script), tmp_path / "log", status_of=interrupt)
    state = Path(f"/proc/{seen[0]}/stat")
    # Ended, or ended and not yet collected by the system's first process.
    assert not state.exists() or state.read_text().split(") ")[1][0] == "Z"


def test_a_long_step_shows_that_it_is_alive(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "HEARTBEAT_S", 0)
    progress.run(
        "compiling llama.cpp",
        _shell("echo '[57/312] cc'"),
        None,
        status_of=native.build_status,
    )
    output = capsys.readouterr().out
    assert "compiling llama.cpp: 0 s, object 57 of 312" in output
    assert "compiling llama.cpp: done in 0 s" in output


def test_durations_read_as_people_say_them() -> None:
    assert progress.elapsed(9.7) == "9 s"
    assert progress.elapsed(125) == "2 min 05 s"


def test_a_build_is_kept_under_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    lock = LOCKS / "runtime.lock"
    assert native.cached_wheel(lock) is None
    folder = tmp_path / "anchorline" / "wheels" / native.build_key(lock)
    folder.mkdir(parents=True)
    wheel = folder / "llama_cpp_python-0.3.36-py3-none-any.whl"
    wheel.write_bytes(b"")
    assert native.cached_wheel(lock) == wheel


@pytest.fixture
def own_signals() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("own_signals")
def test_a_signal_during_a_step_is_taken_at_a_safe_place(monkeypatch: pytest.MonkeyPatch) -> None:
    interruption = progress.Interruption()
    monkeypatch.setattr(progress, "interruption", interruption)
    interruption.listen()
    with pytest.raises(KeyboardInterrupt):
        progress.run(
            "compiling",
            _shell("echo go; sleep 600"),
            None,
            status_of=lambda _line: signal.raise_signal(signal.SIGTERM),
        )
