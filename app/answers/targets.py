"""Which values a question asks for: "which address", "how many nodes", "哪个工位", "最高温度"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.answers.terms import STOP_WORDS, strip_function_words


class ValueKind(StrEnum):
    """What sort of value is asked for."""

    IP = "ip"
    USER = "user"
    HOST = "host"
    COMPONENT = "component"
    LEVEL = "level"
    CODE = "code"
    PORT = "port"
    PATH = "path"
    URL = "url"
    HOUR = "hour"
    DAY = "day"
    MINUTE = "minute"
    MESSAGE = "message"
    NUMBER = "number"
    TIME = "time"
    NAMED = "named"
    """Whatever stands beside the word itself: "slot", "session", "state"."""


@dataclass(frozen=True, slots=True)
class Target:
    """A value asked for.

    Attributes:
        kind: its sort.
        word: the word it was asked with, lower case: "address", "slot", "状态号".
        phrase: the words around it, lower case, the head noun last.
    """

    kind: ValueKind
    word: str
    phrase: tuple[str, ...] = ()
    also: ValueKind | None = None
    """The sort that another word of the phrase names: a "node location" is a host."""
    counted: bool = False
    """Whether the number stands before the word: "the number of buffers", "58 buffers"."""


_TARGETS: tuple[tuple[ValueKind, str, str], ...] = (
    (
        ValueKind.CODE,
        r"(?:error|status|return|exit|result|reason|fault|alarm|response|http) codes?|hresults?"
        r"|codes?|errno",
        r"错误码|状态码|返回码|故障码|错误代码|报警代码|故障代码|代码|编码",
    ),
    (
        ValueKind.USER,
        r"user ?names?|users?|accounts?|login names?|logins?|operators?",
        r"用户名|用户|账号|账户|帐号|操作员|登录名",
    ),
    (
        ValueKind.IP,
        r"ips?|ip addresses|(?:ip |source |client |remote |destination |target |network )?"
        r"address(?:es)?|clients?|peers?",
        r"IP|ip|地址|来源地址|客户端",
    ),
    (ValueKind.PORT, r"ports?", r"端口号?"),
    (
        ValueKind.HOST,
        r"host ?names?|hosts?|nodes?|machines?|servers?|computers?",
        r"主机名?|节点|机器|服务器|电脑",
    ),
    (
        ValueKind.COMPONENT,
        r"components?|modules?|programs?|process(?:es)?|daemons?|services?|subsystems?|loggers?"
        r"|class(?:es)?|tags?|applications?|apps?|sources?|stations?|devices?|units?"
        r"|facilit(?:y|ies)",
        r"工位|设备|工站|机台|单元|组件|模块|程序|进程|守护进程|服务|子系统|记录器|应用|类名?",
    ),
    (ValueKind.LEVEL, r"(?:log )?levels?|severit(?:y|ies)", r"日志级别|级别|等级|严重程度"),
    (ValueKind.HOUR, r"hours?", r"个小时|小时|时段|钟头"),
    (ValueKind.MINUTE, r"minutes?", r"分钟"),
    (ValueKind.DAY, r"days?|dates?", r"哪(?:一)?天|日期|哪(?:一)?日"),
    (ValueKind.URL, r"urls?|endpoints?|pages?|links?", r"网址|页面|链接"),
    (ValueKind.PATH, r"files?|paths?|director(?:y|ies)|folders?", r"文件|路径|目录"),
    (
        ValueKind.MESSAGE,
        r"messages?|(?:log )?lines?|events?|templates?|(?:error|warning|alarm) (?:messages?|texts?)"
        r"|errors?|warnings?|kinds? of \w+|types? of \w+",
        r"消息|内容|事件|日志|哪(?:一)?(?:类|种)\S*|错误|报警|告警|故障",
    ),
)
_TARGET_EN = tuple((kind, re.compile(rf"\b(?:{en})\b", re.IGNORECASE)) for kind, en, _ in _TARGETS)
_TARGET_ZH = tuple((kind, re.compile(zh)) for kind, _, zh in _TARGETS)
_NUMBER_OF = re.compile(
    r"\b(?:number|amount|total|count) of (?P<of>(?!(?:lines?|messages|entries|records|errors|"
    r"warnings|"
    r"events|times|requests|alarms|different|distinct|unique|the|all)\b)[a-z_]+"
    r"(?: (?:sent|received|written|read|used|free))?)",
    re.IGNORECASE,
)
_ASKED_EN = re.compile(
    r"\b(?:what (?:is|was|are|were) the|which|what|whose|how many(?: different| distinct| "
    r"unique)?|(?<!the )number of"
    r"(?: different| distinct| unique)?|largest|smallest|highest|lowest|biggest|longest|shortest"
    r"|maximum|minimum|max|min|peak|most (?:common|frequent|active)|commonest|busiest|noisiest"
    r"|top(?: \d+| three| five| ten)?)\s+(?=[A-Za-z_])",
    re.IGNORECASE,
)
_EXTREME_ZH = re.compile(
    r"(?P<before>[\u4e00-\u9fff]{0,8})(?:最高|最低|最大|最小|最长|最短|最快|"
    r"最慢)的?(?P<behind>[\u4e00-\u9fff]{0,6})"
)
_NUMBER_ZH = re.compile(
    r"数值|数字|号码|编号|(?<=[\u4e00-\u9fffA-Za-z])(?:号|(?<!阈)值)(?=[\s,，。?？是为的]|$)"
)
_NAMED_ZH = re.compile(
    r"(?:哪一?[个台条位种]|什么)\s*(?P<latin>[A-Za-z_][\w ]*?)?\s*"
    r"(?P<chinese>[\u4e00-\u9fff]{1,6})?(?=[?？，,。]|$)"
)
_LATIN_VALUE = re.compile(r"([A-Za-z_][\w.]*)\s*的?\s*(?:数值|值|数|号|码|是多少|是什么|为多少)")
_VERBS = frozenset(
    """is are was were be been did does do has have had can could will would occurs occur
    occurred comes come came appears appear appeared follows follow followed wrote write
    writes written logged logs got gets get gave gives give given shows show showed caused
    causes made makes took takes sent sends received receives kept keeps happened happens
    belongs says say said reports reported carries carried names named tried asked in on at of
    for from to by with the a an and or that this there it its most more least line lines""".split()
)
_ASKED_ZH = re.compile(r"哪一?[个条台位名种类些天]?|什么|多少|几[个号条]?|谁|何")


def find_targets(bare: str, language: str) -> tuple[Target, ...]:
    """The values a question asks for, the most important first.

    Arguments:
        bare: the question without quoted text and times.
    """
    found = _targets_zh(bare) if language == "zh" else _targets_en(bare)
    unique: dict[str, Target] = {}
    for target in found:
        known = unique.get(target.word)
        if known is None or known.kind is ValueKind.NAMED:
            # A known sort of value says more than the word alone.
            unique[target.word] = target
    return tuple(unique.values())


def _targets_en(bare: str) -> list[Target]:
    found: list[Target] = []
    for match in _NUMBER_OF.finditer(bare):
        words = match["of"].lower().split()
        found.append(Target(ValueKind.NUMBER, words[0], tuple(words), counted=True))
    for match in _ASKED_EN.finditer(bare):
        phrase: list[str] = []
        for word in re.findall(r"[A-Za-z_][\w'$.-]*|[,.;:?!]", bare[match.end() :])[:6]:
            if word.lower() in _VERBS or word in ",.;:?!":
                if word.lower() in _OBJECTS and len(phrase) > 1 and kind_of_word(phrase[-2]):
                    phrase.pop()  # "which user shut the …": a verb
                break
            phrase.append(word.lower())
        if not any(word in _HEADS or word not in STOP_WORDS for word in phrase):
            continue
        found.append(_target(phrase))
    return found


_HEADS = frozenset(
    "number numbers figure figures value values level levels message messages line lines file "
    "files "
    "hour hours minute minutes day days date dates severity name names event events".split()
)


_OBJECTS = frozenset("the a an this that it to with from".split())
_GENERAL_HEADS = frozenset(
    "number numbers figure figures value values id ids name names location locations".split()
)


def _target(phrase: list[str]) -> Target:
    """Sort out a noun phrase by its last words: "failed login address" is an address."""
    joined = " ".join(phrase)
    if phrase[-1] in _GENERAL_HEADS:
        # "state number", "program name": the word before the general one says what is meant.
        head = phrase[-2] if len(phrase) > 1 else phrase[-1]
        sort = kind_of_word(head)
        if sort is not None and not phrase[-1].startswith(("number", "figure")):
            return Target(sort, head, tuple(phrase))
        number = phrase[-1].startswith(("number", "figure"))
        return Target(ValueKind.NUMBER if number else ValueKind.NAMED, head, tuple(phrase))
    best: tuple[int, ValueKind, str] | None = None
    for kind, pattern in _TARGET_EN:
        for match in pattern.finditer(joined):
            if best is None or match.end() > best[0]:
                best = (match.end(), kind, match.group().lower())
    also = None
    if best is not None:
        # Something like "rhost" or "session" that ends the phrase names its own kind of value.
        tail = joined[best[0] :].split()
        if all(word in STOP_WORDS for word in tail) or len(tail) > 1 or _is_verb(tail[-1]):
            return Target(best[1], best[2], tuple(phrase))
        also = best[1]
    content = [word for word in phrase if word not in STOP_WORDS and not _is_verb(word)]
    return Target(ValueKind.NAMED, (content or phrase)[-1], tuple(phrase), also)


def _is_verb(word: str) -> bool:
    return word.endswith(("ed", "ing"))


def kind_of_word(word: str) -> ValueKind | None:
    """The sort of value a word stands for by itself; None for words that are no such sort."""
    table = _TARGET_EN if word.isascii() else _TARGET_ZH
    return next((kind for kind, pattern in table if pattern.fullmatch(word)), None)


def _targets_zh(bare: str) -> list[Target]:
    """Known kinds of value in a Chinese question, the nearest to its question word first."""
    marks = [match.span() for match in _ASKED_ZH.finditer(bare)] or [(len(bare), len(bare))]
    scored: list[tuple[float, int, Target]] = []
    for kind, pattern in _TARGET_ZH:
        for match in pattern.finditer(bare):
            near = min(
                (match.start() - stop) if match.start() >= stop else 1.5 * (start - match.end())
                for start, stop in marks
            )
            scored.append((max(near, 0), match.start(), Target(kind, match.group().lower())))
    for match in _EXTREME_ZH.finditer(bare):
        for text, distance in ((match["behind"], 0.2), (match["before"], 0.3)):
            parts = [part for part in strip_function_words(text or "") if len(part) > 1]
            if parts:
                word = parts[0] if text is match["behind"] else parts[-1]
                scored.append((distance, match.start(), Target(ValueKind.NUMBER, word)))
    for match in _NUMBER_ZH.finditer(bare):
        word = _last_word(bare[: match.start()])
        scored.append((2.5, match.start(), Target(ValueKind.NUMBER, word)))
    for match in _NAMED_ZH.finditer(bare):
        for group in (match["chinese"], match["latin"]):
            word = _last_word(group or "")
            if word:
                scored.append((0.5, match.start(), Target(ValueKind.NAMED, word)))
    for match in _LATIN_VALUE.finditer(bare):
        scored.append((0.4, match.start(), Target(ValueKind.NAMED, match.group(1).lower())))
    scored.sort(key=lambda item: (item[0], item[1]))
    return [target for distance, _, target in scored if distance <= 12]


def _last_word(text: str) -> str:
    """The last Latin word or the last Chinese run without function words; may be empty."""
    tail = re.search(r"([A-Za-z_][\w.]*|[\u4e00-\u9fff]+)\s*(?:的)?\s*$", text)
    if tail is None:
        return ""
    word = tail.group(1)
    if word.isascii():
        return word.lower()
    parts = strip_function_words(word)
    return parts[-1] if parts else ""


def column_targets(bare: str, columns: Sequence[str]) -> list[Target]:
    """Columns of the log that the question names, the nearest to its question word first."""
    marks = [m.start() for m in re.finditer(r"哪|什么|多少|几|which|what|how", bare, re.IGNORECASE)]
    found: list[tuple[int, Target]] = []
    for column in columns:
        if len(column) < 2 or column.lower() in _COLUMNS_WITH_ROLES:
            continue
        spaced = re.sub(r"[_\W]+", r"[_\\s-]?", column) if column.isascii() else re.escape(column)
        pattern = rf"(?<![A-Za-z0-9]){spaced}(?![A-Za-z0-9])" if column.isascii() else spaced
        match = re.search(pattern, bare, re.IGNORECASE)
        if match is not None:
            distance = min((abs(match.start() - mark) for mark in marks), default=0)
            found.append((distance, Target(ValueKind.NAMED, column)))
    return [target for _, target in sorted(found, key=lambda item: item[0])]


_COLUMNS_WITH_ROLES = frozenset(
    "level severity time timestamp ts date msg message 时间 级别 等级 日期 描述 消息 内容".split()
)
