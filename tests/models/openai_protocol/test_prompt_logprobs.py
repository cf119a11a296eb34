"""What is sent to vLLM and to SGLang, and what of their answers is believed."""

import numpy as np
import pytest

from tiltmeter.models.openai_protocol.prompt_logprobs import SGLANG, VLLM, SentText, protocol_of

TEXTS = [SentText((1, 5, 7), 2), SentText((1, 5, 9, 9), 2)]


def vllm(*texts):
    """An answer with (token, log-probability) after the first token of each text."""
    return {
        "choices": [
            {"prompt_logprobs": [None, *({str(t): {"logprob": v, "rank": 3}} for t, v in text)]}
            for text in texts
        ]
    }


def sglang(*texts):
    return [
        {"meta_info": {"input_token_logprobs": [[None, 0, None], *([v, t, None] for t, v in text)]}}
        for text in texts
    ]


def test_what_is_sent_to_vllm():
    neutral = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
    assert VLLM.body("m", TEXTS, 1.0) == {
        "model": "m", "prompt": [(1, 5, 7), (1, 5, 9, 9)], "prompt_logprobs": 0, "max_tokens": 1,
        "stream": False, "temperature": 1.0, **neutral,
    }  # fmt: skip


def test_what_is_sent_to_sglang_begins_before_the_first_scored_token():
    body = SGLANG.body("m", TEXTS, 0.5)
    assert body["input_ids"] == [(1, 5, 7), (1, 5, 9, 9)]
    assert body["logprob_start_len"] == [0, 1]
    assert body["return_logprob"] is True
    assert (body["sampling_params"]["max_new_tokens"], body["sampling_params"]["temperature"]) == (
        0,
        0.5,
    )


def test_vllm_gives_all_tokens_and_sglang_those_that_were_asked_for():
    # Of the second text, of which two tokens are scored, vLLM also returns the token before them.
    first, second = [(5, -1.0), (7, -2.5)], [(9, -3.0), (9, -0.25)]
    for protocol, answer in (
        (VLLM, vllm(first, [(5, -1.0), *second])), (SGLANG, sglang(first, second)),
    ):  # fmt: skip
        rows = protocol.logprobs(answer, TEXTS)
        assert [row.tolist() for row in rows] == [[-1.0, -2.5], [-3.0, -0.25]]


def test_what_vllm_writes_for_a_token_without_a_probability_is_no_number():
    (row,) = VLLM.logprobs(vllm([(5, -9999.0), (7, -1.0)]), TEXTS[:1])
    assert row.tolist() == [-np.inf, -1.0]


@pytest.mark.parametrize("answer", [
    None, {}, [], {"choices": None}, {"choices": [{}, {}]}, {"choices": [{"prompt_logprobs": None}]},
    {"choices": [{"text": "it writes", "logprobs": {"token_logprobs": [-1.0]}}]},
])  # fmt: skip
def test_an_answer_without_them_says_so(answer):
    with pytest.raises(ValueError, match=r"no log-probabilities of the tokens of a prompt|0 texts"):
        VLLM.logprobs(answer, TEXTS[:1])


@pytest.mark.parametrize(("protocol", "answer"), [(VLLM, vllm), (SGLANG, sglang)])
def test_numbers_of_other_tokens_are_refused(protocol, answer):
    for tokens in ([(5, -1.0), (8, -1.0)], [(7, -1.0), (5, -1.0)], [(5, -1.0)]):
        with pytest.raises(ValueError, match="not those that were sent"):
            protocol.logprobs(answer(tokens), TEXTS[:1])


@pytest.mark.parametrize("value", [True, "−1", None, [1.0], {}])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="missing"):
        VLLM.logprobs(vllm([(5, value), (7, value)]), TEXTS[:1])


@pytest.mark.parametrize(("owner", "protocol"), [
    ("sglang", SGLANG), ("vllm", VLLM), (None, VLLM), ("me", VLLM),
])  # fmt: skip
def test_the_owner_of_a_model_says_which_server_it_is(owner, protocol):
    assert protocol_of(owner) is protocol
