"""Answers for the history's tests."""

from __future__ import annotations

from dataclasses import replace

from app.answers.messages import Answer, Citation
from app.engine.messages import FinishReason

ANSWER = Answer(
    id="a1",
    question="3号线为什么停机？",
    text="Der Füllstand: pressure low at 03:12, 3号线停机。",
    abstained=False,
    citations=(
        Citation("line3.log", 17, "03:12:00 ALARM pressure low  p=1.2 bar"),
        Citation("线路.log", 4, "03:12:01 3号线停机"),
    ),
    finish=FinishReason.COMPLETE,
    asked_at_s=1_780_000_000.25,
    ttft_ms=412.5,
    prefill_tokens=231,
    answer_tokens=40,
    tokens_per_s=17.5,
    target="target.gguf",
    draft="draft.gguf",
    backend="mainline",
    seed=7,
)


def answer(
    answer_id: str, question: str = "what?", text: str = "that", at_s: float = 1.0
) -> Answer:
    """An answer like ``ANSWER`` with other words."""
    return replace(ANSWER, id=answer_id, question=question, text=text, asked_at_s=at_s)
