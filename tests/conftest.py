"""What every test may use: a home of its own, the real tiny model, sample logs, a display."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Before anything imports Qt: windows are drawn in memory unless a test asks for a display.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("LC_ALL", "C.UTF-8")

from app.config import Paths
from app.models.manifest import load_manifest

MODELS_DIR = Paths.default().models
SHARED_LOGS = Path(__file__).resolve().parents[2] / "shared" / "logs" / "loghub"


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for the program; only model files come from the user's real one."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ANCHORLINE_HOME", str(folder))
    monkeypatch.setenv("ANCHORLINE_MODELS", str(MODELS_DIR))
    return folder


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Nothing under test may reach beyond this machine."""
    patch = pytest.MonkeyPatch()
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            assert str(address[0]) in ("127.0.0.1", "::1", "localhost"), f"reached for {address}"
        connect(self, address)

    patch.setattr(socket.socket, "connect", guarded)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder with the real model files."""
    return MODELS_DIR


@pytest.fixture(scope="session")
def tiny_model() -> Path:
    """The real SmolLM2 file."""
    return _present("tiny")[0]


@pytest.fixture(scope="session")
def standard_pair() -> tuple[Path, Path]:
    """Target and draft of the standard profile."""
    target, draft = _present("standard")
    return target, draft


def _present(profile: str) -> list[Path]:
    paths = [MODELS_DIR / file.name for file in load_manifest().select(profile)]
    if not all(path.exists() for path in paths):
        message = f"needs model files: anchorline models fetch {profile}"
        if profile == "tiny":
            pytest.fail(message)
        pytest.skip(message)
    return paths


@pytest.fixture(scope="session")
def sample_logs() -> Path:
    """The folder of real sample logs beside the checkout."""
    if not SHARED_LOGS.is_dir():
        message = "needs the sample logs in ../shared/logs/loghub"
        if os.environ.get("ANCHORLINE_REQUIRE_SHARED"):
            pytest.fail(message)
        pytest.skip(message)
    return SHARED_LOGS


@pytest.fixture(scope="session")
def virtual_display() -> Iterator[str]:
    """A display for real windows, such as ``:7``; the value for DISPLAY."""
    server = shutil.which("Xvfb")
    assert server, "Xvfb is missing: make setup-dev installs it"
    read_end, write_end = os.pipe()
    command = [server, "-displayfd", str(write_end), "-screen", "0", "1280x800x24", "-nolisten"]
    with subprocess.Popen(
        [*command, "tcp"], pass_fds=[write_end], stderr=subprocess.DEVNULL
    ) as process:
        os.close(write_end)
        with os.fdopen(read_end) as answer:
            number = answer.readline().strip()
        try:
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            process.terminate()
