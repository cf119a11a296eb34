"""Learns from a server's refusals which parameters of a request it accepts, so that each is refused once.

Providers refuse parameters that their models do not have: a temperature, a seed, a way to ask for thinking.
They say so in errors of many forms, which name the parameter. What is left out or sent in another way is
listed on the card of the result.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Lock
from typing import Any, TypeVar

from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused

T = TypeVar("T")
STATUSES = frozenset({
    HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.INTERNAL_SERVER_ERROR,
})  # fmt: skip
"""HTTP statuses with which servers refuse a parameter."""
DISPENSABLE = (
    "chat_template_kwargs", "thinking", "stop", "seed", "top_p", "temperature", "reasoning_effort",
)  # fmt: skip
"""Parameters that may be left out. Where an error names several, the first of these goes first."""
LEVELS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Values of `reasoning_effort`, from the least thinking to the most."""
OTHER_NAMES: Mapping[str, str] = {
    "chat_template_kwargs": r"enable_thinking",
    "thinking": r"thinking\.(?:type|\w+\.budget_tokens)",
    "reasoning_effort": (
        r"reasoning[ .]?effort|reasoning value|think value|does not support (?:thinking|reasoning)"
    ),
}
"""What errors call a parameter besides its name."""
WORDS = frozenset({"stop", "seed", "thinking"})
"""Parameters whose names are words of plain English: they count only where they are marked as a name."""
_REFUSED = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|forbidden|invalid"
    r"|only|cannot|can't|must|should|deprecated|incompatible|required|not available|no longer",
    re.IGNORECASE,
)
_SUPPORTED = re.compile(
    r"(?:supported values?|(?:must|should) be|one of|allowed|expected)\W.*",
    re.IGNORECASE | re.DOTALL,
)
_NO_SYSTEM = re.compile(
    r"system (?:role|message|prompt|instruction)s?[^.]{0,40}not (?:supported|allowed|enabled|available)"
    r"|not support[^.]{0,40}system|developer instruction is not enabled|roles must alternate"
    r"|only user (?:and|,) ?(?:assistant|model)",
    re.IGNORECASE,
)
_RENAMED = re.compile(
    r"instead|unsupported|not supported|unrecogni[sz]ed|unexpected", re.IGNORECASE
)
_TOO_LONG = re.compile(
    r"(?:max_(?:completion_)?tokens|context|output tokens).*"
    r"(?:too large|exceed|maximum|at most|less than|valid range|reduce|longer|greater)"
    r"|(?:exceed|maximum).*context",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_REPLY = re.compile(
    r"at most (\d+)|less than or equal to\W*(\d+)|range of max_tokens is \[\d+, ?(\d+)\]"
    r"|max_(?:completion_)?tokens\W+\d+ > (\d+)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(r"context (?:length|size|window)\D{0,20}(\d+)", re.IGNORECASE)
_PROMPT = re.compile(
    r"(\d+) (?:tokens )?(?:in the messages|(?:in|of|from) (?:the|your) (?:input|prompt)|input tokens)",
    re.IGNORECASE,
)
NO_MESSAGES = [{"role": ""}]
"""In place of the messages of a request that continues a text."""
CHARACTERS = 2
"""So few characters may have a token, where a server does not say how long a prompt is."""


@dataclass(slots=True)
class AcceptedParameters:
    """The form in which a server takes requests for one model; may be used by several threads at once."""

    left_out: dict[str, object] = field(default_factory=dict)
    """Parameters that the server refuses, with the first value that it refused."""
    longest: int | None = None
    """The most tokens for which a reply may be asked; None as long as no number was refused."""
    is_renamed: bool = False
    """Whether the server calls the length limit `max_completion_tokens`."""
    has_system: bool = True
    """Whether a conversation may have a system prompt of its own."""
    has_answered: bool = False
    """Whether any request was answered."""
    _levels: set[str] = field(default_factory=set)
    _no_levels: set[str] = field(default_factory=set)
    _sent_levels: dict[str, str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def post(self, body: Mapping[str, Any], least: int, post: Callable[[dict[str, Any]], T]) -> T:
        """What `post` returns for the body in the form that the server accepts.

        Every refusal that names something in the body is learnt from, and the request made again without
        that; each round leaves out more, so that they come to an end.

        Args:
            body: The request as it would be made of a server that accepts everything.
            least: The tokens that the answer needs: a limit that is too large is not lowered beyond that.
            post: Sends a body.

        Raises:
            RequestRefused: The server refuses the request for another reason.
        """
        sent = self.applied(body, least)
        while True:
            try:
                answer = post(sent)
            except NoAnswer as error:
                if error.status != HTTPStatus.INTERNAL_SERVER_ERROR or not self._may_fail(sent):
                    raise
                return self._without_system(sent, post)
            except RequestRefused as error:
                if error.status not in STATUSES:
                    raise
                with self._lock:
                    self._learn(error.details, sent, least)
                again = self.applied(body, least)
                if again == sent:
                    raise
                sent = again
            else:
                self.has_answered = True
                return answer

    def _may_fail(self, sent: Mapping[str, Any]) -> bool:
        """Whether the server's internal error may be its way to refuse a system prompt."""
        return not self.has_answered and sent.get("messages", NO_MESSAGES)[0]["role"] == "system"

    def _without_system(self, sent: dict[str, Any], post: Callable[[dict[str, Any]], T]) -> T:
        """The answer to a request whose system prompt may be what the server fails at.

        `transformers serve` does not say why a chat template raised an error. So the text is put before the
        first message of the user, and if that is answered, the request is made once more as it was: only if
        it fails again, the system prompt was the reason.
        """
        answer = post({**sent, "messages": without_system(sent["messages"])})
        try:
            return post(sent)
        except NoAnswer:
            self.has_system = False
            return answer

    def applied(self, body: Mapping[str, Any], least: int = 1) -> dict[str, Any]:
        """The body in the form that the server is known to accept."""
        with self._lock:
            sent = {name: value for name, value in body.items() if name not in self.left_out}
            if (asked := sent.get("reasoning_effort")) is not None:
                sent["reasoning_effort"] = level = self._nearest(asked)
                if level != asked:
                    self._sent_levels[asked] = level
            if self.longest is not None:
                sent["max_tokens"] = min(sent["max_tokens"], max(self.longest, least))
            if self.is_renamed:
                sent["max_completion_tokens"] = sent.pop("max_tokens")
            if not self.has_system and "messages" in sent:
                sent["messages"] = without_system(sent["messages"])
            return sent

    @property
    def facts(self) -> dict[str, Fact]:
        """What the card of a result says about it; {} if the server accepts everything."""
        with self._lock:
            replaced = [f"reasoning_effort {a} as {b}" for a, b in self._sent_levels.items()]
            facts: dict[str, Fact] = {}
            if self.left_out:
                facts["not sent, because the server refuses it"] = ", ".join(sorted(self.left_out))
            if replaced:
                facts["sent otherwise, because the server refuses it"] = ", ".join(replaced)
            if self.longest is not None:
                facts["longest reply that the server allows"] = counted(self.longest, "tokens")
            if not self.has_system:
                facts["system prompt sent as"] = "the beginning of the first message of the user"
            return facts

    @property
    def caution(self) -> str:
        """A sentence where what is not sent changes what is measured; "" otherwise."""
        drawing = [n for n in ("temperature", "top_p") if n in self.left_out]
        if not drawing:
            return ""
        value = self.left_out[drawing[0]]
        again = (
            " At its own temperature, the same prompt has different replies." if value == 0 else ""
        )
        return (
            f"The server refuses {' and '.join(drawing)} ({drawing[0]} {value:g} was asked for) and draws "
            f"replies in its own way.{again}"
        )

    def _nearest(self, asked: str) -> str:
        """The level that is sent for one that is asked for: itself unless it was refused."""
        known = [level for level in LEVELS if level in self._levels - self._no_levels]
        if asked not in self._no_levels or not known:
            return asked
        return min(known, key=lambda level: abs(LEVELS.index(level) - LEVELS.index(asked)))

    def _learn(self, details: str, sent: Mapping[str, Any], least: int) -> None:
        """Note what an error says about one of the parameters that were sent."""
        names, text = _named(details)
        if sent.get("messages", NO_MESSAGES)[0]["role"] == "system" and _NO_SYSTEM.search(text):
            self.has_system = False
            return
        if "max_tokens" in sent and "max_completion_tokens" in text and _RENAMED.search(text):
            self.is_renamed = True
            return
        tokens = sent.get("max_tokens", sent.get("max_completion_tokens", 0))
        if tokens > least and _TOO_LONG.search(text):
            self.longest = max(least, _shorter(text, tokens, len(str(sent.get("messages")))))
            return
        name = _refused(names, text, sent)
        if name == "reasoning_effort" and (levels := _levels_in(text) - {sent[name]}):
            self._levels |= levels
            self._no_levels.add(sent[name])
            if self._nearest(sent[name]) != sent[name]:
                return
        if name:
            self.left_out.setdefault(name, sent[name])


def without_system(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    r"""The messages with the system prompt at the beginning of the first message of the user.

    >>> without_system([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Well?"}])
    [{'role': 'user', 'content': 'Be brief.\n\nWell?'}]
    """
    if not messages or messages[0]["role"] != "system":
        return messages
    system, *rest = messages
    if not rest or rest[0]["role"] != "user":
        return [{"role": "user", "content": system["content"]}, *rest]
    first, *others = rest
    return [{"role": "user", "content": f"{system['content']}\n\n{first['content']}"}, *others]


def _named(details: str) -> tuple[set[str], str]:
    """The parameters that an error names in fields of its own, and its texts."""
    try:
        error = parsed(details, twice=True)
    except ValueError:
        return set(), details
    names: set[str] = set()
    texts: list[str] = []
    for key, value in _values(error):
        if key in {"param", "loc"}:
            names.add(value.rpartition(".")[2])
        texts.append(value)
    return names, "\n".join(texts)


def _values(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """(key, text) of all texts in an error, except for what it repeats of the request."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for item in value:
            yield from _values(item, key)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in {"input", "ctx", "url"}:
                yield from _values(item, str(name))


def _refused(names: set[str], text: str, sent: Mapping[str, Any]) -> str | None:
    """The parameter that an error refuses, of those that were sent; None if it is about something else."""
    if by_field := [name for name in DISPENSABLE if name in names and name in sent]:
        return by_field[0]
    if not _REFUSED.search(text):
        return None
    by_text = (name for name in DISPENSABLE if name in sent and _mentions(text, name))
    return next(by_text, None)


def _mentions(text: str, name: str) -> bool:
    camel = re.sub(r"_(\w)", lambda match: match[1].upper(), name)
    marked = r"[\"'`:(\[{,]\s*" if name in WORDS else r"(?<!\w)"
    pattern = rf"{marked}(?:{name}|{camel})(?!\w)"
    if name in OTHER_NAMES:
        pattern += f"|{OTHER_NAMES[name]}"
    return re.search(pattern, text) is not None


def _levels_in(text: str) -> set[str]:
    """The values of `reasoning_effort` that an error lists as supported."""
    listed = _SUPPORTED.search(text)
    return set(re.findall(rf"\b({'|'.join(LEVELS)})\b", listed[0])) if listed else set()


def _shorter(text: str, tokens: int, characters: int) -> int:
    """So many tokens that may be asked for, where a server refuses `tokens` of them."""
    if match := _LONGEST_REPLY.search(text):
        longest = int(next(filter(None, match.groups())))
    elif match := _CONTEXT.search(text):
        prompt = _PROMPT.search(text)
        # "at least 1 input tokens" says only that it is too long
        is_exact = prompt is not None and "at least" not in text[: prompt.start()][-20:]
        longest = int(match[1]) - (
            int(prompt[1]) if prompt and is_exact else characters // CHARACTERS
        )
    else:
        longest = 0
    return longest if 0 < longest < tokens else tokens // 2
