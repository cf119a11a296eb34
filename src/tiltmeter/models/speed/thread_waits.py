"""How long PyTorch's threads spin while they wait for each other on a CPU.

At the end of each parallel piece of work the threads wait for the slowest. GNU OpenMP, which PyTorch's
Linux packages contain, lets them spin for some 300,000 turns first, several milliseconds. That is
harmless on an idle machine. Beside another program the slowest thread often waits for the very core on
which another one spins. After 10,000 turns, a fraction of a millisecond, waits on an idle machine are over.
"""

import os
import sys

SPINNING, POLICY = "GOMP_SPINCOUNT", "OMP_WAIT_POLICY"
TURNS = 10_000


def limit_spinning() -> None:
    """Set GOMP_SPINCOUNT, unless the user has chosen how threads wait.

    GNU OpenMP reads its environment once, when PyTorch is loaded: after that nothing is set, so that
    the environment always says what holds.
    """
    chosen = {SPINNING, POLICY} & os.environ.keys()
    if sys.platform == "linux" and "torch" not in sys.modules and not chosen:
        os.environ[SPINNING] = str(TURNS)


def threads_fact() -> str:
    """The number of PyTorch's threads and how they wait: "2, GOMP_SPINCOUNT=10000"."""
    import torch

    waits = [f"{name}={os.environ[name]}" for name in (SPINNING, POLICY) if name in os.environ]
    return ", ".join([str(torch.get_num_threads()), *waits])
