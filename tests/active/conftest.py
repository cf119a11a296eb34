"""A pool of runs, and an encoder to fine-tune."""

from pathlib import Path

import pytest

from support.active_runs import written
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.run_files import EntropyBudget, write_entropy_budgets


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    """DAAL falls twice as fast as passive learning, entropy half as fast, BADGE alike."""
    scales = {"passive": 200, "entropy": 400, "daal": 100, "badge": 200}
    folder = written(tmp_path_factory.mktemp("runs") / "set", scales)
    budgets = [EntropyBudget(seed, 25, 5, 0.1, 0.1 * seed, 0.5) for seed in range(3)]
    write_entropy_budgets(folder, [*budgets, EntropyBudget(0, 50, 5, None, None, None)])
    return read_pool(folder, draws=300)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    """A tiny encoder with random weights."""
    pytest.importorskip("torch")
    from transformers import AutoModel

    from support.architectures import build

    folder = tmp_path_factory.mktemp("encoder") / "bert"
    build("bert", folder)
    trunk = AutoModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    trunk.save_pretrained(folder)
    return folder
