"""Run folders: a result on disk as a folder of plain files, written completely or not at all.

The files are records.parquet (and .jsonl on request), estimates.json, what a study adds (matrix.csv),
report.html and, written last as the seal, card.json: a folder without it is not a result. Numbers are finite
or null; NaN is never written.
"""

import dataclasses
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from tiltmeter.core.errors import BadInput, StorageError, reason_of
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.text import indented_json, visible
from tiltmeter.data.files.atomic_files import COPIES, check, checksums, replace, sweep
from tiltmeter.data.memory.spool import Spool
from tiltmeter.run.files.file_locks import in_turn
from tiltmeter.run.files.output_files import LINES, PAGE, SEAL, check_page
from tiltmeter.run.files.records_table import read_table, write_lines, write_table
from tiltmeter.run.planning.mistaken_names import no_run

RECORDS, ESTIMATES = "records.parquet", "estimates.json"
UNFINISHED = "a run that did not finish"


def write(
    result: Result,
    folder: Path,
    *,
    page: str,
    jsonl: bool = False,
    more: Mapping[str, str] | None = None,
) -> Path:
    """Write the files of a result, the card last, and return the folder.

    Args:
        result: The result of one study and one model.
        folder: The folder; created if it does not exist.
        page: The content of the HTML page.
        jsonl: Whether to write the records as lines of JSON as well.
        more: The content of further text files by name; the card holds their checksums too.

    Raises:
        StorageError: The files could not be written; an earlier result is then either intact or gone.
        BadInput: The folder is a file, its report.html is another program's, or a further file has a name
            that is not allowed.
    """
    for name in more or {}:
        if Path(name).name != name or name in {"", "..", RECORDS, LINES, ESTIMATES, PAGE, SEAL}:
            raise BadInput(f"{name!r} cannot be the name of a further file", "choose another name")
    prepare(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with in_turn(folder) as alone:
            check_page(folder / PAGE)
            before = _copies(folder)  # of an earlier result, which this one replaces
            # Without its seal the earlier result is invalid: no mixture of both can pass for a result.
            (folder / SEAL).unlink(missing_ok=True)
            if alone:
                sweep(folder)
            for name in before - (more or {}).keys():
                (folder / name).unlink(missing_ok=True)
            _write(result, folder, page=page, jsonl=jsonl, more=more or {})
    except (OSError, UnicodeEncodeError) as error:
        raise StorageError(f"{folder}: {_why(error)}") from error
    return folder


def _copies(folder: Path) -> set[str]:
    """The names of the copies that the card in a folder lists; the other files may be damaged."""
    try:
        names = _card(folder / SEAL).files
    except (OSError, ValueError):
        return set()
    return {name for name in names if name.endswith(COPIES) and Path(name).name == name}


def _why(error: Exception) -> str:
    """The reason why writing failed, and what the user can do."""
    reason = reason_of(error)
    if isinstance(error, OSError):
        return (
            f"the result could not be written: {reason}. Answers are stored: make room or name another "
            "--out, and run the same command again."
        )
    return f"an item's id or group cannot be written: {reason}"


def _write(
    result: Result, folder: Path, *, page: str, jsonl: bool, more: Mapping[str, str]
) -> None:
    replace(folder / RECORDS, lambda to: write_table(result.records, to))
    if jsonl:
        replace(folder / LINES, lambda to: write_lines(result.records, to))
    else:
        (folder / LINES).unlink(missing_ok=True)  # of an earlier run, which this one replaces
    _text(folder / ESTIMATES, to_json(plain(e, result.card.measures) for e in result.estimates))
    for name, text in more.items():
        _text(folder / name, text)
    _text(folder / PAGE, page)
    files = checksums(folder / name for name in (RECORDS, LINES, ESTIMATES, *more))
    _text(folder / SEAL, to_json(card_as_object(result.card) | {"files": files}))


def plain(estimate: Estimate, meanings: Mapping[str, Meaning] | None = None) -> dict[str, Any]:
    """An estimate as an object for JSON, without its meaning, which the card holds once per name.

    Args:
        estimate: The estimate to write.
        meanings: The meanings in the card, by name; an estimate with a different one keeps its own, as where
            two studies have measures with the same name. None leaves out all meanings.
    """
    values = {field.name: getattr(estimate, field.name) for field in dataclasses.fields(estimate)}
    if estimate.equivalence is None:
        del values["equivalence"]
    else:
        values["equivalence"] = dataclasses.asdict(estimate.equivalence)
    if meanings is None or meanings.get(estimate.name) == estimate.meaning:
        del values["meaning"]
    else:
        values["meaning"] = dataclasses.asdict(estimate.meaning)
    return values


def card_as_object(card: Card) -> dict[str, Any]:
    """A card as an object for JSON; of its views only the fields that differ from the defaults."""
    views = [{"kind": view.kind, **_stated(view)} for view in card.views]
    return dataclasses.asdict(card) | {"views": views}


def _stated(value: Any) -> Any:
    """A value for JSON, with dataclasses in it as objects of the fields that differ from the defaults."""
    if dataclasses.is_dataclass(value):
        values = {field: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {field.name: _stated(v) for field, v in values.items() if not _is_default(field, v)}
    if isinstance(value, Mapping):
        return {key: _stated(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_stated(v) for v in value]
    return value


def _is_default(field: dataclasses.Field[Any], value: object) -> bool:
    made_by = field.default_factory
    default = field.default if made_by is dataclasses.MISSING else made_by()
    return type(value) is type(default) and value == default


def _estimate(fields: object, meanings: Mapping[str, Meaning]) -> Estimate:
    if isinstance(fields, dict) and "meaning" not in fields:
        meaning = meanings.get(str(fields.get("name", "")))
        return made(Estimate, fields, meaning=meaning or Meaning())
    return made(Estimate, fields)


def _card(file: Path) -> Card:
    fields = parsed(file.read_text("utf-8"))
    try:
        json.dumps(fields, allow_nan=False)
    except ValueError:
        raise ValueError(f"{file.name} has a number that is not finite") from None
    try:
        card = made(Card, fields)
    except ValueError as error:
        raise ValueError(f"{file.name} is not a card: {error}") from error
    items = card.data.get("items", 0)
    if isinstance(items, bool) or not isinstance(items, int) or items < 0:
        raise ValueError(f"{file.name} is not a card: data.items is not a number of items")
    for table, names in _NEEDED.items():
        values = getattr(card, table)
        needs = names if values or table not in _MAY_BE_EMPTY else ()
        lacking = [name for name in needs if name not in values]
        if lacking:
            raise ValueError(f"{file.name} is not a card: {table}.{lacking[0]} is missing")
    return card


_NEEDED = {
    "model": ("name", "fingerprint"), "data": ("name", "sha256"), "counts": ("scored",),
    "study_file": ("path", "sha256"),
}  # fmt: skip
"""The keys that the tables of a card must have."""
_MAY_BE_EMPTY = {"model", "study_file"}
"""The tables that may be empty: where there is no single model, or where the study is an installed one."""


def why_no_run(folder: Path) -> str:
    """The reason why a path is not the folder of a finished run; "" if it is one."""
    if not folder.is_dir():
        return "a file, not a run folder" if folder.exists() else "not there"
    if (folder / SEAL).is_file():
        return ""
    begun = any((folder / name).is_file() for name in (RECORDS, ESTIMATES))
    return UNFINISHED if begun else "a folder without a run"


def read(folder: Path) -> Result:
    """The result that `write` wrote into the folder.

    Raises:
        BadInput: It is not the folder of a finished run, or is damaged.
    """
    numbers = read_numbers(folder)
    with _undamaged(folder):
        return dataclasses.replace(numbers, records=Spool(Record, _records(folder, numbers.card)))


def read_lazily(folder: Path, *, whole: bool = False) -> Result:
    """Like `read`, but records are read when one is first needed, so the folder must last as long.

    `whole` as of `read_numbers`.

    Raises:
        BadInput: As `read`; of records that are intact and not as the card says, when they are read.
    """
    numbers = read_numbers(folder, whole=whole)
    return dataclasses.replace(numbers, records=LazyRecords(folder, numbers.card))


class LazyRecords(Sequence[Record]):
    """The records of a run folder, which are read when one is first asked for."""

    def __init__(self, folder: Path, card: Card) -> None:
        self._folder, self._card = folder, card

    @cached_property
    def _read(self) -> Spool[Record]:
        with _undamaged(self._folder):
            return Spool(Record, _records(self._folder, self._card))

    def numbers_only(self) -> Iterator[Record]:
        """Yields the records with scores, groups and clusters, and without texts and tokens."""
        with _undamaged(self._folder):
            yield from _records(self._folder, self._card, numbers_only=True)

    def __getitem__(self, at: Any) -> Any:
        return self._read[at]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


def read_numbers(folder: Path, *, whole: bool = False) -> Result:
    """The result that `write` wrote into the folder, without the records.

    With `whole`, only its estimates over all items, if it has any: of many results, most of the time goes
    into the others.

    Raises:
        BadInput: It is not the folder of a finished run, or is damaged.
    """
    card = read_card(folder)
    with _undamaged(folder):
        estimates = parsed((folder / ESTIMATES).read_text("utf-8"))
        if not isinstance(estimates, list):
            raise ValueError(f"{ESTIMATES} is not a list")  # noqa: TRY004
        if not estimates:
            raise ValueError(f"{ESTIMATES} has no number")
        if whole:
            over_all = [e for e in estimates if isinstance(e, dict) and not e.get("groups")]
            estimates = over_all or estimates
        numbers = [_estimate(e, card.measures) for e in estimates]
        return Result(card, (), numbers, LazyRuns(folders_of_runs(folder, card)))


def folders_of_runs(folder: Path, card: Card) -> dict[str, Path]:
    """The folders of the finished runs that an audit or a comparison is made of, by folder name.

    They are in its own folder; those of a comparison may also be beside it.
    """
    names = (Path(source.get("folder", "")).name for source in card.sources)
    bases = [folder, *([folder.absolute().parent] if card.compares_runs else [])]
    return {
        name: base / name
        for name in names if name
        for base in reversed(bases) if (base / name / SEAL).is_file()
    }  # fmt: skip


class LazyRuns(Mapping[str, Result]):
    """Results by the names of their folders; each is read when it is first accessed."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self._read: dict[str, Result] = {}

    def __getitem__(self, name: str) -> Result:
        if name not in self._read:
            self._read[name] = read(self._folders[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._folders)

    def __len__(self) -> int:
        return len(self._folders)


def read_records(folder: Path, card: Card) -> Iterator[Record]:
    """Yields the records of a finished run one by one, so that they need not fit into memory.

    Raises:
        BadInput: The file is damaged.
    """
    with _undamaged(folder):
        yield from _records(folder, card)


def numbers_only(records: Sequence[Record]) -> Iterator[Record]:
    """Yields records for computing from scores, groups and clusters; texts and tokens may be missing.

    Those of a folder are read several times as fast as whole records.

    Raises:
        BadInput: The file is damaged.
    """
    return records.numbers_only() if isinstance(records, LazyRecords) else iter(records)


def _records(folder: Path, card: Card, *, numbers_only: bool = False) -> Iterator[Record]:
    count = 0
    for record in read_table(folder / RECORDS, numbers_only=numbers_only):
        count += 1
        yield record
    if count != card.counts["scored"]:
        raise ValueError(f"{RECORDS} has {count} records, and {SEAL} says {card.counts['scored']}")


def read_card(folder: Path) -> Card:
    """The card of a finished run, after checking that its other files are intact.

    Raises:
        BadInput: It is not the folder of a finished run, or is damaged.
    """
    if not (folder / SEAL).is_file():
        raise no_run(str(folder))
    with _undamaged(folder):
        card = _card(folder / SEAL)
        check(folder, card.files)
        return card


@contextmanager
def _undamaged(folder: Path) -> Iterator[None]:
    """Report files that cannot be read as `write` wrote them as damage to the result."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, pa.ArrowException) as error:
        raise BadInput(
            f"the result is damaged ({reason_of(error)})",
            "give the command that made it again",
            file=str(folder),
        ) from error


def to_json(value: object) -> str:
    """A value as indented JSON with non-ASCII letters unescaped; NaN and infinity raise ValueError.

    >>> print(to_json({"a": None}))
    {
      "a": null
    }
    <BLANKLINE>
    """
    return indented_json(value) + "\n"


def prepare(folder: Path, option: str = "--out") -> None:
    """Check that results can be written to the folder, before anything is computed.

    Raises:
        BadInput: The folder, or one above it, is a file; the message suggests changing `option`.
        StorageError: The folder cannot be written to.
    """
    if "\0" in str(folder):
        raise BadInput(f"{str(folder)!r} cannot be the name of a folder", f"name another {option}")
    there = next(part for part in (folder.absolute(), *folder.absolute().parents) if part.exists())
    if not there.is_dir():
        raise BadInput("this is a file, not a folder", f"name another {option}", file=str(there))
    if not os.access(there, os.W_OK):
        raise StorageError(f"{folder}: results cannot be written there; name another {option}")


def check_replaces(
    folder: Path,
    is_same: Callable[[Card], bool],
    *,
    option: str = "--out",
    overwrite: bool = False,
    may_overwrite: bool = True,
) -> None:
    """Check that a folder that the user named holds no finished result about something else.

    Repeating a command replaces its own result; another result is replaced only if `overwrite` says so.

    Args:
        folder: The folder, which need not exist.
        is_same: Whether a card is of an earlier result of the same command about the same thing.
        option: The option that names the folder.
        overwrite: Whether the user allows that it is replaced.
        may_overwrite: Whether the command has an option for that.

    Raises:
        BadInput: It holds another result.
    """
    seal = folder / SEAL
    if overwrite or not seal.is_file():
        return
    try:
        card = _card(seal)
    except (OSError, ValueError):
        return  # damaged, so nothing is lost
    if not is_same(card):
        model = f" of {card.model_name}" if card.model else ""
        what = visible(card.title or f"{card.study}{model}")
        raise BadInput(
            f"this folder holds another result, “{what}”",
            f"name another {option}"
            + (", or replace it with --overwrite" if may_overwrite else ""),
            file=str(folder),
        )


def _text(path: Path, content: str) -> None:
    replace(path, lambda to: to.write_text(content, encoding="utf-8", newline="\n"))
