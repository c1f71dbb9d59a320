"""Better models fetched in the background while others answer."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from app.models.fetch import fetch
from app.models.resolve import missing_files
from app.models.sources import Cancelled
from app.session.events import ModelFetch

_REPORT_S = 0.5


async def fetch_profile(
    profile: str,
    models_dir: Path,
    *,
    emit: Callable[[ModelFetch], None],
    cancelled: threading.Event,
) -> bool:
    """Fetch what a profile lacks; whether anything was fetched and all is here now.

    Arguments:
        emit: told the progress, on the loop's thread.
        cancelled: set it to end the fetch; what has come stays for the next time.

    Raises:
        AppError: no source had it, or it cannot be stored.
    """
    loop = asyncio.get_running_loop()
    files = await loop.run_in_executor(None, missing_files, profile, models_dir)
    if not files:
        return False
    total = sum(file.bytes for file in files)
    before = 0
    reported_s = 0.0

    def work() -> bool:
        nonlocal before
        for file in files:
            try:
                fetch(file, models_dir, progress, cancelled=cancelled.is_set)
            except Cancelled:
                return False
            before += file.bytes
        return True

    def progress(done_bytes: int, _file_bytes: int) -> None:
        nonlocal reported_s
        now_s = time.monotonic()
        if now_s - reported_s >= _REPORT_S:
            reported_s = now_s
            loop.call_soon_threadsafe(emit, ModelFetch(profile, before + done_bytes, total))

    # A thread of its own: the loop's executor must not wait for a download at the end.
    outcome: Future[bool] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, name="fetch", daemon=True).start()
    complete = await asyncio.wrap_future(outcome)
    if complete:
        emit(ModelFetch(profile, total, total, finished=True))
    return complete
