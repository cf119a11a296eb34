"""How differences between results are shown."""

from dataclasses import dataclass

from tiltmeter.core.views import View


@dataclass(frozen=True, slots=True)
class ComparedRuns(View):
    """Differences between results of one study, and what there is to see of each of them (`Result.runs`).

    How that is shown is declared by the views of the study.
    """

    name: str
    """The name of the CSV file with all differences, without the suffix."""


@dataclass(frozen=True, slots=True)
class EquivalenceTable(View):
    """Every difference for which a margin is given: its interval, the margin and the verdict."""

    name: str
    """The name of the CSV file of the table, without the suffix."""
    title: str = "Equivalence"
    asked: bool = True
    """Whether it was asked for, so that the terminal shows it in any case."""
    of_studies: bool = False
    """Whether the differences are of several studies, so that rows are named after these, too."""
