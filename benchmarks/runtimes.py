"""The same forward pass in several runtimes: which are worth having.

A masked model of BERT-base's size with random weights gives the log-probability of one token a row,
the vocabulary projected only there, at the shapes that sentences come in. What Tiltmeter's own
back-end needs for the same rows, from requests to numbers, stands beside it. Rows a second are those
of the best of several rounds; "ready" is everything between loaded weights and the first answer.
"""

import gc
import importlib.metadata
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from benchmarks import _models, _ours
from benchmarks._frame import Row, Settings, Value, timed
from benchmarks._peers import silent
from tiltmeter.core.model.requests import Blanked

SHAPES = ((128, 16), (85, 24), (51, 40))
"""Rows and tokens of a batch; some 2,048 tokens each."""
ROUNDS = 3
Batch: TypeAlias = tuple[Any, Any, Any, Any]
"""Tensors: ids and attention mask (b, t), position read and token looked up (b,)."""
Runtime: TypeAlias = Callable[[Batch], Any]


@dataclass(frozen=True, slots=True)
class Way:
    """A runtime in one setting."""

    name: str
    build: Callable[[Any, Path], Runtime]
    """From the float32 module and a folder to write to."""
    packages: tuple[str, ...] = ()
    """What has to be installed besides torch and transformers."""

    @property
    def precision(self) -> str:
        """What it computes in, which ends its name."""
        return self.name.rpartition(", ")[2]


def rows(settings: Settings) -> Iterator[Row]:
    """A row a runtime and precision; those that are not installed, or fail, with the reason."""
    shapes = ((4, 6), (3, 8)) if settings.tiny else SHAPES[:1] if settings.quick else SHAPES
    size = _models.TINY if settings.tiny else _models.BERT_BASE
    case = f"{size.name}, random weights, one position read a row"
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        texts = ["the quick brown fox jumps over the lazy dog and sleeps"]
        folder = _models.random_masked(place / "model", size, texts, settings)
        plain, tokenizer = _models.plain(folder)
        module = _scores(plain)
        batches = [
            _batch(shape, plain.config.vocab_size, tokenizer.mask_token_id) for shape in shapes
        ]
        reference = [_eager(module, place)(batch).numpy() for batch in batches]
        for precision in ("float32", "bfloat16"):
            yield _own(case, folder, precision, batches, reference)
        for way in _ways(settings):
            yield _measured(case, way, module, place, batches, reference)
            gc.collect()


def _ways(settings: Settings) -> Iterator[Way]:
    yield Way("torch eager, float32", _eager)
    yield Way("torch eager, bfloat16", partial(_eager, dtype="bfloat16"))
    yield Way("torch, oneDNN packed linears, float32", _packed)
    yield Way("torch, oneDNN packed linears, bfloat16", partial(_packed, dtype="bfloat16"))
    if not settings.tiny:
        yield Way("torch.compile, float32", _compiled)
        yield Way("torch.compile, freezing, float32", partial(_compiled, freezing=True))
        yield Way("torch.compile, freezing, bfloat16",
                  partial(_compiled, freezing=True, dtype="bfloat16"))  # fmt: skip
    onnx = ("onnx", "onnxscript", "onnxruntime")
    yield Way("ONNX Runtime, float32", _onnx, onnx)
    yield Way("ONNX Runtime, its BERT optimiser, float32", partial(_onnx, fused=True), onnx)
    yield Way("ONNX Runtime, bfloat16", partial(_onnx, dtype="bfloat16"), onnx)
    vino = ("onnx", "onnxscript", "openvino")
    yield Way("OpenVINO, float32", partial(_openvino, hint="f32"), vino)
    yield Way("OpenVINO, bfloat16", partial(_openvino, hint="bf16"), vino)


def _measured(
    case: str,
    way: Way,
    module: Any,
    place: Path,
    batches: Sequence[Batch],
    reference: Sequence[Any],
) -> Row:
    if reason := _ours.too_slow(way.precision):
        return Row(case, way.name, skipped=reason)
    absent = [name for name in way.packages if _size(name) is None]
    if absent:
        return Row(case, way.name, skipped=f"not installed: {', '.join(absent)}")
    try:
        with silent():
            (run, found), ready = timed(lambda: _first(way.build(module, place), batches))
            rates = [_rate(partial(run, batch), len(batch[0])) for batch in batches]
    except Exception as error:  # noqa: BLE001 (what a runtime cannot do is a result)
        said = " ".join(str(error).split())[:150]
        return Row(case, way.name, skipped=f"{type(error).__name__}: {said}")
    return Row(case, way.name, values=_values(batches, rates, found, reference) | {
        "ready, s": ready,
        "extra MB": sum(_size(name) or 0 for name in way.packages) / 1e6 or None,
    })  # fmt: skip


def _own(
    case: str, folder: Path, precision: str, batches: Sequence[Batch], reference: Sequence[Any]
) -> Row:
    """Tiltmeter's back-end on requests that make the same rows."""
    if reason := _ours.too_slow(precision):
        return Row(case, f"tiltmeter, {precision}", skipped=reason)
    model, ready = timed(lambda: _ours.opened(folder, precision))
    asked = [[_request(*row) for row in zip(*batch, strict=True)] for batch in batches]
    found = [np.concatenate(model.blank_logprobs(requests)) for requests in asked]
    rates = [_rate(partial(model.blank_logprobs, requests), len(requests)) for requests in asked]
    values = _values(batches, rates, found, reference)
    return Row(case, f"tiltmeter, {precision}", values=values | {"ready, s": ready})


def _request(ids: Any, _: Any, at: Any, true: Any) -> Blanked:
    """The row's position hidden; `_batch` hides it in the same way."""
    whole = ids.tolist()
    whole[int(at)] = int(true)
    return Blanked(tuple(whole), (int(at),), (int(at),))


def _values(
    batches: Sequence[Batch], rates: Sequence[float], found: Sequence[Any], reference: Sequence[Any]
) -> dict[str, Value]:
    by_shape: dict[str, Value] = {
        f"rows/s, {len(batch[0])} × {len(batch[0][0])}": rate
        for batch, rate in zip(batches, rates, strict=True)
    }
    apart = max(float(np.abs(a - b).max()) for a, b in zip(found, reference, strict=True))
    return by_shape | {"largest difference": apart}


def _rate(run: Callable[[], Any], count: int) -> float:
    return count / min(timed(run)[1] for _ in range(ROUNDS))


def _first(run: Runtime, batches: Sequence[Batch]) -> tuple[Runtime, list[Any]]:
    """The runtime, and what it answers to each shape the first time."""
    found = [run(batch) for batch in batches]
    return run, [np.asarray(one.detach() if hasattr(one, "detach") else one) for one in found]


def _size(package: str) -> int | None:
    """Bytes that a package takes on disk; None where it is not installed."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return sum(Path(str(file.locate())).stat().st_size for file in files if file.locate().is_file())


def _batch(shape: tuple[int, int], vocabulary: int, mask: int = 4) -> Batch:
    """Random tokens; one a row is hidden."""
    import torch

    made = torch.Generator().manual_seed(shape[0])
    rows, tokens = shape
    ids = torch.randint(5, vocabulary, shape, generator=made)
    at = torch.randint(1, tokens - 1, (rows,), generator=made)
    true = torch.randint(5, vocabulary, (rows,), generator=made)
    ids[torch.arange(rows), at] = mask
    return ids, torch.ones(shape, dtype=torch.long), at, true


# ── Runtimes ────────────────────────────────────────────────────────────────────────────────────


def _scores(model: Any) -> Any:
    """A module from a batch to log-probabilities (b,), the head only where it is read."""
    import torch

    class Scores(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, mask: Any, at: Any, true: Any) -> Any:
            states = self.model.bert(input_ids=ids, attention_mask=mask).last_hidden_state
            read = states[torch.arange(states.shape[0]), at]  # (b, d)
            logits = self.model.cls(read).float()  # (b, vocabulary)
            picked = logits.gather(-1, true.unsqueeze(-1)).squeeze(-1)
            return picked - torch.logsumexp(logits, -1)

    return Scores().eval()


def _in(module: Any, dtype: str) -> Any:
    import copy

    import torch

    return copy.deepcopy(module).to(getattr(torch, dtype))


def _eager(module: Any, _: Path, *, dtype: str = "float32") -> Runtime:
    import torch

    own = _in(module, dtype)

    def run(batch: Batch) -> Any:
        with torch.inference_mode():
            return own(*batch)

    return run


def _packed(module: Any, _: Path, *, dtype: str = "float32") -> Runtime:
    """Weights in oneDNN's own layout; its products instead of torch's default."""
    import torch

    class Packed(torch.nn.Module):
        def __init__(self, linear: Any) -> None:
            super().__init__()
            rows = SHAPES[0][0] * SHAPES[0][1]
            self.weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), rows)  # noqa: SLF001
            self.bias = linear.bias

        def forward(self, x: Any) -> Any:
            run = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001
            return run(x, self.weight, self.bias, "none", [], "")

    own = _in(module, dtype)
    with torch.inference_mode():
        for parent in list(own.modules()):
            for name, child in list(parent.named_children()):
                if isinstance(child, torch.nn.Linear):
                    setattr(parent, name, Packed(child))

    def run(batch: Batch) -> Any:
        with torch.inference_mode():
            return own(*batch)

    return run


def _compiled(module: Any, _: Path, *, dtype: str = "float32", freezing: bool = False) -> Runtime:
    """Inductor; with freezing, weights are constants, which it packs for oneDNN."""
    import torch
    import torch._inductor.config as inductor

    torch._dynamo.reset()  # noqa: SLF001 (or it keeps what the last one compiled)
    compiled = torch.compile(_in(module, dtype), dynamic=True)

    def run(batch: Batch) -> Any:
        with torch.no_grad(), inductor.patch(freezing=freezing):
            return compiled(*batch)

    return run


def _exported(module: Any, place: Path, dtype: str = "float32") -> Path:
    """The module as an ONNX file, for any number of rows and tokens; made once."""
    import torch

    file = place / f"{dtype}.onnx"
    if file.exists():
        return file
    rows, tokens = (
        torch.export.Dim("rows", min=2, max=8192),
        torch.export.Dim("tokens", min=2, max=512),
    )
    wide, narrow = {0: rows, 1: tokens}, {0: rows}
    with torch.no_grad():
        program = torch.onnx.export(
            _in(module, dtype), _batch((5, 7), module.model.config.vocab_size), dynamo=True, verbose=False,
            input_names=["ids", "mask", "at", "true"], output_names=["found"],
            dynamic_shapes=(wide, wide, narrow, narrow),
        )  # fmt: skip
    program.save(str(file))
    return file


def _onnx(module: Any, place: Path, *, fused: bool = False, dtype: str = "float32") -> Runtime:
    import onnxruntime
    import torch

    file = _exported(module, place, dtype)
    if fused:
        from onnxruntime.transformers.optimizer import optimize_model

        config = module.model.config
        better = optimize_model(
            str(file), "bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size
        )
        file = place / "fused.onnx"
        better.save_model_to_file(str(file))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    names = [given.name for given in session.get_inputs()]
    order = [("ids", "mask", "at", "true").index(name) for name in names]
    return lambda batch: session.run(
        None, {name: batch[i].numpy() for name, i in zip(names, order, strict=True)}
    )[0]


def _openvino(module: Any, place: Path, *, hint: str) -> Runtime:
    import openvino
    import torch

    network = openvino.convert_model(str(_exported(module, place)))
    said = {"INFERENCE_PRECISION_HINT": hint, "INFERENCE_NUM_THREADS": torch.get_num_threads(),
            "PERFORMANCE_HINT": "LATENCY"}  # fmt: skip
    compiled = openvino.compile_model(network, "CPU", said)
    return lambda batch: compiled({
        name: value.numpy() for name, value in zip(("ids", "mask", "at", "true"), batch, strict=True)
    })[0]  # fmt: skip
