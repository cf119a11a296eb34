"""Random samples of a data set."""

from collections import Counter

import pytest

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.data.memory.samples import sampled

ITEMS = [Pair(str(i), f"he {i}", f"she {i}") for i in range(50)]
DATA = Dataset("pairs", "1", ITEMS, "somewhere", "CC0", sha256="abc")


def test_a_sample_is_in_order_without_repeats_and_says_so():
    found = sampled(DATA, 20, seed=3)
    places = [ITEMS.index(item) for item in found.items]
    assert len(places) == 20
    assert places == sorted(set(places))
    assert found.name == "pairs, 20 of 50"
    assert found.about["sample"] == "20 of 50 items, seed 3"
    assert [note.text for note in found.notes] == [
        "A random sample: 20 of 50 items, drawn with seed 3."
    ]


def test_equal_seeds_draw_equal_samples_and_others_draw_others():
    assert sampled(DATA, 20, seed=1).items == sampled(DATA, 20, seed=1).items
    assert sampled(DATA, 20, seed=1).items != sampled(DATA, 20, seed=2).items


@pytest.mark.parametrize("limit", [None, 50, 51])
def test_nothing_changes_where_all_items_fit(limit):
    assert sampled(DATA, limit) is DATA


def test_every_item_is_drawn_as_often_as_any_other():
    drawn = Counter(item.id for seed in range(2000) for item in sampled(DATA, 10, seed=seed).items)
    assert len(drawn) == 50
    assert max(abs(count - 400) for count in drawn.values()) < 5 * (2000 * 0.2 * 0.8) ** 0.5
