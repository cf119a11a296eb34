"""Processes that make the steps of one training together, each with a part of every batch.

Each process has all weights. The gradients of a step are the sum of what each process computed of its
examples, divided by the answers of the whole batch, so that a training in several processes is the one of a
single process, beyond rounding and the random numbers that dropout draws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import torch

E = TypeVar("E")
BUCKET = 2**25
"""How many numbers are exchanged together, at most; larger weights are exchanged alone."""


@dataclass(frozen=True, slots=True)
class Team:
    """A process among those of a training."""

    rank: int = 0
    """The number of this process, from 0."""
    size: int = 1
    """How many processes there are."""

    @property
    def leads(self) -> bool:
        """Whether this process writes files and reports progress, as one of them does."""
        return self.rank == 0

    def share(self, parts: Sequence[E]) -> Sequence[E]:
        """The examples that this process computes.

        >>> [Team(rank, 2).share("abcde") for rank in (0, 1)]
        ['ace', 'bd']
        """
        return parts[self.rank :: self.size] if self.size > 1 else parts

    def sums(self, *numbers: float) -> tuple[float, ...]:
        """The sum of each number over all processes, which wait for each other."""
        if self.size == 1:
            return numbers
        import torch

        device = f"cuda:{self.rank}" if torch.distributed.get_backend() == "nccl" else "cpu"
        total = torch.tensor(numbers, dtype=torch.float64, device=device)
        torch.distributed.all_reduce(total)
        return tuple(total.tolist())

    def wait(self) -> None:
        """Wait until all processes are here."""
        self.sums(0.0)

    def add_up_gradients(self, weights: "Sequence[torch.nn.Parameter]") -> None:
        """Replace each gradient by its sum over all processes; weights that none of them used have none."""
        if self.size == 1:
            return
        import torch

        exchange = torch.distributed.all_reduce
        used = torch.tensor([weight.grad is not None for weight in weights], dtype=torch.uint8)
        used = used.to(weights[0].device)
        exchange(used, op=torch.distributed.ReduceOp.MAX)
        for bucket in _buckets(
            [w for w, there in zip(weights, used.tolist(), strict=True) if there]
        ):
            grads = [w.grad if w.grad is not None else torch.zeros_like(w) for w in bucket]
            flat = torch.cat([grad.reshape(-1) for grad in grads])
            exchange(flat)
            at = 0
            for weight in bucket:
                weight.grad = flat[at : at + weight.numel()].view_as(weight).clone()
                at += weight.numel()


ALONE = Team()
"""The team of a single process."""


def current_team() -> Team:
    """The team that this process belongs to."""
    import torch

    group = torch.distributed
    if not (group.is_available() and group.is_initialized()):
        return ALONE
    return Team(group.get_rank(), group.get_world_size())


def _buckets(weights: "Sequence[torch.nn.Parameter]") -> "Iterator[list[torch.nn.Parameter]]":
    """Weights in order, as many together as have BUCKET numbers."""
    bucket: list[torch.nn.Parameter] = []
    for weight in weights:
        if bucket and sum(w.numel() for w in bucket) + weight.numel() > BUCKET:
            yield bucket
            bucket = []
        bucket.append(weight)
    if bucket:
        yield bucket
