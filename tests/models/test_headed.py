"""A model with a head answers what both answer."""

import numpy as np
import pytest

from models.pairs_of_texts import PAIRS
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.protocols import Attends, Continues, FillsBlanks, JudgesNext
from tiltmeter.core.model.requests import Passage
from tiltmeter.models import causal
from tiltmeter.models.opening.open_model import open_model, resolve


def test_a_headed_model_answers_what_both_do(heads):
    base, head = heads("gpt2").parent / "gpt2", heads("gpt2")
    where = resolve(f"headed:{base},{head}")
    assert where.answers == (*causal.ANSWERS, JudgesNext)
    assert where.name == "headed:gpt2,gpt2-next"
    both = open_model(where)
    assert both.embed([Passage("He was late.")], pooling="last").shape == (1, 32)
    model, judge = open_model(resolve(str(base))), open_model(resolve(str(head)))
    assert isinstance(both, Continues)
    assert isinstance(both, JudgesNext)
    assert not isinstance(both, FillsBlanks)
    from tiltmeter.core.model.requests import Continuation

    asked = [Continuation((), t.ids) for t in model.encode([a for a, _ in PAIRS])]
    for one, other in zip(
        both.continuation_logprobs(asked), model.continuation_logprobs(asked), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(both.next_logprobs(PAIRS), judge.next_logprobs(PAIRS))
    assert both.pair_lengths(PAIRS) == judge.pair_lengths(PAIRS)
    assert (both.limit, both.pair_limit) == (model.limit, judge.pair_limit)
    assert both.name == where.name
    assert both.about["start token"] == model.about["start token"]
    assert both.about["head"] == "gpt2-next"
    assert both.about["head: kind"] == "next_sentence"
    assert 0 <= both.about["head: held-out accuracy"] <= 1


def test_a_heads_own_judgments_stand_before_the_models(heads):
    both = open_model(resolve(f"headed:fake,{heads('bert')}"))
    judge = open_model(resolve(str(heads("bert"))))
    np.testing.assert_array_equal(both.next_logprobs(PAIRS), judge.next_logprobs(PAIRS))
    assert isinstance(both, FillsBlanks)
    assert isinstance(both, Attends)
    assert isinstance(both, Continues)


def test_its_fingerprint_knows_both(heads):
    prints = {
        open_model(resolve(f"headed:{model},{head}")).fingerprint
        for model in ("fake:masked", "fake:level")
        for head in ("fake:next", heads("bert"))
    }
    assert len(prints) == 4


@pytest.mark.parametrize(
    ("reference", "error", "says"),
    [
        ("headed:gpt2", BadInput, "does not name a model and a head; write headed:MODEL,HEAD"),
        ("headed", BadInput, "headed:MODEL,HEAD"),
        ("headed:fake,", BadInput, "headed:MODEL,HEAD"),
        ("headed:,fake", BadInput, "headed:MODEL,HEAD"),
        ("headed:fake,fake:causal", CannotAnswer, "does not judge.*tiltmeter train next-sentence"),
        ("headed:fake,./nowhere", BadInput, "no such folder"),
        ("headed:./nowhere,fake:next", BadInput, "no such folder"),
    ],
)
def test_what_is_no_model_with_a_head_is_refused(reference, error, says):
    with pytest.raises(error, match=says):
        resolve(reference)
