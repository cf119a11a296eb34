"""Effect minus placebo as a metric of columns: layouts, answers that are missing, and two models."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics.less_placebo import EditEffect, before_and_after, by_arm


def columns_of(moves, *, k=8, layout="pairs"):
    """One row an edit, or one more for what is edited; `moves` says by how much, by arm."""
    rows = []
    for text in range(k):
        base = 0.4 + text / 100
        if layout == "long":
            rows.append((base, "base", text, len(rows), text))
        for arm, move in moves.items():
            scores = (base + move,) if layout == "long" else (base, base + move)
            rows.append((*scores, arm, text, len(rows), text))
    return [np.array(column) for column in zip(*rows, strict=True)]


def sample_of(effect, columns):
    return Sample(effect, columns, columns[-1], np.random.default_rng(0))


@pytest.mark.parametrize(("layout", "scores"), [("pairs", before_and_after), ("long", by_arm)])
def test_both_layouts_have_the_same_numbers(layout, scores):
    columns = columns_of({"group": 0.3, "placebo": -0.1, "paraphrase": 0.5}, layout=layout)
    effect = EditEffect("excess", scores, scale=100)
    assert effect(*columns) == pytest.approx(20)
    assert EditEffect("excess", scores, control="paraphrase")(*columns) == pytest.approx(-0.2)
    assert effect.rests_on(columns) == 8
    assert effect.answered(columns).all()


def test_answers_that_are_missing_do_not_count():
    columns = columns_of({"group": 1.0, "placebo": 0.0}, layout="long")
    columns[0] = np.where(columns[1] == "group", 1.0, 0.0)
    columns[0][1] = -1  # a group edit without an answer: its text has none left
    effect = EditEffect("excess", by_arm, scale=100, yes_no=True)
    assert effect.rests_on(columns) == 7
    assert not effect.answered(columns)[1]
    assert effect(*columns) == 100
    sure = effect.infer(sample_of(effect, columns))
    assert (sure.low, sure.high) != (
        100,
        100,
    )  # all flip, which does not mean that all others would
    assert sure.low > 0
    assert "only 7 clusters" in sure.why


def test_few_clusters_have_neither_interval_nor_test():
    effect = EditEffect("excess", before_and_after)
    sure = effect.infer(sample_of(effect, columns_of({"group": 0.3, "placebo": 0.1}, k=5)))
    assert (sure.low, sure.high, sure.p) == (None, None, None)
    assert "no interval: 5 clusters, and it takes 6" in sure.why
    assert "no test: 5 clusters, and it takes 6" in sure.why


def test_sizes_without_a_limit_have_no_interval():
    columns = columns_of({"group": 0.3, "placebo": 0.1}, k=12)
    for most, has in ((np.inf, False), (1.0, True)):
        effect = EditEffect("raw", before_and_after, most=most)
        assert (effect.infer(sample_of(effect, columns)).low is not None) is has


def test_two_models_are_compared_by_their_effects_less_placebo():
    rng = np.random.default_rng(0)
    a = columns_of({"group": 0.3, "placebo": 0.1}, k=12)
    b = columns_of({"group": 0.2, "placebo": 0.2}, k=12)
    for side in (a, b):
        side[1] += rng.normal(0, 0.01, len(side[1]))
    effect = EditEffect("excess", before_and_after, scale=100)
    value, sure = effect.compare(PairedSample(effect, a, b, a[-1], rng))
    assert value == pytest.approx(effect(*a) - effect(*b))
    assert sure.low < value < sure.high
    assert sure.p == pytest.approx(2 / 2**12)
    with pytest.raises(Undefined, match="minus placebo"):
        EditEffect("raw", before_and_after).compare(PairedSample(effect, a, b, a[-1], rng))
