"""SEAT from sentences to effect sizes: Tiltmeter, the published procedure, and sentence-transformers.

The vector of a sentence is the mean of the last layer over all its tokens, as in Meade et al. 2022. The
published procedure makes one forward pass a sentence; sentence-transformers makes batches of 32, its
default. Both are followed by the published effect size and permutation test.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from benchmarks import _models, _ours
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, timed
from benchmarks.association import published
from tiltmeter.core.data.items import Target
from tiltmeter.core.rules import Context
from tiltmeter.core.types import Array, Labels
from tiltmeter.data.downloads.registry import status
from tiltmeter.metrics.association import effect_size, permutation_p
from tiltmeter.studies.seat import NAME, STARTER, STUDY

TASK = "SEAT"
ALPHA = 0.05
DRAWS = 9_999
TESTS = 6
RULE = next(rule for rule in STUDY.rules if rule.name == "mean_pool")
Embed: TypeAlias = Callable[[Sequence[str]], Array]
Found: TypeAlias = list[tuple[float, float]]
"""Effect size and p of each test."""


def rows(settings: Settings) -> Iterator[Row]:
    """Ours, then both others, on the same tests and model."""
    targets, where = _targets(settings)
    tests = list(dict.fromkeys(target.test.name for target in targets))
    draws = 99 if settings.tiny else 999 if settings.quick else DRAWS
    texts = list(dict.fromkeys(text for target in targets for text in _texts(target)))
    size = _models.TINY if settings.tiny else _models.BERT_BASE
    case = (
        f"{len(tests)} tests of {where}, {len(texts):,} sentences, {draws:,} partitions, "
        f"{size.name}, random weights"
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_masked(Path(temporary), size, texts, settings)
        ours = _ours.opened(folder)
        tiltmeter(ours, targets[:4], 9)  # warm up
        expected, took = timed(lambda: tiltmeter(ours, targets, draws))
        yield Row(case, "tiltmeter, mean_pool", took, {"sentences/s": len(texts) / took})
        for way, embed in _others(folder):
            embed(texts[:2])  # warm up
            found, seconds = timed(lambda embed=embed: scripted(embed, targets, draws))
            values = {"sentences/s": len(texts) / seconds, TIMES: seconds / took}
            yield Row(case, way, seconds, values | _agreement(expected, found))


def _targets(settings: Settings) -> tuple[list[Target], str]:
    """The targets of some tests, and where they are from."""
    known = status(NAME) != "absent" and not settings.tiny
    data = STUDY.load(NAME if known else STARTER)
    items = [item for item in data.items if " " in item.text]
    count = 1 if settings.tiny else 2 if settings.quick else TESTS
    chosen = list(dict.fromkeys(item.test.name for item in items))[:count]
    return [item for item in items if item.test.name in chosen], data.name


def _texts(target: Target) -> tuple[str, ...]:
    return target.text, *target.test.a, *target.test.b


def tiltmeter(model: Any, targets: Sequence[Target], draws: int) -> Found:
    """Effect size and p of each test."""
    found: dict[str, list[tuple[float, str]]] = {}
    for record in RULE.score(model, targets, Context()):
        row = record.scores["association"], record.groups["side"]
        found.setdefault(record.groups["test"], []).append(row)
    return [_tested(rows, draws) for rows in found.values()]


def _tested(rows: Sequence[tuple[float, str]], draws: int) -> tuple[float, float]:
    s = np.array([value for value, _ in rows])
    side: Labels = np.array([name for _, name in rows])
    if len(set(side.tolist())) < 2:
        return 0.0, 1.0
    rng = np.random.default_rng(1)
    test = permutation_p(s, side, rng, alternative="greater", draws=draws)
    return effect_size(s, side), test.p


def scripted(embed: Embed, targets: Sequence[Target], draws: int) -> Found:
    """The same from vectors that a library gives, with the published loops."""
    tests = {target.test.name: target.test for target in targets}
    found = []
    for test in tests.values():
        mine = [target for target in targets if target.test.name == test.name]
        x, y = ([t.text for t in mine if t.side == side] for side in ("X", "Y"))
        sets = [embed(list(texts)).astype(np.float64) for texts in (x, y, test.a, test.b)]
        found.append(published(*sets, draws))
    return found


def _others(folder: Path) -> Iterator[tuple[str, Embed]]:
    yield "published procedure", _one_by_one(folder)
    import sentence_transformers

    version = sentence_transformers.__version__
    yield f"sentence-transformers {version}, published test", _in_batches(folder)


def _one_by_one(folder: Path) -> Embed:
    """One forward pass a sentence, without gradients."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    with _models.quiet():
        model = AutoModel.from_pretrained(folder).eval()
        tokenizer = AutoTokenizer.from_pretrained(folder)

    def vector(text: str) -> Array:
        with torch.no_grad():
            hidden = model(**tokenizer(text, return_tensors="pt"))["last_hidden_state"]
        return np.asarray(hidden.mean(dim=1).numpy()[0])

    return lambda texts: np.stack([vector(text) for text in texts])


def _in_batches(folder: Path) -> Embed:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    with _models.quiet():
        trunk = Transformer(str(folder))
        pooling = Pooling(trunk.get_word_embedding_dimension(), pooling_mode="mean")
        model = SentenceTransformer(modules=[trunk, pooling], device="cpu")
    return lambda texts: np.asarray(model.encode(list(texts), show_progress_bar=False))


def _agreement(expected: Found, found: Found) -> dict[str, Any]:
    both = list(zip(expected, found, strict=True))
    same = sum((p < ALPHA) == (q < ALPHA) for (_, p), (_, q) in both)
    return {
        DIFFERENCE: max(abs(one - other) for (one, _), (other, _) in both),
        SAME: f"{same} of {len(both)}",
    }
