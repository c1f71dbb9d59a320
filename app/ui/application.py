"""Runs the console: Qt application, asyncio on Qt's loop, orderly start and end."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import qasync
from PySide6.QtCore import (
    QMessageLogContext,
    QSocketNotifier,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from app.answers.messages import Notice
from app.errors import AppError
from app.ui import fonts, i18n, icons, theme
from app.ui.controller import Controller
from app.ui.session_api import SessionLike
from app.ui.window.main_window import MainWindow

log = logging.getLogger(__name__)
qt_log = logging.getLogger("anchorline.qt")

EXIT_OK: Final = 0
EXIT_FAILED: Final = 2

CLOSE_TIMEOUT_S: Final = 40.0
"""Longest wait for the session to end; then the program ends all the same.

Longer than the session waits for its engine.
"""


class Console:
    """A running console, as an unattended driver sees it."""

    def __init__(self, controller: Controller, session: SessionLike) -> None:
        self.controller = controller
        self.session = session

    @property
    def window(self) -> MainWindow:
        """The window."""
        return self.controller.window

    def ask(self, question: str) -> None:
        """Ask as the operator would: through the question bar."""
        bar = self.window.conversation.bar
        bar.field.setText(question)
        bar.ask()


Drive = Callable[[Console], Awaitable[int]]
"""Uses the console in place of an operator; its result is the exit code."""


def make_application(theme_name: str = "auto", language: str = "auto") -> QApplication:
    """The process's QApplication with our fonts, theme and language; made once."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        app = existing
    else:
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
            Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
        )
        app = QApplication(sys.argv[:1])
    app.setApplicationName("anchorline")
    app.setApplicationDisplayName("Anchorline")
    app.setDesktopFileName("anchorline")
    app.setStyle("Fusion")
    app.setWindowIcon(icons.application_icon())
    # The loop ends when everything is shut down, not when the window is gone.
    app.setQuitOnLastWindowClosed(False)
    fonts.load()
    i18n.set_language(language)
    theme.measure(app.primaryScreen())
    theme.apply(app, theme_name)
    return app


def run_console(
    make_session: Callable[[], SessionLike],
    *,
    files: Sequence[Path] = (),
    theme_name: str = "auto",
    language: str = "auto",
    size: tuple[int, int] | None = None,
    screenshot_path: Path | None = None,
    drive: Drive | None = None,
) -> int:
    """Show the console until it is closed; returns the process's exit code.

    The window is on the screen before the session is made, so that models may load behind it.

    Arguments:
        make_session: called on the loop's thread once the window is shown. An AppError it raises
            is said in the window, which stays open.
        files: log files to follow from the start.
        theme_name: ``auto``, ``night``, ``day`` or ``contrast``.
        language: ``auto``, ``en`` or ``zh_CN``.
        size: width and height of the window in logical pixels; None fits it to the screen.
        screenshot_path: a PNG of the window is written there when ``drive`` returns, or when the
            operator closes it.
        drive: uses the console in place of an operator; the console closes when it returns. An
            AppError or a TimeoutError it raises is one line on standard error and the code 2.
    """
    before = qInstallMessageHandler(_log_qt_message)
    try:
        return _run_on_qt(
            make_application(theme_name, language),
            lambda app: _run(app, make_session, files, size, screenshot_path, drive),
        )
    finally:
        qInstallMessageHandler(before)


def _run_on_qt(
    app: QApplication, work: Callable[[QApplication], Coroutine[None, None, int]]
) -> int:
    """Run a coroutine on an asyncio loop of its own that is Qt's."""
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    try:
        with loop:
            code: int = loop.run_until_complete(work(app))
            return code
    finally:
        asyncio.set_event_loop(None)


async def _run(
    app: QApplication,
    make_session: Callable[[], SessionLike],
    files: Sequence[Path],
    size: tuple[int, int] | None,
    screenshot_path: Path | None,
    drive: Drive | None,
) -> int:
    controller = Controller(app)
    window = controller.window
    _fit(window, size)
    closing = asyncio.Event()
    window.close_wanted.connect(closing.set)
    with _signals(closing):
        # Whatever happens: threads that still run in native code at exit would crash there.
        try:
            window.show()
            window.conversation.bar.field.setFocus()
            await asyncio.sleep(0)  # paint once before anything is loaded
            session = await _start(controller, make_session, files)
            code = await _use(controller, session, closing, drive)
            if screenshot_path is not None:
                render_screenshot(window, screenshot_path)
        except AppError as error:
            code = _fail(error)
        except TimeoutError:
            log.exception("the console was not used to its end")
            code = _fail(
                AppError(
                    "The console was closed because its task took too long.",
                    "The program's log file says more.",
                )
            )
        finally:
            await _stop(controller)
    return code


async def _use(
    controller: Controller,
    session: SessionLike | None,
    closing: asyncio.Event,
    drive: Drive | None,
) -> int:
    """Wait until the driver has done or the operator closes the window; the exit code."""
    if drive is None:
        await closing.wait()
        return EXIT_OK
    if session is None:
        return EXIT_FAILED
    return await _until_closed(closing, drive(Console(controller, session)))


def _fail(error: AppError) -> int:
    """Say in one line what a person can mend; the exit code."""
    words = (
        i18n.sentence(error.message_template, error.values),
        i18n.sentence(error.hint_template, error.values),
    )
    sys.stderr.write(f"anchorline: {' '.join(part for part in words if part)}\n")
    return EXIT_FAILED


async def _start(
    controller: Controller, make_session: Callable[[], SessionLike], files: Sequence[Path]
) -> SessionLike | None:
    try:
        session = make_session()
        controller.attach(session)
        await session.start()
    except AppError as error:
        controller.post(Notice.of(error, "critical"))
        return controller.session
    controller.open_files(files)
    return session


async def _until_closed(closing: asyncio.Event, work: Awaitable[int]) -> int:
    """Result of the driver, or 130 when the window is closed under it."""
    driver = asyncio.ensure_future(work)
    closed = asyncio.ensure_future(closing.wait())
    await asyncio.wait((driver, closed), return_when=asyncio.FIRST_COMPLETED)
    closed.cancel()
    if driver.done():
        return driver.result()
    driver.cancel()
    await asyncio.gather(driver, return_exceptions=True)
    return 130


async def _stop(controller: Controller) -> None:
    """Hide the window at once, end the session, then the window's own threads."""
    controller.window.hide()
    controller.detach()
    session = controller.session
    try:
        if session is not None:
            await asyncio.wait_for(session.close(), CLOSE_TIMEOUT_S)
    except TimeoutError:
        log.error("the session did not end within %s s", CLOSE_TIMEOUT_S)
    finally:
        controller.window.close_now()


def _log_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """What Qt has to say belongs in the program's log, unless it is Qt's last word."""
    if kind is QtMsgType.QtFatalMsg:
        qt_log.critical("%s", text)
        sys.stderr.write(f"{text}\n")
    elif kind is QtMsgType.QtCriticalMsg:
        qt_log.error("%s", text)
    else:
        qt_log.info("%s", text)


def _fit(window: QWidget, size: tuple[int, int] | None) -> None:
    """Take the size asked for, the whole of a terminal's screen, or a part of a desktop's."""
    if size is not None:
        window.resize(*size)
        return
    screen = QGuiApplication.primaryScreen()
    if screen is None or QGuiApplication.platformName() in ("offscreen", "minimal"):
        window.resize(1280, 800)
        return
    room = screen.availableGeometry().size()
    if room.width() <= 1366 or room.height() <= 800:
        window.resize(room)
        window.setWindowState(Qt.WindowState.WindowMaximized)
    else:
        window.resize(room * 0.8)


@contextmanager
def _signals(closing: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM close the console in order while Qt's loop runs.

    Python runs its handlers only between byte codes, and Qt's loop may sleep in native code for
    long: the signal's number is written to a socket that Qt watches, which wakes it up.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    reader.setblocking(False)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    def woken() -> None:
        reader.recv(64)
        closing.set()

    notifier.activated.connect(woken)
    wanted = (signal.SIGINT, signal.SIGTERM)
    before_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    before = {number: signal.signal(number, lambda *_: None) for number in wanted}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before_fd)
        notifier.setEnabled(False)
        notifier.deleteLater()
        reader.close()
        writer.close()


def render_screenshot(window: QWidget, path: Path) -> None:
    """Write a picture of a window as PNG.

    Raises:
        AppError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written = window.grab().save(str(path), "PNG")
    except OSError:
        written = False
    if not written:
        raise AppError(
            "Cannot write the screenshot to {path}.",
            "Choose a folder that may be written to and has room left.",
            path=path,
        )
