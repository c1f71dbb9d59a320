"""The only place that touches a native library."""

from __future__ import annotations

from app.engine.native.surface import Backend
from app.engine.native.waiting import spin_briefly
from app.errors import AppError

BACKENDS = ("mainline",)

# Before any native library is loaded: this package is imported before its modules are.
spin_briefly()


def load_backend(name: str) -> Backend:
    """The native library of that name; its code is loaded only now.

    Raises:
        AppError: there is no such library, or it cannot be loaded.
    """
    if name != "mainline":
        raise AppError(
            'There is no backend "{name}".',
            "Known backends: {known}.",
            name=name,
            known=", ".join(BACKENDS),
        )
    try:
        # Only here: the console must be able to say what is missing when the library is.
        from app.engine.native.mainline import MainlineBackend  # noqa: PLC0415
    except (ImportError, OSError, RuntimeError) as error:
        raise AppError(
            "The language model library cannot be loaded: {reason}.",
            'Run "make setup" again; "anchorline doctor" says what is missing.',
            reason=error,
        ) from error
    return MainlineBackend()
