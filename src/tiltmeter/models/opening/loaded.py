"""A transformers model in memory, with its tokenizer."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model import batches
from tiltmeter.core.model.control_tokens import pattern_of, private
from tiltmeter.core.model.protocols import Fact
from tiltmeter.core.model.requests import Tokens
from tiltmeter.data.files.remembered_values import recalled, remembered
from tiltmeter.models.speed.machine_state import machine_state

if TYPE_CHECKING:
    import torch

Ids: TypeAlias = "Sequence[int] | npt.NDArray[np.integer[Any]]"

FETCHED_CODE = "transformers_modules"
"""The package in which transformers puts code that comes with models."""


@dataclass(slots=True)
class Loaded:
    """A model with its tokenizer, on its device, and what identifies both."""

    model: Any
    """The transformers model; None where only the tokenizer is loaded, as for a model behind a server."""
    tokenizer: Any
    folder: Path
    device: "torch.device"
    batch_tokens: int
    fingerprint: str
    about: dict[str, Fact]
    cased: bool
    borrowed: bool = False
    """Whether the caller uses the model too, so that its weights must not be changed."""
    embeddings: int = 0
    """How many tokens the model knows, where it is not one of transformers; otherwise 0."""
    ends: tuple[int, ...] = ()
    """Further tokens that end a reply, besides those that the model's configuration and tokenizer name."""
    few_shapes: bool = False
    """Whether each new shape of a batch costs time and memory, as with oneDNN."""
    control_tokens: tuple[str, ...] = field(init=False)
    """The texts that the tokenizer reads as special tokens, such as "[SEP]"."""
    mask: str = field(init=False)
    """The stand-in for the mask token in texts given to `encode`; "" if the tokenizer has no mask token."""
    _control: re.Pattern[str] | None = field(init=False)

    def __post_init__(self) -> None:
        """Look up the tokenizer's control tokens."""
        added = getattr(self.tokenizer, "added_tokens_decoder", {}).values()
        special = [token.content for token in added if token.special]
        usual = map(str, getattr(self.tokenizer, "all_special_tokens", ()))
        self.control_tokens = (*dict.fromkeys([*special, *usual]),)
        self.mask = private(str(getattr(self.tokenizer, "mask_token", None) or ""))
        self._control = pattern_of(self.control_tokens)

    def filled(self, rows: int) -> int:
        """The number of rows to which a batch is padded, which is larger where few shapes are better."""
        return batches.filled(rows) if self.few_shapes else rows

    def verdict(self, check: str) -> Any:
        """The remembered result of a check of this model on this machine; None where it is not known."""
        key = self._key_of(check)
        return recalled(key) if key else None

    def remember(self, check: str, verdict: object) -> None:
        """Remember the result of a check, if it must be the same whenever the model is opened here."""
        if key := self._key_of(check):
            remembered(key, lambda: verdict)

    def _key_of(self, check: str) -> object:
        model = type(self.model)
        # Code that comes with a model may be outside its folder, so that no fingerprint notices changes.
        is_theirs = self.borrowed or model.__module__.startswith(f"{FETCHED_CODE}.")
        machine = None if is_theirs else machine_state(self.device.type)
        kind = model.__name__, self.batch_tokens, self.few_shapes
        return (check, self.fingerprint, kind, machine) if machine else None

    @property
    def unknown(self) -> int | None:
        """The token for text that is not in the vocabulary; None where there is no such token."""
        token: int | None = self.tokenizer.unk_token_id
        return token

    def spells(self, text: str) -> bool:
        """Whether a text contains the spelling of a control token."""
        return self._control is not None and self._control.search(text) is not None

    def plainly(self, texts: Sequence[str]) -> dict[str, bool]:
        """Arguments with which the tokenizer reads control tokens in these texts as letters; {} for none."""
        return {"split_special_tokens": True} if any(map(self.spells, texts)) else {}

    def encode(
        self, texts: Sequence[str], *, special: bool, controls: bool = False
    ) -> list[Tokens]:
        """The tokens of each text; `special` adds those that the tokenizer puts around a text.

        Control tokens that a text spells are read as letters, unless `controls` says that they are meant, as
        in a filled chat template. The attribute `mask` always stands for the mask token.

        Raises:
            BadInput: A text cannot be tokenised, or has a mask and also spells a control token.
            CannotAnswer: The tokenizer cannot read a control token as letters.
        """
        masked = [at for at, text in enumerate(texts) if self.mask and self.mask in text]
        if not masked or controls:
            return self._encoded(texts, special=special, controls=controls)
        if both := next((texts[at] for at in masked if self.spells(texts[at])), None):
            shown = both.replace(self.mask, "…")
            raise BadInput(
                f"a text in which a word is hidden spells a control token of the model: {shown!r}",
                "reword the text, or leave the item out",
            )
        real = str(self.tokenizer.mask_token)
        hiding = [texts[at].replace(self.mask, real) for at in masked]
        rest = [text for text in texts if self.mask not in text]
        with_masks = iter(self._encoded(hiding, special=special, controls=True))
        without = iter(self._encoded(rest, special=special, controls=False))
        return [next(with_masks if self.mask in text else without) for text in texts]

    def held_control_tokens(self, text: str, spelled: dict[str, str]) -> str:
        """The text with stand-ins for control tokens; the meaning of each is added to `spelled`."""

        def stand_in(match: re.Match[str]) -> str:
            spelled[private(match[0])] = match[0]
            return private(match[0])

        return self._control.sub(stand_in, text) if self._control else text

    def encode_template(self, text: str, spelled: Mapping[str, str]) -> tuple[int, ...]:
        """The tokens of a filled chat template, with its own control tokens but stand-ins read as letters."""
        if not spelled:
            return self.encode([text], special=False, controls=True)[0].ids
        pieces = re.split(f"({'|'.join(map(re.escape, spelled))})", text)
        return tuple(
            token
            for piece in filter(None, pieces)
            for token in self.encode(
                [spelled.get(piece, piece)], special=False, controls=piece not in spelled
            )[0].ids
        )

    def _encoded(self, texts: Sequence[str], *, special: bool, controls: bool) -> list[Tokens]:
        if not texts:
            return []
        out = self.tokenised(
            list(texts),
            controls=controls,
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

    def tokenised(self, *texts: list[str], controls: bool = False, **wanted: Any) -> Any:
        """The tokenizer's output for texts, or for pairs of them; `controls` is as for `encode`.

        Raises:
            BadInput: A text cannot be tokenised.
            CannotAnswer: The model has no embedding for a token, or the tokenizer cannot read a control token
                as letters.
        """
        plainly = {} if controls else self.plainly([text for side in texts for text in side])
        wanted |= plainly
        if plainly:
            for text in filter(self.spells, (text for side in texts for text in side)):
                self._check_plain(text)
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
        """The `input_ids` and `attention_mask` of padded rows, (rows, longest), on the device.

        Padding is on the right, or with `left` on the left. `pad` is the padding token; None is the
        tokenizer's.
        """
        import torch

        width = max([1, *map(len, rows)])
        filler = int(self.tokenizer.pad_token_id or 0) if pad is None else pad
        ids = np.full((len(rows), width), filler, dtype=np.int64)
        seen = np.zeros_like(ids)
        for row, tokens in enumerate(rows):
            # Attention over nothing would be undefined, so even an empty row has one token in sight.
            start, length = (width - len(tokens) if left else 0), len(tokens)
            ids[row, start : start + length] = tokens
            seen[row, start : start + max(length, 1)] = 1
        made = {"input_ids": ids, "attention_mask": seen}
        return {key: torch.from_numpy(array).to(self.device) for key, array in made.items()}

    def unreadable(self, spelled: Iterable[str]) -> list[str]:
        """The control tokens among these that the tokenizer cannot read as letters.

        These are pieces of its vocabulary too, such as "</s>" with SentencePiece.
        """
        known = self.tokenizer.get_vocab()
        unknown = self.tokenizer.unk_token
        tokens = [token for token in dict.fromkeys(spelled) if token in known]
        if unknown != self.tokenizer.eos_token:
            tokens = [
                t for t in tokens if t != unknown
            ]  # letters outside of the vocabulary are it too
        plainly = {"add_special_tokens": False, "split_special_tokens": True}
        return [t for t in tokens if known[t] in self.tokenizer(f"a {t} a", **plainly)["input_ids"]]

    def _check_plain(self, text: str) -> None:
        """Refuse a text that spells control tokens which the tokenizer cannot read as letters."""
        if self._control and (read := self.unreadable(self._control.findall(text))):
            raise CannotAnswer(
                f"the tokenizer cannot read {read[0]} as letters, which {text[:60]!r} spells; reword the "
                "text, or leave the item out"
            )

    def _check_ids(self, rows: Sequence[Sequence[int]]) -> None:
        known = self.embeddings
        if self.model is not None:
            known = self.model.get_input_embeddings().weight.shape[0]
        if not known:
            return
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
