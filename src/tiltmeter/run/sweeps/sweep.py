"""Sweeps of studies × models from a TOML file: reading the file, and identifying cells and their run folders.

A cell is one study of one model. It is done if a finished run folder names it: nothing else is
remembered between two calls, so nothing can disagree with the folders.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias, TypeVar
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
from tiltmeter.run.asking.manner import manner_of
from tiltmeter.run.asking.workers import paths_of
from tiltmeter.run.files.folder import read
from tiltmeter.run.files.output_files import SEAL
from tiltmeter.run.planning.choosing import choose, every_need, settings_of
from tiltmeter.run.run_options import ReplyOptions, RunOptions

T = TypeVar("T")
E = TypeVar("E", bound="Entry")
MANUAL = "docs/reference/commands/run.md"
OF_STUDIES = {key: option for key, option in options_of(RunOptions).items() if key != "fresh"}
"""The options of a study: those of `tiltmeter run`, under the same names."""
OF_MODELS = options_of(Options)
"""The options of a model."""
OF_REPLIES = options_of(ReplyOptions)
"""The options for how a model replies, which for several studies go to those that have replies."""


def option_table(known: Mapping[str, OptionField], elsewhere: Iterable[str] = ()) -> Raw:
    """A marker for `Annotated`: a table of options, read under their names on the command line.

    `elsewhere` holds options of the other kind of table, for better suggestions.
    """

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
    """A study or model as the file names it, with its options."""

    name: Line
    options: Annotated[StudyTable, OTHERS]

    def with_shared(self, shared: Mapping[str, Any], known: Iterable[str]) -> Self:
        """The entry with those of the file's shared options that it can have and does not set itself."""
        inherited = {key: value for key, value in shared.items() if key in known}
        return replace(self, options={**inherited, **self.options})

    def without(self, keys: Iterable[str]) -> Self:
        """The entry without these options."""
        return replace(self, options={k: v for k, v in self.options.items() if k not in {*keys}})


@dataclass(frozen=True, slots=True)
class ModelEntry(Entry):
    """A model as the file names it, with the options for opening it."""

    options: Annotated[Mapping[str, Any], OTHERS, option_table(OF_MODELS, OF_STUDIES)]
    called: Line = ""
    """What results call the model; "" for its usual name."""


@dataclass(frozen=True, slots=True)
class _SweepFile:
    study: Annotated[tuple[Entry, ...], some]
    model: Annotated[tuple[ModelEntry, ...], some]
    shared: Annotated[Mapping[str, Any], OTHERS, EVERYWHERE]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The studies and models of the file, each with its own and the shared options."""

    studies: tuple[Entry, ...]
    models: tuple[ModelEntry, ...]
    replies: ReplyOptions = field(default_factory=ReplyOptions)
    """How the models reply in all studies with replies; a study's own options go before."""


def read_sweep(path: Path) -> Sweep:
    """Read the file and check its form; the names of studies and models are looked up later.

    Raises:
        BadInput: The file is not TOML.
        BadItems: The file holds keys or values that are not allowed; the error lists all of them.
    """
    read = read_toml(_SweepFile, path, MANUAL)
    replies, shared = shared_replies(read.shared, path)
    studies = distinct("study", read.study, shared, OF_STUDIES, path)
    return Sweep(studies, distinct("model", read.model, shared, OF_MODELS, path), replies)


def shared_replies(
    shared: Mapping[str, Any], path: Path
) -> tuple[ReplyOptions, dict[str, Any]]:  # fmt: skip
    """The options for how models reply among those that a file has for all entries, and the others.

    Raises:
        BadItems: An option names a file that the document may not name.
    """
    of_replies = {key: value for key, value in shared.items() if key in OF_REPLIES}
    with of_document("", path):
        given = confined_options(of_replies, path)
    replies = ReplyOptions(**{OF_REPLIES[key].name: value for key, value in given.items()})
    return replies, {key: value for key, value in shared.items() if key not in OF_REPLIES}


def distinct(
    kind: str, entries: Sequence[E], shared: Mapping[str, Any], known: Iterable[str], path: Path
) -> tuple[E, ...]:
    """The entries with the shared options added.

    Raises:
        BadItems: An entry repeats another, or names a file that the document may not name.
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


def _confined(entry: E, place: str, document: Path, *, is_model: bool) -> E:
    """The entry with the paths of files resolved relative to the document; see `confined`."""
    with of_document(place, document):
        name = confined(entry.name, document, model=True) if is_model else entry.name
        return replace(entry, name=name, options=confined_options(entry.options, document))


def confined_options(options: Mapping[str, Any], document: Path) -> dict[str, Any]:
    """A document's options with the paths of files resolved relative to it; see `confined`.

    Raises:
        Fault: An option names a file that the document may not name.
    """
    of_models = {key: value for key, value in options.items() if key in OF_MODELS}
    others = {key: value for key, value in options.items() if key not in OF_MODELS}
    return {**confined(others, document), **confined(of_models, document, model=True)}


@contextmanager
def of_document(place: str, document: Path) -> Iterator[None]:
    """Turn a Fault raised within the block into an error of the document at this place."""
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
    """Prefix the messages of errors raised within the block with the table of the file that they concern."""
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
    """Check that the rule, convention and settings exist and go together, whatever the model is.

    Raises:
        UnknownName: One of them does not exist.
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
    *,
    called: str = "",
) -> str:
    """A digest that identifies a cell: version of Tiltmeter, study, options, data, and the models' files.

    Also the name that the user gives the model, which its results have.
    """
    settings = settings_of(study, options.settings, options.convention)
    # What a system prompt says is part of the question; where its file lies is not.
    system = manner_of(options).system or None
    identity = (
        __version__, study.name, study.version, sorted(settings.items()),
        repr(replace(options, settings={}, fresh=False, system=system)),
        items.name, items.sha256, len(items.items),
        [(where.reference, where.scheme, repr(opened), _stamp(where, opened)) for where, opened in model],
        *([called] if called else []),
    )  # fmt: skip
    return sha256(json.dumps(identity, default=str).encode()).hexdigest()[:32]


def _stamp(where: Resolved, options: Options) -> list[tuple[str, int, int]]:
    """The names, sizes and modification times of the model's local files; for a hub model, its commit.

    A model in memory may have changed between two calls, so its stamp is unique.
    """
    if where.in_memory is not None:
        return [(uuid4().hex, 0, 0)]
    places = paths_of(where)
    made_from = optional_function(where.scheme, "made_from")
    if made_from and (base := Path(made_from(where.location))).is_absolute():
        # A model made from another one, such as a mitigated one, changes with it.
        places.append(base)
    files = [file for place in places for file in _files(place)]
    if not files and where.traits.checkpoint:
        return [(str(folder_of(where.location, options, only=["config.json"])), 0, 0)]
    if not files and optional_function(where.scheme, "fetched"):
        return [(place_of(where, options), 0, 0)]
    return [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]


def _files(place: Path) -> list[Path]:
    """The files directly in a folder, and in the folders of a sentence encoder's modules."""
    if not place.is_dir():
        return [place]
    modules = parts_of(place) if (place / MODULES).is_file() else []
    folders = {place, *(place / module.path for module in modules)}
    return sorted(f for place in folders if place.is_dir() for f in place.iterdir() if f.is_file())


def sealed(folder: Path) -> dict[str, Path]:
    """The finished run folders in `folder`, by the id of their cell."""
    folders_by_cell: dict[str, Path] = {}
    for card in sorted(folder.glob(f"*/{SEAL}")):
        try:
            run = parsed(card.read_text("utf-8")).get("run", {})
            cell = run.get("sweep") if isinstance(run, dict) else None
            if isinstance(cell, str):
                read(card.parent)
                folders_by_cell[cell] = card.parent
        except (OSError, ValueError, AttributeError, TiltmeterError):
            continue  # damaged, so the cell is measured again
    return folders_by_cell
