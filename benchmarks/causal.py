"""CrowS-Pairs on causal language models: Tiltmeter, lm-evaluation-harness and minicons.

The task is the log-likelihood of both sentences of every pair, with the model loaded. The harness is
asked through its own class for Hugging Face models, without its task's bookkeeping; either library gets
the batch size that is fastest in a trial. On a model of GPT-2's size with random weights, and on a
trained one. "of peak" is as for masked models: what the answers need (`_peak.needed_causal`), divided by
the time and by the highest rate of the products that are needed, in whatever way they are fastest.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import _models, _ours, _peak, _peers
from benchmarks._frame import TIMES, Row, Settings, Value, timed
from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.models import gguf
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.scoring.likelihood import RULES

TASK = "Causal language model"
SLOW = 200
"""How many pairs other libraries score; their time is scaled to all."""
RULE = next(rule for rule in RULES if rule.name == "log_likelihood")


def rows(settings: Settings) -> Iterator[Row]:
    """Random weights of GPT-2's size, then the trained model."""
    pairs = _ours.pairs(settings)
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    size = _models.TINY if settings.tiny else _models.GPT2
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_causal(Path(temporary), size, texts)
        yield from _model(f"{size.name}, random weights", folder, pairs, settings)
    if settings.causal is None:
        return
    try:
        folder = _folder(settings.causal)
    except TiltmeterError as error:
        yield Row(settings.causal, "tiltmeter", skipped=str(error))
        return
    yield from _model(Path(settings.causal).name, folder, pairs, settings)


def _folder(name: str) -> Path:
    """Where the model's files are, in a form that both libraries read."""
    where = resolve(name)
    return (
        gguf.converted(Path(where.location), name)
        if where.scheme == "gguf"
        else Path(where.location)
    )


def _model(name: str, folder: Path, pairs: Sequence[Pair], settings: Settings) -> Iterator[Row]:
    case = f"{len(pairs):,} pairs of {_ours.data_name()}, {name}"
    few = _ours.stratified(pairs, min(SLOW, len(pairs)))
    reference = None
    for precision in ("float32", "bfloat16"):
        peers = _peers.causal(folder, precision)
        if reason := _ours.too_slow(precision):
            for way in (f"tiltmeter, {precision}", *(peer.way for peer in peers)):
                yield Row(case, way, skipped=reason)
            continue
        model = _ours.opened(folder, precision)
        _ours.scored(model, RULE, pairs[:4])  # warm up
        requests = _ours.requests(model, RULE, pairs)
        work = _peak.needed_causal(_models.config(folder), requests, model.batch_tokens)
        spent = 0.01 if settings.tiny else 0.3
        before = _peak.peak(work, precision, seconds=spent)["rate"]
        ours = _ours.scored(model, RULE, pairs)
        highest = max(before, _peak.peak(work, precision, seconds=spent)["rate"])
        rate = work.flops / ours.seconds
        reference = reference or ours
        values: dict[str, Value] = {
            "sentences/s": 2 * len(pairs) / ours.seconds,
            "peak GFLOP/s": highest / 1e9,
            "of peak": f"{rate / highest:.0%}",
        }
        values |= _ours.agreement(reference.records, ours.records)
        note = f"needs {work.flops / 1e12:.3g} TFLOP, computed at {rate / 1e9:,.0f} GFLOP/s"
        yield Row(case, f"tiltmeter, {precision}", ours.seconds, values, note)
        for peer in peers:
            yield _other(case, peer, few, ours.seconds, reference)


def _other(
    case: str, peer: _peers.Peer, few: Sequence[Pair], seconds: float, reference: _ours.Scored
) -> Row:
    if peer.missing:
        return Row(case, peer.way, skipped=peer.missing)
    texts = [text for pair in few for text in (pair.more, pair.less)]
    with _peers.silent():
        score = peer.load()
        best, rates = _peers.fastest(score, texts, _peers.CAUSAL_BATCHES)
        flat, took = timed(lambda: score(texts, best))
    found = _ours.recorded(few, list(zip(flat[::2], flat[1::2], strict=True)))
    whole = took * len(reference.records) / len(few)
    tried = ", ".join(f"{size}: {rate:.3g}" for size, rate in rates.items())
    note = "" if len(few) == len(reference.records) else (
        f"measured on {len(few)} pairs with the same lengths, scaled to all; "
    )  # fmt: skip
    return Row(
        case,
        peer.way,
        whole,
        {"sentences/s": len(texts) / took, TIMES: whole / seconds}
        | _ours.agreement(reference.records, found),
        f"{note}sentences a batch and sentences a second: {tried}",
    )
