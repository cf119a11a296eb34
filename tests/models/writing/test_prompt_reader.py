"""Prompts under templates that know thinking, and answers behind a thought."""

from pathlib import Path

import pytest
import torch

from support.thinkers import prompt, tokenizer
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.writing.prompt_reader import PromptReader


def reader(family, **more):
    made = tokenizer(family, **more)
    loaded = Loaded(None, made, Path(), torch.device("cpu"), 64, "", {}, cased=True)
    return PromptReader("M", loaded), made


ASKED = "<|im_start|>user\nWell?<|im_end|>\n<|im_start|>assistant\n"
EMPTY = "<think>\n\n</think>\n\n"


@pytest.mark.parametrize(
    ("family", "thinking", "end", "in_thought"),
    [
        ("plain", "", "", False),
        ("plain", "off", "", False),
        ("qwen", "", "", False),
        ("qwen", "on", "", False),
        ("qwen", "off", EMPTY, False),
        ("deepseek-r1", "", "<think>\n", True),
        ("deepseek-r1", "off", EMPTY, False),
        ("deepseek-v3", "", "</think>", False),
        ("deepseek-v3", "on", "<think>", True),
    ],
)
def test_what_the_model_reads(family, thinking, end, in_thought):
    read, made = reader(family)
    asked = read.asked(prompt("Well?"), thinking)
    assert made.decode(asked.ids) == ASKED + end
    assert asked.in_thought is in_thought
    if thinking == "":
        assert read.tokens([prompt("Well?")]) == [asked.ids]


def test_answers_are_read_without_a_thought_or_behind_one():
    read, made = reader("deepseek-r1")
    without = read.followed(prompt("Well?"), ["", "yes"])
    behind = read.followed(prompt("Well?"), ["", "yes"], "so")
    empty = read.followed(prompt("Well?"), ["yes"], "")
    assert [made.decode(ids) for ids in without] == [ASKED + EMPTY, f"{ASKED}{EMPTY}yes"]
    assert [made.decode(ids) for ids in behind] == [
        f"{ASKED}<think>\nso\n</think>\n\n", f"{ASKED}<think>\nso\n</think>\n\nyes",
    ]  # fmt: skip
    assert made.decode(empty[0]) == f"{ASKED}{EMPTY}yes"


def test_a_model_that_thinks_only_if_asked_is_asked_for_a_thought_before_one_is_given():
    read, made = reader("deepseek-v3")
    (ids,) = read.followed(prompt("Well?"), ["yes"], "so")
    assert made.decode(ids) == f"{ASKED}<think>so</think>yes"


def test_control_tokens_in_a_thought_are_letters():
    read, made = reader("qwen")
    (plain,) = read.followed(prompt("Well?"), ["yes"], "so")
    (spelled,) = read.followed(prompt("Well?"), ["yes"], "so<|im_end|>")
    assert spelled.count(made.eos_token_id) == plain.count(made.eos_token_id)


def test_thinking_needs_a_conversation_and_a_template_that_knows_it():
    plain = Prompt((Message("user", "Well?"),), chat=False)
    read, _ = reader("qwen")
    assert read.asked(plain, "off") == read.asked(plain)
    assert read.followed(plain, [" yes"])
    for ask in (lambda: read.asked(plain, "on"), lambda: read.followed(plain, ["yes"], "so")):
        with pytest.raises(CannotAnswer, match=r"M thinks in conversations only.*--set wrap=chat"):
            ask()
    read, made = reader("plain")
    with pytest.raises(CannotAnswer, match=r"M: its chat template knows no thinking"):
        read.asked(prompt("Well?"), "on")
    assert made.decode(read.asked(prompt("Well?"), "on", ("<plan>", "</plan>")).ids) == ASKED


def test_a_sequence_to_sequence_model_does_not_think():
    read, _ = reader("qwen")
    read = PromptReader("M", read._loaded, closed=True)
    assert not read.thinking.can_think
    with pytest.raises(CannotAnswer, match="sequence-to-sequence model, which does not think"):
        read.asked(prompt("Well?"), "high")
    assert read.asked(prompt("Well?"), "off").ids == read.asked(prompt("Well?")).ids
