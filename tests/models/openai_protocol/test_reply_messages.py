"""Each way in which servers give a reply and its thought is read as the same answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.model.conversations import Message, Prompt, Reply, Writing
from tiltmeter.core.model.thoughts import TAGS
from tiltmeter.models.openai_protocol.reply_messages import reply_in, template_began
from tiltmeter.models.openai_protocol.server_client import TryAgain

TALK = Prompt((Message("system", "Be brief."), Message("user", "Well?")))
TEXT = Prompt(TALK.messages, chat=False)
ASKED = Writing(TALK, 4)


def told(content="yes", finish="stop", **more):
    return {"choices": [{"message": {"content": content}, "finish_reason": finish, **more}]}


def message(finish: str = "stop", usage: object = None, **fields: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", **fields}, "finish_reason": finish}
    return {"choices": [choice], "usage": usage}


def used(reply: int, thought: int = 0, prompt: int = 7, **more: int) -> dict[str, Any]:
    details = {"completion_tokens_details": {"reasoning_tokens": thought}} if thought else {}
    return {"prompt_tokens": prompt, "completion_tokens": reply, **details, **more}


def test_a_whole_answer_is_the_reply():
    usage = {"usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    assert reply_in(told(" Yes.\n") | usage, ASKED) == Reply(" Yes.\n", "stop", 7, 2)
    text = {"choices": [{"text": " no", "finish_reason": "length"}]}
    assert reply_in(text, Writing(TEXT, 4)) == Reply(" no", "length", 0, 0)
    odd = {"usage": {"prompt_tokens": "7", "completion_tokens": -2}}
    assert reply_in(told("") | odd, ASKED) == Reply("", "stop", 0, 0)


THINKING = {
    "vLLM and SGLang before": (
        message(content="Bob", reasoning_content="Hm.", usage=used(9)),
        Reply("Bob", "stop", 7, 9, "Hm.", 4),
    ),
    "vLLM, Ollama, OpenRouter": (
        message(content="Bob", reasoning="Hm.", reasoning_content=None, usage=used(9)),
        Reply("Bob", "stop", 7, 9, "Hm.", 4),
    ),
    "the same thought in three fields": (
        message(
            content="Bob", reasoning="Hm.", reasoning_content="Hm.",
            reasoning_details=[{"type": "reasoning.text", "text": "Hm."}], usage=used(9, 5),
        ),
        Reply("Bob", "stop", 7, 9, "Hm.", 5),
    ),
    "OpenRouter's details alone": (
        message(
            content="Bob",
            reasoning_details=[
                {"type": "reasoning.summary", "summary": "Hm."},
                {"type": "reasoning.encrypted", "data": "abc"},
            ],
            usage=used(9, 5),
        ),
        Reply("Bob", "stop", 7, 9, "Hm.", 5),
    ),
    "Mistral's parts": (
        message(
            content=[
                {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                {"type": "text", "text": "B"},
                {"type": "text", "text": "ob"},
            ],
            usage=used(9),
        ),
        Reply("Bob", "stop", 7, 9, "Hm.", 4),
    ),
    "Mistral's parts without an answer": (
        message("length", content=[{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}],
                usage=used(9)),
        Reply("", "thinking", 7, 9, "Hm", 9),
    ),
    "LiteLLM's blocks": (
        message(content="Bob", thinking_blocks=[{"type": "thinking", "thinking": "Hm.", "signature": "x"}]),
        Reply("Bob", thought="Hm."),
    ),
    "tags in the text": (
        message(content="<think>Hm.</think>\n\nBob", usage=used(9)),
        Reply("Bob", "stop", 7, 9, "Hm.", 4),
    ),
    "tags in the text, and a field": (
        message(content="<think>Hm.</think>Bob", reasoning_content="Hm.", usage=used(9)),
        Reply("Bob", "stop", 7, 9, "Hm.", 4),
    ),
    "a lone end tag": (message(content="Hm.</think>Bob"), Reply("Bob", thought="Hm.")),
    "cut off in a field": (
        message("length", content=None, reasoning="Hm", usage=used(4)),
        Reply("", "thinking", 7, 4, "Hm", 4),
    ),
    "cut off, with empty content": (
        message("length", content="", reasoning_content="Hm", usage=used(4, 3)),
        Reply("", "thinking", 7, 4, "Hm", 3),
    ),
    "cut off between tags": (
        message("length", content="<think>Hm", usage=used(4)), Reply("", "thinking", 7, 4, "Hm", 4),
    ),
    "cut off, kept to itself (OpenAI)": (
        message("length", content="", usage=used(4, 4)), Reply("", "thinking", 7, 4, "", 4),
    ),
    "cut off, kept to itself and not counted": (
        message("length", content=None, usage=used(4)), Reply("", "thinking", 7, 4, "", 4),
    ),
    "kept to itself (OpenAI)": (
        message(content="Bob", usage=used(9, 8)), Reply("Bob", "stop", 7, 9, "", 8),
    ),
    "counted in the total alone (Gemini)": (
        message(content="Bob", usage=used(1, total_tokens=20)), Reply("Bob", "stop", 7, 13),
    ),
    "counted apart (xAI)": (
        message(content="Bob", usage=used(1, 300, total_tokens=308)), Reply("Bob", "stop", 7, 301, "", 300),
    ),
    "a thought and then nothing": (
        message(content=None, reasoning="Hm."), Reply("", "stop", thought="Hm."),
    ),
    "nothing at all": (message(content=None), Reply("")),
    "an answer cut off after a thought": (
        message("length", content="<think>Hm.</think>B", usage=used(9)),
        Reply("B", "length", 7, 9, "Hm.", 7),
    ),
    "a refusal in its own field": (message(content=None, refusal="I can't."), Reply("I can't.")),
    "a refusal as a part": (
        message(content=[{"type": "refusal", "refusal": "I can't."}]), Reply("I can't."),
    ),
    "gpt-oss without a parser": (
        message(content="<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final"
                "<|message|>Bob"),
        Reply("Bob", thought="Hm."),
    ),
    "halves of characters": (message(content="a\ud83d", reasoning="b\ud83d"),
                             Reply("a\ufffd", thought="b\ufffd")),
}  # fmt: skip


@pytest.mark.parametrize("name", THINKING)
def test_each_kind_of_answer(name: str) -> None:
    """(answer, thought, reason for the end, tokens) of what servers send."""
    answer, reply = THINKING[name]
    assert reply_in(answer, ASKED) == reply


WORDS = st.text(alphabet="abc XYZ.,\nÄ老", max_size=30).map(str.strip)


@given(WORDS.filter(bool), WORDS)
def test_an_answer_is_the_same_however_its_thought_is_marked(answer: str, thought: str) -> None:
    """Also where the thought names what could be answered, or a stop text."""
    asked = Writing(TALK, 4, stop=("\n\n", "X."))
    plain = reply_in(message(content=answer), asked)
    ways = [
        *({"content": f"{begin}{thought}{end}{answer}"} for begin, end in TAGS),
        *({"content": f"{thought}{end}\n\n{answer}"} for _, end in TAGS),
        *({"content": answer, name: thought} for name in ("reasoning", "reasoning_content")),
        {"content": f"\n\n{answer}\n", "reasoning_content": f"{thought}."},
        {"content": answer, "reasoning_details": [{"type": "reasoning.text", "text": thought}]},
        {"content": [{"type": "thinking", "thinking": thought}, {"type": "text", "text": answer}]},
    ]
    for way in ways:
        reply = reply_in(message(**way), asked)
        assert (reply.text, reply.finish) == (plain.text, plain.finish)


def test_a_thought_that_the_template_began_is_known_by_its_end() -> None:
    """Without the end it is known only of a model whose template begins thoughts, in a reply cut off."""
    assert template_began(message(content="Hm.</think>Bob"), ASKED)
    for text in ("<think>Hm.</think>Bob", "Bob", "<think>Hm", None):
        assert not template_began(message(content=text), ASKED)
    cut = message("length", content="Okay, so Bob", usage=used(4))
    assert reply_in(cut, ASKED) == Reply("Okay, so Bob", "length", 7, 4)
    assert reply_in(cut, ASKED, begun=True) == Reply("", "thinking", 7, 4, "Okay, so Bob", 4)
    assert reply_in(message(content="Bob"), ASKED, begun=True) == Reply("Bob")


def test_tags_of_the_user() -> None:
    """They are looked for as the usual ones are."""
    asked = Writing(TALK, 4, thinking_tags=("<plan>", "</plan>"))
    assert reply_in(message(content="<plan>Hm.</plan>Bob"), asked).text == "Bob"


def test_stop_texts_end_answers_and_not_thoughts() -> None:
    """A thought may have any number of lines."""
    asked = Writing(TALK, 4, stop=("\n",))
    reply = reply_in(message("length", content="<think>One.\nTwo.</think>Bob\nAnn"), asked)
    assert reply == Reply("Bob", thought="One.\nTwo.")
    assert reply_in(message("length", content="One.\nTwo.", reasoning=""), asked).finish == "stop"


def test_long_thoughts_are_read_quickly() -> None:
    """Of 200 kB, with what looks like marks in them."""
    thought = "Is it < or <|channel| or [ ? " * 7_000
    for fields in (
        {"content": f"<think>{thought}</think>Bob"},
        {"content": "Bob", "reasoning": thought},
    ):
        reply = reply_in(message(**fields), ASKED)
        assert (reply.text, reply.thought.strip()) == ("Bob", thought.strip())


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (told(None, "content_filter"), Reply("", "content_filter")),
        (told("a", "eos_token"), Reply("a")),
        (told("a\ud83d"), Reply("a\ufffd")),
        (told("yes\nIs the next", "length"), Reply("yes")),
    ],
)
def test_replies_in_unusual_forms(answer, reply):
    assert reply_in(answer, Writing(TALK, 4, stop=("\n",))) == reply


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ({"choices": []}, TryAgain, "choices is empty"),
        ({}, ValueError, "choices is missing"),
        ([], ValueError, "choices is missing"),
        ({"choices": "yes"}, ValueError, "choices is missing"),
        ({"choices": [None]}, ValueError, "choices is missing"),
        ({"choices": told()["choices"] * 2}, ValueError, "2 replies where one"),
        (message(), ValueError, "has no text$"),
        (told(["a"]), ValueError, "not a string"),
        (told([{"type": "image_url"}]), ValueError, "not a string"),
        (told({"text": "a"}), ValueError, "not a string"),
        (told(finish=None), ValueError, "unknown reason .'None'"),
        (told(finish="tool_calls"), ValueError, "unknown reason .'tool_calls'"),
        (told(finish=["stop"]), ValueError, "unknown reason"),
        ({"choices": [{"text": "a", "finish_reason": "stop"}]}, ValueError, "no text"),
    ],
)
def test_what_is_no_reply_is_never_taken_for_one(answer, error, message):
    with pytest.raises(error, match=message):
        reply_in(answer, ASKED)
