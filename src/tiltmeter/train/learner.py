"""A language model with its own head as a learner of running text."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models import _reading
from tiltmeter.models._loaded import Loaded
from tiltmeter.train.blocks import Order, TokenRow, TokenRows
from tiltmeter.train.objectives import Asked, following, hidden

if TYPE_CHECKING:
    import torch

ALL = 2**30
"""Reads in one block of logits: all of them, as gradients need them together."""


class Further:
    """A `Learner`: each step's rows in portions that the memory holds, their gradients added up."""

    bounds = "a smaller --at-once or --max-tokens"

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        kind: str,
        front: TokenRows,
        back: TokenRows,
        *,
        size: int,
        at_once: int,
        seed: int,
    ) -> None:
        self._name = name
        self._loaded = loaded
        self._kind = kind
        self._front = front
        self._at_once = at_once
        self._seed = seed
        self._order = Order(len(front), size, seed)
        self._vocabulary = _vocabulary(loaded)
        self._back = self._asked([back[i] for i in range(len(back))], 4)
        self._projector = self._projected()

    @property
    def device(self) -> "torch.device":
        """As `Learner`; so are all below."""
        return self._loaded.device

    @property
    def examples(self) -> int:
        """Rows."""
        return len(self._front)

    @property
    def held_out(self) -> int:
        """Rows."""
        return len(self._back)

    @property
    def judged(self) -> int:
        """Tokens that are asked for in them."""
        return sum(len(one.true) for one in self._back)

    @property
    def per_epoch(self) -> int:
        """Steps in which every row comes up once."""
        return self._order.per_epoch

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """All weights; those that are shared, once."""
        return dict(self._loaded.model.named_parameters())

    def learning(self, *, on: bool) -> None:
        """Dropout."""
        self._loaded.model.train(on)

    def learn(self, step: int) -> float:
        """Mean cross-entropy over all tokens that the step asks for."""
        import torch

        asked = self._asked([self._front[i] for i in self._order.step(step)], 3, step)
        total, found = sum(len(one.true) for one in asked), 0.0
        for logits, true in self._answers(asked):
            loss = torch.nn.functional.cross_entropy(logits, true, reduction="sum") / total
            loss.backward()  # type: ignore[no-untyped-call]
            found += float(loss.detach())
        return found

    def judge(self) -> tuple[float, int]:
        """Over the held-out rows, in which the same tokens are hidden each time."""
        import torch

        loss, right = 0.0, 0
        with torch.no_grad():
            for logits, true in self._answers(self._back):
                every = torch.nn.functional.cross_entropy(logits, true, reduction="none")
                loss += float(every.cpu().double().sum())
                right += int((logits.argmax(-1) == true).sum())
        return loss / self.judged, right

    def _asked(self, rows: Sequence[TokenRow], *numbers: int) -> list[Asked]:
        """What the rows are asked; which tokens are hidden depends on the seed and these numbers."""
        if self._kind == "causal":
            return following(rows)
        rng = np.random.default_rng([self._seed, *numbers])
        mask = self._loaded.tokenizer.mask_token_id
        if mask is None:
            raise CannotAnswer(
                f"{self._name}: its tokenizer has no mask token, so no token can be hidden"
            )
        return hidden(rows, rng, mask=int(mask), vocabulary=self._vocabulary)

    def _answers(self, asked: Sequence[Asked]) -> Iterator[tuple["torch.Tensor", "torch.Tensor"]]:
        """Logits, (reads, vocabulary), and what is right there; rows of about one length together."""
        order = sorted(range(len(asked)), key=lambda i: (len(asked[i].ids), i))
        for start in range(0, len(order), self._at_once):
            mine = [asked[i] for i in order[start : start + self._at_once]]
            if any(len(one.true) for one in mine):
                yield self._logits(mine), self._on_device(np.concatenate([o.true for o in mine]))

    def _logits(self, asked: Sequence[Asked]) -> "torch.Tensor":
        inputs, places = self._inputs(asked)
        if self._projector is None:
            found: torch.Tensor = self._loaded.model(**inputs).logits[places]
            return found.float()
        (output,) = self._projector(inputs, places, most=ALL)
        logits: torch.Tensor = output.logits[0][: len(places[0])]
        return logits.float()

    def _inputs(
        self, asked: Sequence[Asked]
    ) -> tuple[dict[str, Any], tuple["torch.Tensor", "torch.Tensor"]]:
        """What the model takes, each (b, t), and the (rows, positions) that are read."""
        width = max(len(one.ids) for one in asked)
        ids = np.full((len(asked), width), int(self._loaded.tokenizer.pad_token_id or 0))  # (b, t)
        seen = np.zeros_like(ids)  # (b, t)
        for row, one in enumerate(asked):
            ids[row, : len(one.ids)] = one.ids
            seen[row, : len(one.ids)] = 1
        rows = np.repeat(np.arange(len(asked)), [len(one.places) for one in asked])
        at = np.concatenate([one.places for one in asked])
        inputs = {"input_ids": self._on_device(ids), "attention_mask": self._on_device(seen)}
        more = {"use_cache": False} if self._kind == "causal" else {}
        return {**inputs, **more}, (self._on_device(rows), self._on_device(at))

    def _on_device(self, array: "np.typing.NDArray[Any]") -> "torch.Tensor":
        import torch

        return torch.from_numpy(array.astype(np.int64)).to(self._loaded.device)

    def _projected(self) -> _reading.Projector | None:
        """Masked models are asked for few tokens of a row: only these go through the vocabulary."""
        if self._kind == "causal":
            return None
        few = [one for one in self._back if len(one.true)][:2]
        return _reading.plain(self._loaded.model, *self._inputs(few))


def _vocabulary(loaded: Loaded) -> int:
    """Tokens that the tokenizer knows and the model has embeddings for."""
    known = int(loaded.model.get_input_embeddings().weight.shape[0])
    return min(len(loaded.tokenizer), known)
