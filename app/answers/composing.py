"""One answer out of two parts: what code computed, and what the model says about evidence.

Code comes first and is exact. Where it is sure and the question asks for a count, a rank, a time,
it is the whole answer. Otherwise the model reads facts and evidence; each of its sentences stays
only if every value in it is found in the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.answers.citations import Checked as CheckedText
from app.answers.citations import Value, check_answer
from app.answers.computed import CodeAnswer, answer_by_code
from app.answers.intent import Kind
from app.answers.messages import Citation
from app.answers.prompt import question_text
from app.answers.view import Lines
from app.answers.wording import say
from app.engine.messages import FinishReason
from app.stream.store import LogStore

MOST_CITATIONS = 5

# Kinds of question that have one exact answer which no model could better.
_COMPUTED = frozenset(
    {
        Kind.COUNT,
        Kind.DISTINCT,
        Kind.FIRST,
        Kind.LAST,
        Kind.SPAN,
        Kind.RANK,
        Kind.EXTREME,
        Kind.TREND,
        Kind.INTERVAL,
    }
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?!\s)[^.!?。！？\n]*)*[.!?。！？]?\s*|\n")
_MODEL_ABSTAINS = re.compile(
    r"\b(?:logs?|lines?)\b[^.]{0,40}\bdo(?:es)?(?: not|n't) "
    r"(?:say|contain|mention|show|provide|specify|indicate|include)"
    r"|\b(?:logs?|lines?)\b[^.]{0,40}\bno (?:information|mention)"
    r"|\bnot (?:mentioned|specified|stated|found) in the (?:log|lines)"
    r"|日志[^。]{0,12}(?:没有|未)(?:提到|提及|说明|显示|包含|记录|提供|指出|给出)"
    r"|没有[^。]{0,12}相关(?:信息|记录)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question ready for the model, or already answered.

    Attributes:
        question: the operator's words.
        code: what code found.
        complete: whether ``text`` is the whole answer and no model is needed.
        text: the computed part; empty where there is none.
        abstained: whether the log holds nothing that answers (then ``complete``).
        citations: lines of the computed part.
        plan: what was searched and counted, for the operator.
        prompt: what the model reads after the standing log.
    """

    question: str
    code: CodeAnswer
    complete: bool
    text: str
    abstained: bool
    citations: tuple[Citation, ...]
    plan: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer in its final form."""

    text: str
    abstained: bool
    citations: tuple[Citation, ...]


def prepare(
    store: LogStore,
    question: str,
    evidence_tokens: int,
    *,
    cancelled: Callable[[], bool] | None = None,
) -> Prepared:
    """Understand the question, compute what can be computed, gather evidence.

    Arguments:
        store: the log.
        evidence_tokens: most tokens of evidence, by estimate.
        cancelled: asked between chunks of work.

    Raises:
        SearchStopped: ``cancelled`` said yes.
    """
    code = answer_by_code(store, question, evidence_tokens=evidence_tokens, cancelled=cancelled)
    complete = code.abstained or (code.confident and code.intent.kind in _COMPUTED)
    kind = code.intent.kind
    # The line that answers is in the evidence already; an overview says more than a few lines.
    facts = [fact.sentence for fact in code.facts if kind is not Kind.EXTRACT]
    evidence = [] if facts and kind is Kind.SUMMARY else code.evidence.text.splitlines()
    return Prepared(
        question=question,
        code=code,
        complete=complete,
        text=code.text if complete or code.confident else "",
        abstained=code.abstained,
        citations=code.citations,
        plan=code.plan,
        prompt=question_text(
            question,
            evidence,
            facts,
            chinese=code.intent.language == "zh",
        ),
    )


def check(store: LogStore, prepared: Prepared, text: str, finish: FinishReason) -> Checked:
    """Join the computed part with what of the model's text the log supports.

    Arguments:
        store: the log.
        prepared: as ``prepare`` made it.
        text: what the model wrote; empty after a failure.
        finish: why the model ended.
    """
    lines = Lines(store)
    checked = check_answer(
        text,
        lines,
        question=prepared.question,
        evidence=prepared.code.evidence_lines,
        facts=prepared.code.facts,
        most_citations=MOST_CITATIONS,
    )
    words = _supported_sentences(checked)
    if finish in (FinishReason.STOPPED, FinishReason.INTERRUPTED):
        return Checked(_joined(prepared.text, checked.text), False, checked.citations)
    if finish is FinishReason.ERROR:
        # Without a model, what code found is still worth saying; it is no reason to abstain.
        return Checked(prepared.code.text, False, prepared.citations)
    if prepared.text:
        # The computed part answers already; the model may add to it, not doubt it.
        addition = "" if _MODEL_ABSTAINS.search(words) else words
        return Checked(
            _joined(prepared.text, addition),
            False,
            _merged(prepared.citations, checked.citations if addition else ()),
        )
    if words and not _MODEL_ABSTAINS.search(words):
        return Checked(words, False, checked.citations or prepared.citations)
    if prepared.code.text:
        return Checked(prepared.code.text, False, prepared.citations)
    return _nothing_supported(lines, prepared)


def _nothing_supported(lines: Lines, prepared: Prepared) -> Checked:
    language = prepared.code.intent.language
    text = say(language, "nothing_supports", total=f"{lines.kept:,}", span="")
    return Checked(text, True, ())


def _supported_sentences(checked: CheckedText) -> str:
    """The text without sentences that claim a value found nowhere."""
    if not checked.unsupported:
        return checked.text
    kept = [
        match.group()
        for match in _SENTENCE.finditer(checked.text)
        if not any(_inside(value, match) for value in checked.unsupported)
    ]
    return "".join(kept).strip()


def _inside(value: Value, sentence: re.Match[str]) -> bool:
    return value.start < sentence.end() and value.stop > sentence.start()


def _joined(computed: str, words: str) -> str:
    return "\n\n".join(part for part in (computed.strip(), words.strip()) if part)


def _merged(first: tuple[Citation, ...], second: tuple[Citation, ...]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:MOST_CITATIONS]
