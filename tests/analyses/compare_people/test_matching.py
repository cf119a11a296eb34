"""Matching of names: aliases, pairs that stand the other way round, nothing in common."""

import numpy as np
import pytest

from derived.people.examples import GROUPS, PAIRS, matrix, random_people, table
from tiltmeter.analyses.compare_people.alignment import Wanted, align
from tiltmeter.analyses.compare_people.matching import match, poles
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.core.errors import BadInput
from tiltmeter.data.groups.group_file import GroupFile


def test_names_and_aliases_of_groups():
    mine = ("woman", "Black", "trans", "Jewish", "non-binary", "baker")
    theirs = ("women", "Blacks/African Americans", "transgender people", "Jewish people",
              "nonbinary people", "average people", "bakers")  # fmt: skip
    found = match(mine, PAIRS, theirs, PAIRS, lists=GroupFile.named(), name="M")
    assert found.groups == theirs[:5]
    assert found.rows == (0, 1, 2, 3, 4)
    assert ("trans", "transgender people") in found.renamed
    assert found.excluded == (
        "People were not asked about 1 group: baker.",
        "M does not have 2 groups: average people, bakers (is it baker?).",
    )
    more = match(mine, PAIRS, theirs, PAIRS, lists=GroupFile.named(), aliases={"Bakers": "baker"})
    assert more.groups[-1] == "bakers"


def test_two_names_of_one_group_are_not_both_taken():
    found = match(("woman", "women"), PAIRS, ("women",), PAIRS, lists=GroupFile.named())
    assert found.rows == (1,)  # the same name goes before an alias
    assert "woman is left out: women is used for women." in found.excluded


def test_pairs_by_other_words_and_the_other_way_round():
    mine = ("egotistic - altruistic", "benevolent ↔ threatening", "religious-science oriented")
    theirs = ("threatening - benevolent", "egoistic - altruistic", "religious - science-oriented")
    found = match(GROUPS, mine, GROUPS, theirs, lists=GroupFile.named())
    assert found.columns == (1, 0, 2)
    assert found.turned == (True, False, False)
    values = np.array([[1.0, 2.0, 3.0]] * len(GROUPS))
    assert found.of_matrix(values)[0].tolist() == [-2, 1, 3]
    assert found.of_matrix(values, middle=50)[0].tolist() == [98, 1, 3]
    assert found.of_matrix(np.stack([values, 2 * values]))[1, 0].tolist() == [-4, 2, 6]


def test_poles():
    assert poles("powerless-powerful") == ("powerless", "powerful")
    assert poles("threatening- benevolent") == ("threatening", "benevolent")
    assert poles("science-oriented") == ("science", "oriented")  # nothing tells it from a pair
    assert poles("a - b - c") is None


def test_nothing_in_common():
    with pytest.raises(BadInput, match=r"no group in common: .* has a; people were asked about b"):
        match(("a",), PAIRS, ("b",), PAIRS)
    with pytest.raises(BadInput, match="no pair of traits in common"):
        match(GROUPS, ("a - b",), GROUPS, PAIRS)


def test_missing_cells_are_stated_and_left_out():
    truth, _ = random_people()
    scores = truth.copy()
    scores[0, 1] = np.nan
    scores[:, 3] = np.nan
    said = truth.copy()
    said[4] = np.nan
    (one,) = align([Source("M", "m", matrix(scores))], table(said), Wanted()).parts
    told = "\n".join(one.left_out)
    assert "1 pair has no values from M: low3 - high3." in told
    assert "1 further cell of 48 without a value from M: sailors, low1 - high1." in told
    assert "1 group has no values from people: poets." in told
    assert one.find("kendall_tau").value == 1
    assert one.find("kendall_tau").n == 5 * 7 - 1
    assert "at least three points" in one.find("kendall_tau", {"group": "poets"}).why
