"""Sequence-to-sequence models write: the encoder reads the prompt, the decoder writes from its start."""

import numpy as np
import pytest
import torch

from support.architectures import SEQ2SEQ, opened
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import BeamWriting, Choosing, Message, Prompt, Writing

PROMPTS = ("She drove the car", "He", "The old driver was slow and the young clerk was")


def plain(text):
    return Prompt((Message("user", text),), chat=False)


def logits_behind(model, prompt, written):
    """The next token's logits: whole source and whole target read anew, at one go."""
    inner, tokenizer = model._loaded.model, model._loaded.tokenizer
    named = tokenizer.convert_tokens_to_ids
    start = [inner.config.decoder_start_token_id]
    if inner.config.model_type == "bart":
        start.append(named("<s>"))
    with torch.no_grad():
        out = inner(
            input_ids=torch.tensor([tokenizer(prompt)["input_ids"]]),
            decoder_input_ids=torch.tensor([[*start, *written]]),
        )
    return out.logits[0, -1]


def slow_beams(model, request):
    end = model._loaded.tokenizer.eos_token_id
    beams, ended = [(0.0, ())], []
    while beams and len(ended) < request.beams:
        longer = []
        for total, written in beams:
            rows = logits_behind(model, request.prompt.plain, written).log_softmax(-1).tolist()
            longer += [(total + more, (*written, token)) for token, more in enumerate(rows)]
        longer.sort(key=lambda beam: -beam[0])
        ended += [(t / len(w), w[:-1]) for t, w in longer[: request.beams] if w[-1] == end]
        beams = [(t, w) for t, w in longer if w[-1] != end][: request.beams]
        if len(beams[0][1]) == request.max_tokens:
            ended += [(t / len(w), w) for t, w in beams[: request.beams - len(ended)]]
            beams = []
    best = sorted(ended, key=lambda beam: -beam[0])[: request.beams]
    decode = model._loaded.tokenizer.decode
    return [decode(written, skip_special_tokens=True) for _, written in best]


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_greedy_replies_and_beams_are_those_of_obvious_code(kind):
    model = opened(kind)
    decode, end = model._loaded.tokenizer.decode, model._loaded.tokenizer.eos_token_id
    expected = []
    for prompt in PROMPTS:
        written = []
        while len(written) < 5:
            token = int(logits_behind(model, prompt, written).argmax())
            if token == end:
                break
            written.append(token)
        expected.append(decode(written, skip_special_tokens=True))
    replies = model.write([Writing(plain(prompt), 5) for prompt in PROMPTS])
    assert [reply.text for reply in replies] == expected
    beams = [BeamWriting(plain(prompt), 4, 3) for prompt in PROMPTS]
    texts = [[reply.text for reply in some] for some in model.write_beams(beams)]
    assert texts == [slow_beams(model, request) for request in beams]
    assert model.about["keys and values kept"]


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_a_reply_depends_on_its_request_alone(kind):
    model = opened(kind)
    asked = [
        Writing(plain(prompt), 6, temperature=1.0, top_p=0.9, repeat=repeat)
        for prompt in PROMPTS
        for repeat in range(3)
    ]
    together = model.write(asked)
    assert together == [model.write([request])[0] for request in asked]
    assert len({reply.text for reply in together}) > len(PROMPTS)


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_the_tokens_that_are_drawn_are_as_likely_as_the_decoder_says(kind):
    model = opened(kind)
    asked = [Writing(plain("He"), 1, temperature=1.0, repeat=i) for i in range(3000)]
    texts = [reply.text for reply in model.write(asked)]
    decode = model._loaded.tokenizer.decode
    probability = logits_behind(model, "He", []).softmax(-1).tolist()
    expected = sum(
        p for token, p in enumerate(probability)
        if decode([token], skip_special_tokens=True) == texts[0]
    )  # fmt: skip
    share = np.mean([text == texts[0] for text in texts])
    assert abs(share - expected) < 4 * (expected * (1 - expected) / len(asked)) ** 0.5


@pytest.mark.parametrize("kind", SEQ2SEQ)
def test_choices_are_scored_as_what_the_decoder_writes(kind):
    model = opened(kind)
    options = (" slow", " the young clerk", " pilot")
    (scores,) = model.choice_logprobs([Choosing(plain("The old driver was"), options)])
    for option, score in zip(options, scores, strict=True):
        ids = model._loaded.tokenizer(option.lstrip(), add_special_tokens=False)["input_ids"]
        total = 0.0
        for i, token in enumerate(ids):
            row = logits_behind(model, "The old driver was", ids[:i]).double().log_softmax(-1)
            total += float(row[token])
        assert score == pytest.approx(total, abs=1e-4)


def test_an_option_without_tokens_and_a_conversation_are_refused():
    model = opened("t5")
    with pytest.raises(CannotAnswer, match="the option ' ' adds no token"):
        model.choice_logprobs([Choosing(plain("He is"), (" ", " slow"))])
    with pytest.raises(CannotAnswer, match="has no chat template"):
        model.write([Writing(Prompt((Message("user", "He is"),)), 3)])


def test_a_prompt_or_a_reply_longer_than_the_model_is_refused():
    model = opened("bart")
    longest = model.about["longest input"]
    with pytest.raises(CannotAnswer, match=f"reads at most {longest:,} tokens"):
        model.write([Writing(plain("He is " * longest), 1)])
    with pytest.raises(CannotAnswer, match=f"reads at most {longest:,} tokens"):
        model.write([Writing(plain("He is"), longest)])
    # The decoder has room of its own: both together may be longer.
    (reply,) = model.write([Writing(plain("He is late"), longest - 2, stop=("a", "e", "o"))])
    assert reply.tokens_in == len(model._loaded.tokenizer("He is late")["input_ids"])
