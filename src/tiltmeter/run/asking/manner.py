"""How a model is asked to reply, whatever it is asked: with a system prompt, with or without thinking.

A study's rule makes its requests without knowing of this; `Manner.applied` changes them on their way to the
stored answers and the model, so that an answer is stored under the request that was really made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import (
    ALLOWANCES,
    BeamWriting,
    Choosing,
    Message,
    Prompt,
    Thinking,
    Writing,
)
from tiltmeter.core.model.protocols import ChoosesAfterThoughts, Fact, TakesPrompts, WritesBeams
from tiltmeter.core.model.thoughts import tags_given
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.reply_counts import ReplyCounts
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Rule
from tiltmeter.core.text import counted, shortened
from tiltmeter.data.files.plain_text import lines
from tiltmeter.run.run_options import ReplyOptions, RunOptions

R = TypeVar("R")
ANY_REPLY = (Writing, BeamWriting, Choosing)
"""The requests that are for a reply."""
THINKING = frozenset({"on", "low", "medium", "high"})
"""The ways of thinking that ask for thoughts."""


FACTS = ("system prompt", "thinking asked for", "answer tokens", "thinking tokens", "thinking tags")
"""What cards call what a manner changes (`Manner.facts`)."""
SHOWN = 40
"""How many characters of a system prompt tell two of them apart in a sentence."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How all requests of a run are made; the default leaves them as the study makes them."""

    system: str = ""
    """The system prompt with which every conversation begins; "" for none."""
    thinking: Thinking = ""
    answer_tokens: int | None = None
    """Tokens of an answer in place of the study's number; None keeps that."""
    thinking_tokens: int | None = None
    """Tokens of a thought; None has the number of `ALLOWANCES` where a thought is foreseen."""
    tags: tuple[str, ...] = ()

    def applied(self, requests: Sequence[R], *, thinks: bool = False) -> Sequence[R]:
        """The requests as they are made; those that are not for a reply are returned as they are.

        Args:
            requests: Of one question to a model.
            thinks: Whether the model is known to think by itself.
        """
        asks = any(getattr(request, "thinking", "") for request in requests)
        if not (thinks or asks or self != Manner()):
            return requests
        return [self._one(request, thinks=thinks) for request in requests]

    def _one(self, request: R, *, thinks: bool) -> R:
        if not isinstance(request, ANY_REPLY):
            return request
        prompt = self._prompt(request.prompt)
        thinking = self.thinking or getattr(request, "thinking", "")  # a rule may ask for thoughts
        if isinstance(request, Writing):
            return replace(
                request,
                prompt=prompt,
                max_tokens=self.answer_tokens or request.max_tokens,
                thinking=thinking,
                thinking_tokens=self._allowance(thinking, thinks=thinks) if prompt.chat else 0,
                thinking_tags=self.tags,
            )
        if isinstance(request, BeamWriting):
            return replace(
                request, prompt=prompt, max_tokens=self.answer_tokens or request.max_tokens
            )
        return replace(request, prompt=prompt, thinking=thinking, thinking_tags=self.tags)

    def _prompt(self, prompt: Prompt) -> Prompt:
        if not self.system:
            return prompt
        return replace(prompt, messages=(Message("system", self.system), *prompt.messages))

    def _allowance(self, thinking: Thinking, *, thinks: bool) -> int:
        if self.thinking_tokens is not None:
            return self.thinking_tokens
        foreseen = thinking in THINKING or (thinks and thinking != "off")
        return ALLOWANCES[thinking] if foreseen else 0

    @property
    def facts(self) -> dict[str, Fact]:
        """What the card of a result says about it; {} for the default."""
        values = (
            self.system, self.thinking, self.answer_tokens, self.thinking_tokens, " ".join(self.tags),
        )  # fmt: skip
        return {name: value for name, value in zip(FACTS, values, strict=True) if value}


def manners_apart(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[tuple[str, str]]:
    """In what two models were asked differently, each as both cards have it.

    >>> manners_apart({"thinking asked for": "off", "answer tokens": 9}, {"answer tokens": 9})
    [('thinking off', 'thinking not set')]
    >>> manners_apart({"system prompt": "Be brief."}, {"system prompt": "You are an assistant for loans."})
    [('system prompt “Be brief.”', 'system prompt “You are an assistant for loans.”')]
    """
    return [
        (_manner_in_words(name, a.get(name)), _manner_in_words(name, b.get(name)))
        for name in FACTS
        if a.get(name) != b.get(name)
    ]


def _manner_in_words(name: str, value: Fact) -> str:
    called = name.removesuffix(" asked for")
    if value is None:
        return f"{called} not set"
    return f"{called} “{shortened(str(value), SHOWN)}”" if name == FACTS[0] else f"{called} {value}"


def thinking_note(asked: Thinking, replies: ReplyCounts | None) -> Note | None:
    """A note where replies show that a model did not think as it was asked to; None where it did.

    >>> counts = ReplyCounts(200, 200, 0, 0, 0, 0, 0, thoughts=24)
    >>> thinking_note("off", counts).text
    'Thinking was asked to be off, and 24 of 200 replies (12.0 %) thought before they answered.'
    """
    if not asked or replies is None:
        return None
    thoughts, count = replies.thoughts, replies.replies
    if asked == "off":
        share = f"{thoughts:,} of {counted(count, 'replies')} ({100 * thoughts / count:.1f} %)"
        text = f"Thinking was asked to be off, and {share} thought before they answered."
        return Note("caution", text) if thoughts else None
    lacking = (
        f"{count - thoughts:,} of {counted(count, 'replies')} came"
        if thoughts
        else "all replies came"
    )
    text = (
        f"Thinking was asked for ({asked}), and {lacking} without a thought: the model did not think, or "
        "its server does not return thoughts."
    )
    return Note("caution", text) if thoughts < count else None


def manner_of(options: ReplyOptions) -> Manner:
    """The manner that the options describe; the file with the system prompt is read here.

    Raises:
        BadInput: The file cannot be read or is empty, or the tags are not two.
    """
    system = _system_prompt(options.system) if options.system is not None else ""
    return Manner(
        system, cast("Thinking", options.thinking or ""), options.answer_tokens, options.thinking_tokens,
        tags_given(options.thinking_tags),
    )  # fmt: skip


def _system_prompt(path: str | Path) -> str:
    text = "".join(lines(path)).strip()
    if not text:
        raise BadInput("there is no text in it", "write the system prompt there", file=str(path))
    return text


def with_shared(
    options: RunOptions, shared: ReplyOptions, rules: Sequence[Rule[Any]]
) -> tuple[RunOptions, tuple[str, ...]]:
    """The options of a run with those of `shared` that it leaves open, as far as these have an effect.

    A rule that scores options is measured without a thought where thoughts are asked for.

    Args:
        options: Of one study.
        shared: Of a command or a file, for several studies.
        rules: By which the study is measured, one for each model.

    Returns:
        The options, and the names of those of `shared` that have no effect, as users write them.
    """
    without: list[str] = []
    for name, option in options_of(ReplyOptions).items():
        value = getattr(shared, option.name)
        if value == option.default or getattr(options, option.name) != option.default:
            continue
        tries = [value, *(["off"] if name == "thinking" and value in THINKING else [])]
        fitting = next((v for v in tries if _has_effect(rules, option.name, v)), option.default)
        options = replace(options, **{option.name: fitting})
        without += [name] if fitting != value else []
    return options, tuple(without)


def _has_effect(rules: Sequence[Rule[Any]], name: str, value: Any) -> bool:
    try:
        for rule in rules:
            check_replies(rule, replace(ReplyOptions(), **{name: value}))
    except BadInput:
        return False
    return True


def check_replies(rule: Rule[Any], options: ReplyOptions) -> None:
    """Refuse options about replies that have no effect on a rule, or contradict it.

    Raises:
        BadInput: One does; the message says what to do instead.
    """
    given = [
        name
        for name, option in options_of(ReplyOptions).items()
        if getattr(options, option.name) != option.default
    ]
    writes = rule.replies is not None
    in_words = writes or TakesPrompts in rule.needs.__mro__
    for name in given if not in_words else ():
        reason = f"--{name} has no effect: by {rule.name} the model is asked for no reply"
        raise BadInput(reason, "leave it out, or name a rule by which it writes")
    for name in ("answer-tokens", "thinking-tokens", "thinking-tags", "repeats"):
        if name in given and not writes:
            reason = f"--{name} has no effect: by {rule.name} the model writes nothing"
            raise BadInput(reason, "leave it out, or name a rule by which it writes")
    if options.thinking in THINKING and not writes:
        reason = (
            f"--thinking {options.thinking} contradicts {rule.name}, which measures how likely options are "
            "as the beginning of a reply: such a reply begins with a thought"
        )
        way_out = "use --thinking off, or a rule by which the model writes, or choice_after_thought"
        raise BadInput(reason, way_out)
    if options.repeats is not None and WritesBeams in rule.needs.__mro__:
        reason = (
            f"--repeats has no effect: {rule.name} is a beam search, which finds the same again"
        )
        raise BadInput(reason, "leave it out, or name a rule that draws replies")
    if options.thinking == "off" and ChoosesAfterThoughts in rule.needs.__mro__:
        reason = f"--thinking off contradicts {rule.name}, which scores options behind a thought"
        raise BadInput(reason, "leave it out, or use --rule choice")
    if options.thinking in THINKING and WritesBeams in rule.needs.__mro__:
        reason = f"--thinking {options.thinking} has no effect: {rule.name} is a beam search"
        raise BadInput(reason, "leave it out, or name another --rule")
