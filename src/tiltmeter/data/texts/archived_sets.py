"""Tables made from registered sets that their authors publish as archives: SNLI, MultiNLI, ATOMIC, IMDb, SST.

The archive is what is registered and verified. The table that training and studies read is made from it once
and kept in the cache: JSON lines with our own names of columns.
"""

import csv
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.fetch import writing
from tiltmeter.data.downloads.registry import Located, locate
from tiltmeter.data.files.atomic_files import replace
from tiltmeter.data.files.unpacking import opened_member, opened_tar_member, tar_members

Row = Mapping[str, object]
FORMAT = 1
"""Raised when the tables change, so that they are made anew."""
UNDECIDED = "-"
"""The label of pairs on which the annotators of SNLI and MultiNLI did not agree."""
IF_THEN_COLUMNS = re.compile(r"[ox][A-Z][a-z]+")
"""Columns of ATOMIC with the tails of a relation: xIntent, oWant."""
REVIEW = re.compile(r"aclImdb/(train|test)/(pos|neg)/(\d+_\d+)\.txt")
"""The path of a labelled review of IMDb: its part, its label, and its number with the rating."""
SST_PARTS = {"1": "train", "2": "test", "3": "validation"}


def _of_pairs(archive: Path, member: str) -> Iterator[Row]:
    """The pairs of SNLI or MultiNLI that have a label."""
    with _member(archive, member) as lines:
        for line in lines:
            row = json.loads(line)
            if row["gold_label"] != UNDECIDED:
                yield {
                    "id": row["pairID"], "premise": row["sentence1"],
                    "hypothesis": row["sentence2"], "label": row["gold_label"],
                }  # fmt: skip


def _of_atomic(archive: Path) -> Iterator[Row]:
    """Each event and relation of ATOMIC's training part, with its tails."""
    with _member(archive, "v4_atomic_trn.csv") as lines:
        for row in csv.DictReader(lines):
            for relation in filter(IF_THEN_COLUMNS.fullmatch, row):
                if tails := json.loads(row[relation]):
                    yield {"event": row["event"], "relation": relation, "tails": tails}


def _of_imdb(archive: Path) -> Iterator[Row]:
    """The 50,000 labelled reviews; the archive is read once, from front to back."""
    with tar_members(archive) as roll:
        for member in roll:
            path = REVIEW.fullmatch(member.name.removeprefix("./"))
            content = roll.extractfile(member) if path else None
            if path and content:
                text = content.read().decode("utf-8").replace("<br />", "\n")
                label = "positive" if path[2] == "pos" else "negative"
                yield {
                    "id": f"{path[1]}-{path[2]}-{path[3]}", "text": text, "label": label,
                    "part": path[1],
                }  # fmt: skip


def _of_sst(archive: Path) -> Iterator[Row]:
    """Each whole sentence with its part and, where its text is found among the phrases, its sentiment."""
    folder = "stanfordSentimentTreebank/"
    with _member(archive, folder + "dictionary.txt") as lines:
        phrases = dict(line.rstrip("\n").rsplit("|", 1) for line in lines)
    with _member(archive, folder + "sentiment_labels.txt") as lines:
        values = dict(line.rstrip("\n").split("|", 1) for line in lines)
    with _member(archive, folder + "datasetSplit.txt") as lines:
        part_of = dict(line.rstrip("\n").split(",", 1) for line in lines)
    with _member(archive, folder + "datasetSentences.txt") as lines:
        for line in lines:
            number, text = line.rstrip("\n").split("\t", 1)
            if number.isdecimal():  # the first line names the columns
                yield {
                    "id": number, "text": text, "part": SST_PARTS.get(part_of.get(number, ""), ""),
                    "sentiment": float(values[phrases[text]]) if text in phrases else None,
                }  # fmt: skip


MADE_BY: Mapping[str, Callable[[Path], Iterable[Row]]] = {
    "snli": partial(_of_pairs, member="snli_1.0/snli_1.0_train.jsonl"),
    "multinli": partial(_of_pairs, member="multinli_1.0/multinli_1.0_train.jsonl"),
    "atomic": _of_atomic,
    "imdb": _of_imdb,
    "sst": _of_sst,
}
"""What makes the rows of each set from its archive."""


def named_table(source: str | Path) -> Path:
    """The table that a source means: of a set in `MADE_BY` its table, otherwise the file of that path.

    A file or folder of the same name goes before.

    Raises:
        Unavailable: The archive is not available, or is not the registered one.
        BadInput: The archive lacks a file, or cannot be read.
        StorageError: The cache cannot be written.
    """
    path = Path(source).expanduser()
    return path if path.exists() or str(source) not in MADE_BY else table_of(locate(str(source)))


def table_of(located: Located) -> Path:
    """The table of a set that is on this machine, made now if it is not in the cache.

    Raises:
        BadInput: The archive lacks a file, or cannot be read.
        StorageError: The cache cannot be written.
    """
    name = located.set.name
    table = places.cache() / "data" / name / f"{name}-{located.sha256[:12]}-{FORMAT}.jsonl"
    if not table.is_file():
        with writing(table):
            table.parent.mkdir(parents=True, exist_ok=True)
            replace(table, partial(_write, located.file, MADE_BY[name]))
    return table


def _write(archive: Path, rows: Callable[[Path], Iterable[Row]], to: Path) -> None:
    way_out = "get it again with `tiltmeter data get`"
    try:
        with to.open("w", encoding="utf-8") as file:
            for row in rows(archive):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    except (KeyError, ValueError, zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        reason = f"it does not hold the files of this set ({type(error).__name__}: {error})"
        raise BadInput(reason, way_out, file=str(archive)) from error


@contextmanager
def _member(archive: Path, name: str) -> Iterator[Iterator[str]]:
    """The lines of a text file in a zip or tar archive, without unpacking the rest."""
    if zipfile.is_zipfile(archive):
        with (
            zipfile.ZipFile(archive) as parcel,
            opened_member(parcel, parcel.getinfo(name)) as content,
        ):
            yield iter(io.TextIOWrapper(content, "utf-8", newline=""))
        return
    with opened_tar_member(archive, name) as content:
        yield iter(io.TextIOWrapper(content, "utf-8", newline=""))
