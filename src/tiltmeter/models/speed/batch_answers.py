"""Answers requests batch by batch, and halves batches that do not fit into memory."""

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
    """Answer requests batch by batch, and return the answers in the order of the requests.

    A batch that does not fit into memory is halved, repeatedly if needed, which is noted in `about`.

    Args:
        plan: The indices of the requests in each batch.
        requests: All requests.
        answer_batch: Answers the requests of one batch.
        about: The model's facts.

    Raises:
        Unavailable: A single request does not fit into memory.
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
        if made is None:  # only after the except block are the failed batch's tensors released
            let_go()
            half = len(batch) // 2
            waiting += [batch[half:], batch[:half]]
            about["batches"] = "some halved because they did not fit into memory"
            continue
        answers |= dict(zip(batch, made, strict=True))
    return [answers[i] for i in range(len(requests))]


def by_row(values: Array, lengths: Sequence[int]) -> list[Array]:
    """Split a flat array into one array for each request.

    >>> [part.tolist() for part in by_row(np.array([1.0, 2.0, 3.0]), [1, 0, 2])]
    [[1.0], [], [2.0, 3.0]]
    """
    return np.split(values, np.cumsum(lengths)[:-1]) if lengths else []


def split_rows(rows: "torch.Tensor", lengths: Sequence[int]) -> "list[torch.Tensor]":
    """Split a tensor along its first axis into one tensor for each request."""
    return [*rows.split(list(lengths))]  # type: ignore[no-untyped-call]


def _is_memory(error: Exception) -> bool:
    """Whether memory was insufficient; on CPU and MPS, only the message of the error says so."""
    message = str(error).lower()
    return (
        isinstance(error, MemoryError) or "out of memory" in message or "allocate memory" in message
    )


def filled(inputs: Mapping[str, Any], loaded: Loaded) -> dict[str, Any]:
    """The inputs with the first row repeated until the batch has one of few shapes, where that is faster."""
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
    """The rows with the first one added `more` times at the end."""
    import torch

    return torch.cat([rows, rows[:1].expand(more, *rows.shape[1:])])
