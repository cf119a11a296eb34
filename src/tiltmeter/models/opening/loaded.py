"""A transformers model in memory, with its tokenizer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core import batches
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.protocols import Fact
from tiltmeter.core.requests import Tokens
from tiltmeter.data.files.remembered_values import recalled, remembered
from tiltmeter.models.speed.machine_state import machine_state

if TYPE_CHECKING:
    import torch

Ids: TypeAlias = "Sequence[int] | npt.NDArray[np.integer[Any]]"

FETCHED_CODE = "transformers_modules"
"""Package in which transformers puts modules that come with models."""


@dataclass(slots=True)
class Loaded:
    """A model with its tokenizer, on its device, and what identifies both."""

    model: Any
    """None where only its tokenizer is here, as of a model behind a server."""
    tokenizer: Any
    folder: Path
    device: "torch.device"
    batch_tokens: int
    fingerprint: str
    about: dict[str, Fact]
    cased: bool
    borrowed: bool = False
    """Whether the caller holds the model as well, so that its weights have to stay as they are."""
    few_shapes: bool = False
    """Whether each new shape of a batch costs time and memory, as with oneDNN."""

    def filled(self, rows: int) -> int:
        """The number of rows to which a batch is padded: more than it has, where few shapes are better."""
        return batches.filled(rows) if self.few_shapes else rows

    def verdict(self, check: str) -> Any:
        """What a check of this model came to on this machine before; None where that is not known."""
        key = self._key_of(check)
        return recalled(key) if key else None

    def remember(self, check: str, verdict: object) -> None:
        """Keep what a check came to, if it must come to the same whenever the model is opened here."""
        if key := self._key_of(check):
            remembered(key, lambda: verdict)

    def _key_of(self, check: str) -> object:
        model = type(self.model)
        # code that comes with a model may lie elsewhere, where no fingerprint sees it change
        is_theirs = self.borrowed or model.__module__.startswith(f"{FETCHED_CODE}.")
        machine = None if is_theirs else machine_state(self.device.type)
        kind = model.__name__, self.batch_tokens, self.few_shapes
        return (check, self.fingerprint, kind, machine) if machine else None

    @property
    def unknown(self) -> int | None:
        """The token that stands for what is not in the vocabulary."""
        token: int | None = self.tokenizer.unk_token_id
        return token

    def encode(self, texts: Sequence[str], *, special: bool) -> list[Tokens]:
        """Tokens of each text; `special` adds those that the tokenizer puts round a text."""
        if not texts:
            return []
        out = self.tokenised(
            list(texts),
            add_special_tokens=special,
            return_special_tokens_mask=True,
            return_offsets_mapping=self.tokenizer.is_fast,
            return_token_type_ids=False,
        )
        masks = out["special_tokens_mask"] if special else [[0] * len(i) for i in out["input_ids"]]
        spans = out.get("offset_mapping") or [()] * len(masks)
        rows = zip(out["input_ids"], masks, spans, strict=True)
        return [
            Tokens(tuple(ids), tuple(map(bool, mask)), _words(out, row), tuple(map(tuple, at)))
            for row, (ids, mask, at) in enumerate(rows)
        ]

    def tokenised(self, *texts: list[str], **wanted: Any) -> Any:
        """What the tokenizer gives for texts, or for pairs of them.

        Raises:
            BadInput: A text cannot be tokenised.
            CannotAnswer: The model has no embedding for a token.
        """
        try:
            out = self.tokenizer(*texts, return_attention_mask=False, verbose=False, **wanted)
        except (TypeError, UnicodeEncodeError) as error:
            raise BadInput(
                "a text cannot be tokenised: it contains half a character (an unpaired surrogate)",
                "correct the encoding of the file",
            ) from error
        self._check_ids(out["input_ids"])
        return out

    def padded(
        self, rows: Sequence[Ids], *, left: bool = False, pad: int | None = None
    ) -> "dict[str, torch.Tensor]":
        """`input_ids` and `attention_mask` on the device, (rows, longest), padded on the right or the left.

        `pad` is the token that fills rows up, by default the tokenizer's.
        """
        import torch

        width = max([1, *map(len, rows)])
        filler = int(self.tokenizer.pad_token_id or 0) if pad is None else pad
        ids = np.full((len(rows), width), filler, dtype=np.int64)
        seen = np.zeros_like(ids)
        for row, tokens in enumerate(rows):
            # Attention needs something in sight, also in an empty row.
            start, length = (width - len(tokens) if left else 0), len(tokens)
            ids[row, start : start + length] = tokens
            seen[row, start : start + max(length, 1)] = 1
        made = {"input_ids": ids, "attention_mask": seen}
        return {key: torch.from_numpy(array).to(self.device) for key, array in made.items()}

    def _check_ids(self, rows: Sequence[Sequence[int]]) -> None:
        if self.model is None:
            return
        known = self.model.get_input_embeddings().weight.shape[0]
        beyond = max((max(ids, default=0) for ids in rows), default=0)
        if beyond >= known:
            raise CannotAnswer(
                f"the tokenizer produces token {beyond:,} but the model has only {known:,}: they do not "
                "belong together"
            )


def _words(encoded: Any, row: int) -> tuple[int, ...]:
    if not encoded.is_fast:
        return ()
    return tuple(-1 if word is None else word for word in encoded.word_ids(row))
