"""Beam search finds what a search through all texts finds; a reply depends on its request alone."""

import pytest
import torch

from support.architectures import CAUSAL, opened
from tiltmeter.core.model.batch_progress import listening
from tiltmeter.core.model.conversations import BeamWriting, Message, Prompt


def plain(text):
    return Prompt((Message("user", text),), chat=False)


@torch.no_grad()
def slow_beams(model, request):
    """The whole text of every beam read anew for each token, one at a time."""
    inner, ends = model._loaded.model, model._beams._ends
    ids = list(model._beams.reader.tokens([request.prompt])[0])
    beams, ended = [(0.0, ())], []
    while beams and len(ended) < request.beams:
        found = []
        for total, written in beams:
            logits = inner(input_ids=torch.tensor([[*ids, *written]])).logits[0, -1]
            for token, more in enumerate(logits.log_softmax(-1).tolist()):
                found.append((total + more, (*written, token)))
        found.sort(key=lambda one: -one[0])
        ended += [(t / len(w), w[:-1]) for t, w in found[: request.beams] if w[-1] in ends]
        beams = [(t, w) for t, w in found if w[-1] not in ends][: request.beams]
        if len(beams[0][1]) == request.max_tokens:
            ended += [(t / len(w), w) for t, w in beams[: request.beams - len(ended)]]
            beams = []
    best = sorted(ended, key=lambda one: -one[0])[: request.beams]
    decode = model._loaded.tokenizer.decode
    return [decode(written, skip_special_tokens=True) for _, written in best]


@pytest.mark.parametrize("kind", CAUSAL)
def test_replies_are_those_of_obvious_code(kind):
    model = opened(kind)
    requests = [BeamWriting(plain(text), 4, 3) for text in ("She drove the car", "He")]
    found = [[reply.text for reply in replies] for replies in model.write_beams(requests)]
    assert found == [slow_beams(model, request) for request in requests]


def test_replies_depend_on_the_request_alone():
    model = opened("gpt2")
    asked = [
        BeamWriting(plain(text), 5, 3) for text in ("She", "The old driver was slow and", "He is")
    ]
    together = model.write_beams(asked)
    assert together == [model.write_beams([one])[0] for one in asked]
    assert all(len(replies) == 3 for replies in together)
    assert all(reply.tokens_in and reply.tokens_out <= 5 for some in together for reply in some)


def test_a_stop_text_ends_a_reply_and_is_no_part_of_it():
    model = opened("gpt2")
    whole = model.write_beams([BeamWriting(plain("He is"), 4, 1)])[0][0].text
    letter = whole.strip()[0]
    (cut,) = model.write_beams([BeamWriting(plain("He is"), 4, 1, (letter,))])[0]
    assert letter not in cut.text


def test_the_steps_of_the_search_are_reported():
    model, shares = opened("gpt2"), []
    with listening(shares.append):
        model.write_beams([BeamWriting(plain("He"), 4, 3)])
    assert shares[:2] == [0.25, 0.5] and shares[-1] == 1.0 and shares == sorted(shares)
