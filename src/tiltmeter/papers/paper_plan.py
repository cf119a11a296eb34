"""What a paper needs, what of it is there, and what is to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from tiltmeter.core.results import Result
from tiltmeter.models.opening.model_options import Options
from tiltmeter.papers.chosen_models import ChosenModel
from tiltmeter.papers.paper_file import AnalysisSource, Paper, RunSource
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.sweeps.sweep import Entry
from tiltmeter.run.sweeps.sweep_cells import Cell
from tiltmeter.run.sweeps.sweep_jobs import Grid

By: TypeAlias = Literal["given", "run", "computed", "stored"]
"""How a result came here: of the user's, of a model that was run, by an analysis, or of stored outputs.

Where two have a number for one place, the earlier kind is shown."""
KINDS: tuple[By, ...] = get_args(By)


@dataclass(frozen=True, slots=True)
class PaperResult:
    """A result of one of the paper's sources."""

    source: str
    folder: Path
    at: Mapping[str, str]
    """Coordinates of all its numbers, besides those of its card: the paper's name of the model."""
    result: Result
    by: By = "run"
    model: ChosenModel | None = None
    """The model that was run."""


@dataclass(frozen=True, slots=True)
class Lack:
    """What of a source is not there, and why."""

    source: str
    why: str
    at: Mapping[str, str] = field(default_factory=dict)
    """Coordinates of what is lacking; {} for all."""
    unasked: bool = False
    """Whether nobody has asked for it."""
    failed: bool = False
    """Whether a model could not be run."""
    said: bool = False
    """Whether a remark of the source says it."""


@dataclass(frozen=True, slots=True)
class StoredScores:
    """Scores that somebody stored, to be imported."""

    source: RunSource
    path: Path
    options: RunOptions
    at: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A study on a model, or on stored replies."""

    source: RunSource
    at: Mapping[str, str]
    """The coordinates that its numbers get."""
    cell: Cell
    model: ChosenModel | None = None
    """None for stored replies."""

    @property
    def place(self) -> tuple[str, str]:
        """The source and the paper's model, "" for others: what a stored output and its run share."""
        return self.source.name, self.at.get("model", "")


@dataclass(slots=True)
class PaperPlan:
    """What there is of a paper's sources, and what is to do."""

    paper: Paper
    out: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    """What numbers of models depend on, as the card says it: the options of the request."""
    results: list[PaperResult] = field(default_factory=list)
    lacks: list[Lack] = field(default_factory=list)
    runs: list[PlannedRun] = field(default_factory=list)
    """Each study of each model to run."""
    stored: list[StoredScores] = field(default_factory=list)
    replaced: dict[tuple[str, str], list[StoredScores | PlannedRun]] = field(default_factory=dict)
    """Stored outputs of a source and model in whose place the user's model is run, or a result of the user's
    stands: used where the run fails."""
    remarks: dict[str, list[str]] = field(default_factory=dict)
    """By source: what readers are to know of where its numbers come from."""
    analyses: list[AnalysisSource] = field(default_factory=list)
    taken: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By a model's name in the paper: the analyses whose options take it."""
    folders: dict[str, list[Path]] = field(default_factory=dict)
    """By analysis, the folders of the user's, such as simulations, that are its inputs."""
    asked: Sequence[ChosenModel] = ()
    """The models that the user named."""
    done: Mapping[str, Path] = field(default_factory=dict)
    """Runs that were finished before, by cell."""
    faults: list[Exception] = field(default_factory=list)
    """What showed to be amiss with items when they were made, such as mistakes of the paper's file: the
    document is written, and says it."""

    @property
    def grid(self) -> Grid:
        """The runs of studies on models, those of several sources once, and in the order of the models."""
        cells = {id(run.cell): run.cell for run in self.runs}.values()
        models = list(dict.fromkeys(cell.model for cell in cells))
        return Grid(sorted(cells, key=lambda cell: models.index(cell.model)), self.out)

    @property
    def failed(self) -> list[str]:
        """The models that a run failed on, and those that the user named and nothing was run on."""
        failed = [run.model for run in self.runs if run.model and run.cell.state == "failed"]
        done = [run.model for run in self.runs if run.cell.folder is not None]
        given = {each.at.get("model") for each in self.results if each.by == "given"}
        there = {each.source for each in self.results}
        done += [m for m in self.asked if there.intersection(self.taken.get(m.name, ()))]
        failed += [m for m in self.asked if m not in done and (m.called or None) not in given]
        return list(dict.fromkeys(model.name or model.reference for model in failed))

    def remark(self, source: str, text: str) -> None:
        """Note where numbers of a source come from, once."""
        texts = self.remarks.setdefault(source, [])
        if text not in texts:
            texts.append(text)


@dataclass(frozen=True, slots=True)
class PaperRequest:
    """What the user wants of a paper, and gives for it."""

    models: Sequence[str] = ()
    """The paper's by name, `all` of them, NAME=REFERENCE for one of the paper's that lies elsewhere, or
    references of one's own."""
    runs: Sequence[Path] = ()
    """Folders of finished results."""
    heads: Path | None = None
    """A folder with next-sentence heads for models that have none, in folders called as the models."""
    limit: int | None = None
    """How many items of each study are measured, drawn at random; stored outputs are used whole."""
    skip_invalid: bool = False
    """Whether items that a model cannot take are left out."""
    opening: Options = field(default_factory=Options)
    fresh: bool = False

    @property
    def settings(self) -> dict[str, str]:
        """What the numbers of models depend on, as a card says it."""
        given = {
            "limit": self.limit,
            "skip-invalid": self.skip_invalid and "yes",
            "heads": self.heads,
        }
        return {name: str(value) for name, value in given.items() if value}

    def entry(self, source: RunSource) -> Entry:
        """The study as it is run on models."""
        options = dict(source.options)
        if self.limit:
            options["limit"] = min(self.limit, options.get("limit") or self.limit)
        if self.skip_invalid:
            options["skip-invalid"] = True
        return Entry(source.study, options)
