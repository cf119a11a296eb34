"""The benchmarks of measures compare like with like: as many items as published, equal numbers."""

import pytest
from benchmarks import _frame, association, sensitivity
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Settings

TINY = Settings(tiny=True)


def test_the_sensitivity_test_has_the_published_number_of_items():
    assert len(set(sensitivity.GROUPS.split())) == 51
    assert len(set(sensitivity.TRAITS.split())) == 32
    assert len(set(sensitivity.TEMPLATES)) == 35
    with_group, without = sensitivity._items(Settings())
    assert len(with_group) == len(set(with_group)) == len(without) == 57_120
    assert len(set(without)) == 32 * 35
    assert all(a.trait == b.trait for a, b in zip(with_group, without, strict=True))


def test_the_published_loop_of_the_sensitivity_test_gives_the_same_scores():
    ours, slow = sensitivity.rows(TINY)
    assert (
        slow.values["sentences through the model"] > 2 * ours.values["sentences through the model"]
    )
    assert slow.values[DIFFERENCE] < 1e-6
    assert slow.values[SAME] == "3 of 3"
    assert ours.values["spread of scores"] > 1e-5


def test_a_part_of_the_items_is_as_long_as_all():
    items, _ = sensitivity._items(TINY)
    pieces = [1 + item.trait.count("-") for item in items]
    few = sensitivity._every(items, pieces, 72)
    assert len(set(few)) == 72
    mean = sum(pieces) / len(pieces)
    assert abs(sum(pieces[i] for i in few) / 72 - mean) < 0.05


def test_the_published_loops_of_seat_give_the_same_effect_and_p():
    found = list(association.rows(TINY))
    assert len(found) == 4
    for ours, slow in zip(found[::2], found[1::2], strict=True):
        assert slow.values[DIFFERENCE] < 1e-12
        if "all partitions" in ours.case:
            assert ours.values["p"] == slow.values["p"]
        else:  # 999 drawn by either
            assert slow.values["difference of p"] < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["active_rounds", "ceat", "chat_choice", "mixed_model", "seat",
                                  "survey_saves"])  # fmt: skip
def test_other_programs_give_the_same_numbers_and_decisions(name):
    compared = [row for row in _frame.run(name, TINY) if TIMES in row.values]
    assert compared
    for row in compared:
        equal, _, every = row.values[SAME].partition(" of ")
        assert equal == every, row
        assert row.values.get(DIFFERENCE, 0) < 1e-3
        assert row.values[TIMES] > 0
