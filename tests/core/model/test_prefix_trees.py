"""Texts as a tree: each beginning is there once, and batches hold as many tokens as they may."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.model.prefix_trees import FILLED, LONG, PrefixTree, beginning, tree_batches

TEXTS = st.lists(st.lists(st.integers(0, 2), max_size=8).map(tuple), max_size=12)


def beginnings(texts):
    """Every beginning of every text, once."""
    return {text[: i + 1] for text in texts for i in range(len(text))}


@given(TEXTS)
def test_every_beginning_is_there_once(texts):
    tree = PrefixTree(texts)
    assert len(tree.ids) == len(beginnings(texts))
    for text, path in zip(texts, tree.paths, strict=True):
        assert tuple(tree.ids[at] for at in path) == text
        assert [tree.positions[at] for at in path] == list(range(len(text)))
    own = [at for branch in tree.branches for at in range(branch.start, branch.stop)]
    assert own == list(range(len(tree.ids)))
    for branch in tree.branches:
        assert tree.paths[branch.text][branch.start - branch.stop :] == list(
            range(branch.start, branch.stop)
        )


@given(TEXTS, st.lists(st.integers(0, 2), max_size=4).map(tuple))
def test_what_all_begin_with_can_be_left_out(texts, first):
    whole = [(*first, *text) for text in texts]
    tree = PrefixTree(whole, len(first))
    assert tree.ids == PrefixTree(texts).ids
    assert tree.paths == PrefixTree(texts).paths
    assert tree.positions == [len(first) + at for at in PrefixTree(texts).positions]


@given(TEXTS, st.integers(1, 12))
def test_batches_are_full_and_hold_every_text_once(texts, most):
    batches = tree_batches(texts, most)
    assert sorted(i for members, _ in batches for i in members) == list(range(len(texts)))
    for members, tokens in batches:
        assert tokens == len(beginnings([texts[i] for i in members]))
        assert tokens <= most or len(members) == 1
    for (first, _), (second, _) in pairwise(batches):
        more = [texts[i] for i in [*first, second[0]]]
        assert len(beginnings(more)) > most


@given(TEXTS, st.randoms())
def test_the_order_of_the_texts_does_not_matter(texts, random):
    shuffled = random.sample(texts, len(texts))
    groups = [
        [sorted(some[i] for i in members) for members, _ in tree_batches(some, 9)]
        for some in (texts, shuffled)
    ]
    assert groups[0] == groups[1]


def test_a_batch_ends_with_its_long_beginning():
    texts = [(k, *range(LONG), end) for k in (1, 2) for end in range(LONG)]
    most = FILLED * LONG
    assert [len(members) for members, _ in tree_batches(texts, most)] == [LONG, LONG]


def test_a_long_beginning_does_not_fill_batches():
    texts = [(*range(LONG), end) for end in range(20)]
    assert [len(members) for members, _ in tree_batches(texts, 10)] == [10, 10]


def test_what_all_begin_with():
    assert beginning([(1, 2, 3), (1, 2), (1, 2, 4)]) == 2
    assert beginning([]) == 0
