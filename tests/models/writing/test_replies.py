"""Local models write what one text at a time, without cache or padding, writes."""

import pytest

from models.writing.examples import PROMPTS, requests, slow_reply
from support.architectures import CAUSAL, opened
from tiltmeter.core.model.batch_progress import listening
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


def test_why_a_reply_ended():
    model = opened("gpt2")
    whole = model.write([Writing(PROMPTS[0], 4)])[0]
    assert whole.finish == "length"
    letter = whole.text[-1]
    cut = model.write([Writing(PROMPTS[0], 4, stop=(letter,))])[0]
    assert (cut.text, cut.finish) == (whole.text[: whole.text.index(letter)], "stop")


def test_the_share_that_is_written_is_reported_token_by_token():
    model, shares = opened("gpt2"), []
    asked = [Writing(prompt, 4) for prompt in PROMPTS[:2]]
    with listening(shares.append):
        replies = model.write(asked)
    assert [reply.finish for reply in replies] == ["length", "length"]
    # the last token ends a reply, so that nothing is left to report of it
    assert shares == [0.25, 0.5, 0.75, 0.75, 0.75, 0.75]
