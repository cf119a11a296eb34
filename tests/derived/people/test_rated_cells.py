"""What people say by group and trait: every published mean, few raters, ratings of surveys."""

import csv
from itertools import combinations

import numpy as np
import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import leakage_ratings
from tiltmeter.data.people.ratings import Ratings, read_ratings
from tiltmeter.derived.people.rated_cells import human_cells, poles_of

MISSING = 999.0


@pytest.fixture(scope="module")
def ratings():
    published.need("stereotype_leakage/data_full_english.json")
    return leakage_ratings()


def aggregates(language):
    """{(group, pole): value} of the published table."""
    path = published.need(f"stereotype_leakage/aggregated_data_{language.upper()}.csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {group.name.casefold(): group.name for group in GroupFile.named("leakage_en").groups}
    return {
        (names[group.casefold()], row["Traits"]): float(value)
        for row in rows
        for group, value in row.items()
        if group != "Traits"
    }


def test_every_published_mean_comes_out(ratings):
    native = {g.name for g in GroupFile.named("leakage_en").groups if "stereotypes" not in g.domain}
    equal, few = 0, set()
    for language, single in ratings.items():
        cells = human_cells(single, min_raters=1)
        for (group, pole), value in aggregates(language).items():
            there = group in cells.groups
            at = (cells.groups.index(group), cells.columns.index(pole)) if there else None
            count = cells.counts[at] if at else 0
            assert (value == MISSING) == (count == 0 or (count <= 3 and group in native))
            if value != MISSING:
                equal += abs(cells.means[at] - value) < 1e-6
                few |= {(language, group, int(count))} if count < 5 else set()
    assert equal == 2816
    assert few == {("hi", "immigrant", 1), ("hi", "Asian person", 4)}


def test_cells_with_few_raters_are_missing(ratings):
    cells = human_cells(ratings["hi"])
    row = cells.groups.index("immigrant")
    assert np.isnan(cells.means[row]).all()
    assert cells.counts[row].tolist() == [1.0] * 32
    assert np.isfinite(cells.means[cells.groups.index("Asian person")]).all()
    assert np.isnan(cells.half_widths()[row]).all()


@pytest.mark.parametrize(
    ("unit", "expected"), [("poles", [0.64, 0.50, 0.36]), ("pairs", [0.70, 0.56, 0.26])]
)
def test_how_far_languages_agree_by_kind_of_group(ratings, unit, expected):
    """Pearson within a group, averaged over pairs of languages and then over groups."""
    rated = {
        language: human_cells(one, unit=unit, min_raters=1) for language, one in ratings.items()
    }
    found: dict[str, list[float]] = {"shared stereotypes": [], "non-shared stereotypes": [], "": []}
    for group in GroupFile.named("leakage_en").groups:
        kind = group.domain if group.domain in found else ""
        known = [
            cells.part([group.name], cells.columns).means[0]
            for cells in rated.values()
            if group.name in cells.groups
            and (kind or cells.counts[cells.groups.index(group.name), 0] > 3)
        ]
        if len(known) > 1:
            pairs = combinations(known, 2)
            found[kind].append(np.mean([np.corrcoef(a, b)[0, 1] for a, b in pairs]))
    assert [np.mean(values) for values in found.values()] == pytest.approx(expected, abs=0.006)


def test_ratings_of_a_survey_are_read_alike(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(
        "annotator,group,pair,rating,low,high,language\n"
        "p1,woman,cold - warm,-30,-50,50,ru\np2,woman,cold - warm,10,-50,50,ru\n"
        "p3,woman,cold - warm,20,-50,50,ru\n",
        "utf-8",
    )
    cells = human_cells(read_ratings(path), min_raters=3)
    assert cells.columns == ("cold", "warm")
    assert cells.means == pytest.approx(np.array([[10.0, 10.0]]))
    spread = np.std([0, 10, 20], ddof=1)
    assert cells.half_widths()[0, 1] == pytest.approx(4.302653 * spread / 3**0.5, rel=1e-6)


def test_poles_need_names_of_their_own():
    with pytest.raises(
        BadInput, match="'warmth' does not name two traits; write it as \"left - right\""
    ):
        poles_of("warmth")
    twice = Ratings(("a",), ("men",), ("cold - warm", "cold - kind"), np.zeros((1, 1, 2)))
    with pytest.raises(BadInput, match="'cold' is a trait of two pairs"):
        human_cells(twice)
