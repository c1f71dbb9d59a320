"""Show the console on made-up data, or write pictures of it: ``python -m tests.ui.preview --help``.

With ``--shots FOLDER`` every size, theme and language is written as PNG; without it the window
stays open on the fake session.
"""

from __future__ import annotations

import argparse
import asyncio
import math
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.answers.messages import (
    AnswerPrefill,
    AnswerStarted,
    AnswerText,
    Citation,
    Notice,
    SourceStatus,
)
from app.engine.messages import (
    CacheOccupancy,
    EnginePhase,
    EngineState,
    FinishReason,
    MemoryUse,
    Telemetry,
)
from app.stream.records import Severity
from app.ui import theme
from app.ui.application import Console, render_screenshot, run_console
from tests.ui.fakes import DRAFT, TARGET, FakeSession, answer, demo_records

SIZES = ((1280, 800), (1024, 600), (800, 1280), (1920, 1080))
SUGGESTIONS = {
    "en": ("Why did line 3 stop?", "What was E204 about?", "Is drive M4 getting hotter?"),
    "zh_CN": ("3号线为什么停机？", "E204 是什么报警？", "M4 驱动器温度在升高吗？"),
}


def telemetry(step: int = 60) -> Telemetry:
    """Figures of a healthy engine with a full window."""
    return Telemetry(
        cache=CacheOccupancy(
            capacity_tokens=3072, sink_tokens=212, window_tokens=1980, asking_tokens=318,
            window_limit_tokens=2048, write_head=212 + 640, bytes_per_token=28_672,
            evicted_tokens=18_400,
        ),
        memory=MemoryUse(1_412_000_000, 0, 1_500_000_000, 1_117_000_000, 88_000_000),
        perplexity=3.2 + 0.5 * math.sin(step / 7) + 0.2 * math.sin(step / 2.3),
        perplexity_tokens=512,
        ingest_tokens_per_s=81.4,
        decode_tokens_per_s=23.4,
        ttft_ms=412,
    )  # fmt: skip


def tell(session: FakeSession, lines: int) -> None:
    """Bring a fresh session to the state of a normal working day."""
    session.emit(EngineState(EnginePhase.READY, TARGET, DRAFT, "mainline", 1.0))
    session.append(list(demo_records(lines)))
    session.emit(SourceStatus("line3.log", "following", lines))
    session.emit(SourceStatus("OpenSSH.log", "ended", 2000))


def cite(session: FakeSession, least: Severity, count: int) -> tuple[Citation, ...]:
    """The newest lines of a severity or worse."""
    store = session.store
    levels = store.severities(0, len(store))
    found = [index for index in range(len(store)) if levels[index] >= least][-count:]
    return tuple(
        Citation(item.source, item.number, item.text)
        for item in (store.record(index) for index in found)
    )


async def drive(console: Console, folder: Path, tag: str, *, quick: bool) -> int:
    """Walk through the states and write a picture of each."""
    session = console.session
    assert isinstance(session, FakeSession)
    window = console.window
    chinese = session.language == "zh_CN"
    session.suggestions = SUGGESTIONS[session.language]
    window.conversation.set_suggestions(session.suggestions)

    async def shot(name: str) -> None:
        for _ in range(4):
            await asyncio.sleep(0.15)
        render_screenshot(window, folder / f"{tag}-{name}.png")

    if not quick:
        await shot("0-start")
    tell(session, 2000)
    for step in range(80):
        session.emit(telemetry(step))
        await asyncio.sleep(0.11)
    if not quick:
        await shot("1-live")
    now = datetime.now().timestamp()
    console.ask(SUGGESTIONS[session.language][0])
    first = replace(
        answer("a1"),
        question=SUGGESTIONS[session.language][0],
        text=(
            "3号线停机是因为 M4 驱动器过热跳闸（F0030），此前 2 号门的光幕被触发（E204）。"
            if chinese
            else "Line 3 stopped because drive M4 tripped on overtemperature (F0030), after the"
            " light curtain at gate 2 was broken (E204)."
        ),
        citations=cite(session, Severity.ERROR, 3),
        asked_at_s=now,
    )
    session.write_answer(first, first.text.split(" "))
    await shot("2-answered")
    citation = first.citations[-1]
    console.controller.show_citation(citation)
    console.ask("昨晚谁换了夜班？" if chinese else "Who relieved the night shift yesterday?")
    session.write_answer(
        replace(
            answer("a2"),
            question="昨晚谁换了夜班？" if chinese else "Who relieved the night shift yesterday?",
            text="日志里没有关于换班的记录。"
            if chinese
            else "The log does not say who relieved the night shift.",
            abstained=True,
            citations=(),
            asked_at_s=now,
        )
    )
    window.header.engine.setChecked(True)
    console.ask("E204")
    session.emit(AnswerPrefill("a3", 96, 310))
    session.emit(EngineState(EnginePhase.ANSWERING, TARGET, DRAFT, "mainline", 1.0))
    session.append(list(demo_records(40)))
    await shot("3-panels")
    session.emit(AnswerText("a3", "E204 是" if chinese else "E204 is the code of a broken"))
    session.write_answer(
        replace(answer("a3"), question="E204", finish=FinishReason.STOPPED, citations=(),
                text="E204 是" if chinese else "E204 is the code of a broken", asked_at_s=now)
    )  # fmt: skip
    window.header.engine.setChecked(False)
    if quick:
        return 0
    console.controller.post(
        Notice(
            "There is no file {path}.",
            "Check the name and the folder.",
            (("path", "E:/line3.log"),),
            "warning",
        )
    )
    window.log.filter.text.setText("E204")
    await shot("4-notice")
    window.toggle_history()
    await shot("5-history")
    return 0


def main() -> int:
    """Parse the command line and show the console."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--theme", default="night")
    parser.add_argument("--language", default="en")
    parser.add_argument("--dpi", type=float, default=0.0)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.dpi:
        theme.measure = lambda _screen: setattr(theme._State, "dpi", options.dpi)  # type: ignore[assignment]
    width, height = (int(part) for part in options.size.split("x"))
    tag = f"{options.size}-{options.theme}-{options.language}"

    async def work(console: Console) -> int:
        return await drive(console, options.shots, tag, quick=options.quick)

    async def live(console: Console) -> int:
        session = console.session
        assert isinstance(session, FakeSession)
        tell(session, 2000)
        session.emit(AnswerStarted("a0", "…"))
        await asyncio.Event().wait()
        return 0

    return run_console(
        FakeSession,
        theme_name=options.theme,
        language=options.language,
        size=(width, height),
        drive=work if options.shots else live,
    )


if __name__ == "__main__":
    raise SystemExit(main())
