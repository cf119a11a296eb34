"""Matrix products of a causal model's layers, by each way that is on this machine.

In operations a second of processor time, the best of several rounds in turn, on the shapes of GPT-2 and
SmolLM2-135M, a block of the vocabulary among them. Eight-bit products round weights and inputs; the largest
error is a share of the largest output.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks._frame import Row, Settings
from tiltmeter.models.speed.instructions import Bfloat16, bfloat16

SHAPES = (
    (1024, 768, 3072),
    (1024, 3072, 768),
    (1024, 576, 1536),
    (1024, 768, 2048),
    (64, 768, 3072),
)
"""Rows, inputs, outputs."""
ROUNDS = 8


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each way and shape."""
    import torch

    shapes = ((8, 16, 32),) if settings.tiny else SHAPES[:1] if settings.quick else SHAPES
    for shape in shapes:
        count, inputs, outputs = shape
        torch.manual_seed(0)
        layer = torch.nn.Linear(inputs, outputs).requires_grad_(requires_grad=False)
        given = torch.randn(count, inputs)
        ways = dict(_ways(layer, given))
        spent = _spent(ways)
        exact = layer(given)
        for name, product in ways.items():
            apart = (torch.as_tensor(product()) - exact).abs().max() / exact.abs().max()
            rate = 2 * count * inputs * outputs / max(spent[name], 1e-9) / 1e9
            case = f"{count:,} × {inputs:,} by {inputs:,} × {outputs:,}, one round"
            values = {"GFLOP/s": rate, "largest error": f"{float(apart):.1%}"}
            yield Row(case, name, spent[name], values)


def _ways(layer: Any, given: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    import torch

    yield "PyTorch, float32", lambda: layer(given)
    array, weight, bias = given.numpy(), layer.weight.numpy().T.copy(), layer.bias.numpy()
    yield "numpy, float32", lambda: array @ weight + bias
    if torch.backends.mkldnn.is_available():
        packed = torch.ops.mkldnn._reorder_linear_weight(layer.weight, len(given))  # noqa: SLF001
        run = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001
        yield "oneDNN, packed, float32", lambda: run(given, packed, layer.bias, "none", [], "")
        if bfloat16().level is Bfloat16.NATIVE:
            half = torch.ops.mkldnn._reorder_linear_weight(layer.weight.bfloat16(), len(given))  # noqa: SLF001
            short = layer.bias.bfloat16()
            yield (
                "oneDNN, packed, bfloat16",
                lambda: run(given.bfloat16(), half, short, "none", [], "").float(),
            )
        if torch.cpu._is_vnni_supported():  # noqa: SLF001
            yield "oneDNN, int8, a scale for each row", _eight_bit_rows(layer, given)
    for engine in ("fbgemm", "onednn"):
        if engine in torch.backends.quantized.supported_engines:
            yield f"{engine}, int8", _eight_bit(layer, given, engine)


def _eight_bit_rows(layer: Any, given: Any) -> Callable[[], Any]:
    """Weights with a scale for each output, inputs with one for each row."""
    import torch

    scales = layer.weight.abs().amax(1) / 127
    whole = (layer.weight / scales[:, None]).round().to(torch.int8)
    packed = torch.ops.onednn.qlinear_prepack(whole, list(given.shape))
    zeros = torch.zeros(len(whole), dtype=torch.long)

    def run() -> Any:
        steps = given.abs().amax(1, keepdim=True) / 127
        rounded = (given / steps).round_().add_(128).to(torch.uint8)
        made = torch.ops.onednn.qlinear_pointwise(
            rounded, 1.0, 128, packed, scales, zeros, None, 1.0, 0, torch.float32, "none", [], ""
        )
        return torch.addcmul(layer.bias, made, steps)

    return run


def _eight_bit(layer: Any, given: Any, engine: str) -> Callable[[], Any]:
    """Weights in eight bits, inputs rounded to eight bits at each call."""
    import torch

    torch.backends.quantized.engine = engine
    whole = torch.nn.Sequential(layer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is to move to another package
        made = torch.ao.quantization.quantize_dynamic(whole, {torch.nn.Linear}, dtype=torch.qint8)

    def run() -> Any:
        torch.backends.quantized.engine = engine
        return made(given)

    return run


def _spent(ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Seconds of processor time, the least of several rounds in which all take turns."""
    import torch

    found = dict.fromkeys(ways, float("inf"))
    with torch.inference_mode():
        for _ in range(ROUNDS):
            for name, product in ways.items():
                begun = time.process_time()
                product()
                found[name] = min(found[name], time.process_time() - begun)
    return found
