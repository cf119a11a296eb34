"""Requests in the OpenAI-compatible format, and how likely the first tokens of a reply are."""

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from tiltmeter.core.model.conversations import Prompt, Thinking, Writing, request_key
from tiltmeter.core.types import Array
from tiltmeter.models.openai_protocol.reply_messages import choice_in

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


def writing_body(
    model: str, request: Writing, *, more_tokens: int = 0, stops: bool = True
) -> dict[str, Any]:
    """The body of a request for one reply.

    Args:
        model: The model's name on the server.
        request: What is asked.
        more_tokens: Tokens that the reply may have besides those that the request foresees.
        stops: Whether the server is to end the reply at the stop texts.
    """
    body = _prompted(model, request.prompt)
    body |= {
        "max_tokens": request.most_tokens + more_tokens, "temperature": request.temperature,
    }  # fmt: skip
    if request.top_p < 1:
        body["top_p"] = request.top_p
    if request.stop and stops:
        body["stop"] = list(request.stop)
    if request.temperature > 0:
        body["seed"] = server_seed(request)
    return body | (thinking_parameters(request.thinking) if request.prompt.chat else {})


def choosing_body(model: str, prompt: Prompt, thinking: Thinking = "") -> dict[str, Any]:
    """The body of a request for the likeliest tokens after a prompt.

    It is made at temperature 1, at which the probabilities are the model's own.
    """
    body = _prompted(model, prompt) | {"max_tokens": 1, "temperature": 1.0}
    top = TOP[prompt.chat]
    body |= {"logprobs": True, "top_logprobs": top} if prompt.chat else {"logprobs": top}
    return body | (thinking_parameters(thinking) if prompt.chat else {})


def thinking_parameters(thinking: Thinking) -> dict[str, Any]:
    """Parameters that ask for so much thinking, in all ways that servers understand; {} for "".

    A server ignores those that it does not know, or refuses them and is not sent them again.

    >>> thinking_parameters("off")["reasoning_effort"], thinking_parameters("")
    ('none', {})
    """
    if not thinking:
        return {}
    thinks = thinking != "off"
    return {
        "chat_template_kwargs": {"enable_thinking": thinks, "thinking": thinks},
        "reasoning_effort": {"off": "none", "on": "medium"}.get(thinking, thinking),
        "thinking": {"type": "enabled" if thinks else "disabled"},
    }


def server_seed(request: Writing) -> int:
    """A seed for one request, of 31 bits, which every server accepts.

    It depends on the prompt too: with one seed for all prompts of a repeat, a server would draw them all with
    the same random numbers, and the replies of a repeat would not be independent.

    >>> asked = [Writing(Prompt(()), 8, 0.7, repeat=k, seed=s) for k, s in ((0, 0), (1, 0), (0, 1))]
    >>> len({*map(server_seed, asked)})
    3
    """
    digest = blake2b(request_key(request).encode(), digest_size=4).digest()
    return int.from_bytes(digest) >> 1


def likely_tokens(answer: Any) -> dict[str, float]:
    """The log-probabilities of the likeliest first tokens of the reply, by token.

    Raises:
        TryAgain: The answer has no reply.
        ValueError: Log-probabilities are missing, or cannot be log-probabilities.
    """
    listed = _listed(choice_in(answer).get("logprobs"))
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
