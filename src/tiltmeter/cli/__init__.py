"""The command line: parses, calls, prints.

Exit codes: 0 done · 1 something outside failed · 2 bad input or usage · 3 a --fail-if threshold was crossed ·
130 interrupted.
"""

import errno
import gc
import os
import signal
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer

from tiltmeter import __version__
from tiltmeter.cli import (
    active,
    agreement,
    annotations,
    audit,
    before_after,
    cache,
    compare_people,
    correlate,
    data,
    figure,
    intersections,
    leak,
    merge,
    mitigate,
    models,
    results,
    run,
    runs,
    score,
    studies,
    survey,
    sweep,
    table,
    train,
    train_classifier,
    train_inference,
)
from tiltmeter.cli.console import err
from tiltmeter.cli.typed_command import going_on, prepare_streams, prepare_words
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.text import visible

INTERRUPTED = 130
STORING = (["run"], ["score"], ["sweep"], ["before-after"], ["train"])
TWO_WORDS = (["mitigate", "train"], ["active", "simulate"], ["active", "live"])
"""Commands that keep what they have when they are stopped."""

app = typer.Typer(
    name="tiltmeter",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:  # noqa: FBT001 (typer's signature)
    if asked:
        typer.echo(f"tiltmeter {__version__}")
        raise typer.Exit


@app.callback()
def start(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """Measure social bias in language models, with intervals."""


MEASURE, COMPARE, RESULTS, PEOPLE, MATERIAL = (
    "Measure", "Compare and summarise", "Look at results", "Ask people", "Data and models",
)  # fmt: skip
app.command(rich_help_panel=MEASURE)(run.run)
app.command(rich_help_panel=MEASURE)(audit.audit)
app.command(rich_help_panel=MEASURE)(sweep.sweep)
app.command(rich_help_panel=MEASURE)(score.score)
app.command("import-scores", rich_help_panel=MEASURE)(results.import_scores)
app.command(rich_help_panel=MEASURE)(merge.merge)
app.command(rich_help_panel=COMPARE)(results.compare)
app.command(rich_help_panel=COMPARE)(table.table)
app.command(rich_help_panel=COMPARE)(figure.figure)
app.command("before-after", rich_help_panel=COMPARE)(before_after.before_after)
app.command("compare-people", rich_help_panel=COMPARE)(compare_people.compare_people)
app.command(rich_help_panel=COMPARE)(agreement.agreement)
app.command(rich_help_panel=COMPARE)(annotations.annotations)
app.command(rich_help_panel=COMPARE)(intersections.intersections)
app.command(rich_help_panel=COMPARE)(correlate.correlate)
app.command(rich_help_panel=COMPARE)(leak.leak)
app.command(rich_help_panel=RESULTS)(runs.runs)
app.command(rich_help_panel=RESULTS)(results.report)
app.command(rich_help_panel=RESULTS)(runs.export)
app.add_typer(survey.app, name="survey", rich_help_panel=PEOPLE)
app.add_typer(active.app, name="active", rich_help_panel=PEOPLE)
app.command("ls", rich_help_panel=MATERIAL)(studies.list_studies)
app.command("check", rich_help_panel=MATERIAL)(data.check_file)
app.add_typer(data.app, name="data", rich_help_panel=MATERIAL)
app.add_typer(models.app, name="models", rich_help_panel=MATERIAL)
train.app.command("inference")(train_inference.inference)
train.app.command("classifier")(train_classifier.classifier)
app.add_typer(train.app, name="train", rich_help_panel=MATERIAL)
app.add_typer(mitigate.app, name="mitigate", rich_help_panel=MATERIAL)
app.add_typer(cache.app, name="cache", rich_help_panel=MATERIAL)


NEW_OBJECTS = 50_000
"""Objects after which Python looks for unused cycles. Its 700 are reached with every few dozen pairs of
sentences, and the search took a quarter of the time of scoring them with a fast model."""


def _after_a_stop() -> str:
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    if words[:1] in STORING or words[:2] in TWO_WORDS:
        return "Results so far are stored; to continue"
    return "Nothing was stored; to start again"


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    signal.signal(signal.SIGTERM, _terminated)
    gc.set_threshold(NEW_OBJECTS)
    prepare_streams()
    try:
        prepare_words()
        app()
    except TiltmeterError as error:
        err.print("tiltmeter:", style="bold red", end=" ")
        err.print(str(error))
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, SystemExit) as leaving:
        if isinstance(leaving, SystemExit) and leaving.code != INTERRUPTED:
            raise
        err.print(f"\nInterrupted. {_after_a_stop()}:")
        err.print(f"  {going_on()}")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except RuntimeError as error:
        if "memory" not in str(error) and "home directory" not in str(error):
            raise
        err.print(f"tiltmeter: {error}")
        err.print("If it is memory, try a smaller --batch-tokens. Answers so far are stored.")
        sys.exit(1)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            name = visible(str(error.filename))[:40] + "…"
            err.print(f"tiltmeter: {name} is longer than the name of a file may be; shorten it")
            sys.exit(2)
        err.print(f"tiltmeter: {error}")
        sys.exit(1)
    except MemoryError:
        err.print(
            "tiltmeter: out of memory; try a smaller --batch-tokens. Answers so far are stored."
        )
        sys.exit(1)
    sys.exit(0)


def _terminated(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
