"""The whole program: a real window on a virtual display, a log being written, real models."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from app.demo import demo_lines

ROOT = Path(__file__).parents[2]
QUESTION = "Which user name was tried from 173.234.31.186?"


def at_the_window(
    display: str, log: Path, question: str, profile: str, out: Path
) -> dict[str, Any]:
    """What an operator saw."""
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.operator", str(log), question, profile, str(out)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    seen: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return seen


@pytest.mark.display
def test_an_operator_follows_a_log_asks_and_taps_the_evidence(
    tiny_model: Path, virtual_display: str, tmp_path: Path
) -> None:
    log = tmp_path / "source" / "line3.log"
    log.parent.mkdir()
    lines = islice(demo_lines(1, 1_780_000_000.0), 2_000)
    log.write_text("".join(f"{line.text}\n" for line in lines), encoding="utf-8")
    seen = at_the_window(virtual_display, log, "Why did line 3 stop?", "tiny", tmp_path)
    assert seen["platform"] == "xcb", "a real window, not one in memory"
    assert seen["window_tokens"] > 0, "the log was read as it arrived"
    assert seen["citations"]
    followed = (tmp_path / "line3.log").read_text(encoding="utf-8").splitlines()
    for source, line, text in seen["citations"]:
        assert source == "line3.log"
        assert followed[line - 1] == text
    assert seen["jumped_to"] == seen["card"], "the card leads to its line"
    assert seen["history"] == ["Why did line 3 stop?"]
    assert (tmp_path / "answered.png").stat().st_size > 10_000


@pytest.mark.display
@pytest.mark.standard
def test_the_standard_pair_names_the_user_and_cites_the_line(
    standard_pair: tuple[Path, Path], sample_logs: Path, virtual_display: str, tmp_path: Path
) -> None:
    log = sample_logs / "OpenSSH.log"
    seen = at_the_window(virtual_display, log, QUESTION, "standard", tmp_path)
    assert seen["target"] == standard_pair[0].name
    assert "webmaster" in seen["answer"]
    assert any("webmaster" in text for _source, _line, text in seen["citations"])
    assert seen["jumped_to"] == seen["card"]
