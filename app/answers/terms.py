"""What a question names: quoted text, identifiers, levels and content words, in two languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.answers.glossary import load_glossary
from app.answers.lineparts import LEVEL_LETTERS, canonical_level
from app.answers.timewords import find_windows
from app.answers.windows import Window

_QUOTED = re.compile(
    r"\"([^\"]{1,400})\"|“([^”]{1,400})”|「([^」]{1,400})」|『([^』]{1,400})』|`([^`]{1,400})`"
    r"|＂([^＂]{1,400})＂|«([^»]{1,400})»|‘([^’]{2,400})’(?!\w)"
    r"|(?:(?<=^)|(?<=[\s(（,，:：]))'([^']{1,400})'(?=$|[\s)）,，.。?？!！;；:：\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff])'([^']{1,400})'"
)
_MOST_CHARS = 1_000
"""A question longer than this is understood by its beginning."""
_GAP = re.compile(r"\s*(?:\.{3,}|…+|<\*>|\[\.\.\.\]|(?<=\s)\*(?=\s|$))\s*")
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")

_IDENTIFIERS = (
    re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s\"'，。？！）)]+", re.IGNORECASE),
    re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]*\d)"),
    re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])", re.IGNORECASE),
    re.compile(r"(?<![\w:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:])", re.IGNORECASE),
    re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE),
    re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE),
    re.compile(r"(?<![\w.])[A-Za-z]:\\[^\s\"'，。？]+"),
    re.compile(r"(?<![\w.:/])/(?:[\w.@%+~-]+/)*[\w.@%+~-]*\w"),
    re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w"),
    re.compile(r"(?<![\w.])[A-Za-z_][\w.-]*=[^\s,，;；)）?？。]+(?<![.!])"),
    re.compile(r"(?<![\w.])[A-Za-z_][\w.$-]*@\d+"),
    # letters and digits in one word: blk_-42, tty5, node-246, R02-M1-N0-C:J12-U11, S40-RUN
    re.compile(
        r"(?<![\w.])(?=[A-Za-z_\-:.$]*\d)(?=[\d_\-:.$]*[A-Za-z])[A-Za-z0-9][\w$]*(?:[-:.$/]+[\w$]+)*",
    ),
    re.compile(r"(?<![\w.])[A-Za-z]\w*(?:_\w+)+"),
    re.compile(r"(?<![\w.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?!\w)"),
    re.compile(r"\[[A-Za-z][\w:.-]{0,40}\]"),
)
_NAME = re.compile(r"\b(?:[A-Z]?[a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*|[A-Z]{3,})\b")
_NUMBER = re.compile(
    r"(?<![\w.:,/-])-?\d{3,}(?:\.\d+)?(?![\w.:/-]*\d)(?!\s*(?:年|月|日|号|点|时|分|秒))"
)
_ORDINAL = re.compile(r"^\d+(?:st|nd|rd|th|s|ms|am|pm|h|min|minutes?|hours?|days?)$", re.IGNORECASE)
_LOG_NAME = re.compile(r"\b[\w.-]+\.(?:log|txt|csv|jsonl?|out)\b", re.IGNORECASE)

STOP_WORDS = frozenset(
    """a an the this that these those there here it its they their them he she we you i me my our
    is are was were be been being am do does did done doing have has had having will would can
    could may might must shall should not no nor yes or and but if then else than so too very
    just only also as at by for from in into of off on onto out over per to up upon via with
    within without about above after again against all any anything both during each every few
    more most much many other some something such same own under until while which what who
    whom whose when where why how whether please tell give show list find say says said saying
    tells told state states stated mention mentions mentioned mentioning contain contains
    contained containing include includes including appear appears appeared appearing occur
    occurs occurred occurring happen happens happened happening see seen get gets got come
    comes came become becomes became go goes went going make makes made take takes took taken
    put use used using let look looks write writes wrote written writing log logs logged
    logging line lines entry entries record records recorded row rows file files text phrase
    string words word message messages report reports reported first last earliest latest
    final initial initially beginning begin begins began end ends ended start starts highest
    lowest largest smallest biggest greatest least maximum minimum max min longest shortest
    slowest fastest quickest hottest coldest peak develop develops average mean total number
    numbers count counts counting amount figure figures value values often frequent frequently
    frequency common commonly times time date dates day days hour hours minute minutes second
    seconds moment period timestamp timestamps between before since till around exactly exact
    roughly overall altogether single different distinct unique whole entire order sorted
    answer question briefly brief short summary summarize summarise overview sentence
    sentences two three one kind type sort name names named called against carry carries
    carried belong belongs according follow follows followed following around through
    throughout across way ever priority letter still yet already now once twice been seem
    seems rise rising fall falling increase increasing decrease decreasing grow growing trend
    change changes changed changing remain stay constant stuck steady up down higher lower
    compare compared across ports aside shown level levels severity activity main mainly
    mostly going trouble wrong anything problem problems kinds per whats it's what's did't top
    rank ranked them well own really actually also reading readings measured measure tried
    doing done issue issues""".split()
)
_STOP_ZH = (
    "日志 文件 哪一个 哪一条 哪一天 哪些 哪个 哪条 哪里 哪天 哪种 什么时候 什么时间 什么 为什么 "
    "为何 怎么 怎样 如何 "
    "多少次 多少行 多少条 多少个 多少 几次 几行 几条 几点几分几秒 几点几分 几点 几时 几个 是否 "
    "有没有 有无 一共有 一共 总共 "
    "共有 共计 出现次数 出现 发生 记录 包含 含有 写着 写了 写日志 写 显示 提到 提及 内容 文本 "
    "字样 的行里 的行 行里 行数 行 "
    "条 次数 次 最多 最少 最大 最小 最高 最低 最早 最晚 最后一次 最后一条 最后一个 最后 第一次 "
    "第一条 第一个 首次 首条 "
    "时间戳 时间 日期 时候 时刻 期间 之间 之前 之后 以前 以后 当天 这一天 这天 这段 左右 前后 "
    "分别 各 每个 每 是不是 是 "
    "的 了 在 里 中 上 下 和 与 或 及 以及 到 从 有 被 把 对 给 为 由 于 其 它 他 她 这 那 这个 "
    "那个 这台 那台 该 所有 全部 "
    "请 简短 简要 概括 总结 概述 说明 回答 告诉 描述 一句话 两句话 用一两句话 一两句 主要 大概 "
    "情况 目前 现在 数值 值 数字 "
    "号码 上升 下降 不变 变化 增加 减少 一直 还是 趋势 后面 前面 对应 来源 针对 因为 原因 如果 "
    "没有 吗 呢 吧 啊 按 算 按照 "
    "最长 最短 最快 最慢 整体 变大 变小 越来越 升高 降低 变多 变少 用了 用 一次 一条 一个 哪 几 "
    "多 个 都 做 做了 "
    "操作 叫 名字 名称 类型 种类 本身 排序 级别 等级 共 就 也 还 又 很 会 能 可以 "
    "占 比 属于 以 开头 结尾 开始 结束 时 天 日 月 年 号 点 分 秒 今天 昨天 最近 半小时 小时 "
    "分钟 处 那里 哪儿 "
    "地址 信息 消息 报了 报 说 提示 问题 触发 连续 出 来 去 着 过 得 地 并 且 但 而 只 才 已 "
    "已经 曾 曾经 正在"
).split()
_STOP_ZH_PATTERN = re.compile("|".join(sorted(map(re.escape, _STOP_ZH), key=len, reverse=True)))

_LEVEL_CONTEXTS = (
    re.compile(
        r"\b(?:level|severity|priority)(?: letter)?\s+(?:is\s+|"
        r"of\s+)?[\[\"“']?(?P<w>[A-Za-z]+)(?![\w'])",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<w>[A-Za-z]+)[\]\"”']?[\s-]+(?:level\s+)?(?:log\s+)?"
        r"(?:lines?|messages?|entries|entry|records?|events?|level|severity|logs?|rows?)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:级别|等级)\s*(?:为|是|=|：|:)?\s*[\[\"“]?(?P<w>[A-Za-z]+|[\u4e00-\u9fff]{2})",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<w>[A-Za-z]+|调试|信息|通知|提示|警告|告警|错误|严重|致命|报警)\s*[\]\"”]?\s*"
        r"(?:级别|等级|级|日志|行|的行|的日志|消息|记录|条目)",
        re.IGNORECASE,
    ),
)
_BARE_LEVEL = re.compile(
    r"\b(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL|ALERT)\b"
)
_PLURAL_LEVEL = re.compile(
    r"\b(?:how many|number of|count(?: of)?|first|last|any|the|all)\s+(?P<w>errors|warnings|"
    r"alerts|alarms)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Literal:
    """Quoted text to look for.

    Attributes:
        text: as quoted.
        parts: the pieces between gaps ("..." stands for anything on the same line).
    """

    text: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a question names.

    Attributes:
        question: the question as asked.
        language: ``en`` or ``zh``.
        literals: quoted texts.
        identifiers: words of a form that names one thing (addresses, ids, paths, key=value).
        names: CamelCase and ALL-CAPS words.
        numbers: plain numbers of three digits or more that are no part of a time.
        levels: common names of levels asked for as such ("ERROR lines").
        level_words: the same as the question writes them.
        windows: the times it names; several mean their union.
        words: remaining content words, lower case, in order.
        chinese: runs of Chinese characters that are left without function words.
        bare: the question without quoted text, times and file names, for rules on its words.
        latin_runs: runs of Latin words inside a Chinese question, quoted from the log as a rule.
    """

    question: str
    language: str
    literals: tuple[Literal, ...]
    identifiers: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    levels: tuple[str, ...]
    level_words: tuple[str, ...]
    windows: tuple[Window, ...]
    words: tuple[str, ...]
    chinese: tuple[str, ...]
    bare: str
    latin_runs: tuple[str, ...]


def read_terms(question: str, sources: Sequence[str] = ()) -> Terms:
    """Take a question apart; nothing is looked up in a log here.

    Arguments:
        sources: names of the open logs, which are not terms when the question names them.
    """
    literals, bare = _quoted(question[:_MOST_CHARS])
    language = "zh" if _CJK.search(bare) or (not bare.strip() and _CJK.search(question)) else "en"
    for name in sources:
        bare = re.sub(re.escape(name), lambda found: " " * len(found.group()), bare, flags=re.I)
    bare = _LOG_NAME.sub(lambda found: " " * len(found.group()), bare)
    windows, bare = find_windows(bare)
    levels, level_words = _levels(bare)
    identifiers, rest = _identifiers(bare)
    names = tuple(dict.fromkeys(n for n in _NAME.findall(rest) if _is_name(n, level_words)))
    phrases, plain = _known_phrases(rest)
    words = phrases + tuple(
        dict.fromkeys(
            word
            for word in (match.group().lower() for match in _WORD.finditer(plain))
            if word.removesuffix("'s") not in STOP_WORDS and len(word) > 1
        )
    )
    runs: tuple[str, ...] = ()
    if language == "zh":
        runs = tuple(
            run.strip(" ,.:;-")
            for run in re.findall(r"[A-Za-z0-9_][\x20-\x7e]*[A-Za-z0-9_)\]]", bare)
            if len(run.split()) > 1
        )
    return Terms(
        question=question,
        language=language,
        literals=literals,
        identifiers=identifiers,
        names=names,
        numbers=tuple(dict.fromkeys(_NUMBER.findall(rest))),
        levels=levels,
        level_words=level_words,
        windows=tuple(windows),
        words=words,
        chinese=_chinese(rest),
        bare=bare,
        latin_runs=runs,
    )


def _quoted(question: str) -> tuple[tuple[Literal, ...], str]:
    literals: list[Literal] = []
    bare = list(question)
    for found in _QUOTED.finditer(question):
        text = next(group for group in found.groups() if group is not None).strip()
        # A comma or full stop inside the quotes belongs to the sentence only at its very end.
        parts = tuple(part for part in _GAP.split(text) if part)
        if not parts:
            continue
        literals.append(Literal(text, parts))
        bare[found.start() : found.end()] = " " * (found.end() - found.start())
    return tuple(dict.fromkeys(literals)), "".join(bare)


def _levels(bare: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found: dict[str, str] = {}

    def note(word: str | None) -> None:
        name = (canonical_level(word) or LEVEL_LETTERS.get(word, "")) if word else ""
        if word and name:
            found.setdefault(name, word)

    for pattern in _LEVEL_CONTEXTS:
        for match in pattern.finditer(bare):
            note(match["w"])
    for match in _BARE_LEVEL.finditer(bare):
        note(match.group())
    for match in re.finditer(r"\[([A-Za-z]+)\]", bare):
        note(match.group(1))
    for match in _PLURAL_LEVEL.finditer(bare):
        note(match["w"].rstrip("s"))
    return tuple(found), tuple(found.values())


def _identifiers(bare: str) -> tuple[tuple[str, ...], str]:
    found: list[tuple[int, str]] = []
    rest = bare
    for pattern in _IDENTIFIERS:
        for match in pattern.finditer(rest):
            text = match.group().rstrip(".,:;!?")
            if not text or _ORDINAL.match(text) or canonical_level(text):
                continue
            found.append((match.start(), text))
            rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]
    return tuple(dict.fromkeys(text for _, text in sorted(found))), rest


def _known_phrases(rest: str) -> tuple[tuple[str, ...], str]:
    """Terms of several words that the glossary knows ("emergency stop"), and what is left."""
    found: list[str] = []
    for phrase in load_glossary().english_phrases:
        pattern = re.compile(rf"\b{re.escape(phrase)}s?\b", re.IGNORECASE)
        if pattern.search(rest):
            found.append(phrase)
            rest = pattern.sub(" ", rest)
    return tuple(found), rest


def _is_name(name: str, level_words: Sequence[str]) -> bool:
    return name not in level_words and not canonical_level(name) and name not in ("RDD", "IDs")


def _chinese(rest: str) -> tuple[str, ...]:
    runs: list[str] = []
    for run in _CJK.findall(rest):
        runs += [part for part in strip_function_words(run) if len(part) > 1]
    return tuple(dict.fromkeys(runs))


def strip_function_words(text: str) -> list[str]:
    """What is left of Chinese text between its function words and question words, in order.

    Words of the glossary stay whole, also where a function word is part of them (会话 holds 会).
    """
    known = [word for word in load_glossary().chinese_words_in(text) if len(word) > 1]
    if not known:
        return _STOP_ZH_PATTERN.sub(" ", text).split()
    pieces = re.split("(" + "|".join(map(re.escape, known)) + ")", text)
    parts: list[str] = []
    for piece in pieces:
        parts += [piece] if piece in known else _STOP_ZH_PATTERN.sub(" ", piece).split()
    return parts


@lru_cache(maxsize=1_024)
def word_pattern(word: str) -> str:
    """A regular expression for a word in any of its forms, also inside CamelCase names.

    To be used case-sensitively: the expression ignores case where that is right.
    """
    if not word.isascii():
        return re.escape(word)
    root = stem(word.lower())
    source = r"[\s_-]?".join(re.escape(part) for part in root.split())
    if len(root) <= 3:
        return rf"(?<![A-Za-z])(?i:{source})(?:s|es|ed)?(?![a-z])"
    camel = re.escape(root[0].upper() + root[1:]) if " " not in root else source
    return rf"(?<![A-Za-z])(?i:{source})|(?<=[a-z0-9]){camel}"


def stem(word: str) -> str:
    """Cut the commonest English endings; never below three letters."""
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in ("ations", "ation", "ings", "ing", "ions", "ion", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            cut = word[: -len(ending)]
            if len(cut) > 4 and cut[-1] == cut[-2] and cut[-1] not in "ls":
                cut = cut[:-1]
            return cut
    return word
