"""Numbers of a pool as estimates and records."""

import pytest

from active.examples import CLAIMS
from tiltmeter.active.pool_numbers import ALL, CURVE, POINT, pool_estimates, pool_records
from tiltmeter.active.verdicts import judged
from tiltmeter.core.estimates import Estimate


def test_what_was_not_run_is_a_record_with_the_reason(pool):
    records = {
        (r.groups["claim"], r.groups["by"]): r.texts
        for r in judged(pool, CLAIMS) if not isinstance(r, Estimate)
    }  # fmt: skip
    missing = records["5-passive_majority-votes", "excess_log_loss"]
    assert missing["why"] == "passive_majority was not run"
    assert records["3-daal-votes", "excess_log_loss"]["against"] == "passive or entropy"
    assert not any(claim.startswith("7") for claim, _ in records)


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
