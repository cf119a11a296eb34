"""What a run with a fine-tuned encoder needs."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import opinions, run_items
from tiltmeter.active.loop import simulate_run
from tiltmeter.active.predictors.finetuned import FinetunedTraining
from tiltmeter.active.run_files import load_points, load_queries
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import BadInput


@pytest.mark.slow
def test_a_run_with_a_finetuned_encoder(encoder: Path, tmp_path: Path):
    """f_ent is the encoder as well; the run reads no frozen features, and gives the same bytes again."""
    pool, _ = opinions()
    settings = LoopSettings(
        budget=90, every=30, entropy_items=10, votes_each=3, pool_sample=20, encoder=str(encoder),
        predictor="finetuned", epochs=2, held_out_items=2,
    ).for_pool(pool)  # fmt: skip
    for folder in ("one", "two"):
        for strategy in ("daal", "badge"):
            none = np.zeros((len(pool.items), 0))
            simulate_run(pool, none, strategy, 0, settings, tmp_path / folder)
    points = load_points(tmp_path / "one", "daal", 0)
    assert [point.votes for point in points] == [36, 66, 90]
    assert all(np.isfinite(point.measures["log_loss"]) for point in points)
    asked = [query for query in load_queries(tmp_path / "one", "daal", 0) if query.h is not None]
    assert asked
    assert all(0 <= query.f_ent <= np.log(2) for query in asked)
    for file in (tmp_path / "one").rglob("*.jsonl"):
        other = tmp_path / "two" / file.relative_to(tmp_path / "one")
        assert file.read_bytes() == other.read_bytes()


def test_only_an_encoder_is_finetuned():
    pool, x = opinions()
    with pytest.raises(
        BadInput, match="trains an encoder, and fake:causal is a model of kind fake"
    ):
        FinetunedTraining(run_items(pool, x, "fake:causal"))
