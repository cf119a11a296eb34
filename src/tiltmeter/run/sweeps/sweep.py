"""Studies × models from a TOML file: what it may say, and what tells one cell from another.

A cell is one study of one model. It is done when a sealed run folder names it: nothing else is
remembered between two calls, so there is nothing that could disagree with the folders.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar
from uuid import uuid4

from tiltmeter import __version__
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.model.back_ends import optional_function
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.options import OptionField, options_of
from tiltmeter.core.reading.typed_values import (
    OTHERS,
    Fault,
    Faults,
    Raw,
    bad_items,
    faults_of,
    near_miss,
)
from tiltmeter.core.reading.value_types import Line, some, via
from tiltmeter.core.study import Study
from tiltmeter.data.files.document_paths import confined
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.models.opening.encoder_modules import MODULES, parts_of
from tiltmeter.models.opening.model_files import folder_of
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, place_of
from tiltmeter.run.asking.workers import paths_of
from tiltmeter.run.files.folder import read
from tiltmeter.run.files.output_files import SEAL
from tiltmeter.run.planning.choosing import choose, every_need, settings_of
from tiltmeter.run.run_options import RunOptions

T = TypeVar("T")
MANUAL = "docs/command-line.md"
OF_STUDIES = {key: option for key, option in options_of(RunOptions).items() if key != "fresh"}
"""Options of a study: those of `tiltmeter run`, by the same names."""
OF_MODELS = options_of(Options)
"""Options of a model."""


def option_table(known: Mapping[str, OptionField], elsewhere: Iterable[str] = ()) -> Raw:
    """In `Annotated`: a table of options, read with their names as the command line writes them."""

    def read(table: Mapping[str, Any]) -> dict[str, Any]:
        read: dict[str, Any] = {}
        faults = []
        for written, value in table.items():
            key = written.replace("_", "-")
            if key not in known:
                reason = f"has an unknown key {written!r}"
                faults.append(Fault(reason, _suggestion(key, known, elsewhere)))
                continue
            if key in read:
                faults.append(Fault(f"has {key} twice, also as {written}", "keep one of them"))
            try:
                known[key].check(value, written)
            except TiltmeterError as error:
                faults += (
                    Fault(fault.reason.removeprefix(f"{written} "), fault.way_out, written)
                    for fault in faults_of(error, "")
                )
            read[key] = value
        if faults:
            raise Faults(faults)
        return read

    return via(Mapping[str, Any], read)


EVERYWHERE = option_table({**OF_STUDIES, **OF_MODELS})
StudyTable: TypeAlias = Annotated[Mapping[str, Any], option_table(OF_STUDIES, OF_MODELS)]


@dataclass(frozen=True, slots=True)
class Entry:
    """A study or a model as the file names it, with its options and those for all."""

    name: Line
    options: Annotated[StudyTable, OTHERS]

    def with_shared(self, shared: Mapping[str, Any], known: Iterable[str]) -> "Entry":
        """The entry with the options at the top of the file that it may have and does not say."""
        inherited = {key: value for key, value in shared.items() if key in known}
        return Entry(self.name, {**inherited, **self.options})


@dataclass(frozen=True, slots=True)
class _ModelEntry(Entry):
    options: Annotated[Mapping[str, Any], OTHERS, option_table(OF_MODELS, OF_STUDIES)]


@dataclass(frozen=True, slots=True)
class _SweepFile:
    study: Annotated[tuple[Entry, ...], some]
    model: Annotated[tuple[_ModelEntry, ...], some]
    shared: Annotated[Mapping[str, Any], OTHERS, EVERYWHERE]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Studies and models of the file, each with its own and the shared options."""

    studies: tuple[Entry, ...]
    models: tuple[Entry, ...]


def read_sweep(path: Path) -> Sweep:
    """Read and check the file's form; names of studies and models are looked up later.

    Raises:
        BadInput: It is not TOML.
        BadItems: It holds keys or values that it may not; all of them.
    """
    read = read_toml(_SweepFile, path, MANUAL)
    studies = distinct("study", read.study, read.shared, OF_STUDIES, path)
    return Sweep(studies, distinct("model", read.model, read.shared, OF_MODELS, path))


def distinct(
    kind: str, entries: Sequence[Entry], shared: Mapping[str, Any], known: Iterable[str], path: Path
) -> tuple[Entry, ...]:
    """The entries with the options that are shared.

    Raises:
        BadItems: One repeats another, or names a file that is not the document's.
    """
    made = tuple(
        _confined(
            entry.with_shared(shared, known), f"{kind}[{number}]", path, is_model=kind == "model"
        )
        for number, entry in enumerate(entries, 1)
    )
    again = [number for number, entry in enumerate(made) if entry in made[:number]]
    faults = [
        Fault(
            f"{made[n].name!r} repeats {kind}[{made.index(made[n]) + 1}]",
            "leave one out, or give it other options", f"{kind}[{n + 1}]",
        )
        for n in again
    ]  # fmt: skip
    if faults:
        raise bad_items(faults, path.name)
    return made


def _confined(entry: Entry, place: str, document: Path, *, is_model: bool) -> Entry:
    """With the files that it names as they are to be opened."""
    with of_document(place, document):
        name = confined(entry.name, document, model=True) if is_model else entry.name
        return replace(entry, name=name, options=confined_options(entry.options, document))


def confined_options(options: Mapping[str, Any], document: Path) -> dict[str, Any]:
    """Options of a document with the files that they name as they are to be opened.

    Raises:
        Fault: One names a file that is not the document's.
    """
    of_models = {key: value for key, value in options.items() if key in OF_MODELS}
    others = {key: value for key, value in options.items() if key not in OF_MODELS}
    return {**confined(others, document), **confined(of_models, document, model=True)}


@contextmanager
def of_document(place: str, document: Path) -> Iterator[None]:
    """Faults within, as errors of the document at this place."""
    try:
        yield
    except Fault as fault:
        raise bad_items([fault.moved(place) if place else fault], document.name) from None


def _suggestion(key: str, known: Iterable[str], elsewhere: Iterable[str]) -> str:
    if key in elsewhere:
        return "it belongs to the other kind of table, or to the top of the file"
    return f"{near_miss(key, [*known, 'study', 'model'])}known there: {', '.join(sorted(known))}"


@contextmanager
def within(place: str) -> Iterator[None]:
    """Say first of which table of the file a mistake is."""
    try:
        yield
    except TiltmeterError as error:
        error.args = (f"{place}: {error}",)
        raise


def opening_options_of(entry: Entry) -> Options:
    """The options with which a cell's model is opened."""
    return Options(**{OF_MODELS[key].name: value for key, value in entry.options.items()})


def run_options_of(entry: Entry, *, fresh: bool = False) -> RunOptions:
    """The options with which a cell's study is measured."""
    given = {OF_STUDIES[key].name: value for key, value in entry.options.items()}
    return RunOptions(**given, fresh=fresh)


def check_rule(study: Study[T], options: RunOptions) -> None:
    """See that rule, convention and settings exist and go together, whatever the model.

    Raises:
        UnknownName: One does not exist.
        BadInput: They do not go together.
    """
    choose(
        study, every_need(study), model="any model", rule=options.rule,
        convention=options.convention, ties=options.ties, settings=options.settings,
    )  # fmt: skip


def cell_id(
    study: Study[Any],
    options: RunOptions,
    items: Dataset[Any],
    model: Sequence[tuple[Resolved, Options]],
) -> str:
    """What tells a cell from every other: settings, data, files of its model or members, this version."""
    settings = settings_of(study, options.settings, options.convention)
    identity = (
        __version__, study.name, study.version, sorted(settings.items()),
        repr(replace(options, settings={}, fresh=False)),
        items.name, items.sha256, len(items.items),
        [(where.reference, where.scheme, repr(opened), _stamp(where, opened)) for where, opened in model],
    )  # fmt: skip
    return sha256(json.dumps(identity, default=str).encode()).hexdigest()[:32]


def _stamp(where: Resolved, options: Options) -> list[tuple[str, int, int]]:
    """Names, sizes and times of the model's files here; of a hub model the commit.

    A model in memory may have changed since, so that it is like no other.
    """
    if where.in_memory is not None:
        return [(uuid4().hex, 0, 0)]
    places = paths_of(where)
    made_from = optional_function(where.scheme, "made_from")
    if made_from and (base := Path(made_from(where.location))).is_absolute():
        places.append(base)  # of a model that changed, nothing done before is right
    files = [file for place in places for file in _files(place)]
    if not files and where.traits.checkpoint:
        return [(str(folder_of(where.location, options, only=["config.json"])), 0, 0)]
    if not files and optional_function(where.scheme, "fetched"):
        return [(place_of(where, options), 0, 0)]
    return [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]


def _files(place: Path) -> list[Path]:
    """Those in a folder, and in the folders of a sentence encoder's parts."""
    if not place.is_dir():
        return [place]
    modules = parts_of(place) if (place / MODULES).is_file() else []
    folders = {place, *(place / module.path for module in modules)}
    return sorted(f for place in folders if place.is_dir() for f in place.iterdir() if f.is_file())


def sealed(folder: Path) -> dict[str, Path]:
    """Run folders under `folder` that are finished, by the cell they are of."""
    folders_by_cell: dict[str, Path] = {}
    for card in sorted(folder.glob(f"*/{SEAL}")):
        try:
            run = parsed(card.read_text("utf-8")).get("run", {})
            cell = run.get("sweep") if isinstance(run, dict) else None
            if isinstance(cell, str):
                read(card.parent)
                folders_by_cell[cell] = card.parent
        except (OSError, ValueError, AttributeError, TiltmeterError):
            continue  # damaged: it is done again
    return folders_by_cell
