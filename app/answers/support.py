"""How well the log's lines cover what a question talks about, word by word."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.answers.facts import Work
from app.answers.glossary import load_glossary
from app.answers.intent import Kind
from app.answers.selection import word_lines
from app.answers.targets import ValueKind, kind_of_word
from app.answers.view import Indices

_TYPE_WEIGHT = 0.6
"""Words for a sort of value ("address", "user") often do not stand in the line that holds it."""
_NAMED_WEIGHT = 0.6
_ORDINARY_WEIGHT = 0.2
_UNKNOWN_CHINESE_WEIGHT = 0.3
_NAME_WEIGHT = 1.3


_VALUE_KINDS = frozenset({Kind.RANK, Kind.DISTINCT, Kind.EXTREME})
"""Kinds whose value word ("component", "address") is never looked for in lines."""


@dataclass(frozen=True, slots=True)
class Support:
    """What the words of a question find.

    Attributes:
        scores: for each line, the summed weights of the question's words in it.
        core: the same without words for sorts of values ("user", "address").
        total: the weights of all words, found or not.
        coverage: the best line's share of the total, 0 to 1; 1 where the question has no words.
        best: lines with the best score, at most a few thousand; empty where nothing was found.
        missing: words that stand nowhere in the log, in any form or language.
        words: how many words were looked for.
    """

    scores: NDArray[np.float32]
    core: NDArray[np.float32]
    total: float
    coverage: float
    best: Indices
    missing: tuple[str, ...]
    words: int


def rate_support(work: Work) -> Support:
    """Look for every content word of the question; rare words weigh most (inverse frequency).

    After K. Spärck Jones, "A statistical interpretation of term specificity", 1972.
    """
    count = work.lines.count
    scores = np.zeros(count, dtype=np.float32)
    core = np.zeros(count, dtype=np.float32)
    total = 0.0
    missing: list[str] = []
    words = content_words(work)
    has_chinese = _log_has_chinese(work)
    for word, factor in words.items():
        found = word_lines(work.lines, word)
        weight = math.log((work.lines.kept + 1) / (len(found) + 1)) * factor
        if len(found) == 0:
            if _is_ordinary(word) or (word.endswith("ed") and work.intent.kind in _VALUE_KINDS):
                weight *= _ORDINARY_WEIGHT
            else:
                missing.append(word)
            if not word.isascii() and not has_chinese and not _known(word):
                weight *= _UNKNOWN_CHINESE_WEIGHT
        total += weight
        scores[found] += np.float32(weight)
        if kind_of_word(word) is None:
            core[found] += np.float32(weight)
    top = float(scores.max()) if count else 0.0
    best = (
        np.flatnonzero(scores >= top - 1e-4).astype(np.int64) if top > 0 else np.empty(0, np.int64)
    )
    coverage = top / total if total > 0 else 1.0
    return Support(scores, core, total, coverage, best[:5_000], tuple(missing), len(words))


_ORDINARY = frozenset(
    """request requests response responses send sends sent return returned returns answer answered
    ask asked arrive arrived open opened close closed attempt attempts try location place system
    somebody someone anyone anybody people person operator caller call called carry press pressed
    push pushed turn turned shrink shrinking grow growing drop dropped rise big small high low long
    short new old good bad real true false much kind piece part side way thing things item items
    hit hits case cases situation area area's total occurrence occurrences event events entry
    identify name named refer refers point points work works run runs running ran because due
    status state states reason reasons result results resulting cause caused like""".split()
)
"""Words a person uses about any log; where they do not stand in it, nothing is proven."""


_UNITS = frozenset("bytes byte seconds second ms milliseconds minutes kb mb gb percent".split())


def _flat(word: str) -> str:
    return re.sub(r"[\W_]", "", word.lower())


def _is_ordinary(word: str) -> bool:
    if kind_of_word(word) is not None or word.endswith("ly"):
        return True
    return any(other in _ORDINARY for other in load_glossary().alternatives(word))


def content_words(work: Work) -> dict[str, float]:
    """The question's content words, each with a factor for how much it should weigh."""
    terms, intent = work.intent.terms, work.intent
    typed = {t.word for t in intent.targets if t.kind not in (ValueKind.NAMED, ValueKind.NUMBER)}
    named = {target.word for target in intent.targets} - typed
    asked = {_flat(word) for target in intent.targets for word in (target.word, *target.phrase)}
    levels = {word.lower() for word in terms.level_words}
    names = {name.lower() for name in terms.names}
    factors: dict[str, float] = {}
    for word in (*terms.words, *(text for text in terms.identifiers if text.isascii())):
        lower = word.lower()
        if lower in levels:
            continue
        if (_flat(word) in asked or lower in _UNITS) and intent.kind in _VALUE_KINDS:
            continue
        factor = _TYPE_WEIGHT if lower in typed else _NAMED_WEIGHT if lower in named else 1.0
        factors[word] = max(
            factors.get(word, 0.0), factor * (_NAME_WEIGHT if lower in names else 1)
        )
    for run in terms.chinese:
        for word in _chinese_words(run):
            if (word in typed or word in named) and intent.kind in _VALUE_KINDS:
                continue
            factor = _TYPE_WEIGHT if word in typed else _NAMED_WEIGHT if word in named else 1.0
            factors.setdefault(word, factor)
    for figure in terms.numbers:
        factors.setdefault(figure, 1.0)
    return factors


def _chinese_words(run: str) -> list[str]:
    """Known words of a run of Chinese; the run itself where none is known."""
    known = [word for word in load_glossary().chinese_words_in(run) if len(word) > 1]
    return known or [run]


def _known(word: str) -> bool:
    return len(load_glossary().alternatives(word)) > 1


def _log_has_chinese(work: Work) -> bool:
    return any(
        "\u4e00" <= character <= "\u9fff"
        for record in work.lines.sample(60)
        for character in record.text
    )
