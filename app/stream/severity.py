"""How bad a line is, by simple rules: a level field first, words second; English and Chinese."""

from __future__ import annotations

import re

from app.stream.records import Severity

_LEVELS = {
    Severity.DEBUG: "trace verbose debug dbg fine finer finest 调试 跟踪",
    Severity.INFO: "info information informational inf log statement 信息",
    Severity.NOTICE: "notice note hint 提示 通知",
    Severity.WARNING: "warn warning wrn 警告 告警 预警 注意",
    Severity.ERROR: "error err severe fail alert alarm 错误 报警 故障 异常",
    Severity.CRITICAL: "fatal critical crit emerg emergency panic 严重 致命 紧急",
}
_BY_NAME = {name: level for level, names in _LEVELS.items() for name in names.split()}
_LETTERS = {
    "V": Severity.DEBUG,
    "D": Severity.DEBUG,
    "I": Severity.INFO,
    "W": Severity.WARNING,
    "E": Severity.ERROR,
    "F": Severity.CRITICAL,
}
# RFC 5424, table 2: the priority modulo 8.
_SYSLOG = (
    Severity.CRITICAL,
    Severity.CRITICAL,
    Severity.CRITICAL,
    Severity.ERROR,
    Severity.WARNING,
    Severity.NOTICE,
    Severity.INFO,
    Severity.DEBUG,
)

_HEADER_CHARS = 120
"""Where a level field may stand, from the line's beginning with its time taken out."""
_WORD_CHARS = 1024

_ENGLISH = "|".join(sorted((n for n in _BY_NAME if n.isascii()), key=len, reverse=True))
_CHINESE = "|".join(sorted((n for n in _BY_NAME if not n.isascii()), key=len, reverse=True))
_PRIORITY = re.compile(r"<(\d{1,3})>")
# level=warn, "severity": "ERROR", 级别：错误
_KEYED = re.compile(
    rf"(?:(?<![A-Za-z])(?:log_?)?(?:level|lvl|severity)|级别|等级)[\"']?\s*[=:：]\s*[\"']?"
    rf"({_ENGLISH}|{_CHINESE})(?![A-Za-z])",
    re.IGNORECASE,
)
# [error], [core:error], <Warning>, 【报警】
_BRACKETED = re.compile(rf"[\[<【](?:[\w.]+:)?\s?({_ENGLISH}|{_CHINESE})\s?[\]>】]", re.IGNORECASE)
_UPPER = re.compile(
    r"(?<![\w./=-])(TRACE|VERBOSE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|FATAL|CRITICAL|"
    r"CRIT|ALERT|ALARM|EMERG)(?![\w/=-]|\.\w)"
)
# Directly after the time, set apart by punctuation or two spaces: ", Info   CBS", "| warn |".
_FIRST = re.compile(
    rf"[\s,|:;\]\-]*({_ENGLISH}|{_CHINESE})(?:\s*[,|:：;\]]|\s{{2,}}|\s-\s)", re.IGNORECASE
)
# Android "1702  2395 D WindowManager:", "E/Tag( 12):"; klog's "E" before the time; "[W]", "|E|".
_LETTER = re.compile(
    r"^\s*(?:\S+\s+\S+\s+)?([VDIWEF])(?=\s+[\w.]+\s*(?:\(|:)|/\S)"
    r"|^([IWEF])(?=\s+\S+\s+\S+:\d+\]|\s+\S+\s+\S+:<\*>\])"
    r"|[\[|]([VDIWEF])[\]|]"
)
_JSON_NUMBER = re.compile(r'"level"\s*:\s*([1-6])0\b')
_JSON_LEVELS = (
    Severity.UNKNOWN,
    Severity.DEBUG,
    Severity.DEBUG,
    Severity.INFO,
    Severity.WARNING,
    Severity.ERROR,
    Severity.CRITICAL,
)

# --- words, where a line has no level field -----------------------------------------------------

_CRITICAL_WORDS = re.compile(
    r"\b(?:fatal|panic|segfault|segmentation fault|out of memory|oom-killer|"
    r"emergency[ -]stop(?:ped)?|e-?stop)\b|急停|紧急停|停机|停线|致命|严重(?:故障|错误|报警)",
    re.IGNORECASE,
)
_ERROR_WORDS = re.compile(
    r"\b(?:errors?|exceptions?|fault(?:ed|s)?|crash(?:ed)?|corrupt(?:ed|ion)?|aborted|"
    r"tripped|traceback)\b|\w(?:Exception|Error)(?=\s*:|$)|(?-i:\bALARM\b)|错误|出错|故障|报警|异常|崩溃",
    re.IGNORECASE,
)
_WARNING_WORDS = re.compile(
    r"\b(?:warn(?:ing)?s?|fail(?:ed|ure|ures|s|ing)?|timed out|time-?out(?!\s*[=:])|refused|"
    r"denied|rejected|unreachable|unable to|cannot|could not|overheat\w*|overload\w*|jam(?:med)?|"
    r"break-in|violation|illegal|expired|exceed(?:s|ed)?|alert)\b|"
    r"失败|超时|拒绝|警告|告警|预警|过热|过载|卡料|堵料|打滑|超限|丢失|断开",
    re.IGNORECASE,
)
_TROUBLE = (
    r"(?:errors?|exceptions?|warnings?|failures?|failed|fail|faults?|alarms?|alerts?|timeouts?)"
)
_NOTHING = r"(?:0+(?:\.0+)?%?(?![\w.%])|none\b|null\b|nil\b|no\b|false\b|off\b|ok\b|\"\"|'')"
# "0 errors", "no error found", "errors=0", "error_count: 0", 无故障, 0个错误, "file.error.log"
_DENIED = re.compile(
    rf"\b(?:no|zero|without|free of|clear(?:ed)?|reset|acknowledged?)\s+(?:\w+\s+)?{_TROUBLE}\b"
    rf"|(?<![\w.])0\s+(?:\w+\s+)?{_TROUBLE}\b"
    rf"|\b(?:\w+[_ .-])?{_TROUBLE}(?:[_ .-]?(?:count|cnt|rate|code|total|num))?[\"']?"
    rf"\s*[=:]\s*[\"']?{_NOTHING}"
    rf"|\b{_TROUBLE}\s+(?:was |were |is |are )?(?:corrected|recovered|cleared|resolved|reset|"
    rf"acknowledged|handled)\b"
    rf"|\b{_TROUBLE}[- ](?:free|logs?|logging|handlers?|reporting)\b"
    rf"|[/\\]\w*{_TROUBLE}\b|\b{_TROUBLE}\.(?:log|txt|py|c|h|js|go)\b"
    r"|(?:无|没有|未发现|未见|未检测到|解除|清除|复位|消除)[^\s，。,;；]{0,4}?"
    r"(?:错误|故障|报警|告警|警告|异常|失败|超时)"
    r"|(?<![\d.])0\s*(?:个|次|条|项)?\s*(?:错误|故障|报警|告警|警告|异常|失败|超时)"
    r"|(?:错误|故障|报警|告警|警告|异常|失败|超时)(?:数|次数|计数|码|代码)?\s*(?:[=:：]|为)?\s*0(?![\d.])"
    r"|(?:错误|故障|报警|告警|警告|异常|急停|停机)(?:信号)?(?:已)?(?:解除|清除|复位|消除|恢复|确认|排除)"
    r"|正常停机|计划停机",
    re.IGNORECASE,
)


def priority_severity(line: str) -> Severity | None:
    """Severity of a syslog priority at the very start of a line (``<34>``), if there is one."""
    match = _PRIORITY.match(line)
    if match is None or int(match[1]) > 191:
        return None
    return _SYSLOG[int(match[1]) % 8]


def severity_of(text: str) -> Severity:
    """Severity of a line whose time has been taken out.

    A level field decides; where there is none, words do, unless they say that all is well
    ("0 errors", "故障解除"). A line with neither is UNKNOWN.
    """
    level = _level_field(text)
    return level if level is not None else _by_words(text[:_WORD_CHARS])


def _level_field(text: str) -> Severity | None:
    header = text[:_HEADER_CHARS]
    match = _KEYED.search(text[:_WORD_CHARS])
    if match is not None:
        return _BY_NAME[match[1].lower()]
    number = _JSON_NUMBER.search(text[:_WORD_CHARS])
    if number is not None:
        return _JSON_LEVELS[int(number[1])]
    found = [_FIRST.match(header), _BRACKETED.search(header), _UPPER.search(header)]
    named = [match for match in found if match is not None and not _is_denied(header, match)]
    if named:
        earliest = min(named, key=lambda match: match.start(1))
        return _BY_NAME[earliest[1].lower()]
    letter = _LETTER.search(header)
    if letter is not None:
        return _LETTERS[next(group for group in letter.groups() if group)]
    return None


def _is_denied(text: str, match: re.Match[str]) -> bool:
    """Does the word stand in a sentence that says there is none of it?"""
    start, end = match.span(1)
    return any(denied.start() <= start and denied.end() >= end for denied in _DENIED.finditer(text))


def _by_words(text: str) -> Severity:
    if not _has_word(text):
        return Severity.UNKNOWN
    rest = _DENIED.sub(" ", text)
    if _CRITICAL_WORDS.search(rest):
        return Severity.CRITICAL
    if _ERROR_WORDS.search(rest):
        return Severity.ERROR
    if _WARNING_WORDS.search(rest):
        return Severity.WARNING
    return Severity.UNKNOWN


def _has_word(text: str) -> bool:
    return any(words.search(text) for words in (_CRITICAL_WORDS, _ERROR_WORDS, _WARNING_WORDS))
