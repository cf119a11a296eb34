"""Processes that share a step: what each computes, and what a single one does."""

import pytest
import torch

from tiltmeter.train import team
from tiltmeter.train.team import ALONE, Team, _buckets, current_team


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_every_example_is_computed_by_one_process(size):
    batch = [*range(7)]
    parts = [list(Team(rank, size).share(batch)) for rank in range(size)]
    assert sorted(number for part in parts for number in part) == batch
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_a_single_process_exchanges_nothing():
    weight = torch.nn.Parameter(torch.ones(2))
    weight.grad = torch.tensor([1.0, 2.0])
    ALONE.add_up_gradients([weight])
    ALONE.wait()
    assert current_team() is ALONE and ALONE.leads
    assert ALONE.sums(1.5, 2) == (1.5, 2) and weight.grad.tolist() == [1.0, 2.0]


def test_weights_are_exchanged_in_order_and_few_at_a_time(monkeypatch):
    monkeypatch.setattr(team, "BUCKET", 6)
    weights = [torch.nn.Parameter(torch.zeros(n)) for n in (2, 4, 1, 9, 3)]
    sizes = [[weight.numel() for weight in bucket] for bucket in _buckets(weights)]
    assert sizes == [[2, 4], [1], [9], [3]]
