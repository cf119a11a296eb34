"""Pairs of sentences for training: each once an epoch, and batches by number."""

from tiltmeter.train.pairs import Batches, NextSentenceExample


class Reader:
    """Tokens are letters."""

    def read(self, pairs, *, most):
        from tiltmeter.models.reading.next_pairs import EncodedPair

        return [EncodedPair(tuple(map(ord, (a + b)[:most]))) for a, b in pairs]


def batches(n=500, size=3):
    made = [NextSentenceExample("x" * (i % 7), str(i), i % 2) for i in range(n)]
    return Batches(made, Reader(), size=size, most=40, seed=1)


def test_every_epoch_has_every_pair_once_in_another_order():
    shared = batches()
    assert shared.per_epoch == 167
    seen = []
    for epoch in range(2):
        steps = range(epoch * 167, (epoch + 1) * 167)
        rows = [row.ids for step in steps for row, _ in shared.batch(step)]
        seen.append(rows)
        assert len(set(rows)) == 500
    assert sorted(seen[0]) == sorted(seen[1])
    assert seen[0] != seen[1]


def test_a_batch_depends_on_its_number_alone():
    shared = batches()
    for step in (0, 1, 95, 96, 166, 167, 300):
        assert batches().batch(step) == shared.batch(step)
