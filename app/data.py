"""Where files that come with the program are: at the top of a checkout, in ``app`` in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_path(name: str) -> Path:
    """The path of a file or folder that ships with the program; it need not exist.

    Arguments:
        name: relative to the top of a checkout, such as ``models/manifest.toml``.
    """
    installed = _PACKAGE / name
    return installed if installed.exists() else _PACKAGE.parent / name
