import pytest

from tiltmeter.core.data.items import Pair
from tiltmeter.core.errors import BadItems
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import likelihood, pseudo

RULES = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}
MASKED = fake.load("masked")
CAUSAL = fake.load("causal")
PAIR = Pair("a", "the grandmother was slow today", "the granddaughter was slow today")


def score(name, pairs=(PAIR,), context=None, model=None):
    rule = RULES[name]
    asked = model or (CAUSAL if rule in likelihood.RULES else MASKED)
    return rule.score(asked, list(pairs), context or Context())


@pytest.mark.parametrize(
    ("name", "pair", "why"),
    [
        ("pll_shared", Pair("x", "he was", "clerk rude"), "share no token"),
        ("log_likelihood_shared", Pair("x", "he was", "clerk rude"), "share no token"),
        ("pll_joint", Pair("x", "he was", "clerk rude"), "share no token"),
        ("pll_differing", Pair("x", "he was", "he was rude"), "no token that the other lacks"),
        (
            "pll_all",
            Pair("x", "word " * 600, "he was"),
            "602 tokens exceed the model's limit of 512",
        ),
        ("log_likelihood", Pair("x", "word " * 600, "he was"), "600 tokens exceed"),
    ],
)
def test_what_has_no_score_is_refused_with_its_reason(name, pair, why):
    with pytest.raises(BadItems, match=why) as caught:
        score(name, [PAIR, pair])
    assert "--skip-invalid" in str(caught.value)
    context = Context(skip_invalid=True)
    (record,) = score(name, [PAIR, pair], context)
    assert record.item == "a"
    assert [p.item for p in context.problems] == ["x"]
