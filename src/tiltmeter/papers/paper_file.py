"""A paper as a file: the runs and analyses that it needs, and how its tables and figures are made of them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.errors import UnknownName, known_names
from tiltmeter.core.reading.templates import filled, places
from tiltmeter.core.reading.typed_values import OTHERS, UNREAD, Fault, Key
from tiltmeter.core.reading.value_types import Line, Lines, by_name, repeated, some
from tiltmeter.core.text import raised
from tiltmeter.data.files.document_paths import confined
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.data.published import known_published
from tiltmeter.papers.derivations import DerivedNumber, Places
from tiltmeter.run.files.folder_names import slug
from tiltmeter.run.sweeps.sweep import OF_STUDIES, confined_options, of_document, option_table

MANUAL = "docs/how-to/papers.md"
RESERVED = frozenset(
    {
        "compared",
        "why",
        "shown",
        "shown_printed",
        "value",
        "low",
        "high",
        "printed",
        "printed_low",
        "printed_high",
    }
)
"""What a record of a cell says besides its place."""
_NAME = re.compile(r"[\w .\-·–]{1,60}")
Names = Mapping[Line, Mapping[str, Line]]
"""By coordinate: the paper's names of values, and the names that results use. "axis" names coordinates."""


@dataclass(frozen=True, slots=True)
class PaperModel:
    """A model of the paper."""

    name: Line
    """By which users ask for it: "bert"."""
    called: Line
    """The model's name in published numbers and results: "bert-base-uncased"."""
    reference: Line = ""
    """Opens it; "" where nobody can."""
    why: Line = ""
    """Why it cannot be opened."""
    free: bool = False
    """Whether it is run without being asked for, as baselines, which need no download."""

    def faults(self) -> Iterator[Fault]:
        """That nothing opens it, and nothing says why."""
        if not (self.reference or self.why):
            yield Fault(
                "has neither a reference nor a reason", 'write reference = "…" or why = "…"'
            )


@dataclass(frozen=True, slots=True)
class StoredOutput:
    """Outputs of a model that somebody stored, which need no model."""

    file: Line
    """The path in the folder of data, or the name of a registered data set. `ensemble:A+B` adds up several;
    replies may come from several files, separated by commas."""
    model: Line = ""
    """Whose they are, as `PaperModel.name`."""
    replay: bool = False
    """Whether they are replies to requests, which the study is run on, and not scores of its items."""
    at: Mapping[Line, str] = field(default_factory=dict)
    options: Annotated[Mapping[str, Any], OTHERS, option_table(OF_STUDIES)] = field(
        default_factory=dict
    )
    """Options of this output, besides those of the run."""


@dataclass(frozen=True, slots=True)
class RunSource:
    """A study on models of the paper, on stored outputs, and on models of the user's own."""

    name: Line
    study: Line
    _: KW_ONLY
    models: Lines = ()
    """() for all of the paper."""
    own: bool = True
    """Whether it is run on the user's own models as well."""
    stored: tuple[StoredOutput, ...] = ()
    at: Mapping[Line, str] = field(default_factory=dict)
    """Further coordinates of its numbers."""
    why: Line = ""
    """Why it cannot be run here on models that are not stored."""
    options: Annotated[Mapping[str, Any], OTHERS, option_table(OF_STUDIES)] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class AnalysisSource:
    """An analysis of runs of this paper, or of data."""

    name: Line
    analysis: Line
    _: KW_ONLY
    of: Lines = ()
    """Runs and earlier analyses whose results are its inputs, by the names of their sources."""
    inputs: Lines = ()
    """Further inputs: files in the folder of data, or names that the analysis knows."""
    takes: Places = field(default_factory=dict)
    """The inputs among the folders that users give, such as simulations: those with one of these values on
    each axis of what the analysis knows of them (`Analysis.folders`)."""
    usual: Places = field(default_factory=dict)
    """If several such folders are about the same data, take only those with these values."""
    differ: Lines = ()
    """Axes in which folders about the same data are to differ, at least in the first, and in no others."""
    made_by: Line = ""
    """A command that makes its inputs, for those who do not have them."""
    runs: Mapping[Line, Lines] = field(default_factory=dict)
    """By option of the analysis that takes runs: the sources of these, whatever their models."""
    models: Mapping[Line, Line] = field(default_factory=dict)
    """By option of the analysis that takes a model: what it is given, with a model of the paper in braces:
    classifier:{rater}. It is computed where the user names these models."""
    each: bool = False
    """Whether each model has an analysis of its own."""
    at: Mapping[Line, str] = field(default_factory=dict)
    options: Annotated[Mapping[str, Any], OTHERS] = field(default_factory=dict)

    @property
    def taken(self) -> tuple[str, ...]:
        """The models of the paper that its options take."""
        return tuple(dict.fromkeys(n for text in self.models.values() for n in places(text)))

    def with_models(self, references: Mapping[str, str]) -> "AnalysisSource":
        """With the options that take models, by the models' names in the paper."""
        given = {option: filled(text, references) for option, text in self.models.items()}
        return replace(self, options={**self.options, **given})

    def faults(self) -> Iterator[Fault]:
        """A brace that belongs to no model's name."""
        for option, text in self.models.items():
            try:
                places(text)
            except ValueError as error:
                yield Fault(str(error), "write {NAME} for a model of the paper", f"models.{option}")

    @property
    def takes_folders(self) -> bool:
        """Whether its inputs are folders that users give."""
        return bool(self.takes or self.usual or self.differ)


@dataclass(frozen=True, slots=True)
class Remark:
    """A reason that holds for some of the numbers of a table."""

    why: Line
    where: Places = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PaperItem:
    """A table, a figure, or numbers in the text."""

    name: Line
    """The item's number in the paper: "T2", "F1"."""
    title: Line
    _: KW_ONLY
    of: Lines = ()
    """The sources that it is made of."""
    rows: Lines = ()
    columns: Lines = ()
    """Coordinates, as those of `tiltmeter table`, and those that sources add."""
    measures: Lines = ()
    where: Places = field(default_factory=dict)
    """Which numbers are meant, ours and the paper's, and which records blocks are of."""
    published: Lines = ()
    """The registered tables of the paper's numbers."""
    names: Names = field(default_factory=dict)
    derived: tuple[DerivedNumber, ...] = ()
    """Numbers that are computed from other items, results or tables of data."""
    blocks: Lines = ()
    """Tables and pictures of the sources' own documents, and tables of their folders, by name."""
    known: tuple[Remark, ...] = ()
    """Known reasons why numbers differ from the printed ones."""
    missing: tuple[Remark, ...] = ()
    """Why numbers cannot be computed."""
    unlike: tuple[Remark, ...] = ()
    """Why ours are of another quantity than the printed ones, which they are shown beside."""
    why: Line = ""
    """Why there is nothing, or not all."""

    def faults(self) -> Iterator[Fault]:
        """What does not go together."""
        plain = _NAME.fullmatch(self.name) and self.name == self.name.strip(" .")
        if not plain or not self.name or self.name.casefold() == "summary":
            way_out = "write letters, digits, dots, dashes, spaces; no dot or space at either end"
            yield Fault(f"is called {self.name!r}", way_out)
        titles = self.names.get("axis", {})
        axes = [titles.get(axis, axis) for axis in (*self.rows, *self.columns)]
        yield from repeated("axis", axes)
        if taken := RESERVED.intersection(axes):
            yield Fault(f"has the axis {min(taken)!r}, which cells use otherwise", "name another")
        if self.rows and not (self.of or self.published or self.derived):
            yield Fault("has rows and nothing to place there", "write of = […] or published = […]")
        if self.derived and not self.rows:
            yield Fault("derives numbers and has no rows", "write rows = […]")
        if self.blocks and not self.of:
            yield Fault("shows blocks of nothing", "write of = […]")
        if not (self.rows or self.blocks or self.why):
            yield Fault(
                "has no content", "write rows and columns, blocks, or why it cannot be shown"
            )
        for name in self.published:
            if name not in known_published():
                error = UnknownName("published table", name, known_published())
                yield Fault(f"is refused: {error}", at="published")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as its file describes it."""

    title: Line
    source: Line
    """Authors, year and address."""
    items: Annotated[tuple[PaperItem, ...], some, Key("item")]
    _: KW_ONLY
    models: Annotated[tuple[PaperModel, ...], by_name(PaperModel)] = ()
    runs: Annotated[tuple[RunSource, ...], by_name(RunSource)] = ()
    analyses: Annotated[tuple[AnalysisSource, ...], by_name(AnalysisSource)] = ()
    warning: Line = ""
    names: Names = field(default_factory=dict)
    """Names for readers in all items; those of an item take precedence."""
    name: Annotated[str, UNREAD] = ""

    def models_of(self, source: RunSource) -> tuple[str, ...]:
        """The models that a source is run on: where it names none, all but those that options take."""
        taken = {name for analysis in self.analyses for name in analysis.taken}
        return source.models or tuple(m.name for m in self.models if m.name not in taken)

    def chosen(self, names: Sequence[str]) -> list[PaperItem]:
        """The items of these names, in the paper's order; all without names.

        Raises:
            UnknownName: The paper has no such item.
        """
        known_names(f"table or figure of {self.name}", names, [item.name for item in self.items])
        return [item for item in self.items if not names or item.name in names]

    def sources_of(self, items: Iterable[PaperItem]) -> set[str]:
        """The runs and analyses that these items take, also for numbers that are derived from other items."""
        by_name = {item.name: item for item in self.items}
        sources: set[str] = set()
        for item in items:
            sources.update(item.of)
            for source in chain.from_iterable(number.of for number in item.derived):
                sources.update(source.of)
                if source.item:
                    sources |= self.sources_of([by_name[source.item]])
        return sources

    def faults(self) -> Iterator[Fault]:
        """Names that stand for nothing, or for two things."""
        sources = [run.name for run in self.runs] + [analysis.name for analysis in self.analyses]
        yield from repeated("item", (item.name.casefold() for item in self.items))
        yield from repeated("source", map(slug, sources))
        earlier: list[str] = []
        for item in self.items:
            at = f"items {item.name!r}"
            yield from _unknown(item.of, sources, f"{at}: of")
            for source in chain.from_iterable(number.of for number in item.derived):
                yield from _unknown(source.of, sources, f"{at}: derived: of")
                tables = (source.item,) if source.item else ()
                yield from _unknown(tables, earlier, f"{at}: derived: item")
            earlier += [item.name] if item.rows else []
        before = [run.name for run in self.runs]
        for analysis in self.analyses:
            taken = (*analysis.of, *chain.from_iterable(analysis.runs.values()))
            yield from _unknown(taken, before, f"analyses.{analysis.name}: of")
            before.append(analysis.name)
        slots = {model.name for model in self.models}
        for analysis in self.analyses:
            yield from _unknown(analysis.taken, slots, f"analyses.{analysis.name}: models")
        for run in self.runs:
            models = (*run.models, *(stored.model for stored in run.stored if stored.model))
            yield from _unknown(models, slots, f"runs.{run.name}: models")


def _unknown(names: Iterable[str], known: Collection[str], at: str) -> Iterator[Fault]:
    for name in dict.fromkeys(names):
        if name not in known:
            yield Fault(f"names {name!r}, which is none", f"known: {', '.join(sorted(known))}", at)


def cited(name: str) -> str:
    """An item as papers cite it.

    >>> cited("T4.2"), cited("F1"), cited("section 4")
    ('Table 4.2', 'Figure 1', 'Section 4')
    """
    kinds = {"T": "Table ", "F": "Figure "}
    is_short = name[0] in kinds and name[1:2].isdigit()
    return f"{kinds[name[0]]}{name[1:]}" if is_short else raised(name)


def papers() -> dict[str, Path]:
    """The papers that come with the package, by name."""
    folder = Path(str(resources.files("tiltmeter.papers")))
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def _confined(paper: Paper, path: Path) -> Paper:
    """With the files that it names as they are to be opened.

    Raises:
        BadItems: One of them is not the paper's own.
    """
    models, runs, analyses = [], [], []
    for model in paper.models:
        with of_document(f"models.{model.name}", path):
            models.append(replace(model, reference=confined(model.reference, path, model=True)))
    for run in paper.runs:
        with of_document(f"runs.{run.name}", path):
            stored = tuple(
                replace(
                    output, file=confined(output.file, path),
                    options=confined_options(output.options, path),
                )
                for output in run.stored
            )  # fmt: skip
            options = confined_options(run.options, path)
            runs.append(replace(run, stored=stored, options=options))
    for analysis in paper.analyses:
        with of_document(f"analyses.{analysis.name}", path):
            inputs, options = (confined(v, path) for v in (analysis.inputs, analysis.options))
            analyses.append(replace(analysis, inputs=inputs, options=options))
    items = []
    for item in paper.items:
        with of_document(f"items {item.name!r}", path):
            derived = tuple(_confined_tables(number, path) for number in item.derived)
            items.append(replace(item, derived=derived))
    return replace(
        paper, models=tuple(models), runs=tuple(runs), analyses=tuple(analyses), items=tuple(items)
    )


def _confined_tables(number: DerivedNumber, path: Path) -> DerivedNumber:
    of = (replace(source, table=confined(source.table, path)) for source in number.of)
    return replace(number, of=tuple(of))


def read_paper(name: str) -> Paper:
    """A paper that comes with the package, or a TOML file of the same kind.

    Raises:
        UnknownName: It is neither.
        BadInput: The file is not TOML.
        BadItems: What it says cannot be used.
    """
    built_in = papers()
    path = built_in.get(name) or Path(name)
    if name not in built_in and path.suffix != ".toml" and not path.is_file():
        raise UnknownName("paper or TOML file", name, built_in, or_file=True)
    paper = read_toml(Paper, path, MANUAL)
    if name not in built_in:
        paper = _confined(paper, path)
    items = (replace(item, names={**paper.names, **item.names}) for item in paper.items)
    return replace(paper, name=path.stem, items=tuple(items))
