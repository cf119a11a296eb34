"""A cluster's machines divided among workers."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.run.asking.workers import size


def test_too_many_workers_are_refused_with_the_number_that_fits():
    machines = [{"CPU": 4}, {"CPU": 2}]
    assert size(machines, None, gpus=True) == (3, 2, 0)
    assert size(machines, 6, gpus=True) == (6, 1, 0)
    with pytest.raises(BadInput, match="6 CPUs, too few for 7 workers; use --workers 6"):
        size(machines, 7, gpus=True)
    with pytest.raises(BadInput, match="2 GPUs"):
        size([{"CPU": 4, "GPU": 2}], 3, gpus=True)
    assert size([{"CPU": 4, "GPU": 2}], 3, gpus=False) == (3, 1, 0)
    with pytest.raises(BadInput, match="too few"):
        size([], None, gpus=True)


@pytest.mark.parametrize("workers", range(1, 25))
def test_workers_always_fit(workers):
    machines = [{"CPU": cpus} for cpus in (16, 5, 3)]
    made = size(machines, workers, gpus=True)
    assert made.workers == workers
    room = sum(m["CPU"] // made.cpus for m in machines)
    assert room >= workers
    assert sum(m["CPU"] // (made.cpus + 1) for m in machines) < workers  # and get all they can
