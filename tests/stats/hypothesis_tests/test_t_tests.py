"""The t-test of two samples against scipy's, and against the figures of a paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from tiltmeter.core.errors import Undefined
from tiltmeter.data.published import published
from tiltmeter.stats.hypothesis_tests.t_tests import t_test

SAMPLE = st.lists(st.integers(-99, 99), min_size=2, max_size=9)


@pytest.mark.filterwarnings("ignore:Precision loss")  # scipy's, where one sample is level
@given(one=SAMPLE, other=SAMPLE)
def test_it_is_scipys(one, other):
    a, b = np.array(one, dtype=float), np.array(other, dtype=float)
    if np.ptp(a) == np.ptp(b) == 0:
        with pytest.raises(Undefined, match="all values within each sample are equal"):
            t_test(a, b)
        return
    found, known = t_test(a, b), ttest_ind(a, b)
    assert found.t == pytest.approx(known.statistic)
    assert found.p == pytest.approx(known.pvalue)
    assert found.freedom == len(a) + len(b) - 2


def test_by_hand():
    # means 2 and 4, squares 2 + 2 over 4 degrees of freedom: t = −2 / sqrt(1 · 2/3)
    found = t_test(np.array([1.0, 2, 3]), np.array([3.0, 4, 5]))
    assert found.t == pytest.approx(-2 / (2 / 3) ** 0.5)


def test_one_value_has_no_spread():
    with pytest.raises(Undefined, match="two values in each"):
        t_test(np.array([1.0]), np.array([1.0, 2.0]))


GROUPS = ("gender", "race", "religion")
MITIGATED = "sentence_debias of profanity"


def scores(model, metric, mitigation):
    table = published("elsafoury2023_mitigation")
    return np.array([
        table.find(model=model, metric=metric, attribute=group, mitigation=mitigation)
        for group in GROUPS
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("model", "p", "printed"),
    [
        ("bert-base-uncased", 0.002397, "0.002"),
        ("roberta-base", 0.002330, "0.002"),
        ("albert-base", 0.016415, "0.01"),
    ],
)
def test_what_elsafoury_2023_prints_of_stereoset(model, p, printed):
    """Section 5. Those of BERT and RoBERTa agree; ALBERT's is cut, not rounded, as its tables are."""
    found = t_test(scores(model, "StereoSet", "none"), scores(model, "StereoSet", MITIGATED))
    assert found.freedom == 4
    assert found.p == pytest.approx(p, abs=1e-6)
    assert f"{found.p:.10f}".startswith(printed)
    assert (f"{found.p:.{len(printed) - 2}f}" == printed) == (model != "albert-base")


@pytest.mark.parametrize("metric", ["CrowS-Pairs", "SOS"])
@pytest.mark.parametrize("model", ["bert-base-uncased", "roberta-base", "albert-base"])
def test_the_other_measures_are_not_significant_there_either(model, metric):
    assert t_test(scores(model, metric, "none"), scores(model, metric, MITIGATED)).p > 0.15


def test_where_the_arrows_of_its_table_5_do_not_say_nearer_or_farther():
    """An arrow says lower or higher; of 27 scores three that are lower are not nearer to .5."""
    differing = []
    for model in ("bert-base-uncased", "roberta-base", "albert-base"):
        for metric in ("CrowS-Pairs", "StereoSet", "SOS"):
            both = scores(model, metric, "none"), scores(model, metric, MITIGATED)
            for group, was, is_ in zip(GROUPS, *both, strict=True):
                nearer = abs(is_ - 0.5) < abs(was - 0.5) - 1e-9
                if nearer != (is_ < was):
                    differing.append((model, metric, group))
    assert sorted(differing) == [
        ("bert-base-uncased", "SOS", "religion"),
        ("bert-base-uncased", "StereoSet", "race"),
        ("roberta-base", "SOS", "race"),
    ]
