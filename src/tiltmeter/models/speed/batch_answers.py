"""Answers batch by batch, in the order of the requests; what memory does not hold is halved."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tiltmeter.core.errors import Unavailable
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.types import Array
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.speed.instructions import let_go

if TYPE_CHECKING:
    import torch


T = TypeVar("T")


def in_batches(
    plan: Sequence[Sequence[int]],
    requests: Sequence[Any],
    answer_batch: Callable[[Any], list[T]],
    about: dict[str, Fact],
) -> list[T]:
    """Answer batch by batch, give the answers back in the order of the requests.

    A batch that the memory does not hold is halved, and halved again; `about` then says so.

    Raises:
        Unavailable: A single request is too much for the memory.
    """
    answers: dict[int, T] = {}
    waiting = [list(batch) for batch in reversed(plan)]
    while waiting:
        batch = waiting.pop()
        try:
            made: list[T] | None = answer_batch([requests[i] for i in batch])
        except (RuntimeError, MemoryError) as error:
            if not _is_memory(error):
                raise
            if len(batch) == 1:
                raise Unavailable(
                    "a single text does not fit into memory; leave it out, or use a device with more"
                ) from error
            made = None
        if made is None:  # the failed batch's tensors are gone only here
            let_go()
            half = len(batch) // 2
            waiting += [batch[half:], batch[:half]]
            about["batches"] = "some halved because they did not fit into memory"
            continue
        answers |= dict(zip(batch, made, strict=True))
    return [answers[i] for i in range(len(requests))]


def by_row(values: Array, lengths: Sequence[int]) -> list[Array]:
    """Cut a flat array into one array a request.

    >>> [part.tolist() for part in by_row(np.array([1.0, 2.0, 3.0]), [1, 0, 2])]
    [[1.0], [], [2.0, 3.0]]
    """
    return np.split(values, np.cumsum(lengths)[:-1]) if lengths else []


def split_rows(rows: "torch.Tensor", lengths: Sequence[int]) -> "list[torch.Tensor]":
    """The same of a tensor, along its first axis."""
    return [*rows.split(list(lengths))]  # type: ignore[no-untyped-call]


def _is_memory(error: Exception) -> bool:
    """CUDA has a class of its own; CPU and MPS say it in words."""
    message = str(error).lower()
    return (
        isinstance(error, MemoryError) or "out of memory" in message or "allocate memory" in message
    )


def filled(inputs: Mapping[str, Any], loaded: Loaded) -> dict[str, Any]:
    """With the first row again, and again, until the batch has one of few shapes, where these are better."""
    import torch

    rows = inputs["input_ids"].shape[0]
    more = loaded.filled(rows) - rows
    if not more:
        return dict(inputs)
    return {
        key: again(value, more) if isinstance(value, torch.Tensor) else value
        for key, value in inputs.items()
    }


def again(rows: "torch.Tensor", more: int) -> "torch.Tensor":
    """With the first of them so many times more at the end."""
    import torch

    return torch.cat([rows, rows[:1].expand(more, *rows.shape[1:])])
