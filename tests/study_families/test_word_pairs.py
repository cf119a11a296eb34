"""Tests of two words for one group as the control of two groups."""

import numpy as np
import pytest

from tiltmeter.core.measures import EDIT
from tiltmeter.core.records import Record
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.study_families.controls import SAME_GROUP
from tiltmeter.study_families.word_pairs import PairedWords, in_pairs, measures_of_pairs

SCORE = PairedWords(
    "score", ("said", "group", EDIT), "", called="Difference", text="edited text", moves="differs"
)  # fmt: skip
GROUP = {"aunt": "women", "girl": "women", "boy": "men", "uncle": "men"}


def numbers(said, templates=8):
    records = [
        Record(f"{t}-{word}", {"said": said(t, word)}, {"group": group}, f"t{t}")
        for t in range(templates)
        for word, group in GROUP.items()
    ]
    made = [in_pairs(r, frame=r.cluster, word=r.item.partition("-")[2]) for r in records]
    columns = columns_of(made, ["said"])
    return {
        e.name: e for e in estimates([*measures_of_pairs(SAME_GROUP, SCORE)], columns, "half", 0)
    }


def test_where_only_the_group_matters_the_control_is_0():
    found = numbers(lambda t, word: t + 2.0 * (GROUP[word] == "men"))
    assert found["score_of_groups_beside_same_group"].value == 2
    assert found["score_of_same_group"].value == 0
    assert found["score_less_same_group"].value == 2
    assert found["score_less_same_group"].n == 8 * 4  # two words × two words a template


def test_where_only_the_word_matters_there_is_no_excess():
    rng = np.random.default_rng(1)
    draws = {(t, word): rng.normal() for t in range(30) for word in GROUP}
    found = numbers(lambda t, word: draws[t, word], templates=30)
    less = found["score_less_same_group"]
    assert less.low < 0 < less.high
    both = [found["score_of_groups_beside_same_group"].value, found["score_of_same_group"].value]
    assert both[0] == pytest.approx(both[1], rel=0.25)


def test_a_cluster_without_pairs_of_both_kinds_counts_for_nothing():
    def said(t, word):
        return np.nan if t < 7 and GROUP[word] == "men" else float(len(word))

    found = numbers(said)
    assert found["score_less_same_group"].value == pytest.approx(1 - 1)
    assert found["score_less_same_group"].low is None


def test_nothing_of_it_is_reported_without_a_placebo():
    records = [Record("1", {"said": 1.0}, {"group": "women"}, "t")]
    columns = columns_of(records, ["said"])
    assert not [*estimates([*measures_of_pairs(SAME_GROUP, SCORE)], columns, "half", 0)]
