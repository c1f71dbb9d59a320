"""A last line without line end: shown in part, completed later, read once by the model."""

from __future__ import annotations

import pytest

from app.stream.digest import Digest, DigestLine
from app.stream.follower import Follower
from app.stream.sources import SourceRead, SourceState
from app.stream.store import LogStore
from app.stream.templates import TemplateMiner


class Written:
    """A source whose bytes and pauses the test gives."""

    def __init__(self) -> None:
        self.state = SourceState.FOLLOWING
        self.lost_bytes = 0
        self.coming: list[SourceRead] = []

    def poll(self, limit_bytes: int) -> SourceRead:
        return self.coming.pop(0)

    def close(self) -> None:
        pass


class Followed:
    """Sources followed into one store and one digest."""

    def __init__(self, *names: str) -> None:
        self.store = LogStore()
        self.now_s = 0.0
        self.digest = Digest(lambda: 1_000.0, clock=lambda: self.now_s)
        self.sources = {name: Written() for name in names}
        self.followers = {name: self._follower(name) for name in names}
        for name in names:
            self.comes(name, idle_s=0.0)

    def _follower(self, name: str) -> Follower:
        return Follower(
            name,
            self.sources[name],
            store=self.store,
            miner=TemplateMiner(),
            digest=self.digest,
            appended=lambda first, count: None,
            written_at_s=lambda: 0.0,
        )

    def comes(self, name: str, text: str = "", *, idle_s: float) -> None:
        """Bytes come, then the writer is quiet."""
        pause = SourceRead(at_end=True, idle_s=idle_s)
        self.sources[name].coming = [SourceRead(text.encode()), pause]
        self.followers[name].step()
        self.followers[name].step()

    def read_by_model(self) -> list[DigestLine]:
        self.now_s += 5.0
        return list(self.digest.poll())

    def shown(self) -> list[tuple[str, int, str]]:
        found = self.store.records(0, len(self.store))
        return [(record.source, record.number, record.text) for record in found]


def test_the_model_waits_for_the_rest_of_a_line() -> None:
    """It read "ERROR par" and "ERROR partial" as two lines."""
    log = Followed("a.log", "b.log")
    log.comes("a.log", "ERROR par", idle_s=1.5)
    assert log.shown() == [("a.log", 1, "ERROR par")]
    log.comes("b.log", "INFO from b\n", idle_s=0.0)
    log.comes("a.log", "tial\n", idle_s=0.0)
    assert log.shown() == [("a.log", 1, "ERROR partial"), ("b.log", 1, "INFO from b")]
    read = log.read_by_model()
    assert [line.source for line in read] == ["b.log", "a.log"]
    assert "partial" in read[1].text
    assert log.digest.share.lines == log.digest.share.full_lines == 2
    assert log.followers["a.log"].lines == 1


def test_a_line_that_is_never_ended_is_read_by_the_model_all_the_same() -> None:
    log = Followed("a.log")
    log.comes("a.log", "FATAL power l", idle_s=1.5)
    assert log.read_by_model() == []
    log.comes("a.log", idle_s=12.0)
    log.comes("a.log", idle_s=13.0)
    assert ["power l" in line.text for line in log.read_by_model()] == [True]
    log.comes("a.log", "ost\nup again\n", idle_s=0.0)
    assert ["power lost" in line.text for line in log.read_by_model()] == [True, False]
    assert log.digest.share.lines == log.digest.share.full_lines == 2


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_only_its_end_completes_is_read_once(end: str) -> None:
    log = Followed("a.log")
    log.comes("a.log", "FATAL power lost", idle_s=12.0)
    log.comes("a.log", end, idle_s=0.0)
    assert len(log.read_by_model()) == 1
    assert log.shown() == [("a.log", 1, "FATAL power lost")]


def test_a_line_cut_off_by_a_rotation_is_read_by_the_model() -> None:
    log = Followed("a.log")
    log.comes("a.log", "FATAL power l", idle_s=1.5)
    log.sources["a.log"].coming = [SourceRead(restarted=True)]
    log.followers["a.log"].step()
    log.comes("a.log", "start\n", idle_s=0.0)
    assert log.shown() == [("a.log", 1, "FATAL power l"), ("a.log", 1, "start")]
    assert len(log.read_by_model()) == 2
