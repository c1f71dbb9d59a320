"""``anchorline``: the console, on a screen or, for a demonstration, without one."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from app.commands.demo_feed import DemoFeed
from app.commands.setup import engine_sizes, load_settings, open_program_log
from app.config import Paths
from app.demo import demo_questions
from app.engine.messages import EnginePhase, EngineState
from app.errors import AppError, UsageError
from app.session import Session, SessionEvent
from app.ui.application import Console, run_console
from app.ui.unattended import first_answer

EXIT_OK = 0
EXIT_ERROR = 2

_DEMO_PATIENCE_S = 900.0
_SETTLED = (EnginePhase.READY, EnginePhase.FAILED)


def run(arguments: argparse.Namespace) -> int:
    """Show the console until it is closed; the exit code."""
    paths = Paths.default()
    open_program_log(paths)
    settings = load_settings(arguments, paths)
    sizes = engine_sizes(arguments, settings)
    offscreen = bool(arguments.offscreen_demo)
    if offscreen:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    elif not _has_display():
        raise AppError(
            "There is no display here (DISPLAY and WAYLAND_DISPLAY are empty).",
            "Start it on a machine with a screen, or see it work with: "
            "anchorline --demo --offscreen-demo.",
        )
    with_demo = arguments.demo or offscreen
    feeds: list[DemoFeed] = []
    language = arguments.language or settings.language

    def make_session() -> Session:
        session = Session(
            paths=paths,
            settings=settings,
            sizes=sizes,
            pinned_questions=demo_questions if with_demo else lambda _language: (),
        )
        if with_demo:
            demo = DemoFeed(paths, arguments.demo_seed, session.report)
            feeds.append(demo)
            demo.start()
            session.add_file(demo.path, must_exist=False)
        if arguments.fetch:
            session.when_started(lambda: session.fetch_models(arguments.fetch))
        return session

    screenshot = arguments.screenshot
    if offscreen and screenshot is None:
        screenshot = paths.state / "demo" / "console.png"
    try:
        code = run_console(
            make_session,
            files=arguments.files,
            theme_name=arguments.theme or settings.theme,
            language=language,
            size=_size(arguments.size),
            screenshot_path=screenshot,
            drive=_offscreen_demo if offscreen else None,
        )
    finally:
        for feed in feeds:
            feed.stop()
    if offscreen and code == EXIT_OK:
        print(f"\nThe window as it was: {screenshot}")
        print("On a machine with a screen: make run, or anchorline --demo")
    return code


def _has_display() -> bool:
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if sys.platform != "linux" or chosen.partition(":")[0] in ("offscreen", "minimal", "vnc"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise UsageError(
            'The size "{text}" is not understood.',
            "Give WIDTHxHEIGHT, such as 1280x800.",
            text=text,
        ) from None
    return width, height


async def _offscreen_demo(console: Console) -> int:
    """Wait for model and log, then ask the first suggested question through the window."""
    session = console.session
    assert isinstance(session, Session)
    engine_settled = asyncio.Event()

    def watch(event: SessionEvent) -> None:
        if isinstance(event, EngineState) and event.phase in _SETTLED:
            engine_settled.set()

    unsubscribe = session.subscribe(watch)
    print("The console runs offscreen on the simulated inspection line; loading the model …")
    try:
        async with asyncio.timeout(_DEMO_PATIENCE_S):
            await engine_settled.wait()
            if session.engine_failed:
                return EXIT_ERROR
            print(f"The {session.profile} profile answers. It reads the log so far …", flush=True)
            await session.wait_current()
            return await first_answer(console)
    finally:
        unsubscribe()
