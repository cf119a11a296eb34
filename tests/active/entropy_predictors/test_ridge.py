"""f_ent as a ridge regression on frozen vectors."""

import numpy as np
import pytest

from support.active_runs import opinions, run_items
from tiltmeter.active.entropy_predictor import entropy_errors, fit_entropy
from tiltmeter.active.entropy_predictors import entropy_predictor_named
from tiltmeter.active.human_entropy import EntropyVotes
from tiltmeter.core.errors import UnknownName

NONE = np.empty(0, dtype=np.int64)


def test_the_ridge_is_that_of_the_features():
    pool, x = opinions()
    items, first = run_items(pool, x), np.arange(30)
    given = EntropyVotes(first, pool.counts[first], NONE, NONE)
    found = entropy_predictor_named("ridge")(items, given, 3)
    slow = fit_entropy(x[:30], pool.counts[:30], 3)
    np.testing.assert_array_equal(found.training, slow(x))
    assert found.errors(pool.counts) == entropy_errors(slow(x), pool.counts, 3, slow.mean)


def test_a_misspelt_name_has_its_nearest_one():
    with pytest.raises(UnknownName, match="'ridge'"):
        entropy_predictor_named("rigde")
