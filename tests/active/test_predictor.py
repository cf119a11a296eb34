"""What a run with a fine-tuned encoder needs."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import opinions, run_items
from tiltmeter.active.loop import simulate_run
from tiltmeter.active.predictors.finetuned import FinetunedTraining
from tiltmeter.active.run_files import load_points
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import CannotAnswer


@pytest.mark.slow
def test_a_run_with_a_finetuned_encoder(encoder: Path, tmp_path: Path):
    pool, x = opinions()
    settings = LoopSettings(
        budget=90, every=30, entropy_items=10, votes_each=3, pool_sample=20, encoder=str(encoder),
        predictor="finetuned",
    ).for_pool(pool)  # fmt: skip
    simulate_run(pool, x, "daal", 0, settings, tmp_path)
    points = load_points(tmp_path, "daal", 0)
    assert [point.votes for point in points] == [30, 60, 90]
    assert all(np.isfinite(point.measures["log_loss"]) for point in points)


def test_only_an_encoder_is_finetuned():
    pool, x = opinions()
    with pytest.raises(CannotAnswer, match="no encoder"):
        FinetunedTraining(run_items(pool, x, "fake:causal"))
