"""A reply is written behind its prompt, which is read once for all replies to it."""

import numpy as np
import pytest

from support.fake_llama import VOCABULARY, FakeContext, FakeWeights, logits_after
from tiltmeter.models.llama_cpp import streams
from tiltmeter.models.llama_cpp.library import BATCH
from tiltmeter.models.llama_cpp.next_tokens import LlamaNextTokens
from tiltmeter.models.llama_cpp.streams import Scored, Streams

PROMPT = tuple(k % VOCABULARY for k in range(BATCH + 2))


@pytest.fixture
def model(monkeypatch):
    monkeypatch.setattr(streams, "LlamaContext", FakeContext)
    return Streams(FakeWeights(), "m")


def passes(model):
    return len(model.single(len(PROMPT) + 10).passes)


def test_replies_continue_the_prompt(model):
    pytest.importorskip("torch")
    tokens = LlamaNextTokens(model).for_texts_of(len(PROMPT) + 10)
    for reply in ((3, 4, 5), (9,), (3, 4)):
        after = tokens.read([PROMPT])
        np.testing.assert_array_equal(after[0].numpy(), logits_after(PROMPT))
        for n in range(1, len(reply) + 1):
            text = (*PROMPT, *reply[:n])
            np.testing.assert_array_equal(
                tokens.read_on([0], [text])[0].numpy(), logits_after(text)
            )
    assert passes(model) == 2 + 6  # the prompt in two parts, once; then each token


def test_the_prompt_is_read_again_after_something_else_was(model):
    pytest.importorskip("torch")
    tokens = LlamaNextTokens(model).for_texts_of(300)
    tokens.read([(1, 2, 3)])
    model.logprobs([Scored((7, 8), 0, (8, 9))])
    np.testing.assert_array_equal(tokens.read([(1, 2, 3)])[0].numpy(), logits_after((1, 2, 3)))
    np.testing.assert_array_equal(tokens.read([(4, 2)])[0].numpy(), logits_after((4, 2)))
    with pytest.raises(ValueError, match="one reply"):
        tokens.read_on([0, 0], [(4, 2, 1)])
    with pytest.raises(ValueError, match="one reply"):
        tokens.read_on([1], [(4, 2, 1)])
