"""The window's tests speak to a session that takes what the real one takes."""

from __future__ import annotations

import inspect

import pytest

from app.session import Session
from app.session.history_link import HistoryLink
from app.stream.store import LogStore
from app.ui.session_api import HistoryLike, SessionLike, StoreLike
from tests.ui.fakes import FakeHistory, FakeSession


@pytest.mark.parametrize(
    ("wanted", "offered"),
    [
        (SessionLike, Session),
        (SessionLike, FakeSession),
        (HistoryLike, HistoryLink),
        (HistoryLike, FakeHistory),
        (StoreLike, LogStore),
    ],
)
def test_what_the_window_calls_is_there_with_the_same_arguments(
    wanted: type, offered: type
) -> None:
    methods = {
        name: method
        for name, method in inspect.getmembers(wanted, inspect.isfunction)
        if name == "__len__" or not name.startswith("_")
    }
    assert methods
    for name, method in methods.items():
        theirs = getattr(offered, name)
        assert inspect.iscoroutinefunction(theirs) is inspect.iscoroutinefunction(method), name
        needed = inspect.signature(method).parameters.values()
        given = inspect.signature(theirs).parameters
        for parameter in needed:
            assert parameter.name in given, (name, parameter.name)
            assert given[parameter.name].default == parameter.default, (name, parameter.name)
