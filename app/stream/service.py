"""The stream side as the rest of the program sees it: one thread that reads all sources."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.stream.digest import Digest, DigestLine, DigestShare
from app.stream.follower import Follower, Losses
from app.stream.opening import check_readable
from app.stream.sources import FileSource, SourceNote, SourceState
from app.stream.store import LogStore
from app.stream.templates import TemplateMiner

__all__ = ["DigestLine", "DigestShare", "Losses", "SourceChange", "StreamService"]

_log = logging.getLogger(__name__)

_POLL_S = 0.05
_REPORT_S = 0.05
"""New lines are reported at most twenty times a second."""
_COUNT_REPORT_S = 0.5
_CLOSE_S = 3.0
_YIELD_S = 0.0005
_TROUBLE_S = 600.0
"""The same error of ours is logged and announced at most so often."""
_TROUBLE = SourceNote(
    "An error in the program hit {name}: some of its lines may not be shown or used. It is read"
    " on; details are in the program's log file."
)
_DROPPED = SourceNote(
    "The oldest lines of {name} are no longer kept in memory: search, counts and answers begin"
    " after them. The file is not touched."
)


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A source changed state, or something about it is worth saying.

    Attributes:
        name: display name.
        state: ``reading`` (existing content), ``following``, ``ended``, ``missing``, ``failed``.
        lines: lines read from it so far.
        note: template of a sentence for the operator; may be empty. ``{name}`` is among its
            values.
        values: fields of that template.
    """

    name: str
    state: str
    lines: int
    note: str = ""
    values: tuple[tuple[str, object], ...] = ()


class StreamService:
    """Reads all sources on one background thread into the store, and digests them.

    The callbacks run on that thread; they must return quickly (post to a loop). Each may be
    called at most about twenty times a second, state changes excepted.

    Arguments:
        store: receives every record.
        on_lines: first index and number of new records; ranges follow one another without gaps.
        on_status: a source's state, line count or note changed.
        on_digest: lines for the model, in order.
        digest_rate: tokens a second the model can read now; 0 holds lines back.
        backlog_tokens: most tokens for what was in a log when it was opened.
    """

    def __init__(
        self,
        store: LogStore,
        *,
        on_lines: Callable[[int, int], None],
        on_status: Callable[[SourceChange], None],
        on_digest: Callable[[tuple[DigestLine, ...]], None],
        digest_rate: Callable[[], float],
        backlog_tokens: int = 1_500,
    ) -> None:
        self._store = store
        self._told_dropped: set[str] = set()
        self._on_lines = on_lines
        self._on_status = on_status
        self._on_digest = on_digest
        self._digest = Digest(digest_rate, backlog_tokens=backlog_tokens)
        self._miner = TemplateMiner()
        self._followers: list[Follower] = []
        self._added: list[Follower] = []
        self._names: dict[str, Path] = {}
        self._reported: dict[str, tuple[SourceState, int]] = {}
        self._changed = threading.Condition()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._everything_read = True
        self._pending_first = 0
        self._pending_count = 0
        self._reported_at = 0.0
        self._counts_reported_at = 0.0
        self._troubled_at: dict[tuple[str, type[Exception], str], float] = {}
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def add_file(
        self, path: Path, *, follow: bool = True, from_start: bool = True, must_exist: bool = True
    ) -> str:
        """Read a file, and go on with what is appended to it.

        Touches the file system when ``must_exist`` is set; on a path that hangs, so does this.

        Arguments:
            path: the file.
            follow: go on after its end.
            from_start: read what is there already; otherwise only number its lines.
            must_exist: refuse a file that cannot be read now; otherwise wait for it.

        Returns:
            The display name of the source: the file's name, with folders where needed to tell it
            from another source. Adding a file twice returns the same name.

        Raises:
            AppError: the file cannot be read, or is not a text log.
        """
        if must_exist:
            check_readable(path)
        path = path.absolute()
        with self._changed:
            known = next((name for name, other in self._names.items() if other == path), None)
            if known is not None:
                return known
            name = self._new_name(path)
            self._names[name] = path
            self._added.append(self._follower(name, path, follow=follow, from_start=from_start))
            self._everything_read = False
        self._wake.set()
        return name

    def wait_read(self, timeout_s: float | None = None) -> bool:
        """Wait until the existing content of all sources is read and reported.

        Returns:
            False when the time was up before, or the service was closed.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._closing.is_set() or self._everything_read, timeout_s
            )
            return self._everything_read and not self._closing.is_set()

    @property
    def digest_share(self) -> DigestShare:
        """How much of the log the digest stands for so far; from any thread."""
        return self._digest.share

    def losses(self) -> dict[str, Losses]:
        """What was lost so far, by source."""
        with self._changed:
            return {follower.name: follower.losses for follower in self._followers}

    def close(self) -> None:
        """End the thread and close all sources; returns within seconds, may be called twice."""
        with self._changed:
            self._closing.set()
            self._changed.notify_all()
        self._wake.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(_CLOSE_S)

    # --- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing.is_set():
            self._take_added()
            busy = False
            for follower in self._followers:
                busy = self._guard(self._step, follower) or busy
                if self._closing.is_set():
                    break
            self._report()
            if busy:
                time.sleep(_YIELD_S)  # lets the console's thread have the interpreter
            else:
                self._wake.wait(_POLL_S)
                self._wake.clear()
        for follower in self._followers:
            follower.close()

    def _guard(self, action: Callable[..., bool], *of_source: Follower) -> bool:
        """Run a part of a round: an error of ours in it must not end the others, or the thread."""
        try:
            return action(*of_source)
        except Exception as error:
            self._trouble(action.__name__, error, of_source or tuple(self._followers))
            return False

    def _trouble(self, part: str, error: Exception, followers: tuple[Follower, ...]) -> None:
        if self._is_due(part, type(error)):
            _log.error("%s failed", part, exc_info=error)
        for follower in followers:
            if self._is_due(part, type(error), follower.name):
                try:
                    self._say(follower, _TROUBLE)
                except Exception:
                    _log.exception("the error could not be announced")

    def _is_due(self, part: str, kind: type[Exception], source: str = "") -> bool:
        """Is it long since this error was logged, or announced for this source?"""
        now = time.monotonic()
        told_at = self._troubled_at.get((part, kind, source))
        if told_at is not None and now - told_at < _TROUBLE_S:
            return False
        self._troubled_at[part, kind, source] = now
        return True

    def _take_added(self) -> None:
        with self._changed:
            added, self._added = self._added, []
            self._followers += added

    def _step(self, follower: Follower) -> bool:
        if follower.finished and self._reported.get(follower.name, (None,))[0] == follower.state:
            return False
        try:
            busy = follower.step()
        except Exception as error:
            # A bug of ours; one source's trouble must not end the others.
            _log.exception("reading %s failed", follower.name)
            follower.fail()
            self._say(
                follower,
                SourceNote("{name} can no longer be read: {reason}.", (("reason", repr(error)),)),
            )
            return False
        for note in follower.take_notes():
            self._say(follower, note)
        return busy

    def _lines_appended(self, first: int, count: int) -> None:
        if self._pending_count == 0:
            self._pending_first = first
        self._pending_count += count

    def _report(self) -> None:
        """Tell what has come since the last report, when it is time to."""
        now = time.monotonic()
        if now - self._reported_at < _REPORT_S:
            return
        self._reported_at = now
        for part in (self._report_lines, self._report_digest):
            self._guard(part)
        counts_due = now - self._counts_reported_at >= _COUNT_REPORT_S
        report_state = self._report_count if counts_due else self._report_state
        for follower in self._followers:
            self._guard(report_state, follower)
        if counts_due:
            self._counts_reported_at = now
        with self._changed:
            if not self._added and all(follower.caught_up for follower in self._followers):
                self._everything_read = True
                self._changed.notify_all()

    def _report_lines(self) -> bool:
        if self._pending_count == 0:
            return False
        self._on_lines(self._pending_first, self._pending_count)
        self._pending_count = 0
        return True

    def _report_digest(self) -> bool:
        lines = self._digest.poll()
        if lines:
            self._on_digest(lines)
        return bool(lines)

    def _report_state(self, follower: Follower, *, count_too: bool = False) -> bool:
        state, count = self._reported.get(follower.name, (None, -1))
        changed = state is not follower.state or (count_too and count != follower.lines)
        if follower.name in self._store.dropped_sources - self._told_dropped:
            self._told_dropped.add(follower.name)
            self._say(follower, _DROPPED)
        elif changed:
            self._say(follower, SourceNote(""))
        return changed

    def _report_count(self, follower: Follower) -> bool:
        return self._report_state(follower, count_too=True)

    def _say(self, follower: Follower, note: SourceNote) -> None:
        state, lines = follower.state, follower.lines
        values = (("name", follower.name), *note.values) if note.text else ()
        self._on_status(SourceChange(follower.name, str(state), lines, note.text, values))
        self._reported[follower.name] = (state, lines)

    # --- helpers ------------------------------------------------------------------------------

    def _follower(self, name: str, path: Path, *, follow: bool, from_start: bool) -> Follower:
        return Follower(
            name,
            FileSource(path, follow=follow),
            store=self._store,
            miner=self._miner,
            digest=self._digest,
            appended=self._lines_appended,
            from_start=from_start,
            written_at_s=lambda: _modified_at_s(path),
        )

    def _new_name(self, path: Path) -> str:
        """The file's name, with as many folders as tell it from the other sources."""
        for depth in range(1, len(path.parts) + 1):
            name = "/".join(path.parts[-depth:])
            if name not in self._names:
                return name
        return str(path)


def _modified_at_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()
