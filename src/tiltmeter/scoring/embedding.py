"""Rules for association tests: a target's score is its association with attributes A less that with B.

One rule per pooling, since differently pooled vectors are different measurements of a model. All vectors
are requested at once, each text once, however many tests contain it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from tiltmeter.core.items import Target, WordSets
from tiltmeter.core.protocols import Embeds, EmbedsPooled, EmbedsStart, EmbedsTexts, EmbedsTokens
from tiltmeter.core.requests import Passage
from tiltmeter.core.results import Record
from tiltmeter.core.study import Context, Quirk, Rule
from tiltmeter.core.types import Array
from tiltmeter.metrics.association import associations
from tiltmeter.scoring.keywords import Places, places_in
from tiltmeter.scoring.missing_vectors import Asked, Kept, settled, without_vector
from tiltmeter.scoring.rule_words import RULE_WORDS

LOWERCASE = Quirk("lowercase", "Texts are lower-cased before they are embedded.")
WHOLE: tuple[int, int] = (0, 0)


def score(
    model: Embeds,
    targets: Sequence[Target],
    context: Context,
    *,
    pooling: str,
    in_place: bool = False,
) -> list[Record]:
    """One record per target: its association with A less that with B, s(w, A, B).

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
            {"association": scores[target.id]},
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
) -> dict[str, float]:
    """By target, s(w, A, B)."""
    scores: dict[str, float] = {}
    for name, (a, b) in kept.attributes.items():
        mine = [target for target in kept.targets if target.test.name == name]
        if not mine:
            continue
        of: Callable[[Sequence[str]], Array] = partial(_stacked, asked[name], vectors)
        s = associations(of([t.text for t in mine]), of(a), of(b))  # (targets,)
        scores |= dict(zip((t.id for t in mine), s.tolist(), strict=True))
    return scores


def _stacked(asked: Asked, vectors: Mapping[Passage, Array], texts: Sequence[str]) -> Array:
    rows = [vectors[passage] for text in texts if (passage := asked[text]) is not None]
    return np.stack(rows)  # (texts, d)


def _rule(name: str, needs: type, pooling: str, *, in_place: bool = False) -> Rule[Target]:
    ask = partial(score, pooling=pooling, in_place=in_place)
    return Rule(name, needs, ask, at_once=True, **RULE_WORDS["embedding"][name])


RULES: tuple[Rule[Target], ...] = (
    _rule("sentence_vector", EmbedsTexts, "own"),
    _rule("start_token", EmbedsStart, "start"),
    _rule("last_token", EmbedsTokens, "last"),
    _rule("mean_pool", EmbedsTokens, "mean"),
    _rule("word_pieces", EmbedsTokens, "word", in_place=True),
    _rule("first_piece", EmbedsTokens, "first_piece", in_place=True),
    _rule("pooler", EmbedsPooled, "pooler"),
    _rule("bare_first_piece", EmbedsTokens, "bare_first_piece"),
)
