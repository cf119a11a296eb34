"""Which items take part, by their numbers of votes and at random."""

import numpy as np
import pytest

from tiltmeter.active.pools.item_choice import ItemChoice
from tiltmeter.active.votes import NamedVote, vote_pool
from tiltmeter.core.errors import BadInput


def uneven(items=60):
    """Item n has 1 + n mod 6 votes; an annotator with the name of each item votes there alone."""
    texts = {f"i{n:02}": f"text {n}" for n in range(items)}
    votes = [
        NamedVote(item, item if k == 0 else f"p{k}", str(k % 2))
        for n, item in enumerate(texts)
        for k in range(1 + n % 6)
    ]
    return vote_pool("uneven", texts, votes, labels=("0", "1"))


def numbers(pool):
    return sorted(set(pool.counts.sum(axis=1).tolist()))


def test_items_by_their_numbers_of_votes():
    pool = uneven()
    some = ItemChoice(min_votes=3, max_votes=5).of(pool)
    assert numbers(some) == [3, 4, 5] and len(some.items) == 30
    assert some.notes == ("Only the 30 of 60 items with 3 to 5 votes are used.",)
    assert numbers(ItemChoice(max_votes=2).of(pool)) == [1, 2]
    assert numbers(ItemChoice(min_votes=6).of(pool)) == [6]
    assert ItemChoice().of(pool) is pool and ItemChoice(limit=60).of(pool) is pool


def test_what_is_left_is_a_pool_of_its_own():
    pool = uneven()
    some = ItemChoice(min_votes=6).of(pool)
    assert some.sha256 not in {"", pool.sha256} and len(some.annotators) == 10 + 5
    whose = {some.annotators[a] for a in some.annotator}
    assert whose == set(some.annotators)
    assert some.counts.tolist() == pool.counts[5::6].tolist()


def test_a_sample_is_of_the_items_that_fit_and_depends_on_its_seed_alone():
    pool = uneven()
    draws = [ItemChoice(min_votes=3, limit=15, limit_seed=s).of(pool) for s in (0, 0, 1)]
    assert [len(drawn.items) for drawn in draws] == [15] * 3
    assert draws[0].sha256 == draws[1].sha256 != draws[2].sha256
    assert min(numbers(draws[2])) >= 3
    (note,) = draws[0].notes
    assert note == (
        "Only the 40 of 60 items with at least 3 votes are used; of these, a random sample of 15 of 40 items "
        "is used (seed 0)."
    )


def test_every_item_is_drawn_equally_often():
    pool, drawn = uneven(), np.zeros(60)
    for seed in range(300):
        some = ItemChoice(limit=20, limit_seed=seed).of(pool)
        drawn[[pool.items.index(item) for item in some.items]] += 1
    assert np.abs(drawn / 300 - 1 / 3).max() < 0.12  # more than four standard errors


def test_too_few_items_are_an_error_that_says_how_many():
    with pytest.raises(BadInput, match="uneven: 0 items of 60 with at least 7 votes"):
        ItemChoice(min_votes=7).of(uneven())
    with pytest.raises(BadInput, match=r"60 items of 60 .*, 5 of them sampled"):
        ItemChoice(limit=5).of(uneven())
    with pytest.raises(BadInput, match="--max-votes 2 is lower than --min-votes 3"):
        ItemChoice(min_votes=3, max_votes=2).of(uneven())
