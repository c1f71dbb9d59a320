"""Set up a checkout: system libraries, ``.venv``, locked dependencies, the program itself.

Every step leaves a stamp made of what it depended on, so a second run only compares stamps and an
interrupted one goes on where it stopped. Standard library only; runs before anything is there.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import native
import system
from progress import SetupError, elapsed, interruption, run, say

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "packaging" / "locks"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / ".setup"
LOG = STAMPS / "setup.log"
ROOM_BYTES = 1_500_000_000
BUILD_ROOM_BYTES = 1_500_000_000


def main() -> int:
    """Run the steps that are due; 0 done, 2 something to mend, 130 interrupted."""
    parser = argparse.ArgumentParser(prog="setup", description=__doc__)
    parser.add_argument("--dev", action="store_true", help="tests and checks as well")
    arguments = parser.parse_args()
    interruption.listen()
    started_s = time.monotonic()
    try:
        with _only_one():
            changed = set_up(dev=arguments.dev)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nsetup: interrupted; run it again to go on from here.", file=sys.stderr)
        return 130
    if changed:
        say(f"ready after {elapsed(time.monotonic() - started_s)}")
    return 0


def set_up(*, dev: bool) -> bool:
    """Bring the checkout up to date; says whether anything was done."""
    lock = LOCKS / ("dev.lock" if dev else "runtime.lock")
    venv_key = f"{sys.version} {sys.base_prefix} {VENV}"
    native_key = native.build_key(LOCKS / "runtime.lock")
    steps: list[tuple[str, str, Callable[[], None]]] = [
        ("venv", venv_key, _make_venv),
        ("build", _digest(LOCKS / "build.lock"), _install_build_tools),
        ("native", native_key, _install_native),
        ("dev" if dev else "runtime", _digest(lock), lambda: _install_locked(lock)),
        ("project", _digest(ROOT / "pyproject.toml"), _install_project),
    ]
    if not (_is_done("venv", venv_key) and PYTHON.exists()):
        due = steps
    else:
        due = [step for step in steps if not _is_done(step[0], step[1])]
    names = {name for name, _key, _action in due}
    _check_system(dev=dev, builds="native" in names and not native.cached_wheel(lock))
    if due:
        _check_room(builds="native" in names)
    for name, key, action in due:
        action()
        _mark_done(name, key)
        if name == "dev":
            # The tools' lock holds the program's own dependencies too, at the same versions.
            _mark_done("runtime", _digest(LOCKS / "runtime.lock"))
    return bool(due)


def _check_system(*, dev: bool, builds: bool) -> None:
    system.provide(system.missing_packages(compiler=builds, display=dev))


def _check_room(*, builds: bool) -> None:
    needed = ROOM_BYTES + (BUILD_ROOM_BYTES if builds else 0)
    free = shutil.disk_usage(ROOT).free
    if free < needed:
        raise SetupError(
            f"Not enough room in {ROOT}: {needed / 1e9:.1f} GB needed, {free / 1e9:.1f} GB free. "
            "Make room, then run again."
        )


def _make_venv() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    try:
        run("creating .venv", [sys.executable, "-m", "venv", VENV], None)
    except BaseException:
        shutil.rmtree(VENV, ignore_errors=True)
        raise
    STAMPS.mkdir()


def _install_build_tools() -> None:
    # pip first: the one that venv brings may be too old to read the lock files.
    _pip_install("installing pip and build tools", LOCKS / "build.lock")


def _install_native() -> None:
    native.install(PYTHON, LOCKS / "runtime.lock", VENV / "native-build", LOG)


def _install_locked(lock: Path) -> None:
    _pip_install(f"installing {lock.stem} packages", lock)


def _pip_install(label: str, lock: Path) -> None:
    run(
        label,
        [
            *(PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"),
            *("--require-hashes", "--only-binary", ":all:", "-r", lock),
        ],
        LOG,
        status_of=_pip_status,
    )


def _install_project() -> None:
    run(
        "installing the anchorline command",
        [
            *(PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--editable", ROOT),
        ],
        LOG,
    )
    command = [PYTHON, "-c", "import llama_cpp, PySide6.QtWidgets"]
    probe = subprocess.run(command, capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        reason = (probe.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SetupError(
            f"The installed libraries do not load: {reason}\n"
            "Remove .venv and run again; if it stays, report this line."
        )


def _pip_status(line: str) -> str | None:
    words = line.split()
    if words[:1] in (["Downloading"], ["Collecting"], ["Installing"], ["Using"]):
        return " ".join(words[:3]).split("==")[0]
    return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_done(step: str, key: str) -> bool:
    try:
        return (STAMPS / step).read_text(encoding="utf-8") == key
    except OSError:
        return False


def _mark_done(step: str, key: str) -> None:
    partial = STAMPS / f"{step}.partial"
    partial.write_text(key, encoding="utf-8")
    partial.replace(STAMPS / step)


class _only_one:  # noqa: N801  reads as a phrase: with _only_one()
    """Holds off a second set-up of the same checkout until this one has ended."""

    def __enter__(self) -> None:
        self._folder = os.open(LOCKS, os.O_RDONLY)
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up of this checkout is running; waiting for it")
            fcntl.flock(self._folder, fcntl.LOCK_EX)

    def __exit__(self, *_exception: object) -> None:
        os.close(self._folder)


if __name__ == "__main__":
    sys.exit(main())
