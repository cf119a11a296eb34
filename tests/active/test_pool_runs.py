"""What a folder of runs says: known curves give the ratios that they must give."""

import pytest

from support.active_runs import written
from tiltmeter.active.curves import DIFFERENCE
from tiltmeter.active.pool_runs import read_pool, run_folders
from tiltmeter.core.errors import BadInput


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    """DAAL falls twice as fast as passive learning, entropy half as fast."""
    scales = {"passive": 200, "entropy": 400, "daal": 100}
    return read_pool(written(tmp_path_factory.mktemp("runs") / "set", scales), draws=300)


def test_known_curves_give_known_ratios(pool):
    """Loss e^(−v/scale) in both: votes to any one target are as the scales."""
    runs = pool.losses["excess_log_loss"]
    best, gap = runs.targets
    assert (best.kind, gap.kind) == ("best", "gap") and runs.main_target is best
    assert best.loss == pytest.approx(1.05 * 0.5, rel=0.002)
    ratios = {name: best.ratio(name, ("passive",)) for name in ("daal", "entropy")}
    assert ratios["daal"].value == pytest.approx(2, abs=0.12)
    assert ratios["daal"].low > 1.7
    assert ratios["entropy"].value == pytest.approx(0.5, abs=0.06)
    assert [ratio.verdict for ratio in ratios.values()] == ["saves", "costs"]
    means = {e.groups["strategy"]: e.value for e in runs.differences if e.name == DIFFERENCE.name}
    assert means["daal"] < 0 < means["entropy"]


def test_queries_are_read_where_they_are_wanted(pool):
    first = [*pool.first_queries(2)]
    assert [(q.strategy, q.seed, q.votes) for q in first[:2]] == [
        ("passive", 0, 101), ("passive", 0, 102),
    ]  # fmt: skip
    assert len(first) == 3 * 2
    assert len([*pool.all_queries()]) == 3 * 6 * 10


def test_without_the_usual_strategy_the_first_is_compared_with(tmp_path):
    folder = written(tmp_path / "set", {"daal": 100, "entropy": 400}, seeds=3)
    assert read_pool(folder, draws=20).against == "daal"


def test_folders_are_found_inside_others_once_each(tmp_path, pool):
    assert run_folders([pool.folder.parent]) == run_folders([pool.folder]) == [pool.folder]
    with pytest.raises(BadInput, match="listed twice"):
        run_folders([pool.folder, pool.folder.parent])
    with pytest.raises(BadInput, match=r"manifest\.json"):
        read_pool(*run_folders([tmp_path]))
