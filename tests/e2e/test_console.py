"""The whole program: a real window on a virtual display, a log being written, real models."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from app.demo import demo_lines

# A machine that is busy with other things takes minutes for what takes seconds when it is idle.
pytestmark = pytest.mark.timeout(900)

ROOT = Path(__file__).parents[2]
# The README shows what an operator will see, once the models are there.
_SCREENS_PROFILE = "auto"
QUESTION = "Which user name was tried from 173.234.31.186?"


SCREENS = os.environ.get("ANCHORLINE_SCREENS")
"""Folder for the README's screenshots; ``make screens`` names it."""


def at_the_window(
    display: str, log: Path, question: str, profile: str, out: Path, language: str = "en"
) -> dict[str, Any]:
    """What an operator saw."""
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    arguments = [str(log), question, profile, str(out), language]
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.operator", *arguments],
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
@pytest.mark.parametrize(
    ("language", "question", "screen"),
    [
        ("en", "Why did line 3 stop?", "console.png"),
        ("zh_CN", "3号线为什么停机？", "console-zh.png"),
    ],
)
def test_an_operator_follows_a_log_asks_and_taps_the_evidence(
    tiny_model: Path,
    virtual_display: str,
    tmp_path: Path,
    language: str,
    question: str,
    screen: str,
) -> None:
    log = tmp_path / "source" / "line3.log"
    log.parent.mkdir()
    lines = islice(demo_lines(1, 1_780_000_000.0), 2_000)
    log.write_text("".join(f"{line.text}\n" for line in lines), encoding="utf-8")
    seen = at_the_window(
        virtual_display, log, question, _SCREENS_PROFILE if SCREENS else "tiny", tmp_path, language
    )
    assert seen["platform"] == "xcb", "a real window, not one in memory"
    assert seen["window_tokens"] > 0, "the log was read as it arrived"
    assert seen["citations"]
    followed = (tmp_path / "line3.log").read_text(encoding="utf-8").splitlines()
    for source, line, text in seen["citations"]:
        assert source == "line3.log"
        assert followed[line - 1] == text
    assert seen["jumped_to"] == seen["card"], "the card leads to its line"
    assert seen["history"] == [question]
    picture = tmp_path / "evidence.png"
    assert picture.stat().st_size > 10_000
    if SCREENS:
        shutil.copyfile(picture, Path(SCREENS) / screen)


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
