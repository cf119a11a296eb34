"""What holds for every rule about pairs: mirrored pairs, order, ties, alignment and letter case."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.conventions import Convention
from tiltmeter.core.data.items import Pair
from tiltmeter.core.model.requests import Tokens
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring import likelihood, pseudo
from tiltmeter.scoring.pairs import LOWERCASE_IF_UNCASED, MORE_FIRST
from tiltmeter.scoring.token_scores import shared_positions

RULES = {rule.name: rule for rule in (*pseudo.RULES, *likelihood.RULES)}
MASKED = fake.load("masked")
CAUSAL = fake.load("causal")
PAIR = Pair("a", "the grandmother was slow today", "the granddaughter was slow today")
# tokens:        CLS the grandm other was slow today SEP / CLS the grandd aughte r was slow today SEP


def score(name, pairs=(PAIR,), context=None, model=None):
    rule = RULES[name]
    asked = model or (CAUSAL if rule in likelihood.RULES else MASKED)
    return rule.score(asked, list(pairs), context or Context())


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
