"""The command line: parses, calls, prints.

Exit codes: 0 done · 1 something outside failed · 2 bad input or usage · 3 a --fail-if threshold was crossed ·
130 interrupted.
"""

import gc
import signal
import sys
from itertools import takewhile
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from tiltmeter import __version__
from tiltmeter.cli.console import err
from tiltmeter.cli.failures import failure
from tiltmeter.cli.heartbeats import heartbeat
from tiltmeter.cli.machinery.command_tree import COMMANDS, command_named
from tiltmeter.cli.machinery.lazy_commands import LazyGroup
from tiltmeter.cli.machinery.typed_command import (
    flush_stdout,
    going_on,
    prepare_streams,
    prepare_words,
)
from tiltmeter.core.distribution import DISTRIBUTION, other_project
from tiltmeter.core.errors import TiltmeterError, Unavailable

INTERRUPTED = 130
NEW_OBJECTS = 50_000
"""Objects after which Python looks for unused cycles. Its 700 are reached with every few dozen pairs of
sentences, and the search took a quarter of the time of scoring them with a fast model."""


class Tiltmeter(LazyGroup):
    """All commands, each imported when it is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(COMMANDS, **settings)


app = typer.Typer(
    name="tiltmeter",
    cls=Tiltmeter,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:  # noqa: FBT001 (typer's signature)
    if asked:
        typer.echo(f"tiltmeter {__version__} ({DISTRIBUTION})")
        raise typer.Exit


@app.callback()
def start(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Measure social bias in language models, with intervals."""


def _after_a_stop() -> str:
    command = command_named([word for word in sys.argv[1:] if not word.startswith("-")])
    if command is not None and command.keeps:
        return "Results so far are stored; to continue"
    return "Nothing was stored; to start again"


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    signal.signal(signal.SIGTERM, _terminated)
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(NEW_OBJECTS)
    prepare_streams()
    sys.exit(_finished(_exit_code()))


def _check_installation() -> None:
    if damage := other_project(Path(__file__).parents[1]):
        raise Unavailable(damage)


def _exit_code() -> int:
    try:
        _check_installation()
        prepare_words()
        heartbeat.begin(" ".join(["tiltmeter", *takewhile(_is_no_option, sys.argv[1:3])]))
        app()
    except TiltmeterError as error:
        err.print("tiltmeter:", style="bold red", end=" ")
        err.print(str(error))
        return error.exit_code
    except (KeyboardInterrupt, SystemExit) as leaving:
        if isinstance(leaving, SystemExit) and leaving.code != INTERRUPTED:
            return leaving.code if isinstance(leaving.code, int) else int(bool(leaving.code))
        err.print(f"\nInterrupted. {_after_a_stop()}:")
        err.print(f"  {going_on()}")
        return INTERRUPTED
    except BrokenPipeError:
        return 1
    except BaseException as error:  # a panic of a library in Rust is no `Exception`
        if (outcome := failure(error)) is None:
            raise
        err.print(f"tiltmeter: {outcome[0]}")
        return outcome[1]
    finally:
        heartbeat.rest()
    return 0


def _is_no_option(word: str) -> bool:
    return not word.startswith("-")


def _finished(code: int) -> int:
    """The exit code, also where the end of the output cannot be written."""
    reason = flush_stdout()
    if reason and code == 0:
        err.print(f"tiltmeter: {reason}")
        return 1
    return code


def _terminated(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
