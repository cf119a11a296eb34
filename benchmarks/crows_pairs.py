"""CrowS-Pairs on masked language models: Tiltmeter, the published procedure, and minicons.

The task is the pseudo-log-likelihood of the tokens that both sentences of a pair share, with the
model loaded: from texts to a record for each pair. A masked sentence is one row of a forward pass.

- The published procedure is slow: it scores a subset with the same distribution of lengths, and its
  time is scaled by the number of masked sentences.
- minicons scores all tokens of a sentence, which are more rows: it is compared by rows a second and
  for the whole task, and beside it stands Tiltmeter's rule for all tokens on the same subset.
- "of peak": the operations that the answers need (`_peak.needed_masked`), divided by the time, and by the
  rate of matrix products of the same shapes, measured right before and right after.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours, _peak, _peers, _published
from benchmarks._frame import TIMES, Row, Settings, Value, timed
from tiltmeter.core.data.items import Pair
from tiltmeter.scoring.pseudo import RULES

TASK = "Masked language model"
SLOW = 40
"""How many pairs slow peers score."""
PRECISIONS = ("float32", "bfloat16")
RULE = {rule.name: rule for rule in RULES}


@dataclass(frozen=True, slots=True)
class Task:
    """A model, the pairs it scores, and where."""

    case: str
    folder: str | Path
    pairs: Sequence[Pair]
    few: Sequence[Pair]
    """A subset with the same lengths, for slow peers."""
    device: str
    tiny: bool


def rows(settings: Settings) -> Iterator[Row]:
    """Random weights of BERT-base's size, a trained model where one is named, then on a GPU."""
    import torch

    on_gpu = torch.cuda.is_available()
    sizes = [("cpu", _models.TINY if settings.tiny else _models.BERT_BASE)]
    if on_gpu:
        large = [_models.TINY] if settings.tiny else [_models.BERT_BASE, _models.ROBERTA_LARGE]
        sizes += [("cuda", size) for size in large]
    pairs = _ours.pairs(settings)
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    for device, size in sizes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = _models.random_masked(Path(temporary), size, texts, settings)
            yield from _task(f"{size.name}, random weights", folder, pairs, device, settings)
    if settings.masked is not None:
        name = Path(settings.masked).name
        yield from _task(name, settings.masked, pairs, "cpu", settings)
    if not on_gpu:
        reason = "there is no GPU here (torch.cuda.is_available() is false)"
        yield Row("the same on a GPU", "tiltmeter", skipped=reason)


def _task(
    name: str, folder: str | Path, pairs: Sequence[Pair], device: str, settings: Settings
) -> Iterator[Row]:
    place = "" if device == "cpu" else ", on the GPU"
    case = f"{len(pairs):,} pairs of {_ours.data_name()}, {name}{place}"
    few = _ours.stratified(pairs, min(SLOW, len(pairs)))
    task = Task(case, folder, pairs, few, device, settings.tiny)
    reference = None
    for precision in PRECISIONS:
        if reason := _ours.too_slow(precision, device):
            yield Row(case, f"tiltmeter, {precision}", skipped=reason)
            continue
        scored, row = _ours_row(task, precision, reference)
        reference = reference or scored
        yield row
    yield _published_row(task, reference)
    exact = None
    for precision in PRECISIONS:
        reason = _peers.missing("minicons", _peers.MINICONS) or _ours.too_slow(precision, device)
        if reason:
            way = f"minicons {_peers.MINICONS}, {precision}, all tokens"
            yield Row(task.case, way, skipped=reason)
            continue
        exact, both = _minicons_rows(task, precision, exact)
        yield from both


def _ours_row(
    task: Task, precision: str, reference: _ours.Scored | None
) -> tuple[_ours.Scored, Row]:
    model = _ours.opened(task.folder, precision, task.device)
    _ours.scored(model, RULE["pll_shared"], task.few)  # warm up
    requests = _ours.requests(model, RULE["pll_shared"], task.pairs)
    work = _peak.needed_masked(_models.config(task.folder), requests, model.batch_tokens)
    spent = 0.01 if task.tiny else 0.3
    before = _peak.peak(work, precision, task.device, spent)["rate"]
    scored = _ours.scored(model, RULE["pll_shared"], task.pairs)
    highest = max(before, _peak.peak(work, precision, task.device, spent)["rate"])
    rate = work.flops / scored.seconds
    values: dict[str, Value] = {
        "masked sentences/s": len(requests) / scored.seconds,
        "peak GFLOP/s": highest / 1e9,
        "of peak": f"{rate / highest:.0%}",
    }
    if reference is not None:
        values |= _ours.agreement(reference.records, scored.records)
    note = f"needs {work.flops / 1e12:.3g} TFLOP, computed at {rate / 1e9:,.0f} GFLOP/s"
    return scored, Row(task.case, f"tiltmeter, {precision}", scored.seconds, values, note)


def _published_row(task: Task, reference: _ours.Scored) -> Row:
    model, tokenizer = _models.plain(task.folder)
    model.to(task.device)
    _published.crows_pairs(model, tokenizer, task.few[:1])  # warm up
    (scores, passes), took = timed(lambda: _published.crows_pairs(model, tokenizer, task.few))
    rate = passes / took
    whole = len(reference.requests) / rate
    return Row(
        task.case,
        "published procedure, float32",
        whole,
        {"masked sentences/s": rate, TIMES: whole / reference.seconds}
        | _ours.agreement(reference.records, _ours.recorded(task.few, scores)),
        f"measured on {len(task.few)} pairs with the same lengths ({passes:,} of "
        f"{len(reference.requests):,} masked sentences), scaled to all",
    )


def _minicons_rows(
    task: Task, precision: str, exact: _ours.Scored | None
) -> tuple[_ours.Scored, list[Row]]:
    """Minicons and Tiltmeter on all tokens of the subset; `exact` is Tiltmeter's in float32."""
    texts = [text for pair in task.few for text in (pair.more, pair.less)]
    score = _peers.minicons(task.folder, precision, task.device)
    best, rates = _peers.fastest(score, texts)
    flat, took = timed(lambda: score(texts, best))
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    model = _ours.opened(task.folder, precision, task.device)
    _ours.scored(model, RULE["pll_all"], task.few[:4])  # warm up
    same = _ours.scored(model, RULE["pll_all"], task.few)
    few, every = (_tokens(model, items) for items in (task.few, task.pairs))
    exact = exact or same
    tried = ", ".join(f"{size}: {rate:.3g}" for size, rate in rates.items())
    theirs = Row(
        task.case,
        f"minicons {_peers.MINICONS}, {precision}, all tokens",
        took * every / few,
        {"masked sentences/s": few / took, TIMES: took / same.seconds}
        | _ours.agreement(exact.records, _ours.recorded(task.few, pairs)),
        f"measured on {len(task.few)} pairs with the same lengths ({few:,} of {every:,} masked "
        f"sentences), scaled to all; sentences a batch and sentences a second: {tried}",
    )
    ours = Row(
        task.case,
        f"tiltmeter, {precision}, all tokens",
        same.seconds * every / few,
        {"masked sentences/s": few / same.seconds} | _ours.agreement(exact.records, same.records),
        "the same subset, scaled in the same way",
    )
    return exact, [theirs, ours]


def _tokens(model: Any, pairs: Sequence[Pair]) -> int:
    """Tokens that are hidden in turn when all are: rows of forward passes."""
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    return sum(len(tokens.ids) - sum(tokens.special) for tokens in model.encode(texts))
