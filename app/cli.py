"""The command line: parses, runs a command, turns what went wrong into one line."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app import __version__
from app.config import Paths
from app.errors import AppError

logger = logging.getLogger("anchorline")

EXIT_ANSWERED = 0
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

Run = Callable[[argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where help is."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(EXIT_USAGE, f"{self.prog}: {message}. Help: {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the process's exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command, rest = (words[0], words[1:]) if words and words[0] in _COMMANDS else ("", words)
    add_arguments, run = _COMMANDS[command]
    parser = _Parser(
        prog=f"anchorline {command}".strip(),
        description=run.__doc__,
        epilog=None if command else _OTHER_COMMANDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if not command:
        parser.add_argument("--version", action="version", version=f"anchorline {__version__}")
    add_arguments(parser)
    try:
        return run(parser.parse_args(rest))
    except AppError as error:
        print(f"anchorline: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone; closing stderr keeps Python from complaining at exit.
        sys.stderr.close()
        return EXIT_ANSWERED
    except OSError as error:
        return _refused(error)
    except Exception as error:
        logger.exception("the command failed")
        print(
            f"anchorline: An error in the program: {type(error).__name__}: {error}. "
            f"Details are in {Paths.default().log}.",
            file=sys.stderr,
        )
        return EXIT_USAGE


def _refused(error: OSError) -> int:
    """What the system refused and nobody put into better words."""
    logger.exception("the system refused something")
    where = f" ({error.filename})" if error.filename else ""
    print(
        f"anchorline: The system refused: {error.strerror or error}{where}. "
        "Check free space and permissions.",
        file=sys.stderr,
    )
    return EXIT_USAGE


# Imports are inside the functions: "anchorline models fetch" must work, and be quick, before Qt
# and the native library are there.
# ruff: noqa: PLC0415


def _console(arguments: argparse.Namespace) -> int:
    """Follow logs and answer questions about them, in a window."""
    from app.commands.console import run

    return run(arguments)


def _console_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="log to follow")
    parser.add_argument("--demo", action="store_true", help="follow a simulated inspection line")
    parser.add_argument("--demo-seed", type=int, default=1, metavar="N", help=argparse.SUPPRESS)
    _model_arguments(parser)
    parser.add_argument(
        "--fetch",
        metavar="PROFILE",
        help="fetch this profile's models in the background and switch to it",
    )
    parser.add_argument(
        "--language", choices=["auto", "en", "zh_CN"], help="language of the window"
    )
    parser.add_argument("--theme", choices=["auto", "night", "day", "contrast"])
    parser.add_argument(
        "--size", metavar="WxH", help="size of the window, such as 1280x800; fitted by default"
    )
    parser.add_argument("--screenshot", type=Path, metavar="PNG", help="written when it closes")
    parser.add_argument(
        "--offscreen-demo",
        action="store_true",
        help="without a display: ask the first suggested question, print the answer, save a "
        "screenshot, end",
    )


def _ask(arguments: argparse.Namespace) -> int:
    """Answer questions about logs without a window."""
    from app.commands.ask import run

    return run(arguments)


def _ask_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="?", help="the question, in English or Chinese")
    parser.add_argument(
        "--log", action="append", type=Path, default=[], metavar="FILE", help="may be repeated"
    )
    parser.add_argument(
        "--questions",
        type=Path,
        metavar="FILE.jsonl",
        help="ask many: objects with id, log and question",
    )
    parser.add_argument(
        "--logs-dir", type=Path, metavar="DIR", help="where the logs of --questions are"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a question")
    _model_arguments(parser)


def _model_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="tiny, standard, or the name of an imported model file; the best present by default",
    )
    parser.add_argument(
        "--sinks", type=int, metavar="N", help="tokens pinned; the whole system prompt by default"
    )
    parser.add_argument("--window", type=int, metavar="N", help="log tokens in the context")


def _models(arguments: argparse.Namespace) -> int:
    """List, fetch, verify and import model files."""
    from app.models import commands

    folder = Paths.default().models
    match arguments.action:
        case "list":
            return commands.list_models(folder, as_json=arguments.json)
        case "fetch":
            return commands.fetch_models(arguments.names or ["standard"], folder)
        case "verify":
            return commands.verify_models(arguments.names, folder)
        case _:
            return commands.import_model(arguments.file, folder)


def _models_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="list|fetch|verify|import"
    )
    listing = actions.add_parser("list", help="what is known and what is here")
    listing.add_argument("--json", action="store_true")
    fetching = actions.add_parser("fetch", help="get models over the network")
    fetching.add_argument("names", nargs="*", metavar="NAME", help="standard by default")
    verifying = actions.add_parser("verify", help="compute digests again")
    verifying.add_argument("names", nargs="*", metavar="NAME")
    importing = actions.add_parser("import", help="bring a model file on a stick")
    importing.add_argument("file", type=Path, metavar="FILE")


def _doctor(arguments: argparse.Namespace) -> int:
    """Say what is installed, what is missing, and what to do."""
    from app import doctor

    checks = doctor.examine()
    print(doctor.as_json(checks) if arguments.json else doctor.as_text(checks))
    return doctor.exit_code(checks)


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")


def _replay(arguments: argparse.Namespace) -> int:
    """Write a log to another file line by line, as a live source would."""
    from app.stream.replay import replay

    lines = replay(arguments.file, arguments.to, arguments.rate, append=arguments.append)
    print(f"{lines} lines written to {arguments.to}", file=sys.stderr)
    return EXIT_ANSWERED


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--to", type=Path, required=True, metavar="PATH")
    parser.add_argument("--rate", type=float, default=20.0, metavar="N", help="lines a second")
    parser.add_argument("--append", action="store_true", help="keep what is in PATH")


def _bench(arguments: argparse.Namespace) -> int:
    """Measure on this machine; every figure in the documentation comes from here."""
    from app.bench.command import run
    from app.commands.setup import open_program_log

    open_program_log(Paths.default())
    return run(arguments)


def _bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="ttft, ingest, stop or stream; 'list' tells more"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--profile", metavar="NAME", help="as the measurement says by default")
    parser.add_argument("--tokens", type=int, metavar="N", help="how much to stream")
    parser.add_argument("--runs", type=int, metavar="N", help="how often to repeat")


_COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], Run]] = {
    "": (_console_arguments, _console),
    "ask": (_ask_arguments, _ask),
    "models": (_models_arguments, _models),
    "doctor": (_doctor_arguments, _doctor),
    "replay": (_replay_arguments, _replay),
    "bench": (_bench_arguments, _bench),
}
_OTHER_COMMANDS = """\
other commands: anchorline COMMAND --help
  ask      answer questions about logs without a window
  models   list, fetch, verify and import model files
  doctor   say what is installed, what is missing, and what to do
  replay   write a log line by line, as a live source would
  bench    measure on this machine
"""
