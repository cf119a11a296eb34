"""Random numbers go on as if nothing had happened."""

import random
from contextlib import suppress

import numpy as np
import pytest

from tiltmeter.models.opening.random_state import random_state_kept

torch = pytest.importorskip("torch")


def drawn():
    return random.random(), float(np.random.random()), float(torch.rand(()))  # noqa: NPY002


def test_what_is_drawn_within_is_not_missed_afterwards():
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    torch.manual_seed(1)
    with random_state_kept():
        first = drawn()
    with suppress(ValueError), random_state_kept():
        assert drawn() == first
        raise ValueError
    assert drawn() == first
    assert drawn() != first
