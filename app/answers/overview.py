"""What is going on: how much, when, who writes, what recurs, what is wrong, what stands out."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from app.answers.abstention import log_span
from app.answers.evidence import TROUBLE
from app.answers.facts import Fact, Work
from app.answers.intent import Kind
from app.answers.view import Indices
from app.answers.wording import join, number, say, when
from app.stream.records import Severity

_SHOWN_CHARS = 110
_FREQUENT = 4
_TROUBLES = 4
_NOTABLE = 3
_WRITERS = 3
_LANDMARK = re.compile(
    r"\b(?:re)?boot(?:ed|ing)?\b|\brestart(?:ed|ing)?\b|\bshut(?:ting)? ?down\b|\bstart(?:ed|"
    r"ing|s|up)\b|"
    r"\bstopp(?:ed|ing)\b|\bversion\b|\bexit(?:ed|ing)\b|\binitializ|\bconnected\b|"
    r"启动|重启|停止|停机|关机|复位|急停|上电|断电",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Group:
    """Lines of one template."""

    template: int
    count: int
    first: int
    trouble: bool
    severity: int


def overview_fact(work: Work) -> Fact | None:
    """A computed overview of the chosen lines; None where there are none."""
    indices = work.chosen.indices
    if len(indices) == 0:
        return None
    language = work.language
    groups = _groups(work, indices)
    cited: list[int] = []
    sentences = [_extent(work, indices)]
    writers = _writers(work, indices)
    if writers:
        sentences.append(say(language, "components", list=join(language, writers)))
    frequent = sorted(groups, key=lambda group: -group.count)[:_FREQUENT]
    sentences.append(say(language, "frequent", list=_listed(work, frequent)))
    cited += [group.first for group in frequent]
    troubles = _troubles(groups, frequent)
    if troubles:
        sentences.append(say(language, "troubles", list=_listed(work, troubles)))
        cited += [group.first for group in troubles]
    elif not any(group.trouble for group in groups):
        sentences.append(say(language, "no_troubles"))
    notable = _landmarks(work, groups, {group.template for group in (*frequent, *troubles)})
    if notable:
        sentences.append(say(language, "notable", list=_listed(work, notable)))
        cited += [group.first for group in notable]
    separator = "" if language == "zh" else " "
    values = tuple(str(group.count) for group in (*frequent, *troubles))
    lines = tuple(dict.fromkeys(cited))
    return Fact(Kind.SUMMARY, separator.join(sentences), values, lines, len(indices), work.plan)


def _extent(work: Work, indices: Indices) -> str:
    times = work.lines.times_s[indices]
    span = ""
    if len(indices) == work.lines.kept:
        span = log_span(work)
    elif np.isfinite(times).any():
        start = work.lines.record(int(indices[int(np.nanargmin(times))]))
        end = work.lines.record(int(indices[int(np.nanargmax(times))]))
        span = say(
            work.language,
            "span_of",
            start=when(start, work.language),
            end=when(end, work.language),
        )
    return say(work.language, "overview", total=number(len(indices)), span=span)


def _groups(work: Work, indices: Indices) -> list[_Group]:
    ids = work.lines.template_ids[indices]
    unique, first, counts = np.unique(ids, return_index=True, return_counts=True)
    groups = []
    for template, at, count in zip(unique.tolist(), first.tolist(), counts.tolist(), strict=True):
        index = int(indices[at])
        record = work.lines.record(index)
        body = work.picker.layout.message(record)
        bad = record.severity >= Severity.WARNING or TROUBLE.search(body) is not None
        groups.append(_Group(template, count, index, bad, int(record.severity)))
    return groups


def _writers(work: Work, indices: Indices) -> list[str]:
    if not work.picker.layout.has_component:
        return []
    counted = work.picker.heads.count_components(indices)
    most = sorted(counted.items(), key=lambda item: -item[1])[:_WRITERS]
    return [say(work.language, "times", text=name, n=number(n)) for name, n in most]


def _troubles(groups: list[_Group], shown: list[_Group]) -> list[_Group]:
    """Errors and warnings that the frequent lines have not shown yet: worst, then commonest."""
    seen = {group.template for group in shown}
    bad = [group for group in groups if group.trouble and group.template not in seen]
    marked = [group for group in bad if group.severity >= Severity.WARNING]
    bad = marked or bad
    return sorted(bad, key=lambda group: (-group.severity, -group.count))[:_TROUBLES]


def _landmarks(work: Work, groups: list[_Group], seen: set[int]) -> list[_Group]:
    found = []
    for group in groups:
        if group.template in seen or group.count > 20:
            continue
        if _LANDMARK.search(work.picker.layout.message(work.lines.record(group.first))):
            found.append(group)
    found.sort(key=lambda group: group.first)
    return found[:_NOTABLE]


def _listed(work: Work, groups: list[_Group]) -> str:
    parts = []
    for group in groups:
        text = work.picker.layout.body(work.lines.record(group.first)).lstrip(" -:]|")
        if len(text) > _SHOWN_CHARS:
            text = text[:_SHOWN_CHARS].rstrip() + "…"
        parts.append(say(work.language, "times", text=f"“{text}”", n=number(group.count)))
    return join(work.language, parts)
