"""A causal model behind vLLM or SGLang, measured by the probabilities of its tokens (`served:URL#MODEL`).

Texts are split by the model's own tokenizer, which is loaded here without the model, and are sent as token
ids, many in one request. Replies are requested as from `chat:` models.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.conversations import Choosing, Prompt
from tiltmeter.core.model.protocols import (
    Chooses,
    ChoosesAfterThoughts,
    Continues,
    Fact,
    StartsBare,
    Writes,
)
from tiltmeter.core.model.query import HasRequests, Query
from tiltmeter.core.model.requests import Continuation, Tokens
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import file_digest
from tiltmeter.models.chat import CHARACTERS, ChatServer
from tiltmeter.models.openai_protocol.prompt_logprobs import SentText, ServerProtocol, protocol_of
from tiltmeter.models.openai_protocol.server_address import server_address
from tiltmeter.models.openai_protocol.server_client import NoAnswer, RequestRefused
from tiltmeter.models.openai_protocol.server_models import ServedModel, served_model, shown_list
from tiltmeter.models.opening import hf, model_files
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_kinds import need_hf
from tiltmeter.models.opening.model_options import DEFAULTS, Options
from tiltmeter.models.reading.start_token import start_of
from tiltmeter.models.writing.replies import Writer

VERSION = "served-2"
"""The beginning of every fingerprint; raised when this code changes what is asked or what is stored."""
TEXTS, TOKENS = 64, 16_384
"""The most texts and tokens in one request; a longer text is sent alone."""
TOKENIZER_FILES = (*model_files.IDENTIFYING, "special_tokens_map.json")
TELLING = ("version", "dtype", "quantization", "kv_cache_dtype")
"""The facts in a server's description of itself that belong on the card."""
OWNERS = ("vllm", "sglang")
"""The `owned_by` of models on servers that return log-probabilities of a prompt."""
PROBES = (
    "The old driver was slow, and the nurse said that she was late.",
    "Café № 3 — naïve 東京 🙂",
)
COOLER, MOVED = 0.25, 0.5
"""A temperature other than 1, and how far log-probabilities may differ between the two, by rounding alone."""


class Served(ChatServer):
    """A served causal model, which answers `Continues`, `StartsBare`, `Chooses` and `Writes`."""

    shared_row = 0

    def __init__(
        self, served: ServedModel, protocol: ServerProtocol, loaded: Loaded, options: Options,
        note: str = "",
    ) -> None:  # fmt: skip
        super().__init__(served, options.at_once, note)
        self._protocol = protocol
        self._loaded = loaded
        self._start, start = start_of(self.name, loaded.tokenizer, options.start_token)
        self.fingerprint = self._print(VERSION, loaded.fingerprint, self._start)
        self.cased, self.unknown = loaded.cased, loaded.unknown
        longest = served.entry.get("max_model_len")
        # The start token takes one place before the text, and the server needs some after it.
        self.limit = longest - protocol.room - 1 if isinstance(longest, int) else None
        self._writer = Writer(self.name, loaded, self.limit, lambda _: None)  # type: ignore[arg-type,return-value]
        loaded.about |= {
            "vocabulary": len(loaded.tokenizer), "start token": start, "tokens": self._compared(),
            "log-probabilities": self._tried(),
        }  # fmt: skip
        if summary := self._writer.reader.thinking.summary:
            loaded.about["thinks"] = summary

    @property
    def about(self) -> Mapping[str, Fact]:
        """The facts on the server and the model for the card."""
        known = {"kind": f"causal model behind {self._protocol.name}", **self._loaded.about}
        if "server's dtype" not in known:
            known["precision"] = "not told by the server"
        return {**super().about, **known}

    @property
    def chats(self) -> bool:  # type: ignore[override]
        """Whether the tokenizer has a chat template."""
        return self._writer.reader.chats

    @property
    def thinks(self) -> bool:
        """Whether its chat template has it think by itself."""
        return self._writer.reader.thinking.thinks

    @property
    def can_think(self) -> bool:
        """Whether it thinks by itself or where its chat template is asked for it."""
        return self._writer.reader.thinking.can_think

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, without special ones."""
        return self._loaded.encode(texts, special=False)

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """The tokens of each prompt, including the chat template."""
        return [len(ids) for ids in self._writer.reader.tokens(prompts)]

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`, shape (len(ids),)."""
        hf.within(self.limit, [_size(request) - 1 for request in requests], self.name)
        groups = _groups([_size(request) for request in requests])
        return [row for group in groups for row in self._scored([requests[i] for i in group])]

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """For each request the log-probabilities of its whole options, shape (len(options),)."""
        asked = [self._writer.options(request) for request in requests]
        rows = iter(self.continuation_logprobs([option for options in asked for option in options]))
        return [np.array([next(rows).sum() for _ in options]) for options in asked]

    def _together(self, query: Query, batches: Sequence[HasRequests]) -> list[Sequence[int]]:
        if query.question.protocol is Writes:
            return super()._together(query, batches)
        return _groups([sum(map(_size, batch.requests)) for batch in batches])

    def _scored(self, requests: Sequence[Continuation], temperature: float = 1.0) -> list[Array]:
        """The log-probabilities of these texts, in one request to the server."""
        texts = [
            SentText((self._start,) * r.start + r.context + r.ids, len(r.ids))
            for r in requests
            if r.ids
        ]

        def read(answer: object) -> list[Array]:
            self._facts.note(answer)
            return self._protocol.logprobs(answer, texts)

        body = self._protocol.body(self._model, texts, temperature)
        rows = iter(self._client.post(self._protocol.path, body, read, self.stop) if texts else ())
        return [next(rows) if request.ids else np.zeros(0) for request in requests]

    def _compared(self) -> str:
        """Check that the server splits texts like the tokenizer here; returns a fact for the card."""
        bodies = [{"model": self._model, "prompt": t, "add_special_tokens": False} for t in PROBES]
        try:
            theirs = [
                self._client.post("/tokenize", body, lambda answer: answer["tokens"], self.stop)
                for body in bodies
            ]
        except (RequestRefused, KeyError, TypeError):
            return "not compared with the server's, which does not show them"
        if theirs != [list(tokens.ids) for tokens in self.encode(PROBES)]:
            raise CannotAnswer(
                f"{self.name}: the server splits a text into other tokens than the tokenizer that was "
                "loaded here; name the folder or hub id of the model's own with --tokenizer"
            )
        return "as the server's, on two texts"

    def _tried(self) -> str:
        """Check that the server returns the model's own log-probabilities; returns a fact for the card.

        One of two texts is scored again, alone and at another temperature, which must not change anything.
        """
        requests = [Continuation((), tokens.ids) for tokens in self.encode(PROBES)]
        first, _ = self._scored(requests)
        (again,) = self._scored(requests[:1], COOLER)
        moved = float(np.abs(first - again).max())
        if not moved < MOVED:  # also where it is not a number
            raise CannotAnswer(
                f"{self.name}: the server's log-probabilities change with the temperature (by {moved:.2g}): "
                "they are not the model's own. Start the server without patches and logits processors "
                "(vLLM: --logprobs-mode raw_logprobs)"
            )
        return f"of the prompt's tokens; asked for twice they differed by at most {moved:.4f}"


TRAITS = Traits(
    answers_elsewhere=True,
    takes_start_token=True,
    takes_tokenizer=True,
    form=("served:URL#MODEL", "a model behind vLLM or SGLang, with its probabilities"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a served model satisfies; nothing is sent to the server for this."""
    server_address(location, "served")
    return (Continues, StartsBare, Writes, Chooses, ChoosesAfterThoughts)


def load(location: str, options: Options = DEFAULTS, *, name: str = "", note: str = "") -> Served:
    """Open the model behind `URL#MODEL`, or the only one of the server at `URL`, with its tokenizer.

    Raises:
        BadInput: The server has no such model, its tokenizer cannot be found, or `served_model` raises it.
        CannotAnswer: The server does not return the model's log-probabilities of given tokens.
    """
    need_hf()
    import torch

    served = served_model("served", location, options, name)
    if served.listed and served.model not in served.listed:
        reason = f"the server has no model {served.model}; it lists {shown_list(served.listed)}"
        raise BadInput(reason, "name one of them after #")
    protocol = protocol_of(served.entry.get("owned_by"))
    told = _told(served, protocol)
    folder = _tokenizer_folder(served, told, options)
    hf.check_tokenizer(folder, served.name)
    tokenizer, note, about = hf.load_tokenizer(folder, served.name, options, "causal", note)
    about |= {f"server's {key}": told[key] for key in TELLING if key in told}
    files = sorted({file for pattern in TOKENIZER_FILES for file in folder.glob(pattern)})
    identity = [f"{file.name}:{file_digest(file)}" for file in files if file.is_file()]
    digest = sha256(repr((identity, sorted(about.items()))).encode()).hexdigest()
    cased = hf.is_cased(tokenizer)
    # Only the tokenizer is used: the model is on the server, so there is none here and no device for it.
    loaded = Loaded(None, tokenizer, folder, torch.device("meta"), 1, digest, about, cased)
    return Served(served, protocol, loaded, options, note)


def _told(served: ServedModel, protocol: ServerProtocol) -> dict[str, str]:
    """The server's description of itself; {} if it has none.

    It may contain the server's key, so only the facts in TELLING are put on cards.
    """
    for path in protocol.version_paths:
        try:
            told = served.client.get(path, tries=1)
        except (RequestRefused, NoAnswer):
            continue
        return (
            {k: v for k, v in told.items() if isinstance(v, str)} if isinstance(told, dict) else {}
        )
    return {}


def _tokenizer_folder(served: ServedModel, told: Mapping[str, str], options: Options) -> Path:
    """The folder with the tokenizer's files, by the option, the server's description or the model's name."""
    said = (told.get("tokenizer_path"), served.entry.get("root"), told.get("model_path"))
    place = options.tokenizer or next((str(p) for p in said if p), served.model)
    try:
        return model_files.folder_of(place, options, only=TOKENIZER_FILES)
    except TiltmeterError as error:
        if options.tokenizer:
            raise
        reason = f"the tokenizer of {served.name} is not here ({error})"
        way_out = "name a folder or hub id that has it: --tokenizer FOLDER"
        if served.entry.get("owned_by") not in OWNERS:
            way_out += ". The server does not say that it is vLLM or SGLang, which served: needs"
        raise BadInput(reason, way_out) from error


def _size(request: Continuation | Choosing) -> int:
    """The number of tokens that are sent for a request, estimated in the case of options after a prompt."""
    if isinstance(request, Continuation):
        return len(request.context) + len(request.ids) + 1
    return len(request.options) * (len(request.prompt.plain) // CHARACTERS + 1)


def _groups(sizes: Sequence[int]) -> list[Sequence[int]]:
    """The indices of consecutive requests that are sent together, given their sizes in tokens.

    >>> _groups([16_000, 300, 200, 20_000])
    [[0, 1], [2], [3]]
    """
    groups: list[list[int]] = []
    tokens = 0
    for i, size in enumerate(sizes):
        if not groups or len(groups[-1]) == TEXTS or tokens + size > TOKENS:
            groups.append([])
            tokens = 0
        groups[-1].append(i)
        tokens += size
    return [*groups]
