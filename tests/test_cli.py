"""The command line as a user types it."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main

LOG = """\
2026-11-30 08:00:01 INFO  gateway: heartbeat ok
2026-11-30 08:00:09 WARN  plc-3: encoder ENC-3 slip 6.0 %, limit 3.0 %
2026-11-30 08:00:12 ERROR plc-3: line 3 stopped: jam at station S3-07
"""
KEYS = (
    "id question answer abstained citations ttft_ms prefill_tokens answer_tokens tokens_per_s "
    "target draft backend seed"
).split()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "line3.log"
    path.write_text(LOG, encoding="utf-8")
    return path


def test_ask_prints_the_answer_and_its_lines(
    tiny_model: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(
        ["ask", "--profile", "tiny", "--window", "512", "--log", str(log), 'When did "jam" appear?']
    )
    out = capsys.readouterr().out
    assert code == 0
    assert "08:00:12" in out
    assert "[line3.log:3] 2026-11-30 08:00:12 ERROR plc-3: line 3 stopped" in out


def test_an_abstention_has_its_own_exit_code(
    tiny_model: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["ask", "--profile", "tiny", "--log", str(log), 'Who wrote "hydraulic leak"?'])
    assert code == 3
    assert "hydraulic leak" in capsys.readouterr().out


def test_many_questions_give_one_json_object_each(
    tiny_model: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = log.with_name("other.log")
    other.write_text("2026-11-30 09:00:00 INFO mixer: started\n", encoding="utf-8")
    questions = log.with_name("questions.jsonl")
    asked = [
        ("a", "line3.log", 'How many lines contain "plc-3"?'),
        ("b", "other.log", 'How many lines contain "plc-3"?'),
        ("c", "other.log", '"mixer"在哪一行?'),
    ]
    questions.write_text(
        "".join(
            json.dumps({"id": name, "log": file, "question": text}, ensure_ascii=False) + "\n"
            for name, file, text in asked
        ),
        encoding="utf-8",
    )
    command = ["ask", "--profile", "tiny", "--json", "--questions", str(questions)]
    code = main([*command, "--logs-dir", str(log.parent)])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0
    assert [list(answer) for answer in answers] == [KEYS] * 3
    assert [answer["id"] for answer in answers] == ["a", "b", "c"]
    assert "2" in answers[0]["answer"]
    assert {c["line"] for c in answers[0]["citations"]} == {2, 3}
    assert all(c["source"] == "line3.log" for c in answers[0]["citations"])
    assert answers[1]["abstained"] or "0" in answers[1]["answer"]
    assert all(c["source"] == "other.log" for c in answers[2]["citations"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask"], "A question and a log are needed"),
        (["ask", "--log", "{missing}", "why?"], "missing.log"),
        (["ask", "--profile", "huge", "--log", "{log}", "why?"], "huge"),
        (["ask", "--window", "3", "--log", "{log}", "why?"], "window"),
        (["ask", "--questions", "{missing}"], "Cannot read"),
        (["ask", "--questions", "{log}"], "Line 1"),
        (["ask", "--questions", "{log}", "--log", "{log}"], "--logs-dir"),
        (["bench", "imagined"], "no measurement"),
        (["models", "import", "{log}"], ""),
        (["replay", "{missing}", "--to", "{log}.copy"], "missing.log"),
        (["replay", "{log}", "--to", "{log}"], "onto itself"),
        (["--size", "huge", "--offscreen-demo"], "size"),
    ],
)
def test_what_a_person_can_mend_is_one_line(
    log: Path,
    tmp_path: Path,
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fields = {"log": str(log), "missing": str(tmp_path / "missing.log")}
    assert main([word.format(**fields) for word in words]) == 2
    err = capsys.readouterr().err.strip()
    assert said in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words", [["--nonsense"], ["models", "dance"], ["replay"], ["doctor", "x"]]
)
def test_wrong_usage_is_one_line_with_help(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    err = capsys.readouterr().err.strip()
    assert len(err.splitlines()) == 1
    assert "--help" in err


def test_a_settings_file_with_a_mistake_is_named(
    home: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = home / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('theme = "night"\ncolour = "blue"\n', encoding="utf-8")
    assert main(["ask", "--log", str(log), "why?"]) == 2
    err = capsys.readouterr().err
    assert "colour" in err
    assert str(settings) in err


def test_replay_writes_every_byte(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = log.with_name("live.log")
    assert main(["replay", str(log), "--to", str(target), "--rate", "0"]) == 0
    assert target.read_bytes() == log.read_bytes()
    assert "3 lines" in capsys.readouterr().err


def test_without_a_display_the_console_says_what_to_do(log: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = subprocess.run(
        [sys.executable, "-m", "app", str(log)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert "--offscreen-demo" in done.stderr


def test_a_measurement_gives_figures_with_their_origin(
    tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "ttft", "--profile", "tiny", "--tokens", "200", "--runs", "1", "--json"]
    assert main(words) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["ttft_standing_ms"] > 0
    assert figures["ttft_reprefill_ms"] > 0
    assert figures["ratio"] == pytest.approx(
        figures["ttft_reprefill_ms"] / figures["ttft_standing_ms"], rel=0.05
    )
    assert {"machine", "date", "models", "backend", "runs"} <= figures.keys()


def test_streaming_past_the_window_keeps_its_size(
    tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "stream", "--profile", "tiny", "--tokens", "3000", "--json"]
    assert main(words) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["tokens"] >= 3000
    assert figures["evictions"] > 0
    assert figures["window_tokens_most"] <= figures["window_limit_tokens"]


def test_the_demo_offscreen_answers_and_saves_a_screenshot(
    tiny_model: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "console.png"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "app", "--profile", "tiny", "--window", "512"),
            *("--offscreen-demo", "--language", "en", "--screenshot", str(picture)),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr
    assert "Why did line 3 stop?" in done.stdout
    assert "line3.log:" in done.stdout, "cited lines are printed"
    assert "make run" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_an_error_in_the_program_is_one_line_and_its_traceback_is_in_the_log(
    home: Path, log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("app.commands.ask.load_settings", broken)
    assert main(["ask", "--log", str(log), "why?"]) == 2
    err = capsys.readouterr().err.strip()
    assert len(err.splitlines()) == 1
    assert "ZeroDivisionError" in err
    program_log = home / "state" / "anchorline.log"
    assert str(program_log) in err
    assert "Traceback" in program_log.read_text(encoding="utf-8")


def test_a_log_file_that_cannot_be_written_costs_nothing_but_the_log(
    home: Path, tiny_model: Path, log: Path
) -> None:
    (home / "state" / "anchorline.log").mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-m", "app", "ask", "--profile", "tiny", "--log", str(log), "“jam”？"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0
    assert "jam at station" in done.stdout
    assert done.stderr == ""


def test_a_history_of_somebody_else_does_not_keep_the_program_from_answering(
    home: Path, tiny_model: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = home / "data" / "history.sqlite"
    database.parent.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("create table answers (recipe text)")
        connection.commit()
    assert main(["ask", "--profile", "tiny", "--log", str(log), 'When did "jam" appear?']) == 0
    captured = capsys.readouterr()
    assert "08:00:12" in captured.out
    assert "history" in captured.err
    with contextlib.closing(sqlite3.connect(database)) as connection:
        assert connection.execute("pragma table_info(answers)").fetchall()[0][1] == "recipe"
