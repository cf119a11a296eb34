"""Views that need to know the study, such as its pairs and its matrix; all others are in `core.views`.

Every result gets a table and a picture of its measures by subset. A study adds views where its results
need more; each kind of view is drawn in one place, for all studies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from tiltmeter.core.text import counted
from tiltmeter.core.views import View

if TYPE_CHECKING:
    from tiltmeter.core.estimates import Estimate


@dataclass(frozen=True, slots=True)
class SideBySide(View):
    """Measures that are read together: one table, a column each; and together they are the finding."""

    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extremes(View):
    """For an axis with many values: those with the highest and the lowest values of a measure."""

    measure: str
    axis: str
    called: str
    """What the values of the axis are, in the plural: "target terms"."""
    within: str = ""
    """An axis for each value of which both ends are shown too; "" for none. The measure is reported over
    (within, axis)."""


@dataclass(frozen=True, slots=True)
class Margins(View):
    """Which of an item's texts the model prefers, and by how much: a picture and a list."""

    sides: tuple[str, ...]
    """Names of the scores and texts of a record; the first two are compared."""
    titles: tuple[str, ...]
    """What each of them is: ("more stereotyping sentence", "less stereotyping sentence")."""
    called: str = "pairs"
    """What the items are, in the plural."""
    relative: bool = True
    """True where the margin is a share of the score (confidence), False where it is in nats or points."""
    in_points: tuple[str, ...] = ()
    """Rules whose scores are no log-probabilities, so that a margin is in points and not in nats."""

    def __post_init__(self) -> None:
        """Refuse sides without titles, as an edited card may have."""
        if len(self.titles) != len(self.sides):
            raise ValueError(
                f"{counted(len(self.sides), 'sides')} have {counted(len(self.titles), 'titles')}"
            )


@dataclass(frozen=True, slots=True)
class RecordItems(View):
    """Records as items whose texts are hidden until the reader asks for each; on pages only."""

    title: str
    of: str
    """The kind of record (`Record.kind`)."""
    score: str
    """The score that stands beside each."""
    heading: str
    """What that score is: "r"."""
    axes: tuple[str, ...]
    """Axes whose labels say what an item is about."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Only records with these labels."""
    called: str = "items"
    most: int = 20


@dataclass(frozen=True, slots=True)
class Plane(View):
    """Models as points between two measures, over lines of equal value of a third."""

    x: str
    y: str
    contours: str
    """The measure whose lines are drawn; its formula is min(x, 100 − x) · y / 50."""
    explained: str
    """What the three are and how to read the picture."""


@dataclass(frozen=True, slots=True)
class MatrixDomains:
    """Axes that sort the rows, columns and layers of a matrix into domains; "" where there is none."""

    rows: str = ""
    columns: str = ""
    layers: str = ""


@dataclass(frozen=True, slots=True)
class MatrixSides:
    """What is known of both sides of a column, "left - right"; ("", "") where it is not."""

    scores: tuple[str, str] = ("", "")
    """Scores of a record that make a cell's value, right less left."""
    measures: tuple[str, str] = ("", "")
    """The measures of each side by itself, over rows and columns."""


@dataclass(frozen=True, slots=True)
class CrossedRows:
    """Rows that are made of two others: intersectional groups."""

    components: tuple[str, str] = ("", "")
    """Axes of the two rows; ("", "") where rows are never crossed."""
    run_by: str = ""
    """How to run the study so that intersectional rows and their components are scored."""


@dataclass(frozen=True, slots=True)
class Matrix(View):
    """One number for each row and column: social groups by pairs of opposite traits."""

    measure: str
    rows: str
    """The axis of the rows: "group"."""
    columns: str
    """The axis of the columns: "pair"; its values are named "left - right"."""
    layers: str = ""
    """The axis over which a cell is averaged: "template"; "" where there is none."""
    domains: MatrixDomains = MatrixDomains()
    sides: MatrixSides = MatrixSides()
    crossed: CrossedRows = CrossedRows()
    called: tuple[str, str] = ("", "")
    """What rows and columns are, in the plural: ("groups", "pairs of traits"). "" is the axis and an s."""
    strength: str = ""
    """The measure of how far cells lie from neutral, either way; "" where there is none."""
    selects: tuple[str, ...] = ()
    """Settings of the study that select cells and do not change how a cell is scored."""
    replaces_categories: ClassVar[bool] = True

    def has_numbers(self, estimates: Sequence["Estimate"]) -> bool:
        """Whether there are cells: a study may make a matrix of some data sets only."""
        axes = {self.rows, self.columns}
        return any(e.name == self.measure and set(e.groups) == axes for e in estimates)

    @property
    def row_names(self) -> str:
        """What rows are, in the plural."""
        return self.called[0] or _plural(self.rows)

    @property
    def column_names(self) -> str:
        """What columns are, in the plural."""
        return self.called[1] or _plural(self.columns)

    @property
    def layer_names(self) -> str:
        """What layers are, in the plural; "" where there are none."""
        return self.layers and _plural(self.layers)


@dataclass(frozen=True, slots=True)
class Tally(View):
    """How often each label was given for each right one, and what was written instead of a label."""

    rows: str
    """The score that holds a record's right label as an index of its options; -1 for none."""
    columns: str
    """The score that holds the label that was given, in the same way."""
    options: str
    """The text of a record that lists its options, one a line."""
    titles: tuple[str, str]
    """What rows and columns are: ("right label", "reply")."""
    otherwise: tuple[str, ...] = ()
    """Scores that are 1 for records without a label: a column each."""
    otherwise_titles: tuple[str, ...] = ()
    """What these are: ("refused",)."""
    by: tuple[str, ...] = ()
    """Axes: a table for each combination of their values that occurs."""
    called: str = "replies"
    """What the records are, in the plural."""


@dataclass(frozen=True, slots=True)
class WrittenTexts(View):
    """Some of what the model wrote, beside what it was asked about."""

    texts: tuple[str, ...]
    """Texts of a record, a column each: ("premise", "hypothesis")."""
    axis: str
    """The axis of which each value is shown: "group"."""
    marks: tuple[str, ...] = ()
    """Scores that are 1 or 0; those that are 1 are named beside the texts."""
    called: str = "hypotheses"
    """What the records are, in the plural."""
    keywords: str = ""
    """An axis of which each value's standing-out words are shown; "" for none. They are of the last of
    `texts`, without those of the first."""


def _plural(axis: str) -> str:
    return f"{axis.replace('_', ' ')}s"
