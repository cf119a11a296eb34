"""How likely given tokens are, asked of servers that return log-probabilities of a prompt.

vLLM returns them with the completions of prompts (`prompt_logprobs`), SGLang with its own `/generate`. Both
take several texts as token ids in one request, and name the token of each number, so that what comes back
is known to belong to what was sent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.models.servers.completions import IMPOSSIBLE, ROUNDING

NONE = (
    "the server returns no log-probabilities of the tokens of a prompt. `vllm serve` and SGLang do; of "
    "another server the model can be asked to write (chat:URL#MODEL), or be measured from its files"
)
OTHERS = "the scored tokens are not those that were sent"


@dataclass(frozen=True, slots=True)
class SentText:
    """A text, of which the last tokens are scored: fewer than all, since nothing comes before the first."""

    tokens: tuple[int, ...]
    count: int
    """How many of the last tokens are scored, at least 1."""


@dataclass(frozen=True, slots=True)
class ServerProtocol:
    """The way in which a kind of server is asked how likely tokens are."""

    name: str
    path: str
    version_paths: tuple[str, ...]
    """Where it may say what version it is, and how it runs the model."""
    body: Callable[[str, Sequence[SentText], float], dict[str, Any]]
    """From (model, texts, temperature) to the request."""
    entries: Callable[[Any], Sequence[Any]]
    """From an answer to what it says of each text."""
    values: Callable[[Any, tuple[int, ...]], list[Any]]
    """From what is said of a text, and its scored tokens, to the number of each."""
    room = 1
    """Places for tokens that a server keeps free behind a text."""

    def logprobs(self, answer: Any, texts: Sequence[SentText]) -> list[Array]:
        """Log-probability of each scored token, one array a text, shape (count,).

        Raises:
            ValueError: They are missing, belong to other tokens, or are no log-probabilities.
        """
        try:
            entries = self.entries(answer)
            both = zip(entries, texts, strict=False)
            rows = [_checked(self.values(e, t.tokens[-t.count :]), t.count) for e, t in both]
        except (AttributeError, KeyError, IndexError, TypeError) as error:
            raise ValueError(NONE) from error
        if len(entries) != len(texts):
            raise ValueError(f"{len(entries)} texts are answered, of {len(texts)} that were sent")
        return rows


def protocol_of(owner: object) -> ServerProtocol:
    """That of SGLang if the server says that it is one (`owned_by`); else vLLM's."""
    return SGLANG if owner == "sglang" else VLLM


def _checked(values: list[Any], count: int) -> Array:
    numbers = np.array(values)
    if numbers.shape != (count,) or numbers.dtype.kind not in "fi":
        raise ValueError("the log-probability of a token that was sent is missing")
    if numbers.max() > ROUNDING:
        raise ValueError(
            "the server returns log-probabilities above 0, which are none; start vLLM without "
            "--logprobs-mode, or with raw_logprobs"
        )
    return np.where(numbers > IMPOSSIBLE, numbers, -np.inf)


def _sampling(temperature: float) -> dict[str, Any]:
    """Settings that change no probability, written out: a server may have others as its defaults."""
    neutral = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
    return {"temperature": temperature, **neutral}


def _vllm_body(model: str, texts: Sequence[SentText], temperature: float) -> dict[str, Any]:
    """One token has to be written; nobody reads it."""
    return {
        "model": model, "prompt": [text.tokens for text in texts], "prompt_logprobs": 0,
        "max_tokens": 1, "stream": False, **_sampling(temperature),
    }  # fmt: skip


def _vllm_values(choice: Mapping[str, Any], scored: tuple[int, ...]) -> list[Any]:
    said = choice["prompt_logprobs"][-len(scored) :]
    both = [(entry, str(token)) for entry, token in zip(said, scored, strict=False)]
    if not all(token in (entry or ()) for entry, token in both):
        raise ValueError(OTHERS)
    return [entry[token]["logprob"] for entry, token in both]


def _sglang_body(_: str, texts: Sequence[SentText], temperature: float) -> dict[str, Any]:
    """From the token before the first that is scored: what comes earlier may be taken from the cache."""
    return {
        "input_ids": [text.tokens for text in texts], "return_logprob": True,
        "logprob_start_len": [len(text.tokens) - text.count - 1 for text in texts],
        "sampling_params": {"max_new_tokens": 0, **_sampling(temperature)}, "stream": False,
    }  # fmt: skip


def _sglang_values(entry: Mapping[str, Any], scored: tuple[int, ...]) -> list[Any]:
    said = entry["meta_info"]["input_token_logprobs"][-len(scored) :]
    if tuple(token for _, token, *_ in said) != scored:
        raise ValueError(OTHERS)
    return [value for value, *_ in said]


VLLM = ServerProtocol(
    "vLLM", "completions", ("/version",), _vllm_body, lambda answer: answer["choices"], _vllm_values
)
SGLANG = ServerProtocol(
    "SGLang", "/generate", ("/server_info", "/get_server_info"), _sglang_body,
    lambda answer: answer, _sglang_values,
)  # fmt: skip
