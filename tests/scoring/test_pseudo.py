"""Every rule against obvious code written again from its definition, on a model that anyone can ask."""

import numpy as np
import pytest

from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.requests import Blanked
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import pseudo
from tiltmeter.scoring.token_scores import differing_positions, shared_positions

RULES = {rule.name: rule for rule in pseudo.RULES}
MASKED = fake.load("masked")
PAIR = Pair("a", "the grandmother was slow today", "the granddaughter was slow today")
# tokens:        CLS the grandm other was slow today SEP / CLS the grandd aughte r was slow today SEP


def score(name, pairs=(PAIR,), context=None, model=MASKED):
    return RULES[name].score(model, list(pairs), context or Context())


def hidden_one(tokens, hidden, read):
    return float(MASKED.blank_logprobs([Blanked(tokens.ids, hidden, (read,))])[0][0])


def test_pieces_are_as_the_comments_say():
    more, less = MASKED.encode([PAIR.more, PAIR.less])
    assert [len(more.ids), len(less.ids)] == [8, 9]
    assert more.words == (-1, 0, 1, 1, 2, 3, 4, -1)
    assert shared_positions(more, less) == ([1, 4, 5, 6], [1, 5, 6, 7])
    assert differing_positions(more, less) == ([2, 3], [2, 3, 4])


@pytest.mark.parametrize(
    ("name", "more", "less"),
    [
        ("pll_shared", (1, 4, 5, 6), (1, 5, 6, 7)),
        ("pll_all", (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7)),
    ],
)
def test_sums_of_one_hidden_token(name, more, less):
    (record,) = score(name)
    tokens = MASKED.encode([PAIR.more, PAIR.less])
    assert record.scores["more"] == pytest.approx(sum(hidden_one(tokens[0], (i,), i) for i in more))
    assert record.scores["less"] == pytest.approx(sum(hidden_one(tokens[1], (i,), i) for i in less))
    assert record.scores["tokens_more"] == len(more)
    assert record.scores["tokens_less"] == len(less)


def test_word_l2r_hides_the_later_pieces_of_the_word():
    (record,) = score("pll_word_l2r")
    tokens = MASKED.encode([PAIR.less])[0]
    masks = [((1,), 1), ((2, 3, 4), 2), ((3, 4), 3), ((4,), 4), ((5,), 5), ((6,), 6), ((7,), 7)]
    assert record.scores["less"] == pytest.approx(sum(hidden_one(tokens, h, i) for h, i in masks))


def test_joint_hides_all_shared_tokens_at_once():
    (record,) = score("pll_joint")
    tokens = MASKED.encode([PAIR.more])[0]
    by_hand = sum(hidden_one(tokens, (1, 4, 5, 6), i) for i in (1, 4, 5, 6))
    assert record.scores["more"] == pytest.approx(by_hand)


def test_differing_is_the_mean_over_what_differs():
    (record,) = score("pll_differing")
    tokens = MASKED.encode([PAIR.more, PAIR.less])
    assert record.scores["more"] == pytest.approx(
        np.mean([hidden_one(tokens[0], (i,), i) for i in (2, 3)])
    )
    assert record.scores["less"] == pytest.approx(
        np.mean([hidden_one(tokens[1], (i,), i) for i in (2, 3, 4)])
    )


def test_aul_hides_nothing_and_aula_weighs_by_attention():
    (aul,), (aula,) = score("aul"), score("aula")
    tokens = MASKED.encode([PAIR.more])[0]
    values = [hidden_one(tokens, (), i) for i in range(1, 7)]
    assert aul.scores["more"] == pytest.approx(np.mean(values))
    assert aula.scores["more"] == pytest.approx(np.mean([v / 8 for v in values]))  # 8 tokens seen


def asked_of(name, pair, settings=None):
    """The requests about both sentences of a pair, and its record."""
    heard = []

    class Listening(fake.FakeMasked):
        __slots__ = ()

        def blank_logprobs(self, requests):
            heard.extend(requests)
            return super().blank_logprobs(requests)

    context = Context(settings=settings or {})
    (record,) = score(name, [pair], context, Listening("fake:masked", framed=True))
    half = len(heard) // 2
    return heard[:half], heard[half:], record


WORDS = " ".join(f"w{i}" for i in range(20))


def test_random15_hides_words_that_differ():
    pair = Pair("r", f"{WORDS} old".replace("w", "u"), f"{WORDS} old".replace("w", "v"))
    of_more, of_less, first = asked_of("pll_random15", pair)
    assert len(of_more) == len(of_less) == int(pseudo.DRAWS.default)
    assert {len(r.hidden) for r in of_more} == {3}  # 15 % of the 20 that differ
    assert all(r.read == r.hidden for r in of_more)
    assert len({r.hidden for r in of_more}) > 20  # drawn anew each time
    assert 21 not in {i for r in of_more for i in r.hidden}  # the word that both have
    (again,) = score("pll_random15", [pair])
    (other,) = score("pll_random15", [pair], Context(seed=1))
    assert first == again
    assert first != other
    by_hand = np.concatenate([MASKED.blank_logprobs([request])[0] for request in of_more])
    assert first.scores["more"] == pytest.approx(by_hand.mean())


def test_random15_is_the_rule_for_all_that_differs_in_the_limit():
    """A single token is drawn of the few that differ, each as often as any other."""
    (few,), (many,), (all_,) = (
        score("pll_random15", context=Context(settings={"draws": "1"})),
        score("pll_random15", context=Context(settings={"draws": "4000"})),
        score("pll_differing"),
    )
    assert many.scores["more"] == pytest.approx(all_.scores["more"], abs=0.1)
    assert few.scores["tokens_more"] == 1
    one = Pair("o", "the man was slow", "the girl was slow")
    (drawn,), (alone,) = (score(name, [one]) for name in ("pll_random15", "pll_differing"))
    assert drawn.scores["less"] == pytest.approx(alone.scores["less"])


def test_random15_of_shared_tokens_hides_the_same_words_of_both_sentences():
    pair = Pair("r", f"old {WORDS}", f"young {WORDS}")
    of_more, of_less, _ = asked_of("pll_random15", pair, {"masked": pseudo.UNMODIFIED})
    assert [r.hidden for r in of_more] == [r.hidden for r in of_less]
    assert {len(r.hidden) for r in of_more} == {3}
    assert 1 not in {i for r in of_more for i in r.hidden}  # the word that differs


def test_random15_is_the_same_with_the_sides_swapped():
    turned = Pair("a", PAIR.less, PAIR.more)
    for settings in ({}, {"masked": pseudo.UNMODIFIED}):
        (record,), (swapped,) = (
            score("pll_random15", [pair], Context(settings=settings)) for pair in (PAIR, turned)
        )
        assert record.scores["more"] == swapped.scores["less"]
