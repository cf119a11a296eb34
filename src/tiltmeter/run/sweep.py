"""Studies × models from a TOML file: what it may say, and what tells one cell from another.

A cell is one study of one model. It is done when a sealed run folder names it: nothing else is
remembered between two calls, so there is nothing that could disagree with the folders.
"""

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput, TiltmeterError
from tiltmeter.core.items import Dataset
from tiltmeter.core.json_text import parsed
from tiltmeter.core.options import OptionField, options_of
from tiltmeter.core.study import Study
from tiltmeter.data.files.toml_file import toml_table
from tiltmeter.models.mitigated import base_of
from tiltmeter.models.opening.encoder_modules import MODULES, parts_of
from tiltmeter.models.opening.model_files import folder_of, gguf_of
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import HUGGING_FACE, Resolved
from tiltmeter.run.choosing import choose, every_need, settings_of
from tiltmeter.run.folder import read
from tiltmeter.run.output_files import SEAL
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.workers import paths_of

T = TypeVar("T")
OF_STUDIES = {key: option for key, option in options_of(RunOptions).items() if key != "fresh"}
"""Options of a study: those of `tiltmeter run`, by the same names."""
OF_MODELS = options_of(Options)
"""Options of a model."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A study or a model as the file names it, with its options and those for all."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What the file says."""

    studies: tuple[Entry, ...]
    models: tuple[Entry, ...]


def read_table(path: Path) -> dict[str, Any]:
    """What a TOML file holds.

    Raises:
        BadInput: It cannot be read, or is not TOML.
    """
    return toml_table(path, "correct that line")


def read_sweep(path: Path) -> Sweep:
    """Read and check the file's form; names of studies and models are looked up later.

    Raises:
        BadInput: It is not TOML, or holds a key or a value that it may not.
    """
    table = read_table(path)
    lists = {kind: table.pop(kind, []) for kind in ("study", "model")}
    everywhere = {**OF_STUDIES, **OF_MODELS}
    shared = checked_options(table, everywhere, "the top of the file", path)
    return Sweep(
        entries_of("study", lists["study"], OF_STUDIES, OF_MODELS, shared, path),
        entries_of("model", lists["model"], OF_MODELS, OF_STUDIES, shared, path),
    )


def entries_of(
    kind: str,
    listed: object,
    known: Mapping[str, OptionField],
    others: Mapping[str, OptionField],
    shared: Mapping[str, Any],
    path: Path,
) -> tuple[Entry, ...]:
    """The tables of one kind, each with the options that are shared.

    Args:
        kind: study or model.
        listed: What the file lists.
        known: Options that such a table may have.
        others: Options of the other kind of table.
        shared: Options at the top of the file.
        path: The file, for messages.

    Raises:
        BadInput: There is none, one has no name, holds what it may not, or repeats another.
    """
    if not isinstance(listed, list) or not listed or not all(isinstance(e, dict) for e in listed):
        raise BadInput(
            f"it lists no {kind}", f'write [[{kind}]] and under it name = "…"', file=str(path)
        )
    found: list[Entry] = []
    for number, table in enumerate(listed, 1):
        given = dict(table)
        name = given.pop("name", None)
        if not isinstance(name, str) or not name:
            raise BadInput(
                f"{kind} {number} has no name", 'write name = "…" under it', file=str(path)
            )
        own = checked_options(given, known, f"{kind} {number} ({name})", path, elsewhere=others)
        inherited = {key: value for key, value in shared.items() if key in known}
        entry = Entry(name, {**inherited, **own})
        if entry in found:
            raise BadInput(
                f"{kind} {number} ({name}) repeats {kind} {found.index(entry) + 1}",
                "leave one out, or give it other options", file=str(path),
            )  # fmt: skip
        found.append(entry)
    return tuple(found)


def checked_options(
    table: Mapping[str, Any],
    known: Mapping[str, OptionField],
    place: str,
    path: Path,
    *,
    elsewhere: Iterable[str] = (),
) -> dict[str, Any]:
    """The table with its keys written as on the command line; underscores do as well."""
    found: dict[str, Any] = {}
    for written, value in table.items():
        key = written.replace("_", "-")
        if key not in known:
            raise BadInput(
                f"{place} has an unknown key {written!r}",
                _suggestion(key, known, elsewhere), file=str(path),
            )  # fmt: skip
        if key in found:
            reason = f"{place} has {key} twice, as {key} and as {key.replace('-', '_')}"
            raise BadInput(reason, "keep one of them", file=str(path))
        with within(f"{path}: {place}"):
            known[key].check(value, written)
        found[key] = value
    return found


def _suggestion(key: str, known: Iterable[str], elsewhere: Iterable[str]) -> str:
    if key in elsewhere:
        return "it belongs to the other kind of table, or to the top of the file"
    near = difflib.get_close_matches(key, [*known, "study", "model"], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}known there: {', '.join(sorted(known))}"


@contextmanager
def within(place: str) -> Iterator[None]:
    """Say first of which table of the file a mistake is."""
    try:
        yield
    except TiltmeterError as error:
        error.args = (f"{place}: {error}",)
        raise


def opening_options_of(entry: Entry) -> Options:
    """How the model is opened."""
    return Options(**{OF_MODELS[key].name: value for key, value in entry.options.items()})


def run_options_of(entry: Entry, *, fresh: bool = False) -> RunOptions:
    """How the study is measured."""
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
    """What tells this cell from every other: settings, data, the model's files, this version.

    Args:
        study: The study.
        options: How it is measured, as asked for.
        items: What it is measured on.
        model: The model, or the members of an ensemble, and how each is opened.
    """
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
    if where.scheme == "mitigated" and (base := Path(base_of(where.location))).is_absolute():
        places.append(base)  # of a model that changed, nothing done before is right
    found = [file for place in places for file in _files(place)]
    if not found and where.scheme in HUGGING_FACE:
        return [(str(folder_of(where.location, options, only=["config.json"])), 0, 0)]
    if not found and where.scheme == "gguf":
        return [(gguf_of(where.location, options), 0, 0)]
    return [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in found]


def _files(place: Path) -> list[Path]:
    """Those in a folder, and in the folders of a sentence encoder's parts."""
    if not place.is_dir():
        return [place]
    parts = parts_of(place) if (place / MODULES).is_file() else []
    folders = {place, *(place / part.path for part in parts)}
    return sorted(f for one in folders if one.is_dir() for f in one.iterdir() if f.is_file())


def sealed(folder: Path) -> dict[str, Path]:
    """Run folders under `folder` that are finished, by the cell they are of."""
    found: dict[str, Path] = {}
    for card in sorted(folder.glob(f"*/{SEAL}")):
        try:
            run = parsed(card.read_text("utf-8")).get("run", {})
            cell = run.get("sweep") if isinstance(run, dict) else None
            if isinstance(cell, str):
                read(card.parent)
                found[cell] = card.parent
        except (OSError, ValueError, AttributeError, TiltmeterError):
            continue  # damaged: it is done again
    return found
