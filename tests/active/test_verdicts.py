"""Known curves give the verdicts that they must give, and the numbers beside them."""

import pytest

from support.active_runs import written
from tiltmeter.active.paper_claims import claims_of
from tiltmeter.active.pool_numbers import ALL, CURVE, POINT, pool_estimates, pool_records
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.run_files import EntropyBudget, write_entropy_budgets
from tiltmeter.active.verdicts import BORNE_OUT, judged
from tiltmeter.core.results import Estimate

CLAIMS = claims_of("baumler2023")


def read(folder, scales, **settings):
    return read_pool(written(folder, scales, **settings), draws=100)


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    """DAAL falls twice as fast as passive learning, entropy half as fast, BADGE alike."""
    scales = {"passive": 200, "entropy": 400, "daal": 100, "badge": 200}
    folder = written(tmp_path_factory.mktemp("runs") / "set", scales)
    budgets = [EntropyBudget(seed, 25, 5, 0.1, 0.1 * seed, 0.5) for seed in range(3)]
    write_entropy_budgets(folder, [*budgets, EntropyBudget(0, 50, 5, None, None, None)])
    return read_pool(folder, draws=300)


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


def test_what_was_not_run_is_a_record_with_the_reason(pool):
    records = {
        (r.groups["claim"], r.groups["by"]): r.texts
        for r in judged(pool, CLAIMS) if not isinstance(r, Estimate)
    }  # fmt: skip
    missing = records["5-passive_majority-votes", "excess_log_loss"]
    assert missing["why"] == "passive_majority was not run"
    assert records["3-daal-votes", "excess_log_loss"]["against"] == "passive or entropy"
    assert not any(claim.startswith("7") for claim, _ in records)


def test_the_same_verdict_says_something_else_where_people_agree(tmp_path):
    scales = {"passive": 200, "entropy": 400}
    agreeing = read(tmp_path / "calm", scales, disagreement=0.2)
    assert verdict(agreeing, "1-entropy-votes", "excess_log_loss")[1] == 0
    only = read(tmp_path / "only", scales, agreed_only=True)
    assert only.name == "only (agreed items)"
    estimate, yes = verdict(only, "7-entropy-votes", "excess_log_loss")
    assert (estimate.verdict, yes) == ("costs", 0)


def test_shares_skills_and_levels_are_estimates(pool):
    values = {(e.name, *e.groups.values()): e for e in pool_estimates(pool)}
    assert values["full_data_loss", "js_nats"].value == pytest.approx(0.4)
    assert values["noise_floor", "js_nats"].value == pytest.approx(0.02)
    assert values["disagreement",].value == 0.6
    # .05 + .001 · seed for each point after the first: thirds of nine points lie six points apart
    assert values["asked_again_growth", "daal"].value == pytest.approx(6 * 0.0525)
    assert values["asked_again", "daal", "first"].value == pytest.approx(2 * 0.0525)
    assert values["f_ent_skill", ALL].value == pytest.approx(0.225)
    assert ("f_ent_skill", "daal") not in values
    some, none = values["f_ent_skill", "5", "25"], values["f_ent_skill", "5", "50"]
    assert (some.value, some.n) == (pytest.approx(0.1), 3)
    assert none.value is None and "same entropy" in none.why
    assert values["f_ent_correlation", "5", "25"].value == 0.5


def test_records_have_the_curves_and_what_they_rest_on(pool):
    records = [*pool_records(pool)]
    points = [r for r in records if r.kind == POINT]
    curves = [r for r in records if r.kind == CURVE]
    assert (len(points), len(curves)) == (4 * 6 * 10, 4 * 10)
    at = {"strategy": "daal", "votes": "300"}
    (curve,) = [r for r in curves if r.groups == at]
    losses = [r.scores["js_nats"] for r in points if at.items() <= r.groups.items()]
    assert curve.scores["js_nats"] == pytest.approx(sum(losses) / 6)
    assert curve.scores["js_nats, low"] < curve.scores["js_nats"] < curve.scores["js_nats, high"]
    assert "again" not in curves[0].scores and curve.scores["again"] == pytest.approx(2 * 0.0525)
