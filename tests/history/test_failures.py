"""What the machine does to the database is told in words; a bug stays a bug."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import AppError
from app.history.store import History, open_history
from tests.history.helpers import ANSWER, answer

REPOSITORY = Path(__file__).resolve().parents[2]


def filled(path: Path, answers: int = 50) -> None:
    history = History(path)
    for number in range(answers):
        history.finish(answer(f"a{number}", text="x" * 500))
    history.close()


def set_aside(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.damaged-*"))


@pytest.mark.parametrize("damage", ["not a database", "pages overwritten", "cut short"])
def test_a_damaged_file_is_set_aside_and_a_new_one_begins(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "history.sqlite"
    if damage == "not a database":
        path.write_bytes(b"these are not the bytes of a database " * 400)
    else:
        filled(path)
        data = bytearray(path.read_bytes())
        if damage == "pages overwritten":
            data[4096 * 2 : 4096 * 8] = os.urandom(4096 * 6)
            path.write_bytes(data)
        else:
            path.write_bytes(data[: len(data) // 2])
    damaged = path.read_bytes()
    history = open_history(path)
    assert history.path == path
    assert history.notice is not None
    assert history.notice.message.format(**dict(history.notice.values)).startswith(
        "The history was damaged and has been set aside as "
    )
    (kept,) = set_aside(tmp_path)
    assert kept.read_bytes() == damaged
    assert history.recent() == []
    history.finish(ANSWER)
    history.close()
    again = open_history(path)
    assert again.notice is None
    assert again.load(ANSWER.id).text == ANSWER.text


def test_damage_twice_in_one_second_keeps_both_files(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    for content in (b"first " * 500, b"second " * 500):
        path.write_bytes(content)
        open_history(path).close()
    assert len(set_aside(tmp_path)) == 2


def test_damage_found_while_running_is_told_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    filled(path, 400)
    history = History(path)
    history._db.execute("pragma shrink_memory")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    with pytest.raises(AppError, match="is damaged"):
        history.recent()


@pytest.mark.parametrize("obstacle", ["a folder in place of the file", "a file as its folder"])
def test_a_place_that_cannot_be_used_leaves_a_working_history(
    tmp_path: Path, obstacle: str
) -> None:
    path = tmp_path / "data" / "history.sqlite"
    if obstacle == "a folder in place of the file":
        path.mkdir(parents=True)
    else:
        path.parent.write_text("in the way")
    with pytest.raises(AppError):
        History(path)
    history = open_history(path)
    assert history.path is None
    assert history.notice is not None and str(path.parent) in history.notice.message.format(
        **dict(history.notice.values)
    )
    history.finish(ANSWER)
    assert history.load(ANSWER.id).text == ANSWER.text


def test_a_read_only_history_is_told_in_words(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    history.finish(ANSWER)
    # The same SQLite result code that a read-only disk gives; modes do not bind root.
    history._db.execute("pragma query_only = on")
    with pytest.raises(AppError, match="can only be read"):
        history.begin("b", "why?", asked_at_s=2.0)
    assert history.load(ANSWER.id).text == ANSWER.text


def test_a_full_disk_is_told_in_words_and_nothing_half_done_stays(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    pages = history._db.execute("pragma page_count").fetchone()[0]
    # The same SQLite result code that a full disk gives.
    history._db.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(AppError, match="is full"):
        history.finish(answer("big", text="x" * 1_000_000))
    assert history.recent() == []
    history._db.execute("pragma max_page_count = 100000")
    history.finish(ANSWER)
    assert history.load(ANSWER.id).text == ANSWER.text


def test_a_locked_history_is_told_in_words_and_works_again_later(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    History(path).close()
    history = History(path, busy_timeout_ms=20)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(AppError, match="locked by another program"):
        history.begin("b", "why?", asked_at_s=2.0)
    assert history.recent() == []
    other.execute("rollback")
    history.begin("b", "why?", asked_at_s=2.0)
    assert [row.id for row in history.recent()] == ["b"]
    other.close()


def test_a_history_locked_at_the_start_leaves_a_working_one(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin exclusive")
    history = open_history(path, busy_timeout_ms=20)
    assert history.notice is not None and "locked" in history.notice.message
    history.finish(ANSWER)
    assert history.load(ANSWER.id).text == ANSWER.text
    other.close()


def test_a_bug_is_raised_as_it_is(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    history.begin("same", "why?", asked_at_s=1.0)
    with pytest.raises(sqlite3.IntegrityError):
        history.begin("same", "why?", asked_at_s=1.0)


KILLED = """
import sys
from pathlib import Path
from app.history.store import History
history = History(Path(sys.argv[1]))
history.begin("cut", "why did line 3 stop?", asked_at_s=1.0, settings={"seed": 1})
with history._db.atomic():
    for number in range(10_000_000):
        history._table("citations").insert(
            {"answer_id": "cut", "position": number, "source": "s", "line": 1, "text": "x" * 2000}
        )
        if number == 2_000:
            print("writing", flush=True)
"""


def test_a_question_survives_kill_9_in_the_middle_of_a_write(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "writing\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    history = open_history(path)
    assert history.notice is None
    assert history.mark_interrupted() == 1
    stored = history.load("cut")
    assert (stored.question, stored.finish) == ("why did line 3 stop?", "interrupted")
    assert stored.citations == ()
