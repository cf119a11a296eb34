"""Runs without the excess log loss get it from their pool, if it is still the same."""

from dataclasses import replace

import numpy as np

from tiltmeter.active.excess_loss import with_excess
from tiltmeter.active.measure_table import MeasureTable
from tiltmeter.active.measuring import HeldOutItems
from tiltmeter.active.pools.sample import read
from tiltmeter.active.run_manifest import RunManifest
from tiltmeter.active.votes import split_items


def test_the_excess_is_that_of_a_measured_model():
    pool = read()
    test = pool.part(split_items(pool, 3).test)
    flat = np.full((len(test.items), len(pool.labels)), 1 / len(pool.labels))
    measures = HeldOutItems.of(test, flat).measures(flat)
    losses = np.array([[measures["log_loss"]]])
    found = MeasureTable(("passive",), (3,), np.array([10]), {"log_loss": {"passive": losses}})
    about = {"name": "sample", "sha256": pool.sha256}
    manifest = RunManifest(about, pool.labels, {}, (10,), {}, ("passive",), (3,))
    made, entropies = with_excess(found, manifest)
    np.testing.assert_allclose(
        made.values["excess_log_loss"]["passive"], measures["excess_log_loss"]
    )
    assert entropies.shape == (1,)
    changed = replace(manifest, pool=about | {"sha256": "0" * 64})
    assert with_excess(found, changed) == (found, None)
    assert with_excess(made, changed) == (made, None)
