"""What the rules ask, and what they make of the answers."""

from dataclasses import dataclass, replace
from math import log

import numpy as np
import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.core.model.requests import Blanked, Continuation, Tokens
from tiltmeter.core.rules import Context
from tiltmeter.models.fake import FakeCausal, FakeMasked
from tiltmeter.studies.gest.rule import RULES, UNEVEN, record, scale_of
from tiltmeter.studies.gest.sentences import SPEAKER_LAST, load, sample

MASKED, CAUSAL = RULES
NAMES = ("[", "]", "he", "she", "the", "man", "wo", '"I', 'led.",', "said.")
NUMBER = {word: number for number, word in enumerate(NAMES)}


@dataclass
class Spelt:
    """A model whose tokens are the words of a text; "woman" has two, "wo" and "man"."""

    probabilities: dict
    asked: list

    limit = None
    unknown = None

    def encode(self, texts):
        split = [["[", *text.replace("woman", "wo man").split(), "]"] for text in texts]
        return [
            Tokens(tuple(NUMBER[word] for word in words), tuple(word in "[]" for word in words))
            for words in split
        ]

    def blank_logprobs(self, requests):
        self.asked += requests
        return [np.log([self.probabilities[NAMES[r.ids[at]]] for at in r.read]) for r in requests]

    def continuation_logprobs(self, requests):
        self.asked += requests
        return [np.log([self.probabilities[NAMES[token]] for token in r.ids]) for r in requests]


def item(male, female):
    (one,) = [i for i in sample().items if i.id == "16/3"]
    return replace(one, male=male, female=female)


HE = item('"I led.", he said.', '"I led.", she said.')
MAN = item('"I led.", the man said.', '"I led.", the woman said.')


def test_the_words_that_differ_are_hidden_and_the_score_is_the_log_ratio():
    model = Spelt({"he": 0.5, "she": 0.125}, [])
    (made,) = MASKED.score(model, [HE], Context())
    assert [(r.hidden, r.read) for r in model.asked] == [((3,), (3,)), ((3,), (3,))]
    assert made.scores["masculine"] == pytest.approx(log(4))
    assert made.scores["male"] == pytest.approx(log(0.5)) and made.scores["of_men"] == 1
    assert dict(made.texts) == {"male": HE.male, "female": HE.female}


def test_words_of_several_tokens_are_hidden_together_and_averaged():
    model, context = Spelt({"man": 0.5, "wo": 0.25}, []), Context()
    with pytest.raises(BadItems, match="no token that the other lacks"):
        MASKED.score(model, [MAN], context)  # "man" is in both: only "wo" is the woman's
    context = Context()
    model = Spelt({"he": 0.5, "wo": 0.25, "man": 0.04}, [])
    (made,) = MASKED.score(model, [item('"I led.", he said.', '"I led.", woman said.')], context)
    assert model.asked[1] == Blanked(model.asked[1].ids, (3, 4), (3, 4))
    assert made.scores["female"] == pytest.approx(log(0.1))  # the mean of ln .25 and ln .04
    assert [note.text for note in context.notes] == [UNEVEN]


def test_a_causal_model_continues_the_sentence_and_the_rest_is_not_scored():
    model = Spelt({"he": 0.5, "she": 0.125, "wo": 0.25, "man": 0.04}, [])
    (made,) = CAUSAL.score(model, [HE], Context())
    quote = tuple(NUMBER[word] for word in ("[", '"I', 'led.",'))
    assert model.asked == [
        Continuation(quote, (NUMBER["he"],)),
        Continuation(quote, (NUMBER["she"],)),
    ]
    assert made.scores["masculine"] == pytest.approx(log(4))
    (made,) = CAUSAL.score(model, [item('"I led.", he said.', '"I led.", woman said.')], Context())
    assert made.scores["female"] == pytest.approx(log(0.25 * 0.04))  # a product, not a mean


@pytest.mark.parametrize(
    ("rule", "model"), [(MASKED, FakeMasked("fake")), (CAUSAL, FakeCausal("fake"))]
)
def test_exchanging_the_speakers_changes_the_sign(rule, model):
    items = [i for i in sample().items if rule.task in {"", i.task}]
    swapped = [replace(i, male=i.female, female=i.male) for i in items]
    scores = [
        [r.scores["masculine"] for r in rule.score(model, some, Context())]
        for some in (items, swapped)
    ]
    assert scores[0] == pytest.approx([-score for score in scores[1]])
    assert any(scores[0])


def test_logarithms_to_base_10_are_a_change_of_scale_with_a_caution():
    settings = {"logarithm": "10"}
    context = Context(settings=settings)
    items = sample().items[:3]
    (natural, ten) = (
        [r.scores for r in MASKED.score(FakeMasked("fake"), items, c)] for c in (Context(), context)
    )
    for one, other in zip(natural, ten, strict=True):
        assert other["male"] == pytest.approx(one["male"] / log(10))
        assert other["masculine"] == pytest.approx(one["masculine"] / log(10))
        assert (other["of_men"], other["tokens_male"]) == (one["of_men"], one["tokens_male"])
    assert "base 10" in context.notes[0].text
    assert scale_of({}) == 1 and scale_of(settings) == log(10)


def test_a_record_without_the_scores_of_either_side():
    made = record(HE, log(100), {}, scale=log(10))
    assert made.scores == {"masculine": pytest.approx(2), "of_men": 1}


def test_a_causal_model_gets_the_templates_that_end_with_the_speaker():
    assert CAUSAL.task == SPEAKER_LAST
    of_template = {i.groups["template"]: i.task for i in load().items[:4]}
    assert [name for name, task in of_template.items() if task == CAUSAL.task] == ["3", "4"]
