"""Rows as dataclasses: what is taken, and every row that cannot be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.reading.typed_values import OTHERS, Fault, Raw, reader
from tiltmeter.core.reading.value_types import via
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows, number_of


@dataclass(frozen=True)
class Boat:
    name: FilledCell
    length: Annotated[float, Raw(number_of)]
    kind: Annotated[Literal["sail", "motor"], via(Cell, reader(Literal["sail", "motor"]))] = "sail"
    about: Annotated[Mapping[str, Cell], OTHERS] = field(default_factory=dict)


SHORT = (
    "boats.csv:5: too few cells: 2 where the header has 3; "
    "put cells that hold the delimiter in quotation marks"
)


@pytest.fixture
def boats(tmp_path):
    def read(text, name="boats.csv", **how):
        (tmp_path / name).write_text(text, "utf-8")
        return UserRows(Boat, tmp_path / name, **how)

    return read


def test_cells_become_values_with_their_lines(boats):
    rows = boats("name,length,kind,home\n Ada , 7.5,motor,Kiel\n\nBea,1e1,sail,\n")
    assert [*rows] == [
        (2, Boat("Ada", 7.5, "motor", {"home": "Kiel"})),
        (4, Boat("Bea", 10.0, "sail", {"home": ""})),
    ]
    rows.finish()
    ((line, boat),) = boats('{"name": 3, "length": 4}\n', "boats.jsonl")
    assert (line, boat.name, boat.length, boat.kind) == (1, "3", 4.0, "sail")


def test_columns_may_have_other_names(boats):
    ((_, boat),) = boats("Boot,length\nAda,2\n", columns={"name": "Boot"})
    assert boat == Boat("Ada", 2.0)
    with pytest.raises(BadInput, match="no column named Boot"):
        boats("name,length\nAda,2\n", columns={"name": "Boot"})


MISSING = (
    "a word for a missing value; fill it in or remove the row, or list such words with --missing"
)


def test_every_row_that_cannot_be_used_is_named(boats):
    rows = boats("name,length,kind\n,2,sail\nAda,1_000,sail\nBea,nan,raft\nCid,3\nDee,4,sail\n")
    assert [boat.name for _, boat in rows] == ["Dee"]
    rows.complain(6, "Dee is known already", "leave it out")
    with pytest.raises(BadItems) as wrong:
        rows.finish()
    assert str(wrong.value).splitlines() == [
        "boats.csv:2: name is empty; fill it in, or remove the row",
        "boats.csv:3: length is '1_000', not a number; write a number, or remove the row",
        f"boats.csv:4: length is 'nan', {MISSING}",
        'boats.csv:4: kind is \'raft\'; write "sail" or "motor"',
        SHORT,
        "boats.csv:6: Dee is known already; leave it out",
        "Correct these rows, or remove them.",
    ]


@pytest.mark.parametrize("cell", ["0,5", "-12,25", "+3,0"])
def test_a_decimal_comma_is_answered_with_a_point(cell):
    with pytest.raises(Fault) as wrong:
        number_of(cell)
    assert wrong.value.way_out == "write a number with a decimal point"


@pytest.mark.parametrize("cell", ["a,b", "1,2,3", "x"])
def test_what_is_no_number_with_a_comma_has_the_usual_answer(cell):
    with pytest.raises(Fault) as wrong:
        number_of(cell)
    assert wrong.value.way_out == "write a number, or remove the row"
