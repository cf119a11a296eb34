"""A parameter that a server refuses is refused once; what else goes wrong is reported as before."""

import json
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.models.openai_protocol.accepted_parameters import AcceptedParameters, without_system
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Well?"}]
BODY: dict[str, Any] = {
    "model": "m", "stream": False, "messages": MESSAGES, "max_tokens": 4_120, "temperature": 0.0,
    "top_p": 0.9, "stop": ["\n"], "seed": 3, "chat_template_kwargs": {"enable_thinking": False},
    "reasoning_effort": "none", "thinking": {"type": "disabled"},
}  # fmt: skip
LEAST = 24
ERRORS = tomllib.loads(Path(__file__).with_name("server_errors.toml").read_text("utf-8"))


def every(kind: str) -> pytest.MarkDecorator:
    """A test of each error of one kind."""
    names = [error.get("server", number) for number, error in enumerate(ERRORS[kind])]
    return pytest.mark.parametrize("error", ERRORS[kind], ids=map(str, names))


def openai(message: str, param: str | None = None) -> str:
    return json.dumps({"error": {"message": message, "param": param, "code": None}})


def refusing(*refusals: tuple[Callable[[dict[str, Any]], bool], str], status: int = 400):
    """A server that refuses what the first of these finds in a body, and the bodies that were sent."""
    sent: list[dict[str, Any]] = []

    def post(body: dict[str, Any]) -> str:
        sent.append(body)
        for refuses, details in refusals:
            if refuses(body):
                raise RequestRefused("the server refuses it", status, details)
        return "yes"

    return post, sent


def has(name: str, value: object = None) -> Callable[[dict[str, Any]], bool]:
    return lambda body: name in body and value in {None, str(body[name])}


@every("left_out")
def test_what_a_server_refuses_is_left_out_from_then_on(error: dict[str, str]) -> None:
    """One refusal, and then never again; the card lists it."""
    parameter = error["parameter"]
    post, sent = refusing((has(parameter), error["details"]))
    accepted = AcceptedParameters()
    for _ in range(2):
        assert accepted.post(BODY, LEAST, post) == "yes"
    rest = {key: value for key, value in BODY.items() if key != parameter}
    assert sent == [BODY, rest, rest]
    assert accepted.facts == {"not sent, because the server refuses it": parameter}


@every("levels")
def test_a_level_of_thinking_that_is_refused_becomes_the_nearest(error: dict[str, str]) -> None:
    """The card says which."""
    asked, sent_as = error["asked"], error["sent_as"]
    post, sent = refusing((has("reasoning_effort", asked), error["details"]))
    accepted = AcceptedParameters()
    accepted.post(BODY | {"reasoning_effort": asked}, LEAST, post)
    assert [one["reasoning_effort"] for one in sent] == [asked, sent_as]
    fact = {
        "sent otherwise, because the server refuses it": f"reasoning_effort {asked} as {sent_as}"
    }
    assert accepted.facts == fact


def test_the_newer_name_of_the_length_limit_is_learnt() -> None:
    """As OpenAI's error names it."""
    details = openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                     "'max_completion_tokens' instead.", "max_tokens")  # fmt: skip
    post, sent = refusing((has("max_tokens"), details))
    AcceptedParameters().post(BODY, LEAST, post)
    assert sent[-1]["max_completion_tokens"] == 4_120 and "max_tokens" not in sent[-1]


@every("limits")
def test_a_limit_that_is_too_large_becomes_as_large_as_fits(error: dict[str, Any]) -> None:
    """It is learnt once, and never less than an answer needs."""
    most = error["longest"]
    post, sent = refusing((lambda body: body["max_tokens"] > most, error["details"]))
    accepted = AcceptedParameters()
    for _ in range(2):
        accepted.post(BODY, LEAST, post)
    assert [one["max_tokens"] for one in sent] == [4_120, most, most]
    assert accepted.facts == {"longest reply that the server allows": f"{most:,} tokens"}
    assert accepted.applied(BODY, 3_000)["max_tokens"] == max(most, 3_000)


def test_a_limit_that_no_request_meets_ends_in_the_servers_error() -> None:
    """The prompt itself is too long: halving comes to an end."""
    details = (
        "This model's maximum context length is 100 tokens. However, you requested 9 output tokens and your "
        "prompt contains at least 92 input tokens"
    )
    post, sent = refusing((lambda _: True, openai(details)))
    with pytest.raises(RequestRefused):
        AcceptedParameters().post(BODY, LEAST, post)
    assert sent[-1]["max_tokens"] == LEAST and len(sent) < 12


@every("no_system")
def test_a_system_prompt_that_a_template_refuses_begins_the_first_message(
    error: dict[str, str],
) -> None:
    """The conditions of a number must be stated: the card says so."""
    post, sent = refusing(
        (lambda body: body["messages"][0]["role"] == "system", error["details"]), status=500
    )
    accepted = AcceptedParameters()
    for _ in range(2):
        accepted.post(BODY, LEAST, post)
    assert len(sent) == 3
    assert sent[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nWell?"}]
    assert accepted.facts == {
        "system prompt sent as": "the beginning of the first message of the user"
    }


def test_a_server_that_only_fails_at_a_system_prompt_is_found_out() -> None:
    """`transformers serve` says nothing but "Internal Server Error"."""
    sent: list[dict[str, Any]] = []

    def post(body: dict[str, Any]) -> str:
        sent.append(body)
        if body["messages"][0]["role"] == "system":
            raise NoAnswer("500", 500)
        return "yes"

    accepted = AcceptedParameters()
    assert [accepted.post(BODY, LEAST, post) for _ in range(2)] == ["yes", "yes"]
    assert [len(body["messages"]) for body in sent] == [2, 1, 2, 1]
    assert "system prompt sent as" in accepted.facts


def test_a_server_that_fails_for_a_while_keeps_its_system_prompt() -> None:
    """Nor is it doubted once there was an answer to one."""
    sent: list[dict[str, Any]] = []

    def post(body: dict[str, Any]) -> str:
        sent.append(body)
        if len(sent) in {1, 5}:
            raise NoAnswer("500", 500)
        return f"{len(body['messages'])} messages"

    accepted = AcceptedParameters()
    assert [accepted.post(BODY, LEAST, post) for _ in range(2)] == ["2 messages", "2 messages"]
    assert not accepted.facts
    with pytest.raises(NoAnswer):
        accepted.post(BODY, LEAST, post)


def test_conversations_without_a_system_prompt_stay_as_they_are() -> None:
    """And one of a system prompt alone becomes a message of the user."""
    assert without_system(MESSAGES[1:]) == MESSAGES[1:]
    assert without_system([]) == []
    assert without_system(MESSAGES[:1]) == [{"role": "user", "content": "Be brief."}]


@pytest.mark.parametrize(
    ("status", "details"),
    [
        (400, openai("The model is overloaded, please stop asking for a while. Set the seed elsewhere.")),
        (400, openai("Invalid model: m")),
        (401, openai("Unsupported parameter: 'temperature'", "temperature")),
        (404, openai("The model `m` does not exist; use temperature instead")),
        (400, ""),
        (None, ""),
        (400, json.dumps({"error": {"message": "bad image", "input": {"temperature": "unsupported"}}})),
        (400, openai("Conversation roles must alternate", "messages")),
    ],
)  # fmt: skip
def test_another_error_is_reported_at_once(status: int | None, details: str) -> None:
    """Nothing is left out for it, and the request is made once."""
    body = BODY | {"messages": MESSAGES[1:]}
    post, sent = refusing((lambda _: True, details), status=status)
    accepted = AcceptedParameters()
    with pytest.raises(RequestRefused):
        accepted.post(body, LEAST, post)
    assert sent == [body] and not accepted.facts and not accepted.caution


def test_many_refusals_come_one_after_the_other() -> None:
    """Each parameter is refused once, whatever the order."""
    names = ["thinking", "chat_template_kwargs", "stop", "seed", "top_p", "temperature"]
    refusals = [(has(name), openai(f"Unsupported parameter: '{name}'", name)) for name in names]
    post, sent = refusing(*refusals)
    accepted = AcceptedParameters()
    accepted.post(BODY, LEAST, post)
    assert len(sent) == 7
    assert accepted.left_out.keys() == set(names)
    assert accepted.caution == (
        "The server refuses temperature and top_p (temperature 0 was asked for) and draws replies in its own "
        "way. At its own temperature, the same prompt has different replies."
    )  # fmt: skip


def test_several_threads_learn_together() -> None:
    """Those under way at the first refusal make their request again without an error."""
    barrier = threading.Barrier(4)
    accepted, answers = AcceptedParameters(), []

    def post(body: dict[str, Any]) -> str:
        if "seed" in body:
            barrier.wait(10)
            raise RequestRefused("no", 400, openai("Unknown parameter: 'seed'.", "seed"))
        return "yes"

    threads = [
        threading.Thread(target=lambda: answers.append(accepted.post(BODY, LEAST, post)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert answers == ["yes"] * 4


@given(st.lists(st.text(max_size=60) | st.sampled_from(
    [error["details"] for errors in ERRORS.values() for error in errors]
), min_size=1, max_size=6))  # fmt: skip
def test_no_server_is_asked_for_ever(errors: list[str]) -> None:
    """Whatever a server's errors say, one after the other."""
    sent: list[dict[str, Any]] = []

    def post(body: dict[str, Any]) -> str:
        sent.append(body)
        raise RequestRefused("no", 400, errors[len(sent) % len(errors)])

    with pytest.raises(RequestRefused):
        AcceptedParameters().post(BODY, LEAST, post)
    assert len(sent) <= 40
    assert all(one["messages"][-1]["content"].endswith("Well?") for one in sent)
