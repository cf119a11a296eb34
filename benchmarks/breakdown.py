"""Where Tiltmeter's own time goes: CrowS-Pairs on models of the sizes of BERT-base and GPT-2.

The scoring of a sample of pairs runs under PyTorch's profiler; operations are put together by what
they are for. What is not inside an operation is Python: of the back-end, and of everything around it.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours
from benchmarks._frame import Row, Settings
from tiltmeter.core.data.items import Pair
from tiltmeter.core.rules import Rule
from tiltmeter.models.speed.vocabulary_blocks import WIDTH
from tiltmeter.scoring import likelihood, pseudo

PAIRS = 100
MASKED = next(rule for rule in pseudo.RULES if rule.name == "pll_shared")
CAUSAL = next(rule for rule in likelihood.RULES if rule.name == "log_likelihood")
ANSWERS = ("blank_logprobs", "continuation_logprobs")
"""The methods by which either kind of model answers these rules."""
PARTS = {
    "attention": ("scaled_dot_product", "softmax", "bmm", "baddbmm"),
    "norms, activations, sums": ("layer_norm", "gelu", "tanh", "add", "mul", "dropout"),
    "linear layers": ("linear", "mm", "matmul"),
    "log-sum-exp and look-up": ("logsumexp", "log_softmax", "gather", "exp", "amax", "sub", "sum"),
    "embeddings": ("embedding",),
}
"""By a part of the operation's name; the first that fits."""


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each purpose, in float32 and bfloat16, of a masked and of a causal model."""
    count = settings.pairs or (4 if settings.tiny else 20 if settings.quick else PAIRS)
    pairs = _ours.pairs(Settings(pairs=count))
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    masked, causal = (
        (_models.TINY, _models.TINY) if settings.tiny else (_models.BERT_BASE, _models.GPT2)
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_masked(Path(temporary, "masked"), masked, texts, settings)
        yield from _of_model(f"masked, {masked.name}", folder, MASKED, pairs)
        folder = _models.random_causal(Path(temporary, "causal"), causal, texts)
        yield from _of_model(f"causal, {causal.name}", folder, CAUSAL, pairs)


def _of_model(name: str, folder: Path, rule: Rule[Pair], pairs: Sequence[Pair]) -> Iterator[Row]:
    for precision in ("float32", "bfloat16"):
        case = f"{len(pairs)} pairs of {_ours.data_name()}, {name}, {precision}"
        if reason := _ours.too_slow(precision):
            yield Row(case, f"tiltmeter, {precision}", skipped=reason)
            continue
        model = _ours.opened(folder, precision)
        _ours.scored(model, rule, pairs)  # warm up
        spent, total = _spent(model, rule, pairs, _models.config(folder).vocab_size)
        for part, seconds in spent.items():
            yield Row(case, part, seconds, {"share": f"{seconds / total:.1%}"})


def _spent(
    model: Any, rule: Rule[Pair], pairs: Sequence[Pair], vocabulary: int
) -> tuple[dict[str, float], float]:
    """Seconds by purpose, and all of them together."""
    from torch.profiler import ProfilerActivity, profile

    watched = _Watched(model)
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as profiler:
        total = _ours.scored(watched, rule, pairs).seconds
    spent = dict.fromkeys((*PARTS, "vocabulary projection", "copies, indexing and the like"), 0.0)
    for event in profiler.key_averages(group_by_input_shape=True):
        shapes = [list(shape) for shape in event.input_shapes or () if isinstance(shape, list)]
        wide = any({vocabulary, WIDTH} & {*shape} for shape in shapes)
        spent[_part(str(event.key), wide=wide)] += event.self_cpu_time_total / 1e6
    inside = sum(spent.values())
    answering = sum(watched.seconds[name] for name in ANSWERS)
    spent["Python in the back-end"] = max(0.0, answering - inside)
    spent["tokenisation"] = watched.seconds["encode"]
    around = total - answering - watched.seconds["encode"]
    spent["requests, batches, store, records"] = max(0.0, around)
    return spent, total


def _part(name: str, *, wide: bool) -> str:
    """What an operation is for; `wide` where something in it is as wide as the vocabulary or a block."""
    for part, words in PARTS.items():
        if any(word in name for word in words):
            return "vocabulary projection" if wide and part == "linear layers" else part
    return "copies, indexing and the like"


class _Watched:
    """A model, and how long its answers took."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.seconds = dict.fromkeys((*ANSWERS, "encode"), 0.0)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._model, name)
        return self._timed(name, found) if name in self.seconds else found

    def _timed(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any) -> Any:
            begun = time.perf_counter()
            try:
                return method(*given)
            finally:
                self.seconds[name] += time.perf_counter() - begun

        return watched
