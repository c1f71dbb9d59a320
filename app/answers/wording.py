"""How computed answers are said, in the question's language; log text stays as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from app.stream.records import Record

QUOTE_CHARS = 360
"""Most characters of a line quoted inside an answer."""

_SENTENCES: dict[str, tuple[str, str]] = {
    "count": (
        "Counted: {n} of {total} lines match {what}{when}.",
        "经统计，{total} 行中有 {n} 行符合 {what}{when}。",
    ),
    "count_all": ("Counted: {n} lines{when}.", "经统计，共有 {n} 行{when}。"),
    "count_each": ("{what}: {n} lines", "{what}：{n} 行"),
    "more_of": ("; more often: {what}.", "；更多的是 {what}。"),
    "distinct": (
        "Counted: {n} different values of {name} in {lines} lines{when}{list}.",
        "经统计，{lines} 行中有 {n} 个不同的 {name}{when}{list}。",
    ),
    "first": (
        "The first of {n} lines that match {what}{when} is line {line}{at}: “{text}”",
        "符合 {what}{when}的 {n} 行中，第一条在第 {line} 行{at}：“{text}”",
    ),
    "last": (
        "The last of {n} lines that match {what}{when} is line {line}{at}: “{text}”",
        "符合 {what}{when}的 {n} 行中，最后一条在第 {line} 行{at}：“{text}”",
    ),
    "at": (", written at {time}", "，时间为 {time}"),
    "file_order": (
        " The file is not in time order; by line order it is line {line}{at}.",
        "文件没有按时间排序；按行的顺序则是第 {line} 行{at}。",
    ),
    "value": ("{name}: {value}.", "{name}：{value}。"),
    "rank": (
        "Counted: {value} occurs most often: in {n} of {lines} lines{when}.",
        "经统计，出现最多的是 {value}（{lines} 行中的 {n} 行）{when}。",
    ),
    "rank_least": (
        "Counted: {value} occurs least often: in {n} of {lines} lines{when}.",
        "经统计，出现最少的是 {value}（{lines} 行中的 {n} 行）{when}。",
    ),
    "rank_tie": (
        "Counted: {value} occur equally often: each in {n} of {lines} lines{when}.",
        "经统计，{value} 出现次数相同（{lines} 行中各有 {n} 行）{when}。",
    ),
    "rank_top": (
        "Counted in {lines} lines{when}: {list}.",
        "在 {lines} 行中统计{when}：{list}。",
    ),
    "largest": (
        "The largest value of {name} is {value}, in line {line}{at}: “{text}”",
        "{name} 的最大值是 {value}，在第 {line} 行{at}：“{text}”",
    ),
    "smallest": (
        "The smallest value of {name} is {value}, in line {line}{at}: “{text}”",
        "{name} 的最小值是 {value}，在第 {line} 行{at}：“{text}”",
    ),
    "compared": (" (compared: {n} values)", "（比较了 {n} 个值）"),
    "rising": (
        "{name} goes up overall (rising): from {first} to {last}, over {n} values{when}.",
        "{name} 总体上升：从 {first} 升到 {last}，共 {n} 个值{when}。",
    ),
    "falling": (
        "{name} goes down overall (falling): from {first} to {last}, over {n} values{when}.",
        "{name} 总体下降：从 {first} 降到 {last}，共 {n} 个值{when}。",
    ),
    "flat": (
        "{name} is constant: unchanged at {first} in all {n} values{when}.",
        "{name} 一直不变：{n} 个值都是 {first}{when}。",
    ),
    "level": (
        "{name} fluctuates and ends where it began: {first} first, {last} last, over {n} values"
        "{when}.",
        "{name} 有波动，首尾相同：最初 {first}，最后 {last}，共 {n} 个值{when}。",
    ),
    "steadily_up": (" It never drops on the way.", "其间从未变小。"),
    "steadily_down": (" It never grows on the way.", "其间从未变大。"),
    "range": (" Smallest {low}, largest {high}.", "最小 {low}，最大 {high}。"),
    "per_bucket": ("Counted per {unit}: {list}", "按{unit}统计：{list}"),
    "counts_rising": (" — the number is rising (it goes up).", "，数量上升。"),
    "counts_falling": (" — the number is falling (it goes down).", "，数量下降。"),
    "counts_flat": (" — the number stays constant.", "，数量保持不变。"),
    "highest": (" Highest: {label} ({n}).", "最多：{label}（{n} 行）。"),
    "counts_mixed": (
        " — the number fluctuates, with no clear direction.",
        "，数量有波动，没有明显方向。",
    ),
    "span": (
        "From {start} to {end}: {duration}.",
        "从 {start} 到 {end}：{duration}。",
    ),
    "yes": (
        "Yes: {n} lines match {what}{when}; the first is line {line}{at}: “{text}”",
        "有：{n} 行符合 {what}{when}；第一条在第 {line} 行{at}：“{text}”",
    ),
    "quote": ("Line {line}{at}: “{text}”", "第 {line} 行{at}：“{text}”"),
    "all_lines": ("all lines", "所有行"),
    "line_values": (
        "All {n} matching lines say the same.",
        "符合的 {n} 行都一样。",
    ),
    "overview": (
        "{total} lines{span}.",
        "共 {total} 行{span}。",
    ),
    "span_of": (", from {start} to {end}", "，从 {start} 到 {end}"),
    "components": ("Mostly written by {list}.", "主要由 {list} 写入。"),
    "frequent": ("Most frequent: {list}.", "最常见的内容：{list}。"),
    "troubles": ("Errors and warnings: {list}.", "错误和警告：{list}。"),
    "no_troubles": ("No line is marked as an error or a warning.", "没有标为错误或警告的行。"),
    "notable": ("Also: {list}.", "另外：{list}。"),
    "times": ("{text} ({n} lines)", "{text}（{n} 行）"),
    "nothing": (
        "The log ({total} lines{span}) contains no {what}.",
        "日志（共 {total} 行{span}）中没有 {what}。",
    ),
    "nothing_when": (
        "The log ({total} lines{span}) contains no line {when}.",
        "日志（共 {total} 行{span}）中{when}没有任何行。",
    ),
    "nothing_supports": (
        "The log ({total} lines{span}) contains nothing that answers this.",
        "日志（共 {total} 行{span}）中没有能回答这个问题的内容。",
    ),
    "searched": ("Searched for: {list}.", "已搜索：{list}。"),
    "empty": ("The log is empty.", "日志是空的。"),
    "hour": ("hour", "小时"),
    "day": ("day", "天"),
    "minute": ("minute", "分钟"),
    "second": ("second", "秒"),
    "values": ("The value", "该数值"),
    "the_number": ("the number", "数值"),
}  # fmt: skip


def say(language: str, key: str, **values: object) -> str:
    """A sentence in a language, ``en`` or ``zh``."""
    return _SENTENCES[key][1 if language == "zh" else 0].format(**values)


def number(amount: int) -> str:
    """A count with separators for thousands."""
    return f"{amount:,}"


def join(language: str, parts: Sequence[str]) -> str:
    """A list in a sentence."""
    return ("、" if language == "zh" else ", ").join(parts)


_DATE_IN_RAW = re.compile(r"[A-Za-z]{3,}|\d{1,4}[-/.年]\d{1,2}|(?<!\d)\d{6}(?!\d)|\d{8}")
_YEAR_FIRST = re.compile(
    r"(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)\d{8}|(?<!\d)(?:\d{6}|\d{12})(?!\d)|\d{2}[/.-]\d{2}[/.-]\d{2}(?!\d)"
)
_PLAIN = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}")


def when(record: Record, language: str) -> str:
    """A line's time: as the line writes it, and in a common form where that differs.

    What the log does not write (a year, a date) is not made up.
    """
    raw = record.raw_time.strip()
    if record.time_s is None:
        return raw
    plain = common_time(record.time_s, raw, language)
    if not raw:
        return plain
    if _PLAIN.fullmatch(raw):
        return raw
    if _PLAIN.match(raw):
        # A fraction or an offset follows: the clock alone reads better beside it.
        plain = plain.split(" ")[-1]
    return raw if plain == raw else f"{raw} ({plain})"


def writes_year(record: Record) -> bool:
    """Whether the line's own time has a year."""
    raw = record.raw_time
    return bool(_YEAR_FIRST.search(raw)) or (raw.isdigit() and len(raw) >= 9)


def common_time(time_s: float, raw: str, language: str) -> str:
    """Year, month, day and clock, to the second, as far as the raw time has them."""
    moment = datetime.fromtimestamp(int(time_s + 1e-6), UTC)
    clock = moment.strftime("%H:%M:%S")
    if raw.isdigit() and len(raw) >= 9 and not raw.startswith(("19", "20")):
        return moment.strftime("%Y-%m-%d ") + clock
    if _YEAR_FIRST.search(raw):
        return moment.strftime("%Y-%m-%d ") + clock
    if _DATE_IN_RAW.search(raw):
        if language == "zh":
            return f"{moment.month}月{moment.day}日 {clock}"
        return f"{moment.strftime('%b')} {moment.day} {clock}"
    return clock


def shown(text: str, around: str = "") -> str:
    """A line's text for quoting: cut around a value where it is long."""
    text = text.strip()
    if len(text) <= QUOTE_CHARS:
        return text
    at = text.find(around) if around else -1
    if at <= QUOTE_CHARS - len(around) - 10:
        return text[:QUOTE_CHARS] + " …"
    start = max(0, at - QUOTE_CHARS // 2)
    return "… " + text[start : start + QUOTE_CHARS] + " …"


def duration(seconds: float, language: str) -> str:
    """A length of time in hours, minutes and seconds, and in seconds alone."""
    whole = f"{seconds:.3f}".rstrip("0").rstrip(".")
    hours, rest = divmod(seconds, 3_600)
    minutes, left = divmod(rest, 60)
    left_text = f"{left:.3f}".rstrip("0").rstrip(".")
    if seconds < 60:
        return f"{whole} 秒" if language == "zh" else f"{whole} seconds"
    if language == "zh":
        long = f"{int(hours)} 小时 " if hours else ""
        return f"{long}{int(minutes)} 分 {left_text} 秒（{whole} 秒）"
    long = f"{int(hours)} h " if hours else ""
    return f"{long}{int(minutes)} min {left_text} s ({whole} seconds)"
