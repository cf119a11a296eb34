"""Every rule against obvious code written again from its definition, on a model that anyone can ask."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.conventions import Convention
from tiltmeter.core.errors import BadItems
from tiltmeter.core.items import Pair
from tiltmeter.core.requests import Blanked, Continuation, Tokens
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import likelihood, pseudo
from tiltmeter.scoring.likelihood import LONE_FIRST_TOKEN
from tiltmeter.scoring.pairs import LOWERCASE_IF_UNCASED, MORE_FIRST
from tiltmeter.scoring.token_scores import differing_positions, shared_positions

RULES = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}
MASKED = fake.load("masked")
CAUSAL = fake.load("causal")
PAIR = Pair("a", "the grandmother was slow today", "the granddaughter was slow today")
# tokens:        CLS the grandm other was slow today SEP / CLS the grandd aughte r was slow today SEP


def score(name, pairs=(PAIR,), context=None, model=None):
    rule = RULES[name]
    asked = model or (CAUSAL if rule in likelihood.RULES else MASKED)
    return rule.score(asked, list(pairs), context or Context())


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


def test_random15_hides_the_same_words_of_both_sentences():
    words = " ".join(f"w{i}" for i in range(20))
    pair = Pair("r", f"old {words}", f"young {words}")
    asked = []

    class Listening(fake.FakeMasked):
        __slots__ = ()

        def blank_logprobs(self, requests):
            asked.extend(requests)
            return super().blank_logprobs(requests)

    model = Listening("fake:masked", framed=True)
    (first,) = score("pll_random15", [pair], model=model)
    half = len(asked) // 2
    assert half == pseudo.ITERATIONS
    assert [r.hidden for r in asked[:half]] == [r.hidden for r in asked[half:]]
    assert {len(r.hidden) for r in asked} == {3}  # 15 % of 20 shared tokens
    assert len({r.hidden for r in asked}) > 20  # drawn anew each time
    assert 1 not in {i for r in asked for i in r.hidden}  # the word that differs is never hidden
    (again,) = score("pll_random15", [pair])
    (other,) = score("pll_random15", [pair], Context(seed=1))
    assert first == again
    assert first != other


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


@pytest.mark.parametrize("name", RULES)
def test_swapping_the_sentences_swaps_the_scores(name):
    swapped = Pair("a", PAIR.less, PAIR.more)
    (record,), (mirrored,) = score(name), score(name, [swapped])
    assert record.scores["more"] == pytest.approx(mirrored.scores["less"])
    assert record.scores["less"] == pytest.approx(mirrored.scores["more"])


@pytest.mark.parametrize("name", RULES)
def test_the_order_of_items_changes_nothing(name):
    pairs = [
        PAIR,
        Pair("b", "he is a nurse", "she is a nurse"),
        Pair("c", "an old car", "a new car"),
    ]
    expected = {r.item: r for r in score(name, pairs)}
    for order in itertools.permutations(pairs):
        assert {r.item: r for r in score(name, order)} == expected


@pytest.mark.parametrize("name", RULES)
def test_level_model_ties_on_equally_long_sentences(name):
    (record,) = score(
        name, [Pair("a", "he is a nurse", "she is a nurse")], model=fake.load("level")
    )
    assert record.scores["more"] == record.scores["less"]


def test_alignment_starts_from_the_disadvantaged_group():
    """SequenceMatcher is not symmetric; antistereo pairs have their first sentence in `less`."""
    more, less = "men and women hate women", "women and men hate men"
    orders = []
    for direction, convention in (("stereo", None), ("antistereo", None), ("antistereo", True)):
        asked = []

        class Listening(fake.FakeMasked):
            __slots__ = ()

            def encode(self, texts):
                asked.extend(texts)  # noqa: B023 each class lives for one turn of the loop
                return super().encode(texts)

        pair = Pair("a", more, less, {"direction": direction})
        context = Context(Convention("c", "", "", quirks=(MORE_FIRST,) if convention else ()))
        score("pll_shared", [pair], context, Listening("m", framed=True))
        orders.append(asked)
    assert orders == [[more, less], [less, more], [more, less]]


def test_lower_case_only_for_uncased_models():
    class Shouting(fake.FakeMasked):
        __slots__ = ()

        def encode(self, texts):
            seen.extend(texts)
            return super().encode(texts)

    context = Context(Convention("c", "", "", quirks=(LOWERCASE_IF_UNCASED,)))
    for cased, expected in ((True, "He IS"), (False, "he is")):
        seen: list[str] = []
        score(
            "pll_all",
            [Pair("a", "He IS", "She IS")],
            context,
            Shouting("m", framed=True, cased=cased),
        )
        assert seen[0] == expected


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


words = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=9)


@settings(max_examples=60)
@given(words, words)
def test_shared_positions_are_a_common_subsequence(first, second):
    a = Tokens(tuple(map(ord, first)), (False,) * len(first))
    b = Tokens(tuple(map(ord, second)), (False,) * len(second))
    in_a, in_b = shared_positions(a, b)
    assert [a.ids[i] for i in in_a] == [b.ids[j] for j in in_b]
    assert in_a == sorted(set(in_a))
    assert in_b == sorted(set(in_b))
