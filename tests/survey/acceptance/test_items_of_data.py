"""Items of data as items of the forms that validate them."""

import pytest

from tiltmeter.core.data.items import Pair, Triple
from tiltmeter.core.errors import BadInput
from tiltmeter.survey.acceptance.items_of_data import items_of_data

PAIR = Pair("7", "They steal.", "We steal.", {"bias_type": "age", "direction": "antistereo"})
TRIPLE = Triple("t", "intersentence", "She bakes.", ("s", "a", "u"), "baker", "profession")


def test_sentence_1_is_about_the_group_of_the_direction():
    form, (row,) = items_of_data([PAIR])
    assert form == "validate_pairs"
    assert row == {
        "id": "7", "sentence_1": "We steal.", "sentence_2": "They steal.", "direction": "antistereo",
        "bias_type": "age",
    }  # fmt: skip


def test_types_of_stereoset_have_a_form_of_their_own():
    pairs = [
        Pair(str(i), "a b", "a c", {"bias_type": t}) for i, t in enumerate(("race", "profession"))
    ]
    form, rows = items_of_data(pairs)
    assert form == "validate_stereoset_pairs"
    assert {row["direction"] for row in rows} == {"stereo"}
    assert items_of_data([Pair("1", "a b", "a c")])[0] == "validate_pairs"


def test_candidates_are_in_random_order():
    form, rows = items_of_data([TRIPLE] * 50)
    assert form == "validate_triples"
    assert len({(row["a"], row["b"], row["c"]) for row in rows}) == 6
    assert {frozenset((row["a"], row["b"], row["c"])) for row in rows} == {frozenset("sau")}
    assert (rows[0]["context"], rows[0]["target"], rows[0]["domain"]) == (
        "She bakes.", "baker", "profession",
    )  # fmt: skip


def test_a_draw_is_seeded_and_in_order():
    pairs = [Pair(f"{i:02}", "a b", "a c") for i in range(30)]
    draws = [[row["id"] for row in items_of_data(pairs, 8, seed)[1]] for seed in (1, 1, 2)]
    assert draws[0] == draws[1] == sorted(draws[0]) and draws[0] != draws[2]
    assert len({*draws[0]}) == 8


def test_what_no_form_validates():
    with pytest.raises(BadInput, match="no items that a form validates"):
        items_of_data(["text"])
    with pytest.raises(BadInput, match="no items that a form validates"):
        items_of_data([])
    with pytest.raises(BadInput, match="the data have 1 item; draw fewer"):
        items_of_data([PAIR], 2)
