"""Local models write what one text at a time, without cache or padding, writes."""

import numpy as np
import pytest
import torch

from models.writing.examples import PROMPTS, requests, slow_reply
from support.architectures import CAUSAL, opened
from tiltmeter.core.model.conversations import Writing


@pytest.mark.parametrize("kind", CAUSAL)
def test_replies_are_those_of_obvious_code(kind):
    model = opened(kind)
    asked = requests()
    replies = model.write(asked)
    assert [r.text for r in replies] == [slow_reply(model, r) for r in asked]
    assert all(r.tokens_out <= one.max_tokens for r, one in zip(replies, asked, strict=True))
    assert [r.tokens_in for r in replies] == model.prompt_lengths([r.prompt for r in asked])
    assert model.about["keys and values kept"] is True


@pytest.mark.parametrize("kind", CAUSAL)
def test_a_reply_does_not_depend_on_what_is_asked_with_it(kind):
    model = opened(kind)
    asked = requests()
    together = model.write(asked)
    assert model.write(asked[::-1])[::-1] == together
    assert [model.write([one])[0] for one in asked] == together


def test_draws_follow_the_distribution():
    model = opened("gpt2")
    ids = model._writer.reader.tokens([PROMPTS[1]])[0]
    with torch.no_grad():
        logits = model._loaded.model(input_ids=torch.tensor([ids])).logits[0, -1]
    chances = (logits.double() / 0.7).softmax(-1).numpy()
    asked = [Writing(PROMPTS[1], 1, temperature=0.7, repeat=k) for k in range(4000)]
    texts = [r.text for r in model.write(asked)]
    likely = np.argsort(chances)[-5:]
    for token in likely:
        said = model._loaded.tokenizer.decode([int(token)], skip_special_tokens=True)
        same = [t for t, c in enumerate(chances) if model._loaded.tokenizer.decode([t]) == said]
        expected = 4000 * chances[same].sum()
        assert abs(texts.count(said) - expected) < 5 * np.sqrt(expected)


def test_an_end_token_ends_a_reply(monkeypatch):
    model = opened("gpt2")
    ids = model._writer.reader.tokens([PROMPTS[0]])[0]
    with torch.no_grad():
        first = int(model._loaded.model(input_ids=torch.tensor([ids])).logits[0, -1].argmax())
    monkeypatch.setattr(model._writer, "_ends", frozenset({first}))
    reply = model.write([Writing(PROMPTS[0], 5)])[0]
    assert (reply.text, reply.finish, reply.tokens_out) == ("", "stop", 0)


def test_why_a_reply_ended():
    model = opened("gpt2")
    whole = model.write([Writing(PROMPTS[0], 4)])[0]
    assert whole.finish == "length"
    letter = whole.text[-1]
    cut = model.write([Writing(PROMPTS[0], 4, stop=(letter,))])[0]
    assert (cut.text, cut.finish) == (whole.text[: whole.text.index(letter)], "stop")
