"""Rules for single sentences against obvious code, and against the same rules for pairs."""

import pytest

from tiltmeter.core.data.items import Pair, Sentence
from tiltmeter.core.errors import BadItems
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import likelihood, pseudo
from tiltmeter.scoring.sentences import RULES

BY_NAME = {rule.name: rule for rule in RULES}
OF_PAIRS = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}
MASKED, CAUSAL = fake.load("masked"), fake.load("causal")
TEXTS = ("the grandmother was slow today", "she sang")


def model_of(name):
    return MASKED if name.startswith("pll") else CAUSAL


def score(name, texts=TEXTS, model=None, context=None):
    items = [Sentence(str(i), text, cluster="d") for i, text in enumerate(texts)]
    return BY_NAME[name].score(model or model_of(name), items, context or Context())


def test_each_token_is_hidden_in_turn():
    (record, _) = score("pll_all")
    (tokens,) = MASKED.encode(TEXTS[:1])  # CLS the grandm other was slow today SEP
    requests = [Blanked(tokens.ids, (i,), (i,)) for i in range(1, 7)]
    assert record.scores["logprob"] == pytest.approx(
        sum(float(answer[0]) for answer in MASKED.blank_logprobs(requests))
    )
    assert record.scores["tokens_scored"] == 6
    assert record.scores["raw_bytes"] == len("the grandmother was slow today")
    assert (record.cluster, record.texts) == ("d", {"text": TEXTS[0]})


def test_the_chain_rule():
    (_, record) = score("log_likelihood")
    (tokens,) = CAUSAL.encode(TEXTS[1:])
    (answer,) = CAUSAL.continuation_logprobs([Continuation((), tokens.ids)])
    assert record.scores["logprob"] == pytest.approx(float(answer.sum()))
    assert record.scores["tokens_scored"] == 2


@pytest.mark.parametrize("name", BY_NAME)
def test_a_sentence_scores_as_it_does_in_a_pair(name):
    (pair,) = OF_PAIRS[name].score(model_of(name), [Pair("p", *TEXTS)], Context())
    one, other = score(name)
    assert one.scores["logprob"] == pytest.approx(pair.scores["more"])
    assert other.scores["logprob"] == pytest.approx(pair.scores["less"])
    assert one.scores["tokens_scored"] == pair.scores["tokens_more"]
    assert (BY_NAME[name].summary, BY_NAME[name].source) == (
        OF_PAIRS[name].summary, OF_PAIRS[name].source,
    )  # fmt: skip


def test_bytes_are_those_of_utf8():
    (record,) = score("pll_all", ["ça va 好"])
    assert record.scores["raw_bytes"] == len("ça va 好".encode()) == 10


def test_what_is_too_long_is_told_before_anything_is_asked():
    with pytest.raises(BadItems, match="sentence '1': 602 tokens exceed the model's limit of 512"):
        score("pll_all", ["short one here", "word " * 600])
    context = Context(skip_invalid=True)
    assert [r.item for r in score("pll_all", ["short one", "word " * 600], context=context)] == [
        "0"
    ]
    assert len(context.problems) == 1


class WithUnknown:
    """Takes the token of "she" for what is not in the vocabulary."""

    unknown = MASKED.encode(["she"])[0].ids[1]

    def __getattr__(self, name):
        return getattr(MASKED, name)


def test_tokens_outside_the_vocabulary_are_told_of():
    context = Context()
    score("pll_all", model=WithUnknown(), context=context)
    assert context.notes[0].text.startswith("1 of 8 tokens is not in the model's vocabulary")
