"""Thoughts are kept apart from answers, however they are marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.model.thoughts import TAGS, parted, stored_text, tags_given, with_thought_apart

WORDS = st.text(alphabet="abc XYZ.,\nÄ老", max_size=20)


@pytest.mark.parametrize(("begin", "end"), TAGS)
def test_each_usual_tag(begin: str, end: str) -> None:
    """A thought, the lone end that a template leaves, and a thought without an end."""
    whole = parted(f"{begin}\nAnn or Bob?\n{end}\n\nBob")
    assert (whole.answer, whole.thought, whole.is_open) == ("Bob", "Ann or Bob?", False)
    assert parted(f"Ann or Bob?{end}Bob") == whole
    cut = parted(f"{begin}Ann or Bob?")
    assert (cut.answer, cut.thought, cut.is_open) == ("", "Ann or Bob?", True)
    assert parted(f"{begin}{end}Bob").answer == "Bob"
    assert parted(f"{begin.upper()}x{end.upper()}Bob").answer == "Bob"


@pytest.mark.parametrize(
    ("text", "answer", "thought", "is_open"),
    [
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Bob<|return|>",
         "Bob", "Hm.", False),
        ("<|channel|>analysis<|message|>Hm", "", "Hm", True),
        ("<|channel|>final<|message|>Bob", "Bob", "", False),
        ("analysisHm.assistantfinalBob", "Bob", "Hm.", False),
        ("analysis of the text: Bob", "analysis of the text: Bob", "", False),
        ("One.</think>Two.</think>Bob", "Bob", "One.\nTwo.", False),
        ("<think>One <thinking> two</think>Bob", "Bob", "One <thinking> two", False),
        ("Bob", "Bob", "", False),
        ("  Bob\n", "  Bob\n", "", False),
    ],
)  # fmt: skip
def test_other_marks(text: str, answer: str, thought: str, *, is_open: bool) -> None:
    """Channels with and without their control tokens, several thoughts, and texts without any."""
    parts = parted(text)
    assert (parts.answer, parts.thought, parts.is_open) == (answer, thought, is_open)


@given(WORDS, WORDS)
def test_an_answer_never_has_a_thought(thought: str, answer: str) -> None:
    """Whatever is thought, the answer is as without it."""
    for begin, end in TAGS:
        parts = parted(f"{begin}{thought}{end}{answer}")
        assert (parts.answer, parts.thought) == (answer.strip(), thought.strip())


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    """Any text has parts, and one without marks stays as it is."""
    parts = parted(text)
    assert parts.answer == text or parts.thought or "think" in text.lower() or "|" in text


def test_tags_of_the_user() -> None:
    """A further beginning and end, besides the usual ones."""
    tags = tags_given("<plan>, </plan>")
    assert parted("<plan>Hm.</plan>Bob", tags).answer == "Bob"
    assert parted("<think>Hm.</think>Bob", tags).answer == "Bob"
    assert parted("<plan>Hm.</plan>Bob").thought == ""
    for wrong in ("<plan>", "a,a", ",b", "a,b,c"):
        with pytest.raises(BadInput, match="beginning and the end"):
            tags_given(wrong)


def test_a_reply_with_its_thought_apart() -> None:
    """Tokens of the thought are counted by its server, or else estimated; without an answer it is cut off."""
    given_reply = Reply("Bob", tokens_out=30, thought="Hm.", thought_tokens=20)
    assert with_thought_apart(given_reply) == given_reply
    inside = with_thought_apart(Reply("<think>1234567</think>Bob", tokens_out=10))
    assert (inside.text, inside.thought_tokens, inside.finish) == ("Bob", 7, "stop")
    assert with_thought_apart(Reply("<think>Bob", "length")).finish == "thinking"
    assert with_thought_apart(Reply("<think>Bob")).finish == "thinking"
    assert with_thought_apart(Reply("", "length", thought="Bob?")).finish == "thinking"
    assert with_thought_apart(Reply("Well, Bo", "length", thought="Bob?")).finish == "length"
    assert stored_text("plain") == Reply("plain")
