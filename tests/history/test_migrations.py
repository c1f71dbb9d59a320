"""A blank and an older database end with one schema; a newer one is refused untouched."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database

from app.errors import AppError
from app.history.migrations import MIGRATIONS, SCHEMA_MAJOR, migration_names
from app.history.store import History, open_history
from tests.history.helpers import ANSWER


def schema(path: Path) -> dict[str, object]:
    """Tables with their columns and indexes, independent of how they came about."""
    db = Database(path, execute_plugins=False)
    shape: dict[str, object] = {
        table.name: (
            sorted((column.name, column.type, column.notnull) for column in table.columns),
            sorted(tuple(index.columns) for index in table.indexes),
            table.pks,
        )
        for table in db.tables
    }
    shape["user_version"] = db.execute("pragma user_version").fetchone()[0]
    shape["steps"] = [row["name"] for row in db["_sqlite_migrations"].rows]
    db.close()
    return shape


@pytest.mark.parametrize("next_step", migration_names())
def test_a_blank_and_an_older_database_end_with_one_schema(tmp_path: Path, next_step: str) -> None:
    older, blank = tmp_path / "older.sqlite", tmp_path / "blank.sqlite"
    db = Database(older, execute_plugins=False)
    MIGRATIONS.apply(db, stop_before=next_step)
    db.close()
    History(older).close()
    History(blank).close()
    assert schema(older) == schema(blank)


def test_answers_of_an_older_database_are_still_there(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    db = Database(path, execute_plugins=False)
    MIGRATIONS.apply(db, stop_before="add_plan")
    db["answers"].insert({"id": "old", "question": "why?", "asked_at_s": 1.0, "text": "so"})
    db.close()
    history = History(path)
    assert (history.load("old").text, history.load("old").plan) == ("so", "")
    history.finish(ANSWER, plan="counted")
    assert history.load(ANSWER.id).plan == "counted"


def test_a_newer_major_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    History(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"pragma user_version = {SCHEMA_MAJOR + 1}")
    connection.close()
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(AppError, match="newer version"):
        History(path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    history = open_history(path)
    assert history.notice is not None and "newer version" in history.notice.message
    history.finish(ANSWER)
    assert history.load(ANSWER.id).text == ANSWER.text


def test_a_step_unknown_to_this_program_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path)
    history.close()
    db = Database(path, execute_plugins=False)
    db["answers"].add_column("mood", str)
    db["_sqlite_migrations"].insert(
        {"migration_set": "history", "name": "add_mood", "applied_at": "2030-01-01"}
    )
    db.close()
    again = History(path)
    again.finish(ANSWER)
    assert again.load(ANSWER.id).text == ANSWER.text
