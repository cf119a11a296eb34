"""Placebo edits: changes of a text that leave its meaning and whom it is about as they are.

The packaged list is `placebo_edits.toml`; users extend it, or give paraphrases of single texts instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated
from zlib import crc32

import numpy as np

from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, Text, some
from tiltmeter.data.files.rows import FilledText, TextCell, UserRows
from tiltmeter.data.files.toml_file import ListFile

ENGLISH = "en"
NEAR_SHARE, NEAR = 0.25, 2
"""An edit is of like size if its size differs by no more than this share, or by so many characters."""


@dataclass(frozen=True, slots=True)
class PlaceboEdit:
    """An edit of any text."""

    name: Line
    language: Line = ""
    """The code of its language; "" for every one."""
    begin: Text = ""
    end: Text = ""
    find: Text = ""
    put: Text = ""

    def faults(self) -> Iterator[Fault]:
        """Edits that change nothing, or that do not say what is put in the place of `find`."""
        if not (self.begin or self.end or self.find):
            yield Fault(
                f"the edit {self.name!r} changes nothing", "write begin, end, or find and put"
            )
        if bool(self.find) != bool(self.put):
            yield Fault(f"the edit {self.name!r} has only one of find and put", "write both")
        if self.find and self.find == self.put:
            yield Fault(f"the edit {self.name!r} puts what it finds", "write another put")

    def applied(self, text: str) -> str:
        """The edited text, or the text itself if the edit does not fit it.

        >>> PlaceboEdit("comma", find=" and ", put=", and ").applied("Salt and pepper.")
        'Salt, and pepper.'
        >>> PlaceboEdit("thanks", end=" Thanks.").applied("Salt and pepper.")
        'Salt and pepper. Thanks.'
        """
        if self.find and self.find not in text:
            return text
        changed = text.replace(self.find, self.put, 1) if self.find else text
        return f"{self.begin}{changed}{self.end}"


@dataclass(frozen=True, kw_only=True)
class PlaceboList(ListFile):
    """Edits that cannot matter, packaged or from a user's TOML file."""

    manual = "docs/how-to/placebo-arms.md"

    edits: Annotated[tuple[PlaceboEdit, ...], some]
    with_packaged: bool = False
    """Whether the packaged edits are used as well."""


@cache
def packaged_edits() -> tuple[PlaceboEdit, ...]:
    """The edits of the package, in all languages."""
    return PlaceboList.read(Path(__file__).with_name("placebo_edits.toml")).edits


def edits_in(language: str, path: Path | None = None, *, encoding: str = "") -> list[PlaceboEdit]:
    """The edits for texts in a language: the packaged ones, or those of a user's TOML file.

    Raises:
        BadInput: The file cannot be read, or there is no edit for the language.
        BadItems: The file holds keys or values that cannot be used.
    """
    edits = packaged_edits()
    if path is not None:
        read = PlaceboList.read(path, encoding=encoding)
        edits = (*read.edits, *(edits if read.with_packaged else ()))
    kept = [edit for edit in edits if edit.language in {"", language}]
    if not kept:
        reason = f"it has no edit for texts in the language {language!r}"
        raise BadInput(reason, "leave out language", file=path.name if path else "")
    return kept


def edit_size(before: str, after: str) -> int:
    """How large an edit is: the least number of characters to insert, delete or replace.

    >>> edit_size("the women", "the men"), edit_size("Salt.", "Salt. Thanks.")
    (2, 8)
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  (only runs with a placebo need it)

    return int(Levenshtein.distance(before, after))


def edits_like(
    text: str, sizes: Sequence[int], edits: Sequence[PlaceboEdit], *, seed: int = 0
) -> list[tuple[PlaceboEdit, str] | None]:
    """For each edit of a text with one of these sizes, a placebo edit of like size and the text after it.

    Each is used once; None if none is left. Of those of like size one is drawn, so that not all texts get the
    same; the draw depends on the text and the seed alone. If none is of like size, it is the nearest.
    """
    made = {edit.applied(text): edit for edit in reversed(edits)}
    made.pop(text, None)
    left = sorted((edit_size(text, after), after) for after in made)
    # "surrogatepass" lets lone surrogates through, as texts of users may have them.
    rng = np.random.default_rng([seed, crc32(text.encode("utf-8", "surrogatepass"))])
    chosen: list[tuple[PlaceboEdit, str] | None] = []
    for size in sizes:
        if not left:
            chosen.append(None)
            continue
        away = [abs(of - size) for of, _ in left]
        reach = max(NEAR, NEAR_SHARE * size)
        near = [at for at, far in enumerate(away) if far <= reach] or [int(np.argmin(away))]
        _, after = left.pop(near[int(rng.integers(len(near)))])
        chosen.append((made[after], after))
    return chosen


@dataclass(frozen=True, slots=True)
class _Paraphrase:
    id: FilledText
    text: FilledText
    name: TextCell = ""


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A text of the user's that says the same as one of the data."""

    text: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Paraphrases:
    """The paraphrases of a file."""

    by_id: Mapping[str, Sequence[Paraphrase]]
    problems: Sequence[Problem]


def read_paraphrases(
    path: Path, texts: Mapping[str, str], *, encoding: str = "", skip_invalid: bool = False
) -> Paraphrases:
    """The paraphrases of a table with the columns id and text; several rows may have one id.

    Args:
        path: The table.
        texts: The texts of the data by their ids.
        encoding: Of the file.
        skip_invalid: Whether rows that cannot be used are left out; without it they are an error.

    Raises:
        BadInput: The file cannot be read, has no rows, or has no id of the data.
        BadItems: A row has no text, that of the data, or one that an earlier row of its id has.
    """
    rows = UserRows(_Paraphrase, path, encoding=encoding, texts=("id", "text"))
    by_id: dict[str, list[Paraphrase]] = {}
    first = ""
    for line, row in rows:
        first = first or row.id
        earlier = [paraphrase.text for paraphrase in by_id.get(row.id, ())]
        if row.text == texts.get(row.id, "").strip():
            rows.complain(line, f"the text of {row.id} is the one of the data, not a paraphrase")
        elif row.text in earlier:
            rows.complain(line, f"the text of {row.id} is that of an earlier row as well")
        else:
            by_id.setdefault(row.id, []).append(Paraphrase(row.text, row.name, line))
    stop_at(rows.problems, "paraphrases", skip_invalid=skip_invalid)
    if not by_id:
        raise BadInput("has no paraphrases", "write rows with id and text", file=path.name)
    if not texts.keys() & by_id.keys():
        known = next(iter(texts), "")
        reason = (
            f"none of its ids is one of the data: it has {first!r}, and the data have {known!r}"
        )
        raise BadInput(reason, "use the ids of the data", file=path.name)
    return Paraphrases(by_id, rows.problems)
