"""What chat templates do about thinking, found out by filling them in."""

import pytest

from support.thinkers import TEMPLATES, tokenizer
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.thoughts import CHANNELS, FINAL
from tiltmeter.models.writing.thinking_template import ThinkingTemplate, thinking_template


def of(family):
    return thinking_template(tokenizer(family))


@pytest.mark.parametrize(
    ("family", "thinks", "switch", "efforts", "takes_none"),
    [
        ("plain", False, "", (), False),
        ("comment", False, "", (), False),
        ("qwen", True, "enable_thinking", (), False),
        ("deepseek-r1", True, "", (), False),
        ("deepseek-v3", False, "thinking", (), False),
        ("gpt-oss", True, "", ("low", "medium", "high"), False),
        ("magistral", True, "", (), False),
        ("efforts", False, "", ("high",), True),
    ],
)
def test_what_a_template_knows(family, thinks, switch, efforts, takes_none):
    known = of(family)
    assert (known.thinks, known.switch, known.efforts, known.takes_none) == (
        thinks, switch, efforts, takes_none,
    )  # fmt: skip
    assert known.can_think is (family not in {"plain", "comment"})


def test_a_tokenizer_without_a_template_knows_nothing():
    made = tokenizer("plain")
    made.chat_template = None
    assert thinking_template(made) == ThinkingTemplate()
    assert ThinkingTemplate().summary == ""


@pytest.mark.parametrize(
    ("family", "thinking", "variables"),
    [
        ("plain", "off", {}),
        ("qwen", "", {}),
        ("qwen", "off", {"enable_thinking": False}),
        ("qwen", "on", {"enable_thinking": True}),
        ("deepseek-r1", "off", {}),
        ("deepseek-r1", "on", {}),
        ("deepseek-v3", "on", {"thinking": True}),
        ("gpt-oss", "on", {}),
        ("gpt-oss", "low", {"reasoning_effort": "low"}),
        ("gpt-oss", "off", {}),
        ("efforts", "on", {"reasoning_effort": "high"}),
        ("efforts", "off", {}),
    ],
)
def test_how_it_is_asked(family, thinking, variables):
    assert of(family).variables(thinking) == variables


def test_a_template_that_thinks_hard_by_itself_is_asked_for_none():
    known = ThinkingTemplate(thinks=True, efforts=("high",), takes_none=True)
    assert known.variables("off") == {"reasoning_effort": "none"}
    assert known.summary == "by itself, unless reasoning_effort is none"
    assert known.without_thought("prompt") == "prompt"


@pytest.mark.parametrize(
    ("family", "thinking", "reason"),
    [
        ("plain", "on", "knows no thinking.*leave out"),
        ("plain", "high", "does not know the effort high; leave out"),
        ("qwen", "high", "does not know the effort high; use --thinking on or off$"),
        ("efforts", "low", "does not know the effort low; use --thinking on or off or high$"),
    ],
)
def test_what_it_does_not_know_is_refused(family, thinking, reason):
    with pytest.raises(CannotAnswer, match=reason):
        of(family).variables(thinking)


EMPTY = "<think>\n\n</think>\n\n"


@pytest.mark.parametrize(
    ("family", "prompt", "without", "behind"),
    [
        ("plain", "p", "p", "p<think>\nso\n</think>\n\n"),
        ("qwen", f"p{EMPTY}", f"p{EMPTY}", None),
        ("qwen", "p", "p", "p<think>\nso\n</think>\n\n"),
        ("deepseek-r1", "p<think>\n", f"p{EMPTY}", "p<think>\nso\n</think>\n\n"),
        ("deepseek-v3", "p</think>", "p</think>", None),
        ("deepseek-v3", "p<think>", "p<think></think>", "p<think>so</think>"),
        ("magistral", "p", "p[THINK][/THINK]", "p[THINK]so[/THINK]"),
        ("gpt-oss", "p", f"p{FINAL}", f"p{CHANNELS[0]}so{CHANNELS[1]}"),
    ],
)
def test_an_empty_and_a_given_thought(family, prompt, without, behind):
    known = of(family)
    assert known.without_thought(prompt) == without
    assert known.with_thought(prompt, "") == without
    if behind is not None:
        assert known.with_thought(prompt, "so") == behind


def test_tags_of_the_user_come_first():
    tags = ("<plan>", "</plan>")
    assert of("plain").with_thought("p", "so", tags) == "p<plan>\nso\n</plan>\n\n"
    assert of("deepseek-r1").without_thought("p<plan>", tags) == "p<plan>\n</plan>\n\n"


def test_what_the_card_says():
    assert {family: of(family).summary for family in TEMPLATES if of(family).summary} == {
        "qwen": "by itself, unless enable_thinking is off",
        "deepseek-r1": "by itself; switched off by an empty thought behind the prompt",
        "deepseek-v3": "only where thinking asks for it",
        "gpt-oss": "by itself; switched off by an empty thought behind the prompt",
        "magistral": "by itself; switched off by an empty thought behind the prompt",
        "efforts": "only where reasoning_effort asks for it",
    }
