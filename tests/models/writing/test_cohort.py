"""Slots of branches: which are kept, and when they are copied."""

import pytest

torch = pytest.importorskip("torch")

from tiltmeter.models.writing.cohort import SPARE, Cohort, HeldTexts  # noqa: E402

HEADS, WIDTH = 2, 4


def held(texts):
    positions = torch.arange(3).repeat(len(texts), 1)
    rows = torch.tensor(texts, dtype=torch.float32)[:, None, None, None]
    layer = rows.expand(-1, HEADS, 3, WIDTH).contiguous()
    return HeldTexts([*texts], positions, {0: (layer, layer.clone())})


def step(cohort, slots, numbers):
    """Add one token to each branch, whose key is its number; returns the keys of each, (branches, added)."""
    positions = torch.full((len(slots),), 9)
    group, places = cohort.added_group([*range(len(slots))], slots, positions)
    rows = torch.tensor(numbers, dtype=torch.float32)[None, None, :, None]
    rows = rows.expand(1, HEADS, -1, WIDTH)
    keys, values = group.source(0, rows, -rows)
    assert torch.equal(keys, -values)
    return [keys[places[query], 0, :, 0].tolist() for query in range(len(slots))]


def test_each_branch_has_what_it_added_itself():
    cohort = Cohort(4, [held(range(4))])
    assert step(cohort, [0, 1, 2, 3], [0, 1, 2, 3]) == [[0], [1], [2], [3]]
    slots = cohort.continue_with([3, 1, 2])
    assert slots == [0, 1, 2]
    assert step(cohort, slots, [13, 11, 12]) == [[3, 13], [1, 11], [2, 12]]
    slots = cohort.continue_with([slots[2], slots[2]])  # one goes on in two ways
    assert step(cohort, slots, [20, 21]) == [[2, 12, 20], [2, 12, 21]]


def test_an_ended_branch_leaves_its_slot_empty_until_many_have():
    cohort = Cohort(8, [held(range(8))])
    assert cohort.continue_with([7, *range(6)]) == [7, *range(6)]
    assert cohort.continue_with([0, 1, 7]) == [0, 1, 2]


def test_room_grows_with_what_is_added():
    cohort = Cohort(2, [held(range(2))])
    for n in range(3 * SPARE):
        added = step(cohort, [0, 1], [n, n + 100])
    assert added == [[*range(3 * SPARE)], [*range(100, 100 + 3 * SPARE)]]


def test_branches_of_one_text_attend_to_it_together():
    cohort = Cohort(2, [held(range(2))])
    slots = cohort.continue_with([1, 1, 0])
    positions = torch.tensor([3, 3, 3])
    ((group, places),) = cohort.text_groups([0, 1, 2], slots, positions)
    keys, _ = group.source(0, None, None)
    n = group.places.shape[1]
    assert [keys[places[query] // n, 0, 0, 0].item() for query in range(3)] == [1, 1, 0]
    assert [group.places.flatten()[places[query]].item() for query in range(3)] == [0, 1, 2]
