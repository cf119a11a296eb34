"""A reply is followed letter by letter: from where on it is an answer."""

import pytest

from tiltmeter.models.writing.thought_progress import ThoughtProgress


def followed(text, start=None):
    """The progress after each letter, each of which is a token."""
    progress = start or ThoughtProgress()
    steps = []
    for end in range(1, len(text) + 1):
        progress = progress.after(text[:end], "".join)
        steps.append(progress)
    return steps


def test_an_answer_is_clear_from_the_first_letter():
    assert [step.at for step in followed("Bob")] == ["answer"] * 3
    assert [step.at for step in followed(" \n<b>")] == [
        "begin",
        "begin",
        "begin",
        "answer",
        "answer",
    ]


@pytest.mark.parametrize("text", ["<think>so</think>", "\n[THINK]</think>[/THINK]"])
def test_a_thought_ends_with_its_own_end(text):
    steps = followed(f"{text} Bob")
    begun = text.index(">") + 1 if "<think>" in text else text.index("]") + 1
    assert [step.at for step in steps] == (
        ["begin"] * (begun - 1) + ["thought"] * (len(text) - begun) + ["answer"] * 5
    )
    assert {step.tokens for step in steps if step.at == "answer"} == {len(text)}


def test_a_thought_that_the_template_began_ends_with_any_end():
    steps = followed("so</THINK>Bob", ThoughtProgress(at="thought"))
    assert [step.at for step in steps].index("answer") == len("so</THINK>") - 1


def test_channels():
    text = "<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>final<|message|>"
    steps = followed(f"{text}Bob")
    assert steps[-1].tokens == len(text)
    assert followed("<|channel|>final<|message|>B")[-1] == ThoughtProgress(at="answer")


def test_long_thoughts_and_tags_of_the_user():
    tags = ("<plan>", "</plan>")
    steps = followed(f"<plan>{'so ' * 500}</plan>Bob", ThoughtProgress(tags))
    assert steps[-1].tokens == 1513
    assert followed("<plan>so", ThoughtProgress())[-1].at == "answer"
