"""Models behind servers that think: their answers, what is asked of them, and what the card says about it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from servers.chat_server import serving
from tiltmeter.core.errors import CannotAnswer, LimitReached
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Reply, Writing
from tiltmeter.models.openai_protocol import server_client
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.budget import Price, RequestBudget
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store

THOUGHT, ANSWER = "Ann or Bob? Not Ann.", "Bob"
NEEDED = 50
"""Tokens of the thought; the answer has one more."""
Body = Mapping[str, Any]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(server_client, "PAUSE", 0.01)
    monkeypatch.delenv("TILTMETER_API_KEY", raising=False)
    with serving() as one:
        yield one


def opened(server, **options):
    return open_model(resolve(server.reference), Options(**{"at_once": 1} | options))


def asks(count: int, most: int = 24, **more: Any) -> list[Writing]:
    return [Writing(Prompt((Message("user", f"Text {i}"),)), most, **more) for i in range(count)]


def most_tokens(body: Body) -> int:
    return body.get("max_tokens") or body["max_completion_tokens"]


def answer(finish: str, reply: int, **message: object) -> dict[str, object]:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return {"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": reply}}


def in_field(thought: str, text: str | None) -> dict[str, object]:
    return {"reasoning_content": thought, "content": text}


def between_tags(thought: str, text: str | None) -> dict[str, object]:
    return {"content": f"<think>{thought}" + ("" if text is None else f"</think>\n\n{text}")}


def with_a_lone_end(thought: str, text: str | None) -> dict[str, object]:
    return {"content": thought + ("" if text is None else f"</think>\n\n{text}")}


def in_parts(thought: str, text: str | None) -> dict[str, object]:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}]
    return {"content": [*parts, {"type": "text", "text": text}] if text else parts}


def kept_to_itself(_: str, text: str | None) -> dict[str, object]:
    return {"content": text}


MARKS = [in_field, between_tags, with_a_lone_end, in_parts, kept_to_itself]


def thinker(
    mark: Callable[[str, str | None], Body], needed: int = NEEDED
) -> Callable[[Body], Body]:
    """A model that thinks for so many tokens, unless it is asked not to."""

    def reply(body: Body) -> Body:
        if body.get("chat_template_kwargs", {}).get("enable_thinking") is False:
            return answer("stop", 1, content=ANSWER)
        most = most_tokens(body)
        if most <= needed:
            return answer("length", most, **mark(THOUGHT[:-3], None))
        return answer("stop", needed + 1, **mark(THOUGHT, ANSWER))

    return reply


@pytest.mark.parametrize("mark", MARKS)
def test_a_model_that_thinks_by_itself_gets_the_tokens_for_it(server, mark) -> None:
    """One reply shows that it thinks; the others are asked for at full length at once."""
    server.replies = thinker(mark)
    model = opened(server)
    replies = model.write(asks(3))
    assert [reply.text for reply in replies] == [ANSWER] * 3
    assert [reply.finish for reply in replies] == ["stop"] * 3
    assert [most_tokens(one.body) for one in server.asked] == [24, 4_120, 4_120, 4_120]
    assert [reply.tokens_out for reply in replies] == [24 + NEEDED + 1, NEEDED + 1, NEEDED + 1]
    assert model.about["thinks by itself"] == "replies may have 4,096 tokens more, for the thought"
    if mark is not kept_to_itself:
        assert {reply.thought for reply in replies} == {THOUGHT}


@pytest.mark.parametrize("mark", MARKS)
def test_a_thought_without_an_end_is_an_outcome_and_no_error(server, mark) -> None:
    """Also of a model whose template begins its thoughts, once one of them has come to its end."""
    server.replies = thinker(mark)
    model = opened(server)
    model.write(asks(1))
    server.replies = thinker(mark, needed=10_000)
    (reply,) = model.write(asks(1))
    assert (reply.text, reply.finish) == ("", "thinking")
    assert reply.tokens_out == most_tokens(server.asked[-1].body)


def test_tokens_for_thoughts_that_the_user_set_are_neither_more_nor_less(server) -> None:
    """No reply is asked for twice."""
    server.replies = thinker(in_field)
    enough, few = asks(1, thinking_tokens=60), asks(1, thinking_tokens=20)
    replies = opened(server).write([*enough, *few])
    assert [most_tokens(one.body) for one in server.asked] == [84, 44]
    assert [(reply.text, reply.finish) for reply in replies] == [(ANSWER, "stop"), ("", "thinking")]


def test_a_model_that_talks_a_lot_is_asked_for_one_long_reply(server) -> None:
    """It has no thought in it, so that replies that are cut off are just that."""

    def reply(body: Body) -> Body:
        most = most_tokens(body)
        return (
            answer("length", most, content="Well, " * most)
            if most < 90
            else answer("stop", 90, content="Well.")
        )

    server.replies = reply
    model = opened(server)
    replies = model.write(asks(3))
    assert [most_tokens(one.body) for one in server.asked] == [24, 4_120, 24, 24]
    assert {(one.text, one.finish) for one in replies} == {("Well, " * 24, "length")}
    assert [one.tokens_out for one in replies] == [24 + 90, 24, 24]
    assert "thinks by itself" not in model.about


def test_a_long_reply_that_takes_too_long_ends_no_run(server) -> None:
    """It is asked for once, and then replies are as long as they were to be."""
    server.replies = lambda _: answer("length", 4, content="Well, ")

    def refuses(body: Body) -> tuple[int, str] | None:
        return (503, "{}") if most_tokens(body) > 99 else None

    server.refuses = refuses
    assert [one.text for one in opened(server).write(asks(3))] == ["Well, "] * 3
    assert [most_tokens(one.body) for one in server.asked] == [24, 4_120, 24, 24]


def test_what_openai_says_of_a_thought_that_is_too_long_is_that(server) -> None:
    """An error, but no parameter is at fault."""

    def refuses(body: Body) -> tuple[int, str] | None:
        message = "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens."  # noqa: E501
        return (
            (400, json.dumps({"error": {"message": message}})) if most_tokens(body) < 99 else None
        )

    server.refuses, server.replies = refuses, thinker(kept_to_itself)
    assert opened(server).write(asks(1))[0] == Reply(ANSWER, "stop", 3, 24 + NEEDED + 1)


def test_texts_are_continued_without_any_of_this(server) -> None:
    """A model that continues a text does not think."""
    server.replies = lambda _: {"choices": [{"text": " and so", "finish_reason": "length"}]}
    prompt = Prompt((Message("user", "It was late"),), chat=False)
    opened(server).write([Writing(prompt, 4, stop=("\n",), thinking="off")])
    assert [one.body.keys() for one in server.asked] == [
        {"model", "stream", "prompt", "max_tokens", "temperature", "stop"}
    ]


# ── What is asked for ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("thinking", "thinks", "effort", "kind"),
    [
        ("off", False, "none", "disabled"),
        ("on", True, "medium", "enabled"),
        ("low", True, "low", "enabled"),
        ("high", True, "high", "enabled"),
    ],
)
def test_thinking_is_asked_for_in_the_ways_of_all_servers(
    server, thinking, thinks, effort, kind
) -> None:
    """Those that a server does not know it ignores, or refuses."""
    opened(server).write(asks(1, thinking=thinking, thinking_tokens=100))
    body = server.asked[0].body
    assert body["chat_template_kwargs"] == {"enable_thinking": thinks, "thinking": thinks}
    assert (body["reasoning_effort"], body["thinking"]) == (effort, {"type": kind})
    assert body["max_tokens"] == 124


def test_nothing_is_asked_for_by_default(server) -> None:
    """The model does as it does by itself."""
    opened(server).write(asks(1))
    assert server.asked[0].body.keys() == {
        "model",
        "stream",
        "messages",
        "max_tokens",
        "temperature",
    }


def test_stop_texts_are_sent_only_where_no_thought_can_hold_them(server) -> None:
    """They end the answer here."""
    server.replies = lambda _: answer("stop", 9, content="<think>One.\nTwo.</think>\nBob\nAnn")
    replies = opened(server).write([*asks(1, stop=("\n",)), *asks(1, stop=("\n",), thinking="off")])
    assert ["stop" in one.body for one in server.asked] == [False, False]  # it was seen to think
    assert [reply.text for reply in replies] == ["Bob", "Bob"]
    server.replies = None
    opened(server).write(asks(1, stop=("\n",), thinking="off"))
    assert server.asked[-1].body["stop"] == ["\n"]


def test_parameters_that_are_refused_are_on_the_card(server) -> None:
    """As of OpenAI's models that think: each is refused once, whatever the number of replies."""

    def refuses(body: Body) -> tuple[int, str] | None:
        for name in ("max_tokens", "temperature", "chat_template_kwargs", "thinking"):
            if name in body:
                use = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
                message = f"Unsupported parameter: '{name}' is not supported with this model.{use}"
                return 400, json.dumps({"error": {"message": message, "param": name}})
        return None

    server.refuses = refuses
    model = opened(server)
    assert len(model.write(asks(3, thinking="low", thinking_tokens=9))) == 3
    assert len(server.asked) == 4 + 3
    assert server.asked[-1].body.keys() == {
        "model", "stream", "messages", "reasoning_effort", "max_completion_tokens"
    }  # fmt: skip
    left_out = "chat_template_kwargs, temperature, thinking"
    assert model.about["not sent, because the server refuses it"] == left_out
    assert model.caution.startswith("The server refuses temperature (temperature 0 was asked for)")


@pytest.mark.parametrize("status", [400, 500])
def test_a_system_prompt_goes_to_the_user_where_the_template_has_no_place_for_it(
    server, status
) -> None:
    """The same error would come again, so there are no further attempts."""

    def refuses(body: Body) -> tuple[int, str] | None:
        error = {"code": status, "message": "Jinja Exception: System role not supported"}
        return (
            (status, json.dumps({"error": error}))
            if body["messages"][0]["role"] == "system"
            else None
        )

    server.refuses = refuses
    model = opened(server)
    model.write(
        [Writing(Prompt((Message("system", "Be brief."), Message("user", "Well?"))), 4)] * 2
    )
    assert [one.body["messages"][0]["role"] for one in server.asked] == ["system", "user", "user"]
    assert server.asked[-1].body["messages"] == [{"role": "user", "content": "Be brief.\n\nWell?"}]
    assert model.about["system prompt sent as"] == "the beginning of the first message of the user"


def test_thoughts_have_as_many_tokens_as_the_context_leaves(server) -> None:
    """The limit is learnt once, from the server's error."""

    def refuses(body: Body) -> tuple[int, str] | None:
        message = f"'max_tokens' or 'max_completion_tokens' is too large: {most_tokens(body)}. This model's maximum context length is 512 tokens and your request has 12 input tokens."  # noqa: E501
        return (
            (400, json.dumps({"error": {"message": message}})) if most_tokens(body) > 500 else None
        )

    server.refuses, server.replies = refuses, thinker(in_field)
    model = opened(server)
    assert [reply.text for reply in model.write(asks(2))] == [ANSWER] * 2
    assert [most_tokens(one.body) for one in server.asked] == [24, 4_120, 500, 500]
    assert model.about["longest reply that the server allows"] == "500 tokens"


# ── Stored replies and costs ─────────────────────────────────────────────────────────────────────


def test_what_was_learnt_changes_no_key_so_that_a_run_goes_on(server) -> None:
    """A second run asks only for what the first had no reply to, thoughts included."""
    server.replies = thinker(between_tags)
    store, requests = Store(None), asks(4)
    first = CachedModel(opened(server), store).write(requests[:2])
    before = len(server.asked)
    again = CachedModel(opened(server), store)
    replies = again.write(requests)
    assert replies[:2] == first and {reply.thought for reply in replies} == {THOUGHT}
    assert (again.recalled, again.asked) == (2, 2)
    assert len(server.asked) == before + 3


def test_several_threads_find_out_that_a_model_thinks(server) -> None:
    """Whichever reply comes first, none is lost or left cut off."""
    server.replies = thinker(with_a_lone_end)
    replies = CachedModel(opened(server, at_once=4), Store(None)).write(asks(12))
    assert {reply.text for reply in replies} == {ANSWER}
    assert len(server.asked) <= 12 + 4


def test_a_cost_limit_holds_though_replies_are_longer_than_foreseen(server) -> None:
    """All replies so far are kept."""
    server.replies = thinker(in_field)
    budget = RequestBudget(max_cost=0.0006, price=Price(0.0, 1.0))
    model = CachedModel(opened(server), Store(None), budget=budget)
    with pytest.raises(
        LimitReached, match=r"max-cost .* requests were answered and kept, 8 or more are left"
    ):
        model.write(asks(20))
    assert 0.0006 < budget.cost < 0.0007


# ── How likely options are ───────────────────────────────────────────────────────────────────────


def choosing(**more: Any) -> Choosing:
    return Choosing(Prompt((Message("user", "Is it?"),)), ("yes", "no"), **more)


def beginning(body: Body) -> dict[str, object]:
    """A model whose replies begin with a thought unless it is asked not to think."""
    thinks = body.get("chat_template_kwargs", {}).get("enable_thinking", True)
    tops = (
        [("<think>", -0.01), ("yes", -6.0), ("no", -7.0)]
        if thinks
        else [("yes", -0.5), ("no", -1.5)]
    )
    listed = [{"token": token, "logprob": value} for token, value in tops]
    choice = {
        "finish_reason": "length",
        "message": {"content": "x"},
        "logprobs": {"content": [{"top_logprobs": listed}]},
    }
    return {"choices": [choice]}


def test_options_of_a_model_that_thinks_are_measured_with_thinking_off(server) -> None:
    """The card says so."""
    server.replies = beginning
    model = opened(server)
    (logprobs,) = model.choice_logprobs([choosing()])
    np.testing.assert_array_equal(logprobs, [-0.5, -1.5])
    assert model.about["options measured with thinking"] == "off"
    asked_for = opened(server)
    np.testing.assert_array_equal(asked_for.choice_logprobs([choosing(thinking="off")]), [logprobs])
    assert "options measured with thinking" not in asked_for.about


@pytest.mark.parametrize("thinking", ["", "off"])
def test_options_of_a_model_that_thinks_always_are_refused(server, thinking) -> None:
    """With the way out."""
    server.tops = [("<|channel|>", -0.01), ("yes", -6.0)]
    with pytest.raises(CannotAnswer, match="Switch thinking off where the server is started"):
        opened(server).choice_logprobs([choosing(thinking=thinking)])
    assert not any("Is it?" in prompt for prompt in server.prompts())


def test_options_behind_a_thought_are_refused(server) -> None:
    """A server would have to continue the thought."""
    with pytest.raises(CannotAnswer, match="cannot be scored behind a thought"):
        opened(server).choice_logprobs([choosing(thought="Hm.")])
