"""From a profile's name to checked files, ready to be loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.errors import AppError
from app.models.check import (
    Progress,
    check_file,
    check_memory,
    check_same_vocabulary,
    verify,
)
from app.models.gguf import GgufInfo
from app.models.manifest import Manifest, ModelFile, Pair, load_manifest

CONTEXT_TOKENS = 4096
"""KV cells assumed for the estimate of memory where the caller does not say."""


@dataclass(frozen=True, slots=True)
class ResolvedProfile:
    """Files that passed every check.

    Attributes:
        name: ``tiny`` or ``standard``; a file's own name for an imported model.
        draft_path: None where the profile has no draft or its file is not there.
        target_sha256, draft_sha256: the listed digests; empty for an imported, unknown file.
    """

    name: str
    target_path: Path
    draft_path: Path | None
    target: GgufInfo
    draft: GgufInfo | None
    target_sha256: str
    draft_sha256: str


def resolve(
    profile: str,
    models_dir: Path,
    *,
    context_tokens: int = CONTEXT_TOKENS,
    progress: Progress | None = None,
    manifest: Manifest | None = None,
    available_bytes: int | None = None,
) -> ResolvedProfile:
    """Find and check the files of a profile.

    Arguments:
        profile: ``tiny``, ``standard``, ``auto`` (standard where it is present, tiny otherwise),
            or the file name of an imported model.
        context_tokens: KV cells per model, for the estimate of memory.
        progress: called while a digest is computed, which happens once per file.
        available_bytes: memory to be had; None asks the system.

    Raises:
        AppError: a file is missing, truncated, altered, not a GGUF; target and draft have
            different vocabularies; memory does not suffice. The hint says what to do.
    """
    manifest = manifest or load_manifest()
    if profile == "auto":
        profile = choose_profile(models_dir, manifest)
    if profile.endswith(".gguf"):
        return _resolve_imported(profile, models_dir, manifest, context_tokens, available_bytes)
    pair = _pair_present(profile, models_dir, manifest)
    target_path = models_dir / pair.target.name
    target = _checked(target_path, pair.target, progress)
    draft_file = pair.draft
    draft_path = models_dir / draft_file.name if draft_file else None
    if draft_file is None or draft_path is None or not draft_path.exists():
        check_memory([target], context_tokens, available_bytes)
        return ResolvedProfile(profile, target_path, None, target, None, pair.target.sha256, "")
    draft = _checked(draft_path, draft_file, progress)
    check_same_vocabulary(target, draft)
    # The draft is checked but not loaded: decoding is plain.
    check_memory([target], context_tokens, available_bytes)
    return ResolvedProfile(
        profile, target_path, draft_path, target, draft, pair.target.sha256, draft_file.sha256
    )


def choose_profile(models_dir: Path, manifest: Manifest | None = None) -> str:
    """``standard`` where the target of one of its pairs is present, else ``tiny``."""
    manifest = manifest or load_manifest()
    standard = manifest.profile("standard")
    present = any((models_dir / pair.target.name).exists() for pair in standard.pairs)
    return "standard" if present else "tiny"


def missing_files(
    profile: str, models_dir: Path, manifest: Manifest | None = None
) -> tuple[ModelFile, ...]:
    """What ``models fetch`` would have to get for a profile; empty where one pair is complete."""
    entry = (manifest or load_manifest()).profile(profile)
    lacking = [
        tuple(file for file in pair.files if not (models_dir / file.name).exists())
        for pair in (*entry.pairs, entry.fetched)
    ]
    return () if () in lacking else lacking[-1]


def _pair_present(profile: str, models_dir: Path, manifest: Manifest) -> Pair:
    entry = manifest.profile(profile)
    for pair in entry.pairs:
        if (models_dir / pair.target.name).exists():
            return pair
    raise AppError(
        "The {profile} model is not on this machine: {name} is missing.",
        "Fetch it: anchorline models fetch {profile}. Without a network, bring the file on a "
        "stick: anchorline models import FILE.",
        profile=profile,
        name=entry.target.name,
    )


def _checked(path: Path, file: ModelFile, progress: Progress | None) -> GgufInfo:
    info = check_file(path, file)
    verify(path, file, progress)
    return info


def _resolve_imported(
    name: str, models_dir: Path, manifest: Manifest, context_tokens: int, available: int | None
) -> ResolvedProfile:
    known = manifest.files.get(Path(name).name)
    path = models_dir / Path(name).name
    info = check_file(path, known)
    if known is not None:
        verify(path, known)
    check_memory([info], context_tokens, available)
    return ResolvedProfile(name, path, None, info, None, known.sha256 if known else "", "")
