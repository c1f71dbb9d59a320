"""Answers without a model: the question understood by rules, the facts computed, or abstained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from app.answers.abstention import SURE_COVERAGE, Abstention, judge
from app.answers.evidence import Evidence, gather_evidence
from app.answers.facts import (
    CITED_LINES,
    Fact,
    Work,
    beside,
    count_fact,
    distinct_fact,
    edge_fact,
    interval_fact,
    present_fact,
    span_fact,
)
from app.answers.heads import head_index
from app.answers.intent import Intent, Kind, read_intent
from app.answers.messages import Citation
from app.answers.overview import overview_fact
from app.answers.ranking import extreme_fact, rank_fact
from app.answers.selection import Picker
from app.answers.support import Support, rate_support
from app.answers.targets import ValueKind, column_targets
from app.answers.trends import trend_fact
from app.answers.view import Lines, LogView
from app.answers.wording import say, shown
from app.stream.records import DROPPED

_QUOTED_LINES = 3
_SAME_VALUE_LINES = 200


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """What code alone can say.

    Attributes:
        text: in the question's language; empty where code has nothing to say.
        citations: the lines it rests on.
        abstained: whether the log holds nothing that answers.
        confident: whether the text can stand as the answer's computed part; otherwise the model
            should answer, with ``facts`` and ``evidence`` before it.
        evidence_lines: store indices of the lines worth reading, ascending.
        facts: what was computed.
        intent: how the question was understood.
        support: how well lines cover its words.
        plan: what was searched and counted, for the operator.
    """

    text: str
    citations: tuple[Citation, ...]
    abstained: bool
    confident: bool
    evidence_lines: tuple[int, ...]
    facts: tuple[Fact, ...]
    intent: Intent
    support: Support
    plan: str
    evidence: Evidence


def answer_by_code(
    store: LogView,
    question: str,
    *,
    evidence_tokens: int = 300,
    count_tokens: Callable[[str], int] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> CodeAnswer:
    """Answer a question by rules and computation over the whole log.

    Arguments:
        evidence_tokens: most tokens of the evidence text.
        count_tokens: how many tokens a text has; a rule of thumb where not given.
        cancelled: asked between chunks of work.

    Raises:
        SearchStopped: ``cancelled`` said yes.
    """
    lines = Lines(store, cancelled)
    intent = read_intent(question, lines.sources)
    heads = head_index(store, lines)
    named = column_targets(intent.terms.bare, heads.layout.columns)
    if named:
        intent = replace(intent, targets=(*named, *intent.targets))
    picker = Picker(lines, intent, heads)
    work = Work(lines, intent, picker, picker.pick())
    support = rate_support(work)
    abstention = judge(work, support)
    facts: tuple[Fact, ...] = ()
    if abstention is None:
        work = _narrowed(work, support)
        facts = _compute(work, support)
    evidence = gather_evidence(
        work, support, facts, budget_tokens=evidence_tokens, count_tokens=count_tokens
    )
    if abstention is not None:
        return _abstained(work, support, abstention, evidence)
    text = " ".join(fact.sentence for fact in facts)
    cited = list(dict.fromkeys(index for fact in facts for index in fact.lines))
    return CodeAnswer(
        text=text,
        citations=cite(lines, cited),
        abstained=False,
        confident=bool(facts) and all(fact.sure for fact in facts),
        evidence_lines=evidence.indices,
        facts=facts,
        intent=intent,
        support=support,
        plan=work.plan,
        evidence=evidence,
    )


def cite(lines: Lines, indices: list[int]) -> tuple[Citation, ...]:
    """Citations of lines by store index, doubles left out."""
    return tuple(
        Citation(record.source, record.number, record.text)
        for record in (lines.record(index) for index in dict.fromkeys(indices))
        if record is not DROPPED
    )


def _abstained(
    work: Work, support: Support, abstention: Abstention, evidence: Evidence
) -> CodeAnswer:
    return CodeAnswer(
        text=abstention.sentence,
        citations=(),
        abstained=True,
        confident=True,
        evidence_lines=evidence.indices,
        facts=(),
        intent=work.intent,
        support=support,
        plan=work.plan,
        evidence=evidence,
    )


def _narrowed(work: Work, support: Support) -> Work:
    """Where nothing was quoted, the lines that cover the question's words best are meant."""
    chosen, kind = work.chosen, work.intent.kind
    if kind in (Kind.SUMMARY, Kind.RANK, Kind.EXTREME) or work.intent.terms.literals:
        return work
    if support.words == 0 or len(support.best) == 0:
        return work
    if kind is Kind.TREND and chosen.demanded:
        return work
    scores = support.core[chosen.indices]
    if len(scores) == 0 or float(scores.max()) <= 0:
        if kind in (Kind.COUNT, Kind.DISTINCT) and chosen.demanded:
            return work
        scores = support.scores[chosen.indices]
    if len(scores) == 0 or float(scores.max()) <= 0:
        return work
    best = chosen.indices[scores >= scores.max() - 1e-4]
    if len(best) == len(chosen.indices):
        return work
    narrowed = replace_selection(work, best)
    narrowed.chosen.criteria += [
        word for word in work.intent.terms.words if word not in support.missing
    ]
    return narrowed


def replace_selection(work: Work, indices: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Work:
    """The same work over other lines."""
    chosen = replace(work.chosen, indices=indices, criteria=list(work.chosen.criteria))
    chosen.unfiltered = False
    return replace(work, chosen=chosen)


def _compute(work: Work, support: Support) -> tuple[Fact, ...]:
    """The fact that the kind of question asks for, or those that come nearest."""
    kind = work.intent.kind
    by_words = bool(
        support.words and not work.intent.terms.literals and not work.intent.terms.identifiers
    )
    fact: Fact | None
    if kind is Kind.SUMMARY:
        fact = overview_fact(work)
    elif kind is Kind.COUNT:
        fact = count_fact(work)
    elif kind is Kind.DISTINCT:
        fact = distinct_fact(work) or count_fact(work)
    elif kind in (Kind.FIRST, Kind.LAST):
        fact = edge_fact(work, kind)
    elif kind is Kind.SPAN:
        fact = span_fact(work)
    elif kind is Kind.RANK:
        fact = rank_fact(work)
    elif kind is Kind.EXTREME:
        fact = extreme_fact(work)
    elif kind is Kind.TREND:
        fact = trend_fact(work)
    elif kind is Kind.INTERVAL:
        fact = interval_fact(work)
    elif kind is Kind.PRESENT:
        fact = present_fact(work) or quote_fact(work, support)
    else:
        fact = quote_fact(work, support)
    if fact is None:
        fact = quote_fact(work, support)
        fact = replace(fact, sure=False) if fact is not None else None
    if fact is None:
        return ()
    if by_words and kind is not Kind.SUMMARY and not _words_are_sure(work, support):
        fact = replace(fact, sure=False)
    if kind is Kind.EXPLAIN:
        fact = replace(fact, sure=False)
    return (fact,)


def _words_are_sure(work: Work, support: Support) -> bool:
    """Whether words alone picked the right lines: nearly all of them in one line, or a phrase."""
    if work.chosen.phrases and support.coverage >= SURE_COVERAGE:
        return True
    if work.intent.kind is Kind.RANK:
        return True
    demanded = bool(work.chosen.level or work.chosen.component or work.chosen.window_words)
    return support.coverage >= SURE_COVERAGE or (demanded and support.coverage >= 0.5)


def quote_fact(work: Work, support: Support) -> Fact | None:
    """The line (or the few lines) that answer, quoted, with the values asked for taken out."""
    indices = work.chosen.indices
    if len(indices) == 0 or (work.chosen.unfiltered and not len(support.best)):
        return None
    scores = support.scores[indices]
    top = indices[scores >= scores.max() - 1e-4]
    record = work.lines.record(int(top[0]))
    language = work.language
    values, said = beside(work, record)
    quotes = [
        say(
            language,
            "quote",
            line=line.number,
            at=work.at(line) if work.intent.wants_time else "",
            text=shown(line.text, values[0] if values else ""),
        )
        for line in (work.lines.record(int(index)) for index in top[:_QUOTED_LINES])
    ]
    if len(top) > _QUOTED_LINES:
        quotes = quotes[:1]
    sentence = (said.strip() + " " + " ".join(quotes)).strip()
    same = _says_the_same(work, top, values)
    if same and len(top) > 1:
        sentence += " " + say(language, "line_values", n=len(top))
    asked = [t for t in work.intent.targets if t.kind is not ValueKind.MESSAGE]
    sure = (len(top) <= _QUOTED_LINES or same) and (bool(values) or not asked)
    return Fact(
        Kind.EXTRACT,
        sentence,
        tuple(values),
        tuple(int(index) for index in top[:CITED_LINES]),
        len(top),
        work.plan,
        sure,
    )


def _says_the_same(
    work: Work, indices: np.ndarray[tuple[int, ...], np.dtype[np.int64]], values: list[str]
) -> bool:
    """Whether all of these lines give the same values for what was asked."""
    if not values or len(indices) > _SAME_VALUE_LINES:
        return False
    asked = [t for t in work.intent.targets if t.kind is not ValueKind.MESSAGE]
    if not asked:
        return False
    return all(beside(work, record)[0] == values for _, record in work.lines.pick(indices))
