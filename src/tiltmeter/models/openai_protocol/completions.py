"""Requests and answers in the OpenAI-compatible format: what is sent, and what counts as an answer."""

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from tiltmeter.core.model.conversations import Finish, Prompt, Reply, Writing
from tiltmeter.core.types import Array
from tiltmeter.models.openai_protocol.server_client import TryAgain

FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
"""Why a reply ended, by the names that servers use."""
TOP = {True: 20, False: 5}
"""How many likely tokens are requested, for conversations (True) and texts: the most that OpenAI returns."""
LETTERS = 3
"""A token only counts as the beginning of a longer option if it has at least this many of its letters."""
IMPOSSIBLE = -9998.0
"""Log-probabilities up to this mean that a token has none: OpenAI writes -9999."""

ROUNDING = 0.01
"""How far the sum of probabilities may exceed 1."""


def path_for(prompt: Prompt) -> str:
    """The path to which a prompt is sent."""
    return "chat/completions" if prompt.chat else "completions"


def writing_body(model: str, request: Writing) -> dict[str, Any]:
    """The body of a request for one reply."""
    body = _prompted(model, request.prompt)
    body |= {"max_tokens": request.max_tokens, "temperature": request.temperature}
    if request.top_p < 1:
        body["top_p"] = request.top_p
    if request.stop:
        body["stop"] = list(request.stop)
    if request.temperature > 0:
        body["seed"] = server_seed(request.seed, request.repeat)
    return body


def choosing_body(model: str, prompt: Prompt) -> dict[str, Any]:
    """The body of a request for the likeliest tokens after a prompt.

    It is made at temperature 1, at which the probabilities are the model's own.
    """
    body = _prompted(model, prompt) | {"max_tokens": 1, "temperature": 1.0}
    top = TOP[prompt.chat]
    return body | ({"logprobs": True, "top_logprobs": top} if prompt.chat else {"logprobs": top})


def server_seed(seed: int, repeat: int) -> int:
    """A seed for one repeat, of 31 bits, which every server accepts.

    >>> server_seed(0, 0) != server_seed(0, 1) != server_seed(1, 0)
    True
    """
    digest = blake2b(f"{seed} {repeat}".encode(), digest_size=4).digest()
    return int.from_bytes(digest) >> 1


def reply_in(answer: Any, request: Writing) -> Reply:
    """The reply in an answer.

    Raises:
        TryAgain: The answer has no reply.
        ValueError: The answer is not what was requested.
    """
    choice = _choice(answer)
    reason = choice.get("finish_reason")
    if not isinstance(reason, str) or reason not in FINISHES:
        raise ValueError(f"the reply ended for an unknown reason ({str(reason)[:40]!r})")
    finish = FINISHES[reason]
    text = _text(choice, request.prompt)
    if text is None and finish != "content_filter":
        hint = "; a model that reasons first needs more tokens" if finish == "length" else ""
        raise ValueError(f"the reply has no text{hint}")
    text, cut = _up_to(_whole(text or ""), request.stop)
    return Reply(text, "stop" if cut else finish, *_tokens(answer))


def likely_tokens(answer: Any) -> dict[str, float]:
    """The log-probabilities of the likeliest first tokens of the reply, by token.

    Raises:
        TryAgain: The answer has no reply.
        ValueError: Log-probabilities are missing, or cannot be log-probabilities.
    """
    listed = _listed(_choice(answer).get("logprobs"))
    if not listed:
        raise ValueError("the server returns no log-probabilities (top_logprobs)")
    logprobs: dict[str, float] = {}
    for token, value in listed:
        if not isinstance(token, str) or type(value) not in {int, float}:
            raise ValueError("the server returns log-probabilities in an unknown form")
        if value > 1:  # checked first, as a huge integer cannot be converted to a float
            raise ValueError("the server returns log-probabilities that are none")
        if value > IMPOSSIBLE:
            text = token.replace("\u2581", " ").replace("\u0120", " ")  # tokenizers' spaces
            logprobs[text] = float(np.logaddexp(logprobs.get(text, -math.inf), value))
    values = list(logprobs.values())
    if not all(value <= ROUNDING for value in values) or sum(map(math.exp, values)) > 1 + ROUNDING:
        raise ValueError("the server returns log-probabilities that are none")
    if len(values) < 2 or len(set(values)) == 1:  # noqa: PLR2004
        raise ValueError("the server returns the same log-probability for all tokens")
    return logprobs


def option_logprobs(tokens: Mapping[str, float], options: Sequence[str]) -> Array:
    """The log-probability of each option's first token, shape (len(options),).

    Raises:
        ValueError: An option's first token is not among the tokens, or is that of another option.
    """
    firsts: dict[str, str] = {}
    for option in options:
        matches = [token for token in tokens if _begins(option, token)]
        if not matches:
            raise ValueError(
                f"the first token of {option!r} is not among the {len(tokens)} likeliest "
                "whose log-probabilities the server returns"
            )
        first = max(matches, key=len)
        if first in firsts:
            raise ValueError(f"{firsts[first]!r} and {option!r} begin with the same token")
        firsts[first] = option
    return np.array([tokens[first] for first in firsts])


def _begins(option: str, token: str) -> bool:
    """Whether a token is the beginning of an option, and more than one or two letters of a longer one."""
    needed = min(LETTERS, len(option.strip()))
    return option.startswith(token) and len(token.strip()) >= needed


def _prompted(model: str, prompt: Prompt) -> dict[str, Any]:
    if not prompt.chat:
        return {"model": model, "stream": False, "prompt": prompt.plain}
    messages = [{"role": message.speaker, "content": message.text} for message in prompt.messages]
    return {"model": model, "stream": False, "messages": messages}


def _choice(answer: Any) -> Mapping[str, Any]:
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if choices == []:
        raise TryAgain("the answer has no reply (choices is empty)")
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        raise ValueError("the answer has no reply (choices is missing)")  # noqa: TRY004
    if len(choices) > 1:
        raise ValueError(f"the answer has {len(choices)} replies where one was asked for")
    return choices[0]


def _text(choice: Mapping[str, Any], prompt: Prompt) -> str | None:
    if not prompt.chat:
        text = choice.get("text")
    else:
        message = choice.get("message")
        message = message if isinstance(message, dict) else {}
        text = message.get("content")
        text = message.get("refusal") if text is None else text
    if text is not None and not isinstance(text, str):
        raise ValueError("the text of the reply is not a string")
    return text


def _whole(text: str) -> str:
    """The text with replacement characters for halves of characters, as when a reply was cut within one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _up_to(text: str, stops: Sequence[str]) -> tuple[str, bool]:
    """The text before the first stop text, which some servers do not remove, and whether there was one."""
    places = [at for stop in stops if (at := text.find(stop)) >= 0]
    return (text[: min(places)], True) if places else (text, False)


def _tokens(answer: Mapping[str, Any]) -> tuple[int, int]:
    """The tokens of the prompt and of the reply; 0 where the server does not count them."""
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    # By type, as true and false are integers too.
    known = [count if type(count) is int and count > 0 else 0 for count in counts]
    return known[0], known[1]


def _listed(logprobs: Any) -> list[tuple[Any, Any]]:
    """Pairs of (token, log-probability), from either of the two formats that servers use."""
    if not isinstance(logprobs, dict):
        return []
    content, top = logprobs.get("content"), logprobs.get("top_logprobs")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        entries = content[0].get("top_logprobs")
        entries = entries if isinstance(entries, list) else []
        return [(e.get("token"), e.get("logprob")) for e in entries if isinstance(e, dict)]
    if isinstance(top, list) and top and isinstance(top[0], dict):
        return list(top[0].items())
    return []
