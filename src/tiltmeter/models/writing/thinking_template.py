r"""What a chat template does about thinking, found out by filling it in, and how it is asked for more.

Templates take thinking as a variable whose name differs from model to model, and none says which. So a
conversation of one word is filled in with each of the usual variables: a variable is known if its value
changes the text. A model thinks by itself

- if the text without the variable differs from that with the variable off (Qwen3: `enable_thinking`;
  DeepSeek-V3.1, whose `thinking` is off by default, does not);
- otherwise, without such a variable, if the text ends with the beginning of a thought (DeepSeek-R1), and does
  not if it ends with the end of one;
- otherwise if the template mentions the beginning or the end of a thought outside of comments (Magistral's
  `[THINK]`, or the channels of gpt-oss), or takes an effort (`reasoning_effort`).

Without a variable, thinking is switched off by an empty thought at the end of the prompt: with most models
`<think>\n\n</think>` and a blank line, as Qwen3's template does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Thinking
from tiltmeter.core.model.thoughts import (
    CHANNELS,
    FINAL,
    TAGS,
    closes_thought,
    opens_thought,
    tags_in,
)

SWITCHES = ("enable_thinking", "thinking", "reasoning")
"""Variables of templates that switch thinking on and off: Qwen, GLM, Gemma and others; DeepSeek, Granite and
Kimi; Command A."""
EFFORT = "reasoning_effort"
EFFORTS: tuple[Thinking, ...] = ("low", "medium", "high")
NONSENSE = "tiltmeter"
"""A value that no template knows."""
Fill = Callable[[Mapping[str, object]], str | None]
"""From variables to the filled template; None where it refuses them."""


@dataclass(frozen=True, slots=True)
class ThinkingTemplate:
    """How a chat template is asked to have the model think, and how thoughts are marked in it."""

    thinks: bool = False
    """Whether the model thinks where nothing is asked for."""
    switch: str = ""
    """The variable that switches thinking on and off; "" where there is none."""
    efforts: tuple[Thinking, ...] = ()
    """The efforts that it knows."""
    takes_none: bool = False
    """Whether "none" is an effort too."""
    tags: tuple[str, str] = TAGS[0]
    """The beginning and the end of a thought."""
    gap: str = "\n"
    """What stands between a tag and the thought, and twice between the thought and the answer."""

    @property
    def can_think(self) -> bool:
        """Whether the model thinks by itself, or where it is asked to."""
        return self.thinks or bool(self.switch or self.efforts)

    def variables(self, thinking: Thinking) -> dict[str, object]:
        """The variables that ask the template for this; {} where nothing needs to be said.

        Raises:
            CannotAnswer: The template does not know it.
        """
        if thinking == "off":
            if self.switch:
                return {self.switch: False}
            return {EFFORT: "none"} if self.takes_none and self.thinks else {}
        if thinking in EFFORTS:
            if thinking not in self.efforts:
                raise CannotAnswer(self._unknown_effort(thinking))
            return {EFFORT: thinking, **({self.switch: True} if self.switch else {})}
        if thinking == "on":
            if self.switch:
                return {self.switch: True}
            if not self.can_think:
                raise CannotAnswer(
                    "its chat template knows no thinking, so it cannot be asked for it; leave out --thinking"
                )
            effort = "medium" if "medium" in self.efforts else "high"
            return {} if self.thinks else {EFFORT: effort}
        return {}

    def _unknown_effort(self, effort: Thinking) -> str:
        known = [*(("on", "off") if self.can_think else ()), *self.efforts]
        way_out = f"use --thinking {' or '.join(known)}" if known else "leave out --thinking"
        return f"its chat template does not know the effort {effort}; {way_out}"

    def without_thought(self, prompt: str, tags: Sequence[str] = ()) -> str:
        """A filled template that asks for no thought, with an empty one behind it if the model needs that.

        Args:
            prompt: The filled template.
            tags: The beginning and the end of a thought, where they are not the template's.
        """
        begin, end = tags or self.tags
        if opens_thought(prompt, tags):
            return f"{prompt}{self.gap}{end}{2 * self.gap}"
        if not self.thinks or self.switch or self.takes_none or closes_thought(prompt, tags):
            return prompt
        if begin == CHANNELS[0]:
            return prompt + FINAL
        return f"{prompt}{begin}{2 * self.gap}{end}{2 * self.gap}"

    def with_thought(self, prompt: str, thought: str, tags: Sequence[str] = ()) -> str:
        """A filled template with a whole thought behind it, after which the answer is to come."""
        if not thought:
            return self.without_thought(prompt, tags)
        begin, end = tags or self.tags
        begun = prompt if opens_thought(prompt, tags) else f"{prompt}{begin}{self.gap}"
        return f"{begun}{thought}{self.gap}{end}{2 * self.gap}"

    @property
    def summary(self) -> str:
        """What it does about thinking, for the card; "" where it does nothing.

        >>> ThinkingTemplate(thinks=True, switch="enable_thinking").summary
        'by itself, unless enable_thinking is off'
        """
        if not self.can_think:
            return ""
        if not self.thinks:
            return f"only where {self.switch or EFFORT} asks for it"
        switch = f"{self.switch} is off" if self.switch else f"{EFFORT} is none"
        if self.switch or self.takes_none:
            return f"by itself, unless {switch}"
        return "by itself; switched off by an empty thought behind the prompt"


def thinking_template(tokenizer: Any) -> ThinkingTemplate:
    """What the chat template of a tokenizer does about thinking."""
    if not tokenizer.chat_template:
        return ThinkingTemplate()
    source = re.sub(r"\{#.*?#\}", "", str(tokenizer.chat_template), flags=re.DOTALL)
    return template_of(source.replace("\\n", "\n"), lambda variables: _filled(tokenizer, variables))


def template_of(source: str, fill: Fill) -> ThinkingTemplate:
    """What a template does about thinking, from its text without comments and a way to fill it in."""
    plain = fill({}) or ""
    switch = next((name for name in SWITCHES if _differ(fill, name, on=True, off=False)), "")
    efforts: tuple[Thinking, ...] = ()
    if _differ(fill, EFFORT, on="high", off="low") or _differ(fill, EFFORT, on="high", off="none"):
        efforts = tuple(effort for effort in EFFORTS if fill({EFFORT: effort}) is not None)
    none = fill({EFFORT: "none"}) if efforts else None
    takes_none = none is not None and not _is_nonsense(fill, none)
    tags = tags_in(source)
    if switch:
        thinks = plain != fill({switch: False})
    elif opens_thought(plain) or closes_thought(plain):
        thinks = opens_thought(plain)
    elif takes_none:
        thinks = plain != none
    else:
        thinks = tags is not None or bool(efforts)
    return ThinkingTemplate(
        thinks, switch, efforts, takes_none, tags or TAGS[0], _gap(source, tags or TAGS[0])
    )


def _differ(fill: Fill, name: str, *, on: object, off: object) -> bool:
    """Whether the value of a variable changes the text."""
    texts = fill({name: on}), fill({name: off})
    return None not in texts and texts[0] != texts[1]


def _is_nonsense(fill: Fill, none: str) -> bool:
    """Whether the template treats the effort "none" like any word that it does not know."""
    odd = fill({EFFORT: NONSENSE})
    return odd is not None and odd.replace(NONSENSE, "none") == none


def _gap(source: str, tags: tuple[str, str]) -> str:
    """A line break, unless the template writes its tags without one."""
    begin = tags[0]
    return "" if begin in source and f"{begin}\n" not in source else "\n"


def _filled(tokenizer: Any, variables: Mapping[str, object]) -> str | None:
    from jinja2 import TemplateError

    turns = [{"role": "user", "content": "Hi"}]
    try:
        text: str = tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True, **variables
        )
    except (TemplateError, TypeError, ValueError, IndexError):
        return None
    return text
