"""What a model that writes is asked: a conversation to continue, and the reply to it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from tiltmeter.core.reading.json_text import parsed

Speaker: TypeAlias = Literal["system", "user", "assistant"]
Finish: TypeAlias = Literal["stop", "length", "content_filter", "thinking"]
"""Why a reply ended: by itself or at a stop text, at the allowed length, cut off by a filter, or while the
model was still thinking, so that it never came to an answer."""
Thinking: TypeAlias = Literal["", "off", "on", "low", "medium", "high"]
"""How much a model is to think before it answers; "" leaves it to the model."""
PLANNED = 256
"""The most tokens of a reply, thought included, for which room is planned before any reply has ended."""
SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)
FINISHES: tuple[Finish, ...] = get_args(Finish)
ALLOWANCES: Mapping[Thinking, int] = {
    "": 4_096, "off": 4_096, "on": 4_096, "low": 1_024, "medium": 4_096, "high": 16_384,
}  # fmt: skip
"""How many tokens a thought may have where the user sets no limit. Models asked not to think that think
nevertheless have the same room as those left to themselves: their answers count too."""


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
    """Tokens of the answer, a thought not included."""
    temperature: float = 0.0
    """0: always the likeliest token. Otherwise tokens are drawn, logits divided by the temperature."""
    top_p: float = 1.0
    """Draw from the likeliest tokens that together have this probability."""
    stop: tuple[str, ...] = ()
    """Texts that end the answer; they are not part of it. They do not end a thought."""
    repeat: int = 0
    """Which of several replies to the same prompt, from 0."""
    seed: int = 0
    """Two requests that differ in seed or repeat are drawn independently."""
    thinking: Thinking = ""
    thinking_tokens: int = 0
    """Tokens that a thought may have besides the answer's; 0 where no thought is foreseen."""
    thinking_tags: tuple[str, ...] = ()
    """The beginning and the end of a thought, where they are not among the usual ones."""

    @property
    def most_tokens(self) -> int:
        """Tokens that the model may write in all."""
        return self.max_tokens + self.thinking_tokens

    @property
    def usual_tokens(self) -> int:
        """Tokens for which room is planned: few long replies and thoughts are as long as they may be."""
        return min(self.most_tokens, PLANNED)


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
    thinking: Thinking = ""
    thought: str | None = None
    """A thought of the model's own, behind which the options are scored; None scores them without one."""
    thinking_tags: tuple[str, ...] = ()
    """The beginning and the end of a thought, where they are not among the usual ones."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote: its answer, and apart from it what it thought before."""

    text: str
    """The answer alone, "" where there is none."""
    finish: Finish = "stop"
    tokens_in: int = 0
    """Tokens of the prompt, the template's included."""
    tokens_out: int = 0
    """Tokens of the answer and the thought together."""
    thought: str = ""
    thought_tokens: int = 0
    """Tokens of the thought, an estimate where a server does not count them."""


def before_stop(text: str, stop: Sequence[str]) -> str | None:
    """The text before the first stop text; None where there is no stop text in it.

    >>> before_stop("Bob, and Ann", (" and", ",")), before_stop("Bob", ("",))
    ('Bob', None)
    """
    places = [at for each in stop if each and (at := text.find(each)) >= 0]
    return text[: min(places)] if places else None


def stopped(reply: Reply, stop: Sequence[str]) -> Reply:
    r"""The reply with an answer that ends before the first stop text.

    Models write line breaks between thought and answer, which are no stop texts.

    >>> stopped(Reply("\nBob\nAnn", "length", thought="Hm"), ("\n",))
    Reply(text='Bob', finish='stop', tokens_in=0, tokens_out=0, thought='Hm', thought_tokens=0)
    """
    text = reply.text.strip() if reply.thought or reply.thought_tokens else reply.text
    kept = before_stop(text, stop)
    return replace(reply, text=text) if kept is None else replace(reply, text=kept, finish="stop")


USUAL = {"thinking": "", "thinking_tokens": 0, "thinking_tags": (), "thought": None}
"""Fields that are no part of a request's key where they have these values."""


def request_key(request: Writing | BeamWriting | Choosing) -> str:
    """A request as a text that two different requests do not share.

    >>> key = request_key(Writing(Prompt(()), 8))
    >>> "thinking" in key, "thinking" in request_key(Writing(Prompt(()), 8, thinking="off"))
    (False, True)
    """
    # Local models draw by the key: replies without thoughts are to stay the same draws.
    fields = {n: v for n, v in asdict(request).items() if n not in USUAL or v != USUAL[n]}
    return json.dumps(fields, ensure_ascii=True, separators=(",", ":"))


def stored_reply(reply: Reply) -> str:
    """A reply as a text to be stored."""
    return json.dumps(asdict(reply), ensure_ascii=True, separators=(",", ":"))


def reply_of(stored: Any) -> Reply:
    """The reply that a stored text stands for; the reverse of `stored_reply`.

    Raises:
        ValueError: It is not one.
    """
    fields = parsed(stored) if isinstance(stored, str) else None
    if not isinstance(fields, dict):
        raise ValueError("not a reply")  # noqa: TRY004
    text, finish, thought = fields.get("text"), fields.get("finish"), fields.get("thought")
    counts = [fields.get(name) for name in ("tokens_in", "tokens_out", "thought_tokens")]
    if not isinstance(text, str) or not isinstance(thought, str) or finish not in FINISHES:
        raise ValueError("not a reply")
    whole = [count for count in counts if type(count) is int and count >= 0]
    if len(whole) < len(counts):
        raise ValueError("not a reply")
    tokens_in, tokens_out, thought_tokens = whole
    return Reply(text, finish, tokens_in, tokens_out, thought, thought_tokens)


def stored_replies(replies: Sequence[Reply]) -> str:
    """Several replies as a text to be stored."""
    return json.dumps([stored_reply(reply) for reply in replies], separators=(",", ":"))


def replies_of(stored: Any) -> tuple[Reply, ...]:
    """The replies that a stored text stands for; the reverse of `stored_replies`.

    Raises:
        ValueError: They are none.
    """
    texts = parsed(stored) if isinstance(stored, str) else None
    if not isinstance(texts, list):
        raise ValueError("not a list of replies")  # noqa: TRY004
    return tuple(map(reply_of, texts))
