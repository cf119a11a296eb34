"""What every model of tokens answers: batches, limits, marks."""

import numpy as np
import pytest

from models.asked import blanks, continuations, same
from support.architectures import CAUSAL, MASKED, SEQ2SEQ, build
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.requests import Blanked, Continuation
from tiltmeter.models.opening.open_model import open_model, resolve


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ])
def test_batch_size_and_order_change_nothing(get, kind):
    answers = {}
    for size in (1, 40, 100_000):
        model = get(kind, batch_tokens=size)
        asked = (blanks(model) if kind in MASKED else continuations(model))[::2]
        ask = model.blank_logprobs if kind in MASKED else model.continuation_logprobs
        answers[size] = ask(asked)
        if size > 1:  # each alone comes in no order
            same(ask(asked[::-1])[::-1], answers[size])
    same(answers[1], answers[100_000])
    same(answers[1], answers[40])


@pytest.mark.parametrize("kind", MASKED)
def test_special_tokens_and_words_are_marked(get, kind):
    (tokens,) = get(kind).encode(["He is a nurse"])
    assert tokens.special[0] and tokens.special[-1]
    assert not any(tokens.special[1:-1])
    assert tokens.words[0] == tokens.words[-1] == -1
    assert tokens.words[1] == 0
    assert len(set(tokens.words)) == 5
    assert get(kind).encode([]) == []


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ])
def test_the_longest_input_fits_and_the_limit_is_honest(get, kind):
    model = get(kind)
    if model.limit is None:
        assert kind in {"t5", "mt5"}
        return
    word = model.encode(["night"])[0].ids
    middle = [i for i in word if i not in {0, 1, 2}][-1:] or list(word[:1])
    if kind in MASKED:
        ids = (word[0], *(middle * (model.limit - 2)), word[-1])
        answer = model.blank_logprobs([Blanked(ids, (5,), (5,))])[0]
    else:
        ids = tuple(middle * model.limit)
        answer = model.continuation_logprobs([Continuation((), ids)])[0]
    assert len(ids) == model.limit
    assert np.isfinite(answer).all()


def test_a_token_beyond_the_model_is_refused(tmp_path):
    from transformers import AutoTokenizer

    folder = build("bert", tmp_path / "bert")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["zebra"])
    tokenizer.save_pretrained(folder)
    model = open_model(resolve(str(folder)))
    with pytest.raises(CannotAnswer, match="do not belong together"):
        model.encode(["a zebra"])
