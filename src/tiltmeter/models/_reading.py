"""Log-probabilities at the positions that are read, and the vocabulary projected only there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tiltmeter.core.errors import Unavailable
from tiltmeter.core.protocols import Fact
from tiltmeter.core.types import Array
from tiltmeter.models import _packed
from tiltmeter.models._load_errors import explained
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._top_layer import TopLayer
from tiltmeter.models._vocabulary_blocks import VocabularyBlocks

if TYPE_CHECKING:
    import torch

T = TypeVar("T")
LOGITS = 64 * 2**20
"""Numbers in one block of logits: bounds the memory of the projection (256 MiB in float32)."""
CLOSE = 1e-3
"""How far projecting only what is read may lie from projecting everything, in the load-time check."""


class Projector:
    """Runs a model's trunk on a whole batch and its head only at the positions that are read.

    The last hidden states are cut down by a hook on the module that makes them, so that the model's
    own head, whatever it consists of, runs on rows of shape (1, reads, d). Where those are many, the
    head runs again on the next block of rows, with the trunk's result put in the trunk's place.
    Whether all that gives what the plain forward pass gives is checked once, when the model is
    opened; if not, the plain pass is used and `about` says so.
    """

    def __init__(
        self,
        model: Any,
        trunk: Any,
        top: TopLayer | None = None,
        filled: Callable[[int], int] = int,
    ) -> None:
        """`filled`: to how many rows a batch is padded."""
        self._model = model
        self._filled = filled
        self._trunk = trunk
        self._top = top
        self._rows: Any = None
        self._most = 1
        self._blocks: Sequence[Any] = ()
        self._made: Any = None
        self._hooked = trunk.register_forward_hook(self._hook)

    def remove(self) -> None:
        """Leave the model as it was."""
        self._hooked.remove()
        if self._top is not None:
            self._top.remove()

    def _hook(self, _: Any, __: Any, output: Any) -> Any:
        if self._rows is None:
            return None
        self._blocks = output[0][self._rows].split(self._most)  # of (≤ most, d)
        self._made = output
        return self._with(self._blocks[0])

    def _with(self, states: Any) -> Any:
        """What the trunk gave, with these rows for its last hidden states."""
        cut = states.unsqueeze(0)  # (1, ≤ most, d)
        if isinstance(self._made, tuple):
            return (cut, *self._made[1:])
        self._made["last_hidden_state"] = cut
        return self._made

    def _standing_in(self, states: Any, *_: Any, **__: Any) -> Any:
        return self._with(states)

    def check(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> bool:
        """Whether both ways agree on these inputs."""
        import torch

        with torch.inference_mode():
            plain = self._model(**inputs).logits[rows]
            try:
                blocks = [output.logits[0] for output in self(inputs, rows, most=1)]
            except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError):
                return False
            if len(blocks) < len(plain) or blocks[0].shape != plain[:1].shape:
                return False
            difference = (
                (torch.cat(blocks)[: len(plain)].float() - plain.float()).abs().max().item()
            )
            return bool(difference <= CLOSE * max(1.0, plain.float().abs().max().item()))

    def __call__(
        self, inputs: Mapping[str, Any], rows: tuple[Any, Any], *, most: int
    ) -> Iterator[Any]:
        """The model's outputs, with logits of shape (1, ≤ most, vocabulary) at (batch rows, positions).

        The places are in order of rows and, within these, of positions. Where few shapes are better,
        logits of the first place follow those that were asked for.
        """
        if self._top is not None and not inputs.get("output_attentions"):
            rows = self._top.read(rows, inputs["input_ids"].shape)
        count = len(rows[0])
        if more := self._filled(count) - count:
            rows = _again(rows[0], more), _again(rows[1], more)
        self._rows, self._most = rows, most
        try:
            yield self._model(**inputs)
            self._rows = None
            for states in self._blocks[1:]:
                self._trunk.forward = partial(self._standing_in, states)
                yield self._model(**inputs)
        finally:
            self._rows, self._blocks, self._made = None, (), None
            if self._top is not None:
                self._top.read_all()
            self._trunk.__dict__.pop("forward", None)


class Reader:
    """Log-probabilities of given tokens at given places of a batch, in bounded memory."""

    def __init__(self, loaded: Loaded, *, blocks: bool = False) -> None:
        """`blocks`: the output layer may be computed in blocks of the vocabulary."""
        self._loaded = loaded
        self._projector: Projector | None = None
        self._cuts = blocks and loaded.device.type == "cpu"
        self._blocks: VocabularyBlocks | None = None

    def settle(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> None:
        """Find, once, the module whose output the model's head reads; the plain way without one."""
        with explained(str(self._loaded.folder)):
            self._settle(inputs, rows)

    def _settle(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> None:
        if not self._loaded.borrowed:
            _packed.pack(
                self._loaded, lambda: self._loaded.model(**inputs).logits, blocks=self._cuts
            )
        self._settle_blocks(inputs, rows)
        for trunk in _trunks(self._loaded.model):
            for top in dict.fromkeys((TopLayer.of(trunk), None)):
                projector = Projector(self._loaded.model, trunk, top, self._loaded.filled)
                if projector.check(inputs, rows):
                    self._projector = projector
                    said = "only positions that are read"
                    self._loaded.about["projection"] = said + (
                        ", and the last layer" if top else ""
                    )
                    return
                projector.remove()
        self._loaded.about["projection"] = "all positions"

    def _settle_blocks(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> None:
        """Find the module whose states the output layer alone turns into logits, if there is one."""
        import torch

        if not self._cuts or self._loaded.model.get_output_embeddings() is None:
            return
        with torch.inference_mode():
            logits = self._loaded.model(**inputs).logits[rows]
            for trunk in _trunks(self._loaded.model):
                blocks = VocabularyBlocks(self._loaded.model, trunk, self._loaded.filled)
                if blocks.check(logits, inputs, rows):
                    self._blocks = blocks
                    return

    def __call__(self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any) -> Array:
        """Shape (reads,). `rows` are (batch rows, positions); `true` the tokens looked up there."""
        if self._blocks is not None and len(true):
            return self._blocks(filled(inputs, self._loaded), rows, true)
        return self._read(inputs, rows, true)[0]

    def logits(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> "torch.Tensor":
        """All of them at these places, shape (reads, vocabulary): for few places at a time."""
        import torch

        if not len(rows[0]):
            return torch.zeros((0, int(self._loaded.about["vocabulary"] or 1)))
        if self._blocks is not None:
            return self._blocks.logits(filled(inputs, self._loaded), rows)
        if self._projector is None:
            found: torch.Tensor = self._loaded.model(**inputs).logits[rows]
            return found.float()
        places, which = torch.unique(torch.stack(rows), dim=1, return_inverse=True)
        outputs = self._projector(filled(inputs, self._loaded), tuple(places), most=len(which))
        return torch.cat([output.logits[0] for output in outputs]).float()[which]

    def with_attention(
        self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any
    ) -> tuple[Array, Sequence[Any]]:
        """The same, and one attention map a layer, each of shape (b, heads, t, t)."""
        found, first = self._read({**inputs, "output_attentions": True}, rows, true)
        return found, first.attentions

    def _read(
        self, inputs: Mapping[str, Any], rows: tuple[Any, Any], true: Any
    ) -> tuple[Array, Any]:
        """What is looked up several times at one place is read there once."""
        import torch

        if self._projector is None:
            output = self._loaded.model(**inputs)
            return true_logprobs(output.logits[rows], true), output
        places, which = torch.unique(torch.stack(rows), dim=1, return_inverse=True)
        most = max(1, LOGITS // int(self._loaded.about["vocabulary"] or 1))
        if not inputs.get("output_attentions"):
            inputs = filled(inputs, self._loaded)
        found, first = np.zeros(len(true)), None
        outputs = self._projector(inputs, tuple(places), most=most)
        for k, output in enumerate(outputs):
            mine = (which // most == k).nonzero().squeeze(1)
            logits = output.logits[0]  # (≤ most, vocabulary)
            found[mine.cpu().numpy()] = true_logprobs(logits, true[mine], which[mine] - k * most)
            first = first or output
        return found, first


def filled(inputs: Mapping[str, Any], loaded: Loaded) -> dict[str, Any]:
    """With the first row again, and again, until the batch has one of few shapes, where these are better."""
    import torch

    rows = inputs["input_ids"].shape[0]
    more = loaded.filled(rows) - rows
    if not more:
        return dict(inputs)
    return {
        key: _again(value, more) if isinstance(value, torch.Tensor) else value
        for key, value in inputs.items()
    }


def _again(rows: "torch.Tensor", more: int) -> "torch.Tensor":
    """With the first of them so many times more at the end."""
    import torch

    return torch.cat([rows, rows[:1].expand(more, *rows.shape[1:])])


def plain(model: Any, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> Projector | None:
    """A projector that leaves every layer as it is, for training; None where none does what it should."""
    for trunk in _trunks(model):
        projector = Projector(model, trunk)
        if projector.check(inputs, rows):
            return projector
        projector.remove()
    return None


def _trunks(model: Any) -> list[Any]:
    """Modules that may make the last hidden states, the likeliest first."""
    found = [] if model.base_model is model else [model.base_model]
    if hasattr(model, "get_decoder"):
        found.append(model.get_decoder())
    return [module for module in found if module is not None and module is not model]


def true_logprobs(
    logits: "torch.Tensor", true: "torch.Tensor", at: "torch.Tensor | None" = None
) -> Array:
    """(rows, vocabulary) logits to (reads,) log-probabilities of `true`, each in its row `at`.

    The log-sum-exp minus one logit, never a full log-softmax; reduced precisions are summed up in
    float32. Without `at` the reads are the rows.
    """
    import torch

    at = torch.arange(len(logits), device=logits.device) if at is None else at
    total = torch.logsumexp(logits.float(), dim=-1)[at]
    picked = logits[at, true].float()
    return np.asarray((picked.double() - total.double()).cpu().numpy(), dtype=np.float64)


def by_row(values: Array, lengths: Sequence[int]) -> list[Array]:
    """Cut a flat array into one array a request.

    >>> [part.tolist() for part in by_row(np.array([1.0, 2.0, 3.0]), [1, 0, 2])]
    [[1.0], [], [2.0, 3.0]]
    """
    return np.split(values, np.cumsum(lengths)[:-1]) if lengths else []


def parts(rows: "torch.Tensor", lengths: Sequence[int]) -> "list[torch.Tensor]":
    """The same of a tensor, along its first axis."""
    return [*rows.split(list(lengths))]  # type: ignore[no-untyped-call]


def in_batches(
    plan: Sequence[Sequence[int]],
    requests: Sequence[Any],
    one: Callable[[Any], list[T]],
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
            made: list[T] | None = one([requests[i] for i in batch])
        except (RuntimeError, MemoryError) as error:
            if not _is_memory(error):
                raise
            if len(batch) == 1:
                raise Unavailable(
                    "a single text does not fit into memory; leave it out, or use a device with more"
                ) from error
            made = None
        if made is None:  # the failed batch's tensors are gone only here
            _let_go()
            half = len(batch) // 2
            waiting += [batch[half:], batch[:half]]
            about["batches"] = "some halved because they did not fit into memory"
            continue
        answers |= dict(zip(batch, made, strict=True))
    return [answers[i] for i in range(len(requests))]


def _is_memory(error: Exception) -> bool:
    """CUDA has a class of its own; CPU and MPS say it in words."""
    said = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in said or "allocate memory" in said


def _let_go() -> None:
    """Give cached blocks back, so that smaller ones fit."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
