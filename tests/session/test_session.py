"""The whole chain below the window: a log being written, the real tiny model, answers, history."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.answers.messages import (
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    LinesAppended,
    Notice,
    Suggestions,
)
from app.config import Settings
from app.engine.messages import EnginePhase, EngineState, FinishReason, Telemetry
from app.errors import AppError
from app.models.manifest import load_manifest
from app.session.asking import CODE

from .conftest import LOG, Running, run_session

EXPLAIN = "Why did line 3 stop?"


def test_a_model_answer_cites_lines_of_the_log_and_is_in_the_history(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        answer = await running.answer(EXPLAIN)
        assert answer.target == tiny_model.name
        assert answer.prefill_tokens > 0
        assert 4 in {citation.line for citation in answer.citations}
        assert all(LOG.splitlines()[c.line - 1] == c.text for c in answer.citations)
        kinds = [type(event) for event in running.events]
        first = kinds.index(AnswerStarted)
        assert first < kinds.index(AnswerPrefill) < len(kinds)
        assert AnswerText in kinds
        rows = await running.session.history.recent()
        assert [row.question for row in rows] == [EXPLAIN]
        kept = await running.session.history.load(answer.id)
        assert kept == answer

    run_session(work, settings, log)


def test_counts_come_from_code_and_need_no_model(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        answer = await running.answer('How many lines contain "result=OK"?')
        assert "2" in answer.text
        assert answer.backend == CODE
        assert {citation.line for citation in answer.citations} == {2, 6}
        assert not any(isinstance(event, AnswerPrefill) for event in running.events)

    run_session(work, settings, log)


def test_what_is_not_in_the_log_is_said_to_be_absent(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        for question in ('Who wrote "hydraulic leak"?', "10.9.8.7 做了什么？"):
            answer = await running.answer(question)
            assert answer.abstained
            assert answer.citations == ()

    run_session(work, settings, log)


def test_a_line_written_after_the_start_is_found(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        with log.open("a", encoding="utf-8") as file:
            file.write("2026-11-30 08:00:25 ERROR plc-5: pump P-77 tripped on overcurrent\n")
        await running.wait(lambda event: event == LinesAppended(6, 1))
        answer = await running.answer('When did "pump P-77 tripped" appear?')
        assert "08:00:25" in answer.text
        assert [citation.line for citation in answer.citations] == [7]

    run_session(work, settings, log)


def test_stopping_keeps_what_was_written_and_the_next_question_works(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        answer_id = running.session.ask(EXPLAIN)
        await running.wait(lambda event: isinstance(event, AnswerPrefill))
        running.session.stop()
        stopped = await running.finished(answer_id)
        assert stopped.finish is FinishReason.STOPPED
        again = await running.answer('How many lines contain "frame"?')
        assert again.finish is FinishReason.COMPLETE

    run_session(work, replace(settings, answer_tokens=200), log)


def test_questions_asked_at_once_are_all_answered_in_order(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        ids = [running.session.ask(f'How many lines contain "{word}"?') for word in ("OK", "slip")]
        for answer_id, count in zip(ids, ("2", "1"), strict=True):
            assert count in (await running.finished(answer_id)).text

    run_session(work, settings, log)


def test_closing_under_a_running_question_ends_it_and_keeps_it(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def ask_only(running: Running) -> str:
        await running.session.wait_current()
        answer_id = running.session.ask(EXPLAIN)
        await running.wait(lambda event: isinstance(event, AnswerPrefill))
        return answer_id

    async def look(running: Running) -> str:
        return str((await running.session.history.load(answer_id)).finish)

    answer_id = run_session(ask_only, replace(settings, answer_tokens=200), log)
    assert run_session(look, settings) in ("stopped", "interrupted")


def test_without_a_model_the_operator_is_told_and_code_still_answers(
    settings: Settings, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORLINE_MODELS", str(tmp_path / "no-models"))

    async def work(running: Running) -> None:
        told = await running.wait(lambda event: isinstance(event, Notice))
        assert isinstance(told, Notice)
        assert told.severity == "critical"
        assert "fetch" in told.hint
        await running.wait(
            lambda event: isinstance(event, EngineState) and event.phase is EnginePhase.FAILED
        )
        await running.wait(lambda event: isinstance(event, LinesAppended))
        assert "2" in (await running.answer('How many lines contain "result=OK"?')).text
        assert (await running.answer(EXPLAIN)).finish is FinishReason.ERROR

    run_session(work, settings, log)


def test_changing_the_model_takes_the_standing_log_along(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        running.events.clear()
        await running.session.switch_profile("tiny")
        await running.wait(
            lambda event: isinstance(event, Telemetry) and event.cache.window_tokens > 0
        )
        answer = await running.answer(EXPLAIN)
        assert answer.finish is not FinishReason.ERROR

    run_session(work, settings, log)


def test_another_log_begins_with_an_empty_context(
    tiny_model: Path, settings: Settings, log: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.log"
    other.write_text("2026-11-30 09:00:00 INFO mixer: started\n", encoding="utf-8")

    async def work(running: Running) -> None:
        session = running.session
        await session.wait_current()
        await session.reset()
        session.add_file(other)
        await session.wait_current()
        assert len(session.store) == 1
        answer = await running.answer('How many lines contain "result=OK"?')
        assert answer.abstained or "0" in answer.text

    run_session(work, settings, log)


def test_suggestions_follow_the_log_and_the_language(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        phrase = "stopped: jam at station"
        running.session.language = "en"
        first = await running.wait(
            lambda event: isinstance(event, Suggestions) and phrase in event.questions[0]
        )
        running.session.language = "zh_CN"
        second = await running.wait(
            lambda event: isinstance(event, Suggestions) and "最后一次" in event.questions[0]
        )
        assert isinstance(first, Suggestions)
        assert isinstance(second, Suggestions)
        assert phrase in second.questions[0]
        for question in first.questions:
            answer = await running.answer(question)
            assert not answer.abstained, question

    run_session(work, settings, log)


def test_an_empty_question_is_refused_in_words(settings: Settings, tiny_model: Path) -> None:
    async def work(running: Running) -> None:
        with pytest.raises(AppError, match="no question"):
            running.session.ask("   ")

    run_session(work, settings)


def test_a_killed_program_leaves_its_question_marked_interrupted(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    script = f"""
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from app.answers.messages import AnswerPrefill
from app.config import Paths, Settings
from app.session import Session

async def main():
    settings = replace(Settings(), profile="tiny", answer_tokens=400, window_tokens=512)
    session = Session(paths=Paths.default(), settings=settings)
    await session.start()
    session.add_file(Path({str(log)!r}))
    await session.wait_current()
    session.subscribe(
        lambda event: isinstance(event, AnswerPrefill) and print("reading", flush=True)
    )
    session.ask({EXPLAIN!r})
    await asyncio.Event().wait()

asyncio.run(main())
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=dict(os.environ)
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"reading"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()

    async def look(running: Running) -> None:
        rows = await running.session.history.recent()
        assert [(row.question, row.finish) for row in rows] == [(EXPLAIN, "interrupted")]
        row = await running.session.history.load(rows[0].id)
        assert row.finish is FinishReason.INTERRUPTED

    run_session(look, settings)


def models_with(tiny_model: Path, folder: Path, **others: bytes) -> Path:
    """A models folder with the tiny model and files of other bytes."""
    folder.mkdir()
    (folder / tiny_model.name).symlink_to(tiny_model)
    for name, content in others.items():
        (folder / name).write_bytes(content)
    return folder


def test_where_the_best_models_cannot_run_the_tiny_one_answers_and_this_is_said(
    tiny_model: Path,
    settings: Settings,
    log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = load_manifest().profile("standard").target.name
    folder = models_with(tiny_model, tmp_path / "models", **{target: b"GGUF" + bytes(2_000)})
    monkeypatch.setenv("ANCHORLINE_MODELS", str(folder))

    async def work(running: Running) -> None:
        told = await running.wait(lambda event: isinstance(event, Notice))
        assert isinstance(told, Notice)
        assert told.severity == "warning"
        await running.session.wait_current()
        assert running.session.profile == "tiny"
        assert (await running.answer(EXPLAIN)).target == tiny_model.name

    run_session(work, replace(settings, profile="auto"), log)


def test_models_that_cannot_be_used_leave_those_in_force(
    tiny_model: Path,
    settings: Settings,
    log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = models_with(tiny_model, tmp_path / "models")
    monkeypatch.setenv("ANCHORLINE_MODELS", str(folder))

    async def work(running: Running) -> None:
        await running.session.wait_current()
        with pytest.raises(AppError, match="missing"):
            await running.session.switch_profile("standard")
        assert (await running.answer(EXPLAIN)).finish is not FinishReason.ERROR

    run_session(work, settings, log)


def test_a_question_in_the_queue_is_in_the_history_already(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        ids = [running.session.ask(text) for text in (EXPLAIN, "Why was the interlock reset?")]
        await running.wait(lambda event: isinstance(event, AnswerPrefill))
        rows = await running.session.history.recent()
        assert {row.id for row in rows} == set(ids)
        running.session.stop()
        for answer_id in ids:
            assert (await running.finished(answer_id)).finish is FinishReason.STOPPED

    run_session(work, replace(settings, answer_tokens=200), log)


def test_the_history_keeps_what_is_needed_to_repeat_an_answer(
    tiny_model: Path, settings: Settings, log: Path
) -> None:
    async def work(running: Running) -> None:
        await running.session.wait_current()
        answer = await running.answer(EXPLAIN)
        stored = await running.session.history.run(lambda history: history.load(answer.id))
        assert stored.target_sha256 == load_manifest().profile("tiny").target.sha256
        assert stored.backend == "mainline"
        assert stored.settings["window"] == settings.window_tokens
        assert stored.settings["temperature"] == 0.0
        assert stored.sources == ("line3.log",)
        assert stored.plan

    run_session(work, settings, log)


def test_waiting_for_the_log_ends_when_no_model_can_be_had(
    settings: Settings, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORLINE_MODELS", str(tmp_path / "no-models"))

    async def work(running: Running) -> None:
        await running.session.wait_current()
        assert running.session.engine_failed

    run_session(work, settings, log)
