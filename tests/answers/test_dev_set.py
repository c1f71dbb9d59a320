"""The shared questions about public logs, by code alone; skipped where they are not at hand."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from app.answers.computed import answer_by_code
from tests.answers.logs import store_of_file

SHARED = Path(__file__).resolve().parents[3] / "shared"
QUESTIONS = SHARED / "qa" / "dev.jsonl"
LOGS = SHARED / "logs" / "loghub"


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", SHARED / "qa" / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not QUESTIONS.exists(), reason="the shared questions are not here")
def test_the_shared_questions_are_answered_with_the_right_values_and_lines() -> None:
    items = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    stores = {log: store_of_file(LOGS / log) for log in {item["log"] for item in items}}
    results = []
    for item in items:
        answer = answer_by_code(stores[item["log"]], item["question"])
        results.append(
            {
                "id": item["id"],
                "answer": answer.text,
                "abstained": answer.abstained,
                "citations": [{"source": c.source, "line": c.line} for c in answer.citations],
            }
        )
    total = scorer().score(items, results)
    failing = [row["item"]["id"] for row in total["rows"] if not row["value"]]
    assert total["values"] >= 95, failing
    assert total["citations"] >= 95
    assert total["absent"] >= 95
    assert total["exist"] == total["n"]
