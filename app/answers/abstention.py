"""When the log holds nothing to answer with: said plainly, with what was searched."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from app.answers.facts import Work, beside
from app.answers.intent import Kind
from app.answers.support import Support
from app.answers.targets import ValueKind
from app.answers.wording import join, number, say, when

LEAST_COVERAGE = 0.42
"""Below this share of the question's words (weighted by rarity) in one line, nothing supports "
"it."""
SURE_COVERAGE = 0.62
"""From here on, the best line may be quoted as the answer without asking the model."""

_FEW_LINES = 20
"""So few lines of a level are worth reading, whatever else the question says."""
_BY_LEVEL = frozenset({Kind.COUNT, Kind.FIRST, Kind.LAST, Kind.SPAN, Kind.TREND, Kind.RANK})
"""Kinds that a level picks the lines of; elsewhere "error message" may be no level at all."""
_COUNTING = frozenset({Kind.COUNT, Kind.DISTINCT, Kind.TREND, Kind.RANK, Kind.EXTREME})


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why the log cannot answer.

    Attributes:
        sentence: for the operator, in the question's language.
        searched: what was looked for.
    """

    sentence: str
    searched: tuple[str, ...]


def judge(work: Work, support: Support) -> Abstention | None:
    """Decide whether the log holds nothing that answers; None when it may.

    Only what the question itself demands counts: quoted text, identifiers, levels and times that
    the log does not hold, or, where it demands none of these, words that no line covers.
    """
    if work.lines.kept == 0:
        return Abstention(say(work.language, "empty"), ())
    return _missing_demands(work, support) or _empty_window(work) or _uncovered_words(work, support)


def _missing_demands(work: Work, support: Support) -> Abstention | None:
    chosen, terms = work.chosen, work.intent.terms
    literals = [literal.text for literal in terms.literals]
    lost = [text for text in literals if text in chosen.missing]
    main = max(literals, key=len, default="")
    if lost and (main in lost or len(lost) == len(literals)) and not work.intent.excluded:
        return _none_of(work, [f"“{text}”" for text in lost])
    strict = [text for text in terms.identifiers if text in chosen.missing and _is_strict(text)]
    if strict:
        return _none_of(work, strict)
    loose = [text for text in terms.identifiers if text in chosen.missing]
    if loose and not chosen.criteria and support.coverage < SURE_COVERAGE:
        return _none_of(work, loose)
    levels = [word for word in terms.level_words if word in chosen.missing]
    if levels and work.intent.kind in _BY_LEVEL and not literals:
        return _none_of(work, levels)
    apart = [text for text in chosen.missing if " + " in text]
    if apart and work.intent.kind not in _COUNTING:
        return _none_of(work, apart)
    return None


def _empty_window(work: Work) -> Abstention | None:
    chosen = work.chosen
    if not chosen.window_words or len(chosen.indices):
        return None
    known = np.isfinite(work.lines.times_s).any()
    if not known:
        return None
    words = join(work.language, chosen.window_words)
    if chosen.window_empty:
        return _said(work, "nothing_when", [words], when=f"({words})")
    if work.intent.kind in _COUNTING and chosen.criteria:
        return None
    return _none_of(work, [f"{work.what} ({words})"])


def _uncovered_words(work: Work, support: Support) -> Abstention | None:
    chosen, intent = work.chosen, work.intent
    if intent.kind is Kind.SUMMARY or intent.terms.literals or support.words == 0:
        return None
    if any(_is_strict(text) for text in intent.terms.identifiers) and not support.missing:
        return None
    if intent.kind is Kind.RANK and not support.missing:
        return None
    impossible = _impossible_value(work)
    if impossible is not None:
        return impossible
    if support.coverage >= LEAST_COVERAGE:
        return None
    if _identified(work):
        return None
    if not support.missing and (chosen.criteria or intent.kind in _COUNTING):
        return None
    if chosen.criteria and intent.kind in (Kind.TREND, Kind.RANK):
        return None
    if chosen.phrases and support.coverage >= 0.5 * LEAST_COVERAGE:
        return None
    if chosen.level or chosen.component:
        # "the first ERROR line", "the sshd lines": picked without its other words.
        rest = [word for word in support.missing if word.lower() != chosen.component]
        if not rest or (chosen.level and len(chosen.indices) <= _FEW_LINES):
            return None
    missing = list(support.missing)
    if missing:
        return _none_of(work, [f"“{word}”" for word in missing])
    return _said(work, "nothing_supports", list(intent.terms.words + intent.terms.chinese))


def _impossible_value(work: Work) -> Abstention | None:
    """A value of a fixed form is asked for, and no line of the log has one of that form."""
    for target in work.intent.targets[:1]:
        if not re.search(r"ip|address|url|地址|网址", target.word, re.IGNORECASE):
            continue
        pattern = _FIXED_FORMS.get(target.kind)
        if pattern is not None and work.lines.count_of(pattern, regex=True) == 0:
            return _none_of(work, [f"“{target.word}”"])
    return None


_FIXED_FORMS = {
    ValueKind.IP: r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)"
    r"|(?:[0-9a-fA-F]{1,4}:){4,}[0-9a-fA-F]",
    ValueKind.URL: r"[A-Za-z][A-Za-z0-9+.-]*://|\s/\w",
}


def _identified(work: Work) -> bool:
    """Whether an identifier of the question picked lines, and these hold what is asked for."""
    chosen, intent = work.chosen, work.intent
    if len(chosen.indices) == 0 or not any(t in chosen.criteria for t in intent.terms.identifiers):
        return False
    if not intent.targets:
        return intent.wants_time
    record = work.lines.record(int(chosen.indices[0]))
    return bool(beside(work, record)[0])


def _is_strict(text: str) -> bool:
    """Whether a word is so particular that nothing else can stand for it."""
    return any(character.isdigit() for character in text) or any(c in text for c in "=/@\\")


def _none_of(work: Work, wanted: list[str]) -> Abstention:
    return _said(work, "nothing", wanted, what=join(work.language, wanted))


def _said(work: Work, key: str, wanted: list[str], **values: object) -> Abstention:
    language = work.language
    total = number(work.lines.kept)
    sentence = say(language, key, total=total, span=log_span(work), **values)
    if wanted:
        sentence += " " + say(language, "searched", list=join(language, wanted))
    return Abstention(sentence, tuple(wanted))


def log_span(work: Work) -> str:
    """From when to when the log reaches, as part of a sentence; empty where it has no times."""
    times = work.lines.times_s
    if not np.isfinite(times).any():
        return ""
    start = work.lines.record(int(np.nanargmin(times)))
    end = work.lines.record(int(np.nanargmax(times)))
    return say(
        work.language,
        "span_of",
        start=when(start, work.language),
        end=when(end, work.language),
    )
