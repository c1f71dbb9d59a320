"""Lines of one file to records: its time format found once, severity and template for each."""

from __future__ import annotations

from collections.abc import Sequence

from app.stream.records import Record
from app.stream.severity import priority_severity
from app.stream.templates import TemplateMiner
from app.stream.timestamps import NO_TIME, Clock, LineTime, find_family

_SAMPLE_LINES = 100
_SETTLED_LINES = 20
"""With so many lines seen, the time format is not looked for again."""


class LineParser:
    """Makes records of the lines of one file.

    Arguments:
        source: display name of the source.
        miner: shared by all sources.
        written_at_s: when the file was last changed; stands in for a missing year or date.
    """

    def __init__(self, source: str, miner: TemplateMiner, written_at_s: float) -> None:
        self._source = source
        self._miner = miner
        self._written_at_s = written_at_s
        self._sample: list[str] = []
        self._settled = False
        self._clock: Clock | None = None

    @property
    def time_assumption(self) -> str:
        """What was assumed about this file's times; empty where nothing had to be."""
        return self._clock.family.assumption if self._clock else ""

    @property
    def time_family(self) -> str:
        """How this file writes time; empty where it does not."""
        return self._clock.family.name if self._clock else ""

    def parse(self, lines: Sequence[str], first_number: int) -> list[Record]:
        """Records of the next lines of the file, numbered from ``first_number``."""
        if not self._settled:
            self._look_at(lines)
        return [self._record(line, first_number + at) for at, line in enumerate(lines)]

    def _look_at(self, lines: Sequence[str]) -> None:
        wanted = _SAMPLE_LINES - len(self._sample)
        self._sample += [line for line in lines[:wanted] if line.strip()]
        self._settled = len(self._sample) >= _SETTLED_LINES
        family = find_family(self._sample)
        current = self._clock.family if self._clock else None
        if family is not None and family is not current:
            self._clock = Clock(family, self._written_at_s)
        if self._settled:
            self._sample.clear()

    def _record(self, line: str, number: int) -> Record:
        clock = self._clock
        time = clock.read(line) if clock is not None else NO_TIME
        template_id, severity = self._miner.assign(body_of(line, time))
        if line.startswith("<"):
            severity = priority_severity(line) or severity
        raw_time = line[time.start : time.end]
        return Record(self._source, number, line, severity, raw_time, time.time_s, template_id)


def body_of(line: str, time: LineTime) -> str:
    """The line without its time, and without the brackets that held it."""
    start, end = time.start, time.end
    if end == 0:
        return line
    before, after = line[:start], line[end:]
    if before.endswith("[") and after.startswith("]"):
        before, after = before[:-1], after[1:]
    return (before + after).lstrip(" ") if before.strip() else after.lstrip(" ")
