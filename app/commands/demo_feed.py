"""The simulated inspection line as a source: writes its file on a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from app.config import Paths
from app.demo import run_demo
from app.errors import AppError


class DemoFeed:
    """Writes the demo log until it is stopped.

    Arguments:
        paths: the file goes to the state folder.
        seed: chooses among the variations.
        failed: told, on the feed's thread, why it could not go on.
    """

    def __init__(self, paths: Paths, seed: int, failed: Callable[[AppError], None]) -> None:
        self.path: Path = paths.state / "demo" / "line3.log"
        self._seed = seed
        self._failed = failed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)

    def start(self) -> None:
        """Begin the file anew and go on writing."""
        self._thread.start()

    def stop(self) -> None:
        """End the writing."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def _run(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            run_demo(self.path, self._seed, self._stop)
        except AppError as error:
            self._failed(error)
        except OSError as error:
            self._failed(
                AppError(
                    "The simulated line cannot be written to {path}: {reason}.",
                    "Free some disk space, or check that the folder may be written to.",
                    path=self.path,
                    reason=error.strerror or error,
                )
            )
