"""Where the files that come with the program are: beside ``app`` in a checkout, in it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "_data"


def data_path(name: str) -> Path:
    """The path of a file or folder that ships with the program.

    Arguments:
        name: relative to the top of a checkout, such as ``models/manifest.toml``.
    """
    root = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
    return root / name
