"""Rules for association in context: each draw's effect size, from one contextual vector per word."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from tiltmeter.core.errors import CannotAnswer, Problem
from tiltmeter.core.model.protocols import Embeds, EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.scoring.missing_vectors import without_vector
from tiltmeter.studies.ceat.draws import Contexts, Draw
from tiltmeter.studies.ceat.metrics import Effects, Variance, effects_of_draws, leanings_of_draws

CELLS = 4_000_000
"""The most numbers that the vectors of one block have, which bounds the memory."""


def score(model: Embeds, draws: Sequence[Draw], context: Context, *, pooling: str) -> list[Record]:
    """One record per draw: its effect size, and the variance that weights it in pooling.

    A draw in which all words have the same association has no effect size, and its record no scores.
    """
    distinct = list(dict.fromkeys(p for draw in draws for p in draw.passages))
    lost = without_vector(model, distinct)
    kept = []
    for draw in draws:
        bad = next((p for p in draw.passages if p in lost), None)
        if bad is None:
            kept.append(draw)
        else:
            way_out = "shorten contexts with --set longest=WORDS"
            context.refuse(Problem(f"{bad.text[:40]!r}…: {lost[bad]}", way_out, item=draw.id))
    context.settle()
    wanted = list(dict.fromkeys(p for draw in kept for p in draw.passages))
    if not wanted:
        return []
    vectors = _units(model, wanted, model.embed(wanted, pooling=pooling))
    rows = {passage: i for i, passage in enumerate(wanted)}
    variance: Variance = (
        "effect_size" if context.settings.get("variance") == "effect_size" else "associations"
    )
    scores: dict[str, dict[str, float]] = {}
    # Draws whose sets have the same sizes are one array; a block of them bounds the memory.
    for alike in _of_one_shape(kept):
        at_once = max(1, CELLS // (vectors.shape[1] * len(alike[0].passages)))
        for start in range(0, len(alike), at_once):
            block = alike[start : start + at_once]
            scores |= _scores(block, _effects(block, rows, vectors, variance))
    return [Record(draw.id, scores[draw.id], draw.groups) for draw in kept]


def _units(model: Embeds, passages: Sequence[Passage], vectors: Array) -> Array:
    """The vectors scaled to length 1, so that a product of two is their cosine."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if (lengths == 0).any():
        at = passages[int(np.argmin(lengths))]
        raise CannotAnswer(
            f"{model.name} returned a zero vector, which has no direction, for "
            f"{at.text[at.at[0] : at.at[1]]!r} in {at.text[:60]!r}"
        )
    return np.asarray(vectors / lengths, dtype=np.float64)


def _of_one_shape(draws: Sequence[Draw]) -> list[list[Draw]]:
    """Draws grouped by the sizes of their sets: each group fits into one array."""
    groups: dict[tuple[int, ...], list[Draw]] = {}
    for draw in draws:
        groups.setdefault(tuple(map(len, draw.sets.values())), []).append(draw)
    return list(groups.values())


def _effects(
    draws: Sequence[Draw], rows: dict[Passage, int], vectors: Array, variance: Variance
) -> Effects:
    def stacked(of: Sequence[Contexts]) -> Array:
        places = np.array([[rows[passage] for passage in passages] for passages in of])
        stacked_vectors: Array = vectors[places]  # (draws, words, d)
        return stacked_vectors

    x, a, b = (stacked([getattr(draw, of) for draw in draws]) for of in ("x", "a", "b"))
    if not draws[0].y:
        return leanings_of_draws(x[:, 0], a, b, variance=variance)
    return effects_of_draws(x, stacked([draw.y for draw in draws]), a, b, variance=variance)


def _scores(draws: Sequence[Draw], effects: Effects) -> dict[str, dict[str, float]]:
    rows = zip(draws, effects.effects.tolist(), effects.variances.tolist(), strict=True)
    return {
        draw.id: {} if np.isnan(effect) else {"effect": effect, "variance": variance}
        for draw, effect, variance in rows
    }


RULES: tuple[Rule[Draw], ...] = (
    Rule(
        "word_pieces",
        EmbedsTokens,
        partial(score, pooling="word"),
        summary="A word's vector is the mean of the last hidden layer over its pieces, in its "
        "context. Contexts are sentences of a corpus.",
        source="Guo and Caliskan 2021, doi:10.1145/3461702.3462536",
    ),
    Rule(
        "last_piece",
        EmbedsTokens,
        partial(score, pooling="last_piece"),
        summary="A word's vector is the last hidden layer at its last piece, in its context. "
        "Contexts are sentences of a corpus.",
        source="Guo and Caliskan 2021, doi:10.1145/3461702.3462536",
    ),
)
