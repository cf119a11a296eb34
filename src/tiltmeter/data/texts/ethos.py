"""ETHOS: comments from YouTube and Reddit, with the shares of annotators who called them hate speech.

Mollas et al. 2022, doi:10.1007/s40747-021-00608-2. Labels are those of Chiu, Collins and Alexander 2022,
section 3.1: sexist and racist comments have a share of at least .5, "neither" are those that nobody
called hate speech.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import given, registered
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.prompts.prompt_set import AskedText
from tiltmeter.data.texts.comments import NEITHER, RACIST, SEXIST, Comments

PAPER, CHIU2021 = "paper", "chiu2021"
"""Variants: the authors' file, or the damaged copy that the published code reads."""
SHARES = {SEXIST: "gender", RACIST: "race"}
"""The column with the share of annotators, by label."""
AT_LEAST = 0.5
NAME, COPY = "ethos", "ethos_chiu2021"
BINARY, KINDS = "Ethos_Dataset_Binary.csv", "Ethos_Dataset_Multi_Label.csv"


def load_ethos(folder: Path | None = None, *, variant: str = PAPER) -> Comments:
    """The comments, from the registered sets or from a folder with both tables.

    The damaged copy is read as the published code read it: rows that a quotation mark has swallowed have no
    shares, and are left out.

    Raises:
        BadInput: A table is missing, or a row is not a comment with numbers.
        Unavailable: The registered files cannot be fetched.
    """
    if folder is not None:
        kinds, binary = folder / KINDS, folder / BINARY
        for path in (kinds, binary):
            if not path.is_file():
                way_out = "give the folder with the authors' two tables, or a table of your own"
                raise BadInput(f"the folder has no {path.name}", way_out, file=str(folder))
        about = given(folder, [kinds, binary])
    else:
        located = locate(NAME)
        binary, kinds = (located.files[f"{NAME}/{name}"] for name in (BINARY, KINDS))
        about = registered(located)
        if variant == CHIU2021:
            copy = locate(COPY)
            kinds, about = copy.file, registered(copy)
            about = replace(about, sha256=given(kinds, [kinds, binary]).sha256)
    shares = [*_rows(kinds, tuple(SHARES.values()), damaged=variant == CHIU2021)]
    by_label = {
        label: tuple(row.labelled(label) for row in shares if row.shares[column] >= AT_LEAST)
        for label, column in SHARES.items()
    }
    hate = _rows(binary, ("isHate",), damaged=False)
    by_label[NEITHER] = tuple(row.labelled(NEITHER) for row in hate if row.shares["isHate"] == 0)
    return Comments(by_label, about)


@dataclass(frozen=True, slots=True)
class _Row:
    comment: str
    file: str
    line: int
    shares: Mapping[str, float]

    def labelled(self, label: str) -> AskedText:
        """A comment is named by its line; its id has the label too, because it may have two."""
        name = f"{'comment' if self.file == BINARY else 'hate'}-{self.line}"
        where = f"{self.file}:{self.line}"
        return AskedText(f"{name}-{label}", self.comment, label, cluster=name, where=where)


def _rows(path: Path, columns: Sequence[str], *, damaged: bool) -> Iterator[_Row]:
    """The rows; in a damaged file, those that a quotation mark has swallowed are left out."""
    reader = csv.reader(lines(path), delimiter=";")
    header = [name.rstrip(",").strip() for name in next(reader, [])]
    lacking = [name for name in ("comment", *columns) if name not in header]
    if lacking:
        reason = f"no column named {lacking[0]}"
        way_out = "give the folder with the authors' two files, as published"
        raise BadInput(reason, way_out, file=path.name, line=1)
    before = reader.line_num
    for cells in reader:
        line, before = before + 1, reader.line_num
        if damaged and len(cells) < len(header):
            continue
        try:
            shares = {name: float(cells[header.index(name)]) for name in columns}
        except (IndexError, ValueError):
            reason = f"{' or '.join(columns)} is missing or is not a number"
            way_out = "cells are separated by semicolons; see the published file"
            raise BadInput(reason, way_out, file=path.name, line=line) from None
        yield _Row(cells[header.index("comment")], path.name, line, shares)
