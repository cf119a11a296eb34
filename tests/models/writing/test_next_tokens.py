"""The next token: how it is drawn, and where a reply ends."""

import numpy as np
import torch

from models.writing.examples import PROMPTS
from support.architectures import opened
from tiltmeter.core.model.conversations import Writing


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
