"""cache info | clear: answers stored between runs, and what is remembered of models and files."""

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_table
from tiltmeter.core.reading.options import Option
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.run.stored_answers.store import StoredModel


DAY = 86_400
LEAST = 6
"""Fewer characters of a fingerprint do not name it."""


def info(*, as_json: Json = False) -> None:
    """Show where the cache is and how much it stores for each model."""
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.data.downloads import places
    from tiltmeter.data.files import remembered_values
    from tiltmeter.run.stored_answers.database import set_asides
    from tiltmeter.run.stored_answers.store import STORE, Store

    folder = places.cache()
    file = folder / STORE
    kept: list[StoredModel] = []
    if file.exists():  # looking makes none
        with Store(file, monitor.warning) as store:
            kept = [model for model in store.summary() if model.answers]  # a baseline stores none
    aside = set_asides(file)
    remembered = remembered_values.files()
    if as_json:
        models = [file_aside._asdict() | {"used": _day(file_aside.used)} for file_aside in kept]
        print_json({
            "folder": str(folder), "bytes": _size(folder), "store": str(file),
            "store_bytes": _size(file), "models": models, "set_aside": [str(f) for f in aside],
            "remembered_bytes": sum(map(_length, remembered)),
        })  # fmt: skip
        return
    out.print(f"{folder}: {_megabytes(_size(folder))}", soft_wrap=True)
    summary = (
        f"{counted(sum(file_aside.answers for file_aside in kept), 'answers')}, "
        f"{_megabytes(_size(file))}"
    )
    out.print(f"{file.name}: {summary if kept else 'no answers'}", soft_wrap=True)
    if kept:
        titles = ("model", "precision", "fingerprint", "answers", "size", "last used")
        rows = (
            (s.name, s.precision, s.fingerprint[:12], f"{s.answers:,}", _megabytes(s.bytes), _day(s.used))
            for s in kept
        )  # fmt: skip
        print_table(titles, rows, {*titles} - {"model", "precision"}, right={"answers", "size"})
    for file_aside in aside:
        out.print(f"{file_aside.name}: set aside, {_megabytes(_size(file_aside))}", soft_wrap=True)
    size = _megabytes(sum(map(_length, remembered)))
    values = counted(len(remembered), "values")
    out.print(f"{remembered_values.FOLDER}: {values}, {size}", soft_wrap=True)


def clear(
    *,
    models: Annotated[list[str] | None, Option(
        "Only this model's answers: its name or the start of its fingerprint.", name="model")] = None,
    older_than: Annotated[float | None, Option(
        "Only models not used for this many days.", metavar="DAYS", min=0)] = None,
) -> None:  # fmt: skip
    """Delete stored answers, all or those of some models. Data sets and models stay."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.downloads import places
    from tiltmeter.data.files import remembered_values
    from tiltmeter.run.stored_answers.store import STORE

    if older_than is not None and not math.isfinite(older_than):
        raise BadInput(f"--older-than {older_than} is no number of days", "give one such as 30")
    file = places.cache() / STORE
    before = _size(file)
    latest = time.time() - older_than * DAY if older_than is not None else None
    deleted = [model for model in _delete(file, models or [], latest) if model.answers]
    for model in deleted:
        shown = f"{model.name} ({model.precision})" if model.precision else model.name
        err.print(f"{counted(model.answers, 'answers')} of {shown} deleted")
    if not deleted:
        err.print("no answers deleted")
    if not models and older_than is None:
        _remove_set_aside(file)
        for value in remembered_values.files():
            value.unlink(missing_ok=True)
    freed = before - _size(file)
    if freed > 0:
        err.print(f"{_megabytes(freed)} freed")
    elif deleted:
        err.print("the file keeps its size while another process has it open; the space is reused")


def _delete(file: Path, models: list[str], latest: float | None) -> "list[StoredModel]":
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import UnknownName
    from tiltmeter.run.stored_answers.store import Store

    with Store(file if file.exists() else None, monitor.warning) as store:  # clearing makes none
        kept = store.summary()
        for name in models:
            if not any(_is_chosen(stored, [name], None) for stored in kept):
                raise UnknownName("model with stored answers", name, {s.name for s in kept})
        return store.clear(lambda stored: _is_chosen(stored, models, latest))


def _is_chosen(stored: "StoredModel", models: list[str], latest: float | None) -> bool:
    is_named = not models or any(
        m == stored.name or (len(m) >= LEAST and stored.fingerprint.startswith(m)) for m in models
    )
    return is_named and (latest is None or stored.used <= latest)


def _day(seconds: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _size(place: Path) -> int:
    """In bytes, of all in a folder, or of a file with what SQLite keeps beside it."""
    if place.is_dir():
        return sum(map(_length, place.rglob("*")))
    from tiltmeter.run.stored_answers.database import BESIDE

    return sum(_length(place.with_name(place.name + suffix)) for suffix in ("", *BESIDE))


def _length(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:  # gone meanwhile
        return 0


def _remove_set_aside(file: Path) -> None:
    import shutil

    from tiltmeter.run.stored_answers.database import set_asides

    for aside in set_asides(file):
        if aside.is_dir():
            shutil.rmtree(aside)
        else:
            aside.unlink(missing_ok=True)
        err.print(f"removed {aside.name}, a damaged file that was set aside")
