"""Replies survive being stored, and a damaged one is asked again."""

import pytest

from tiltmeter.core.model.conversations import (
    Choosing,
    Message,
    Prompt,
    Reply,
    Writing,
    reply_of,
    request_key,
    stored_reply,
)

PROMPT = Prompt((Message("system", "Be brief."), Message("user", "Well?")))


@pytest.mark.parametrize(
    "reply",
    [Reply(""), Reply(' "né"\n\x00', "length", 3, 2), Reply("😀\u2028", "content_filter", 1)],
)
def test_a_stored_reply_is_read_as_it_was(reply):
    assert reply_of(stored_reply(reply)) == reply


@pytest.mark.parametrize(
    "stored",
    [
        "", "[]", "{}", "null", '{"text": "a"}', b"bytes", 3.0,
        '{"text": 1, "finish": "stop", "tokens_in": 0, "tokens_out": 0}',
        '{"text": "a", "finish": "error", "tokens_in": 0, "tokens_out": 0}',
        '{"text": "a", "finish": "stop", "tokens_in": -1, "tokens_out": 0}',
        '{"text": "a", "finish": "stop", "tokens_in": true, "tokens_out": 0}',
    ],
)  # fmt: skip
def test_what_is_no_reply_is_refused(stored):
    with pytest.raises(ValueError, match=r"reply|Expecting"):
        reply_of(stored)


def test_everything_that_an_answer_depends_on_is_in_the_key():
    base = Writing(PROMPT, 4)
    others = [
        Writing(Prompt(PROMPT.messages, chat=False), 4),
        Writing(Prompt(PROMPT.messages[1:]), 4),
        Writing(PROMPT, 5),
        Writing(PROMPT, 4, temperature=0.3),
        Writing(PROMPT, 4, top_p=0.9),
        Writing(PROMPT, 4, stop=("\n",)),
        Writing(PROMPT, 4, repeat=1),
        Writing(PROMPT, 4, seed=1),
        Choosing(PROMPT, (" yes", " no")),
        Choosing(PROMPT, (" no", " yes")),
    ]
    assert len({request_key(one) for one in (base, *others)}) == len(others) + 1


def test_as_plain_text_a_conversation_has_no_speakers():
    assert PROMPT.plain == "Be brief.\nWell?"
