"""Take a model file from a stick or another folder into the models folder."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from app.errors import AppError, UsageError
from app.models.check import CHUNK_BYTES, Progress, check_file, remember, size_text
from app.models.gguf import unreadable
from app.models.manifest import Manifest, ModelFile, load_manifest


@dataclass(frozen=True, slots=True)
class Imported:
    """A model file now in the models folder.

    Attributes:
        known: the manifest's entry with the same contents; None for a model of the user's own.
    """

    path: Path
    known: ModelFile | None


def import_file(
    source: Path,
    models_dir: Path,
    progress: Progress | None = None,
    *,
    manifest: Manifest | None = None,
) -> Imported:
    """Copy a model file into the models folder; the original stays.

    A file whose contents the manifest knows gets the manifest's name, whatever it was called. Any
    other usable GGUF keeps its own name and is listed as local.

    Raises:
        AppError: it is missing, not a usable GGUF, named like a known file without being it, or
            there is no room.
    """
    manifest = manifest or load_manifest()
    if source.suffix.lower() != ".gguf":
        raise UsageError("{name} is not a model file.", "Models end in .gguf.", name=source.name)
    info = check_file(source)
    partial = models_dir / f".{source.name}.import"
    try:
        models_dir.mkdir(parents=True, exist_ok=True)
        _check_room(models_dir, info.file_bytes)
        digest = _copy(source, partial, info.file_bytes, progress)
        known = manifest.by_digest(digest)
        if known is None and source.name in manifest.files:
            raise AppError(
                "{name} has the name of a known model but other contents.",
                "It may be damaged: copy it to the stick again. A model of your own needs "
                "another name.",
                name=source.name,
            )
        path = models_dir / (known.name if known else source.name)
        partial.replace(path)
    except OSError as error:
        raise _copy_error(source, models_dir, error) from error
    finally:
        partial.unlink(missing_ok=True)
    if known is not None:
        remember(path, digest)
    return Imported(path, known)


def _copy(source: Path, target: Path, total: int, progress: Progress | None) -> str:
    """Copy and hash in one pass; returns the digest."""
    digest = hashlib.sha256()
    done = 0
    with source.open("rb") as reader, target.open("wb") as writer:
        while piece := reader.read(CHUNK_BYTES):
            digest.update(piece)
            writer.write(piece)
            done += len(piece)
            if progress is not None:
                progress(done, total)
        writer.flush()
        os.fsync(writer.fileno())
    return digest.hexdigest()


def _check_room(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise AppError(
            "Not enough room in {folder}: {needed} needed, {free} free.",
            "Make room, or name another folder in the variable ANCHORLINE_MODELS.",
            folder=folder,
            needed=size_text(needed),
            free=size_text(free),
        )


def _copy_error(source: Path, folder: Path, error: OSError) -> AppError:
    if error.filename is not None and Path(str(error.filename)) == source:
        return unreadable(source, error)
    return AppError(
        "{name} could not be copied to {folder}: {reason}.",
        "Check the stick, the room on the disk and the folder's permissions.",
        name=source.name,
        folder=folder,
        reason=error.strerror or error,
    )
