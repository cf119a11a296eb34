"""A model behind an OpenAI-compatible server, asked over HTTP (`chat:URL#MODEL`).

The server may be a program on this machine (`vllm serve`, `llama-server`, `transformers serve`, Ollama, LM
Studio) or a provider's. A key is read from the environment when the model is opened and never stored.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from copy import copy
from dataclasses import replace
from hashlib import blake2b
from threading import Event
from typing import Any, Self, TypeVar

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.conversations import (
    ALLOWANCES,
    Choosing,
    Message,
    Prompt,
    Reply,
    Thinking,
    Writing,
)
from tiltmeter.core.model.protocols import Chooses, Converses, Fact, Writes
from tiltmeter.core.model.query import HasRequests, Query, StoredValue
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.core.model.thoughts import begins_thought
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array
from tiltmeter.models.openai_protocol.accepted_parameters import AcceptedParameters
from tiltmeter.models.openai_protocol.completions import (
    choosing_body,
    likely_tokens,
    option_logprobs,
    path_for,
    writing_body,
)
from tiltmeter.models.openai_protocol.reply_messages import reply_in, template_began
from tiltmeter.models.openai_protocol.request_threads import RequestQueue
from tiltmeter.models.openai_protocol.server_address import server_address
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused
from tiltmeter.models.openai_protocol.server_facts import ServerFacts
from tiltmeter.models.openai_protocol.server_models import (
    PLACES,
    ServedModel,
    served_model,
    shown_model,
)
from tiltmeter.models.opening.model_options import DEFAULTS, Options

T = TypeVar("T")
VERSION = "chat-2"
"""The beginning of every fingerprint; raised when this code changes what is asked or what is stored."""
CHARACTERS = 4
"""The assumed number of characters in a token, since only the server knows its tokenizer."""
MAY_CHANGE = (
    "the weights behind a server may change; stored replies are those that it gave when asked"
)
PROBE = "Is water wet? Answer yes or no."
OFF: Thinking = "off"
OUT_OF_TOKENS = "max_tokens or model output limit was reached"
"""What OpenAI's error says where a model used all tokens allowed for thinking."""


class ChatServer:
    """A server's model, which answers `Writes` and, if the server returns log-probabilities, `Chooses`."""

    chats = True
    deterministic = False
    reply_tokens = 0
    batch_tokens = 1
    """One token makes each request a batch of its own, so that replies are stored as soon as they arrive."""

    def __init__(self, served: ServedModel, at_once: int, note: str = "") -> None:
        self.name = served.name
        self._client = served.client
        self._model = served.model
        self._entry = dict(served.entry)
        self._facts = ServerFacts()
        self._accepted = AcceptedParameters()
        self.stop = Event()
        """Set when no further attempt is to be made."""
        self.at_once = at_once
        """How many requests are under way at the same time."""
        self._queue = RequestQueue(at_once)
        self.turn: StudyTurn | None = None
        """The turn of the study that asks, if several ask at the same time."""
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
            **self._accepted.facts,
            "note": self._note,
        }

    @property
    def caution(self) -> str:
        """A sentence on what the server did not do as asked, where that changes what is measured."""
        return self._accepted.caution

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
        for chat, thinking in {(request.prompt.chat, request.thinking) for request in requests}:
            self._probe(chat=chat, thinking=thinking)
        return [self._choice(request) for request in requests]

    def in_turn(self, turn: StudyTurn) -> Self:
        """The same model as one of several studies asks it; all of them share its threads."""
        asked = copy(self)
        asked.turn = turn
        return asked

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
            answered = self._queue.answered(ask, groups, stop=stop, turn=self.turn)
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
        """The reply to a request, which is made again where the model turns out to need tokens to think."""
        if request.thinking_tokens or not request.prompt.chat:
            return self._written(request)
        if self._facts.thinks:
            return self._written(request, self._facts.allowance)
        first = self._written(request)
        if first.finish == "length" and not _has_thought(first):
            return self._after_trial(request, first)
        if not _has_thought(first):
            return first
        self._facts.found_to_think(request.thinking)
        if first.finish not in {"length", "thinking"}:
            return first
        return _costing(self._written(request, self._facts.allowance), first)

    def _after_trial(self, request: Writing, first: Reply) -> Reply:
        """The reply to a request whose first one was cut off, and may be a thought.

        A thought that the chat template began has no mark before its end. So one reply of a run is asked for
        at such a length that a thought comes to its end.
        """
        longer: list[Reply] = []

        def attempt() -> None:
            with suppress(NoAnswer):  # so long a reply may take too long
                longer.append(self._written(request, ALLOWANCES[request.thinking], tries=1))
                if _has_thought(longer[0]):
                    self._facts.found_to_think(request.thinking)

        self._facts.try_once(attempt)
        if not self._facts.thinks:
            return _costing(first, *longer)
        return _costing(*(longer or [self._written(request, self._facts.allowance)]), first)

    def _written(self, request: Writing, more: int = 0, tries: int | None = None) -> Reply:
        """The reply to a request.

        Args:
            request: What is asked.
            more: Tokens that the reply may have besides those that the request foresees.
            tries: The most attempts; None for as many as the user allows.
        """
        may_think = request.prompt.chat and (self._facts.thinks or request.thinking != "off")
        body = writing_body(self._model, request, more_tokens=more, stops=not may_think)

        def read(answer: Any) -> Reply:
            if not self._facts.template_thinks and template_began(answer, request):
                self._facts.template_thinks = True
            return reply_in(answer, request, begun=self._facts.template_thinks)

        try:
            return self._post(request.prompt, body, read, request.max_tokens, tries)
        except RequestRefused as error:
            if OUT_OF_TOKENS not in error.details:
                raise
            return Reply("", "thinking", tokens_out=request.most_tokens + more)

    def _choice(self, request: Choosing) -> Array:
        if request.thought is not None:
            raise CannotAnswer(
                f"{self.name}: the options cannot be scored behind a thought, which the server would have to "
                "continue; measure a served: or local model, or name a rule by which the model writes"
            )
        thinking = self._facts.probed[request.prompt.chat, request.thinking]
        body = choosing_body(self._model, request.prompt, thinking)

        def read(answer: Any) -> Array:
            return option_logprobs(likely_tokens(answer), request.options)

        return self._post(request.prompt, body, read)

    def _probe(self, *, chat: bool, thinking: Thinking) -> None:
        """Find out once whether the server returns log-probabilities, and whether they are an answer's.

        Some servers ignore the request for them. Where the likeliest reply begins with a thought, the options
        are measured with thinking off.

        Raises:
            CannotAnswer: The server has none, or the model thinks nevertheless.
        """
        prompt = Prompt((Message("user", PROBE),), chat=chat)
        with self._facts.probing:
            if (chat, thinking) in self._facts.probed:
                return
            for how in dict.fromkeys((thinking, OFF if chat else thinking)):
                body = choosing_body(self._model, prompt, how)
                tokens = self._post(prompt, body, likely_tokens)
                if not begins_thought(max(tokens, key=lambda token: tokens[token])):
                    self._facts.probed[chat, thinking] = how
                    return
        raise CannotAnswer(
            f"{self.name}: the model thinks before it answers, also when it is asked not to, so the server "
            "does not say how likely an answer is. Switch thinking off where the server is started, or name "
            "a rule by which the model writes, such as --rule stated"
        )

    def _post(
        self, prompt: Prompt, body: dict[str, Any], read: Callable[[Any], T], least: int = 1,
        tries: int | None = None,
    ) -> T:  # fmt: skip
        def noted(answer: Any) -> T:
            self._facts.note(answer)
            return read(answer)

        def post(sent: dict[str, Any]) -> T:
            return self._client.post(path_for(prompt), sent, noted, self.stop, tries)

        return self._accepted.post(body, least, post)


TRAITS = Traits(
    answers_elsewhere=True,
    judges_in_words=True,
    form=("chat:URL#MODEL", "a model behind an OpenAI-compatible server"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a server's model satisfies; nothing is sent to the server for this."""
    server_address(location)
    return (Writes, Converses, Chooses)


def load(
    location: str, options: Options = DEFAULTS, *, name: str = "", note: str = ""
) -> ChatServer:
    """Open the model behind `URL#MODEL`; raises what `served_model` raises."""
    return ChatServer(served_model("chat", location, options, name), options.at_once, note)


def _has_thought(reply: Reply) -> bool:
    return bool(reply.thought or reply.thought_tokens or reply.finish == "thinking")


def _costing(reply: Reply, *others: Reply) -> Reply:
    """The reply with the tokens of other attempts added to its own."""
    return replace(
        reply,
        tokens_in=reply.tokens_in + sum(other.tokens_in for other in others),
        tokens_out=reply.tokens_out + sum(other.tokens_out for other in others),
    )


def _kept(count: int) -> str:
    """A clause that says that the answers received so far are stored."""
    answers = f"{counted(count, 'answers')} of this run {verb_for(count, 'are')}"
    return f"{answers} stored, and the same command continues from there"
