"""What a command says of the thresholds it was given, and the exit code that it leaves with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from tiltmeter.cli.console import err

if TYPE_CHECKING:
    from tiltmeter.analysis.thresholds import Outcome, Threshold
    from tiltmeter.core.results import Result

CROSSED = 3
STYLES = {"passed": "green", "failed": "red", "undefined": "red"}


def enforce(thresholds: "Sequence[Threshold]", results: "Sequence[Result]") -> None:
    """Report for each threshold whether it held, and exit with code 3 if one is crossed.

    An undefined estimate crosses every threshold.

    Raises:
        UnknownName: No result has such an estimate.
    """
    from tiltmeter.analysis.thresholds import judge

    outcomes = judge(thresholds, [e for result in results for e in result.estimates])
    say(outcomes)
    leave_if_crossed(outcomes)


def say(outcomes: "Sequence[Outcome]") -> None:
    """A line for each on standard error."""
    for outcome in outcomes:
        word = "passed" if outcome.status == "passed" else "failed"
        if not outcome.fails and word == "failed":
            word = outcome.threshold.level
        err.print(f"{word}: ", style=STYLES.get(word, "yellow"), end="")
        err.print(outcome.message)


def leave_if_crossed(outcomes: "Sequence[Outcome]") -> None:
    """Leave with exit code 3 if a threshold is crossed whose level is error."""
    if any(outcome.fails for outcome in outcomes):
        raise typer.Exit(CROSSED)
