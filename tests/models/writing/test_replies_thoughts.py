"""Replies with thoughts: what counts against which limit, where stop texts count, and which tags are seen."""

import pytest

from support.thinkers import CHANNELS, SPECIAL, prompt, tokenizer, writer
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Choosing, Reply, Writing

THOUGHT = "<think>\nhm so\n</think>"
"""In tokens: 1 + 1 + 5 + 1 + 1 = 9."""


def write(family, text, *requests, limit=None, made=None, **asked):
    made = made or tokenizer(family)
    one, script = writer(made, {"Well?": text}, limit=limit)
    requests = requests or (Writing(prompt("Well?"), **{"max_tokens": 8} | asked),)
    return one.write(list(requests)), one, script


@pytest.mark.parametrize(
    ("limits", "reply"),
    [
        # as much as is needed of both
        ((6, 9), ("yes", "stop", "hm so", 9, 14)),
        ((6, 900), ("yes", "stop", "hm so", 9, 14)),
        # the answer is cut: it has a blank line and letters
        ((5, 9), ("yes", "length", "hm so", 9, 14)),
        ((4, 9), ("ye", "length", "hm so", 9, 13)),
        # the thought is cut, one token before its end
        ((5, 8), ("", "thinking", "hm so", 8, 8)),
        ((5, 1), ("", "thinking", "", 1, 1)),
        # no thought is foreseen: both share the answer's tokens
        ((15, 0), ("yes", "stop", "hm so", 9, 14)),
        ((12, 0), ("y", "length", "hm so", 9, 12)),
        ((9, 0), ("", "thinking", "hm so", 9, 9)),
        ((7, 0), ("", "thinking", "hm so", 7, 7)),
    ],
)
def test_thought_and_answer_have_limits_of_their_own(limits, reply):
    ((said,), _, _) = write(
        "qwen", f"{THOUGHT}\n\nyes", max_tokens=limits[0], thinking_tokens=limits[1]
    )
    assert (said.text, said.finish, said.thought, said.thought_tokens, said.tokens_out) == reply


@pytest.mark.parametrize("family", ["qwen", "deepseek-r1"])
def test_the_template_may_have_begun_the_thought(family):
    begun = family == "deepseek-r1"
    text = "hm so\n</think>\n\nyes" if begun else f"{THOUGHT}\n\nyes"
    ((said,), _, _) = write(family, text, max_tokens=6, thinking_tokens=9)
    assert (said.text, said.finish, said.thought) == ("yes", "stop", "hm so")
    assert said.thought_tokens == (7 if begun else 9)
    ((cut,), _, _) = write(family, text, max_tokens=6, thinking_tokens=6)
    assert (cut.text, cut.finish, cut.thought_tokens) == ("", "thinking", 6)
    # A reply that ends by itself, still thinking, has no answer either.
    thought = text.removesuffix("\n</think>\n\nyes")
    ((lost,), _, _) = write(family, thought, thinking_tokens=90)
    assert (lost.text, lost.finish) == ("", "thinking")


def test_a_reply_without_a_thought_is_as_it_always_was():
    for tokens in (0, 900):
        ((said,), _, _) = write("qwen", " yes", thinking_tokens=tokens)
        assert said == Reply(" yes", "stop", said.tokens_in, 4)
        ((cut,), _, _) = write("qwen", " yes, sir", max_tokens=4, thinking_tokens=tokens)
        assert cut == Reply(" yes", "length", said.tokens_in, 4)


@pytest.mark.parametrize("stop", ["\n", "s", "hm", "k>"])
def test_stop_texts_count_in_the_answer_alone(stop):
    ((said,), _, _) = write(
        "qwen", f"{THOUGHT}\n\nyes\nno", max_tokens=20, thinking_tokens=20, stop=(stop,)
    )
    kept = {"\n": "yes", "s": "ye"}.get(stop, "yes\nno")
    assert (said.text, said.finish, said.thought) == (kept, "stop", "hm so")
    assert said.tokens_out == {"\n": 9 + 6, "s": 9 + 5}.get(stop, 9 + 8)


def test_a_stop_text_before_any_answer_waits_where_a_thought_is_foreseen():
    ((without,), _, _) = write("qwen", f"\n{THOUGHT}yes", max_tokens=20, stop=("\n",))
    ((foreseen,), _, _) = write(
        "qwen", f"\n{THOUGHT}yes", max_tokens=20, stop=("\n",), thinking_tokens=20
    )
    assert (without.text, without.tokens_out) == ("", 1)
    assert (foreseen.text, foreseen.thought_tokens) == ("yes", 10)


def test_tags_that_are_special_tokens_are_seen():
    made = tokenizer("magistral", special=("[THINK]", "[/THINK]"))
    ((said,), _, _) = write("", "[THINK]hm[/THINK]yes", made=made, max_tokens=3, thinking_tokens=4)
    assert (said.text, said.thought, said.thought_tokens, said.tokens_out) == ("yes", "hm", 4, 7)
    ((cut,), _, _) = write("", "[THINK]hm[/THINK]yes", made=made, max_tokens=3, thinking_tokens=3)
    assert (cut.text, cut.finish) == ("", "thinking")
    # Other special tokens are dropped, as without a thought.
    text = f"[THINK]hm[/THINK]{SPECIAL[1]}yes"
    assert write("", text, made=made, thinking_tokens=9)[0][0].text == "yes"


def test_channels_that_are_special_tokens_are_seen():
    made = tokenizer("gpt-oss", special=CHANNELS)
    text = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>yes"
    tokens = 1 + 8 + 1 + 2 + 1 + 1 + 9 + 1 + 5 + 1
    ((said,), _, _) = write("", text, made=made, max_tokens=3, thinking_tokens=tokens)
    assert (said.text, said.thought, said.thought_tokens) == ("yes", "hm", tokens)
    assert said.finish == "length"
    ((cut,), _, _) = write("", text, made=made, max_tokens=3, thinking_tokens=tokens - 1)
    assert (cut.text, cut.finish) == ("", "thinking")
    ((off,), _, _) = write("", "yes", made=made, max_tokens=4, thinking="off")
    assert (off.text, off.thought) == ("yes", "")


def test_tags_of_the_user_and_words_that_look_like_none():
    text = "<plan>hm</plan>yes"
    tags = ("<plan>", "</plan>")
    ((said,), _, _) = write("plain", text, max_tokens=3, thinking_tokens=20, thinking_tags=tags)
    assert (said.text, said.thought, said.thought_tokens) == ("yes", "hm", 15)
    ((plain,), _, _) = write("plain", text, max_tokens=30)
    assert (plain.text, plain.thought) == (text, "")


def test_requests_with_several_limits_share_what_they_write():
    one, _ = writer(tokenizer("qwen"), {"Well?": f"{THOUGHT}\n\nyes"})
    asked = [
        Writing(prompt("Well?"), most, thinking_tokens=room)
        for most, room in ((5, 9), (3, 9), (9, 4), (9, 0), (5, 90))
    ]
    together = one.write(asked)
    assert together == [one.write([request])[0] for request in asked]
    assert [reply.text for reply in together] == ["yes", "y", "", "", "yes"]


def test_a_thought_has_what_the_models_limit_leaves():
    asked = Writing(prompt("Well?"), 6, thinking_tokens=4096)
    one, _ = writer(tokenizer("qwen"), {"Well?": f"{THOUGHT}\n\nyes"})
    length = one.write([asked])[0].tokens_in
    assert "room for thoughts" not in one._loaded.about
    for room, text in ((9, "yes"), (8, "")):
        one, _ = writer(tokenizer("qwen"), {"Well?": f"{THOUGHT}\n\nyes"}, limit=length + 6 + room)
        (reply,) = one.write([asked])
        assert (reply.text, reply.finish) == (text, "stop" if text else "thinking")
        assert "less than 4,096 tokens" in one._loaded.about["room for thoughts"]
    one, _ = writer(tokenizer("qwen"), {"Well?": "yes"}, limit=length + 5)
    with pytest.raises(CannotAnswer, match="reads at most"):
        one.write([asked])


def test_thoughts_longer_than_planned_wait_for_their_turn(monkeypatch):
    """Room is planned for few tokens at first: if all replies need more, some are read again."""
    monkeypatch.setattr("tiltmeter.core.model.conversations.PLANNED", 16)
    monkeypatch.setattr("tiltmeter.models.writing.reply_places.PLANNED", 16)
    texts = {f"Well {i}?": f"<think>{'hm ' * (20 + 2 * i)}</think>yes" for i in range(8)}
    asked = [Writing(prompt(text), 4, thinking_tokens=160) for text in texts]
    roomy, script = writer(tokenizer("qwen"), texts)
    right = roomy.write(asked)
    assert [reply.text for reply in right] == ["yes"] * 8
    assert script.read_again == 0
    for size in (200, 300, 400):
        tight, script = writer(tokenizer("qwen"), texts, tokens=size)
        assert tight.write(asked) == right
        assert script.read_again > 0


def test_no_choice_while_thinking():
    one, _ = writer(tokenizer("qwen"), {"Well?": "yes"})
    with pytest.raises(CannotAnswer, match="cannot choose and think"):
        one.options(Choosing(prompt("Well?"), ("yes", "no"), thinking="high"))


def test_options_behind_a_thought_are_continuations_of_it():
    made = tokenizer("qwen")
    one, _ = writer(made, {"Well?": "yes"})
    behind = one.options(Choosing(prompt("Well?"), ("yes", "no"), thought="hm so"))
    off = one.options(Choosing(prompt("Well?"), ("yes", "no")))
    assert [made.decode(option.ids) for option in behind] == ["yes", "no"]
    assert made.decode(behind[0].context).endswith("assistant\n<think>\nhm so\n</think>\n\n")
    assert made.decode(off[0].context).endswith("assistant\n<think>\n\n</think>\n\n")
