"""Questions about logs of many layouts are answered, or refused, by code alone."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

from app.answers.computed import answer_by_code
from app.stream.store import LogStore
from tests.answers.asked import CASES, Case
from tests.answers.asked_more import MORE_CASES
from tests.answers.hits import holds
from tests.answers.logs import store_of
from tests.answers.more_samples import MORE_SAMPLES
from tests.answers.samples import SAMPLES

LOGS = SAMPLES | MORE_SAMPLES
EVERY = CASES + MORE_CASES


@lru_cache
def store(log: str) -> LogStore:
    return store_of(LOGS[log](), log)


@pytest.mark.parametrize("case", EVERY, ids=lambda case: f"{case.log}: {case.question}")
def test_question(case: Case) -> None:
    answer = answer_by_code(store(case.log), case.question)
    if case.must is None:
        assert answer.abstained, answer.text
        assert answer.citations == ()
        return
    assert not answer.abstained, answer.text
    for group in case.must:
        assert any(holds(answer.text, value) for value in group), (group, answer.text)
    texts = [citation.text for citation in answer.citations]
    assert any(re.search(case.cited, text) for text in texts), texts


@pytest.mark.parametrize("log", LOGS)
def test_every_cited_line_says_what_it_is_cited_with(log: str) -> None:
    held = store(log)
    for case in EVERY:
        if case.log != log:
            continue
        for citation in answer_by_code(held, case.question).citations:
            index = held.index_of(citation.source, citation.line)
            assert index is not None
            assert held.record(index).text == citation.text
