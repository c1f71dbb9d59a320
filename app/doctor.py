"""What is installed, what is missing and what to do: looks at everything, needs nothing."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import json
import logging
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

import psutil

from app.config import Paths, Settings
from app.data import data_path
from app.errors import AppError
from app.models.check import (
    check_file,
    is_verified,
    memory_available_bytes,
    needed_bytes,
    size_text,
)
from app.models.manifest import load_manifest
from app.models.resolve import CONTEXT_TOKENS, choose_profile, missing_files

_LOG = logging.getLogger(__name__)

LOW_DISK_BYTES = 2_000_000_000
PROBE_TIMEOUT_S = 60


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    """Works, with less."""
    FAIL = "fail"
    """Does not work until mended."""


@dataclass(frozen=True, slots=True)
class Check:
    """One finding.

    Attributes:
        name: what was looked at, a few words.
        detail: what was found.
        remedy: what to do; empty where nothing needs doing.
    """

    name: str
    state: State
    detail: str
    remedy: str = ""


def examine(paths: Paths | None = None) -> list[Check]:
    """Look at everything; never raises for something missing or broken."""
    paths = paths or Paths.default()
    looks: list[tuple[str, Callable[[], Check]]] = [
        ("Python", _python),
        ("System", _system),
        ("Packages", _packages),
        ("Inference library", _native_library),
        ("Processor", _processor),
        ("Memory", lambda: _memory(paths.models)),
        ("Qt libraries", _qt_libraries),
        ("Display", _display),
        ("On-screen keyboard", _keyboard),
        ("Fonts", _fonts),
        ("Model, tiny", lambda: _model("tiny", paths.models)),
        ("Model, standard", lambda: _model("standard", paths.models)),
        ("Data folder", lambda: _data_folder(paths.data)),
        ("Settings", lambda: _settings(paths.settings)),
        ("History", lambda: _history(paths.history)),
    ]
    return [_guarded(name, look) for name, look in looks]


def exit_code(checks: Iterable[Check]) -> int:
    """0 where nothing failed, else 2."""
    return 2 if any(check.state is State.FAIL for check in checks) else 0


def as_text(checks: Iterable[Check]) -> str:
    """The findings for a person, one a line, remedies below."""
    lines = []
    for check in checks:
        lines.append(f"{check.state:<4}  {check.name:<18}  {check.detail}")
        if check.remedy:
            lines.append(f"{'':<4}  {'':<18}  -> {check.remedy}")
    return "\n".join(lines)


def as_json(checks: Iterable[Check]) -> str:
    """The findings for a program."""
    return json.dumps([asdict(check) for check in checks], ensure_ascii=False, indent=1)


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except AppError as error:
        return Check(name, State.FAIL, error.message, error.hint)
    except Exception as error:
        # A doctor that falls ill on a strange machine helps nobody; what it tripped over is shown.
        _LOG.exception("the check of %s failed", name)
        return Check(name, State.FAIL, f"could not be examined: {error}")


# --- program ------------------------------------------------------------------------------------


def _python() -> Check:
    version = platform.python_version()
    if (3, 11) <= sys.version_info[:2] <= (3, 12):
        return Check("Python", State.OK, version)
    return Check("Python", State.FAIL, f"{version}, made for 3.11 and 3.12", "Use Python 3.11.")


def _system() -> Check:
    libc = " ".join(platform.libc_ver()).strip()
    words = (platform.system(), platform.release(), platform.machine(), libc)
    return Check("System", State.OK, " ".join(word for word in words if word))


def _packages() -> Check:
    try:
        wanted = importlib.metadata.requires("anchorline") or []
    except importlib.metadata.PackageNotFoundError:
        return Check(
            "Packages", State.WARN, "Anchorline runs without being installed", "make setup"
        )
    names = [re.split(r"[^\w.-]", line)[0] for line in wanted if "extra ==" not in line]
    missing = [name for name in names if not _installed(name)]
    if missing:
        return Check("Packages", State.FAIL, f"missing: {', '.join(missing)}", "make setup")
    return Check("Packages", State.OK, f"all {len(names)} installed")


def _installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _native_library() -> Check:
    # In a process of its own: a library built for another processor kills the one that loads it.
    name = "Inference library"
    code = "import llama_cpp; print(llama_cpp.__version__)"
    probe = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=PROBE_TIMEOUT_S,
        check=False,
    )
    if probe.returncode == 0:
        return Check(name, State.OK, f"llama-cpp-python {probe.stdout.strip()} loads")
    if probe.returncode < 0:
        detail = "it crashes on loading: probably built for another processor"
        return Check(name, State.FAIL, detail, "rm -r .venv ~/.cache/anchorline/wheels; make setup")
    reason = (probe.stderr.strip().splitlines() or ["no reason given"])[-1]
    return Check(name, State.FAIL, f"it does not load: {reason}", "make setup")


# --- machine ------------------------------------------------------------------------------------


def _processor() -> Check:
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Check("Processor", State.OK, f"{cores} cores")
    line = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    flags = set(line[1].split()) if line else set()
    known = (
        "avx512_vnni",
        "avx512f",
        "avx_vnni",
        "avx2",
        "fma",
        "f16c",
        "asimddp",
        "i8mm",
        "asimd",
    )
    has = [flag for flag in known if flag in flags]
    detail = f"{cores} cores, {', '.join(has) or 'no vector instructions known to help'}"
    if not {"avx2", "asimd"} & flags:
        return Check("Processor", State.WARN, detail, "Answers will be slow: use --profile tiny.")
    return Check("Processor", State.OK, detail)


def _memory(models_dir: Path) -> Check:
    total = psutil.virtual_memory().total
    free = memory_available_bytes()
    swapped = _own_swap_bytes()
    detail = f"{size_text(free)} of {size_text(total)} free"
    if swapped:
        detail += f", {size_text(swapped)} of this process swapped out"
    profile = load_manifest().profile(choose_profile(models_dir))
    present = [models_dir / file.name for file in profile.target_and_draft]
    infos = [check_file(path) for path in present if path.exists()]
    needed = needed_bytes(infos, CONTEXT_TOKENS)
    if needed > free:
        remedy = "Close other programs, or use --profile tiny."
        detail += f"; the {profile.name} profile needs {size_text(needed)}"
        return Check("Memory", State.WARN, detail, remedy)
    return Check("Memory", State.OK, detail)


def _own_swap_bytes() -> int:
    try:
        text = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    line = re.search(r"^VmSwap:\s*(\d+) kB", text, re.MULTILINE)
    return int(line[1]) * 1024 if line else 0


# --- window -------------------------------------------------------------------------------------


def _qt_folder() -> Path | None:
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _qt_libraries() -> Check:
    name = "Qt libraries"
    folder = _qt_folder()
    if folder is None:
        return Check(name, State.FAIL, "PySide6 is not installed", "make setup")
    if sys.platform != "linux":
        return Check(name, State.OK, "PySide6 is installed")
    listed = tomllib.loads(data_path("resources/system-libraries.toml").read_text("utf-8"))
    packages: dict[str, str] = listed["libraries"]
    missing = _not_found(folder / "Qt" / "plugins" / "platforms" / "libqxcb.so", packages)
    if missing:
        wanted = sorted({packages.get(soname, soname) for soname in missing})
        remedy = f"apt-get install {' '.join(wanted)}"
        return Check(name, State.FAIL, f"missing: {', '.join(sorted(missing))}", remedy)
    return Check(name, State.OK, "the window system's plug-in finds all it needs")


def _not_found(plugin: Path, sonames: Iterable[str]) -> set[str]:
    """Libraries that the plug-in (or, without ldd, the known list) does not find."""
    if shutil.which("ldd") and plugin.exists():
        listing = subprocess.run(
            ["ldd", str(plugin)],
            capture_output=True,
            text=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
        return set(re.findall(r"^\s*(\S+) => not found", listing.stdout, re.MULTILINE))
    return {soname for soname in sonames if not _loads(soname)}


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _display() -> Check:
    for variable in ("WAYLAND_DISPLAY", "DISPLAY"):
        if os.environ.get(variable):
            return Check("Display", State.OK, f"{variable}={os.environ[variable]}")
    if sys.platform in ("win32", "darwin"):
        return Check("Display", State.OK, "the system's own")
    remedy = "Start from a desktop session; without one: anchorline ask, or make run (offscreen)."
    return Check("Display", State.WARN, "none: no window can open", remedy)


def _keyboard() -> Check:
    name = "On-screen keyboard"
    folder = _qt_folder()
    plugins = folder / "Qt" / "plugins" / "platforminputcontexts" if folder else Path()
    plugin = next(iter(plugins.glob("*qtvirtualkeyboard*")), None)
    # The plug-in comes with Qt's base package but not the library it needs: it fails silently.
    if plugin is not None and shutil.which("ldd") and not _not_found(plugin, ()):
        return Check(name, State.OK, "Qt Virtual Keyboard")
    if os.environ.get("QT_IM_MODULE") or os.environ.get("GTK_IM_MODULE"):
        return Check(name, State.OK, "the system's input method")
    remedy = "Use the system's on-screen keyboard, or attach one; suggested questions need none."
    return Check(name, State.WARN, "Qt's own is not complete here and will not open", remedy)


def _fonts() -> Check:
    fonts = sorted(path.name for path in data_path("resources/fonts").glob("*.[ot]tf"))
    if fonts:
        return Check("Fonts", State.OK, f"bundled: {', '.join(fonts)}")
    remedy = "apt-get install fonts-noto-cjk"
    return Check("Fonts", State.WARN, "the bundled fonts are missing; Chinese may not show", remedy)


# --- data ---------------------------------------------------------------------------------------


def _model(profile_name: str, models_dir: Path) -> Check:
    name = f"Model, {profile_name}"
    profile = load_manifest().profile(profile_name)
    fetch = f"anchorline models fetch {profile_name}"
    lacking = missing_files(profile_name, models_dir)
    if lacking:
        state = State.FAIL if profile_name == "tiny" and _no_model(models_dir) else State.WARN
        return Check(name, state, f"missing: {', '.join(file.name for file in lacking)}", fetch)
    files = [
        file
        for pair in profile.pairs
        if all((models_dir / file.name).exists() for file in pair.files)
        for file in pair.files
    ]
    for file in files:
        check_file(models_dir / file.name, file)
    unverified = [file.name for file in files if not is_verified(models_dir / file.name, file)]
    if unverified:
        detail = f"present; digest not checked yet: {', '.join(unverified)}"
        return Check(name, State.OK, detail, "anchorline models verify")
    return Check(name, State.OK, f"verified: {', '.join(file.name for file in files)}")


def _no_model(models_dir: Path) -> bool:
    return next(iter(models_dir.glob("*.gguf")), None) is None


def _data_folder(folder: Path) -> Check:
    name = "Data folder"
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            free = shutil.disk_usage(existing).free
    except OSError as error:
        remedy = "Mend its permissions, or name another folder in ANCHORLINE_HOME."
        return Check(name, State.FAIL, f"{folder} cannot be written: {error.strerror}", remedy)
    detail = f"{folder}, {size_text(free)} free"
    if free < LOW_DISK_BYTES:
        return Check(name, State.WARN, detail, "Make room: models and history need it.")
    return Check(name, State.OK, detail)


def _settings(path: Path) -> Check:
    Settings.load(path)
    return Check("Settings", State.OK, str(path) if path.exists() else "defaults; no file yet")


def _history(path: Path) -> Check:
    if not path.exists():
        return Check("History", State.OK, "none yet")
    remedy = "The console sets a damaged history aside and begins a new one by itself."
    try:
        # Read-only: a look must not change what it looks at, nor wait for a running console.
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1) as database:
            verdict = database.execute("PRAGMA quick_check(1)").fetchone()[0]
            answers = database.execute("SELECT count(*) FROM answers").fetchone()[0]
        database.close()
    except sqlite3.Error as error:
        return Check("History", State.FAIL, f"{path}: {error}", remedy)
    if verdict != "ok":
        return Check("History", State.FAIL, f"{path}: {verdict}", remedy)
    return Check("History", State.OK, f"{answers} answers, {size_text(path.stat().st_size)}")
