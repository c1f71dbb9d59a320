"""The simulated inspection line as a source: writes its file on a thread."""

from __future__ import annotations

import threading
from pathlib import Path

from app.config import Paths
from app.demo import run_demo


class DemoFeed:
    """Writes the demo log until it is stopped.

    Arguments:
        paths: the file goes to the state folder.
        seed: chooses among the variations.
    """

    def __init__(self, paths: Paths, seed: int) -> None:
        self.path: Path = paths.state / "demo" / "line3.log"
        self._seed = seed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)

    def start(self) -> None:
        """Begin the file anew and go on writing.

        Raises:
            OSError: the folder cannot be made.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._thread.start()

    def stop(self) -> None:
        """End the writing."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def _run(self) -> None:
        run_demo(self.path, self._seed, self._stop)
