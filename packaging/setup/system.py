"""What the system must provide: libraries for Qt, a compiler, Python's venv, a virtual display.

Everything is probed by use (a library is loaded, a program looked up), so a system that has it
from another source than Debian's packages is as good.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from progress import SetupError, run, say

LIBRARIES_FILE = Path(__file__).resolve().parents[2] / "resources" / "system-libraries.toml"


def library_packages() -> dict[str, str]:
    """Sonames that Qt and the engine load, each with the Debian package that brings it."""
    return dict(tomllib.loads(LIBRARIES_FILE.read_text(encoding="utf-8"))["libraries"])


def loads(soname: str) -> bool:
    """Whether the dynamic linker finds and loads the library."""
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def missing_packages(*, compiler: bool, display: bool) -> list[str]:
    """Debian packages that would bring what is missing here.

    Arguments:
        compiler: a C++ compiler is needed (no ready build of the native library was found).
        display: a virtual display is needed (tests).
    """
    missing = [package for soname, package in library_packages().items() if not loads(soname)]
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    if compiler and not has_compiler():
        missing.append("g++")
    if display and shutil.which("Xvfb") is None:
        missing.append("xvfb")
    return sorted(set(missing))


def has_compiler() -> bool:
    """Whether C and C++ compilers are there (``CC`` and ``CXX`` are respected)."""
    c_names = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    cxx_names = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]
    return all(
        any(name and shutil.which(shlex.split(name)[0]) for name in names)
        for names in (c_names, cxx_names)
    )


def provide(missing: list[str]) -> None:
    """Install the packages where that is allowed.

    Raises:
        SetupError: it is not allowed or failed; names the exact command to run by hand.
    """
    if not missing:
        return
    prefix = _privilege()
    by_hand = "sudo apt-get update && sudo apt-get install -y --no-install-recommends "
    by_hand += " ".join(missing)
    if shutil.which("apt-get") is None:
        raise SetupError(
            f"These are missing (by Debian's names): {' '.join(missing)}.\n"
            "Install them with this system's package manager, then run again. Nothing was changed."
        )
    if prefix is None:
        raise SetupError(
            "System packages are missing and this account may not install them.\n"
            f"Have this run, then try again:\n\n    {by_hand}\n\nNothing was changed."
        )
    say(f"system packages to install: {' '.join(missing)}")
    environment = {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run("reading package lists", [*prefix, "apt-get", "update", "-q"], None, env=environment)
        run(
            "installing system packages",
            [*prefix, "apt-get", "install", "-y", "-q", "--no-install-recommends", *missing],
            None,
            status_of=_apt_status,
            env=environment,
        )
    except SetupError as error:
        raise SetupError(f"{error}\nBy hand:\n\n    {by_hand}") from error


def _privilege() -> list[str] | None:
    """The words to put before apt-get, or None where it would ask for a password."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo is None:
        return None
    allowed = subprocess.run(
        [sudo, "-n", "true"], capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    # sudo clears the environment; the variable has to be set on its other side.
    return [sudo, "-n", "DEBIAN_FRONTEND=noninteractive"] if allowed.returncode == 0 else None


def _apt_status(line: str) -> str | None:
    words = line.split()
    if line.startswith(("Unpacking", "Setting up", "Get:")) and len(words) > 1:
        return " ".join(words[:2]) if words[0] != "Get:" else "downloading"
    return None
