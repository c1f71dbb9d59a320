"""Words of one meaning across Chinese and English, from ``resources/terms/glossary.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from app.data import data_path
from app.errors import AppError

GLOSSARY = data_path("resources/terms/glossary.toml")


class Glossary:
    """Groups of words that mean one thing.

    Arguments:
        groups: each a list of words in any language, lower case.
    """

    def __init__(self, groups: list[list[str]]) -> None:
        self._groups = [tuple(word.lower() for word in group) for group in groups]
        self._by_word: dict[str, list[tuple[str, ...]]] = {}
        for group in self._groups:
            for word in group:
                self._by_word.setdefault(word, []).append(group)
        self.english_phrases = tuple(
            sorted((w for w in self._by_word if w.isascii() and " " in w), key=len, reverse=True)
        )
        """Known English terms of several words, the longest first."""
        self._chinese = sorted(
            (word for word in self._by_word if not word.isascii()), key=len, reverse=True
        )

    def alternatives(self, word: str) -> tuple[str, ...]:
        """The word and every other of its groups; only itself where it is in none."""
        groups = self._by_word.get(word.lower(), [])
        return tuple(dict.fromkeys([word, *(other for group in groups for other in group)]))

    def chinese_words_in(self, text: str) -> list[str]:
        """Known Chinese words in a text, longest first, none inside another."""
        found: list[str] = []
        for word in self._chinese:
            if word in text:
                found.append(word)
                text = text.replace(word, " ")
        return found


@lru_cache(maxsize=4)
def load_glossary(path: Path = GLOSSARY) -> Glossary:
    """Read a glossary.

    Raises:
        AppError: the file is there and is not a glossary.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Glossary([])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AppError(
            "The glossary in {path} cannot be read: {reason}.",
            "Mend or remove the file.",
            path=path,
            reason=error,
        ) from error
    groups = data.get("groups", [])
    if not all(
        isinstance(group, list) and all(isinstance(word, str) for word in group) for group in groups
    ):
        raise AppError(
            'The glossary in {path} must hold "groups", a list of lists of words.',
            "Mend or remove the file.",
            path=path,
        )
    return Glossary(groups)
