"""A study: a benchmark's data, the rules that can score it, and the measures computed from the scores."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypedDict, TypeVar, Unpack

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Problem, stop_at
from tiltmeter.core.items import Dataset
from tiltmeter.core.protocols import Named
from tiltmeter.core.results import Inference, Meaning, Note, Record
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample
from tiltmeter.core.types import Adjustment, Array, Column, Ties
from tiltmeter.core.views import View

T = TypeVar("T")
CLUSTER = "(cluster)"
"""In place of a measure's column: the number of each item's cluster, or of the item where it stands alone."""


@dataclass(frozen=True, slots=True)
class Quirk:
    """One point on which published code departs from its paper.

    Each is defined in the module of `scoring` that acts on it; conventions list those they have.
    """

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Convention:
    """How a published script departs from its paper, point by point."""

    name: str
    summary: str
    source: str
    ties: Ties = "half"
    rules: tuple[str, ...] = ()
    """The rules that it applies to, the default one first; () means every rule."""
    decimals: Mapping[str, int] = field(default_factory=dict)
    """By rule: the number of decimals to which scores are rounded before they are compared."""
    needs: Mapping[str, type] = field(default_factory=dict)
    """By rule: a protocol that the model must satisfy under this convention, besides the rule's own."""
    quirks: tuple[Quirk, ...] = ()
    """Further departures, which the rules concerned look for."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Defaults of the study's settings under this convention; what the user sets overrides them."""


EVERY = ("*",)
"""In `Measure.over`: every group axis of the data that no measure names, one at a time; ("job", "*") crosses
each with the job. "*" among a measure's columns, as the axis of its contrast and in `at` stands for each."""
SEVERAL = "|"
"""Between the values of an item that has several on one axis."""
FIXED_LABELS = "fixed_labels"
"""In the data of a card, of sets whose design fixed how many items have each label."""
PAPER = Convention("paper", "Each rule as its paper defines it.", "")


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice that a study leaves to the user; the default is the paper's."""

    name: str
    default: str
    summary: str
    """One sentence on what it decides and what the choices mean."""
    choices: tuple[str, ...] = ()
    """The allowed values; () for a text, a number or a file, which is checked where it is read."""


def with_defaults(settings: Sequence[Setting], given: Mapping[str, str] | None) -> dict[str, str]:
    """The value of each setting: the user's, or its default."""
    return {setting.name: setting.default for setting in settings} | dict(given or {})


class _PlannedError(Exception):
    """Stops a rule that was only to build its requests."""


@dataclass(slots=True)
class Context:
    """What a rule gets besides model and items, and where it reports items that it cannot score."""

    convention: Convention = PAPER
    seed: int = 0
    skip_invalid: bool = False
    problems: list[Problem] = field(default_factory=list)
    settings: Mapping[str, str] = field(default_factory=dict)
    """Every setting of the study, by name."""
    planning: bool = False
    """True where the rule runs only to find items that it cannot score: `settle` stops it before the
    model is asked."""
    notes: list[Note] = field(default_factory=list)
    """Notes for the result, besides those of the data; a rule may add them once for each portion."""
    ruled_out: list[Note] = field(default_factory=list)
    """Notes that some portion of the items contradicts."""
    per_token: bool = False
    """Whether records keep the scores of single tokens, as far as the rule has them."""

    def refuse(self, problem: Problem) -> None:
        """Report an item that has no defined score."""
        self.problems.append(problem)

    def add_unless_ruled_out(self, note: Note) -> None:
        """Add a note that is true only if it holds for every portion of the items."""
        if note not in self.ruled_out:
            self.notes.append(note)

    def rule_out(self, note: Note) -> None:
        """Withdraw such a note: a portion contradicts it."""
        self.ruled_out.append(note)
        self.notes[:] = [other for other in self.notes if other != note]

    def settle(self) -> None:
        """Stop if items were refused. To be called after all requests are built, before asking.

        Raises:
            BadItems: Items were refused, and they are not to be skipped. All are listed.
        """
        if self.planning:
            raise _PlannedError
        stop_at(self.problems, "items", skip_invalid=self.skip_invalid)


@dataclass(frozen=True, slots=True)
class ReplyScores:
    """Which scores of a record say what became of the replies to its item, 1 for a reply of which it is true.

    Every reply is one of these: answered, refused, unread (written, but not understood), cut off at the
    allowed length before it could be understood, or empty.
    """

    answered: tuple[str, ...]
    refused: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()

    @property
    def by_outcome(self) -> dict[str, tuple[str, ...]]:
        """The names of the scores by outcome."""
        return {outcome: getattr(self, outcome) for outcome in OUTCOMES}

    def sided(self, sides: Sequence[str]) -> "ReplyScores":
        """The same for records of several replies, whose scores begin with the side of each.

        >>> ReplyScores(("listed",)).sided(("before", "after")).answered
        ('before_listed', 'after_listed')
        """
        names = {
            outcome: tuple(f"{side}_{name}" for side in sides for name in named)
            for outcome, named in self.by_outcome.items()
        }
        return ReplyScores(**names)


OUTCOMES = ("answered", "refused", "unread", "cut", "empty")
"""What becomes of a reply."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """How to turn a model's answers into scores. `score` is a plain function."""

    name: str
    needs: type
    """The protocol that the model must satisfy, as in `core.protocols`."""
    score: Callable[[Any, Sequence[T], Context], list[Record]]
    """From (model, items, context) to one record for each item that was not refused, in order."""
    summary: str
    """How a sentence is scored, in one sentence, for the report."""
    source: str
    task: str = ""
    """The `task` of the items that it scores; "" where a study has items of one kind."""
    at_once: bool = False
    """True where an item's score depends on the other items, so that all are scored together."""
    ordinal: bool = False
    """True where scores of an item are held against each other, so that low precision may decide where
    they lie far apart; False where their size matters, or what is recorded of a reply."""
    logarithms: bool = False
    """True where scores are sums or means of logarithms of probabilities, which are never above 0."""
    replies: ReplyScores | None = None
    """Of a rule by which the model writes: what became of its replies."""


def given_rule(name: str, summary: str = "", source: str = "") -> Rule[Any]:
    """The rule of scores that are there already: it is asked for none."""

    def score(*_: object) -> list[Record]:
        raise AssertionError("all items are scored")

    return Rule(name, Named, score, summary, source)


def foreseen(rule: Rule[T], model: Any, items: Sequence[T], context: Context) -> list[Problem]:
    """The items that the rule cannot score, found before the model is asked."""
    ahead = replace(context, problems=[], planning=True)
    with suppress(_PlannedError):
        rule.score(model, items, ahead)
    return ahead.problems


def joined(rules: Sequence[Rule[T]]) -> Rule[T]:
    """Several rules as one, each scoring the items of its own task; a single rule is returned as is."""
    if len(rules) == 1:
        return rules[0]
    return Rule(
        "+".join(rule.name for rule in rules),
        rules[0].needs,
        partial(_score_each, tuple(rules)),
        " ".join(f"{rule.task.capitalize()} items, {rule.name}: {rule.summary}" for rule in rules),
        "; ".join(dict.fromkeys(rule.source for rule in rules)),
        "+".join(rule.task for rule in rules),
        any(rule.at_once for rule in rules),
        all(rule.ordinal for rule in rules),
        all(rule.logarithms for rule in rules),
        _joined_replies([rule.replies for rule in rules if rule.replies is not None]),
    )


def _joined_replies(replies: Sequence[ReplyScores]) -> ReplyScores | None:
    names = {
        outcome: tuple(dict.fromkeys(name for one in replies for name in one.by_outcome[outcome]))
        for outcome in OUTCOMES
    }
    return ReplyScores(**names) if replies else None


def _score_each(
    rules: Sequence[Rule[Any]], model: Any, items: Sequence[Any], context: Context
) -> list[Record]:
    mine = {rule.name: [item for item in items if item.task == rule.task] for rule in rules}
    rules = [rule for rule in rules if mine[rule.name]]
    if not context.skip_invalid:  # all rules' problems are reported before any model time is spent
        for rule in rules[1:]:
            context.problems += foreseen(rule, model, mine[rule.name], context)
    records_by_item: dict[str, Record] = {}
    for rule in rules:
        records = rule.score(model, mine[rule.name], context)
        records_by_item |= {record.item: record for record in records}
    return [records_by_item[item.id] for item in items if item.id in records_by_item]


Condition: TypeAlias = str | float | tuple[str | float, ...]
"""A label or a score that an item must have, or several of which it must have one."""
Infer: TypeAlias = Callable[[Sample], Inference]
"""Computes the uncertainty of a metric: its interval and test."""
Compare: TypeAlias = Callable[[PairedSample], tuple[float, Inference]]
"""How far a measure of one result is from that of another on the same items, and the uncertainty of that.

Raises `Undefined` where there is no value."""
NOTHING_SAID = Meaning()
"""The default meaning, for measures that declare none: the title comes from the measure's name."""

Contrasts: TypeAlias = Callable[[ContrastSample], tuple[float, Inference]]
"""How far a measure of some items is from that of others, and the uncertainty of that, as `Compare`."""


@dataclass(frozen=True, slots=True)
class RowValues:
    """The numbers of single rows whose mean over the rows that have one is the value of a metric."""

    of: Callable[[Sequence[Column], Ties], Array]
    """From the columns of the metric, and what a tie counts as, to the number of each row, NaN where it has
    none; shape (n,)."""
    least: float
    """The lowest number that a row can have, in the unit of the metric."""
    most: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is reported of a measure of two results on the same items."""

    by: Compare | None = None
    """None is what the metric brings (`compare`); else A's value less B's, with a paired bootstrap and a
    paired permutation test over items, or over whole clusters where items share some."""
    name: str = ""
    """Of the estimate; "" is the measure's name with "_difference" behind it."""
    meaning: Meaning = NOTHING_SAID
    """Title, sides, sentences and caution of the estimate. What it does not say follows from the measure:
    "Difference in" and its title, its role, what it counts and which way is better."""
    unit: str | None = None
    """None is as of the measure (`unit_of`)."""
    neutral: float = 0.0
    over: tuple[tuple[str, ...], ...] | None = None
    """As `Measure.over`. None is all items and the first single axis that the measure is reported over."""
    reads: tuple[str, ...] = ()
    """Columns that `by` gets behind those of the measure."""
    same_rule: bool = False
    """True where numbers of different rules measure different things: then there is no value."""
    same: tuple[str, ...] = ()
    """Settings, or facts of the data, in which two results must agree: others are refused."""

    def name_of(self, measure: str) -> str:
        """The name of the estimate for a measure of this name."""
        return self.name or f"{measure}_difference"

    def unit_of(self, unit: str) -> str:
        """The unit of the estimate for a measure of this unit."""
        return self.unit if self.unit is not None else "percentage points" if unit == "%" else unit


PAIRED = Comparison()
"""The difference, resampled in pairs."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A measure of one value of an axis less that of another value, within one result."""

    axis: str
    by: Contrasts
    against_rest: bool = False
    """True compares each value with all others together, False with each other value."""
    background: str = ""
    """The value of items of none of the groups that are compared: it is one of the others, and never held
    against them itself."""
    named_by_first: bool = False
    """True where the number is about the first side, so that the estimate bears its name alone."""
    several: str = ""
    """The axis that lists all values of an item that has several, with `SEVERAL` between them. Such an item
    stands once for each; it is one of the others only to values that it does not have, and only once."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric, the columns it reads, and how to report it."""

    name: str
    metric: Callable[..., float]
    """Takes the columns in order and, where `uses_ties`, the keyword `ties`."""
    columns: tuple[str, ...]
    unit: str
    neutral: float | None
    """The value of a model without any preference, or of one that picks at random; None where no value
    is neutral."""
    summary: str = ""
    """What the number is and what influences it, for the report."""
    infer: Infer | None = None
    """Its interval and test. None is what the metric brings (`infer`); else a bootstrap of items, or of whole
    clusters where items share some."""
    over: tuple[tuple[str, ...], ...] = ((),)
    """The subsets to report it for: () is all items, ("race",) each race, ("race", "gender") each
    combination of both."""
    where: Mapping[str, Condition] = field(default_factory=dict)
    """The items that it counts, by axis or score: {"condition": "ambiguous"}. All others are as if they were
    not there, so that n and the sentence are about these; {} is all items."""
    units: tuple[str, ...] = ()
    """Axes, the widest first: what is resampled are the values of the first that has several in a subset. ()
    is, as where none has, the items' clusters."""
    of_several: tuple[str, ...] = ()
    """Axes of `over` that count only where the data have several of their values: a single one tells nothing
    apart."""
    at: Mapping[str, str] = field(default_factory=dict)
    """Coordinates that all its estimates have besides their subset. Measures of one name that differ in them
    are the cells of a table: {"truth": "yes", "said": "no"}."""
    uses_ties: bool = False
    clustered: bool = False
    """Reported only for data with clusters."""
    conventions: tuple[str, ...] = ()
    """Reported only under these conventions; () under all."""
    adjustment: Adjustment = "Holm"
    """How p-values of several subsets are corrected: for the chance of one false finding among few
    ("Holm"), or for the share of false ones among many findings ("Benjamini–Hochberg")."""
    meaning: Meaning = NOTHING_SAID
    """How the number is to be read."""
    rules: tuple[str, ...] = ()
    """Reported only under these rules; () under all."""
    comparison: Comparison | None = PAIRED
    """How two results on the same items are compared in it; None where they are not."""
    compares: tuple[tuple[str, str], ...] = ()
    """Pairs of scores that it compares, so that two equal ones are a tie in it; () for any two."""
    drops_ties: bool = False
    """Whether tied items are left out of its denominator where ties are neutral."""
    contrast: Contrast | None = None
    """Reported for values of an axis held against each other, within each subset of `over`."""
    rests_on: Callable[[Sequence[Column]], int] | None = None
    """How many items its value rests on, from its columns. None is what the metric brings (`rests_on`); else
    all of them."""
    optional: tuple[str, ...] = ()
    """Columns of scores that the metric can do without: it gets NaN where no item has one."""
    needs: tuple[str, ...] = ()
    """Scores without which it is not reported: no item of the data has them, which is nothing amiss."""
    answered: Callable[[Sequence[Column]], npt.NDArray[np.bool_]] | None = None
    """Which rows have what the metric needs, from its columns, shape (n,). None is what the metric brings
    (`answered`); else every row with a finite number in all columns of scores that are not optional. A row
    that counts against a model, such as a refusal in a share of refusals, is answered."""
    mean_of: RowValues | None = None
    """Of a mean over rows, what it is the mean of. None is what the metric brings (`mean_of`), if it does."""
    numbered: bool = False
    """Whether the metric only tells labels apart and orders them: it then gets their numbers, which have
    the same order and take less memory."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the metric, and those that say which items count."""
        return (*self.columns, *self.where)


def reported_measures(measures: Sequence[Measure], *, rule: str, convention: str) -> list[Measure]:
    """The measures reported under this rule (several joined by +) and this convention."""
    rules = {rule, *rule.split("+")}
    return [
        m
        for m in measures
        if (not m.conventions or convention in m.conventions)
        and (not m.rules or rules & {*m.rules})
    ]


Source: TypeAlias = str | Path | None
"""The name of a registered data set, or a file or folder of the user's; None is the default data set."""


class Reading(TypedDict, total=False):
    """How a file of the user's is read."""

    skip_invalid: bool
    """Whether rows that cannot be used are left out and listed in `invalid`; without it they are an error."""
    encoding: str
    """Of text files; by default their byte order mark's, else UTF-8."""


class Load(Protocol[T]):
    """Loads the items of a study; one with settings takes these too, as `settings`.

    Loaders raise BadInput where the source is no data set and no file, a file cannot be read or a setting has
    no such value; BadItems where entries cannot be used, which lists all of them; UnknownName where a setting
    names what the data do not have; and Unavailable where a registered file cannot be fetched.
    """

    def __call__(self, source: Source = None, **reading: Unpack[Reading]) -> Dataset[T]:
        """The items, checked, with what is known of their source."""


class Stored(Protocol[T]):
    """Reads scores that another program computed; of a study with settings it takes these too, as `Load`."""

    def __call__(
        self, path: Path, items: Dataset[T] | None, **reading: Unpack[Reading]
    ) -> tuple[Dataset[T], Sequence[Record]]:
        """The scored items, and a record for each; `items` are those given with --data."""


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A Python file of the user's that defines a study."""

    path: str
    """As the user typed it, without the folders of an absolute path."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Study(Generic[T]):
    """A benchmark. The default rule is the first one that the model can answer."""

    name: str
    title: str
    version: str
    source: str
    """Citation with DOI."""
    measures_what: str
    """What the headline number means, for a reader who does not know the benchmark."""
    not_what: str
    """What the number does not show."""
    load: Load[T]
    sample: Callable[[], Dataset[T]]
    """A few made-up items, so that tests can run every study without its data."""
    rules: tuple[Rule[T], ...]
    measures: tuple[Measure, ...]
    conventions: tuple[Convention, ...] = (PAPER,)
    """The first is the default."""
    data: tuple[str, ...] = ()
    """Names of registered data sets it can run on; the first is the default."""
    makes_items: bool = False
    """Whether its items are made from the texts of the data (swaps, prompts, edits), so that their number
    says nothing about the data themselves."""
    together: tuple[tuple[str, ...], ...] = ()
    """Sets of rules for different tasks that are used together. The first set that a model can answer
    completely is the default, before any single rule."""
    settings: tuple[Setting, ...] = ()
    """Choices for --set NAME=VALUE. A study that has some also has a `load` with the keyword
    `settings`, which takes all of them; rules find them in the context."""
    reads: Callable[[Path, str], bool] | None = None
    """Whether a file or folder, in an encoding or "" for the usual one, has a layout that this study reads.
    `check` finds the study by it, and errors name the studies that read a file. None: never recognised."""
    stored: Stored[T] | None = None
    """How scores of another program are read; None where that is not possible."""
    holds_answers: bool = False
    """Whether a file of --data may hold the answers, which `stored` reads, so that `run` needs no model."""
    views: tuple[View, ...] = ()
    """How results are shown, besides the usual tables and pictures."""
    categories: str = ""
    """The axis whose values are kinds of bias (race, gender, …), by which several studies stand side by side;
    "" where there is none."""
    alike: tuple[str, ...] = ()
    """Rules for different kinds of model whose numbers mean the same, so that `correlate` may take them as
    those of one measure. What is not listed is never matched."""
    file: StudyFile | None = None
    """Where it was read from; None for one that is installed."""
