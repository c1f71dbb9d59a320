"""Questions made from what is in the log."""

from __future__ import annotations

import pytest

from app.answers.composing import prepare
from app.answers.suggestions import suggest

from .logs import store_of

LOG = """\
2026-11-30 08:00:01 INFO  gateway: heartbeat ok
2026-11-30 08:00:09 WARN  plc-3: encoder ENC-3 slip 6.0 %, limit 3.0 %
2026-11-30 08:00:10 WARN  plc-3: encoder ENC-3 slip 7.5 %, limit 3.0 %
2026-11-30 08:00:12 ERROR plc-3: line 3 stopped: jam at station S3-07
2026-11-30 08:00:15 WARN  plc-3: 3 % > 2
"""


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_suggestion_can_be_answered(language: str) -> None:
    store = store_of(LOG)
    questions = suggest(store, language)
    assert 1 <= len(questions) <= 4
    assert len(set(questions)) == len(questions)
    for question in questions:
        assert not prepare(store, question, 200).abstained, question


def test_phrases_are_words_not_scraps() -> None:
    joined = " ".join(suggest(store_of(LOG), "en"))
    assert "jam at station" in joined
    assert "“%" not in joined
    assert "limit”" not in joined


def test_an_empty_log_suggests_nothing() -> None:
    assert suggest(store_of(""), "en") == ()
