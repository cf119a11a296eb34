"""StereoSet's intrasentence test: Tiltmeter, the published procedure, and libraries for causal models."""

import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours, _peers, _published
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, timed
from tiltmeter.core.data.items import SIDES, Triple
from tiltmeter.core.rules import Context
from tiltmeter.data.downloads.registry import status
from tiltmeter.studies.stereoset import CONVENTIONS, RULES, STUDY

TASK = "StereoSet"


def rows(settings: Settings) -> Iterator[Row]:
    """Masked models with the published procedure, then causal models with the libraries."""
    triples = _contexts(settings)
    yield from _masked(triples, settings)
    yield from _causal(triples, settings)


def _masked(triples: Sequence[Triple], settings: Settings) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as temporary:
        folder, size = settings.masked, _models.TINY if settings.tiny else _models.BERT_BASE
        if folder is None:
            texts = [text for triple in triples for text in (*triple.sentences, *triple.filled)]
            folder = str(_models.random_masked(Path(temporary), size, texts, settings))
        plain, tokenizer = _models.plain(folder)
        ours = _ours.opened(folder)
    name = Path(folder).name if settings.masked else f"{size.name}, random weights"
    case = f"{len(triples)} contexts of StereoSet, {name}"
    _published.stereoset(plain, tokenizer, triples[:2])  # warm up
    (slow, passes), seconds = timed(lambda: _published.stereoset(plain, tokenizer, triples))
    rules = {rule.name: rule for rule in RULES}
    as_published = Context(next(c for c in CONVENTIONS if c.name == "stereoset2020"))
    rules["blank_probability"].score(ours, triples[:4], as_published)  # warm up
    same, took = timed(lambda: rules["blank_probability"].score(ours, triples, as_published))
    found = [[record.scores[side] for side in SIDES] for record in same]
    note = "the published scores, number for number"
    yield Row(case, "tiltmeter, blank_probability", took, note=note)
    values = {"passes": passes, TIMES: seconds / took, **_agreement(_logs(slow), _logs(found))}
    note = "the difference is that of log-probabilities"
    yield Row(case, "published procedure", seconds, values, note)
    _, took = timed(lambda: rules["blank_logprob"].score(ours, triples, Context()))
    note = "the default rule: whole candidates, other numbers by definition"
    yield Row(case, "tiltmeter, blank_logprob", took, note=note)


def _causal(triples: Sequence[Triple], settings: Settings) -> Iterator[Row]:
    """Whole sentences on a causal model: the mean log-probability of a token."""
    rule = next(rule for rule in RULES if rule.name == "sentence_logprob")
    texts = [text for triple in triples for text in triple.filled]
    size = _models.TINY if settings.tiny else _models.GPT2
    case = f"{len(triples)} contexts of StereoSet, {size.name} (causal), random weights"
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_causal(Path(temporary), size, texts)
        ours = _ours.opened(folder)
        rule.score(ours, triples[:4], Context())  # warm up
        records, took = timed(lambda: rule.score(ours, triples, Context()))
        found = [[record.scores[side] for side in SIDES] for record in records]
        yield Row(case, "tiltmeter, sentence_logprob", took)
        lengths = [len(tokens.ids) - sum(tokens.special) for tokens in ours.encode(texts)]
        for peer in _peers.causal(folder, "float32"):
            if peer.missing:
                yield Row(case, peer.way, skipped=peer.missing)
                continue
            with _peers.silent():
                score = peer.load()
                best, _ = _peers.fastest(score, texts, _peers.CAUSAL_BATCHES)
                flat, seconds = timed(lambda score=score, best=best: score(texts, best))
            means = [total / length for total, length in zip(flat, lengths, strict=True)]
            three = [means[i : i + 3] for i in range(0, len(means), 3)]
            values = {TIMES: seconds / took, **_agreement(found, three)}
            yield Row(case, peer.way, seconds, values, f"{best} sentences a batch")


def _logs(scores: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[math.log(score) for score in three] for three in scores]


def _contexts(settings: Settings) -> list[Triple]:
    """Every so many-th intrasentence context."""
    here = [name for name in STUDY.data if status(name) != "absent"]
    items = (STUDY.load(here[0]) if here else STUDY.sample()).items
    inside = [triple for triple in items if triple.task == "intrasentence"]
    count = settings.count or 200
    return inside[:: max(1, len(inside) // count)][:count]


def _agreement(slow: Sequence[Sequence[float]], found: Sequence[Sequence[float]]) -> dict[str, Any]:
    both = [(a, b) for x, y in zip(slow, found, strict=True) for a, b in zip(x, y, strict=True)]
    equal = [
        one == other
        for x, y in zip(slow, found, strict=True)
        for one, other in zip(_decisions(x), _decisions(y), strict=True)
    ]
    return {DIFFERENCE: max(abs(a - b) for a, b in both), SAME: f"{sum(equal):,} of {len(equal):,}"}


def _decisions(three: Sequence[float]) -> tuple[bool, bool, bool]:
    """Which of two scores higher, for each two of the three."""
    more, less, off = three
    return more > less, more > off, less > off
