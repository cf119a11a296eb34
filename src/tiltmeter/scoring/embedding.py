"""Rules for association tests: a target's score is its association with attributes A minus that with B.

One rule per pooling, since differently pooled vectors are different measurements of a model. All vectors
are requested at once, each text once, however many tests contain it.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import Target, WordSets
from tiltmeter.core.errors import Undefined
from tiltmeter.core.model.protocols import (
    Embeds,
    EmbedsPooled,
    EmbedsStart,
    EmbedsTexts,
    EmbedsTokens,
)
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.types import Array
from tiltmeter.metrics.association import associations, cosines
from tiltmeter.metrics.word_lists import effects_without_words
from tiltmeter.scoring.keywords import Places, places_in
from tiltmeter.scoring.missing_vectors import Asked, Kept, settled, without_vector

LOWERCASE = Quirk("lowercase", "Texts are lower-cased before they are embedded.")
WHOLE: tuple[int, int] = (0, 0)
TARGETS = ("X", "Y")
"""The sides of targets; items of the other sides are attributes."""


def score(
    model: Embeds,
    targets: Sequence[Target],
    context: Context,
    *,
    pooling: str,
    in_place: bool = False,
) -> list[Record]:
    """One record per target: its association with A minus that with B, s(w, A, B).

    Targets may be of several tests, and `pooling` is as `Embeds.embed` names it. With `in_place` only the
    word that a sentence is about is embedded, in its sentence.
    """
    tests = {target.test.name: target.test for target in targets}
    chosen: dict[str, list[Target]] = {name: [] for name in tests}
    for target in targets:
        chosen[target.test.name].append(target)
    lower = LOWERCASE in context.convention.quirks and pooling == "bare_first_piece"
    asked = {
        name: _asked(tests[name], chosen[name], in_place=in_place, lower=lower) for name in tests
    }
    distinct = list(dict.fromkeys(p for passages in asked.values() for p in passages.values() if p))
    lost = without_vector(model, distinct)
    before = list(context.problems)
    kept = settled(tests, chosen, asked, lost, context, before)
    wanted = list(dict.fromkeys(_passages(kept, asked)))
    vectors = dict(zip(wanted, model.embed(wanted, pooling=pooling), strict=True)) if wanted else {}
    flat = {p: "its vector is 0 and has no direction" for p, v in vectors.items() if not v.any()}
    if flat:
        kept = settled(tests, chosen, asked, lost | flat, context, before)
    context.notes += kept.notes
    scores = _scores(kept, asked, vectors)
    return [
        Record(
            target.id,
            scores[target.id],
            target.groups,
            target.cluster,
            texts={"target": target.text},
        )
        for target in kept.targets
    ]


def _asked(test: WordSets, targets: Sequence[Target], *, in_place: bool, lower: bool) -> Asked:
    texts = list(dict.fromkeys([*(t.text for t in targets), *test.a, *test.b]))
    places: Places = places_in(test) if in_place else {}
    return {
        text: None if (at := places.get(text, WHOLE)) is None
        else Passage(text.lower() if lower else text, at)
        for text in texts
    }  # fmt: skip


def _passages(kept: Kept, asked: Mapping[str, Asked]) -> list[Passage]:
    texts = [(t.test.name, t.text) for t in kept.targets]
    texts += [(name, text) for name, (a, b) in kept.attributes.items() for text in (*a, *b)]
    passages = [asked[name][text] for name, text in texts]
    return [passage for passage in passages if passage is not None]


def _scores(
    kept: Kept, asked: Mapping[str, Asked], vectors: Mapping[Passage, Array]
) -> dict[str, dict[str, float]]:
    """By the item's id s(w, A, B); of a test whose attributes are items, its effect without each word."""
    scores: dict[str, dict[str, float]] = {}
    by_test: dict[str, list[Target]] = {}
    for target in kept.targets:
        by_test.setdefault(target.test.name, []).append(target)
    for name, items in by_test.items():
        (a, b), of = kept.attributes[name], partial(_stacked, asked[name], vectors)
        mine = [item for item in items if item.side in TARGETS]
        if not mine:
            scores |= {item.id: {} for item in items}
            continue
        w = of([t.text for t in mine])
        s = associations(w, of(a), of(b))  # (targets,)
        of_target = zip(mine, s.tolist(), strict=True)
        scores |= {target.id: {"association": value} for target, value in of_target}
        if len(mine) < len(items):
            _add_effects_without(scores, items, (w, of(a), of(b)), (a, b))
    return scores


def _add_effects_without(
    scores: dict[str, dict[str, float]],
    items: Sequence[Target],
    vectors: tuple[Array, Array, Array],
    attributes: tuple[Sequence[str], Sequence[str]],
) -> None:
    """Add the effect size of the test, and that without the word of each item, to the items' scores."""
    words = {(item.side, item.text): item.cluster or item.text for item in items}
    mine = [item for item in items if item.side in TARGETS]
    texts = [[(t.side, t.text) for t in mine], *([(side, x) for x in some] for side, some in
             zip(("A", "B"), attributes, strict=True))]  # fmt: skip
    named = [np.array([words[place] for place in places]) for places in texts]
    side = np.array([target.side for target in mine])
    try:
        effect, without = effects_without_words(
            cosines(*vectors), side, (named[0], named[1], named[2])
        )
    except Undefined:
        scores |= {item.id: scores.get(item.id, {}) for item in items}
        return
    values = {
        place: float(value)
        for places, of_set in zip(texts, without, strict=True)
        for place, value in zip(places, of_set, strict=True)
    }
    for item in items:
        own = {"effect": effect, "effect_without": values[item.side, item.text]}
        known = {name: value for name, value in own.items() if np.isfinite(value)}
        scores[item.id] = {**scores.get(item.id, {}), **known}


def _stacked(asked: Asked, vectors: Mapping[Passage, Array], texts: Sequence[str]) -> Array:
    rows = [vectors[passage] for text in texts if (passage := asked[text]) is not None]
    return np.stack(rows)  # (texts, d)


def _rule(
    name: str, needs: type, pooling: str, *, in_place: bool = False, summary: str, source: str
) -> Rule[Target]:
    ask = partial(score, pooling=pooling, in_place=in_place)
    return Rule(name, needs, ask, summary, source, at_once=True)


RULES: tuple[Rule[Target], ...] = (
    _rule(
        "sentence_vector",
        EmbedsTexts,
        "own",
        summary="A text's vector is the model's own: that of a sentence encoder, or the mean of "
        "its words' vectors.",
        source="Caliskan et al. 2017, doi:10.1126/science.aal4230, of word vectors; May et al. "
        "2019, doi:10.18653/v1/N19-1063, of sentence encoders",
    ),
    _rule(
        "start_token",
        EmbedsStart,
        "start",
        summary="A text's vector is the last hidden layer at the special token before it, such as "
        "[CLS].",
        source="May et al. 2019, doi:10.18653/v1/N19-1063",
    ),
    _rule(
        "last_token",
        EmbedsTokens,
        "last",
        summary="A text's vector is the last hidden layer at its last token that is not special.",
        source="May et al. 2019, doi:10.18653/v1/N19-1063",
    ),
    _rule(
        "mean_pool",
        EmbedsTokens,
        "mean",
        summary="A text's vector is the mean of the last hidden layer over all its tokens, "
        "including special ones.",
        source="Meade et al. 2022, doi:10.18653/v1/2022.acl-long.132",
    ),
    _rule(
        "word_pieces",
        EmbedsTokens,
        "word",
        in_place=True,
        summary="A word's vector is the mean of the last hidden layer over its pieces, in its "
        "context. In a sentence, the word is the one rarest in its test that the opposite set does "
        "not contain.",
        source="Guo and Caliskan 2021, doi:10.1145/3461702.3462536",
    ),
    _rule(
        "first_piece",
        EmbedsTokens,
        "first_piece",
        in_place=True,
        summary="A word's vector is the last hidden layer at its first piece, in its context. In a "
        "sentence, the word is the one rarest in its test that the opposite set does not contain.",
        source="Kurita et al. 2019, doi:10.18653/v1/W19-3823",
    ),
    _rule(
        "pooler",
        EmbedsPooled,
        "pooler",
        summary="A text's vector is the output of the model's own pooler for the special token "
        "before it.",
        source="Liang et al. 2020, doi:10.18653/v1/2020.acl-main.488",
    ),
    _rule(
        "bare_first_piece",
        EmbedsTokens,
        "bare_first_piece",
        summary="A text's vector is the last hidden layer at its first token when it is read "
        "without special tokens, as published code computes it for BERT.",
        source="May et al. 2019, doi:10.18653/v1/N19-1063",
    ),
)
