"""Values in lines: addresses, users, codes, numbers, and whatever stands beside a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from app.answers.glossary import load_glossary
from app.answers.heads import Layout
from app.answers.targets import Target, ValueKind
from app.answers.terms import Literal, stem
from app.stream.records import Record

IP = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?::(\d{1,5}))?(?![\w]|\.\d)")
IP6 = re.compile(r"(?<![\w:])((?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4})(?![\w:])")
_UNIT = (
    r"(?:[KMGTP]i?[Bb]|bytes|[Bb]|ms|us|µs|ns|sec|seconds|s|minutes|min|hours|h|%|°C|℃|bar|kPa|"
    r"MPa|Pa"
    r"|rpm|mm/s|m/s|mm|cm|m|kg|g|mV|kV|V|mA|A|kW|W|kHz|MHz|GHz|Hz|l/min)(?![A-Za-z\d/])"
)
NUMBER = re.compile(
    rf"(?<![\w.,:/-])(?<!\d[-:])(?P<n>[-+]?\d+(?:\.\d+)?)(?P<u>\s?{_UNIT})?(?![A-Za-z_]*\d*:\d)(?!\.?\d)"
)
HEX = re.compile(r"\b0x[0-9a-fA-F]+\b")
_URL = re.compile(r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s\"'<>]+|(?<=[A-Z] )/[^\s\"'?]*")
_PATH = re.compile(r"(?<![\w.])(?:[A-Za-z]:\\[^\s\"'<>|,;]+|/(?:[\w.@%+~$-]+/)*[\w.@%+~$-]+)")
_FILE = re.compile(r"(?<![\w./\\-])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{1,5}\b")
_PORT = re.compile(r"port[\s=:#\"]+(\d{1,5})\b", re.IGNORECASE)
_HOST = re.compile(
    r"\b(?:r?host(?:name)?|node|server|machine)[\s]*[=:]\s*[\"']?([\w.-]+)|"
    r"\b(?:host|node|server|machine)\s+([\w.-]*\d[\w.-]*|[\w-]+(?:\.[\w-]+)+)",
    re.IGNORECASE,
)
_USER_KEY = re.compile(
    r"(?:^|[\s,;(\[{\"'])(?:user(?:[ _-]?name)?|account|acct|login|logname|uname|usr|operator|"
    r"用户名?|账号|操作员)"
    r"[\"']?\s*[=:：]\s*[\"']?([\w.$@\\-]+)",
    re.IGNORECASE,
)
_USER_FOR = re.compile(
    r"\b(?:for|by)\s+(?:(?:invalid|illegal|unknown)\s+)?(?:user\s+)?[\"'`]?([\w.$@\\-]+)[\"'`]?"
    r"\s+(?:from|by|on|at|via|port|\(uid)",
    re.IGNORECASE,
)
_USER_WORD = re.compile(r"\b(?:user|account)\s+[\"'`(]?([\w.$@\\-]+)", re.IGNORECASE)
_USER_LAST = re.compile(r"\b(?:for|by)\s+([\w.$@\\-]+)\s*(?:[\[(]|$)", re.IGNORECASE)
_NOT_A_USER = frozenset(
    "unknown from request authentication name names by for to is was has not and or on in at "
    "logged "
    "login logout session error failed disconnected the a an via with does did account".split()
)
_CODE = re.compile(
    r"\b(?:h?result|code|status|errno|error|err|state|reason|exit)\b(?:\s*(?:code|number|"
    r"id))?[\"']?"
    r"\s*(?:[=:#]|is|was|\s)\s*[\"'(\[]?(0x[0-9a-fA-F]+|[A-Z]*-?\d{1,12}\b|[A-Z][A-Z0-9_]{3,})",
    re.IGNORECASE,
)
_HTTP_STATUS = re.compile(r"HTTP/\d(?:\.\d)?\"\s+(?:status:\s*)?(\d{3})\b")
_BARE_VALUE = r"[^\s,;|()\[\]{}<>\"'，；、。（）]+"
_SPACED = r"(?:\"[^\"]*\"|'[^']*'|" + _BARE_VALUE + ")"

Finder = Callable[[Record], list[str]]
"""Takes a line and gives the values of one kind in it, the likeliest first."""


def numbers_in(text: str, start: int = 0) -> list[str]:
    """Numbers with their units from an offset on, in order; no parts of words, times or "
    "addresses."""
    found = []
    for match in NUMBER.finditer(text, start):
        found.append(match["n"] + (match["u"] or ""))
    return found


def finders(target: Target, layout: Layout, anchors: Iterable[Literal]) -> list[Finder]:
    """Ways to find a target's values in a line, the most specific first.

    A caller tries them in turn and keeps the first that finds something in most of its lines.

    Arguments:
        anchors: quoted texts of the question; a value right behind one is preferred.
    """
    anchored = [literal.parts[-1] for literal in anchors if literal.parts]
    words = _words_of(target)
    ways: list[Finder] = [_column_finder(layout, words)]
    kind = target.kind
    if kind is ValueKind.COMPONENT:
        return [
            *ways,
            lambda record: _some(layout.head(record).component),
            *_named(words, anchored),
        ]
    if kind is ValueKind.LEVEL:
        return [*ways, lambda record: _some(layout.head(record).level)]
    typed = _TYPED.get(kind)
    if kind in (ValueKind.NAMED, ValueKind.NUMBER):
        numeric = kind is ValueKind.NUMBER
        if target.counted:
            ways.append(_regex_finder(_before_pattern(" ".join(target.phrase))))
            ways += [_regex_finder(_before_pattern(word)) for word in words]
        ways += _named(words, anchored, numeric=numeric)
        if numeric:
            ways += [_regex_finder(_before_pattern(word)) for word in words]
            ways += [_regex_finder(_near_pattern(word)) for word in words]
        if anchored:
            ways.append(_behind_finder(anchored, numeric=numeric))
        if target.also is not None:
            ways += finders(Target(target.also, target.word), layout, ())[1:]
        if numeric and not words:
            ways.append(lambda record: numbers_in(layout.message(record)))
        return ways
    if kind in (ValueKind.CODE, ValueKind.HOST):
        ways += _keyed(words)
    if typed is not None:
        if anchored and kind in (ValueKind.IP, ValueKind.PATH, ValueKind.URL):
            ways.append(_typed_behind(typed, anchored))
        ways.append(lambda record: typed(record.text))
    if kind is ValueKind.HOST:
        ways.append(lambda record: _some(layout.head(record).host))
        ways.append(lambda record: _ips(record.text))
    return [*ways, *_named(words, anchored)]


def behind(text: str, anchors: list[str]) -> int:
    """The offset right behind the last of the anchors that is in the text, or -1."""
    for anchor in anchors:
        at = text.find(anchor)
        if at < 0:
            at = text.lower().find(anchor.lower())
        if at >= 0:
            return at + len(anchor)
    return -1


def _words_of(target: Target) -> list[str]:
    """The target's words as a line may write them, in both languages, the head noun first."""
    glossary = load_glossary()
    phrase = [
        w for w in reversed(target.phrase) if w not in ("number", "value", "figure", "values")
    ]
    words: list[str] = []
    for word in (target.word, *phrase):
        if not word:
            continue
        words.append(word)
        words += [other for other in glossary.alternatives(word) if other not in words]
        singular = word.removesuffix("s")
        if word.isascii() and len(singular) > 2 and singular != word and not word.endswith("ss"):
            words.append(singular)
    return list(dict.fromkeys(words))


def _column_finder(layout: Layout, words: list[str]) -> Finder:
    """The named column or JSON key that one of the words names."""
    names: list[str] = []
    for word in words:
        flat = re.sub(r"[\W_]", "", word.lower())
        for name in layout.columns:
            plain = re.sub(r"[\W_]", "", name.lower())
            if flat and (plain == flat or (len(flat) > 1 and plain.endswith(flat))):
                names.append(name)
    if not names:
        return lambda _record: []

    def find(record: Record) -> list[str]:
        fields = layout.fields(record)
        return [fields[name] for name in names if fields.get(name)][:1]

    return find


def _keyed(words: list[str]) -> list[Finder]:
    """``word=value``, ``word: value``, ``"word": value``; the value may be quoted."""
    found: list[Finder] = []
    for word in words:
        found.append(_regex_finder(_key_pattern(word)))
    return found


def _named(words: list[str], anchors: list[str], *, numeric: bool = False) -> list[Finder]:
    """Values written with the word as their key, then values right behind the word."""
    found = _keyed(words)
    if not numeric:
        found += [_regex_finder(_inside_pattern(word)) for word in words if word.isascii()]
    for word in words:
        found.append(_regex_finder(_beside_pattern(word, numeric)))
    if anchors:
        # A key that stands both before and behind the quoted text: the one behind is meant.
        return [_preferring_behind(way, anchors) for way in found]
    return found


@lru_cache(maxsize=512)
def _key_pattern(word: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![A-Za-z]){re.escape(word)}(?:[_\s]?(?:id|number|no\.?|code|name|value|号|编号|码|"
        rf"值))?[\"'\]]?"
        rf"\s*(?:=|:(?!:)|：)\s*(?P<v>{_SPACED})",
        re.IGNORECASE,
    )


@lru_cache(maxsize=512)
def _beside_pattern(word: str, numeric: bool) -> re.Pattern[str]:
    root = stem(word.lower()) if word.isascii() else word
    plain = r"[\w<$/\\.:@*+-]*\d[\w>$/\\.:@*+-]*"
    inner = rf"[-+]?\d+(?:[.,]\d+)*(?:\s?{_UNIT})?" if numeric else rf"{plain}(?:\s{_UNIT})?"
    gap = r"[\s\"'#(\[:=,|;：，]*(?:is|was|of|号|为|是)?[\s\"'#(\[:=：]*"
    return re.compile(
        rf"(?<![A-Za-z0-9]){re.escape(root)}[A-Za-z]{{0,4}}(?![A-Za-z]){gap}(?P<v>{inner})",
        re.IGNORECASE,
    )


@lru_cache(maxsize=512)
def _near_pattern(word: str) -> re.Pattern[str]:
    """A number at most two words behind the word: ``battery level is 81``."""
    root = stem(word.lower()) if word.isascii() else word
    return re.compile(
        rf"(?<![A-Za-z0-9]){re.escape(root)}[A-Za-z]{{0,4}}(?![A-Za-z])[^A-Za-z0-9]{{1,3}}"
        rf"(?:[A-Za-z\u4e00-\u9fff]+[^A-Za-z0-9]{{1,3}}){{1,2}}(?P<v>[-+]?\d+(?:[.,]\d+)*(?:\s?{_UNIT})?)"
        r"(?![\w:])",
        re.IGNORECASE,
    )


@lru_cache(maxsize=512)
def _before_pattern(word: str) -> re.Pattern[str]:
    """A number right before the word: ``4096 bytes received``."""
    return re.compile(
        rf"(?<![\w.:])(?P<v>[-+]?\d+(?:[.,]\d+)*)\s*{re.escape(word)}(?![A-Za-z])", re.IGNORECASE
    )


@lru_cache(maxsize=512)
def _inside_pattern(word: str) -> re.Pattern[str]:
    """Names that begin with the word and carry a number: ``rdd_2_0``, ``blk_17``, ``node-3``."""
    return re.compile(
        rf"(?<![A-Za-z0-9])(?P<v>{re.escape(word)}s?[_\-./#:@]*\d[\w.\-/:@]*)", re.IGNORECASE
    )


def _regex_finder(pattern: re.Pattern[str]) -> Finder:
    def find(record: Record) -> list[str]:
        return [tidy(match["v"]) for match in pattern.finditer(record.text) if tidy(match["v"])]

    return find


def _preferring_behind(way: Finder, anchors: list[str]) -> Finder:
    def find(record: Record) -> list[str]:
        values = way(record)
        at = behind(record.text, anchors)
        if at < 0 or len(values) < 2:
            return values
        return sorted(values, key=lambda value: record.text.rfind(value) < at)

    return find


def _behind_finder(anchors: list[str], *, numeric: bool) -> Finder:
    """What stands right behind the quoted text: its first word, or its first number."""

    def find(record: Record) -> list[str]:
        at = behind(record.text, anchors)
        if at < 0:
            return []
        rest = record.text[at:]
        numbers = numbers_in(rest)
        if numeric and numbers:
            return numbers[:1]
        match = _BEHIND.match(rest)
        return [tidy(match.group(1))] if match and tidy(match.group(1)) else numbers[:1]

    return find


_BEHIND = re.compile(
    r"(?:[\s:=,;#\"'(\[-]*(?:(?:for|of|to|from|at|in|on|by|with|is|was|the|a|an|user|and)\s)?)*"
    rf"({_BARE_VALUE})",
    re.IGNORECASE,
)


def _typed_behind(typed: Callable[[str], list[str]], anchors: list[str]) -> Finder:
    def find(record: Record) -> list[str]:
        at = behind(record.text, anchors)
        return typed(record.text[at:]) if at >= 0 else []

    return find


def tidy(value: str) -> str:
    """A value without the quotes around it and the punctuation behind it."""
    value = value.strip().strip("\"'`")
    # "totalSteps=7163Calories:153367": the next key begins inside the word.
    glued = re.match(r"([-+]?\d+(?:\.\d+)?)[A-Za-z_]{3,}[:=]", value)
    if glued:
        return glued.group(1)
    return value.rstrip(".,:;!?。，；")


def _some(value: str) -> list[str]:
    return [value] if value else []


def _ips(text: str) -> list[str]:
    found = [match.group(1) for match in IP.finditer(text)]
    return found or [match.group(1) for match in IP6.finditer(text)]


def _ips_with_ports(text: str) -> list[str]:
    return [match.group() for match in IP.finditer(text)]


def _users(text: str) -> list[str]:
    for pattern in (_USER_KEY, _USER_FOR, _USER_WORD, _USER_LAST):
        found = [v for v in pattern.findall(text) if v.lower() not in _NOT_A_USER]
        if found:
            return found
    return []


def _codes(text: str) -> list[str]:
    found = _HTTP_STATUS.findall(text) or [tidy(value) for value in _CODE.findall(text)]
    return found or HEX.findall(text)


def _ports(text: str) -> list[str]:
    return _PORT.findall(text) or [match[2] for match in IP.finditer(text) if match[2]]


def _hosts(text: str) -> list[str]:
    return [first or second for first, second in _HOST.findall(text)]


def _paths(text: str) -> list[str]:
    return [tidy(v) for v in _PATH.findall(text)] or _FILE.findall(text)


def _urls(text: str) -> list[str]:
    return [tidy(v) for v in _URL.findall(text)]


_TYPED: dict[ValueKind, Callable[[str], list[str]]] = {
    ValueKind.IP: _ips,
    ValueKind.USER: _users,
    ValueKind.HOST: _hosts,
    ValueKind.CODE: _codes,
    ValueKind.PORT: _ports,
    ValueKind.PATH: _paths,
    ValueKind.URL: _urls,
}


def typed_values(kind: ValueKind, text: str) -> list[str]:
    """Values of one sort anywhere in a text; empty for sorts that have no form of their own."""
    typed = _TYPED.get(kind)
    return typed(text) if typed is not None else []


def addresses_with_ports(text: str) -> list[str]:
    """Addresses with the ports the line gives them."""
    return _ips_with_ports(text)
