"""Encoders: models that make vectors of texts and give no probabilities of words.

They are named `encoder:sentence-transformers/all-MiniLM-L6-v2` or by the plain name. An encoder is a folder
with a `modules.json`, as the sentence-transformers library writes it, or a checkpoint of a language model
without its head (`BertModel`). A sentence encoder's "own" pooling is what the library's plain call does: its
prompt where it has one, its pooling, and the modules that follow. Both kinds also have a vector for each
token.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.back_ends import Checkpoint, Traits
from tiltmeter.core.model.batches import batches_by_length, filled
from tiltmeter.core.model.protocols import EmbedsPooled, EmbedsStart, EmbedsTexts, EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.types import Array
from tiltmeter.models.embedding import passage_vectors
from tiltmeter.models.embedding.sentence_encoder import Sentences, open_sentences
from tiltmeter.models.opening import checkpoint_parts, hf, model_kinds
from tiltmeter.models.opening.encoder_modules import MODULES
from tiltmeter.models.opening.load_errors import explained
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading.token_model import EmbeddingModel
from tiltmeter.models.speed import packed_weights
from tiltmeter.models.speed.batch_answers import in_batches

OWN = "own"
PROBE = ("He was late.", "Nobody in the old house heard the bus.")

TRAITS = Traits(
    Checkpoint("AutoModel", "headless encoder"),
    takes_change=True,
    usual_answers=(EmbedsTexts, EmbedsTokens, EmbedsStart),
    hub_task=("sentence-similarity", "Sentence Similarity"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that an encoder satisfies."""
    folder = Path(location).expanduser()
    starts = checkpoint_parts.has_start_token(folder)
    more = (
        (EmbedsTexts, (folder / MODULES).is_file()),
        (EmbedsTokens, True),
        (EmbedsStart, starts),
        (EmbedsPooled, starts and checkpoint_parts.has_pooler(folder)),
    )
    return tuple(protocol for protocol, there in more if there)


class Encoder(EmbeddingModel):
    """An encoder (`Embeds` and related protocols), which batches texts by length and keeps their order."""

    def __init__(
        self, name: str, loaded: Loaded, sentences: Sentences | None, *, pooler: bool
    ) -> None:
        super().__init__(name, loaded)
        longest = hf.longest(loaded.model, loaded.tokenizer)
        limits = [n for n in (longest, sentences and sentences.limit) if n]
        self.limit = min(limits) if limits else None
        self._sentences = sentences
        states, limit = passage_vectors.states_of(loaded.model), self.limit
        pooled = (lambda: self._pooled) if pooler else None
        self._embedder = passage_vectors.Embedder(name, loaded, states, limit=limit, pooler=pooled)
        loaded.about["longest input"] = self.limit
        with explained(name):
            packed_weights.pack(loaded, lambda: self._embedder.probe(PROBE))
            self._embedder.check_padding(PROBE)

    def passage_lengths(self, passages: Sequence[Passage]) -> list[int]:
        """The tokens of each passage, including special ones and the prompt; 0 where its word has none."""
        lengths = super().passage_lengths(passages)
        if self._sentences is None or not self._sentences.prompt:
            return lengths
        prompted = self._embedder.lengths(
            [Passage(self._sentences.prompt + passage.text) for passage in passages]
        )
        return [long if n else 0 for n, long in zip(lengths, prompted, strict=True)]

    def embed(self, passages: Sequence[Passage], *, pooling: str) -> Array:
        """A vector for each passage, shape (passages, d)."""
        if pooling != OWN or self._sentences is None:
            return super().embed(passages, pooling=pooling)
        lengths = self.passage_lengths(passages)
        if 0 in lengths:
            without = passages[lengths.index(0)].text
            raise CannotAnswer(f"{self.name} has no token for {without!r}; leave it out")
        hf.within(self.limit, lengths, self.name)
        asked = [passage.text for passage in passages]
        batches = batches_by_length(lengths, self.batch_tokens, alike=asked)
        plan = [part for batch in batches for part in self._embedder.apart(batch, lengths)]
        vectors = in_batches(plan, asked, self._batch, self._loaded.about)
        return np.stack(vectors) if vectors else np.zeros((0, 0))

    def _batch(self, asked: Sequence[str]) -> list[Array]:
        """The vectors of one batch, in which each text is read once.

        On a CPU the first text is repeated so that batches have few different shapes.
        """
        if self._sentences is None:
            raise CannotAnswer(f"{self.name} is not a sentence encoder")
        texts = list(dict.fromkeys(asked))
        row = {text: i for i, text in enumerate(texts)}
        if self._loaded.device.type == "cpu":
            texts += texts[:1] * (filled(len(texts)) - len(texts))
        vectors = self._sentences(texts)  # (≥ b, d)
        return [vectors[row[text]] for text in asked]

    def _pooled(self, inputs: Mapping[str, Any]) -> Any:
        return self._loaded.model(**inputs).pooler_output  # (b, d)


def load(location: str, options: Options, *, name: str, note: str = "") -> Encoder:
    """Open a sentence encoder, or a language model's trunk, from its folder."""
    folder = Path(location)
    if (folder / MODULES).is_file():
        loaded, sentences = open_sentences(folder, options, name=name, note=note)
        return Encoder(name, loaded, sentences, pooler=checkpoint_parts.has_pooler(folder))
    auto = "AutoModelForTextEncoding" if model_kinds.is_half(folder) else ""
    loaded = hf.load(
        location, options, auto, name=name, scheme="encoder", note=note, unread="pooler."
    )
    return Encoder(name, loaded, None, pooler=checkpoint_parts.has_pooler(folder))
