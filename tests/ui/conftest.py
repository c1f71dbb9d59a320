"""Fixtures of the console's tests: a window on a fake session, offscreen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import qasync
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui import i18n, theme
from app.ui.application import make_application
from app.ui.controller import Controller
from app.ui.window.main_window import MainWindow
from tests.ui.fakes import FakeSession

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says of every window that it has no window manager."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(
                pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
            )


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> Iterator[QApplication]:
    """Our fonts, the night theme and English, whatever a test before has changed."""
    if not qapp.styleSheet():
        make_application("night", "en")
    yield qapp
    if i18n.language() != "en":
        i18n.set_language("en")
    if theme.name() != "night":
        theme.apply(qapp, "night")


@dataclass
class Bench:
    """A window and the session behind it."""

    controller: Controller
    session: FakeSession

    @property
    def window(self) -> MainWindow:
        return self.controller.window


@pytest.fixture
def bench(application: QApplication, qtbot: QtBot) -> Iterator[Bench]:
    """A shown window of 1280x800 on a fresh session."""
    controller = Controller(application)
    session = FakeSession()
    window = controller.window
    window.resize(1280, 800)
    controller.attach(session)
    with qtbot.waitExposed(window):
        window.show()
    yield Bench(controller, session)
    controller.detach()
    window.close_now()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


Run = Callable[[Coroutine[None, None, None]], None]


@pytest.fixture
def run(application: QApplication) -> Iterator[Run]:
    """Runs a coroutine on Qt's loop; inside it wait with ``until``, never with a nested loop."""
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)

    def work(coroutine: Coroutine[None, None, None]) -> None:
        loop.run_until_complete(asyncio.wait_for(coroutine, 20))

    yield work
    loop.close()
    asyncio.set_event_loop(None)


async def until(condition: Callable[[], bool]) -> None:
    """Let events pass until a condition holds."""
    while not condition():
        await asyncio.sleep(0.005)
