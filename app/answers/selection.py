"""Which lines a question is about: quoted text, identifiers, levels, components and times."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from app.answers.glossary import load_glossary
from app.answers.heads import HeadIndex
from app.answers.intent import Intent, Kind
from app.answers.lineparts import canonical_level
from app.answers.phrases import find_phrases
from app.answers.targets import kind_of_word
from app.answers.terms import STOP_WORDS, Literal, stem, word_pattern
from app.answers.view import Indices, Lines, both, either
from app.answers.windows import select
from app.answers.wording import writes_year
from app.stream.records import Severity

_WORD_START = r"(?:(?<![\w.])|(?<=\\[0-7]{3})|(?<=%[0-9A-Fa-f]{2}))"
"""Where a word begins, also right behind an escaped character such as \\042 or %20."""
_SINGLED_OUT = {
    "en": re.compile(
        r"\b(?:for|by|from|to|on|about|against|involving|concerning|mention(?:s|ing)?|named|called"
        r"|(?:user|account|host|node|device|address|component|process|session|job|task)(?: "
        r"name)?)\s+"
        r"(?:the\s+)?(?:(?:user|account|host|node|device|component|"
        r"process)\s+)?(?P<v>[A-Za-z][\w.-]*\w)",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(?<![A-Za-z0-9_])(?P<v>[A-Za-z][\w.-]*\w)"),
}


@dataclass(slots=True)
class Selection:
    """Lines picked by everything a question names.

    Attributes:
        indices: the lines that fit all of it.
        criteria: what was applied, in words of the log: quoted text, component, level.
        missing: what the question demands and the log does not hold at all.
        per_literal: lines of each quoted text alone (other criteria applied).
        window_words: the times applied, as the question writes them.
        window_empty: whether the log has no line at all in those times.
        unfiltered: whether nothing was named, so that all lines are meant.
        phrases: words of the question that stand together in lines though nobody quoted them.
    """

    indices: Indices
    criteria: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    per_literal: list[tuple[Literal, Indices]] = field(default_factory=list)
    window_words: list[str] = field(default_factory=list)
    window_empty: bool = False
    unfiltered: bool = False
    phrases: list[str] = field(default_factory=list)
    component: str = ""
    level: str = ""
    demanded: bool = False
    before_window: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))


class Picker:
    """Finds the lines a question is about.

    Arguments:
        lines: the log.
        intent: the question.
        heads: level and component of every line, brought up to date.
    """

    def __init__(self, lines: Lines, intent: Intent, heads: HeadIndex) -> None:
        self.lines = lines
        self.intent = intent
        self.heads = heads
        self.layout = heads.layout
        lines.ignore(self._header_rows())
        self.has_year = any(writes_year(record) for record in lines.sample(20))
        """Whether the log's times write the year."""

    def pick(self) -> Selection:
        """Apply everything the question names, in one pass over each."""
        terms = self.intent.terms
        chosen = Selection(self._of_named_sources())
        self._apply_literals(chosen)
        self._apply_identifiers(chosen)
        self._apply_numbers(chosen)
        self._apply_levels(chosen)
        if not self.intent.compares:
            self._apply_component(chosen)
        self._apply_names(chosen)
        if terms.literals:
            self._apply_named_values(chosen)
        else:
            self._apply_phrases(chosen)
        self._apply_own_levels(chosen)
        if self.intent.begins_with and chosen.per_literal:
            self._keep_beginnings(chosen)
        if self.intent.ends_with:
            self._keep_ends(chosen)
        chosen.demanded = bool(chosen.criteria or chosen.missing)
        chosen.before_window = chosen.indices
        if terms.windows:
            self._apply_windows(chosen)
        chosen.unfiltered = not chosen.criteria and not chosen.missing
        return chosen

    def _of_named_sources(self) -> Indices:
        """All lines; where several logs are open and the question names some, only theirs."""
        names = self.lines.sources
        question = self.intent.terms.question.lower()
        named = frozenset(name for name in names if name.lower() in question)
        if len(names) < 2 or not named:
            return self.lines.every
        return self.lines.of_sources(named)

    # --- quoted text --------------------------------------------------------------------------

    def find_literal(self, literal: Literal) -> Indices:
        """Lines with a quoted text: as written; else in any case; else with any spacing.

        Pieces around a gap must stand in one line in their order.
        """
        if len(literal.parts) == 1:
            text = literal.parts[0]
            for ignore_case in (False, True):
                found = self.lines.find(text, ignore_case=ignore_case)
                if len(found):
                    return found
            trimmed = text.rstrip(" .,:;!?。，")
            if trimmed and trimmed != text:
                found = self.lines.find(trimmed, ignore_case=True)
                if len(found):
                    return found
        pieces = [r"\s+".join(map(re.escape, part.split())) for part in literal.parts]
        source = ".*?".join(pieces)
        found = self.lines.find(source, regex=True)
        return found if len(found) else self.lines.find(source, regex=True, ignore_case=True)

    def _apply_literals(self, chosen: Selection) -> None:
        literals = self.intent.terms.literals
        if not literals:
            return
        found = [(literal, self.find_literal(literal)) for literal in literals]
        chosen.missing += [literal.text for literal, lines in found if not len(lines)]
        present = [(literal, lines) for literal, lines in found if len(lines)]
        if not present:
            chosen.indices = np.empty(0, dtype=np.int64)
            return
        chosen.criteria += [f"“{literal.text}”" for literal, _ in present]
        common = present[0][1]
        for _, lines in present[1:]:
            common = both(common, lines)
        if len(common) == 0 or self.intent.compares:
            common = either([lines for _, lines in present])
        if self.intent.excluded:
            common = np.setdiff1d(self.lines.every, common, assume_unique=True)
        chosen.indices = both(chosen.indices, common)
        chosen.per_literal = present

    def _keep_beginnings(self, chosen: Selection) -> None:
        texts = [part for literal, _ in chosen.per_literal for part in literal.parts[:1]]
        kept = [
            index
            for index, record in self.lines.pick(chosen.indices)
            if any(
                self.layout.message(record).startswith(text) or record.text.startswith(text)
                for text in texts
            )
        ]
        if kept:
            chosen.indices = np.array(kept, dtype=np.int64)
            chosen.per_literal = [
                (literal, both(lines, chosen.indices)) for literal, lines in chosen.per_literal
            ]

    def _keep_ends(self, chosen: Selection) -> None:
        terms = self.intent.terms
        texts = [literal.parts[-1] for literal in terms.literals] or [*terms.names[:1]]
        kept = [
            index
            for index, record in self.lines.pick(chosen.indices)
            if any(record.text.rstrip().endswith(text) for text in texts)
        ]
        if kept:
            chosen.indices = np.array(kept, dtype=np.int64)

    # --- identifiers --------------------------------------------------------------------------

    def find_identifier(self, text: str) -> Indices:
        """Lines with an identifier as a whole word, in any case."""
        bare = text.strip("[]")
        left = _WORD_START if bare[0].isalnum() or bare[0] == "_" else ""
        right = r"(?![\w]|\.\d)" if bare[-1].isalnum() or bare[-1] == "_" else ""
        found = self.lines.search(f"{left}{re.escape(bare)}{right}", bare, ignore_case=True)
        if len(found) == 0 and not any(character.isdigit() for character in bare):
            # A name may be part of a longer one: SCREEN_OFF in android.intent.action.SCREEN_OFF.
            found = self.lines.find(bare, ignore_case=True)
        if len(found) == 0 and "=" in bare:
            key, _, value = bare.partition("=")
            loose = rf"(?<![\w]){re.escape(key)}[\"']?\s*[=:]\s*[\"']?{re.escape(value)}(?!\w)"
            found = self.lines.search(loose, key, ignore_case=True)
        return found

    def _apply_identifiers(self, chosen: Selection) -> None:
        for text in self.intent.terms.identifiers:
            found = self.find_identifier(text)
            if len(found) == 0:
                chosen.missing.append(text)
                continue
            narrowed = both(chosen.indices, found)
            if len(narrowed):
                chosen.indices = narrowed
                chosen.criteria.append(text)
            elif chosen.per_literal:
                chosen.missing.append(f"{text} + {chosen.per_literal[0][0].text}")

    def _apply_numbers(self, chosen: Selection) -> None:
        """Plain numbers of three digits or more narrow to lines that hold them whole."""
        for figure in self.intent.terms.numbers:
            found = self.lines.search(rf"(?<![\w.]){re.escape(figure)}(?!\w|\.\d)", figure)
            narrowed = both(chosen.indices, found)
            if len(narrowed):
                chosen.indices = narrowed
                chosen.criteria.append(figure)

    def _apply_names(self, chosen: Selection) -> None:
        """CamelCase and ALL-CAPS words, which come from the log as a rule."""
        asked = {target.word for target in self.intent.targets}
        for name in self.intent.terms.names:
            if self.intent.terms.literals and name.lower() in asked:
                continue
            if name in self.intent.options:
                continue
            narrowed = both(chosen.indices, self.lines.find(name, ignore_case=True))
            if len(narrowed):
                if len(narrowed) < len(chosen.indices) or not chosen.criteria:
                    chosen.criteria.append(name)
                chosen.indices = narrowed

    def _apply_named_values(self, chosen: Selection) -> None:
        """A word that singles out some of the quoted text's lines: "… for root", "用户 root"."""
        terms = self.intent.terms
        asked = {target.word for target in self.intent.targets}
        for match in _SINGLED_OUT[terms.language].finditer(terms.bare):
            word = match["v"]
            if word.lower() in STOP_WORDS or word.lower() in asked or canonical_level(word):
                continue
            found = self.lines.search(rf"(?<![\w]){re.escape(word)}(?!\w)", word)
            narrowed = both(chosen.indices, found)
            if 0 < len(narrowed) < len(chosen.indices):
                chosen.indices = narrowed
                chosen.criteria.append(word)

    def _apply_phrases(self, chosen: Selection) -> None:
        """Runs of the question's words that stand together in lines."""
        for phrase, found in find_phrases(self.lines, self.intent.terms):
            narrowed = both(chosen.indices, found)
            if len(narrowed):
                chosen.indices = narrowed
                chosen.phrases.append(phrase)
                chosen.criteria.append(f"“{phrase}”")

    # --- levels and components ----------------------------------------------------------------

    def _apply_levels(self, chosen: Selection) -> None:
        terms = self.intent.terms
        for name, word in zip(terms.levels, terms.level_words, strict=True):
            found = self.find_level(name, word)
            if len(found) == 0:
                chosen.missing.append(word)
                chosen.level = name
                continue
            narrowed = both(chosen.indices, found)
            chosen.indices = narrowed
            chosen.level = name
            chosen.criteria.append(_level_words(word, terms.language))

    def _apply_own_levels(self, chosen: Selection) -> None:
        """A level in the log's own Chinese word ("报警最多的设备"), where lines are counted."""
        terms = self.intent.terms
        counted = self.intent.kind not in (Kind.EXTRACT, Kind.EXPLAIN, Kind.SUMMARY)
        if terms.levels or terms.literals or terms.language != "zh" or not counted:
            return
        if not self.layout.has_level:
            return
        for value in self.heads.levels():
            named = re.search(rf"{re.escape(value)}(?!号|码|代码|阈|线|值|灯)", terms.bare)
            if value.isascii() or not named:
                continue
            found = self.heads.lines_of_level(value, self.lines.count)
            narrowed = both(chosen.indices, found)
            if len(narrowed):
                chosen.indices = narrowed
                chosen.criteria.append(_level_words(value, "zh"))

    def find_level(self, name: str, word: str) -> Indices:
        """Lines of a level: by the level column; else by the level word as its own word."""
        if self.layout.has_level:
            found = self.heads.lines_of_level(name, self.lines.count)
            if len(found):
                return found
        upper = re.escape(word.strip("[]").upper())
        marked = rf"\[{upper}\]|(?<![\w]){upper}(?![\w])"
        found = self.lines.search(marked, upper.replace("\\", ""))
        if len(found):
            return found
        bracketed = rf"\[\s?{upper}\s?\]|<{upper}>"
        found = self.lines.search(bracketed, word.strip("[]"), ignore_case=True)
        if len(found) or self.layout.has_level:
            return found
        severity = _SEVERITIES.get(name)
        return self.lines.severe(severity, severity) if severity is not None else found

    def _apply_component(self, chosen: Selection) -> None:
        """A word that is the name of a component narrows to its lines ("ftpd lines")."""
        if not self.layout.has_component:
            return
        terms = self.intent.terms
        words = {word.lower() for word in (*terms.words, *terms.names, *terms.identifiers)}
        words -= {option.lower() for option in self.intent.options}
        words -= {target.word for target in self.intent.targets if target.word in STOP_WORDS}
        if not words:
            return
        asked = {target.word for target in self.intent.targets}
        names: dict[str, list[str]] = {}
        for name in self.heads.components():
            for short in _short_names(name):
                names.setdefault(short, []).append(name)
        for word in words:
            if word not in names or (
                not self._as_writer(word) and (word in asked or kind_of_word(word) is not None)
            ):
                continue
            found = self.heads.lines_of_components(names[word], self.lines.count)
            narrowed = both(chosen.indices, found)
            if len(narrowed):
                if len(narrowed) < len(chosen.indices):
                    chosen.criteria.append(word)
                chosen.indices = narrowed
                chosen.component = word

    def _as_writer(self, word: str) -> bool:
        """Whether a word is named as the writer of lines, not as a sort of value."""
        escaped = re.escape(word)
        pattern = (
            rf"\b{escaped}['’s]* (?:lines|messages|entries|log)|\b(?:from|by) (?:the )?{escaped}\b"
        )
        return re.search(pattern, self.intent.terms.bare, re.IGNORECASE) is not None

    def _header_rows(self) -> Indices:
        """Rows that only name columns."""
        found = []
        for source, shape in self.layout.shapes.items():
            index = self.lines.index_of(source, 1) if shape.header_text else None
            if index is not None and self.lines.text(index) == shape.header_text:
                found.append(index)
        return np.array(found, dtype=np.int64)

    # --- time ---------------------------------------------------------------------------------

    def _apply_windows(self, chosen: Selection) -> None:
        windows = list(self.intent.terms.windows)
        flags = select(windows, self.lines.times_s)
        inside = np.flatnonzero(flags).astype(np.int64)
        chosen.window_words = [window.words for window in windows]
        chosen.window_empty = len(inside) == 0
        chosen.indices = both(chosen.indices, inside)


def _level_words(word: str, language: str) -> str:
    return f"级别 {word}" if language == "zh" else f"level {word}"


_SEVERITIES = {
    "debug": Severity.DEBUG,
    "info": Severity.INFO,
    "notice": Severity.NOTICE,
    "warning": Severity.WARNING,
    "error": Severity.ERROR,
    "alarm": Severity.ERROR,
    "alert": Severity.ERROR,
    "critical": Severity.CRITICAL,
    "fatal": Severity.CRITICAL,
}


def _short_names(name: str) -> set[str]:
    """The names a person would call a component by: whole, last part of a dotted name, base."""
    lower = name.lower()
    parts = {lower, re.split(r"[\[(/@]", lower)[0]}
    last = re.split(r"[.$]", lower)[-1]
    if last != lower and re.search(r"[a-z][A-Z]", re.split(r"[.$]", name)[-1]):
        parts.add(last)
    return {part for part in parts if len(part) > 1}


def word_lines(lines: Lines, word: str) -> Indices:
    """Lines that hold a word in any of its forms, or a word of its meaning in the glossary."""
    found = []
    for other in load_glossary().alternatives(word):
        longest = max(stem(other.lower()).split() or [other], key=len)
        found.append(lines.search(word_pattern(other), longest))
    return either(found)
