"""Log-probabilities of given tokens, from servers that return those of a prompt.

vLLM returns them with completions (`prompt_logprobs`), SGLang from its own `/generate`. Both take several
texts as token ids in one request, and name the token of each number, so that the answer can be checked to
belong to what was sent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.models.openai_protocol.completions import IMPOSSIBLE, ROUNDING

NONE = (
    "the server returns no log-probabilities of the tokens of a prompt. `vllm serve` and SGLang do; of "
    "another server the model can be asked to write (chat:URL#MODEL), or be measured from its files"
)
OTHERS = "the scored tokens are not those that were sent"


@dataclass(frozen=True, slots=True)
class SentText:
    """A text whose last tokens are scored; never all, since the first has no context."""

    tokens: tuple[int, ...]
    count: int
    """How many of the last tokens are scored, at least 1."""


@dataclass(frozen=True, slots=True)
class ServerProtocol:
    """How a kind of server is asked for log-probabilities."""

    name: str
    path: str
    """Where requests are sent."""
    version_paths: tuple[str, ...]
    """Where the server may describe its version, and how it runs the model."""
    body: Callable[[str, Sequence[SentText], float], dict[str, Any]]
    """Makes the body of a request from (model, texts, temperature)."""
    entries: Callable[[Any], Sequence[Any]]
    """Returns the part of an answer that belongs to each text."""
    values: Callable[[Any, tuple[int, ...]], list[Any]]
    """Returns the number of each scored token, from a text's part of the answer and the tokens."""
    room = 1
    """How many tokens a server needs room for after a text."""

    def logprobs(self, answer: Any, texts: Sequence[SentText]) -> list[Array]:
        """For each text the log-probabilities of its scored tokens, shape (count,).

        Raises:
            ValueError: They are missing, belong to other tokens, or cannot be log-probabilities.
        """
        try:
            entries = self.entries(answer)
            both = zip(entries, texts, strict=False)
            rows = [_checked(self.values(e, t.tokens[-t.count :]), t.count) for e, t in both]
        except (AttributeError, KeyError, IndexError, TypeError) as error:
            raise ValueError(NONE) from error
        if len(entries) != len(texts):
            raise ValueError(
                f"{counted(len(entries), 'texts', 'are')} answered, of {len(texts)} that were sent"
            )
        return rows


def protocol_of(owner: object) -> ServerProtocol:
    """SGLang's protocol if the server's models are `owned_by` it, otherwise vLLM's."""
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
    """Sampling settings that change no probability; all are given, as a server's defaults may be others."""
    neutral = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
    return {"temperature": temperature, **neutral}


def _vllm_body(model: str, texts: Sequence[SentText], temperature: float) -> dict[str, Any]:
    """The body for vLLM, which has to write at least one token; that token is ignored."""
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
    """The body for SGLang, which returns numbers from the token before the first scored one on.

    What comes earlier can then be taken from the server's cache.
    """
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
