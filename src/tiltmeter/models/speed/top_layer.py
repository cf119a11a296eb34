"""A masked model's last layer, computed only at the positions that are read.

What a position gets from the last layer needs the keys and values of all positions and everything
else of its own only. The library's layers take keys and values from a cache where there is one: here
the last layer is run, by its own code, on the positions that are read, with a cache that holds the
keys and values of all. That fits BERT's layout (RoBERTa, XLM-R, ELECTRA and similar models).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

PARTS = ("query", "key", "value")


class TopLayer:
    """Stands in for the last layer's forward pass while `reads` is set."""

    def __init__(self, layer: Any) -> None:
        self._layer = layer
        self._reads: Any = None
        self._usual = layer.forward
        layer.forward = self._forward

    @classmethod
    def of(cls, trunk: Any) -> "TopLayer | None":
        """The last layer of a model whose layers are built like BERT's; None of any other."""
        layers: Any = getattr(getattr(trunk, "encoder", None), "layer", ())
        last = layers[-1] if len(layers) else None
        attention = getattr(getattr(last, "attention", None), "self", None)
        return cls(last) if all(hasattr(attention, part) for part in PARTS) else None

    def remove(self) -> None:
        """Leave the layer as it was."""
        self._layer.__dict__.pop("forward", None)

    def read(self, places: tuple["torch.Tensor", "torch.Tensor"], shape: tuple[int, ...]) -> Any:
        """Compute only these (rows, positions), sorted, of inputs of this shape, (b, t), from here on.

        Where they stand in what the layer gives then: the same rows, and places counted from 0 in
        each. Where so much is read that nothing would be saved, all stays as it is.
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
        """From now on compute every position, not only those that are read."""
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
        kwargs["past_key_values"] = _Every(*every)
        return self._usual(states[rows, self._reads], mask, *args, **kwargs)


class _Every:
    """A cache that gives the keys and values of all positions, whatever is put into it."""

    def __init__(self, keys: Any, values: Any) -> None:
        self._both = keys, values

    def update(self, *_: Any) -> tuple[Any, Any]:
        return self._both
