"""Rules for association tests: a target's score is its association with attributes A less that with B.

One rule per pooling, since differently pooled vectors are different measurements of a model. All vectors
are requested at once, each text once, however many tests contain it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from tiltmeter.core.conventions import Quirk
from tiltmeter.core.data.items import Target, WordSets
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
from tiltmeter.metrics.association import associations
from tiltmeter.scoring.keywords import Places, places_in
from tiltmeter.scoring.missing_vectors import Asked, Kept, settled, without_vector

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
    """s(w, A, B) by the target's id."""
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
