"""What holds for every rule about triples: shared contexts, spaces, and what has no score."""

import pytest

from scoring.plain_models import BETWEEN, RULE, WITHIN, Both
from support.architectures import build
from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import BadItems
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.stereoset import STUDY


@pytest.fixture(scope="module", params=["bert", "roberta"])
def masked(request, tmp_path_factory):
    return Both(build(request.param, tmp_path_factory.mktemp(request.param)))


def test_equal_contexts_share_a_forward_pass(masked):
    """Three candidates of one piece: one row. The answer is that of three rows."""
    seen = []
    inputs = masked.ours._rows

    def counted(requests):
        seen.append(len(requests))
        return inputs(requests)

    masked.ours._rows = counted
    try:
        records = masked.score("blank_logprob", WITHIN[:1])
    finally:
        masked.ours._rows = inputs
    pieces = sum(records[0].scores[f"tokens_{side}"]
                 for side in ("stereotype", "anti_stereotype", "unrelated"))  # fmt: skip
    assert sum(seen) == pieces - 2


@pytest.mark.parametrize("kind", ["albert", "xlmr", "llama"])
def test_a_space_of_its_own_is_the_candidate_s(kind, tmp_path):
    """SentencePiece cuts the space off words it does not know: the context stays the same."""
    both = Both(build(kind, tmp_path / kind))
    triple = Triple("m", "intersentence", "He is a nurse.",
                    ("She was rude.", "qux zyx.", "Xylo was late."), "nurse", "job")  # fmt: skip
    spans = [
        [
            both.tokenizer.convert_ids_to_tokens(t.ids[i])
            for i, (a, b) in enumerate(t.spans)
            if b - a == 1
        ]
        for t in both.ours.encode(triple.filled)
    ]
    assert "▁" not in spans[0] and "▁" in spans[1]  # as the case is meant
    rule = "likelihood_ratio" if kind == "llama" else "pll_context_given_attribute"
    (record,) = both.score(rule, [triple])
    if kind == "llama":
        for side, text in zip(("stereotype", "anti_stereotype"), triple.filled, strict=False):
            context = len(both.ids("He is a nurse.", special=False))
            whole = len(both.ids(text, special=False))
            assert record.scores[f"tokens_{side}"] == whole - context
    else:
        counts = {
            record.scores[f"tokens_{s}"] for s in ("stereotype", "anti_stereotype", "unrelated")
        }
        assert len(counts) == 1


def test_too_long_texts_are_named():
    long = Triple("long", "intrasentence", "BLANK " * 600,
                  ("a", "b", "c"), "t", "d", ("a", "b", "c"))  # fmt: skip
    pair = Triple("pair", "intersentence", "word " * 600, ("a", "b", "c"), "t", "d")
    model = fake.load("")
    for rule, item in (
        ("blank_logprob", long),
        ("sentence_logprob", long),
        ("next_sentence", pair),
    ):
        with pytest.raises(BadItems, match=f"cluster '{item.id}'.*exceed the model's limit of 512"):
            RULE[rule].score(model, [item], Context())
        context = Context(skip_invalid=True)
        assert RULE[rule].score(model, [item], context) == []
        assert len(context.problems) == 1


def test_problems_of_all_tasks_are_told_before_anything_is_asked():
    """Whatever the order of the rules, and with no question spent."""
    long = Triple("long", "intrasentence", "BLANK " * 600,
                  ("a", "b", "c"), "t", "d", ("a", "b", "c"))  # fmt: skip
    pair = Triple("pair", "intersentence", "word " * 600, ("a", "b", "c"), "t", "d")

    asked = []

    class Counting(fake.Fake):
        def blank_logprobs(self, requests):
            asked.append(len(requests))
            return super().blank_logprobs(requests)

    model = Counting("counting", framed=True)
    chosen = choose(STUDY, fake.ANSWERS, model="fake")
    assert chosen.rule.name == "blank_logprob+next_sentence"
    with pytest.raises(BadItems) as found:
        chosen.rule.score(model, [*WITHIN, long, pair], Context())
    assert [p.item for p in found.value.problems] == ["pair", "long"]
    with pytest.raises(BadItems, match="cluster 'pair'"):
        chosen.rule.score(model, [*WITHIN, pair], Context())
    assert asked == []
    context = Context(skip_invalid=True)
    records = chosen.rule.score(model, [*WITHIN, long, pair, *BETWEEN], context)
    assert [r.item for r in records] == ["a", "b", "c", "d", "e", "f"]
    assert [p.item for p in context.problems] == ["long", "pair"]


def test_two_rules_for_one_task_are_refused():
    from tiltmeter.core.errors import BadInput

    with pytest.raises(BadInput, match="score the same items"):
        choose(STUDY, fake.ANSWERS, model="fake", rule="blank_logprob+pll_context")
    chosen = choose(STUDY, fake.ANSWERS, model="fake", rule="pll_context+likelihood_ratio")
    assert chosen.rule.name == "pll_context+likelihood_ratio"
    published = choose(STUDY, fake.ANSWERS, model="fake", convention="stereoset2020")
    assert published.rule.name == "sentence_logprob+next_sentence"
