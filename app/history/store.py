"""The history of questions and answers in one SQLite file.

A question is written when it is asked, its answer when it ends: whatever kills the program in
between, the question is there at the next start. Write-ahead logging with ``synchronous=NORMAL``
keeps every committed row through the death of the process; only a power cut may take the last
ones, and never the file.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from sqlite_utils import Database
from sqlite_utils.db import NotFoundError, Table

from app.errors import AppError
from app.history.failures import in_words, is_damage
from app.history.migrations import MIGRATIONS, SCHEMA_MAJOR
from app.history.rows import (
    INTERRUPTED,
    AnswerLike,
    HistoryNotice,
    HistoryRow,
    StoredAnswer,
    StoredCitation,
)

log = logging.getLogger(__name__)

BUSY_TIMEOUT_MS = 5_000
_COMPANIONS = ("", "-wal", "-shm")


class History:
    """Questions and answers, used from one thread (that which created it).

    Arguments:
        path: the SQLite file; made, folders included, where there is none. None keeps the
            history in memory, for this run only.
        busy_timeout_ms: how long another program's lock is waited for.

    Raises:
        AppError: the file cannot be opened or written, is locked, or is of a newer program.
    """

    def __init__(self, path: Path | None, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
        self.path = path
        self.notice: HistoryNotice | None = None
        """What happened while opening that the operator should know, or None."""
        self._words_path = path if path is not None else Path(":memory:")
        with in_words(self._words_path):
            try:
                self._db = _open(path, busy_timeout_ms)
            except sqlite3.DatabaseError as error:
                if path is None or not is_damage(error):
                    raise
                log.warning("history damaged: %s", error)
                kept_as = _set_aside(path)
                self._db = _open(path, busy_timeout_ms)
                self.notice = HistoryNotice(
                    "The history was damaged and has been set aside as {kept_as}; a new one began.",
                    "Keep that file if old answers matter: parts of it may be recovered.",
                    (("kept_as", kept_as),),
                )

    def begin(
        self,
        answer_id: str,
        question: str,
        *,
        asked_at_s: float,
        settings: Mapping[str, object] | None = None,
        sources: Sequence[str] = (),
        target: str = "",
        draft: str = "",
        target_sha256: str = "",
        draft_sha256: str = "",
        backend: str = "",
        seed: int = 0,
    ) -> None:
        """Write down a question when it is asked; it survives the death of the program.

        Arguments:
            answer_id: the caller's name for it, unique.
            asked_at_s: seconds since 1970 (UTC).
            settings: whatever was in force and JSON can hold.
            target, draft: model file names, with their SHA-256 digests.

        Raises:
            AppError: it could not be written.
        """
        row = {
            "id": answer_id,
            "question": question,
            "asked_at_s": asked_at_s,
            "settings": json.dumps(dict(settings or {}), ensure_ascii=False, default=str),
            "sources": json.dumps(list(sources), ensure_ascii=False),
            "target": target,
            "draft": draft,
            "target_sha256": target_sha256,
            "draft_sha256": draft_sha256,
            "backend": backend,
            "seed": seed,
        }
        with in_words(self._words_path), self._db.atomic():
            self._table("answers").insert(row)

    def finish(
        self,
        answer: AnswerLike,
        *,
        settings: Mapping[str, object] | None = None,
        sources: Sequence[str] | None = None,
        target_sha256: str | None = None,
        draft_sha256: str | None = None,
        plan: str = "",
        finished_at_s: float | None = None,
    ) -> None:
        """Write down how an answer ended, with its cited lines.

        An answer that was never begun (the disk was full then) is written whole. What is None
        stays as ``begin`` wrote it.

        Raises:
            AppError: it could not be written; nothing of it is.
        """
        row: dict[str, object] = {
            "id": answer.id,
            "question": answer.question,
            "asked_at_s": answer.asked_at_s,
            "target": answer.target,
            "draft": answer.draft,
            "backend": answer.backend,
            "seed": answer.seed,
            "finish": str(answer.finish),
            "finished_at_s": time.time() if finished_at_s is None else finished_at_s,
            "text": answer.text,
            "abstained": int(answer.abstained),
            "ttft_ms": answer.ttft_ms,
            "prefill_tokens": answer.prefill_tokens,
            "answer_tokens": answer.answer_tokens,
            "tokens_per_s": answer.tokens_per_s,
            "plan": plan,
        }
        if settings is not None:
            row["settings"] = json.dumps(dict(settings), ensure_ascii=False, default=str)
        if sources is not None:
            row["sources"] = json.dumps(list(sources), ensure_ascii=False)
        if target_sha256 is not None:
            row["target_sha256"] = target_sha256
        if draft_sha256 is not None:
            row["draft_sha256"] = draft_sha256
        cited = [
            {
                "answer_id": answer.id,
                "position": position,
                "source": citation.source,
                "line": citation.line,
                "text": citation.text,
            }
            for position, citation in enumerate(answer.citations)
        ]
        with in_words(self._words_path), self._db.atomic():
            # Not sqlite-utils' upsert: on a full disk it falls back to INSERT OR IGNORE, which
            # swallows the failure.
            names = ", ".join(row)
            marks = ", ".join(f":{name}" for name in row)
            changes = ", ".join(f"{name} = excluded.{name}" for name in row if name != "id")
            self._db.execute(
                f"insert into answers ({names}) values ({marks})"
                f" on conflict (id) do update set {changes}",
                row,
            )
            self._table("citations").delete_where("answer_id = ?", [answer.id])
            if cited:
                self._table("citations").insert_all(cited)

    def mark_interrupted(self) -> int:
        """Mark what was begun and never finished; call it once at the start.

        Returns:
            how many answers the end of the program had cut off.
        """
        with in_words(self._words_path), self._db.atomic():
            cursor = self._db.execute(
                "update answers set finish = ? where finish is null", [INTERRUPTED]
            )
            return cursor.rowcount

    def recent(self, limit: int = 200, search: str = "") -> list[HistoryRow]:
        """The newest questions first.

        Arguments:
            limit: most rows.
            search: text that question or answer must contain, taken literally; case of Latin
                letters does not matter. Empty for all.
        """
        where, parameters = "", []
        if search:
            escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            where = "where question like ? escape '\\' or text like ? escape '\\'"
            parameters = [f"%{escaped}%"] * 2
        sql = (
            "select id, question, text, finish, abstained, asked_at_s from answers "
            f"{where} order by asked_at_s desc, rowid desc limit ?"
        )
        with in_words(self._words_path):
            rows = list(self._db.query(sql, [*parameters, limit]))
        return [
            HistoryRow(
                id=row["id"],
                question=row["question"],
                text=row["text"] or "",
                finish=row["finish"] or "",
                abstained=bool(row["abstained"]),
                asked_at_s=row["asked_at_s"],
            )
            for row in rows
        ]

    def load(self, answer_id: str) -> StoredAnswer:
        """Everything kept about one question.

        Raises:
            KeyError: there is no such answer.
            AppError: the file could not be read.
        """
        with in_words(self._words_path):
            try:
                row = self._table("answers").get(answer_id)
            except NotFoundError:
                raise KeyError(answer_id) from None
            cited = tuple(
                StoredCitation(cite["source"], cite["line"], cite["text"])
                for cite in self._table("citations").rows_where(
                    "answer_id = ?", [answer_id], order_by="position"
                )
            )
        return _stored(row, cited)

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it; twice is fine."""
        self._db.close()

    def _table(self, name: str) -> Table:
        return cast(Table, self._db[name])


def open_history(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> History:
    """Open the history; where the machine does not let it, keep this run's answers in memory.

    The console must start with any database. ``History.notice`` says what happened.
    """
    try:
        return History(path, busy_timeout_ms=busy_timeout_ms)
    except AppError as error:
        log.warning("history kept in memory: %s", error)
        history = History(None)
        history.notice = HistoryNotice(
            error.message_template, error.hint_template, tuple(error.values.items())
        )
        return history
    except sqlite3.Error as error:
        # A database of somebody else's, a file system without locks: whatever it is, the console
        # starts, and the file stays as it is.
        log.exception("the history could not be opened")
        history = History(None)
        history.notice = HistoryNotice(
            "The history in {path} cannot be used: {reason}.",
            "New answers are kept only while the program runs. Move the file away to begin anew.",
            (("path", path), ("reason", error)),
        )
        return history


def _open(path: Path | None, busy_timeout_ms: int) -> Database:
    """Connect, check, migrate; the connection is closed again when any of it fails."""
    if path is None:
        connection = sqlite3.connect(":memory:")
    else:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AppError(
                "The folder of the history, {folder}, cannot be made: {reason}.",
                "See that it can be written; until then new answers are not kept.",
                folder=path.parent,
                reason=error.strerror or error,
            ) from error
        connection = sqlite3.connect(path, timeout=busy_timeout_ms / 1_000)
    try:
        db = Database(connection, execute_plugins=False)
        # First of all, before anything is written: a newer program's file stays untouched.
        _refuse_newer(db, path)
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = normal")
        db.execute("pragma foreign_keys = on")
        _check(db)
        MIGRATIONS.apply(db)
        if db.execute("pragma user_version").fetchone()[0] != SCHEMA_MAJOR:
            db.execute(f"pragma user_version = {SCHEMA_MAJOR}")
    except BaseException:
        connection.close()
        raise
    return db


def _check(db: Database) -> None:
    """Find damage now, while the file can be set aside, rather than at some later question."""
    verdict = db.execute("pragma quick_check(1)").fetchone()[0]
    if verdict != "ok":
        damage = sqlite3.DatabaseError(verdict)
        damage.sqlite_errorname = "SQLITE_CORRUPT"
        raise damage


def _refuse_newer(db: Database, path: Path | None) -> None:
    found = db.execute("pragma user_version").fetchone()[0]
    if found > SCHEMA_MAJOR:
        raise AppError(
            "The history in {path} was written by a newer version of Anchorline"
            " (format {found}, this one knows {known}).",
            "Use the newer version, or move the file away; it has not been changed.",
            path=path,
            found=found,
            known=SCHEMA_MAJOR,
        )


def _set_aside(path: Path) -> Path:
    """Rename a damaged database, its log included, to a name that tells when.

    Raises:
        AppError: it cannot be renamed.
    """
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    stem = f"{path.stem}.damaged-{stamp}"
    target, count = path.with_name(stem + path.suffix), 1
    while target.exists():
        count += 1
        target = path.with_name(f"{stem}-{count}{path.suffix}")
    try:
        for companion in _COMPANIONS:
            part = path.with_name(path.name + companion)
            if part.exists():
                part.rename(target.with_name(target.name + companion))
    except OSError as error:
        raise AppError(
            "The history in {path} is damaged and cannot be set aside: {reason}.",
            "Move the file away by hand, then start Anchorline again.",
            path=path,
            reason=error.strerror or error,
        ) from error
    return target


def _stored(row: Mapping[str, Any], cited: tuple[StoredCitation, ...]) -> StoredAnswer:
    return StoredAnswer(
        id=row["id"],
        question=row["question"],
        text=row["text"] or "",
        abstained=bool(row["abstained"]),
        citations=cited,
        finish=row["finish"] or "",
        asked_at_s=row["asked_at_s"],
        ttft_ms=row["ttft_ms"] or 0.0,
        prefill_tokens=row["prefill_tokens"] or 0,
        answer_tokens=row["answer_tokens"] or 0,
        tokens_per_s=row["tokens_per_s"] or 0.0,
        target=row["target"] or "",
        draft=row["draft"] or "",
        backend=row["backend"] or "",
        seed=row["seed"] or 0,
        target_sha256=row["target_sha256"] or "",
        draft_sha256=row["draft_sha256"] or "",
        sources=tuple(json.loads(row["sources"] or "[]")),
        settings=json.loads(row["settings"] or "{}"),
        plan=row["plan"] or "",
        finished_at_s=row["finished_at_s"] or 0.0,
    )
