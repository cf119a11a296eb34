"""Masked language models: BERT, RoBERTa, ALBERT, DistilBERT, ELECTRA's generator, XLM-R, MPNet, ModernBERT.

They are named `masked:bert-base-uncased` or by the plain name, as the kind is read from the configuration. If
the checkpoint also has BERT's next-sentence head, that answers whether a sentence follows another. Vectors of
texts come from the last hidden layer, or from the checkpoint's own pooler.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.back_ends import Checkpoint, Traits, checkpoint_of
from tiltmeter.core.model.protocols import (
    Attends,
    EmbedsPooled,
    EmbedsStart,
    EmbedsTokens,
    FillsBlanks,
    JudgesNext,
    ReadsOut,
    ReadsUnhidden,
    TellsPieces,
)
from tiltmeter.core.model.requests import Blanked
from tiltmeter.core.types import Array
from tiltmeter.models.embedding import passage_vectors
from tiltmeter.models.opening import checkpoint_parts, hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading import attention as _attention
from tiltmeter.models.reading import readout
from tiltmeter.models.reading.next_pairs import Judge, JudgesPairs, PairReader
from tiltmeter.models.reading.start_token import begins_word
from tiltmeter.models.reading.token_model import Asked, BlankModel
from tiltmeter.models.speed.batch_answers import by_row


def head_answers(*, starts: bool) -> tuple[type, ...]:
    """The protocols that the language-modelling head satisfies; `starts` if texts have a start token."""
    protocols = (FillsBlanks, ReadsUnhidden, Attends, ReadsOut, TellsPieces, EmbedsTokens)
    return (*protocols, EmbedsStart) if starts else protocols


TRAITS = Traits(
    Checkpoint("AutoModelForMaskedLM", "masked language model", framed=True),
    takes_change=True,
    usual_answers=head_answers(starts=True),
    hub_task=("fill-mask", "Fill-Mask"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a masked model satisfies."""
    folder = Path(location).expanduser()
    starts = checkpoint_parts.has_start_token(folder)
    more = (
        (EmbedsPooled, starts and checkpoint_parts.has_pooler(folder)),
        (JudgesNext, checkpoint_parts.has_next_sentence_head(folder)),
    )
    return (*head_answers(starts=starts), *(protocol for protocol, there in more if there))


class Masked(BlankModel, JudgesPairs):
    """A masked language model, which answers `FillsBlanks`, `Attends`, `ReadsOut` and related protocols."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        judge: Callable[[], Judge] | None = None,
        pooler: "Callable[[], passage_vectors.Reads] | None" = None,
    ) -> None:
        super().__init__(name, loaded)
        self._model = loaded.model
        self._make_judge = judge
        self._last_layer = readout.LastLayer(name, loaded.model)
        states, limit = passage_vectors.last_layer(loaded.model), self.limit
        self._embedder = passage_vectors.Embedder(name, loaded, states, limit=limit, pooler=pooler)
        self._check()

    def readout(self, requests: Sequence[Blanked], *, margin: float = 1.0) -> list[Array]:
        """For each request an array of shape (2, len(read)): distances of the logits, and lengths of h."""
        read_batch = partial(self._last_layer.blanks, margin=margin, inputs=self._rows)
        return self._answered(requests, read_batch)

    def piece_logprobs(self, requests: Sequence[Blanked], *, begins: bool) -> list[Array]:
        """Log-probabilities among the tokens that begin a word (`begins`), or among all others.

        There is an array of shape (len(read),) for each request.

        Raises:
            CannotAnswer: The vocabulary does not mark which tokens begin a word.
        """
        if self._begins is None:
            raise CannotAnswer(
                f"{self.name}: its vocabulary does not mark which tokens begin a word"
            )
        members = self._begins if begins else ~self._begins
        read_batch = partial(self._last_layer.among, members=members, inputs=self._rows)
        return self._answered(requests, read_batch)

    @cached_property
    def _begins(self) -> npt.NDArray[np.bool_] | None:
        width = int(self._model.get_output_embeddings().weight.shape[0])
        return begins_word(self._loaded.tokenizer, width)

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """For each request an array of shape (2, len(read)): log-probabilities and attention received."""
        with _attention.shown(self._model):
            return self._answered(requests, self._attended_batch)

    def _batches(self, requests: Sequence[Blanked]) -> list[list[int]]:
        lengths = [len(r.ids) for r in requests]
        batches = super()._batches(requests)
        return [part for batch in batches for part in self._embedder.apart(batch, lengths)]

    def _rows(self, requests: Sequence[Blanked]) -> dict[str, Any]:
        """The model's inputs, with one row for each request."""
        hidden = [set(r.hidden) for r in requests]
        both = zip(requests, hidden, strict=True)
        rows = [[self._mask if i in gone else t for i, t in enumerate(r.ids)] for r, gone in both]
        return self._loaded.padded(rows)

    def _places(
        self, requests: Sequence[Blanked], rows_of: Sequence[int] | None = None
    ) -> tuple[tuple[Any, Any], Any]:
        """The (rows, positions) that are read, and the tokens looked up there.

        `rows_of` is the row of each request; by default each has its own.
        """
        import torch

        to = partial(torch.tensor, device=self._loaded.device, dtype=torch.long)
        rows_of = range(len(requests)) if rows_of is None else rows_of
        rows = [row for row, r in zip(rows_of, requests, strict=True) for _ in r.read]
        at = [i for r in requests for i in r.read]
        true = [r.ids[i] for r in requests for i in r.read]
        return (to(rows), to(at)), to(true)

    def _check(self) -> None:
        texts = ["he is here", "she was not here today"]
        requests = [Blanked(t.ids, (1,), (1, len(t.ids) - 1)) for t in self.encode(texts)]
        self._reader.settle(self._rows(requests), self._places(requests)[0])
        self._embedder.check_padding(texts)

    def _inputs(self, requests: Sequence[Blanked]) -> Asked:
        """The inputs, places and tokens of a batch, in which requests that see the same share a row."""
        distinct = {r.seen: r for r in requests}
        at = {seen: row for row, seen in enumerate(distinct)}
        rows, true = self._places(requests, [at[r.seen] for r in requests])
        return self._rows([*distinct.values()]), rows, true

    def _attended_batch(self, requests: Sequence[Blanked]) -> list[Array]:
        import torch

        with torch.inference_mode():
            inputs = self._rows(requests)
            rows, true = self._places(requests)
            logprobs, maps = self._reader.with_attention(inputs, rows, true)  # (reads,)
            paid = _attention.received(maps, inputs["attention_mask"], self.name)  # (b, t)
            attention = paid[rows].cpu().numpy()  # (reads,)
        lengths = [len(r.read) for r in requests]
        both = zip(by_row(logprobs, lengths), by_row(attention, lengths), strict=True)
        return [np.stack(rows_of_request) for rows_of_request in both]


def load(location: str, options: Options, *, name: str, note: str = "") -> Masked:
    """Open a masked language model from its folder."""
    loaded = hf.load(location, options, name=name, scheme="masked", note=note)
    judge = pooler = None
    if checkpoint_parts.has_next_sentence_head(loaded.folder):
        loaded.about["next-sentence head"] = "the model's own"
        judge = partial(_open_judge, location, options, name, loaded)
    if checkpoint_parts.has_pooler(loaded.folder):
        pooler = partial(_open_pooler, location, options, name, loaded)
    return Masked(name, loaded, judge, pooler)


def _open_pooler(
    location: str, options: Options, name: str, loaded: Loaded
) -> "passage_vectors.Reads":
    """A function that computes the pooler's output in float32.

    The checkpoint is opened once more with its pooler; everything else is shared with the loaded model.
    """
    trunk = hf.load(location, options, "AutoModel", name=name, scheme="masked").model
    if getattr(trunk, "pooler", None) is None:
        raise CannotAnswer(f"{name}: its architecture has no pooler that could be asked")
    _share(loaded, trunk)
    trunk.pooler.float().register_forward_pre_hook(lambda _, given: (given[0].float(), *given[1:]))
    return lambda inputs: trunk(**inputs).pooler_output  # (b, d)


def _open_judge(location: str, options: Options, name: str, loaded: Loaded) -> Judge:
    """A judge with the checkpoint's next-sentence head; everything else is shared with the loaded model."""
    judging = hf.load(
        location, options, checkpoint_of("next_sentence").auto, name=name, scheme="masked"
    )
    _share(loaded, judging.model.base_model)
    reader = PairReader(judging)
    return Judge(name, judging, reader, lambda inputs: judging.model(**inputs).logits)


def _share(loaded: Loaded, trunk: Any) -> None:
    for part, module in loaded.model.base_model.named_children():
        setattr(trunk, part, module)
