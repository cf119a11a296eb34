"""Shares by hand with a made-up rater, and the lexicon on the published sentences."""

import numpy as np
import pytest

from support import published
from tiltmeter.analyses.data_check.triple_sentiment import CLASSES, DIFFERENCES, SHARES, sentiment
from tiltmeter.core.data.items import SIDES, Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.judges import SENTIMENTS, sentiments_of
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.stats.confidence_intervals.intervals import wilson, wilson_clustered

REBUILT = "stereoset/dev_rebuilt.json"
WORDS = {"good": 0.6, "bad": -0.6, "so-so": 0.04, "better": 0.05, "worse": -0.05}


class MadeUp:
    instrument, reads, classes = "made up", "six words", SENTIMENTS

    def rate(self, texts):
        return [WORDS.get(text, 0.0) for text in texts]

    def classify(self, texts):
        return sentiments_of(self.rate(texts))


MADE_UP = MadeUp()


def triple(i, words, target, domain="age", task="intersentence"):
    return Triple(str(i), task, "C.", tuple(words), target, domain, ("a", "b", "c"))


ITEMS = [
    triple(1, ("bad", "good", "plain"), "nurse"),
    triple(2, ("worse", "plain", "good"), "nurse", task="intrasentence"),
    triple(3, ("bad", "bad", "plain"), "chef", "skill"),
    triple(4, ("so-so", "better", "plain"), "chef", "skill"),
]


def at(found, of, groups):
    (estimate,) = [e for e in found.estimates if (e.name, e.groups) == (of.name, groups)]
    return estimate


def share(found, name, side, **groups):
    return at(found, SHARES[name], {"side": side, **groups})


def difference(found, name="negative", **groups):
    return at(found, DIFFERENCES[name], groups)


def test_classes_and_their_bounds_by_hand():
    found = sentiment(ITEMS, by=MADE_UP)
    assert found.instrument == "made up"
    shares = {side: [share(found, name, side).value for name in CLASSES] for side in SIDES}
    assert shares == {  # of four; 0.05 and beyond is not neutral any more
        "stereotype": [0, 25, 75], "anti_stereotype": [50, 25, 25], "unrelated": [25, 75, 0],
    }  # fmt: skip


def test_groups_are_all_tasks_domains_and_both():
    found = sentiment(ITEMS, by=MADE_UP)
    groups = [e.groups for e in found.estimates if e.name == "negative_difference"]
    assert groups == [
        {},
        {"task": "intrasentence"},
        {"task": "intersentence"},
        {"domain": "age"},
        {"domain": "skill"},
        {"task": "intrasentence", "domain": "age"},
        {"task": "intersentence", "domain": "age"},
        {"task": "intersentence", "domain": "skill"},
    ]
    assert [e.groups for e in found.estimates if e.name == "neutral"] == [
        {"side": side, **group} for group in groups for side in SIDES
    ]
    assert share(found, "negative", "stereotype", domain="skill").value == 50
    assert share(found, "negative", "stereotype", task="intersentence").n == 3


def test_differences_are_paired_and_vary_by_terms():
    found = sentiment(ITEMS, by=MADE_UP)
    negative = difference(found)
    assert negative.value == 50  # 3 of 4 less 1 of 4
    assert (negative.n, negative.clusters) == (4, 2)
    # nurse: two of two more; chef: none. Two terms say nearly nothing.
    assert negative.low < -30 and negative.high > 97
    assert "only 2 target terms" in negative.why
    assert difference(found, "positive").value == -50
    assert difference(found, "neutral").value == 0
    for groups in ({}, {"domain": "age"}, {"domain": "skill"}):
        assert sum(difference(found, name, **groups).value for name in CLASSES) == 0


def test_of_one_term_triples_vary_and_equal_ones_may_differ_in_others():
    found = sentiment(ITEMS[:2], by=MADE_UP)
    assert difference(found, "negative").value == 100
    assert difference(found, "negative").low < 10  # two of two
    neutral = difference(found, "neutral")  # 0 and −1
    assert neutral.value == -50
    assert neutral.low < -97 and neutral.high > 30


def test_intervals_of_shares_are_those_of_whole_terms():
    rng = np.random.default_rng(2)
    items = [
        triple(i, rng.choice(["good", "bad", "plain"], size=3), f"term {i % 7}") for i in range(70)
    ]
    found = share(sentiment(items, by=MADE_UP), "negative", "unrelated")
    bad = np.array([item.sentences[2] == "bad" for item in items]).astype(float)
    terms = np.array([item.target for item in items])
    assert (found.low / 100, found.high / 100) == pytest.approx(wilson_clustered(bad, terms))
    one = sentiment([triple(i, "abc", "nurse") for i in range(9)], by=MADE_UP)
    none = share(one, "negative", "stereotype")
    assert (none.low / 100, none.high / 100) == pytest.approx(wilson(0, 9))


def test_terms_that_are_rated_themselves_are_named():
    items = [triple(1, "abc", "bad"), triple(2, "abc", "nurse")]
    assert sentiment(items, by=MADE_UP).terms == {"bad": -0.6}


def test_no_triples_have_no_sentiment():
    with pytest.raises(Undefined, match="no triples"):
        sentiment([], by=MADE_UP)


def test_published_stereotypes_are_more_often_negative():
    """Shares as documented; the paper's other classifier found 41 and 33 % on the whole set."""
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    rebuilt = published.need(REBUILT)
    found = sentiment(read_triples(rebuilt).items)
    shares = [share(found, "negative", side).value for side in SIDES]
    assert shares == pytest.approx([32.1, 17.0, 9.6], abs=0.05)
    apart = difference(found)
    assert apart.value == pytest.approx(15.1, abs=0.05)
    assert apart.low > 0
    assert set(found.terms) == {"prisoner"}
