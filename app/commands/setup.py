"""What every command that runs a session needs: settings, sizes, the program's own log."""

from __future__ import annotations

import argparse
import logging
import logging.handlers
import threading
from dataclasses import replace

from app.config import Paths, Settings
from app.errors import UsageError
from app.session.engine_link import EngineSizes

logger = logging.getLogger("anchorline")

_LOG_BYTES = 2_000_000
_LOG_FILES = 3


def load_settings(arguments: argparse.Namespace, paths: Paths) -> Settings:
    """Settings with what the command line overrides.

    Raises:
        AppError: the settings file or an argument is wrong.
    """
    settings = Settings.load(paths.settings)
    if arguments.profile:
        settings = replace(settings, profile=arguments.profile)
    return settings


def engine_sizes(arguments: argparse.Namespace, settings: Settings) -> EngineSizes:
    """Sizes of the standing context.

    Raises:
        UsageError: a size makes no sense.
    """
    sinks = 0 if arguments.sinks is None else arguments.sinks
    window = settings.window_tokens if arguments.window is None else arguments.window
    if sinks < 0 or window < _LEAST_WINDOW:
        raise UsageError(
            "A context of {sinks} sinks and a window of {window} tokens cannot work.",
            "Give at least 0 sinks and a window of at least {least} tokens.",
            sinks=sinks,
            window=window,
            least=_LEAST_WINDOW,
        )
    return EngineSizes(sinks=sinks, window=window)


_LEAST_WINDOW = 128


def open_program_log(paths: Paths) -> None:
    """Send logging, and what nobody caught, into the program's own log file, of bounded size.

    A file that cannot be written costs the log, not the program.
    """
    # Without this, a log file that cannot be written prints a traceback for every message.
    logging.raiseExceptions = False
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    try:
        paths.log.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            paths.log, maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s")
    )
    root.addHandler(handler)
    # drain3 writes at INFO for every event.
    logging.getLogger("drain3").setLevel(logging.WARNING)
    threading.excepthook = _log_thread_failure


def _log_thread_failure(failure: threading.ExceptHookArgs) -> None:
    name = failure.thread.name if failure.thread else "?"
    if failure.exc_value is not None:
        logger.error("thread %s ended", name, exc_info=failure.exc_value)
