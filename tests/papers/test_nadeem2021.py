"""StereoSet, the version of 2021: what its text says of Tables 4 to 7, from their printed numbers."""

import pytest

from tiltmeter.papers.cells import place
from tiltmeter.papers.derived_numbers import derivations
from tiltmeter.papers.number_sources import DerivationInputs
from tiltmeter.papers.paper_file import read_paper

ITEMS = {item.name: item for item in read_paper("nadeem2021").items}


def from_printed(name):
    """The cells of an item without any result: of others there are the printed numbers."""
    made = derivations(
        ITEMS[name], DerivationInputs(lambda other: place(ITEMS[other], [], []), []), []
    )
    return place(ITEMS[name], [], [], derived=[each.derived for each in made]).cells


def test_the_rank_correlation_follows_from_table_4():
    """By hand over the nine models: 1 − 6 Σd² / (9 · 80) = .8667, of which the paper prints .87."""
    (cell,) = from_printed("section 7 correlation")
    assert (cell.status, cell.printed.value, cell.ours.n) == ("equal", 0.87, 9)
    assert cell.ours.value == pytest.approx(1 - 6 * 16 / 720, abs=1e-4)


def test_the_six_means_follow_from_tables_4_to_7():
    cells = {(*c.row, *c.column): c for c in from_printed("section 7 means")}
    assert {cell.status for cell in cells.values()} == {"equal"} and len(cells) == 6
    assert cells["", "likelihood"].ours.value == pytest.approx(79.88, abs=0.005)
    assert {at: cell.ours.n for at, cell in cells.items() if at[0] == "intrasentence"} == {
        ("intrasentence", "likelihood"): 6, ("intrasentence", "pseudo"): 6,
    }  # fmt: skip
