"""Splits by target term: whole terms, disjoint, a quarter, the same for the same seed."""

from collections import Counter

import pytest

from tiltmeter.core.data.items import Dataset, Pair, Triple
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.memory.samples import split


def items(terms, each=3):
    return [
        Triple(f"{term}-{i}", "intersentence", "A.", ("B.", "C.", "D."), term, domain)
        for term, domain in terms
        for i in range(each)
    ]


TERMS = [(f"{domain}{i}", domain) for domain, n in (("g", 10), ("p", 30), ("r", 36), ("x", 3))
         for i in range(n)]  # fmt: skip
DATA = Dataset("made up", "1", items(TERMS), "", "", about={"task": "?", "scores": "kept"})


def terms_of(data):
    return {t.target for t in data.items}


@pytest.mark.parametrize("seed", [0, 1, 17])
def test_parts_are_disjoint_whole_and_a_quarter(seed):
    develop, test = (split(DATA, part, seed=seed) for part in ("development", "test"))
    assert len(terms_of(develop)) == 20  # a quarter of 79 is 19.75
    assert not terms_of(develop) & terms_of(test)
    assert terms_of(develop) | terms_of(test) == terms_of(DATA)
    assert {t.id for t in develop.items} | {t.id for t in test.items} == {t.id for t in DATA.items}
    sizes = Counter(t.domain for t in develop.items)
    assert {k: n // 3 for k, n in sizes.items()} == {"g": 3, "p": 7, "r": 9, "x": 1} or {
        k: n // 3 for k, n in sizes.items()
    } == {"g": 2, "p": 8, "r": 9, "x": 1}
    assert "seed" in develop.about["split"] and develop.about["scores"] == "kept"
    assert "task" not in develop.about
    assert "development" in develop.name


def test_seeded():
    assert split(DATA, "test", seed=3).items == split(DATA, "test", seed=3).items
    assert terms_of(split(DATA, "test", seed=3)) != terms_of(split(DATA, "test", seed=4))
    shuffled = Dataset("made up", "1", list(reversed(DATA.items)), "", "")
    assert terms_of(split(shuffled, "test", seed=3)) == terms_of(split(DATA, "test", seed=3))


def test_what_cannot_be_split():
    with pytest.raises(UnknownName, match="development"):
        split(DATA, "dev")
    with pytest.raises(BadInput, match="cannot be split"):
        split(Dataset("one", "1", items([("a", "d")]), "", ""), "test")
    with pytest.raises(BadInput, match="cannot be split"):
        split(Dataset("pairs", "1", [Pair("1", "a", "b"), Pair("2", "a", "b")], "", ""), "test")


def test_two_terms_make_one_each():
    data = Dataset("two", "1", items([("a", "d"), ("b", "d")]), "", "")
    assert len(terms_of(split(data, "development"))) == len(terms_of(split(data, "test"))) == 1
