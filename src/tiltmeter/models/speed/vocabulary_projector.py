"""Runs a model's trunk on a whole batch, but its head only at the positions that are read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tiltmeter.models.speed.batch_answers import again

if TYPE_CHECKING:
    import torch


CLOSE = 1e-3
"""How far the logits may differ from the plain ones in the check on opening, as a share of the largest."""
PARTS = ("query", "key", "value")


class TopLayer:
    """Replaces the forward pass of the last layer, to compute only the positions that are read."""

    def __init__(self, layer: Any) -> None:
        self._layer = layer
        self._reads: Any = None
        self._usual = layer.forward
        layer.forward = self._forward

    @classmethod
    def of(cls, trunk: Any) -> "TopLayer | None":
        """The last layer of a model whose layers are built like BERT's; None for other models."""
        layers: Any = getattr(getattr(trunk, "encoder", None), "layer", ())
        last = layers[-1] if len(layers) else None
        attention = getattr(getattr(last, "attention", None), "self", None)
        return cls(last) if all(hasattr(attention, part) for part in PARTS) else None

    def remove(self) -> None:
        """Put the original layer back."""
        self._layer.__dict__.pop("forward", None)

    def read(self, places: tuple["torch.Tensor", "torch.Tensor"], shape: tuple[int, ...]) -> Any:
        """Compute only these (rows, positions), which are sorted, of inputs of shape (b, t) from now on.

        Returns where they are in the layer's output: the same rows, and positions counted from 0 in each. If
        so much is read that nothing would be saved, nothing changes.
        """
        import torch

        rows, positions = places
        counts = torch.bincount(rows, minlength=shape[0])
        most = int(counts.max()) if len(rows) else 0
        if not most or 2 * most > shape[1]:
            return places
        slots = torch.arange(len(rows), device=rows.device) - (counts.cumsum(0) - counts)[rows]
        self._reads = torch.zeros((len(counts), most), dtype=torch.long, device=rows.device)
        self._reads[rows, slots] = positions
        return rows, slots

    def read_all(self) -> None:
        """Compute all positions from now on."""
        self._reads = None

    def _forward(self, *args: Any, **kwargs: Any) -> Any:
        return (self._usual if self._reads is None else self._at_reads)(*args, **kwargs)

    def _at_reads(self, states: Any, mask: Any = None, *args: Any, **kwargs: Any) -> Any:
        import torch

        attention = self._layer.attention.self
        rows = torch.arange(len(states), device=states.device).unsqueeze(1)  # (b, 1)
        if mask is not None and mask.shape[2] > 1:
            mask = mask[rows, :, self._reads].transpose(1, 2)  # (b, 1, reads, t)
        every = [
            part(states).unflatten(-1, (-1, attention.attention_head_size)).transpose(1, 2)
            for part in (attention.key, attention.value)
        ]  # (b, heads, t, d)
        # Queries are cut down to the reads, while this "cache" supplies the keys and values of all positions.
        kwargs["past_key_values"] = _Every(*every)
        return self._usual(states[rows, self._reads], mask, *args, **kwargs)


class _Every:
    """A cache that always returns the same keys and values, whatever is put into it."""

    def __init__(self, keys: Any, values: Any) -> None:
        self._both = keys, values

    def update(self, *_: Any) -> tuple[Any, Any]:
        return self._both


class Projector:
    """Runs a model's trunk on a whole batch and its head only at the positions that are read.

    A hook on the module that makes the last hidden states cuts them down, so that the model's own head,
    whatever it consists of, runs on rows of shape (1, reads, d). If these are many, the head runs again on
    the next block of rows, with the trunk replaced by its stored result. Whether this gives the same as the
    plain forward pass is checked once, when the model is opened; if not, the plain pass is used and `about`
    says so.
    """

    def __init__(
        self,
        model: Any,
        trunk: Any,
        top: TopLayer | None = None,
        filled: Callable[[int], int] = int,
    ) -> None:
        """`filled` returns the number of rows to which a batch is padded."""
        self._model, self._trunk = model, trunk
        self._top, self._filled = top, filled
        self._rows: Any = None
        self._most = 1
        self._blocks: Sequence[Any] = ()
        self._made: Any = None
        self._hooked = trunk.register_forward_hook(self._hook)

    def remove(self) -> None:
        """Put the model back into its original state."""
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
        """The trunk's output with these rows in place of its last hidden states."""
        cut = states.unsqueeze(0)  # (1, ≤ most, d)
        if isinstance(self._made, tuple):
            return (cut, *self._made[1:])
        self._made["last_hidden_state"] = cut
        return self._made

    def _standing_in(self, states: Any, *_: Any, **__: Any) -> Any:
        return self._with(states)

    def check(self, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> bool:
        """Whether the logits are those of the plain forward pass on these inputs."""
        import torch

        with torch.inference_mode():
            plain = self._model(**inputs).logits[rows]
            try:
                blocks = [output.logits[0] for output in self(inputs, rows, most=1)]
            except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError):
                return False
            if len(blocks) < len(plain) or blocks[0].shape != plain[:1].shape:
                return False
            ours = torch.cat(blocks)[: len(plain)].float()
            difference = (ours - plain.float()).abs().max().item()
            return bool(difference <= CLOSE * max(1.0, plain.float().abs().max().item()))

    def __call__(
        self, inputs: Mapping[str, Any], rows: tuple[Any, Any], *, most: int
    ) -> Iterator[Any]:
        """Yields the model's outputs, with logits (1, ≤ most, vocabulary), at these (batch rows, positions).

        The places are in order of rows and, within these, of positions. Where few shapes are faster, logits
        of the first place are added after those that were asked for.
        """
        if self._top is not None and not inputs.get("output_attentions"):
            rows = self._top.read(rows, inputs["input_ids"].shape)
        count = len(rows[0])
        if more := self._filled(count) - count:
            rows = again(rows[0], more), again(rows[1], more)
        self._rows, self._most = rows, most
        try:
            yield self._model(**inputs)
            self._rows = None
            # The trunk does not run again: it is replaced by a function that returns the next rows.
            for states in self._blocks[1:]:
                self._trunk.forward = partial(self._standing_in, states)
                yield self._model(**inputs)
        finally:
            self._rows, self._blocks, self._made = None, (), None
            if self._top is not None:
                self._top.read_all()
            self._trunk.__dict__.pop("forward", None)


def unchanged(model: Any, inputs: Mapping[str, Any], rows: tuple[Any, Any]) -> Projector | None:
    """A projector that leaves every layer as it is, for training; None where none passes the check."""
    for trunk in trunks(model):
        projector = Projector(model, trunk)
        if projector.check(inputs, rows):
            return projector
        projector.remove()
    return None


def trunks(model: Any) -> list[Any]:
    """The modules that may compute the last hidden states, the likeliest first."""
    candidates = [] if model.base_model is model else [model.base_model]
    if hasattr(model, "get_decoder"):
        candidates.append(model.get_decoder())
    return [module for module in candidates if module is not None and module is not model]
