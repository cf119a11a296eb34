"""What a folder of runs says: known curves give the verdicts that they must give."""

import pytest

from active_runs import written
from tiltmeter.active.result_reading import read_result
from tiltmeter.core.errors import BadInput, UnknownName


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """DAAL falls twice as fast as passive learning, entropy half as fast, BADGE alike."""
    scales = {"passive": 200, "entropy": 400, "daal": 100, "badge": 200}
    return read_result(written(tmp_path_factory.mktemp("runs") / "set", scales), draws=300)


def verdict(result, number, strategy, measure="excess_log_loss"):
    return next(
        v for v in result.verdicts
        if (v.claim.number, v.claim.strategy) == (number, strategy) and v.measure in {measure, ""}
    )  # fmt: skip


def test_known_curves_give_known_ratios(result):
    """Loss e^(−v/scale) in both: votes to any one target are as the scales."""
    found = result.measures["excess_log_loss"]
    best, gap = found.targets
    assert (best.kind, gap.kind) == ("best", "gap")
    assert best.loss == pytest.approx(1.05 * 0.5, rel=0.002)
    ratios = {(row.kind, row.strategy): row for row in found.ratios}
    assert ratios["best", "daal"].value == pytest.approx(2, abs=0.12)
    assert ratios["best", "daal"].low > 1.7
    assert ratios["best", "entropy"].value == pytest.approx(0.5, abs=0.06)
    means = {e.groups["strategy"]: e.value for e in found.differences}
    assert means["daal"] < 0 < means["entropy"]


@pytest.mark.parametrize(
    ("number", "strategy", "word", "bears_out"),
    [
        (1, "entropy", "costs", True),  # expected where annotators disagree
        (2, "daal", "predicts", True),
        (3, "daal", "saves", True),
        (4, "daal", "grows", True),
        (6, "badge", "no difference", False),
    ],
)
def test_verdicts(result, number, strategy, word, bears_out):
    found = verdict(result, number, strategy)
    assert (found.word, found.bears_out, found.estimate.n) == (word, bears_out, 6)


def test_what_was_not_run_is_said(result):
    found = verdict(result, 5, "passive_majority")
    assert (found.word, found.bears_out) == ("", None)
    assert "passive_majority was not run" in found.estimate.why
    assert not [v for v in result.verdicts if v.claim.agreed_only]


def test_the_same_verdict_says_something_else_where_people_agree(tmp_path):
    scales = {"passive": 200, "entropy": 400}
    agreeing = read_result(written(tmp_path / "calm", scales, disagreement=0.2), draws=100)
    assert verdict(agreeing, 1, "entropy").bears_out is False
    only = written(tmp_path / "only", scales, agreed_only=True)
    claim, *_ = read_result(only, draws=100).verdicts
    assert (claim.claim.number, claim.word, claim.bears_out) == (7, "costs", False)


def test_mistakes_are_explained(tmp_path, result):
    with pytest.raises(BadInput, match=r"manifest\.json"):
        read_result(tmp_path)
    with pytest.raises(UnknownName, match="baumler2023"):
        read_result(result.folder, convention="baumler")
