"""The `Learner` that computes a step in portions that fit into memory, with the result of the whole batch.

The loss of a step is the mean over all answers of its examples. Each portion adds the gradients of its part
of that mean: the sum over its answers, divided by the answers of the whole batch. So neither the size of a
portion nor padding changes what is learned, beyond rounding and the random numbers that dropout draws.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from tiltmeter.core.text import counted
from tiltmeter.train.steps import Learner, add_gradients

if TYPE_CHECKING:
    import torch

E = TypeVar("E")
"""An example, as the learner encodes it."""
AT_ONCE = {"cpu": 2048}
"""How many tokens are computed at once, by kind of device; `AT_ONCE_THERE` holds for all other kinds."""
AT_ONCE_THERE = 16_384
"""How many tokens are computed at once on accelerators."""


@dataclass(frozen=True, slots=True)
class Computing:
    """How the examples of a step are computed."""

    at_once: int
    """How many examples are computed at once."""
    precision: str = "float32"
    """float32, or bfloat16 for mixed precision: weights in float32, products of matrices in bfloat16."""


class BatchLearner(Learner, Generic[E]):
    """A model that learns from batches of examples, each with one answer or several."""

    computing: Computing

    @property
    def bounds(self) -> str:  # type: ignore[override]
        """The way out when there is too little memory, with the training left as it is if possible."""
        at_once = self.computing.at_once
        if at_once > 1:
            return (
                f"{counted(at_once, 'examples', 'were')} computed at once: give --at-once {at_once // 2}, "
                "which leaves the batch size and the training as they are"
            )
        return (
            "a single example does not fit: use --precision bfloat16 or a smaller --max-tokens, and "
            "another --out, because they change the result"
        )

    @abstractmethod
    def batch(self, step: int) -> Sequence[E]:
        """The examples of a step, counted from 0."""

    @abstractmethod
    def held_out_portions(self) -> Iterator[Sequence[E]]:
        """The held-out examples, in portions that fit into memory without gradients."""

    @abstractmethod
    def length(self, example: E) -> int:
        """The length of an example; those of similar length share a portion, to need little padding."""

    def answers(self, example: E) -> int:  # noqa: ARG002 (for subclasses)
        """How many answers an example has, over which the loss is a mean."""
        return 1

    @abstractmethod
    def logits(self, portion: Sequence[E]) -> "tuple[torch.Tensor, torch.Tensor]":
        """Logits in single precision, shape (answers, classes), and the correct class of each answer."""

    def learn(self, step: int) -> float:
        """This process's part of the mean cross-entropy over the answers of a step; adds its gradients."""
        import torch

        batch, loss_so_far = self.batch(step), 0.0
        total = sum(map(self.answers, batch))
        for portion in portions(self._part(batch), self.length, self.computing.at_once):
            if any(map(self.answers, portion)):
                with self._precision():
                    logits, true = self.logits(portion)
                loss = torch.nn.functional.cross_entropy(logits, true, reduction="sum") / total
                loss_so_far += add_gradients(loss)
        return loss_so_far

    def judge(self) -> tuple[float, int]:
        """Mean cross-entropy over the held-out answers, and how many of them are right."""
        import torch

        loss, right = 0.0, 0
        mine = islice(self.held_out_portions(), self.team.rank, None, self.team.size)
        with torch.no_grad():
            for portion in mine:
                with self._precision():
                    logits, true = self.logits(portion)
                every = torch.nn.functional.cross_entropy(logits.double(), true, reduction="none")
                loss += float(every.sum())
                right += int((logits.argmax(-1) == true).sum())
        loss, count = self.team.sums(loss, right)
        return loss / self.judged, int(count)

    def _part(self, batch: Sequence[E]) -> Sequence[E]:
        """The examples that this process computes, which are about as long as those of the others."""
        return self.team.share(batch if self.team.size == 1 else sorted(batch, key=self.length))

    def _precision(self) -> AbstractContextManager[object]:
        import torch

        mixed = self.computing.precision == "bfloat16"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=mixed)


def portions(batch: Sequence[E], length: Callable[[E], int], at_once: int) -> Iterator[Sequence[E]]:
    """A batch in portions of at most `at_once` examples; those of similar length share one.

    A batch that fits stays in its order.

    >>> [*portions(["aaa", "b", "cc", "d"], len, 2)]
    [['b', 'd'], ['cc', 'aaa']]
    """
    by_length = batch if len(batch) <= at_once else sorted(batch, key=length)
    for start in range(0, len(batch), at_once):
        yield by_length[start : start + at_once]


def usual_at_once(device: "torch.device", most: int) -> int:
    """How many examples of at most `most` tokens are computed at once by default."""
    return max(1, AT_ONCE.get(device.type, AT_ONCE_THERE) // most)
