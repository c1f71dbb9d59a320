"""Words of a question that stand together in lines though nobody quoted them."""

from __future__ import annotations

import re
from functools import lru_cache

from app.answers.terms import STOP_WORDS, Terms, stem
from app.answers.view import Indices, Lines

Phrase = tuple[str, Indices]
"""The words, and the lines that hold them."""

_PHRASE_WORDS = 6
_RUN = re.compile(r"[A-Za-z][\w'’.-]*|\d+")
_MEASURES = frozenset("level number count time rate size code id state value total".split())


def find_phrases(lines: Lines, terms: Terms) -> list[Phrase]:
    """Longest runs of the question's words that stand together in lines."""
    found: list[Phrase] = []
    for run in terms.latin_runs:
        hits = lines.find(run, ignore_case=True)
        if len(hits):
            found.append((run, hits))
    if terms.language == "zh":
        return found + _chinese_phrases(lines, terms)
    for sentence in re.split(r"[,.;:?!()]", terms.bare):
        words = [match.group().lower() for match in _RUN.finditer(sentence)]
        at = 0
        while at < len(words):
            step = _phrase_at(lines, words, at, found)
            at += max(step, 1)
    return found


def _phrase_at(lines: Lines, words: list[str], at: int, found: list[Phrase]) -> int:
    for length in range(min(_PHRASE_WORDS, len(words) - at), 1, -1):
        run = words[at : at + length]
        measured = run[-1] in _MEASURES and run[-2] not in STOP_WORDS
        if run[0] in STOP_WORDS or (run[-1] in STOP_WORDS and not measured):
            continue
        longest = max((stem(word) for word in run), key=len)
        hits = lines.search(_phrase_pattern(tuple(run)), longest, ignore_case=True)
        if len(hits):
            found.append((" ".join(run), hits))
            return length
    return 0


def _chinese_phrases(lines: Lines, terms: Terms) -> list[Phrase]:
    found: list[Phrase] = []
    for run in terms.chinese:
        at = 0
        while at < len(run) - 1:
            for length in range(len(run) - at, 1, -1):
                hits = lines.find(run[at : at + length])
                if len(hits):
                    found.append((run[at : at + length], hits))
                    at += length - 1
                    break
            at += 1
    return found


@lru_cache(maxsize=512)
def _phrase_pattern(words: tuple[str, ...]) -> str:
    """Words that stand together, each in any of its forms: "lifecycle events", "Lifecycle "
    "Event"."""
    forms = [re.escape(stem(word)) + (r"[a-z]{0,4}" if len(word) > 3 else "") for word in words]
    return rf"(?<![a-z]){r'[^A-Za-z0-9]{1,3}'.join(forms)}(?![a-z])"
