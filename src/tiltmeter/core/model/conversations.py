"""What a model that writes is asked: a conversation to continue, and the reply to it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

from tiltmeter.core.reading.json_text import parsed

Speaker: TypeAlias = Literal["system", "user", "assistant"]
Finish: TypeAlias = Literal["stop", "length", "content_filter"]
"""Why a reply ended: by itself or at a stop text, at the allowed length, or cut off by a filter."""
SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)
FINISHES: tuple[Finish, ...] = get_args(Finish)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation that a model is to continue."""

    messages: tuple[Message, ...]
    chat: bool = True
    """True: the model gets it as a conversation, under its chat template. False: it gets the texts as
    plain text, one after the other with a line break between them, and continues that."""

    @property
    def plain(self) -> str:
        """The texts without the speakers."""
        return "\n".join(message.text for message in self.messages)


@dataclass(frozen=True, slots=True)
class Writing:
    """Continue a prompt in words. Equal requests have one answer; `repeat` distinguishes them."""

    prompt: Prompt
    max_tokens: int
    temperature: float = 0.0
    """0: always the likeliest token. Otherwise tokens are drawn, logits divided by the temperature."""
    top_p: float = 1.0
    """Draw from the likeliest tokens that together have this probability."""
    stop: tuple[str, ...] = ()
    """Texts that end the reply; they are not part of it."""
    repeat: int = 0
    """Which of several replies to the same prompt, from 0."""
    seed: int = 0
    """Two requests that differ in seed or repeat are drawn independently."""


@dataclass(frozen=True, slots=True)
class BeamWriting:
    """Continue a prompt in several ways at once: the likeliest that a beam search finds."""

    prompt: Prompt
    max_tokens: int
    beams: int
    """How many ways are followed, and how many replies are wanted."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply; they are not part of it."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """How likely is each of these options as the reply to a prompt?"""

    prompt: Prompt
    options: tuple[str, ...]
    """Exactly as they would follow the prompt, with the space before a word if there is one."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, whole."""

    text: str
    finish: Finish = "stop"
    tokens_in: int = 0
    """Tokens of the prompt, the template's included."""
    tokens_out: int = 0


def request_key(request: Writing | BeamWriting | Choosing) -> str:
    """A request as a text that two different requests do not share."""
    return json.dumps(asdict(request), ensure_ascii=True, separators=(",", ":"))


def stored_reply(reply: Reply) -> str:
    """A reply as a text to be stored."""
    return json.dumps(asdict(reply), ensure_ascii=True, separators=(",", ":"))


def reply_of(stored: Any) -> Reply:
    """A stored reply.

    Raises:
        ValueError: It is not one.
    """
    fields = parsed(stored) if isinstance(stored, str) else None
    if not isinstance(fields, dict):
        raise ValueError("not a reply")  # noqa: TRY004
    text, finish = fields.get("text"), fields.get("finish")
    counts: Sequence[Any] = [fields.get(name) for name in ("tokens_in", "tokens_out")]
    if not isinstance(text, str) or finish not in FINISHES:
        raise ValueError("not a reply")
    if not all(type(count) is int and count >= 0 for count in counts):
        raise ValueError("not a reply")
    return Reply(text, finish, *counts)


def stored_replies(replies: Sequence[Reply]) -> str:
    """Several replies as a text to be stored."""
    return json.dumps([stored_reply(reply) for reply in replies], separators=(",", ":"))


def replies_of(stored: Any) -> tuple[Reply, ...]:
    """Several stored replies.

    Raises:
        ValueError: They are none.
    """
    texts = parsed(stored) if isinstance(stored, str) else None
    if not isinstance(texts, list):
        raise ValueError("not a list of replies")  # noqa: TRY004
    return tuple(map(reply_of, texts))
