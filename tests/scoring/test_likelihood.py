"""Every rule against the chain rule written out, on a model that anyone can ask."""

import numpy as np
import pytest

from tiltmeter.core.conventions import Convention
from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.requests import Continuation
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import likelihood
from tiltmeter.scoring.likelihood import LONE_FIRST_TOKEN

RULES = {rule.name: rule for rule in likelihood.RULES}
CAUSAL = fake.load("causal")
PAIR = Pair("a", "the grandmother was slow today", "the granddaughter was slow today")
# tokens: as those of masked models in test_pseudo, without CLS and SEP


def score(name, context=None):
    return RULES[name].score(CAUSAL, [PAIR], context or Context())


def test_log_likelihood_is_the_chain_rule():
    (record,) = score("log_likelihood")
    ids = CAUSAL.encode([PAIR.more])[0].ids
    steps = [
        CAUSAL.continuation_logprobs([Continuation(ids[:i], ids[i : i + 1])])[0][0]
        for i in range(len(ids))
    ]
    assert record.scores["more"] == pytest.approx(sum(steps))
    (per_token,) = score("log_likelihood_per_token")
    assert per_token.scores["more"] == pytest.approx(np.mean(steps))
    (shared,) = score("log_likelihood_shared")
    assert shared.scores["more"] == pytest.approx(sum(steps[i] for i in (0, 3, 4, 5)))
    assert shared.scores["tokens_more"] == shared.scores["tokens_less"] == 4


def test_a_lone_first_token_is_out_of_sight_for_the_rest():
    context = Context(Convention("m", "", "", quirks=(LONE_FIRST_TOKEN,)))
    (record,) = score("log_likelihood_per_token", context=context)
    ids = CAUSAL.encode([PAIR.more])[0].ids
    first = CAUSAL.continuation_logprobs([Continuation((), ids[:1])])[0]
    rest = CAUSAL.continuation_logprobs([Continuation(ids[:1], ids[1:], start=False)])[0]
    assert record.scores["more"] == pytest.approx(np.mean([*first, *rest]))
    (usual,) = score("log_likelihood_per_token")
    assert record.scores["more"] != usual.scores["more"]
