"""One source on its way from bytes to records: decode, number, parse, store, digest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from app.stream.digest import Digest
from app.stream.lines import LineReader
from app.stream.parsing import LineParser
from app.stream.records import Record
from app.stream.sources import Source, SourceNote, SourceRead, SourceState
from app.stream.store import LogStore
from app.stream.templates import TemplateMiner

_READ_BYTES = 64 * 1024
"""Small enough that the interpreter's lock is never held for long by one batch."""
_IDLE_S = 1.0
"""A last line without line end is shown when its writer has been quiet for so long."""
_SETTLED_S = 10.0
"""It is passed on to the model when nothing has come for so long: what the model has read stays."""


@dataclass(slots=True)
class Losses:
    """What was not read, not decoded or not kept, since the source was opened.

    Attributes:
        lost_bytes: known to have been written, never read.
        undecodable: places where bytes were replaced by U+FFFD.
        cut_lines: giant lines of which the beginning was kept.
        cut_bytes: left out of giant lines and of holes.
        hole_bytes: the part of them that was NULs where a file was emptied under its writer.
    """

    lost_bytes: int = 0
    undecodable: int = 0
    cut_lines: int = 0
    cut_bytes: int = 0
    hole_bytes: int = 0


class Follower:
    """Reads one source into the store and the digest.

    Arguments:
        name: display name.
        source: where the bytes come from.
        store, miner, digest: shared by all sources.
        from_start: read what is there already; otherwise only count its lines.
        appended: told the first index and the number of new records.
        written_at_s: when the source was last changed, for times without year or date.
    """

    def __init__(
        self,
        name: str,
        source: Source,
        *,
        store: LogStore,
        miner: TemplateMiner,
        digest: Digest,
        appended: Callable[[int, int], None],
        from_start: bool = True,
        written_at_s: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self._source = source
        self._store = store
        self._miner = miner
        self._digest = digest
        self._appended = appended
        self._written_at_s = written_at_s
        self._reader = LineReader()
        self._parser = LineParser(name, miner, written_at_s())
        self._next_number = 1
        self._skipping = not from_start
        self._partial: Record | None = None
        self._digested: Record | None = None
        self._earlier = Losses()
        self._notes: list[SourceNote] = []
        self._told: set[str] = set()
        self._gave_up = False
        self.caught_up = False
        """All content that was there at the start has been read."""
        self.lines = 0
        """Lines read so far, over all files of this source."""

    @property
    def state(self) -> SourceState:
        """What the source is doing."""
        state = SourceState.FAILED if self._gave_up else self._source.state
        if state is SourceState.FOLLOWING and not self.caught_up:
            return SourceState.READING
        return state

    @property
    def finished(self) -> bool:
        """Nothing more will come."""
        return self.caught_up and self.state in (SourceState.ENDED, SourceState.FAILED)

    @property
    def losses(self) -> Losses:
        """What was lost so far."""
        earlier, reader = self._earlier, self._reader
        return Losses(
            self._source.lost_bytes,
            earlier.undecodable + reader.undecodable,
            earlier.cut_lines + reader.cut_lines,
            earlier.cut_bytes + reader.cut_bytes,
            earlier.hole_bytes + reader.hole_bytes,
        )

    def take_notes(self) -> list[SourceNote]:
        """What the operator should know and was not told yet."""
        notes, self._notes = self._notes, []
        return notes

    def step(self) -> bool:
        """Read once; return whether there may be more at once."""
        read = self._source.poll(_READ_BYTES)
        if read.note is not None:
            self._notes.append(read.note)
        if read.restarted:
            self._finish_file()
            return True
        if read.data:
            self._take(self._reader.feed(read.data))
        if read.at_end:
            self._reach_end(read)
        elif read.existing_read and not self.caught_up and self._reader.partial() is None:
            # The source never pauses; what was there before is read all the same.
            self._catch_up()
        return bool(read.data)

    def fail(self) -> None:
        """Give the source up: something went wrong that is not its own fault."""
        self._gave_up = True
        self.caught_up = True
        self.close()

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()

    # --- lines --------------------------------------------------------------------------------

    def _take(self, lines: list[str]) -> None:
        """Whole lines have come."""
        self._note_losses()
        if not lines:
            return
        first = self._next_number
        self._next_number += len(lines)
        self.lines += len(lines) - (self._partial is not None)
        if self._skipping:
            return
        records = self._parser.parse(lines, first)
        self._note_once("time", self._parser.time_assumption)
        if self._partial is not None:
            records = self._complete(records)
        self._append(records)
        self._digest_whole(records)

    def _complete(self, records: list[Record]) -> list[Record]:
        """The first of these lines was shown in part; return those that are new."""
        self._partial = None
        line = records[0]
        known = self._grow(line)
        if known:
            self._digest_shown(line)
        self._digested = None
        return records[1:] if known else records

    def _grow(self, line: Record) -> bool:
        """Put the line as it is now in the place of its part; False when that is not there."""
        known = self._store.complete(line)
        self._store.set_template_texts(self._miner.take_changed())
        return known

    def _append(self, records: list[Record]) -> None:
        if not records:
            return
        first = self._store.append(records)
        self._store.set_template_texts(self._miner.take_changed())
        self._appended(first, len(records))

    def _digest_whole(self, records: list[Record]) -> None:
        self._digest.add(records, backlog=not self.caught_up)

    def _digest_shown(self, line: Record) -> None:
        """Digest the last line once; once more where it has grown since."""
        if self._digested is None:
            self._digest_whole([line])
        elif self._digested.text != line.text:
            self._digest.grown(line)
        self._digested = line

    def _reach_end(self, read: SourceRead) -> None:
        ended = self._source.state in (SourceState.ENDED, SourceState.FAILED)
        if ended or read.idle_s >= _IDLE_S:
            self._take(self._reader.settle())
            self._show_partial(final=ended or read.idle_s >= _SETTLED_S)
        elif not self.caught_up and self._reader.partial() is not None:
            return  # The last line is being written; existing content ends with it.
        if not self.caught_up:
            self._catch_up()

    def _catch_up(self) -> None:
        self._skipping = False
        self.caught_up = True
        self._digest.end_backlog(self.name)

    def _show_partial(self, *, final: bool) -> None:
        """Show a last line that has no line end yet; it is completed when more comes.

        Arguments:
            final: no more is expected, so that the model may read it.
        """
        text = self._reader.partial()
        if text is None or self._skipping:
            return
        shown = self._partial
        if shown is None or shown.text != text:
            line = self._parser.parse([text], self._next_number)[0]
            self.lines += shown is None
            self._partial = line
            if shown is None or not self._grow(line):
                self._append([line])
        if final and self._partial is not None:
            self._digest_shown(self._partial)

    def _finish_file(self) -> None:
        """The file is complete; another takes its place, numbered from 1 again."""
        self._take(self._reader.settle())
        self._show_partial(final=True)
        self._earlier = self.losses
        self._reader = LineReader()
        self._parser = LineParser(self.name, self._miner, self._written_at_s())
        self._next_number = 1
        self._partial = self._digested = None
        self._told.clear()

    def _note_losses(self) -> None:
        """Say once per file that bytes could not be decoded or were left out."""
        if self._reader.undecodable:
            self._note_once(
                "undecodable",
                "Some bytes of {name} are not valid {encoding}; they are shown as �.",
                encoding=self._reader.encoding.name,
            )
        if self._reader.cut_lines:
            self._note_once("cut", "{name} has lines longer than 64 KiB; their beginning is shown.")
        if self._reader.hole_bytes:
            self._note_once(
                "hole",
                "{name} was emptied under its writer; the gap of NUL bytes is left out.",
            )

    def _note_once(self, topic: str, text: str, **values: object) -> None:
        if text and topic not in self._told:
            self._told.add(topic)
            self._notes.append(SourceNote(text, tuple(values.items())))
