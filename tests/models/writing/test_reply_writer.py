"""Prompts as they are read, and options as continuations."""

from dataclasses import replace

import pytest
import torch

from models.writing.examples import PROMPTS
from support.architectures import CAUSAL, opened
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing

TEMPLATE = "{% for m in messages %}<{{ m['role'] }}> {{ m['content'] }}\n{% endfor %}<assistant>"


@pytest.mark.parametrize("kind", CAUSAL)
def test_options_are_scored_as_continuations(kind):
    model = opened(kind)
    options = (" nurse", " driver was", " He")
    found = model.choice_logprobs([Choosing(p, options) for p in PROMPTS])
    for prompt, logprobs in zip(PROMPTS, found, strict=True):
        reader = model._writer.reader
        rows = reader.followed(prompt, ["", *options])
        begun = len(rows[0])
        for row, logprob in zip(rows[1:], logprobs, strict=True):
            if row[:begun] != rows[0]:
                continue
            with torch.no_grad():
                table = model._loaded.model(input_ids=torch.tensor([row])).logits[0]
            table = table.double().log_softmax(-1)
            right = sum(float(table[i - 1, row[i]]) for i in range(begun, len(row)))
            assert logprob == pytest.approx(right, abs=1e-4)


def test_a_conversation_needs_a_template():
    model = opened("gpt2")
    assert model.chats is False
    with pytest.raises(CannotAnswer, match=r"no chat template.*wrap=text"):
        model.write([Writing(Prompt((Message("user", "Well?"),)), 2)])


def test_a_conversation_is_read_under_the_template(monkeypatch):
    model = opened("gpt2")
    monkeypatch.setattr(model._loaded.tokenizer, "chat_template", TEMPLATE)
    turns = Prompt((Message("system", "Be brief."), Message("user", "Well?")))
    ids = model._writer.reader.tokens([turns])[0]
    said = model._loaded.encode(["<system> Be brief.\n<user> Well?\n<assistant>"], special=False)
    assert ids == said[0].ids
    assert model._writer.reader.chats is True
    monkeypatch.setattr(
        model._loaded.tokenizer, "chat_template", "{{ raise_exception('no system turn') }}"
    )
    with pytest.raises(CannotAnswer, match=r"system, user\): no system turn"):
        model.write([Writing(turns, 2)])


def test_a_prompt_that_is_too_long_is_refused():
    model = opened("gpt2")
    with pytest.raises(CannotAnswer, match="at most 64 tokens"):
        model.write([replace(Writing(PROMPTS[0], 2), max_tokens=64)])
    with pytest.raises(CannotAnswer, match="adds no token"):
        model.choice_logprobs([Choosing(PROMPTS[0], (" a", ""))])
