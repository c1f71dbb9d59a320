"""Build the native inference library from its source package: resumable, and once per machine.

The source is fetched by pip against the hash in the lock file, unpacked to a fixed folder and
built there, so that an interrupted build goes on at the object file it had reached. The wheel is
kept in the user's cache under a name made of everything that shapes it (source hash, build
switches, processor features: the build is tuned to the processor), so that another checkout or a
removed ``.venv`` does not build again.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import tarfile
from pathlib import Path

from progress import SetupError, run, say

NAME = "llama-cpp-python"
# Only the library itself, none of the multimodal tools beside it.
_SWITCHES = ["-DLLAVA_BUILD=OFF"]
if platform.machine() in ("x86_64", "AMD64"):
    # WORKAROUND: GCC 12 compiles llama.cpp's AMX kernels wrongly: the tile configuration is not
    # in memory yet when it is loaded, and the first decode ends in a segmentation fault. Without
    # AMX the AVX-512 and AVX2 kernels run, which every supported terminal has anyway.
    _NO_AMX = "-mno-amx-tile -mno-amx-int8 -mno-amx-bf16"
    _SWITCHES += [f"-DCMAKE_C_FLAGS='{_NO_AMX}'", f"-DCMAKE_CXX_FLAGS='{_NO_AMX}'"]
_NINJA_STEP = re.compile(r"^\s*\[(\d+)/(\d+)\]")


def requirement(lock: Path) -> str:
    """The library's entry in the lock file: pinned version and hashes."""
    entry = re.search(
        rf"^{NAME}==.*?(?=^\S|\Z)", lock.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    if entry is None:
        raise SetupError(f"{lock} has no entry for {NAME}: write it again with 'make lock'.")
    return "".join(line for line in entry.group().splitlines(keepends=True) if "#" not in line)


def build_key(lock: Path) -> str:
    """Names one build: source, switches, machine."""
    parts = [
        requirement(lock),
        _cmake_arguments(),
        platform.machine(),
        platform.libc_ver()[1],
        _processor_features(),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _cmake_arguments() -> str:
    """Our switches, then the user's own, which win."""
    return " ".join([*_SWITCHES, os.environ.get("CMAKE_ARGS", "")]).strip()


def cached_wheel(lock: Path) -> Path | None:
    """A finished build for this machine, if there is one."""
    return next(iter(sorted(_cache_folder(lock).glob("*.whl"))), None)


def install(python: Path, lock: Path, work: Path, log: Path) -> None:
    """Install the library into the environment, building it first where no build is kept.

    Arguments:
        python: the environment's interpreter.
        work: folder for source and objects; survives an interrupted build, removed after it.

    Raises:
        SetupError: no source could be fetched, or the compiler failed.
    """
    wheel = cached_wheel(lock) or _build(python, lock, work, log)
    run(
        "installing the native library",
        [python, "-m", "pip", "install", "--no-deps", "--no-index", "--force-reinstall", wheel],
        log,
    )
    shutil.rmtree(work, ignore_errors=True)


def _build(python: Path, lock: Path, work: Path, log: Path) -> Path:
    source = _fetch_source(python, lock, work, log)
    objects = work / "objects"
    wheels = work / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    say("compiling llama.cpp for this processor: 4 to 10 minutes on two cores, once per machine")
    run(
        "compiling llama.cpp",
        [
            *(python, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation"),
            *("-C", f"build-dir={objects}", "-w", wheels, source),
        ],
        log,
        status_of=build_status,
        # The environment's own cmake and ninja, at the versions of the lock file.
        env={
            "PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "CMAKE_ARGS": _cmake_arguments(),
        },
    )
    built = next(iter(wheels.glob("*.whl")))
    folder = _cache_folder(lock)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f".{built.name}.{os.getpid()}"
        shutil.copyfile(built, partial)
        partial.replace(folder / built.name)
    except OSError as error:
        say(f"the build could not be kept for other checkouts ({error}); this one has it")
        return built
    return folder / built.name


def _fetch_source(python: Path, lock: Path, work: Path, log: Path) -> Path:
    unpacked = work / "source"
    if unpacked.is_dir():
        return next(unpacked.iterdir())
    shutil.rmtree(work, ignore_errors=True)
    downloads = work / "download"
    downloads.mkdir(parents=True)
    wanted = work / "requirement.txt"
    wanted.write_text(requirement(lock), encoding="utf-8")
    run(
        f"fetching the source of {NAME}",
        [
            *(python, "-m", "pip", "download", "--no-deps", "--no-build-isolation"),
            *("--no-binary", NAME, "--require-hashes", "-r", wanted, "-d", downloads),
        ],
        log,
    )
    archive = next(iter(downloads.glob("*.tar.gz")))
    partial = work / "unpacking"
    with tarfile.open(archive) as file:
        file.extractall(partial, filter="data")
    partial.rename(unpacked)
    shutil.rmtree(downloads)
    return next(unpacked.iterdir())


def build_status(line: str) -> str | None:
    """What a line of the build's output says about its progress."""
    step = _NINJA_STEP.match(line)
    if step:
        return f"object {step[1]} of {step[2]}"
    if "Configuring CMake" in line:
        return "configuring"
    return None


def _cache_folder(lock: Path) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "anchorline" / "wheels" / build_key(lock)


def _processor_features() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    line = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    return " ".join(sorted(line[1].split())) if line else platform.processor()
