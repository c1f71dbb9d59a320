"""Refuse a model before it is loaded: missing, truncated, altered, mismatched, too large."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path

import psutil

from app.errors import AppError
from app.models.gguf import GgufInfo, missing, read_gguf, read_tokens, truncated, unreadable
from app.models.manifest import ModelFile

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""

_LOG = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 20
VERIFIED_NAME = ".verified.json"
MAX_SIZE_DIFFERENCE = 128
"""Vocabularies of one family may be padded to different sizes by this many tokens."""
WORKING_BYTES = 400 << 20
"""What the native library takes beside weights and KV cache: compute buffers, tokenizer."""


def check_file(path: Path, expected: ModelFile | None = None) -> GgufInfo:
    """Judge a model file by size and header, in a fraction of a second.

    Arguments:
        expected: the manifest's entry; None for a file that the manifest does not know.

    Raises:
        AppError: it is missing, truncated, not a GGUF, of another size than listed, or insane.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise unreadable(path, error) from error
    if expected is not None and size < expected.bytes:
        raise truncated(path, size, expected.bytes)
    info = read_gguf(path)
    if expected is not None and size > expected.bytes:
        raise AppError(
            "{name} is not the file it should be: it has {have} bytes instead of {need}.",
            "Remove it and fetch it again: anchorline models fetch.",
            name=path.name,
            have=size,
            need=expected.bytes,
        )
    return info


def verify(
    path: Path, expected: ModelFile, progress: Progress | None = None, *, again: bool = False
) -> None:
    """Compare a file's SHA-256 with the manifest's.

    A result is remembered beside the file by size and time of change, so that a start does not
    read a gigabyte again.

    Arguments:
        again: compute it even where a result is remembered.

    Raises:
        AppError: the file is missing, unreadable or another one.
    """
    if not again and is_verified(path, expected):
        return
    try:
        found = digest_of(path, progress)
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise unreadable(path, error) from error
    if found != expected.sha256:
        raise AppError(
            "{name} is damaged or another file: its SHA-256 is not the listed one.",
            "Remove {path} and fetch it again: anchorline models fetch.",
            name=path.name,
            path=path,
        )
    remember(path, found)


def is_verified(path: Path, expected: ModelFile) -> bool:
    """Whether a right digest is remembered for the file as it is now; computes nothing."""
    return _remembered(path) == expected.sha256


def digest_of(path: Path, progress: Progress | None = None) -> str:
    """SHA-256 of a file, as hexadecimal digits.

    Raises:
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    done = 0
    with path.open("rb") as file:
        total = path.stat().st_size
        while piece := file.read(CHUNK_BYTES):
            digest.update(piece)
            done += len(piece)
            if progress is not None:
                progress(done, total)
    return digest.hexdigest()


def remember(path: Path, sha256: str) -> None:
    """Note that a file has this digest; a folder that cannot be written to is no error."""
    entries = _entries(path.parent)
    status = path.stat()
    entries[path.name] = {"bytes": status.st_size, "mtime_ns": status.st_mtime_ns, "sha256": sha256}
    partial = path.parent / f"{VERIFIED_NAME}.{os.getpid()}"
    try:
        partial.write_text(json.dumps(entries, indent=1), encoding="utf-8")
        partial.replace(path.parent / VERIFIED_NAME)
    except OSError as error:
        # Read-only media: the digest is computed at every start instead.
        _LOG.info("the digest of %s is not remembered: %s", path.name, error)
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def check_same_vocabulary(target: GgufInfo, draft: GgufInfo) -> None:
    """Make sure that both models mean the same text by the same token.

    Raises:
        AppError: they do not; a draft's proposals would be nonsense to the target.
    """
    ours, theirs = target.vocabulary, draft.vocabulary
    if (ours.kind, ours.pre, ours.sha256) == (theirs.kind, theirs.pre, theirs.sha256):
        return
    difference = _difference(target, draft)
    if difference:
        raise AppError(
            "{draft} cannot draft for {target}: their vocabularies differ ({difference}).",
            "Use two models of one family, such as the pairs in: anchorline models list.",
            draft=draft.path.name,
            target=target.path.name,
            difference=difference,
        )


def check_memory(
    infos: list[GgufInfo], context_tokens: int, available_bytes: int | None = None
) -> None:
    """Make sure that weights, KV caches and working buffers fit into memory.

    Arguments:
        infos: every model that will be loaded.
        context_tokens: cells of each model's KV cache.
        available_bytes: memory to be had; None asks the system.

    Raises:
        AppError: they do not fit; the machine would swap or the process be killed.
    """
    needed = needed_bytes(infos, context_tokens)
    free = memory_available_bytes() if available_bytes is None else available_bytes
    if needed > free:
        raise AppError(
            "Not enough memory for {names}: {needed} needed, {free} free.",
            "Close other programs, or use the small model: --profile tiny.",
            names=", ".join(info.path.name for info in infos),
            needed=size_text(needed),
            free=size_text(free),
        )


def needed_bytes(infos: list[GgufInfo], context_tokens: int) -> int:
    """Estimate of the memory that loading these models takes, in bytes."""
    weights = sum(info.file_bytes for info in infos)
    caches = sum(info.kv_bytes_per_token() * context_tokens for info in infos)
    # The smallest models need less room to work in than the vocabulary of a large one.
    working = sum(min(WORKING_BYTES, info.file_bytes) for info in infos)
    return weights + caches + working


def memory_available_bytes() -> int:
    """Memory that can be taken without swapping; a container's limit counts."""
    available = int(psutil.virtual_memory().available)
    group = Path("/sys/fs/cgroup")
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        if limit != "max":
            # File pages are given back under pressure, so they do not count as used.
            available = min(available, int(limit) - used + int(stat.get("inactive_file", "0")))
    except (OSError, ValueError):
        return available
    return max(0, available)


def size_text(count: float) -> str:
    """A number of bytes as people read it, such as ``1.1 GB``."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _difference(target: GgufInfo, draft: GgufInfo) -> str:
    ours, theirs = target.vocabulary, draft.vocabulary
    if (ours.kind, ours.pre) != (theirs.kind, theirs.pre):
        return f"{ours.kind}/{ours.pre} and {theirs.kind}/{theirs.pre}"
    if abs(ours.size - theirs.size) > MAX_SIZE_DIFFERENCE:
        return f"{ours.size} and {theirs.size} tokens"
    pairs = zip(read_tokens(target.path), read_tokens(draft.path), strict=False)
    at = next((at for at, (mine, other) in enumerate(pairs) if mine != other), None)
    return "" if at is None else f"from token {at} on"


def _remembered(path: Path) -> str | None:
    entry = _entries(path.parent).get(path.name)
    try:
        status = path.stat()
    except OSError:
        return None
    if not isinstance(entry, dict):
        return None
    same = (entry.get("bytes"), entry.get("mtime_ns")) == (status.st_size, status.st_mtime_ns)
    return str(entry.get("sha256")) if same else None


def _entries(folder: Path) -> dict[str, object]:
    try:
        entries = json.loads((folder / VERIFIED_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}
