"""An analysis of results and files: what it reports, how that is shown, and what it says.

A file of `tiltmeter/analyses` holds one, as ANALYSIS; other packages add theirs through the entry points
`tiltmeter.analyses`. Its `compute` ends in `finish`, so that what came out is a `Result` like a study's: the
same commands tabulate, draw, export, judge and report it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Note, Paragraph, Result
from tiltmeter.core.text import counted
from tiltmeter.core.versions import versions
from tiltmeter.core.views import View

RESERVED = frozenset({"model", "data", "study", "rule", "convention", "measure"})
"""Coordinates of a result or of a table: no axis of an analysis may be named like one."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What came out, by measure and coordinates: all that sentences may read."""

    card: Card
    estimates: Sequence[Estimate]
    records: Sequence[Record] = ()

    def all(self, of: Quantity | str, **groups: str) -> list[Estimate]:
        """The estimates of a measure that have these coordinates, in order; they may have more."""
        name, wanted = getattr(of, "name", of), groups.items()
        return [e for e in self.estimates if e.name == name and wanted <= e.groups.items()]

    def get(self, of: Quantity | str, **groups: str) -> Estimate | None:
        """The estimate of a measure at exactly these coordinates; None where there is none."""
        return next((e for e in self.all(of, **groups) if len(e.groups) == len(groups)), None)

    def __getitem__(self, of: Quantity | str) -> Estimate:
        """The estimate of a measure over everything.

        Raises:
            KeyError: There is none.
        """
        estimate = self.get(of)
        if estimate is None:
            raise KeyError(of)
        return estimate

    def of_kind(self, kind: str) -> list[Record]:
        """The records of one kind, in order."""
        return [record for record in self.records if record.kind == kind]


Input: TypeAlias = str | Path | Result
"""What a user names for an analysis: a folder, a file or a name, or, in Python, a result."""
FolderFacts: TypeAlias = Mapping[str, str | tuple[str, ...]]
"""What is known of an input of an analysis, by axis: a setting, or, as of strategies, all that it has. The
axis `data` is what it is about."""


def no_folders(place: Path) -> Mapping[Path, FolderFacts]:  # noqa: ARG001
    """Return no folders: the default for analyses whose inputs are results, files or names."""
    return {}


def no_sets(name: str) -> Collection[str]:  # noqa: ARG001
    """Return no names: the default for analyses whose inputs bear the names of their data sets."""
    return ()


Words = Callable[[Numbers], Sequence[Paragraph]]
"""The finding, from the numbers alone: run once, since the card keeps what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCollection:
    """What a collection of runs comes to: as an analysis, and the runs are made with it."""

    name: str
    """The name of the analysis: that of its file and, with dashes, of its command."""
    title: str
    version: str
    means: str = ""
    """What its finding means, for someone who was not there."""
    not_what: str = ""
    """What it does not show."""
    quantities: tuple[Quantity, ...]
    """The numbers that it reports; the first, over everything, is the headline."""
    words: Words
    views: tuple[View, ...] = ()
    """Tables and pictures, in the order in which they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis(RunCollection):
    """An analysis of finished runs or of people's answers."""

    summary: str
    """What it does, in a line, for help pages."""
    source: str = ""
    """The paper that defines it."""
    compute: Callable[[Sequence[Input], Any, Any], Result]
    """From (inputs, options, monitor) to what came out: inputs are what the user named, options an instance
    of `options`, and progress goes to the monitor (`run.monitor`)."""
    options: type[Any]
    """A dataclass: its fields are the options of the command and of the Python function. One that is called
    `place` and is no option is given a `Place`."""
    inputs: str
    """What the user gives, in the words of the help page: "Run folders of one model"."""
    metavar: str = "RUN…"
    fewest: int = 1
    """The minimum number of inputs."""
    folders: Callable[[Path], Mapping[Path, FolderFacts]] = no_folders
    """The inputs of a kind of its own in a folder that a user names, such as simulations, each with what is
    known of it; {} where there are none. Results of runs are no such inputs."""
    sets_of: Callable[[str], Collection[str]] = no_sets
    """The registered data sets that an input by name is made of, where it is not called like one."""
    example: str = ""
    """A call from Python with what it gives, as a doctest that needs neither a network nor a file."""
    reports_others: bool = False
    """Whether it also reports measures that `quantities` lacks: of the studies whose runs it takes, or named
    by an option."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an analysis that makes runs of its own keeps them, and how they say they came about."""

    out: Path | None = None
    """A folder for run folders; None keeps none."""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What has to be known of a result besides its numbers."""

    data: Mapping[str, Any]
    """name, sha256 (see `digest`), warning, and whatever else is known of what went in."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """name and fingerprint; {} where no single model is meant."""
    rule: str = ""
    convention: str = ""
    subtitle: str = ""
    seed: int = 0
    method: str = ""
    """How the numbers were computed; an empty line separates paragraphs."""
    settings: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[Note] = ()
    sources: Sequence[Mapping[str, Any]] = ()
    """The runs and files that went in."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Plain names of subsets, as in `Card.labels`."""
    views: Sequence[View] | None = None
    """The views, if they depend on the inputs; None uses those of the analysis."""
    limits: str = ""
    """What the result does not show, if that depends on the inputs; "" uses the text of the analysis."""
    measures: Mapping[str, Meaning] = field(default_factory=dict)
    """Meanings of measures that are not the analysis's own, such as those of the studies it compares."""


def finish(
    analysis: RunCollection,
    estimates: Iterable[Estimate],
    of: Circumstances,
    records: Sequence[Record] = (),
) -> Result:
    """Build the result from the numbers: its card and the sentences about it.

    Args:
        analysis: Whose numbers they are.
        estimates: In the order in which readers should see them; one at least is over everything.
        of: What is to be known besides.
        records: What the numbers rest on, or lists that readers want; each kind has a name.

    Raises:
        ValueError: An axis is named like a coordinate of the result, or no number is over everything.
    """
    placed_estimates = [
        replace(
            e, model=e.model or str(of.model.get("name", "")), study=e.study or analysis.name,
            rule=e.rule or of.rule, convention=e.convention or of.convention,
        )
        for e in estimates
    ]  # fmt: skip
    axes = {axis for e in placed_estimates for axis in e.groups} & RESERVED
    if axes:
        raise ValueError(f"{analysis.name}: an axis is called {min(axes)}")
    if all(e.groups for e in placed_estimates):
        raise ValueError(f"{analysis.name}: no number is over everything")
    meanings = {q.name: q.meaning for q in analysis.quantities} | dict(of.measures)
    present = {e.name for e in placed_estimates}
    card = Card(
        study=analysis.name,
        study_version=analysis.version,
        model=dict(of.model),
        data=dict(of.data),
        rule=of.rule,
        convention=of.convention,
        seed=of.seed,
        method=of.method,
        counts={
            "total": len(records), "scored": len(records), "invalid": 0,
            "undefined": sum(e.value is None for e in placed_estimates),
        },
        notes=tuple(of.notes),
        measures={name: meaning for name, meaning in meanings.items() if name in present},
        views=tuple(analysis.views if of.views is None else of.views),
        labels=of.labels,
        settings=dict(of.settings),
        versions=versions(),
        title=analysis.title,
        subtitle=of.subtitle,
        means=analysis.means,
        limits=of.limits or analysis.not_what,
        sources=tuple(of.sources),
    )  # fmt: skip
    finding = tuple(analysis.words(Numbers(card, placed_estimates, records)))
    return Result(replace(card, finding=finding), records, placed_estimates)


def placed(options: Any, place: Place) -> Any:
    """The options with the place of results, if they have a field for it."""
    return replace(options, place=place) if hasattr(options, "place") else options


def paths_of(inputs: Sequence[Input]) -> list[Path]:
    """The files or folders that the user named, of an analysis that reads files.

    Raises:
        BadInput: A result was given in their place.
    """
    for given in inputs:
        if isinstance(given, Result):
            raise BadInput(f"a result of {given.card.study} was given for a file", "name a file")
    return [Path(given) for given in inputs if not isinstance(given, Result)]


def check_count(analysis: Analysis, given: int) -> None:
    """Raise BadInput if there are fewer inputs than the analysis needs.

    Raises:
        BadInput: There are.
    """
    if given >= analysis.fewest:
        return
    words = f"{counted(given, 'inputs', 'are')} given" if given else "no input is given"
    hint = (
        " (`tiltmeter ls FOLDER` lists the runs in a folder)" if "RUN" in analysis.metavar else ""
    )
    raise BadInput(
        f"{words}, and {analysis.name} needs at least {analysis.fewest}",
        f"give {analysis.inputs[0].lower()}{analysis.inputs[1:].rstrip('.')}{hint}",
    )


def once(given: Sequence[Input], way_out: str = "give each once") -> None:
    """Raise BadInput if a folder or file is given twice, under whatever path.

    Raises:
        BadInput: Something is.
    """
    names, results = set[str | Path](), list[Result]()
    for each in given:
        if isinstance(each, Result):
            if each in results:
                raise BadInput("it is listed twice", way_out)
            results.append(each)
            continue
        name = each.resolve() if isinstance(each, Path) else each
        if name in names:
            raise BadInput("it is listed twice", way_out, file=str(each))
        names.add(name)


def paragraphs(texts: Iterable[str]) -> list[Paragraph]:
    """A finding in plain paragraphs: the headline first; empty texts are left out.

    >>> [p.kind for p in paragraphs(["Two of three.", "", "The third is open."])]
    ['headline', 'plain']
    """
    kept = [text for text in texts if text]
    return [Paragraph(text, "plain" if i else "headline") for i, text in enumerate(kept)]


def digest(*things: object) -> str:
    """A checksum of everything that went into an analysis, in this order.

    >>> digest("a", 1) == digest("a", 1), digest("a", 1) == digest("a1")
    (True, False)
    """
    text = "\n".join(map(repr, things))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
