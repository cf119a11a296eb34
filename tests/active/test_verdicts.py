"""Known curves give the verdicts that they must give, and the numbers beside them."""

import pytest

from active.examples import CLAIMS
from support.active_runs import written
from tiltmeter.active.pool_numbers import CURVE, pool_records
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.verdicts import BORNE_OUT, judged
from tiltmeter.core.estimates import Estimate


def read(folder, scales, **settings):
    return read_pool(written(folder, scales, **settings), draws=100)


def verdict(pool, claim, by):
    """The estimate of a claim, and whether it is borne out; None where nothing says so."""
    groups = {"claim": claim, "by": by}
    made = [
        item
        for item in judged(pool, CLAIMS)
        if isinstance(item, Estimate) and item.groups == groups
    ]
    borne_out = [e.value for e in made if e.name == BORNE_OUT.name]
    return made[0], borne_out[0] if borne_out else None


@pytest.mark.parametrize(
    ("claim", "by", "word", "borne_out"),
    [
        ("1-entropy-votes", "excess_log_loss", "costs", 1),  # expected where annotators disagree
        ("2-daal-skill", "skill", "predicts", 1),
        ("3-daal-votes", "js_nats", "saves", 1),
        ("3-daal-votes", "js_nats_mean", "lower loss", 1),
        ("4-daal-again", "again", "grows", 1),
        ("6-badge-votes", "excess_log_loss", "no difference", 0),
    ],
)
def test_verdicts(pool, claim, by, word, borne_out):
    estimate, yes = verdict(pool, claim, by)
    assert (estimate.verdict, yes, estimate.n) == (word, borne_out, 6)


def test_nothing_is_decided_from_fewer_than_five_seeds(tmp_path):
    scales = {"passive": 200, "daal": 100}
    for seeds, word in ((4, "undecided"), (5, "saves")):
        few = read(tmp_path / str(seeds), scales, seeds=seeds)
        assert verdict(few, "3-daal-votes", "js_nats")[0].verdict == word
    assert (
        verdict(read(tmp_path / "3", scales, seeds=3), "4-daal-again", "again")[0].verdict
        == "undecided"
    )


def test_majority_labels_are_judged_by_macro_f1_too(tmp_path):
    """Made-up macro-F1 is 1 − loss, so it is lower where the loss is higher."""
    hurt = read(tmp_path / "set", {"passive_batched": 200, "passive_majority": 400})
    estimate, yes = verdict(hurt, "5-passive_majority-votes", "macro_f1")
    assert (estimate.verdict, yes, estimate.n) == ("lower macro-F1", 1, 6)
    loss, _ = verdict(hurt, "5-passive_majority-votes", "excess_log_loss_mean")
    assert estimate.value == pytest.approx(-loss.value)
    curve = next(r for r in pool_records(hurt) if r.kind == CURVE)
    assert curve.scores["macro_f1, low"] < curve.scores["macro_f1"] < curve.scores["macro_f1, high"]


def test_the_same_verdict_says_something_else_where_people_agree(tmp_path):
    scales = {"passive": 200, "entropy": 400}
    agreeing = read(tmp_path / "calm", scales, disagreement=0.2)
    assert verdict(agreeing, "1-entropy-votes", "excess_log_loss")[1] == 0
    only = read(tmp_path / "only", scales, agreed_only=True)
    assert only.name == "only (agreed items)"
    estimate, yes = verdict(only, "7-entropy-votes", "excess_log_loss")
    assert (estimate.verdict, yes) == ("costs", 0)
