"""The ``anchorline models`` commands: results on standard output, progress on standard error."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from app.errors import AppError
from app.models.check import check_file, size_text, verify
from app.models.fetch import fetch
from app.models.importing import import_file
from app.models.manifest import Manifest, ModelFile, load_manifest
from app.models.resolve import choose_profile, missing_files

PRESENT, PARTLY, ABSENT, UNUSABLE = "present", "partly fetched", "absent", "unusable"


class ProgressLine:
    """One line that shows how far a long piece of work is.

    Rewritten in place on a terminal; a line every few seconds elsewhere.
    """

    def __init__(self, label: str, stream: TextIO) -> None:
        self._label = label
        self._stream = stream
        self._terminal = stream.isatty()
        self._started_s = time.monotonic()
        self._shown_s = self._started_s
        self._start_bytes = -1

    def __call__(self, done_bytes: int, total_bytes: int) -> None:
        now_s = time.monotonic()
        if self._start_bytes < 0:
            self._start_bytes = done_bytes
        if now_s - self._shown_s < (0.2 if self._terminal else 5.0):
            return
        self._shown_s = now_s
        rate = (done_bytes - self._start_bytes) / max(now_s - self._started_s, 0.001)
        text = f"{self._label}: {done_bytes * 100 // max(total_bytes, 1)}%"
        text += f" of {size_text(total_bytes)}, {size_text(max(rate, 0))}/s"
        if rate > 0:
            text += f", {(total_bytes - done_bytes) / rate:.0f} s left"
        print(f"\r\x1b[K{text}" if self._terminal else text, end="", file=self._stream)
        print("" if self._terminal else "\n", end="", file=self._stream, flush=True)

    def close(self, outcome: str) -> None:
        """Replace the line by how the work ended."""
        if self._terminal:
            print("\r\x1b[K", end="", file=self._stream)
        print(f"{self._label}: {outcome}", file=self._stream, flush=True)


def list_models(models_dir: Path, *, as_json: bool = False, out: TextIO | None = None) -> int:
    """Print profiles and files with their state; returns the exit code 0."""
    manifest = load_manifest()
    rows = [_row(file, models_dir) for file in manifest.files.values()]
    rows += [_local_row(path) for path in _local_files(models_dir, manifest)]
    chosen = choose_profile(models_dir, manifest)
    if as_json:
        profiles = [
            {
                "name": name,
                "title": profile.title,
                "complete": not missing_files(name, models_dir, manifest),
                "chosen": name == chosen,
            }
            for name, profile in manifest.profiles.items()
        ]
        result = {"folder": str(models_dir), "profiles": profiles, "files": rows}
        print(json.dumps(result, ensure_ascii=False, indent=1), file=out or sys.stdout)
        return 0
    print(f"Models in {models_dir}\n", file=out or sys.stdout)
    for name, profile in manifest.profiles.items():
        lacking = missing_files(name, models_dir, manifest)
        state = "to be fetched" if lacking else "complete"
        mark = "  <- answers" if name == chosen else ""
        print(f"  {name:<9} {state:<14} {profile.title}{mark}", file=out or sys.stdout)
    print("", file=out or sys.stdout)
    for row in rows:
        size = size_text(int(str(row["bytes"])))
        text = f"  {row['state']:<15} {size:>8}  {row['name']}  ({row['role']}, {row['licence']})"
        print(text, file=out or sys.stdout)
    return 0


def fetch_models(names: Sequence[str], models_dir: Path, *, err: TextIO | None = None) -> int:
    """Fetch what the names mean (profiles, pairs or files); returns the exit code 0.

    Raises:
        AppError: a name is unknown, or a file could not be had.
    """
    manifest = load_manifest()
    stream = err or sys.stderr
    for name in names:
        if name in manifest.profiles and not missing_files(name, models_dir, manifest):
            files = [
                file
                for file in manifest.select(name)
                if (models_dir / file.name).exists() and not _is_sound(file, models_dir)
            ]
        else:
            files = list(manifest.select(name))
        for file in files:
            _fetch_one(file, models_dir, stream)
        print(f"{name}: ready.", file=stream, flush=True)
    return 0


def verify_models(names: Sequence[str], models_dir: Path, *, err: TextIO | None = None) -> int:
    """Compute the digests of present files; returns 0 when all are right, else 2.

    Arguments:
        names: profiles, pairs or files; empty means every file that is present.

    Raises:
        AppError: a name is unknown.
    """
    manifest = load_manifest()
    stream = err or sys.stderr
    files = [file for name in names for file in manifest.select(name)] or [
        file for file in manifest.files.values() if (models_dir / file.name).exists()
    ]
    if not files:
        print("No model is here yet: anchorline models fetch tiny", file=stream)
        return 2
    bad = 0
    for file in files:
        line = ProgressLine(file.name, stream)
        try:
            check_file(models_dir / file.name, file)
            verify(models_dir / file.name, file, line, again=True)
        except AppError as error:
            line.close(str(error))
            bad += 1
        else:
            line.close("verified")
    return 2 if bad else 0


def import_model(source: Path, models_dir: Path, *, err: TextIO | None = None) -> int:
    """Copy a model file into the models folder; returns the exit code 0.

    Raises:
        AppError: it is no usable model file or cannot be copied.
    """
    stream = err or sys.stderr
    line = ProgressLine(source.name, stream)
    imported = import_file(source, models_dir, line)
    if imported.known is None:
        line.close(
            f"imported as {imported.path.name}. Warning: Anchorline does not know this model, so "
            "nothing vouches for its contents or its answers."
        )
    else:
        line.close(f"imported as {imported.known.title}, verified")
    return 0


def _fetch_one(file: ModelFile, models_dir: Path, stream: TextIO) -> None:
    line = ProgressLine(file.name, stream)
    before = (models_dir / file.name).exists()
    try:
        fetch(file, models_dir, line)
    except BaseException:
        line.close("stopped; what was fetched is kept for the next try")
        raise
    line.close("already there" if before else f"fetched and verified ({size_text(file.bytes)})")


def _is_sound(file: ModelFile, models_dir: Path) -> bool:
    return _state(file, models_dir)[0] == PRESENT


def _state(file: ModelFile, models_dir: Path) -> tuple[str, str]:
    """How a known file stands, and a sentence where it is unusable."""
    path = models_dir / file.name
    if not path.exists():
        return (PARTLY if path.with_name(f"{path.name}.part").exists() else ABSENT), ""
    try:
        check_file(path, file)
    except AppError as error:
        return UNUSABLE, str(error)
    return PRESENT, ""


def _row(file: ModelFile, models_dir: Path) -> dict[str, object]:
    state, problem = _state(file, models_dir)
    return {
        "name": file.name,
        "state": state,
        "problem": problem,
        "bytes": file.bytes,
        "role": file.role,
        "licence": file.licence,
        "sha256": file.sha256,
    }


def _local_files(models_dir: Path, manifest: Manifest) -> list[Path]:
    return sorted(path for path in models_dir.glob("*.gguf") if path.name not in manifest.files)


def _local_row(path: Path) -> dict[str, object]:
    try:
        check_file(path)
        state, problem = PRESENT, ""
    except AppError as error:
        state, problem = UNUSABLE, str(error)
    return {
        "name": path.name,
        "state": state,
        "problem": problem,
        "bytes": path.stat().st_size,
        "role": "local",
        "licence": "unknown",
        "sha256": "",
    }
