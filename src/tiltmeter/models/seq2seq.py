"""Sequence-to-sequence language models: T5, mT5, BART, mBART.

They are named `seq2seq:google/mt5-small` or by the plain name, as the kind is read from the configuration.

Such a model has no notion of "the probability of a text" by itself, so it is asked in the way in which it was
trained. The encoder reads the context, if any, and the model's own blank; the decoder is then scored on the
text, token by token.

- T5, mT5: encoder `… <extra_id_0>`, decoder start token, `<extra_id_0>`, then the text.
- BART, mBART: encoder `… <mask>`, decoder start token, what the tokenizer puts before a text (BART: its
  beginning-of-text token), then the text. mBART's start token is the language.
- Others: an empty source, decoder start token, what the tokenizer puts before a text, then the text.

If there is text after the gap too, the encoder reads it after the blank. BART and mBART write the whole text
again and not only what was hidden, so their decoder is then given the text before the gap.

For writing replies it is different: the encoder reads the prompt as the tokenizer encodes it, and the decoder
writes from its usual start, without a blank.

Only the text's own tokens count, neither sentinels nor the end token. The card says how the model was asked.
Vectors of texts come from the encoder's last hidden layer; the decoder is not used for them.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.back_ends import Checkpoint, Traits
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.protocols import Continues, EmbedsTokens, FillsGaps
from tiltmeter.core.model.requests import Continuation
from tiltmeter.core.types import Array
from tiltmeter.models.embedding import passage_vectors
from tiltmeter.models.opening import hf, model_kinds
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading.token_model import Asked, TokenModel
from tiltmeter.models.writing.beams import BeamWriter
from tiltmeter.models.writing.next_tokens import DecodedTokens
from tiltmeter.models.writing.replies import WRITES, Replies, Writer

SENTINEL = "<extra_id_0>"
GAPS = frozenset({
    "t5", "mt5", "umt5", "longt5", "switch_transformers", "bart", "mbart", "led", "plbart", "mvp",
})  # fmt: skip
"""Model types that were trained to fill a gap within a text; others have no blank, or not for this."""


class GapFormat(NamedTuple):
    """How a model is asked for a hidden text."""

    blank: tuple[int, ...]
    """The tokens that the encoder reads in place of the text; () where the model has no blank."""
    prefix: tuple[int, ...]
    """The tokens that the decoder reads before the text."""
    whole: bool
    """Whether the decoder also writes the text that the encoder reads, and not only what is hidden."""
    summary: str
    """What encoder and decoder read, in words for the card."""


TRAITS = Traits(
    Checkpoint("AutoModelForSeq2SeqLM", "sequence-to-sequence language model"),
    takes_change=True,
    hub_task=("text2text-generation", "Text-to-Text Generation"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a sequence-to-sequence model satisfies."""
    config = model_kinds.config_of(Path(location).expanduser())
    return answers_of(str(config.get("model_type", "")))


def answers_of(model_type: str) -> tuple[type, ...]:
    """The protocols that a model of this type satisfies; not all types can fill a gap."""
    fills = model_type in GAPS
    return (Continues, *((FillsGaps,) if fills else ()), EmbedsTokens, *WRITES)


class Seq2Seq(TokenModel[Continuation], Replies):
    """A sequence-to-sequence model, which answers `Continues`, `FillsGaps`, `EmbedsTokens` and `Writes`."""

    def __init__(self, name: str, loaded: Loaded) -> None:
        super().__init__(name, loaded)
        self._lead, self._tail = _around(loaded)
        self._way = _way_of_asking(name, loaded)
        longest = hf.longest(loaded.model, loaded.tokenizer)
        room = max(len(self._way.prefix), len(self._lead + self._way.blank + self._tail))
        self.limit = None if longest is None else longest - room
        self._embedder = passage_vectors.Embedder(
            name, loaded, passage_vectors.states_of(loaded.model.get_encoder()), limit=self.limit
        )
        loaded.about |= {"longest input": longest, "asked by": self._way.summary}
        probe = [Continuation((), t.ids) for t in self.encode(["he is here", "she was not here"])]
        self._reader.settle(*self._inputs(probe)[:2])
        # Replies begin without a blank, as in training to answer; only texts that fill a gap have one.
        self._start = decoder_start(name, loaded)
        texts = DecodedTokens(loaded, self._start)
        self._writer = Writer(name, loaded, longest, lambda _: texts, self._start)
        self._beams = BeamWriter(name, loaded, longest, lambda _: texts, self._start)

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """For each request the log-probabilities of `ids`, shape (len(ids),)."""
        if not all(r.start for r in requests):
            raise BadInput("a sequence-to-sequence model cannot leave out its start token")
        return self._scored(requests)

    def _batches(self, requests: Sequence[Continuation]) -> list[list[int]]:
        longer_sides = [max(len(r.context) + len(r.after), len(self._told(r))) for r in requests]
        hf.within(self.limit, longer_sides, self.name)
        lengths = [len(self._source(r)) + len(self._target(r)) for r in requests]
        return batches_by_length(lengths, self.batch_tokens)

    def _source(self, request: Continuation) -> tuple[int, ...]:
        if not request.start:  # a prompt, and the beginning of a reply
            return request.context
        if request.after and not self._way.blank:
            raise CannotAnswer(
                f"{self.name} has no blank: it cannot be given the text after a gap. Use a model that "
                "was trained to fill gaps, as T5, mT5, BART and mBART were"
            )
        return (*self._lead, *request.context, *self._way.blank, *request.after, *self._tail)

    def _target(self, request: Continuation) -> tuple[int, ...]:
        prefix = self._way.prefix if request.start else self._start
        return (*prefix, *self._told(request))

    def _told(self, request: Continuation) -> tuple[int, ...]:
        """The tokens that the decoder reads after its prefix."""
        before = request.context if request.after and self._way.whole else ()
        return (*before, *request.ids)

    def _inputs(self, requests: Sequence[Continuation]) -> Asked:
        """The model's inputs, the positions before the scored tokens, and these tokens."""
        import torch

        to = partial(torch.tensor, device=self._loaded.device, dtype=torch.long)
        targets = [self._target(r)[:-1] for r in requests]
        inputs: dict[str, Any] = {
            f"decoder_{k}": v for k, v in self._loaded.padded(targets).items()
        }
        inputs |= self._loaded.padded([self._source(r) for r in requests])
        rows = [row for row, r in enumerate(requests) for _ in r.ids]
        both = zip(targets, requests, strict=True)
        at = [i for text, r in both for i in range(len(text) - len(r.ids), len(text))]
        true = [token for r in requests for token in r.ids]
        return inputs | {"use_cache": False}, (to(rows), to(at)), to(true)


def _around(loaded: Loaded) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The special tokens that the tokenizer puts before and after a text, such as marks or the language."""
    (tokens,) = loaded.encode(["he is here"], special=True)
    text = [i for i, special in enumerate(tokens.special) if not special]
    return tokens.ids[: text[0]], tokens.ids[text[-1] + 1 :]


def decoder_start(name: str, loaded: Loaded) -> tuple[int, ...]:
    """The tokens that the decoder reads before a text: its start token, and the tokenizer's special ones.

    Raises:
        CannotAnswer: The configuration names no start token.
    """
    lead, tail = _around(loaded)
    config = loaded.model.config
    start = getattr(config, "decoder_start_token_id", None)
    if config.model_type == "mbart" and not lead and tail:
        start = tail[-1]  # the language: it ends the source and begins the decoder's text
    if start is None:
        start = getattr(config, "bos_token_id", None)
    if start is None:
        raise CannotAnswer(f"{name}: its configuration names no decoder start token")
    return (int(start), *(token for token in lead if token != start))


def _way_of_asking(name: str, loaded: Loaded) -> GapFormat:
    tokenizer = loaded.tokenizer
    prefix = decoder_start(name, loaded)
    if SENTINEL in tokenizer.get_vocab():
        sentinel = int(tokenizer.convert_tokens_to_ids(SENTINEL))
        begin = tokenizer.convert_ids_to_tokens(prefix[0])
        summary = f"source {SENTINEL}, decoder {begin} {SENTINEL}"
        return GapFormat((sentinel,), (prefix[0], sentinel), whole=False, summary=summary)
    words = " ".join(tokenizer.convert_ids_to_tokens(prefix))
    if tokenizer.mask_token_id is not None:
        summary = f"source {tokenizer.mask_token}, decoder {words}"
        return GapFormat((int(tokenizer.mask_token_id),), prefix, whole=True, summary=summary)
    return GapFormat((), prefix, whole=False, summary=f"empty source, decoder {words}")


def load(location: str, options: Options, *, name: str, note: str = "") -> Seq2Seq:
    """Open a sequence-to-sequence model from its folder."""
    loaded = hf.load(location, options, name=name, scheme="seq2seq", note=note)
    return Seq2Seq(name, loaded)
