"""Answers of a survey with what was shown where: `answers.csv` of an export whose form had random orders."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import Fault, Raw
from tiltmeter.core.text import decimal_number
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.rows import FilledText, TextCell, UserRows, text_of

PLACES = ("item_place", "page_place", "row_place")
COLUMNS = (*PLACES, "swapped", "texts_order", "options_order")
"""What `survey export` writes of how a question was shown."""


def _place(cell: Any) -> float | None:
    text = text_of(cell)
    number = decimal_number(text) if text else None
    if text and (number is None or number < 1 or number != int(number)):
        raise Fault(f"is {text[:40]!r}", "write a whole number from 1, or leave it empty")
    return number


def _swapped(cell: Any) -> bool | None:
    text = text_of(cell).lower()
    if text not in {"", "yes", "no", "true", "false"}:
        raise Fault(f"is {text[:40]!r}", "write yes or no, or leave it empty")
    return text in {"yes", "true"} if text else None


def _listed(cell: Any) -> tuple[str, ...]:
    text = text_of(cell)
    try:
        values = parsed(text) if text else []
    except ValueError:
        values = None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise Fault(f"is {text[:40]!r}", 'write a list such as ["a", "b"], or leave it empty')
    return tuple(values)


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One answer about an item, and how its question was shown; None or () where that was fixed."""

    person: FilledText
    question: FilledText
    kind: TextCell
    value: Annotated[str, Raw(lambda cell: text_of(cell).removeprefix("'"))]
    """Without the apostrophe that keeps spreadsheets from running it."""
    item: TextCell = ""
    round: Annotated[float | None, Raw(lambda cell: decimal_number(text_of(cell)))] = None
    page: TextCell = ""
    item_place: Annotated[float | None, Raw(_place)] = None
    page_place: Annotated[float | None, Raw(_place)] = None
    row_place: Annotated[float | None, Raw(_place)] = None
    swapped: Annotated[bool | None, Raw(_swapped)] = None
    texts_order: Annotated[tuple[str, ...], Raw(_listed)] = ()
    options_order: Annotated[tuple[str, ...], Raw(_listed)] = ()

    @property
    def chosen(self) -> tuple[str, ...]:
        """What was chosen of options: one, or several where the cell is a list."""
        if not self.value.startswith("["):
            return (self.value,)
        try:
            return _listed(self.value)
        except Fault:
            return (self.value,)


@dataclass(frozen=True, slots=True)
class ShownAnswers:
    """The answers of a table."""

    name: str
    sha256: str
    answers: tuple[ShownAnswer, ...]


def read_shown_answers(path: Path, *, encoding: str = "") -> ShownAnswers:
    """The answers of a survey in a table, or in the folder of an export; training items are left out.

    Raises:
        BadInput: The file cannot be read, or has no column that says what was shown where.
        BadItems: Rows that cannot be used.
    """
    file = path / "answers.csv" if path.is_dir() else path
    rows = UserRows(ShownAnswer, file, encoding=encoding)
    if not {*COLUMNS} & {*rows.columns}:
        raise BadInput(
            f"has none of the columns {', '.join(COLUMNS)}, which say what was shown where",
            "give answers.csv of an export",
            file=file.name,
        )
    answers = [answer for _, answer in rows if answer.round is None or answer.round >= 1]
    rows.finish("")
    if not answers:
        raise BadInput("has no answers", "see whether somebody has answered", file=file.name)
    return ShownAnswers(path.stem if path.is_file() else path.name, sha256(file), tuple(answers))
