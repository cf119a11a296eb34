"""What is sent to servers, and how likely they say the first tokens of a reply are."""

import math

import numpy as np
import pytest

from tiltmeter.core.model.conversations import Message, Prompt, Writing
from tiltmeter.models.openai_protocol.completions import (
    choosing_body,
    likely_tokens,
    option_logprobs,
    path_for,
    server_seed,
    writing_body,
)

TALK = Prompt((Message("system", "Be brief."), Message("user", "Well?")))
TEXT = Prompt(TALK.messages, chat=False)


def told(content="yes", finish="stop", **more):
    return {"choices": [{"message": {"content": content}, "finish_reason": finish, **more}]}


def test_a_conversation_and_a_text_are_sent_to_their_own_services():
    talk = writing_body("m", Writing(TALK, 4))
    assert path_for(TALK) == "chat/completions"
    assert talk == {
        "model": "m",
        "stream": False,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Well?"},
        ],
        "max_tokens": 4,
        "temperature": 0.0,
    }
    text = writing_body("m", Writing(TEXT, 4))
    assert path_for(TEXT) == "completions"
    assert text["prompt"] == "Be brief.\nWell?" and "messages" not in text


def test_what_is_asked_for_is_sent_and_never_several_replies():
    request = Writing(TALK, 4, 0.3, 0.9, ("\n", "."), repeat=2, seed=5)
    body = writing_body("m", request)
    assert body["temperature"] == 0.3 and body["top_p"] == 0.9 and body["stop"] == ["\n", "."]
    assert body["seed"] == server_seed(request)
    assert "n" not in body


def test_seeds_are_different_and_fit_every_server():
    seeds = {
        server_seed(Writing(prompt, 4, 1.0, seed=seed, repeat=repeat))
        for prompt in (TALK, TEXT)
        for seed in range(10)
        for repeat in range(100)
    }
    assert len(seeds) == 2000  # each prompt has its own, so that replies of a repeat share nothing
    assert all(0 <= seed < 2**31 for seed in seeds)


def tops(*pairs):
    entries = [{"token": token, "logprob": logprob} for token, logprob in pairs]
    return told(logprobs={"content": [{"token": "x", "top_logprobs": entries}]})


def test_log_probabilities_are_asked_for_at_temperature_1():
    talk, text = choosing_body("m", TALK), choosing_body("m", TEXT)
    assert talk["temperature"] == text["temperature"] == 1.0
    assert talk["max_tokens"] == text["max_tokens"] == 1
    assert (talk["logprobs"], talk["top_logprobs"], text["logprobs"]) == (True, 20, 5)


def test_both_forms_of_log_probabilities_are_read():
    assert likely_tokens(tops(("yes", -0.5), ("no", -1.5))) == {"yes": -0.5, "no": -1.5}
    text = {"choices": [{"text": "x", "logprobs": {"top_logprobs": [{" yes": -0.5, " no": -1}]}}]}
    assert likely_tokens(text) == {" yes": -0.5, " no": -1.0}


def test_tokens_that_read_alike_are_added_and_impossible_ones_left_out():
    both = likely_tokens(tops(("▁yes", math.log(0.5)), (" yes", math.log(0.25)), ("a", -9999.0),
                              ("no", -3)))  # fmt: skip
    assert both == {" yes": pytest.approx(math.log(0.75)), "no": -3.0}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (told(), "returns no log-probabilities"),
        (told(logprobs=None), "returns no log-probabilities"),
        (told(logprobs={"content": []}), "returns no log-probabilities"),
        (told(logprobs={"content": [{"top_logprobs": []}]}), "returns no log-probabilities"),
        (tops(("yes", None), ("no", -1)), "unknown form"),
        (tops((5, -1), ("no", -1)), "unknown form"),
        (tops(("yes", 0.0), ("no", 0.0)), "that are none"),
        (tops(("yes", 900.0), ("no", -1.0)), "that are none"),
        (tops(("yes", -0.1), ("no", -0.2)), "that are none"),
        (tops(("yes", 10**400), ("no", -1.0)), "that are none"),
        (tops(("yes", float("nan")), ("no", -2), ("maybe", -3)), "."),
        (tops(("yes", -2.0), ("no", -2.0)), "same log-probability"),
        (tops(("yes", 0.0)), "same log-probability"),
    ],
)
def test_what_is_no_distribution_is_refused(answer, message):
    with pytest.raises(ValueError, match=message):
        option_logprobs(likely_tokens(answer), ("yes", "no"))


def test_an_option_has_the_probability_of_its_first_token():
    tokens = {" sex": -1.0, " not": -2.0, " no": -3.0, " s": -4.0}
    found = option_logprobs(tokens, (" sexist", " not-sexist", " no"))
    np.testing.assert_array_equal(found, [-1.0, -2.0, -3.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("yes", "never"), "'never' is not among the 4 likeliest"),
        ((" yes", "no"), "' yes' is not among"),
        (("sexist",), "'sexist' is not among"),  # "s" might begin anything
        (("yes", "yesterday"), "'yes' and 'yesterday' begin with the same token"),
    ],
)
def test_options_that_the_tokens_do_not_distinguish_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        option_logprobs({"yes": -1.0, "no": -2.0, "s": -3.0, "": -4.0}, options)
