"""A grid of trainings from a TOML file: models × data sets, and the studies that are run on the classifiers.

Options of trainings are those of `tiltmeter train classifier`, and options of studies those of `tiltmeter
run`, under the same names.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.reading.typed_values import OTHERS, Fault, bad_items
from tiltmeter.core.reading.value_types import Line, some
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.files.document_paths import confined
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.sweeps.sweep import (
    OF_STUDIES,
    Entry,
    ModelEntry,
    Sweep,
    check_rule,
    of_document,
    option_table,
    run_options_of,
    within,
)
from tiltmeter.train.grid import TrainingCell
from tiltmeter.train.training_config import ClassifierConfig, plain_name

MANUAL = "docs/how-to/classifiers.md"
OF_TRAININGS = {
    key: option
    for key, option in options_of(ClassifierConfig).items()
    if key not in {"model", "data", "out"}
}
"""The options of a training: those of `tiltmeter train classifier`."""
TrainingTable = Annotated[Mapping[str, Any], OTHERS, option_table(OF_TRAININGS)]


@dataclass(frozen=True, slots=True)
class _Member:
    """A model or a data set, with options of its own."""

    name: Line
    options: TrainingTable


@dataclass(frozen=True, slots=True)
class GridStudy:
    """A study that is run on classifiers, with its options."""

    name: Line
    options: Annotated[
        Mapping[str, Any], OTHERS,
        option_table({key: option for key, option in OF_STUDIES.items() if key != "data"}),
    ]  # fmt: skip
    trained_on: tuple[str, ...] = ()
    """The data sets whose classifiers are asked; () for all."""
    table: tuple[str, ...] = ()
    """Measures that are printed in the end, by group and model; () for none."""


@dataclass(frozen=True, slots=True)
class _GridFile:
    model: Annotated[tuple[_Member, ...], some]
    data: Annotated[tuple[_Member, ...], some]
    shared: TrainingTable
    study: tuple[GridStudy, ...] = ()
    measure: Line = ""


@dataclass(frozen=True, slots=True)
class GridPlan:
    """What a grid trains, and what is measured afterwards."""

    cells: Sequence[TrainingCell]
    studies: Sequence[GridStudy]
    measure: str
    """The score in the table of classifiers; "" for the first one."""

    @property
    def tabled(self) -> list[str]:
        """The measures that are printed by group and model."""
        return [*dict.fromkeys(measure for study in self.studies for measure in study.table)]

    def sweep(self, cell: TrainingCell) -> Sweep:
        """The studies on the classifiers of a cell, asked the test texts that they have not learned from."""
        positive = str((cell.summary or {}).get("positive", ""))
        settings = {"positive": positive} if positive else {}
        studies = tuple(
            self._asked(study, cell, settings)
            for study in self.studies
            if not study.trained_on or cell.data in study.trained_on
        )
        models = tuple(ModelEntry(str(f), {"device": cell.config.device}) for f in cell.folders)
        return Sweep(studies, models)

    def _asked(self, study: GridStudy, cell: TrainingCell, settings: Mapping[str, str]) -> Entry:
        own = study.options.get("set", {})
        data = str(cell.test_texts)
        return Entry(study.name, {**study.options, "data": data, "set": {**settings, **own}})


def grid_path(named: str) -> Path:
    """The file that a grid's name means: a path, or the name of a grid that Tiltmeter ships."""
    path = Path(named).expanduser()
    shipped = package_file(f"grids/{named}.toml")
    return shipped if not path.exists() and not path.suffix and shipped.is_file() else path


def read_grid(path: Path, folder: Path, given: Mapping[str, Any] | None = None) -> GridPlan:
    """Read the file; names of models and data sets are looked up when their cells are trained.

    Args:
        path: The file.
        folder: The folder for all results.
        given: Options for all trainings, by field, that go before those of the file.

    Raises:
        UnknownName: There is no such study, rule or setting.
        BadInput: The file is not TOML, or an option has no such value.
        BadItems: The file holds keys or values that are not allowed; the error lists all of them.
    """
    read = read_toml(_GridFile, path, MANUAL)
    names = [data.name for data in read.data]
    faults = [
        Fault(f"{name!r} is none of the data sets ({', '.join(names)})", "correct it", f"study[{n}]")
        for n, study in enumerate(read.study, 1) for name in study.trained_on if name not in names
    ]  # fmt: skip
    faults += _repeated("model", read.model) + _repeated("data", read.data)
    if faults:
        raise bad_items(faults, path.name)
    for study in read.study:
        with within(f"study {study.name}"):  # before hours of training
            check_rule(study_named(study.name), run_options_of(Entry(study.name, study.options)))
    folders: set[str] = set()
    cells = []
    for data in read.data:
        for model in read.model:
            with of_document(f"{model.name} × {data.name}", path):
                options = {**read.shared, **model.options, **data.options}
                config = _config(model.name, data.name, options, path)
            own = f"{plain_name(config.model)}-{Path(config.data).stem}"
            name = next(n for n in _numbered(own) if n not in folders)
            folders.add(name)
            config = replace(config, out=str(folder / "classifiers" / name), **(given or {}))
            cells.append(TrainingCell(model.name, data.name, config))
    return GridPlan(cells, read.study, read.measure)


def _config(model: str, data: str, options: Mapping[str, Any], document: Path) -> ClassifierConfig:
    values = {}
    for key, value in options.items():
        option = OF_TRAININGS[key]
        parse = option.option.parse
        values[option.name] = parse(value) if parse and isinstance(value, str) else value
    values |= confined({k: v for k, v in values.items() if k == "cleaning"}, document)
    try:
        return ClassifierConfig(
            confined(model, document, model=True), str(confined(data, document)), **values
        )
    except BadInput as error:
        raise Fault(error.problem.reason, error.problem.way_out) from error


def _repeated(kind: str, members: Sequence[_Member]) -> list[Fault]:
    names = [member.name for member in members]
    return [
        Fault(f"{name!r} repeats {kind}[{names.index(name) + 1}]", "leave one out", f"{kind}[{n}]")
        for n, name in enumerate(names, 1) if names.index(name) + 1 < n
    ]  # fmt: skip


def _numbered(name: str) -> Iterator[str]:
    """The name, then with a number behind it: two models may have the same last part of their paths."""
    yield name
    yield from (f"{name}-{number}" for number in count(2))
