"""CEAT from contexts to combined effect sizes: Tiltmeter, the published procedure, and minicons.

A word's vector is the mean of the last layer over its pieces, in sentences of CrowS-Pairs to which the
word is added. All use the same draws of contexts. The published procedure makes one forward pass a
context, and goes through draws and words in loops; minicons gives the vectors in batches, sorted by length,
and the same loops follow.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from benchmarks import _models, _ours, _peers
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, timed
from tiltmeter.core.data.items import WordSets
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.rules import Context
from tiltmeter.core.types import Array
from tiltmeter.data.associations.word_set_sources import read_source
from tiltmeter.studies.ceat.draws import Draw, Draws
from tiltmeter.studies.ceat.metrics import combined_effect
from tiltmeter.studies.ceat.study import STUDY
from tiltmeter.study_families.association_tests import STARTER_WORDS

TASK = "CEAT"
TESTS, CONTEXTS, DRAWS = 2, 20, 1_000
BATCHES = (4, 16, 64)
RULE = next(rule for rule in STUDY.rules if rule.name == "word_pieces")
Vectors: TypeAlias = Mapping[Passage, Array]


def rows(settings: Settings) -> Iterator[Row]:
    """Ours, then both others, on the same draws and model."""
    count, draws = (2, 20) if settings.tiny else (2, 200) if settings.quick else (CONTEXTS, DRAWS)
    made = _draws(settings, count, draws)
    passages = list(dict.fromkeys(p for draw in made for p in draw.passages))
    size = _models.TINY if settings.tiny else _models.BERT_BASE
    case = f"{len(made):,} draws from {len(passages):,} contexts, {size.name}, random weights"
    with tempfile.TemporaryDirectory() as temporary:
        texts = [passage.text for passage in passages]
        folder = _models.random_masked(Path(temporary), size, texts, settings)
        ours = _ours.opened(folder)
        tiltmeter(ours, made[:1])  # warm up
        expected, took = timed(lambda: tiltmeter(ours, made))
        yield Row(case, "tiltmeter, word_pieces", took, {"contexts/s": len(passages) / took})
        for way, reason, load in _others(folder, passages):
            if reason:
                yield Row(case, way, skipped=reason)
                continue
            embed = load()
            found, seconds = timed(lambda embed=embed: scripted(made, embed(passages)))
            values = {"contexts/s": len(passages) / seconds, TIMES: seconds / took}
            yield Row(case, way, seconds, values | _agreement(expected, found))


def _draws(settings: Settings, count: int, draws: int) -> list[Draw]:
    """Draws of the packaged tests, so many contexts a word."""
    _, tests = read_source(STARTER_WORDS, (), STARTER_WORDS)
    tests = [_named(test) for test in tests[: 1 if settings.tiny else TESTS]]
    words = list(dict.fromkeys(w for t in tests for some in (t.x, t.y, t.a, t.b) for w in some))
    sentences = [pair.more for pair in _ours.pairs(Settings())]
    free = [s for s in sentences if not any(word.lower() in s.lower() for word in words)]
    contexts = {word: _contexts(word, free, count, i) for i, word in enumerate(words)}
    return list(Draws(tests, contexts, draws=draws))


def _named(test: WordSets) -> WordSets:
    return replace(test, groups={"test": test.name})


def _contexts(word: str, sentences: Sequence[str], count: int, first: int) -> list[Passage]:
    """The word in so many sentences, once in each."""
    chosen = [sentences[(first * count + k) % len(sentences)] for k in range(count)]
    at = len("They spoke of ")
    return [Passage(f"They spoke of {word}. {text}", (at, at + len(word))) for text in chosen]


def tiltmeter(model: Any, draws: Sequence[Draw]) -> dict[str, float]:
    """The combined effect size of each test."""
    found: dict[str, list[Mapping[str, float]]] = {}
    for record in RULE.score(model, draws, Context()):
        found.setdefault(record.groups["test"], []).append(record.scores)
    return {
        name: combined_effect(
            *(np.array([row[key] for row in rows]) for key in ("effect", "variance"))
        )
        for name, rows in found.items()
    }


def scripted(draws: Sequence[Draw], vectors: Vectors) -> dict[str, float]:
    """The same, draw by draw and word by word."""
    found: dict[str, list[tuple[float, float]]] = {}
    for draw in draws:
        found.setdefault(draw.groups["test"], []).append(_effect(draw, vectors))
    return {name: _combined(rows) for name, rows in found.items()}


def _effect(draw: Draw, vectors: Vectors) -> tuple[float, float]:
    """A draw's effect size and the variance of its associations."""

    def association(passage: Passage) -> float:
        word = vectors[passage]
        a, b = ([_cosine(word, vectors[one]) for one in of] for of in (draw.a, draw.b))
        return float(np.mean(a) - np.mean(b))

    x, y = ([association(one) for one in of] for of in (draw.x, draw.y))
    spread = float(np.std([*x, *y], ddof=1))
    return float(np.mean(x) - np.mean(y)) / spread, spread**2


def _cosine(one: Array, other: Array) -> float:
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def _combined(rows: Sequence[tuple[float, float]]) -> float:
    """The random-effects model of DerSimonian and Laird 1986."""
    weights = [1 / variance for _, variance in rows]
    total = sum(weights)
    mean = sum(w * effect for w, (effect, _) in zip(weights, rows, strict=True)) / total
    q = sum(w * (effect - mean) ** 2 for w, (effect, _) in zip(weights, rows, strict=True))
    between = max(0.0, (q - (len(rows) - 1)) / (total - sum(w**2 for w in weights) / total))
    weights = [1 / (variance + between) for _, variance in rows]
    return sum(w * effect for w, (effect, _) in zip(weights, rows, strict=True)) / sum(weights)


Embed: TypeAlias = Callable[[Sequence[Passage]], Vectors]


def _others(
    folder: Path, passages: Sequence[Passage]
) -> Iterator[tuple[str, str, Callable[[], Embed]]]:
    yield "published procedure", "", lambda: _one_by_one(folder)
    way = f"minicons {_peers.MINICONS}, published loops"
    reason = _peers.missing("minicons", _peers.MINICONS)
    yield way, reason, lambda: _minicons(folder, passages)


def _one_by_one(folder: Path) -> Embed:
    """One forward pass a context, without gradients."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    with _models.quiet():
        model = AutoModel.from_pretrained(folder).eval()
        tokenizer = AutoTokenizer.from_pretrained(folder)

    def vector(passage: Passage) -> Array:
        tokens = tokenizer(passage.text, return_tensors="pt", return_offsets_mapping=True)
        spans = tokens.pop("offset_mapping")[0].tolist()
        inside = [i for i, (a, b) in enumerate(spans) if a < passage.at[1] and b > passage.at[0]]
        with torch.no_grad():
            hidden = model(**tokens)["last_hidden_state"][0]
        return np.asarray(hidden[inside].mean(dim=0).numpy(), dtype=np.float64)

    return lambda passages: {passage: vector(passage) for passage in passages}


def _minicons(folder: Path, passages: Sequence[Passage]) -> Embed:
    """In batches of the size that is fastest in a trial."""
    with _peers.silent():
        from minicons.cwe import CWE

        model = CWE(str(folder), "cpu")

    def embed(some: Sequence[Passage], batch: int) -> Vectors:
        ordered = sorted(some, key=lambda passage: len(passage.text))
        found: dict[Passage, Array] = {}
        for start in range(0, len(ordered), batch):
            part = ordered[start : start + batch]
            given = [[one.text, one.text[slice(*one.at)]] for one in part]
            with _peers.silent():
                vectors = model.extract_representation(given).numpy().astype(np.float64)
            found |= dict(zip(part, vectors, strict=True))
        return found

    few = passages[:: max(1, len(passages) // max(BATCHES))]
    embed(few[:2], 2)  # warm up
    spent = {size: timed(lambda size=size: embed(few, size))[1] for size in BATCHES}
    best = min(spent, key=lambda size: spent[size])
    return lambda all_of_them: embed(all_of_them, best)


def _agreement(expected: Mapping[str, float], found: Mapping[str, float]) -> dict[str, Any]:
    same = sum((expected[name] > 0) == (found[name] > 0) for name in expected)
    return {
        DIFFERENCE: max(abs(expected[name] - found[name]) for name in expected),
        SAME: f"{same} of {len(expected)}",
    }
