"""Texts that share their beginning are grouped where that saves tokens."""

from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.shared_prefixes import families

TEXTS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8).map(tuple), max_size=12)


@given(TEXTS, st.integers(1, 40))
def test_a_family_shares_what_it_says(texts, most):
    found = families(texts, most)
    assert sorted(i for family in found for i in family.members) == list(range(len(texts)))
    for family in found:
        members = [texts[i] for i in family.members]
        assert len({text[: family.shared] for text in members}) == 1
        rest = sum(len(text) - family.shared for text in members)
        assert family.length == family.shared + rest
        assert len(members) == 1 or (family.length <= most and family.shared >= 2)
        assert len(members) > 1 or family.shared == 0


@given(TEXTS, st.randoms())
def test_the_order_of_the_texts_does_not_matter(texts, random):
    shuffled = random.sample(texts, len(texts))
    groups = [
        sorted(sorted(some[i] for i in family.members) for family in families(some, 30))
        for some in (texts, shuffled)
    ]
    assert groups[0] == groups[1]


@given(TEXTS)
def test_no_family_costs_more_than_its_texts_alone(texts):
    assert sum(f.length for f in families(texts, 30)) <= sum(map(len, texts))


def test_the_longest_common_beginning_comes_first():
    # "ab.." twice and "abcd.." twice: the two long ones stay together, and do not share only "ab"
    texts = [(1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 7), (1, 2, 8), (1, 2, 9)]
    found = {family.members: family.shared for family in families(texts, 100)}
    assert found == {(0, 1): 5, (2, 3): 2}


def test_a_row_never_gets_too_long():
    assert [f.members for f in families([(1, 2, 3), (1, 2, 4)], 4)] == [(0, 1)]
    assert [f.members for f in families([(1, 2, 3), (1, 2, 4)], 3)] == [(0,), (1,)]
    assert families([(1,) * 9], 3)[0].length == 9


def test_sharing_the_start_token_alone_is_not_worth_it():
    assert len(families([(0, 1, 2), (0, 3, 4)], 100)) == 2
