"""Keeps the state of random number generators, so that code in between does not affect later numbers."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def random_state_kept() -> Iterator[None]:
    """Restores the generators of Python, numpy and torch (CPU and accelerators in use) after the block."""
    import torch

    python, arrays, cpu = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    # Asking for the state of a device that nobody uses would initialise it.
    used: bool = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
    cuda = torch.cuda.get_rng_state_all() if used else None
    mps = torch.mps.get_rng_state() if torch.backends.mps.is_available() else None
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(arrays)  # noqa: NPY002
        torch.set_rng_state(cpu)
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)
        if mps is not None:
            torch.mps.set_rng_state(mps)
