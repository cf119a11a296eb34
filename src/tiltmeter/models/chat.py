"""A model behind an OpenAI-compatible server, asked over HTTP (`chat:URL#MODEL`).

The server may be a program on this machine (`vllm serve`, `llama-server`, `transformers serve`, Ollama, LM
Studio) or a provider's. A key is read from the environment when the model is opened and never stored.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from copy import copy
from hashlib import blake2b
from threading import Event, Lock
from typing import Any, TypeVar

from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import Chooses, Fact, Writes
from tiltmeter.core.model.query import HasRequests, Query, StoredValue
from tiltmeter.core.text import visible
from tiltmeter.core.types import Array
from tiltmeter.models.openai_protocol.completions import (
    choosing_body,
    likely_tokens,
    option_logprobs,
    path_for,
    reply_in,
    writing_body,
)
from tiltmeter.models.openai_protocol.request_threads import answered_in_threads
from tiltmeter.models.openai_protocol.server_address import server_address
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused
from tiltmeter.models.openai_protocol.server_models import (
    PLACES,
    ServedModel,
    served_model,
    shown_model,
)
from tiltmeter.models.opening.model_options import DEFAULTS, Options

T = TypeVar("T")
VERSION = "chat-1"
"""The beginning of every fingerprint; raised when this code changes what is asked or what is stored."""
CHARACTERS = 4
"""The assumed number of characters in a token, since only the server knows its tokenizer."""
MOST = 8
"""How many values of a fact the card lists."""
MAY_CHANGE = (
    "the weights behind a server may change; stored replies are those that it gave when asked"
)
PROBE = "Is water wet? Answer yes or no."


class _Facts:
    """What the server's answers reveal about it; shared by several threads."""

    def __init__(self) -> None:
        self.probing = Lock()
        self.probed: set[bool] = set()
        """Kinds of prompts for which the server is known to return log-probabilities."""
        self.takes_new_name = False
        """Whether the server calls the length limit `max_completion_tokens`."""
        self._lock = Lock()
        self._said: dict[str, dict[str, None]] = {"system_fingerprint": {}, "model": {}}

    def note(self, answer: Any) -> None:
        """Keep what an answer says about the server and its model."""
        for name, values in self._said.items():
            value = answer.get(name) if isinstance(answer, dict) else None
            if isinstance(value, str) and value:
                with self._lock:
                    values[visible(value)] = None

    def described(self, model: str) -> dict[str, Fact]:
        """The facts for the card of a result."""
        with self._lock:
            noted = {name: list(values)[:MOST] for name, values in self._said.items()}
        served = [name for name in noted["model"] if name != model]
        facts: dict[str, Fact] = {"replies by": ", ".join(served)} if served else {}
        if prints := noted["system_fingerprint"]:
            changed = " (it changed during the run)" if len(prints) > 1 else ""
            facts["system fingerprint"] = ", ".join(prints) + changed
        return facts


class ChatServer:
    """A server's model, which answers `Writes` and, if the server returns log-probabilities, `Chooses`."""

    chats = True
    reply_tokens = 0
    batch_tokens = 1
    """One token makes each request a batch of its own, so that replies are stored as soon as they arrive."""

    def __init__(self, served: ServedModel, at_once: int, note: str = "") -> None:
        self.name = served.name
        self._client = served.client
        self._model = served.model
        self._entry = dict(served.entry)
        self._facts = _Facts()
        self.stop = Event()
        """Set when no further attempt is to be made."""
        self.at_once = at_once
        """How many requests are under way at the same time."""
        self._kept = 0
        self._note = f"{note}; {MAY_CHANGE}" if note else MAY_CHANGE
        self.fingerprint = self._print(VERSION)

    @property
    def about(self) -> Mapping[str, Fact]:
        """The server's address, and what it has said about itself so far."""
        listed = {
            f"server's {name}": value for name, value in self._entry.items() if name not in PLACES
        }
        return {
            "kind": "model behind a server",
            "server": self._client.base,
            "model": shown_model(self._model),
            **listed,
            **self._facts.described(self._model),
            "note": self._note,
        }

    def _print(self, version: str, *more: object) -> str:
        """A fingerprint of the address, the model, what the server lists about it, and `more`."""
        identity = repr((self._client.base, self._model, sorted(self._entry.items()), *more))
        return f"{version}-{blake2b(identity.encode(), digest_size=16).hexdigest()}"

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """The estimated tokens of each prompt: one for every four characters."""
        return [max(1, len(prompt.plain) // CHARACTERS) for prompt in prompts]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """A reply to each request; the requests are sent one after the other."""
        return [self._reply(request) for request in requests]

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """For each request the log-probabilities of its options' first tokens, shape (len(options),)."""
        for chat in {request.prompt.chat for request in requests}:
            self._probe(chat=chat)
        return [self._choice(request) for request in requests]

    def execute(
        self, query: Query, batches: Sequence[HasRequests]
    ) -> Generator[tuple[int, Sequence[StoredValue]], None, None]:
        """Answer every batch once, several at a time, as `run.asking.executors.Executor` describes."""
        # The copy shares everything but `stop`, so that ending these requests does not end later ones.
        asked = copy(self)
        asked.stop = stop = Event()
        groups = self._together(query, batches)

        def ask(group: Sequence[int]) -> list[StoredValue]:
            return query.ask(asked, [r for number in group for r in batches[number].requests])

        try:
            answered = answered_in_threads(ask, groups, threads=self.at_once, stop=stop)
            with closing(answered) as answers:
                for place, values in answers:
                    rest = iter(values)
                    for number in groups[place]:
                        yield number, [next(rest) for _ in batches[number].requests]
                        self._kept += 1  # the caller has stored it
        except (RequestRefused, NoAnswer) as error:
            raise type(error)(f"{error}. {_kept(self._kept)}", error.status) from error

    def _together(self, query: Query, batches: Sequence[HasRequests]) -> list[Sequence[int]]:
        """The numbers of the batches that are sent together, in groups; here each alone."""
        del query
        return [[number] for number in range(len(batches))]

    def _reply(self, request: Writing) -> Reply:
        body = writing_body(self._model, request)
        return self._post(request.prompt, body, lambda answer: reply_in(answer, request))

    def _choice(self, request: Choosing) -> Array:
        def read(answer: Any) -> Array:
            return option_logprobs(likely_tokens(answer), request.options)

        return self._post(request.prompt, choosing_body(self._model, request.prompt), read)

    def _probe(self, *, chat: bool) -> None:
        """Find out once whether the server returns log-probabilities: some ignore the request for them."""
        prompt = Prompt((Message("user", PROBE),), chat=chat)
        with self._facts.probing:
            if chat not in self._facts.probed:
                self._post(prompt, choosing_body(self._model, prompt), likely_tokens)
                self._facts.probed.add(chat)

    def _post(self, prompt: Prompt, body: dict[str, Any], read: Callable[[Any], T]) -> T:
        def noted(answer: Any) -> T:
            self._facts.note(answer)
            return read(answer)

        def post(some: dict[str, Any]) -> T:
            return self._client.post(path_for(prompt), some, noted, self.stop)

        # OpenAI's newer models refuse `max_tokens`, and name `max_completion_tokens` in the error.
        if not self._facts.takes_new_name:
            try:
                return post(body)
            except RequestRefused as error:
                if "max_completion_tokens" not in str(error):
                    raise
            self._facts.takes_new_name = True
        rest = {name: value for name, value in body.items() if name != "max_tokens"}
        return post({**rest, "max_completion_tokens": body["max_tokens"]})


TRAITS = Traits(judges_in_words=True)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a server's model satisfies; nothing is sent to the server for this."""
    server_address(location)
    return (Writes, Chooses)


def load(
    location: str, options: Options = DEFAULTS, *, name: str = "", note: str = ""
) -> ChatServer:
    """Open the model behind `URL#MODEL`; raises what `served_model` raises."""
    return ChatServer(served_model("chat", location, options, name), options.at_once, note)


def _kept(count: int) -> str:
    """A clause that says that the answers received so far are stored."""
    answers = "1 answer of this run is" if count == 1 else f"{count:,} answers of this run are"
    return f"{answers} stored, and the same command goes on from there"
