"""What a question wants: counted, ranked, timed, compared, extracted, summed up. Rules first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.answers.targets import Target, find_targets
from app.answers.terms import STOP_WORDS, Terms, read_terms


class Kind(StrEnum):
    """What is asked."""

    EXTRACT = "extract"
    COUNT = "count"
    DISTINCT = "distinct"
    FIRST = "first"
    LAST = "last"
    SPAN = "span"
    """First and last together."""
    RANK = "rank"
    EXTREME = "extreme"
    """The largest or smallest number."""
    TREND = "trend"
    INTERVAL = "interval"
    PRESENT = "present"
    """Whether there is any."""
    SUMMARY = "summary"
    EXPLAIN = "explain"


@dataclass(frozen=True, slots=True)
class Intent:
    """A question understood by rules.

    Attributes:
        kind: what is asked first of all.
        terms: what it names.
        targets: the values asked for, the most important first.
        least: whether the rarest, smallest or lowest is wanted rather than the other end.
        begins_with: whether quoted text must stand at the beginning of the message.
        ends_with: the same for its end.
        by_clock: whether the question insists on time stamps rather than on the order of lines.
        after_literal: whether the value right behind the quoted text is asked for.
        of_counts: for a trend: whether numbers of lines are compared rather than a value in them.
        wants_time: whether a date or a time is asked for.
        wants_number: whether a number is asked for ("how many", "多少").
        top: how many of a ranking are wanted.
        ignore_ports: whether addresses are told apart by host only.
        excluded: whether lines *without* the quoted text are meant.
    """

    kind: Kind
    terms: Terms
    targets: tuple[Target, ...] = ()
    least: bool = False
    begins_with: bool = False
    ends_with: bool = False
    by_clock: bool = False
    after_literal: bool = False
    of_counts: bool = False
    wants_time: bool = False
    wants_number: bool = False
    top: int = 1
    ignore_ports: bool = True
    excluded: bool = False
    compares: bool = False
    unit: str = ""
    """The unit a number is asked in, as logs write it: ``ms`` for "how many milliseconds"."""
    options: tuple[str, ...] = ()
    """Two words between which the question asks to choose ("KERNEL or APP")."""

    @property
    def language(self) -> str:
        """Language of the question, ``en`` or ``zh``."""
        return self.terms.language


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SUMMARY = _words(
    r"\b(?:what(?:'s| is| was) (?:going on|happening|(?:mostly |mainly )?being\b)|overview|summar|"
    r"sum up|in short|briefly|what happened|main(?:ly)? (?:activit|doing|about)|"
    r"(?:what|which) kinds? of (?:trouble|problem|error|issue|activity|event|work|fault)|"
    r"what(?:'s| is| was| are| were| has| have) (?:\w+ ){1,8}?(?:doing|about|complain)|"
    r"give (?:me )?an? (?:\w+ )?(?:idea|picture|account|description)|describe|"
    r"in (?:one|two|a|a few|one or two|two or three) (?:short )?(?:sentence|word|line)s?|"
    r"what does (?:this|the) (?:log|file|system|host|machine) (?:show|record|tell|do|contain))|"
    r"总结|概括|概述|概况|摘要|主要(?:发生|记录|内容|在|是|讲|做|写|反映|描述)|"
    r"发生了(?:些)?什么|什么情况|"
    r"简述|简要|简单(?:说|描述|介绍)|大致|总体(?:上)?(?:情况|在)|整体情况|哪类(?:问题|故障|麻烦)|"
    r"什么(?:样的)?(?:问题|麻烦)|在(?:干|做|忙)什么|一两句|几句话|一句话|两句话"
)
_EXPLAIN = _words(
    r"\bwhy\b|\bwhat (?:caused|causes|led to|made|triggered)\b|\b(?:root )?cause of\b|"
    r"\bfor what reason\b|\breason (?:for|why|given|of)\b|"
    r"为什么|为何|为啥|什么原因|原因(?:是|何在)|怎么(?:会|回事)|导致|起因|根因"
)
_TREND = _words(
    r"\bfrom (?:what|which)\b.{0,30}\bto (?:what|which)\b|\bhow (?:does|do|did|has) .{3,60} "
    r"(?:change|develop|evolve)"
    r"|\btrend|\bris(?:e|es|ing|en)\b|\brose\b|"
    r"\bfall(?:s|ing|en)?\b(?! (?:in|into|within|on|between|under|due|back|over)\b)|\bfell\b|"
    r"\bincreas|\bdecreas|"
    r"\b(?:go|goes|going|went|gone|move[sd]?|moving|drift(?:s|ed|ing)?|climb(?:s|ed|ing)?) "
    r"(?:mostly |steadily |generally |overall )?(?:up|down|higher|lower)|\bclimb|\bgrow(?:s|n|"
    r"ing)?\b|\bgrew\b|"
    r"\bshr(?:i|a|u)nk|\bdeclin|\bstuck\b|\bconstant\b|\bunchanged\b|\bsteady\b|\bsteadily\b|"
    r"\bflat\b|"
    r"\bchang(?:e|es|ed|ing)\b.{0,40}\b(?:or|over|through|stay|remain|constant)|\bup or down\b|"
    r"\b(?:stay|remain)(?:s|ed|ing)?\b.{0,30}\b(?:same|constant|flat|fixed|or)|\bfluctuat|"
    r"\bvar(?:y|ies)\b|"
    r"\bget(?:s|ting)? (?:more|less|better|worse|higher|lower|bigger|smaller|faster|slower)|"
    r"从多少(?:变|升|降|增|减|到)|上升|下降|升高|降低|走高|走低|趋势|恒定|卡住|波动|增长|递增|"
    r"递减|上涨|下跌|越来越|变大|变小|"
    r"不变|有没有变化|是否变化|在变化|有变化|变化(?:吗|趋势|情况|如何|了)|怎么变化|如何变化|"
    r"(?:是|在)?(?:增加|减少|变多|变少)(?:还是|了吗|吗|或)|还是(?:增加|减少|变多|变少|上升|下降)"
)
_NOT_TREND = _words(r"\bwho\b.{0,40}\bchanged\b")
_MOST = _words(
    r"\b(?:most|least) (?:often|frequent|frequently|common|commonly|numerous|active|busy|talkative|"
    r"lines?|times?|errors?|warnings?|entries|messages|events?|records|failures?|\w+s)\b|"
    r"\bmost\b(?! recent)|"
    r"\bmore (?:\w+ )?(?:often |frequently |lines? )?than any\b|\b(?:top|busiest|commonest|"
    r"dominant|noisiest)\b|"
    r"\b(?:largest|highest|greatest|biggest|smallest|lowest|fewest) (?:number|count|share|"
    r"amount) of (?:the )?"
    r"(?:\w+ )?(?:lines|messages|entries|records|errors|warnings|events|requests|alarms|"
    r"failures|attempts)|"
    r"\b(?:wrote|logged|has|have|had|produced|with) more (?:\w+ )?(?:lines|messages|entries|"
    r"errors|warnings|alarms)|"
    r"\bfewest\b|\bleast (?:often|frequent)|\bdominat|\brank\b|\bmainly from\b|"
    r"最多|最常|最频繁|频率最高|次数最高|最少(?:的|出现)?|排名|排行|"
    r"前[一二三四五六七八九十\d]+(?:名|位|个)|最活跃|占比最"
)
_FEWEST = _words(
    r"\bleast\b|\bfewest\b|\brarest\b|(?:smallest|lowest) (?:number|count)|最少|最罕见"
)
_EXTREME = _words(
    r"\b(?:largest|biggest|highest|greatest|maximum|maximal|max|longest|slowest|peak|hottest|"
    r"smallest|lowest|minimum|minimal|min|shortest|fastest|quickest|coldest)\b|"
    r"最大|最小|最高|最低|最长|最短|最慢|最快|峰值|极值"
)
_SMALLEST = _words(
    r"\b(?:smallest|lowest|minim\w+|min|shortest|fastest|quickest|coldest)\b|最小|最低|最短|最快"
)
_COUNT = _words(
    r"\bhow many\b|\bhow often\b|\b(?:the )?(?:total )?number of\b|\bcount (?:of|the|how|all)\b|"
    r"^\s*count\b|\bhow frequent|\btotal count\b|"
    r"多少(?:\s*)(?:行|条|次|个|种|台|遍|回|处|名|位|人|日志|记录|错误|警告)|几(?:行|条|次|个|"
    r"种|遍|回|台)(?!点)|"
    r"(?:行数|条数|次数|数量|总数|个数)(?:是|有|为)?多少|"
    r"(?:行|条|次|日志|记录)\s*(?:一共|总共|共)?有多少|多少(?:\S{0,6})(?:行|条|次)|数一数|统计"
)
_DISTINCT = _words(
    r"\bhow many (?:different|distinct|unique|separate|various)\b|\bnumber of (?:different|"
    r"distinct|unique)\b|"
    r"多少(?:个|种|台)?不同|几(?:个|种|台)不同|多少种|几种|不同的\S{0,8}(?:有|共)(?:多少|几)|去重"
)
_FIRST = _words(
    r"\bfirst\b|\bearliest\b|\binitial(?:ly)?\b|\boldest\b|\bbegin(?:s|ning)?\b(?! with)|\bbegan\b|"
    r"第一(?:次|条|个|行|回)|首次|首条|首个|最早|最先|最初|头一(?:次|条)|一开始"
)
_LAST = _words(
    r"\b(?:very )?last\b|\blatest\b|\bfinal(?:ly)?\b|\bmost recent(?:ly)?\b|\bnewest\b|"
    r"最后|最晚|最近一|最新|最终|末次|末条"
)
_PRESENT = _words(
    r"^\s*(?:is|are|was|were|did|does|do|has|have|had|can)\b(?!.*\b(?:how many|which|what|when|"
    r"who|where)\b)|"
    r"\b(?:is|are|was|were) there any\b|\bany (?:sign|trace|evidence|record|mention)|"
    r"有没有|是否|有无|(?:存在|有|出现过|发生过|包含|提到).*吗|能否"
)
_INTERVAL = _words(
    r"\bhow long\b|\bhow much time\b|\btime (?:elapsed|passed|lies|lay|was there) between\b|"
    r"\bseconds? (?:pass|elapse|lie)|"
    r"\b(?:elapsed|interval|gap|duration) between\b|多久|多长时间|间隔(?:了)?多|相隔|相差多|"
    r"历时|隔了"
)
_BEGINS = _words(
    r"\b(?:begin(?:s|ning)?|start(?:s|ing)?|open(?:s|ing)?) with\b|\bat the (?:start|beginning) "
    r"of (?:the|its|their) message|"
    r"以\s*(?:开头|开始|起始|打头)|开头(?:是|为)|以.{0,6}(?:开头|开始|打头)"
)
_ENDS = _words(r"\bend(?:s|ing)? (?:with|in)\b|以\s*(?:结尾|结束|收尾)|结尾(?:是|为)")
_BY_CLOCK = _words(
    r"\btime ?stamps?\b|\bnot (?:in|sorted by|ordered by) time|\btime order|\bchronolog|\bout "
    r"of order|"
    r"\bearliest\b|\bby (?:the )?(?:time|clock)\b|时间戳|按时间|时间顺序|时间先后|最早|最晚"
)
_AFTER_LITERAL = _words(
    r"\bfollow(?:s|ing|ed)?\b|\bafter\b(?! (?:that|which|this))|\bbehind\b|\bnext to\b|\bcomes? "
    r"after\b|"
    r"后面的?|之后的|后边的?|后跟|跟着|紧跟|紧接"
)
_LINES_COUNTED = _words(
    r"\b(?:number|count|amount|rate|frequency|volume|share) of (?:the )?(?:\S+ ){0,4}?(?:lines?|"
    r"messages?|entries|records|"
    r"errors?|warnings?|alarms?|events?|occurrences?|failures?|requests?|logins?|attempts?)\b|"
    r"\bhow (?:many|often)\b|\bper (?:hour|minute|day)\b|\bmore (?:or less )?(?:frequent|often)\b|"
    r"(?:行数|条数|次数|数量|频率|频次)|多少(?:行|条|次)|每(?:小时|分钟|天|日)"
)
_TIME_ASKED = _words(
    r"\bwhen\b|\bat (?:what|which) (?:time|hour|moment)|\bon (?:what|which) (?:date|day)|\bwhat "
    r"time\b|\bwhat date\b|"
    r"\bdate and (?:the )?time\b|\btime ?stamp\b|\bwhich (?:day|hour|minute|date)\b|"
    r"什么时[候间]|何时|几点|几时|几月|几号|哪(?:一)?天|哪(?:一)?(?:日|个小时|个时段)|时间是|日期"
)
_NUMBER_ASKED = _words(r"\bhow (?:many|much|often|large|big|long|fast|high)\b|\bnumber\b|多少|几")
_COMPARE = _words(
    r"\bcompare\b|\bversus\b|\bvs\b|\b(?:which|what|who)\b.{0,60}\bmore (?:\w+ )?(?:lines|"
    r"messages|entries|errors|warnings|alarms)|"
    r"\bmore\b.{0,60}\bthan\b|\b(?:higher|lower|fewer|less)\b.{0,60}\bthan\b|\bmore (?:often|"
    r"frequent|lines|common)\b|\b(?:which|what) (?:of the two|is more)\b|"
    r"哪个(?:更)?多|更多|更频繁|相比|对比|比较"
)
_EXCLUDED = _words(
    r"\b(?:do|does|did) not (?:contain|mention|include|have)|\bwithout (?:the )?(?:text|word|"
    r"phrase|string)\b|"
    r"\b(?:don't|doesn't) (?:contain|mention|include)|不含|不包含|没有包含|未包含"
)
_TOP = _words(
    r"\btop (\d{1,2}|two|three|five|ten)\b|前\s*(\d{1,2}|[二两三四五十])\s*(?:名|位|个|种|条)"
)
_PORTS_MATTER = _words(
    r"\b(?:address|ip|host) and port\b|\bwith (?:its|the) port\b|地址和端口|含端口|host:port"
)
_SMALL_NUMBERS = {
    "two": 2, "three": 3, "five": 5, "ten": 10,
    "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "十": 10,
}  # fmt: skip


def read_intent(question: str, sources: Sequence[str] = ()) -> Intent:
    """Understand a question by rules.

    Arguments:
        sources: names of the open logs.
    """
    terms = read_terms(question, sources)
    bare = terms.bare
    kind = _kind(bare, terms)
    targets = find_targets(bare, terms.language)
    top = 1
    if (found := _TOP.search(bare)) is not None:
        word = (found.group(1) or found.group(2)).lower()
        top = int(word) if word.isdigit() else _SMALL_NUMBERS.get(word, 1)
    return Intent(
        kind=kind,
        terms=terms,
        targets=targets,
        least=bool((_SMALLEST if kind is Kind.EXTREME else _FEWEST).search(bare)),
        begins_with=bool(terms.literals) and bool(_BEGINS.search(bare)),
        ends_with=bool(_ENDS.search(bare)),
        by_clock=bool(_BY_CLOCK.search(bare)),
        after_literal=bool(terms.literals) and bool(_AFTER_LITERAL.search(bare)),
        of_counts=kind is Kind.TREND
        and not any(target.counted for target in targets)
        and (bool(_LINES_COUNTED.search(bare)) or _compares_times(bare, terms)),
        wants_time=bool(_TIME_ASKED.search(bare)),
        wants_number=bool(_NUMBER_ASKED.search(bare)),
        top=top,
        ignore_ports=not _PORTS_MATTER.search(bare),
        excluded=bool(_EXCLUDED.search(bare)),
        compares=bool(_COMPARE.search(bare)),
        unit=_unit(bare),
        options=_options(bare) if _COMPARE.search(bare) else (),
    )


def _kind(bare: str, terms: Terms) -> Kind:
    """The first rule that fits; the order settles questions that ask for several things."""
    first, last = _FIRST.search(bare) is not None, _LAST.search(bare) is not None
    counted = _COUNT.search(bare) is not None
    trend = _TREND.search(bare) is not None and _NOT_TREND.search(bare) is None
    summary = _SUMMARY.search(bare) is not None and not terms.literals and not counted
    rules = (
        (Kind.SUMMARY, summary and (not _ranked(bare) or "doing" in bare)),
        (Kind.DISTINCT, _DISTINCT.search(bare) is not None),
        (Kind.TREND, trend or _compares_times(bare, terms)),
        (Kind.RANK, _ranked(bare) or (bool(_options(bare)) and bool(_COMPARE.search(bare)))),
        (Kind.EXTREME, _EXTREME.search(bare) is not None),
        (Kind.INTERVAL, _INTERVAL.search(bare) is not None),
        (Kind.SPAN, first and last),
        (Kind.LAST, last),
        (Kind.FIRST, first),
        (Kind.COUNT, counted),
        (Kind.EXPLAIN, _EXPLAIN.search(bare) is not None),
        (Kind.PRESENT, _PRESENT.search(bare) is not None),
    )
    return next((kind for kind, fits in rules if fits), Kind.EXTRACT)


def _compares_times(bare: str, terms: Terms) -> bool:
    """Whether numbers of lines at several times are set against each other."""
    return len(terms.windows) > 1 and _COMPARE.search(bare) is not None


_OPTIONS = (
    re.compile(r"\b(?P<a>[A-Za-z][\w.$-]*),? (?:or|and|versus|vs\.?) (?P<b>[A-Za-z][\w.$-]*\w)"),
    re.compile(r"(?P<a>[A-Za-z][\w.$-]*)\s*(?:和|与|还是|或|跟)\s*(?P<b>[A-Za-z][\w.$-]*)"),
)


_UNITS = (
    ("ms", re.compile(r"\b(?:in|many) (?:ms|milliseconds?)\b|毫秒", re.IGNORECASE)),
    ("bytes", re.compile(r"\b(?:in|many) bytes?\b|多少字节", re.IGNORECASE)),
    ("KB", re.compile(r"\b(?:in|many) (?:KB|kilobytes?)\b|多少\s*KB", re.IGNORECASE)),
    ("MB", re.compile(r"\b(?:in|many) (?:MB|megabytes?)\b|多少\s*(?:MB|兆)", re.IGNORECASE)),
    ("GB", re.compile(r"\b(?:in|many) (?:GB|gigabytes?)\b|多少\s*GB", re.IGNORECASE)),
    ("%", re.compile(r"\b(?:percent|percentage)\b|百分", re.IGNORECASE)),
)


def _unit(bare: str) -> str:
    return next((unit for unit, pattern in _UNITS if pattern.search(bare)), "")


def _options(bare: str) -> tuple[str, ...]:
    for pattern in _OPTIONS:
        for found in pattern.finditer(bare):
            words = (found["a"], found["b"])
            if not any(word.lower() in STOP_WORDS for word in words):
                return words
    return ()


def _ranked(bare: str) -> bool:
    return _MOST.search(bare) is not None
