"""CEAT's rules against slow, obvious code, on vectors that are made up."""

import numpy as np
import pytest

from scoring.made_up_vectors import Vectors, cosine, mean, slow_effect, slow_scores
from tiltmeter.core.data.items import WordSets
from tiltmeter.core.errors import BadItems, CannotAnswer
from tiltmeter.core.model.protocols import EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.rules import Context
from tiltmeter.studies.ceat.draws import Draw
from tiltmeter.studies.ceat.rule import RULES


def contexts(*words):
    return tuple(Passage(f"The {word} again.", (4, 4 + len(word))) for word in words)


DRAWS = [
    Draw("t/1", contexts("rose", "lily"), contexts("ant", "moth"), contexts("joy"), contexts("pain"),
         {"test": "t"}),
    Draw("t/2", contexts("iris", "lily"), contexts("ant", "flea"), contexts("joy"), contexts("dust"),
         {"test": "t"}),
    Draw("g|p/1", contexts("rose"), (), contexts("joy", "sun"), contexts("pain", "dust"),
         {"group": "g", "pair": "p"}),
]  # fmt: skip


def in_context(model, draws=DRAWS, **settings):
    rule = next(r for r in RULES if r.name == "word_pieces")
    return rule.score(model, draws, Context(settings=settings))


def test_each_draw_has_weat_s_effect_size():
    model = Vectors(limit=9)
    records = in_context(model)
    assert [r.item for r in records] == ["t/1", "t/2", "g|p/1"]

    def vector(passage):
        return model.vector(passage.text, passage.at, "word")

    for draw, record in zip(DRAWS[:2], records[:2], strict=True):
        sets = WordSets("t", draw.x, draw.y, draw.a, draw.b)
        assert record.scores["effect"] == pytest.approx(slow_effect(sets, vector))
        values = list(slow_scores(sets, vector).values())
        assert record.scores["variance"] == pytest.approx(np.var(values, ddof=1))
    (g,) = map(vector, DRAWS[2].x)
    near, far = ([cosine(g, vector(p)) for p in words] for words in (DRAWS[2].a, DRAWS[2].b))
    expected = (mean(near) - mean(far)) / np.std(near + far, ddof=1)
    assert records[2].scores["effect"] == pytest.approx(expected)
    usual = in_context(model, variance="effect_size")
    effect = usual[0].scores["effect"]
    assert usual[0].scores["variance"] == pytest.approx(1 + effect**2 / 8)


def test_contexts_that_cannot_be_read_are_refused():
    with pytest.raises(BadItems, match=r"t/1.*--set longest"):
        in_context(Vectors(long=("The rose again.",)))
    with pytest.raises(CannotAnswer, match="a zero vector"):
        in_context(Vectors(zero=("The rose again.",)))


def test_rules_in_context_need_tokens():
    assert {r.needs for r in RULES} == {EmbedsTokens}
