"""CrowS-Pairs on a masked language model: the published procedure and others against Tiltmeter."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours, _published
from benchmarks._frame import Row, Settings, timed
from tiltmeter.core.items import Pair
from tiltmeter.core.results import Record
from tiltmeter.scoring.pseudo import RULES

SLOW = 40
"""How many pairs the published procedure scores; its time is scaled to all."""
RULE = next(rule for rule in RULES if rule.name == "pll_shared")


def rows(settings: Settings) -> Iterator[Row]:
    """A model of BERT-base's size with random weights, then the trained one where it is named."""
    pairs = _ours.pairs(settings)
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    size = _models.TINY if settings.tiny else _models.BERT_BASE
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_masked(Path(temporary), size, texts, settings)
        yield from _model(f"{size.name}, random weights", folder, pairs)
    if settings.masked is not None:
        yield from _model(Path(settings.masked).name, settings.masked, pairs)


def _model(name: str, folder: str | Path, pairs: Sequence[Pair]) -> Iterator[Row]:
    case = f"{len(pairs):,} pairs of {_ours.data_name()}, {name}"
    ours = _ours.opened(folder)
    _ours.scored(ours, RULE, pairs[:4])  # warm up
    reference, seconds = _ours.scored(ours, RULE, pairs)
    reads = sum(_reads(record) for record in reference)
    yield Row(case, "tiltmeter, float32", seconds, {"masked sentences/s": reads / seconds})
    yield _published_row(case, _models.plain(folder), pairs, reference)


def _published_row(
    case: str, model: tuple[Any, Any], pairs: Sequence[Pair], reference: Sequence[Record]
) -> Row:
    few = _ours.stratified(pairs, min(SLOW, len(pairs)))
    _published.crows_pairs(*model, few[:1])  # warm up
    (scores, passes), took = timed(lambda: _published.crows_pairs(*model, few))
    reads = sum(_reads(record) for record in reference)
    same = _agreement(reference, {p.id: s for p, s in zip(few, scores, strict=True)})
    note = f"measured on {len(few)} pairs with the same lengths, {passes:,} of {reads:,} passes"
    rate = passes / took
    return Row(case, "published procedure", reads / rate, {"masked sentences/s": rate} | same, note)


def _reads(record: Record) -> int:
    return int(record.scores["tokens_more"] + record.scores["tokens_less"])


def _agreement(
    reference: Sequence[Record], found: dict[str, tuple[float, float]]
) -> dict[str, str | float]:
    """How far sums of log-probabilities lie apart, and how many preferences are the same."""
    both = [(record.scores, found[record.item]) for record in reference if record.item in found]
    worst = max(max(abs(s["more"] - m), abs(s["less"] - less)) for s, (m, less) in both)
    equal = sum((s["more"] > s["less"]) == (m > less) for s, (m, less) in both)
    return {"largest difference": worst, "decisions equal": f"{equal:,} of {len(both):,}"}
