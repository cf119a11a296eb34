"""Plans of batches: everything once, within the budget, little padding, whatever the order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.model.batches import FILLED, NEAR, STEP, batches_by_length, filled

LENGTHS = st.lists(st.integers(1, 60), max_size=80)


@given(LENGTHS, st.integers(1, 300))
def test_everything_once_and_within_the_budget(lengths, budget):
    plan = batches_by_length(lengths, budget)
    assert sorted(i for batch in plan for i in batch) == list(range(len(lengths)))
    for batch in plan:
        widest = max(lengths[i] for i in batch)
        assert len(batch) == 1 or len(batch) * widest <= budget
        assert lengths[batch[0]] == widest


@given(LENGTHS, st.integers(100, 300))
def test_rows_that_are_much_shorter_come_only_into_small_batches(lengths, budget):
    for batch in batches_by_length(lengths, budget):
        widest = lengths[batch[0]]
        for at, i in enumerate(batch):
            assert lengths[i] >= NEAR * widest or at * widest * FILLED < budget


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from("abc")), max_size=40), st.randoms())
def test_the_order_of_requests_changes_nothing(requests, rng):
    def planned(rows):
        lengths = [length for length, _ in rows]
        keys = list(range(len(rows))) if rows is requests else [requests.index(r) for r in rows]
        plan = batches_by_length(lengths, 20, keys, [kind for _, kind in rows])
        return [sorted(rows[i] for i in batch) for batch in plan]

    shuffled = list(requests)
    rng.shuffle(shuffled)
    assert planned(requests) == planned(shuffled)


def test_requests_that_are_alike_share_a_row():
    lengths = [10] * 30
    kinds = [str(i % 3) for i in range(30)]
    (batch,) = batches_by_length(lengths, 30, list(range(30)), kinds)
    assert [kinds[i] for i in batch] == sorted(kinds)
    assert len(batches_by_length(lengths, 20, list(range(30)), kinds)) == 2


@given(st.integers(1, 40), st.integers(1, 3000))
def test_full_batches_come_in_few_shapes(length, budget):
    plan = batches_by_length([length] * 200, budget)
    for batch in plan[:-1]:
        assert len(batch) <= STEP or len(batch) % STEP == 0
        assert (len(batch) + STEP) * length > budget


@given(st.integers(1, 5000))
def test_filling_up_adds_little(rows):
    assert rows <= filled(rows) < max(2 * rows, 2)
    assert filled(rows) - rows < STEP
    assert filled(filled(rows)) == filled(rows)
