"""How much arithmetic a model's answers need, and how fast this machine multiplies matrices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks._frame import now
from tiltmeter.core.model.prefix_trees import PrefixTree
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.speed.packed_weights import is_used

Shape: TypeAlias = tuple[int, int, int]
"""Rows, inputs, outputs of a matrix product."""


@dataclass(frozen=True, slots=True)
class Work:
    """Multiply-adds that a list of requests needs of a model, and by which matrix products."""

    products: Mapping[Shape, float]
    """Multiply-adds by the shape of the product, as they come in batches of full size."""
    attention: float
    """Multiply-adds between queries, keys and values."""

    @property
    def flops(self) -> float:
        """Floating-point operations: two a multiply-add."""
        return 2 * (sum(self.products.values()) + self.attention)


def needed_masked(config: Any, requests: Sequence[Blanked], batch_tokens: int) -> Work:
    """What is needed of a BERT and no more: no padding, each row once, the head where it is read.

    In the last layer all positions need keys and values, and only those that are read the rest.
    Layer norms, activations, embeddings and the softmax are not counted: none is a matrix product.
    """
    d, inner, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    reads: dict[tuple[int, ...], set[int]] = {}
    for request in requests:
        reads.setdefault(request.seen, set()).update(request.read)
    tokens = sum(len(row) for row in reads)
    read = sum(map(len, reads.values()))
    full = min(batch_tokens, tokens)
    wide, narrow = full, max(1, full * read // tokens)  # rows of the products in a batch
    products: dict[Shape, float] = {}

    def add(rows: int, count: float, inputs: int, outputs: int, times: int = 1) -> None:
        shape = (rows, inputs, outputs)
        products[shape] = products.get(shape, 0.0) + count * inputs * outputs * times

    add(wide, tokens, d, d, 4 * (layers - 1) + 2)
    add(wide, tokens, d, inner, layers - 1)
    add(wide, tokens, inner, d, layers - 1)
    add(narrow, read, d, d, 2 + 1)  # query and output of the last layer; the head's own layer
    add(narrow, read, d, inner)
    add(narrow, read, inner, d)
    add(narrow, read, d, config.vocab_size)
    paired = sum(len(row) ** 2 for row in reads) * (layers - 1)
    paired += sum(len(row) * len(where) for row, where in reads.items())
    return Work(products, 2.0 * d * paired)


def needed_causal(config: Any, requests: Sequence[Continuation], batch_tokens: int) -> Work:
    """What is needed of a causal model and no more: each beginning once, no token that nobody reads behind.

    Every token that is read predicts one, so that the vocabulary is projected for each. The same is not
    counted as for masked models.
    """
    import torch
    from transformers import AutoModelForCausalLM

    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    tree = PrefixTree(
        [(-1, *r.context, *r.ids)[:-1] for r in requests]
    )  # a start token, not the last
    tokens = len(tree.ids)
    products: dict[Shape, float] = {}
    for layer in model.modules():
        inputs, outputs = getattr(layer, "nx", None), getattr(layer, "nf", None)  # GPT-2's
        if isinstance(layer, torch.nn.Linear):
            inputs, outputs = layer.in_features, layer.out_features
        if inputs and outputs:
            shape = (min(batch_tokens, tokens), inputs, outputs)
            products[shape] = products.get(shape, 0.0) + tokens * inputs * outputs
    heads = config.num_attention_heads
    width = heads * (getattr(config, "head_dim", None) or config.hidden_size // heads)
    paired = sum(at + 1 for at in tree.positions) * config.num_hidden_layers
    return Work(products, 2.0 * width * paired)


def peak(work: Work, precision: str, device: str = "cpu", seconds: float = 0.3) -> dict[str, Any]:
    """Operations a second of the fastest way found, over the shapes in their shares.

    Each shape is measured in every way there is for it, in several rounds, and the best one counts:
    the peak must not be low because something else ran at the time. Attention's own products are
    taken to run as fast as the others do.
    """
    total, spent, ways = sum(work.products.values()), 0.0, {}
    for shape, count in work.products.items():
        rates = {
            name: _rate(product, shape, device, seconds)
            for name, product in _ways(shape, precision, device)
        }
        best = max(rates, key=lambda name: rates[name])
        spent += count / total / rates[best]
        ways[shape] = {name: rate / 1e9 for name, rate in rates.items()}
    return {"rate": 1 / spent, "GFLOP/s by shape": ways}


def _ways(shape: Shape, precision: str, device: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    import torch
    from torch.nn.functional import linear

    rows, inputs, outputs = shape
    dtype = getattr(torch, precision)
    x = torch.randn(rows, inputs, device=device).to(dtype)
    weight, bias = torch.randn(outputs, inputs, device=device).to(dtype), None
    yield "torch", lambda: linear(x, weight, bias)
    if device != "cpu":
        return
    if is_used(device, precision):
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, rows)  # noqa: SLF001
        run = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001
        yield "oneDNN, packed", lambda: run(x, packed, None, "none", [], "")
    if precision == "float32":
        a, b = x.numpy(), weight.numpy().T
        yield "numpy", lambda: a @ b


def _rate(product: Callable[[], Any], shape: Shape, device: str, seconds: float) -> float:
    """Operations a second in the best of five rounds."""
    import torch

    def wait() -> None:
        if device != "cpu":
            torch.cuda.synchronize()

    def took(times: int) -> float:
        begun = now()
        for _ in range(times):
            product()
        wait()
        return (now() - begun) / times

    with torch.inference_mode():
        took(2)
        times = max(1, int(seconds / 5 / max(took(2), 1e-6)))
        best = min(took(times) for _ in range(5))
    return 2 * shape[0] * shape[1] * shape[2] / best
