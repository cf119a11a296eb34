"""StereoSet's intrasentence test: the published procedure against Tiltmeter, on the same contexts."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours, _published
from benchmarks._frame import Row, Settings, timed
from tiltmeter.core.items import SIDES, Triple
from tiltmeter.core.study import Context
from tiltmeter.data.registry import status
from tiltmeter.studies.stereoset import CONVENTIONS, RULES, STUDY


def rows(settings: Settings) -> Iterator[Row]:
    """The published procedure, the same scores here, and the rule that is the default here."""
    triples = _contexts(settings)
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
    yield Row(case, "published procedure", seconds, {"passes": passes, "times faster": 1.0})
    rules = {rule.name: rule for rule in RULES}
    as_published = Context(next(c for c in CONVENTIONS if c.name == "stereoset2020"))
    rules["blank_probability"].score(ours, triples[:4], as_published)  # warm up
    same, took = timed(lambda: rules["blank_probability"].score(ours, triples, as_published))
    found = [[record.scores[side] for side in SIDES] for record in same]
    yield Row(
        case,
        "tiltmeter, blank_probability",
        took,
        {"times faster": seconds / took, **_agreement(slow, found)},
        "the published scores, number for number",
    )
    _, took = timed(lambda: rules["blank_logprob"].score(ours, triples, Context()))
    yield Row(
        case,
        "tiltmeter, blank_logprob",
        took,
        {"times faster": seconds / took},
        "the default rule: whole candidates, other numbers by definition",
    )


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
    return {
        "largest relative difference": max(abs(a / b - 1) for a, b in both),
        "decisions equal": f"{sum(equal):,} of {len(equal):,}",
    }


def _decisions(three: Sequence[float]) -> tuple[bool, bool, bool]:
    """Which of two scores higher, for each two of the three."""
    more, less, off = three
    return more > less, more > off, less > off
