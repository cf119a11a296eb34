"""GGUF files read in their own bits by llama.cpp.

A model is named `llama:FILE`, or by a folder with one GGUF file; FILE may be OWNER/NAME/FILE on the hub.
The weights stay as they are in the file, mapped into memory, so a model of eight billion weights in four bits
fits where `gguf:`, which converts it back to float32, would need 32 GB. The numbers are llama.cpp's own:
before a product with quantised weights it rounds the other factor to eight bits, which moves the
log-probability of a token by some .08 on average. So it is a kind of model of its own, and `gguf:` stays the
one that gives what the weights say.

Texts are scored side by side, each with the numbers that it has alone. Whether this processor can do that is
tried when a model is opened; where it cannot, texts are read one by one. Replies are written one by one.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.model.batch_progress import each_reported
from tiltmeter.core.model.conversations import Choosing, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import (
    Chooses,
    ChoosesAfterThoughts,
    Continues,
    Converses,
    Fact,
    StartsBare,
    Writes,
)
from tiltmeter.core.model.requests import Continuation, Tokens
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import file_digest
from tiltmeter.data.files.remembered_values import recalled, remember
from tiltmeter.data.hub import hub_cache
from tiltmeter.models import gguf
from tiltmeter.models.llama_cpp import library, trial
from tiltmeter.models.llama_cpp.file_tokenizer import folder_of, tokenizer_folder
from tiltmeter.models.llama_cpp.next_tokens import LlamaNextTokens
from tiltmeter.models.llama_cpp.streams import Scored, Streams, room
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.memory_estimate import MemoryEstimate, TextSizes
from tiltmeter.models.opening.model_files import files_below
from tiltmeter.models.opening.model_options import AUTO, Options
from tiltmeter.models.reading.start_token import start_of
from tiltmeter.models.speed.machine_state import machine_state
from tiltmeter.models.writing.replies import Writer

CODE = "llama-1"
"""The beginning of every fingerprint; raised when this code changes answers."""
FLOAT32 = 4
"""Bytes of a number between products, and of keys and values."""
ANSWERS: tuple[type, ...] = (Continues, StartsBare, Writes, Chooses, ChoosesAfterThoughts)

TRAITS = Traits(
    form=(
        "llama:FILE",
        "the same in the file's own bits, for models too large for float32 (extra [llama])",
    ),
    takes_start_token=True,
    named_with_kind=True,
    usual_answers=ANSWERS,
    hub_task=("text-generation", "Text Generation"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that the model satisfies."""
    return (*ANSWERS, Converses) if gguf.has_chat_template(location) else ANSWERS


def load(location: str, options: Options, *, name: str, note: str = "") -> "Llama":
    """Open a GGUF file; the first time on a machine, it is tried in a process of its own.

    Raises:
        BadInput: An option asks for what llama.cpp is not used for here.
        MissingExtra: llama-cpp-python is not installed.
        Unavailable: The file is damaged, or llama.cpp cannot read it.
        CannotAnswer: It is no causal model.
    """
    if options.precision != AUTO:
        raise BadInput(
            f"{name} is read in the bits that its file has, so no precision can be chosen",
            "leave out --precision, or use gguf:",
        )
    if options.device not in {"auto", "cpu"}:
        raise BadInput(f"{name} is read by the processor", "leave out --device, or use gguf:")
    library.library()
    file = gguf.file_of(location)
    digest = file_digest(file)
    apart = _apart(file, digest, name)
    weights = library.LlamaWeights(file, name)
    folder = tokenizer_folder(file, digest, name)
    tokenizer, note, facts = hf.load_tokenizer(folder, name, options, "causal", note)
    settings = CODE, hf.ASKING, digest, library.VERSION, library.kernels(), options.start_token
    import torch

    loaded = Loaded(
        None, tokenizer, folder, torch.device("cpu"), options.batch_tokens or library.BATCH,
        sha256(json.dumps(settings).encode()).hexdigest(), {}, cased=hf.is_cased(tokenizer),
        embeddings=weights.vocabulary, ends=tuple(sorted(weights.ends)),
    )  # fmt: skip
    loaded.about |= {
        "kind": "gguf in its own bits",
        "architecture": weights.description,
        "parameters": weights.parameters,
        "vocabulary": len(tokenizer),
        "folder": file.name,
        "precision": "the file's own; other factors of products in 8 bits",
        "quantised": gguf.quantised(file),
        "sha256 of the file": digest,
        "device": "cpu",
        "threads": str(library.threads()),
        "libraries": f"{library.DISTRIBUTION} {library.VERSION}",
        "texts beside others": (
            "equal to texts alone" if apart <= trial.NEAR else "not equal here, so texts are read alone"
        ),
    }  # fmt: skip
    if (of := hub_cache.origin(file)) is not None:
        loaded.about["revision"] = of.revision
    loaded.about |= facts | ({"note": note} if note else {})
    streams = Streams(weights, name, alone=apart > trial.NEAR)
    return Llama(name, loaded, weights, streams, options.start_token)


def files(location: str, _: Options) -> list[Path]:
    """The file, and those of its tokenizer; [] before the first use."""
    file = gguf.file_of(location)
    folder = folder_of(file_digest(file))
    return [file, *files_below(folder)] if folder.is_dir() else []


fetched = gguf.fetched


def memory(location: str, precision: str, device: str, texts: TextSizes) -> MemoryEstimate:
    """The file, which is mapped into memory, a pass, and keys and values for the longest text."""
    del precision, device
    file = gguf.file_of(location)
    sizes = gguf.header_sizes(file)
    bytes_a_cell = 2 * FLOAT32 * sizes.layers * sizes.key_heads * sizes.key_length
    streams, cells = room(texts.longest, bytes_a_cell)
    layer = 16 * sizes.width + 4 * sizes.inner + 2 * sizes.heads * cells  # with scores of attention
    numbers = library.BATCH * layer + 2 * library.outputs_of(sizes.vocabulary) * sizes.vocabulary
    return MemoryEstimate(
        "the file's own", file.stat().st_size, FLOAT32 * numbers, streams * cells * bytes_a_cell
    )


def preparation(location: str) -> str:
    """What has to be done once before the file can be used, in words; "" where it has been done."""
    try:
        is_ready = folder_of(file_digest(gguf.file_of(location))).is_dir()
    except (BadInput, OSError):
        return ""
    return "" if is_ready else "reading its tokenizer once, which takes a minute or so"


def _apart(file: Path, digest: str, name: str) -> float:
    """What the trial found, remembered for this file, this machine and this version."""
    key = ("llama", CODE, digest, library.kernels(), machine_state("cpu"))
    known = recalled(key)
    if known is None:
        known = trial.tried(file, name)["apart"]
        remember(key, known)
    return float(known)


class Llama:
    """A causal model in its own bits, which answers `Continues`, `StartsBare`, `Chooses` and `Writes`."""

    deterministic = True
    reply_tokens = 0
    shared_row = library.BATCH

    def __init__(
        self, name: str, loaded: Loaded, weights: library.LlamaWeights, streams: Streams,
        start_token: str | None,
    ) -> None:  # fmt: skip
        self.name, self.fingerprint = name, loaded.fingerprint
        self.batch_tokens = loaded.batch_tokens
        self._loaded, self._streams = loaded, streams
        self.limit = weights.longest - 1  # the start token takes a place
        self.cased, self.unknown = loaded.cased, loaded.unknown
        self._start, fact = start_of(name, loaded.tokenizer, start_token)
        tokens = LlamaNextTokens(streams)
        self._writer = Writer(name, loaded, weights.longest, tokens.for_texts_of)
        streams_at_once, cells = streams.room(1)
        kept = streams_at_once * cells
        loaded.about |= {
            "longest input": weights.longest,
            "start token": fact,
            "cache": f"keys and values of {counted(kept, 'tokens')}, "
                     f"{kept * weights.bytes_a_cell / 2**20:,.0f} MiB, or of one longer text",
        }  # fmt: skip
        if summary := self._writer.reader.thinking.summary:
            loaded.about["thinks"] = summary

    @property
    def about(self) -> Mapping[str, Fact]:
        """The facts for the card of a result."""
        return self._loaded.about

    @property
    def control_tokens(self) -> Sequence[str]:
        """The texts that its tokenizer reads as special tokens; a text that spells one is read as letters."""
        return self._loaded.control_tokens

    def unreadable(self, spelled: Sequence[str]) -> Sequence[str]:
        """The control tokens among these that its tokenizer cannot read as letters."""
        return self._loaded.unreadable(spelled)

    @property
    def chats(self) -> bool:
        """Whether the file has a chat template."""
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

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`, shape (len(ids),)."""
        hf.within(self.limit, [len(r.context) + len(r.ids) for r in requests], self.name)
        return self._streams.logprobs([self._scored(request) for request in requests])

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """For each request the log-probabilities of its whole options, shape (len(options),)."""
        asked = [self._writer.options(request) for request in requests]
        rows = iter(self.continuation_logprobs([option for options in asked for option in options]))
        return [np.array([float(next(rows).sum()) for _ in options]) for options in asked]

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """The tokens of each prompt, including the chat template."""
        return [len(ids) for ids in self._writer.reader.tokens(prompts)]

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """A reply to each request, in order; one is written after another."""
        return [self._writer.write([request])[0] for request in each_reported(requests)]

    def _scored(self, request: Continuation) -> Scored:
        if request.after:
            raise CannotAnswer(
                f"{self.name} reads from left to right: it cannot be given the text after a gap; use a rule "
                "that asks for what ends a text"
            )
        if not request.start and not request.context:
            raise BadInput("a continuation without a start token needs a context")
        start = (self._start,) if request.start else ()
        before = (*start, *request.context)
        return Scored((*before, *request.ids)[:-1], len(before) - 1, request.ids)
