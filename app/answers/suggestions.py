"""Questions worth a tap, made from what is in the log now."""

from __future__ import annotations

import re

from app.stream.records import Severity
from app.stream.store import LogStore
from app.stream.templates import Template

_MOST = 4
_LEAST_WORDS = 2
_PHRASE_CHARS = 60
_EDGES = " :,;=[](){}<>|-%/.\"'“”"
_WORDING = {
    "en": {
        "last": "When did “{phrase}” last appear?",
        "count": "How many lines say “{phrase}”?",
        "summary": "What is going on in this log?",
        "errors": "Which errors occurred last?",
    },
    "zh_CN": {
        "last": "“{phrase}”最后一次出现是什么时候？",
        "count": "有多少行出现“{phrase}”？",
        "summary": "这份日志里主要发生了什么？",
        "errors": "最近出现了哪些错误？",
    },
}


def suggest(store: LogStore, language: str) -> tuple[str, ...]:
    """At most four questions, the most useful first; none for an empty log.

    Arguments:
        store: the log.
        language: ``en`` or ``zh_CN``.
    """
    if not len(store):
        return ()
    words = _WORDING.get(language, _WORDING["en"])
    known = [(template, _phrase(template)) for template in store.templates().values()]
    worst = sorted(
        (item for item in known if item[1] and item[0].severity >= Severity.WARNING),
        key=lambda item: (-item[0].severity, -item[0].last_index),
    )
    questions = []
    if worst:
        questions.append(words["last"].format(phrase=worst[0][1]))
        if worst[0][0].severity >= Severity.ERROR:
            questions.append(words["errors"])
        repeated = max(worst, key=lambda item: item[0].count)
        if repeated[0].count > 1:
            questions.append(words["count"].format(phrase=repeated[1]))
    questions.append(words["summary"])
    return tuple(dict.fromkeys(questions))[:_MOST]


def _phrase(template: Template) -> str:
    """The longest run of constant words: lines of this kind contain it letter by letter."""
    runs = (run.strip(_EDGES) for run in re.split(r"\S*<\*>\S*", template.text))
    longest = max(runs, key=len, default="")
    cut = longest[:_PHRASE_CHARS].rsplit(" ", 1)[0] if len(longest) > _PHRASE_CHARS else longest
    wide = any("\u4e00" <= character <= "\u9fff" for character in cut)
    words = sum(any(character.isalpha() for character in word) for word in cut.split())
    return cut if wide or words >= _LEAST_WORDS else ""
