"""Lines worth reading for a question, within a budget of tokens, in the log's order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from app.answers.facts import Fact, Work
from app.answers.intent import Kind
from app.answers.support import Support
from app.answers.view import Indices
from app.stream.digest_text import estimate_tokens
from app.stream.records import Record, Severity

_CANDIDATES = 400
_PER_TEMPLATE = 3
_PER_TEMPLATE_SUMMARY = 1
_LINE_CHARS = 320
_CAUSE_LINES = 300
"""How far back causes of an event are looked for."""
TROUBLE = re.compile(
    r"(?<![A-Za-z])(?:fail|error|exception|denied|refus|time[ds]?[ -]?out|invalid|cannot|can't|"
    r"unable|lost|broken|"
    r"abort|abnormal|crash|panic|fatal|corrupt|unrecognized|unreachable|overload|overheat|"
    r"overflow|reject|"
    r"violation|attack|break-in|forbidden|missing|not found|critical|warn|alarm|fault)|"
    r"故障|错误|失败|异常|报警|告警|警告|超时|超限|断开|丢失|急停|过载|过热|停机|拒绝|无法",
    re.IGNORECASE,
)
_ASKS_TROUBLE = re.compile(
    r"\b(?:error|wrong|problem|trouble|fail|issue|why|fault|alarm|warn|stop|broken|bad|crash|"
    r"complain)|"
    r"故障|错误|问题|异常|报警|告警|失败|为什么|为何|停|原因|麻烦",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Lines for the model to read.

    Attributes:
        indices: store indices, ascending.
        labels: one label a line, ``[source:line]``.
        text: the labelled lines, each ended by a line feed.
        tokens: what the text costs.
    """

    indices: tuple[int, ...]
    labels: tuple[str, ...]
    text: str
    tokens: int


def gather_evidence(
    work: Work,
    support: Support,
    facts: Iterable[Fact] = (),
    *,
    budget_tokens: int = 300,
    count_tokens: Callable[[str], int] | None = None,
) -> Evidence:
    """Pick lines by what they match, rare words first, few of one template.

    Arguments:
        facts: computed facts, whose lines come first.
        budget_tokens: most tokens of the text.
        count_tokens: how many tokens a text has; a rule of thumb where not given.
    """
    counter = count_tokens if count_tokens is not None else estimate_tokens
    per_template = _PER_TEMPLATE_SUMMARY if work.intent.kind is Kind.SUMMARY else _PER_TEMPLATE
    taken: list[int] = []
    used: dict[int, int] = {}
    spent = 0
    templates = work.lines.template_ids
    for index in candidates(work, support, facts):
        if index in taken:
            continue
        template = int(templates[index])
        if template >= 0 and used.get(template, 0) >= per_template:
            continue
        cost = counter(labelled(work.lines.record(index)))
        if spent + cost > budget_tokens:
            if spent > 0.8 * budget_tokens:
                break
            continue
        taken.append(index)
        used[template] = used.get(template, 0) + 1
        spent += cost
    taken.sort()
    records = [work.lines.record(index) for index in taken]
    text = "".join(labelled(record) for record in records)
    return Evidence(tuple(taken), tuple(label(record) for record in records), text, spent)


def label(record: Record) -> str:
    """What a line is called in evidence."""
    return f"[{record.source}:{record.number}]"


def labelled(record: Record) -> str:
    """A line as evidence shows it."""
    text = record.text.strip()
    if len(text) > _LINE_CHARS:
        text = text[:_LINE_CHARS] + " …"
    return f"{label(record)} {text}\n"


def candidates(work: Work, support: Support, facts: Iterable[Fact]) -> list[int]:
    """Indices of lines in order of worth, most of them useful; duplicates possible."""
    found: list[int] = []
    for fact in facts:
        found += fact.lines
    kind = work.intent.kind
    if not work.chosen.unfiltered:
        found += _ends_first(_rarest(work.chosen.indices, support))
    if support.total > 0:
        found += _by_score(work, support)
    if kind is Kind.EXPLAIN or _ASKS_TROUBLE.search(work.intent.terms.bare):
        found += _troubles(work, found[:1] if kind is Kind.EXPLAIN else [])
    if kind is Kind.SUMMARY or not found:
        found += _overview(work)
    return found


def _rarest(indices: Indices, support: Support) -> Indices:
    """The chosen lines, those that cover more of the question's other words first."""
    if len(indices) == 0:
        return indices
    scores = support.scores[indices]
    order = np.argsort(-scores, kind="stable")[:_CANDIDATES]
    best = scores[order[0]]
    if (scores == best).all():
        return indices
    return indices[order]


def _ends_first(indices: Indices) -> list[int]:
    """First, last, then the middle outwards: what a reader needs of many alike lines."""
    some: list[int] = indices.tolist()
    if len(some) <= 4:
        return some
    middle = some[1:-1]
    step = max(1, len(middle) // _CANDIDATES)
    return [some[0], some[-1], *middle[::step]]


def _by_score(work: Work, support: Support) -> list[int]:
    """Lines by weighted words; of equal lines, those in the chosen times and the latest first."""
    scores = support.scores
    if work.chosen.window_words and len(work.chosen.indices):
        inside = np.zeros(len(scores), dtype=np.float32)
        inside[work.chosen.indices] = 0.5
        scores = scores + inside
    found = np.flatnonzero(scores > 0.3 * scores.max()) if len(scores) else np.empty(0, np.int64)
    order = np.lexsort((-found, -scores[found]))[:_CANDIDATES]
    return [int(index) for index in found[order]]


def _troubles(work: Work, event: list[int]) -> list[int]:
    """Errors and warnings: before the event, nearest first; else the rarest templates first."""
    severe = work.lines.severe(Severity.WARNING)
    if event:
        before = severe[(severe <= event[0]) & (severe > event[0] - _CAUSE_LINES)]
        return [int(index) for index in before[::-1]]
    if work.chosen.window_words:
        severe = np.intersect1d(severe, work.chosen.indices)
    ids = work.lines.template_ids[severe]
    _, inverse, counts = np.unique(ids, return_inverse=True, return_counts=True)
    if len(severe) == 0:
        return []
    order = np.argsort(counts[inverse], kind="stable")[:_CANDIDATES]
    return [int(index) for index in severe[order]]


def _overview(work: Work) -> list[int]:
    """The first line of each template, the most frequent templates first."""
    indices = work.chosen.indices if len(work.chosen.indices) else work.lines.every
    ids = work.lines.template_ids[indices]
    _, first, counts = np.unique(ids, return_index=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_CANDIDATES]
    return [int(index) for index in indices[first[order]]]
