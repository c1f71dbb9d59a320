"""Questions and answers come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.history.store import History
from tests.history.helpers import ANSWER, answer


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "data" / "history.sqlite")


def test_an_answer_comes_back_with_all_that_was_known(history: History) -> None:
    history.begin(
        ANSWER.id,
        ANSWER.question,
        asked_at_s=ANSWER.asked_at_s,
        settings={"temperature": 0.0, "language": "zh_CN"},
        sources=["line3.log", "线路.log"],
        target_sha256="ab" * 32,
        draft_sha256="cd" * 32,
    )
    history.finish(ANSWER, plan="counted lines matching “停机”", finished_at_s=1_780_000_003.0)
    stored = history.load(ANSWER.id)
    for name in ("question", "text", "asked_at_s", "ttft_ms", "prefill_tokens", "answer_tokens"):
        assert getattr(stored, name) == getattr(ANSWER, name)
    for name in ("tokens_per_s", "target", "draft", "backend", "seed", "abstained"):
        assert getattr(stored, name) == getattr(ANSWER, name)
    assert stored.finish == "complete"
    assert [(c.source, c.line, c.text) for c in stored.citations] == [
        (c.source, c.line, c.text) for c in ANSWER.citations
    ]
    assert stored.settings == {"temperature": 0.0, "language": "zh_CN"}
    assert stored.sources == ("line3.log", "线路.log")
    assert (stored.target_sha256, stored.draft_sha256) == ("ab" * 32, "cd" * 32)
    assert stored.plan == "counted lines matching “停机”"
    assert stored.finished_at_s == 1_780_000_003.0


def test_an_unknown_answer_is_a_key_error(history: History) -> None:
    with pytest.raises(KeyError):
        history.load("never asked")


def test_answers_survive_closing(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    first = History(path)
    first.finish(ANSWER)
    first.close()
    first.close()
    assert History(path).load("a1").text == ANSWER.text


def test_an_answer_finished_twice_keeps_only_its_last_citations(history: History) -> None:
    history.finish(ANSWER)
    history.finish(answer("a1", text="shorter"))
    assert history.load("a1").text == "shorter"
    assert len(history.load("a1").citations) == len(ANSWER.citations)
    assert len(history.recent()) == 1


def test_the_list_is_newest_first_and_limited(history: History) -> None:
    for number in range(5):
        history.finish(answer(f"a{number}", at_s=float(number)))
    assert [row.id for row in history.recent(3)] == ["a4", "a3", "a2"]


def test_a_question_without_an_answer_is_listed(history: History) -> None:
    history.begin("q", "why?", asked_at_s=2.0)
    (row,) = history.recent()
    assert (row.question, row.text, row.finish) == ("why?", "", "")


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("停机", {"zh"}),
        ("PRESSURE", {"en"}),
        ("100%", {"percent"}),
        ("a_b", {"underscore"}),
        ("\\", {"backslash"}),
        ("nowhere", set()),
        ("", {"zh", "en", "percent", "underscore", "backslash", "plain"}),
    ],
)
def test_search_takes_the_text_literally(history: History, search: str, found: set[str]) -> None:
    history.finish(answer("zh", "3号线为什么停机？"))
    history.finish(answer("en", text="pressure low"))
    history.finish(answer("percent", text="valve at 100% open"))
    history.finish(answer("underscore", text="tag a_b"))
    history.finish(answer("backslash", text="C:\\logs"))
    history.finish(answer("plain", "1000 axb"))
    assert {row.id for row in history.recent(search=search)} == found


def test_hostile_text_is_only_text(history: History) -> None:
    text = "'); drop table answers; --\x1b[31m \u202e {path} <b>x</b> \ud83d\ude00"
    text = text.encode("utf-16", "surrogatepass").decode("utf-16")
    history.finish(answer("a", question=text, text=text))
    assert history.load("a").question == text
    assert [row.text for row in history.recent(search="'); drop")] == [text]


def test_what_was_not_finished_is_marked_interrupted_once(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path)
    history.begin("cut", "why?", asked_at_s=1.0)
    history.finish(answer("done"))
    history.close()
    again = History(path)
    assert again.mark_interrupted() == 1
    assert again.mark_interrupted() == 0
    assert again.load("cut").finish == "interrupted"
    assert again.load("done").finish == "complete"
