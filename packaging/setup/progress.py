"""Run a command and show that it is alive: step, elapsed time and what it is doing now."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType

HEARTBEAT_S = 15.0
"""Between two lines of progress where the output is not a terminal."""
TAIL_LINES = 25


class SetupError(Exception):
    """Set-up cannot go on; says what happened and what to do."""


def say(text: str) -> None:
    """Print one line about the set-up."""
    print(f"setup: {text}", flush=True)


def elapsed(seconds: float) -> str:
    """A duration as people say it, such as ``2 min 05 s``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


class Interruption:
    """Turns signals into ``KeyboardInterrupt`` at a safe place.

    Raising inside a signal handler can hit a lock of the standard library half-way; so while a
    command runs, the handler only takes a note that the loop around the command reads.
    """

    def __init__(self) -> None:
        self.command_runs = False
        self._asked = False

    def listen(self) -> None:
        """Take over the signals that mean stop, except those the caller wants ignored."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._note)

    def check(self) -> None:
        """Raise ``KeyboardInterrupt`` if a signal came."""
        if self._asked:
            raise KeyboardInterrupt

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._asked = True
        if not self.command_runs:
            raise KeyboardInterrupt


interruption = Interruption()


class Heartbeat:
    """One status line: rewritten in place on a terminal, repeated now and then elsewhere."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._started_s = time.monotonic()
        self._shown_s = self._started_s
        self._terminal = sys.stdout.isatty()

    def beat(self, status: str) -> None:
        """Show the status if it is due."""
        now_s = time.monotonic()
        due_s = 0.5 if self._terminal else HEARTBEAT_S
        if now_s - self._shown_s < due_s:
            return
        self._shown_s = now_s
        text = f"  … {self._label}: {elapsed(now_s - self._started_s)}"
        text += f", {status}" if status else ""
        if self._terminal:
            print(f"\r\x1b[K{text[:110]}", end="", flush=True)
        else:
            print(text, flush=True)

    def done(self) -> float:
        """Clear the line; return the seconds since the start."""
        if self._terminal:
            print("\r\x1b[K", end="", flush=True)
        return time.monotonic() - self._started_s


def run(
    label: str,
    command: Sequence[str | Path],
    log: Path | None,
    *,
    status_of: Callable[[str], str | None] = lambda _line: None,
    env: Mapping[str, str] | None = None,
) -> None:
    """Run a command with a heartbeat; its output goes to the log file.

    Arguments:
        label: what is being done, for the status line.
        status_of: turns an output line into a few words, or None to keep the last ones.

    Raises:
        SetupError: the command failed; carries the end of its output.
        KeyboardInterrupt: interrupted; the command and all it started were ended first.
    """
    heartbeat = Heartbeat(label)
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    lines: queue.Queue[str | None] = queue.Queue()
    # A group of its own, so that an interrupt can end compilers that pip started as well.
    with subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, **(env or {})},
        start_new_session=True,
    ) as process:
        interruption.command_runs = True
        threading.Thread(target=_pump, args=(process, lines), daemon=True).start()
        try:
            _follow(lines, log, tail, heartbeat, status_of)
            code = process.wait()
        except BaseException:
            _end_group(process)
            raise
        finally:
            interruption.command_runs = False
            seconds = heartbeat.done()
    if code != 0:
        where = f"\nThe whole output is in {log}." if log else ""
        raise SetupError(_explain(label, list(tail)) + where)
    say(f"{label}: done in {elapsed(seconds)}")


def _pump(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line.rstrip())
    lines.put(None)


def _follow(
    lines: queue.Queue[str | None],
    log: Path | None,
    tail: deque[str],
    heartbeat: Heartbeat,
    status_of: Callable[[str], str | None],
) -> None:
    status = ""
    with (log or Path(os.devnull)).open("a", encoding="utf-8") as file:
        while True:
            interruption.check()
            try:
                line = lines.get(timeout=0.5)
            except queue.Empty:
                heartbeat.beat(status)
                continue
            if line is None:
                return
            file.write(line + "\n")
            tail.append(line)
            status = status_of(line) or status
            heartbeat.beat(status)


def _end_group(process: subprocess.Popen[str]) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


_OFFLINE_SIGNS = (
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Temporary failure resolving",
    "Name or service not known",
    "Network is unreachable",
    "Connection refused",
    "Could not resolve host",
)


def _explain(label: str, tail: list[str]) -> str:
    text = "\n".join(f"    {line}" for line in tail)
    if any(sign in text for sign in _OFFLINE_SIGNS):
        advice = "No package server could be reached: check the network or proxy, then run again."
    elif "No space left on device" in text:
        advice = "The disk is full: make room, then run again."
    elif "DO NOT MATCH THE HASHES" in text:
        advice = "A downloaded file is not the one in the lock file; it was not installed."
    else:
        advice = "Mend what it says, then run again: finished steps are kept."
    return f"{label} failed. The end of its output:\n{text}\n{advice}"
