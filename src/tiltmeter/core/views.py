"""How a study or an analysis wants numbers and records to be shown: tables and pictures, described as data.

A card keeps them, so that a folder is shown without the analysis that made it. Each kind is drawn in one
place, in `report/documents/views/`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, cast

from tiltmeter.core.reading.typed_values import Fault, made

if TYPE_CHECKING:
    from tiltmeter.core.estimates import Estimate

Shown: TypeAlias = Literal["both", "terminal", "page", "files"]
"""Where something stands. Files have everything, whatever this says."""
Field: TypeAlias = Literal[
    "value", "interval", "p", "p_adjusted", "p_unadjusted", "n", "clusters", "neutral", "verdict", "why",
    "result", "mde", "towards",
]  # fmt: skip
"""What a column shows of an estimate. An interval in words is for readers; files have both ends of it. "p" is
the p that counts; the other two are for families of which not all are adjusted. "result" is the value with
its interval, and of counts how many of n; "mde" is the minimum detectable effect, "towards" the side of a
significant value."""
LOW, HIGH = "{}, low", "{}, high"
"""Scores of records with the ends of a score's interval."""
ESTIMATES = "(estimates)"
"""In place of a kind of records."""


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of a table of numbers: one field of the estimates of a measure."""

    measure: str = ""
    """"" in a table with a row for each measure, or whose rows are about different ones."""
    shows: Field = "value"
    heading: str = ""
    """"" takes the measure's short title and its unit."""
    at: Mapping[str, str] = field(default_factory=dict)
    """Further coordinates of these estimates: {"state": "before"}."""
    drop: int = 0
    """In a terminal too narrow for all columns, the higher, the sooner it is left out; 0 is never."""
    on: Shown = "both"
    missing: str = ""
    """Stands where there is no such estimate."""
    signed: bool = False
    """True for a change, which is shown with its sign; a ratio, for which 1 is neutral, as a percentage above
    or below."""


def number_columns(
    measure: str,
    heading: str = "",
    *,
    at: Mapping[str, str] | None = None,
    on: Shown = "both",
    missing: str = "",
    signed: bool = False,
    **drops: int,
) -> tuple[NumberColumn, ...]:
    """Columns of a table of numbers, a field of the estimates of one measure each.

    Args:
        measure: "" in a table with a row for each measure.
        heading: Of the first column, where its usual one will not do; the others have theirs.
        at: Further coordinates of these estimates.
        on: Where the columns stand.
        missing: Stands where there is no such estimate.
        signed: Whether it is a change.
        drops: The fields (see `Field`) in order: the higher the number, the sooner a narrow terminal leaves
            the column out; 0 is never. Only the value by default.

    >>> [(c.shows, c.heading, c.drop) for c in number_columns("alpha", "α", value=0, interval=3)]
    [('value', 'α', 0), ('interval', '', 3)]
    """
    return tuple(
        NumberColumn(
            measure, cast("Field", shows), "" if number else heading, at or {}, drop, on,
            missing=missing, signed=signed,
        )
        for number, (shows, drop) in enumerate((drops or {"value": 0}).items())
    )  # fmt: skip


class View:
    """A table, picture or list of a result: which numbers or records it takes, and their layout."""

    __slots__ = ()
    kind: ClassVar[str]
    """The class in words with underscores: the name under which a card keeps it."""
    replaces_categories: ClassVar[bool] = False
    """Whether it stands in place of a result's usual pictures and tables by category."""

    def __init_subclass__(cls) -> None:
        """Make the kind known to those who read cards."""
        cls.kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
        if not cls.kind.startswith("_"):
            KINDS[cls.kind] = cls

    def has_numbers(self, estimates: Sequence["Estimate"]) -> bool:
        """Whether a result has a number of a measure that the view names, if it names some."""
        named = getattr(self, "measures", ())
        return not named or any(estimate.name in named for estimate in estimates)


KINDS: dict[str, type[View]] = {}
"""All of them, by their names."""


def read_view(table: Any) -> View:
    """A view as files keep it, with the name of its kind; a fault where it is none."""
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise Fault("is of no known kind")
    return made(KINDS[kind], {name: value for name, value in table.items() if name != "kind"})


@dataclass(frozen=True, slots=True)
class _Titled(View):
    """What views of numbers and records have in common."""

    name: str
    """The name of its CSV file or picture; "" for none, if another view has the same."""
    title: str
    """The heading; views with the same one share a section, and pictures with "" stand beside the finding."""
    _: KW_ONLY
    caption: str = ""
    """Stands over a table, where a section has several, and below a picture."""


@dataclass(frozen=True, slots=True)
class _Tabled(_Titled):
    """What tables of numbers and of records have in common."""

    _: KW_ONLY
    where: Mapping[str, str] = field(default_factory=dict)
    """Only what has these coordinates; of numbers "" is to have none on this axis."""
    by: str = ""
    """An axis: readers get a table for each of its values, files one with a column more."""
    explained: str = ""
    """How to read it; on the page."""
    folded: bool = False


REST = "*"
"""Among the rows of a number table: whatever further axes its estimates have, a row a subset."""


@dataclass(frozen=True, slots=True)
class NumberTable(_Tabled):
    """Estimates: a row for each place along some axes, or for each measure; a column each for what is known.

    A row's estimates have exactly the axes of the rows, besides those that a column, `spread` or `where`
    names; with REST among the rows, any others. What an estimate has of its own besides axes (model,
    study, rule, convention) serves as an axis too. Rows stand in the order of the estimates.
    """

    rows: tuple[str, ...]
    """Axes; "measure" makes a row of each measure, a measure and its change sharing one."""
    columns: tuple[NumberColumn, ...]
    _: KW_ONLY
    spread: str = ""
    """An axis whose values are further columns for each value; the whole comes before its parts."""
    measures: tuple[str, ...] = ()
    """Which measures a column without one is about; () for all that have these axes."""
    order: Literal["", "high", "strong", "grouped"] = ""
    """By the first column: the highest first, or the farthest from neutral; "grouped" puts rows with the same
    value on the first axis together; "" as the estimates come."""
    strong: tuple[str, ...] = ()
    """Verdicts whose rows stand out; () for what is significant."""
    tones: Mapping[str, Literal["better", "worse"]] = field(default_factory=dict)
    """Verdicts that are good or bad news."""
    listed: tuple[str, ...] = ()
    """Verdicts whose rows readers get, where the table is long; () for all rows. Files have all rows."""
    most: int = 40
    """Rows that the terminal shows."""
    asked: bool = False
    """Whether it was asked for, so that the terminal shows it in any case."""
    on: Shown = "both"

    @property
    def lists_measures(self) -> bool:
        """Whether it has a row for each of its measures over all items, and no other rows."""
        return self.rows == ("measure",) and not self.where and not self.by


@dataclass(frozen=True, slots=True)
class RecordTable(_Tabled):
    """Records of one kind, a row each: axes, then texts, then scores."""

    of: str
    """The kind of record that has a row each (`Record.kind`)."""
    axes: tuple[str, ...]
    scores: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    _: KW_ONLY
    headings: Mapping[str, str] = field(default_factory=dict)
    """Headings of columns whose names in words would not do."""
    decimals: Mapping[str, int] = field(default_factory=dict)
    """By score, where three digits will not do."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """By score: what stands where a record lacks it."""
    tones: Mapping[str, Literal["", "better", "worse"]] = field(default_factory=dict)
    """By value of the first axis: rows that stand out, as good or bad news."""
    ps: tuple[str, ...] = ()
    """Scores that are p-values; records whose last one is below .05 stand out."""
    drops: Mapping[str, int] = field(default_factory=dict)
    """By column: in a terminal too narrow for all, the higher, the sooner it is left out."""
    files_only: tuple[str, ...] = ()
    """Columns that only files have."""
    spread: str = ""
    """An axis whose values are columns for readers: of each the first of `scores`, with `low`, `high` and
    `n` where a record has these. Files have a row each."""
    asked: tuple[str, ...] = ()
    """Values of `by` whose tables the terminal shows too."""
    distinct: bool = False
    """Whether only records with all of `axes` count, and of those with the same axes and texts the first."""
    most: int = 20
    on: Shown = "page"


@dataclass(frozen=True, slots=True)
class RecordDumbbells(_Titled):
    """Records as a large mark between two small ones: a group and its two components."""

    of: str
    """The kind of record that has a row each, such as an intersectional group (`Record.kind`)."""
    large: str
    """The score of the large mark."""
    small: tuple[str, str]
    """The scores of the small ones."""
    p: str
    """The score that fills the mark where it is below .05."""
    heading: str
    """What the picture shows, for those who do not see it."""
    sure: str = ""
    """By what a filled mark is significant."""
    most: int = 20


@dataclass(frozen=True, slots=True)
class ChangeDumbbells(_Titled):
    """A measure before (small marks) and after (large ones), a row a subset; filled: significant change."""

    measure: str
    change: str
    """The measure of the change, whose verdicts are "closer", "farther" or neither."""
    before: Mapping[str, str]
    """The coordinates of the estimates before; those after lack them."""
    where: Mapping[str, str]
    heading: str
    """What the picture shows, for those who do not see it."""
    sure: str = ""
    """By what a change is significant."""
    most: int = 40


@dataclass(frozen=True, slots=True)
class Forest(_Titled):
    """Estimates with their intervals on one axis: a row a measure, or a row each place along axes."""

    measures: tuple[str, ...]
    """Several make a row each, over everything; one makes a row of each of its estimates along `rows`."""
    rows: tuple[str, ...] = ()
    joined: str = " × "
    """Between the values of several axes."""
    by: str = ""
    """An axis: a picture for each of its values."""
    order: Literal["", "high"] = ""
    """The highest first; "" as the estimates come."""
    beside: str = ""
    """A measure whose intervals are bands under the marks."""
    total: str = ""
    """A measure over everything that is the last row."""
    total_called: str = ""
    total_beside: str = ""
    """The measure of its band."""
    marked: tuple[str, ...] = ()
    """Verdicts of rows that have a ●."""
    heading: str = ""
    """What the picture shows, for those who do not see it."""


@dataclass(frozen=True, slots=True)
class Strips(_Titled):
    """Estimates as named points, a column for each value of an axis, over the whole column's interval."""

    measure: str
    """Over both axes the points, over that of the columns the lines and bands under them."""
    columns: str
    points: str
    shade: str = ""
    """A measure over both axes: the higher, the darker the point."""
    heading: str = ""
    """What the picture shows, for those who do not see it."""


@dataclass(frozen=True, slots=True)
class FlowCurves(_Titled):
    """Curves from the values of one axis to those of another, as broad as a measure is large."""

    measure: str
    source: str
    """The axis at the left."""
    target: str
    """The axis at the right."""
    drawn: tuple[str, ...]
    """Verdicts of the flows that are drawn."""
    solid: str
    """The verdict of those that are not dashed."""
    sides: tuple[str, str] = ("from", "to")
    """The headings of the column at the left and of the one at the right."""


@dataclass(frozen=True, slots=True)
class TextLines(View):
    """Lines of text that belong to what came out: what the numbers of a table stand for."""

    title: str
    lines: tuple[str, ...]
    on: Shown = "both"


@dataclass(frozen=True, slots=True)
class PairHeat(_Titled):
    """A heat map of a measure from −1 to 1 of each two things: a square a pair, significant ones large."""

    measure: str
    x: str
    """The axis of the first thing; its labels are numbers that the picture shows beside the names."""
    y: str
    heading: str
    """What the picture shows, for those who do not see it."""
    ends: tuple[str, str] = ("", "")
    """What −1 and 1 mean."""


@dataclass(frozen=True, slots=True)
class PairScatters(View):
    """Two scores of records point by point, for the strongest pairs of a measure between scores."""

    title: str
    measure: str
    """The measure whose axes `x` and `y` name the two scores."""
    x: str
    y: str
    of: str
    """`Record.kind` of the points. Their intervals are the scores `LOW` and `HIGH`."""
    most: int = 24
    explained: str = ""


@dataclass(frozen=True, slots=True)
class RowProfiles(_Titled):
    """Records as rows of bars: a picture for each value of an axis, with a panel for each of another.

    The first panel shows a score from 0 to 100 that all panels share, the others a score around 0 of their
    own; without that (`score`), each panel shows its own score from 0 to 100. Lines are values of a third
    axis, "left - right", in the order of the records.
    """

    of: str
    """The kind of record that is drawn (`Record.kind`)."""
    rows: tuple[str, ...]
    """The values of the axis `row` that have a picture each, in the order of the pictures."""
    row: str
    """The axis with a picture for each value: "group"."""
    line: str
    """The axis with a bar for each value: pairs of opposite traits, "left - right"."""
    panel: str
    """The axis with a panel for each value: people, then what they are compared with."""
    shared: str
    """The score from 0 to 100, which has the interval `low` to `high` and is of `n`."""
    measure: str = ""
    """The measure whose value for a row (and panel, if there are several) is shown beside the row's name."""
    score: str = ""
    """The score of the panels after the first."""
    agree: str = ""
    """A score that is 1 where the first panel is on the same side as another one, else 0; only of lines at
    an end of that panel's order."""
    ends: tuple[str, str] = ("", "")
    """Texts that say at which end a line is, "top" or "bottom": of the first panel and of the others."""
    called: str = "people"
    """Whose answers the first panel shows, in the plural."""
    asked: tuple[str, ...] = ()
    """Rows that the terminal shows too."""
    explained: str = ""
    folded: bool = False
    """The section opens when the reader asks."""


@dataclass(frozen=True, slots=True)
class RecordCurves(_Titled):
    """A score of records over an axis whose values are numbers, a line for each value of another axis."""

    of: str
    """`Record.kind` of the points. With ESTIMATES they are the estimates of the measure `score` over exactly
    `x`, `lines` and the axes of `where`."""
    score: str
    """Bands are between the scores `LOW` and `HIGH`, or the ends of the estimates' intervals."""
    x: str
    """The axis whose values, which are numbers, run from left to right."""
    lines: str
    """The axis with a line for each value; axes, joined by commas, with a line for each crossing."""
    across: str
    """The label of the horizontal axis: what its numbers count, such as "votes"."""
    up: str
    """The label of the vertical axis: the score in words, with its unit."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Only records with these coordinates."""
    panels: str = ""
    """An axis with a panel for each value, in one picture."""
    levels: tuple[NumberColumn, ...] = ()
    """Estimates, each by its measure and coordinates, that are lines to compare the curves with."""


@dataclass(frozen=True, slots=True)
class PrintedCells(_Titled):
    """A table of a paper: records as cells, our numbers beside the printed ones.

    A record has the scores `value`, `low`, `high` and `printed`, as far as they are known, and among its axes
    `compared` (how both compare), `shown` and `shown_printed` (as they are read) and `why`; those of numbers
    that are computed from others have as `n` of how many.
    """

    of: str
    """`Record.kind` of the records that are its cells: the item’s name."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """What is written below the table in files such as `tables.tex`, which are read without the page."""


@dataclass(frozen=True, slots=True)
class RunBlocks(View):
    """Tables and pictures that the documents of results (`Result.runs`) have, by name."""

    title: str
    runs: tuple[str, ...]
    """The keys of these results among `Result.runs`."""
    blocks: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Only the records with one of these values on each of these axes, as far as they have the axis."""
