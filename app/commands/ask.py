"""``anchorline ask``: the console's pipeline without a window."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.answers.messages import Answer, AnswerFinished, Notice
from app.commands.setup import engine_sizes, load_settings, open_program_log
from app.config import Paths, Settings
from app.engine.messages import EnginePhase, EngineState, FinishReason
from app.errors import AppError, UsageError, fill
from app.session import Session, SessionEvent
from app.session.engine_link import EngineSizes

EXIT_ANSWERED = 0
EXIT_ERROR = 2
EXIT_ABSTAINED = 3


@dataclass(frozen=True, slots=True)
class _Question:
    id: str
    text: str
    logs: tuple[Path, ...]


def run(arguments: argparse.Namespace) -> int:
    """Answer one question or many; the exit code."""
    paths = Paths.default()
    open_program_log(paths)
    settings = load_settings(arguments, paths)
    sizes = engine_sizes(arguments, settings)
    questions = _questions(arguments)
    return asyncio.run(_run(arguments, paths, settings, sizes, questions))


async def _run(
    arguments: argparse.Namespace,
    paths: Paths,
    settings: Settings,
    sizes: EngineSizes,
    questions: Sequence[_Question],
) -> int:
    session = Session(paths=paths, settings=settings, sizes=sizes, one_shot=True)
    teller = _Teller(session, as_json=arguments.json, many=arguments.questions is not None)
    await session.start()
    try:
        opened: tuple[Path, ...] = ()
        code = EXIT_ANSWERED
        for question in questions:
            if question.logs != opened:
                if opened:
                    await session.reset()
                for log in question.logs:
                    session.add_file(log, follow=False)
                opened = question.logs
                await teller.until_current()
            code = max(code, await teller.answer(question))
        return code
    finally:
        await session.close()


class _Teller:
    """Asks, and prints what comes back."""

    def __init__(self, session: Session, *, as_json: bool, many: bool) -> None:
        self._session = session
        self._as_json = as_json
        self._many = many
        self._failed: AppError | None = None
        self._failure = asyncio.Event()
        self._finished: dict[str, asyncio.Future[Answer]] = {}
        session.subscribe(self._on_event)

    async def until_current(self) -> None:
        """Wait until the log stands in the model's context, or the engine has failed.

        Raises:
            AppError: the models cannot be loaded.
        """
        current = asyncio.ensure_future(self._session.wait_current())
        failed = asyncio.ensure_future(self._failure.wait())
        await asyncio.wait((current, failed), return_when=asyncio.FIRST_COMPLETED)
        for task in (current, failed):
            task.cancel()
        if self._failed is not None:
            raise self._failed

    async def answer(self, question: _Question) -> int:
        """Ask one question and print its answer; its exit code."""
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        answer_id = self._session.ask(question.text)
        self._finished[answer_id] = done
        answer = await done
        if self._as_json:
            print(json.dumps(_as_json(question, answer), ensure_ascii=False), flush=True)
        else:
            self._print(question, answer)
        if answer.finish in (FinishReason.ERROR, FinishReason.INTERRUPTED):
            return EXIT_ERROR
        return EXIT_ABSTAINED if answer.abstained and not self._many else EXIT_ANSWERED

    def _print(self, question: _Question, answer: Answer) -> None:
        if self._many:
            print(f"{question.id}: {question.text}")
        print(answer.text)
        for citation in answer.citations:
            print(f"  [{citation.source}:{citation.line}] {citation.text}")
        if self._many:
            print()
        sys.stdout.flush()

    def _on_event(self, event: SessionEvent) -> None:
        match event:
            case AnswerFinished(answer):
                done = self._finished.pop(answer.id, None)
                if done is not None and not done.done():
                    done.set_result(answer)
            case Notice() if event.severity == "critical":
                self._failed = AppError(event.message, event.hint, **dict(event.values))
                self._failure.set()
            case Notice():
                values = dict(event.values)
                text = f"{fill(event.message, values)} {fill(event.hint, values)}"
                print(f"anchorline: {text.strip()}", file=sys.stderr)
            case EngineState(phase=EnginePhase.FAILED):
                self._failed = self._failed or AppError("The model could not be started.")
                self._failure.set()


def _as_json(question: _Question, answer: Answer) -> dict[str, object]:
    return {
        "id": question.id,
        "question": question.text,
        "answer": answer.text,
        "abstained": answer.abstained,
        "citations": [
            {"source": citation.source, "line": citation.line, "text": citation.text}
            for citation in answer.citations
        ],
        "ttft_ms": round(answer.ttft_ms, 1),
        "prefill_tokens": answer.prefill_tokens,
        "answer_tokens": answer.answer_tokens,
        "tokens_per_s": round(answer.tokens_per_s, 2),
        "target": answer.target,
        "draft": answer.draft,
        "backend": answer.backend,
        "seed": answer.seed,
    }


def _questions(arguments: argparse.Namespace) -> list[_Question]:
    if arguments.questions is None:
        if not arguments.question or not arguments.log:
            raise UsageError(
                "A question and a log are needed.",
                'For example: anchorline ask --log FILE "What failed?"',
            )
        return [_Question("1", arguments.question, tuple(arguments.log))]
    if arguments.question or arguments.log:
        raise UsageError(
            "--questions brings its own questions and logs.",
            "Leave out --log and the question, and give --logs-dir.",
        )
    return _read_questions(arguments.questions, arguments.logs_dir or Path())


def _read_questions(path: Path, logs_dir: Path) -> list[_Question]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AppError(
            "Cannot read {path}: {reason}.",
            "Give a text file with one JSON object a line.",
            path=path,
            reason=error,
        ) from error
    questions = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
            questions.append(
                _Question(str(item["id"]), str(item["question"]), (logs_dir / str(item["log"]),))
            )
        except (ValueError, KeyError, TypeError) as error:
            raise AppError(
                "Line {number} of {path} is no question: {reason}.",
                "Each line is a JSON object with id, log and question.",
                number=number,
                path=path,
                reason=repr(error),
            ) from error
    if not questions:
        raise AppError(
            "There are no questions in {path}.", "Give one JSON object a line.", path=path
        )
    return questions
