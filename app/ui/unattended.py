"""Uses the console where nobody watches: the first suggested question, its answer on a terminal."""

from __future__ import annotations

import asyncio
import sys
from typing import TextIO

from app.answers.messages import Answer, AnswerFinished, AnswerText, Notice, Suggestions
from app.engine.messages import EnginePhase, EngineState, FinishReason
from app.ui import i18n
from app.ui.application import Console
from app.ui.session_api import SessionEvent


async def first_answer(console: Console, out: TextIO | None = None) -> int:
    """Ask the first suggested question and print the answer while it streams.

    Notices are printed as they are said. Returns 0 after an answer (an abstention is one), 2 when
    no answer can come.

    Arguments:
        out: where to print; standard output where None.
    """
    stream = out if out is not None else sys.stdout
    events: asyncio.Queue[SessionEvent] = asyncio.Queue()
    unsubscribe = console.session.subscribe(events.put_nowait)
    streamed: dict[str, str] = {}
    try:
        waiting = list(console.session.suggestions[:1])
        if waiting:
            _ask(console, waiting[0], stream)
        while True:
            event = await events.get()
            match event:
                case Suggestions(questions) if questions and not waiting:
                    waiting = [questions[0]]
                    _ask(console, questions[0], stream)
                case AnswerText(answer_id, text):
                    streamed[answer_id] = streamed.get(answer_id, "") + text
                    stream.write(text)
                    stream.flush()
                case AnswerFinished(answer):
                    _print_answer(answer, streamed.get(answer.id, ""), stream)
                    return 0 if answer.finish is not FinishReason.ERROR else 2
                case Notice():
                    _print_notice(event, stream)
                case EngineState(phase=EnginePhase.FAILED):
                    return 2
    finally:
        unsubscribe()


def _ask(console: Console, question: str, stream: TextIO) -> None:
    stream.write(f"\n> {question}\n\n")
    stream.flush()
    console.ask(question)


def _print_answer(answer: Answer, streamed: str, stream: TextIO) -> None:
    """The checked answer replaces what was streamed; it is printed again only where they differ."""
    stream.write("\n\n")
    # What the check does to blanks and line ends alone is no other answer.
    if answer.text.split() != streamed.split() and answer.text:
        if streamed:
            stream.write("Checked answer:\n")
        stream.write(f"{answer.text}\n\n")
    for citation in answer.citations:
        stream.write(f"  {citation.source}:{citation.line}: {citation.text}\n")
    if answer.ttft_ms > 0:
        rate = i18n.decimal(answer.tokens_per_s, 1)
        stream.write(f"\n  {i18n.seconds(answer.ttft_ms)}, {rate} tokens/s, {answer.target}\n")
    stream.flush()


def _print_notice(notice: Notice, stream: TextIO) -> None:
    words = (
        i18n.sentence(notice.message, notice.values),
        i18n.sentence(notice.hint, notice.values),
    )
    stream.write(" ".join(part for part in words if part) + "\n")
    stream.flush()
