"""What each token adds: the parts make up the whole, under every rule for sentences."""

from dataclasses import replace

import pytest

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import Pair, Sentence
from tiltmeter.core.model.requests import Blanked, Tokens
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import likelihood, pseudo, sentences
from tiltmeter.scoring.pairs import MORE_FIRST
from tiltmeter.scoring.token_scores import token_scores

MASKED, CAUSAL = fake.load("masked"), fake.load("causal")
PAIR = Pair("1", "the grandmother was slow today", "the grandfather was slow today")
RULES = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}
SUMS = {
    "pll_shared",
    "pll_all",
    "pll_word_l2r",
    "pll_joint",
    "log_likelihood",
    "log_likelihood_shared",
}


def scored(name, pair=PAIR, **context):
    model = CAUSAL if name.startswith("log") else MASKED
    (record,) = RULES[name].score(model, [pair], Context(per_token=True, **context))
    return record


@pytest.mark.parametrize("name", sorted(set(RULES) - {"pll_random15"}))
def test_the_tokens_make_up_the_score(name):
    record = scored(name)
    for side in ("more", "less"):
        values = [t.logprob for t in record.tokens[side] if t.logprob is not None]
        whole = sum(values) if name in SUMS else sum(values) / len(values)
        assert whole == pytest.approx(record.scores[side])
        assert len(values) == record.scores[f"tokens_{side}"]
        assert "".join(t.text for t in record.tokens[side]) == record.texts[side].replace(" ", "")


def test_tokens_that_differ_are_not_scored_by_a_rule_about_shared_ones():
    for name in ("pll_shared", "log_likelihood_shared"):
        record = scored(name)
        unscored = [t.text for t in record.tokens["more"] if t.logprob is None]
        assert unscored == ["grandm", "other"]
    differing = scored("pll_differing").tokens["less"]
    assert [t.text for t in differing if t.logprob is not None] == ["grandf", "ather"]


def test_a_token_that_is_read_several_times_has_its_mean():
    tokens = Tokens((5, 6), (False, False), (), ((0, 1), (2, 3)))
    requests = [Blanked((5, 6), (0,), (0,)), Blanked((5, 6), (0, 1), (0, 1))]
    found = token_scores("a b", tokens, requests, [[-1.0], [-3.0, -4.0]])
    assert [(t.text, t.logprob) for t in found] == [("a", -2.0), ("b", -4.0)]


def test_a_token_whose_characters_are_not_known_has_its_number():
    tokens = Tokens((5, 6), (True, False))
    (found,) = token_scores("ab", tokens, [Blanked((5, 6), (1,), (1,))], [[-1.0]])
    assert (found.text, found.id, found.logprob) == ("#6", 6, -1.0)


def test_the_sides_are_not_mixed_up_where_the_second_sentence_is_asked_first():
    turned = Pair("1", PAIR.more, PAIR.less, {"direction": "antistereo"})
    assert turned.first == turned.less
    for quirks in ((), (MORE_FIRST,)):
        record = scored("aul", turned, convention=replace(PAPER, quirks=quirks))
        assert [t.text for t in record.tokens["more"]][2] == "other"


def test_sentences_by_themselves():
    rules = {rule.name: rule for rule in sentences.RULES}
    (record,) = rules["pll_all"].score(MASKED, [Sentence("s", PAIR.more)], Context(per_token=True))
    of_pair = scored("pll_all").tokens["more"]
    assert record.tokens["logprob"] == of_pair


def test_nothing_is_kept_unless_asked():
    (record,) = RULES["aul"].score(MASKED, [PAIR], Context())
    assert record.tokens is None
