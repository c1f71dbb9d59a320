"""The history's schema: an append-only list of small steps, each recorded by name.

Never change a step that has shipped: append another. A database and this program meet by two
numbers: the steps recorded in the database (minor, mended by running what is missing) and
``user_version`` (major, raised only when an older program would misread the file).
"""

from __future__ import annotations

from typing import cast

from sqlite_utils import Database, Migrations
from sqlite_utils.db import Table

SCHEMA_MAJOR = 1
"""What ``PRAGMA user_version`` holds; a database with a larger number is refused."""

MIGRATIONS = Migrations("history")


@MIGRATIONS()
def create_answers(db: Database) -> None:
    """One row a question asked; the columns from ``finish`` on are filled in when it ends."""
    _table(db, "answers").create(
        {
            "id": str,
            "question": str,
            "asked_at_s": float,
            "sources": str,
            "settings": str,
            "target": str,
            "draft": str,
            "target_sha256": str,
            "draft_sha256": str,
            "backend": str,
            "seed": int,
            "finish": str,
            "finished_at_s": float,
            "text": str,
            "abstained": int,
            "ttft_ms": float,
            "prefill_tokens": int,
            "answer_tokens": int,
            "tokens_per_s": float,
        },
        pk="id",
        not_null={"question", "asked_at_s"},
    )


@MIGRATIONS()
def create_citations(db: Database) -> None:
    """The lines an answer rests on, with their text as it was: the log itself may be gone."""
    _table(db, "citations").create(
        {"answer_id": str, "position": int, "source": str, "line": int, "text": str},
        pk=("answer_id", "position"),
        foreign_keys=[("answer_id", "answers", "id")],
    )


@MIGRATIONS()
def add_plan(db: Database) -> None:
    """What the program searched and counted for an answer, as shown on it."""
    _table(db, "answers").add_column("plan", str)


@MIGRATIONS()
def index_by_time(db: Database) -> None:
    """The list of answers is read newest first."""
    _table(db, "answers").create_index(["asked_at_s"])


def migration_names() -> tuple[str, ...]:
    """Every step this program knows, in order."""
    blank = Database(memory=True, execute_plugins=False)
    try:
        return tuple(step.name for step in MIGRATIONS.pending(blank))
    finally:
        blank.close()


def _table(db: Database, name: str) -> Table:
    return cast(Table, db[name])
