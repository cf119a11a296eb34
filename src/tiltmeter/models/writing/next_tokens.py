"""Logits of the next token after several texts, with keys and values kept from token to token."""

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tiltmeter.models.opening.loaded import Loaded

if TYPE_CHECKING:
    import torch

NEAR = {"float32": 1e-3}
"""How far a logit may differ from the plain one, as a share of the largest, by precision."""
ROUGHLY = 5e-2
"""The tolerance in reduced precision."""
PROBES = ((1, 2, 3, 4, 5, 6), (7, 8, 9))
"""Texts on which both ways are compared; their tokens are given in twelfths of the vocabulary."""

JOINING = (2, 5, 3, 11)
"""A text that joins these."""


class ReadsOn(Protocol):
    """What a writer needs of a model: the logits after texts, and after one more token of any of them."""

    joins: bool
    """Whether texts can join others that are being continued."""
    rereads: bool
    """Whether a prompt can be read together with a part of a reply to it."""

    def read(
        self, texts: Sequence[Sequence[int]], later: Sequence[Sequence[int]] = ()
    ) -> "torch.Tensor":
        """The logits after each text, (texts, vocabulary); `later` are texts that will join them."""

    def join(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """The logits after further texts, whose rows follow those that are there."""

    def read_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """The logits after texts that each continue one of the last rows by one more token.

        A row may be continued any number of times. `texts` are the whole texts.
        """


class NextTokens:
    """Reads texts, then continues any of them by one token at a time.

    Texts of different lengths are read side by side, padded on the left. Before the first use it is checked
    that this, with the kept keys and values, gives the same as reading each whole text alone. Models for
    which it does not, such as some with a recurrent state, read every text from its beginning and by itself.
    """

    joins = False
    rereads = True

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._takes = inspect.signature(loaded.model.forward).parameters
        self._keeps: bool | None = None
        self._seen: Any = None  # 1 at tokens, 0 at padding, (rows, length)
        self._cache: Any = None
        self._prompt_lengths: list[int] = []
        self._later: Sequence[Sequence[int]] = ()

    def read(
        self, texts: Sequence[Sequence[int]], later: Sequence[Sequence[int]] = ()
    ) -> "torch.Tensor":
        """The logits after each text, (texts, vocabulary); `later` are texts that will join them."""
        if self._keeps is None:
            self._keeps = self._is_same()
            self._loaded.about["keys and values kept"] = self._keeps
        self._prompt_lengths, self._later = [len(text) for text in texts], later
        return self._begin(texts) if self._keeps else self._alone(texts)

    def join(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """The logits after further texts, whose rows follow those that are there."""
        self._prompt_lengths += [len(text) for text in texts]
        return self._join(texts) if self._keeps else self._alone(texts)

    def read_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """The logits after texts that each continue one of the last rows by one more token.

        A row may be continued any number of times. `texts` are the whole texts.
        """
        self._prompt_lengths = [self._prompt_lengths[row] for row in rows]
        return self._go_on(rows, texts) if self._keeps else self._alone(texts)

    def _go_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        to = self._loaded.device
        chosen = torch.tensor(list(rows), device=to)
        ones = torch.ones((len(rows), 1), dtype=torch.long, device=to)
        self._seen = torch.cat([self._seen[chosen], ones], dim=1)
        self._cache.reorder_cache(chosen)
        last = torch.tensor([text[-1] for text in texts], device=to)
        return self._forward(last.unsqueeze(1))

    def _join(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        raise NotImplementedError("texts read side by side are padded to one length")

    def _begin(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        # Padding is on the left: all texts end in the last column, where the next token is read.
        rows = self._loaded.padded(texts, left=True, pad=0)
        self._cache = None
        self._seen = rows["attention_mask"]
        return self._forward(rows["input_ids"])

    def _forward(self, ids: "torch.Tensor") -> "torch.Tensor":
        places = (self._seen.cumsum(1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        more = {"position_ids": places, "logits_to_keep": 1}
        more = {name: value for name, value in more.items() if name in self._takes}
        return self._asked(input_ids=ids, **more)

    def _asked(self, **inputs: Any) -> "torch.Tensor":
        """The logits after the last token of each row; keys and values are kept."""
        out = self._loaded.model(
            attention_mask=self._seen, past_key_values=self._cache, use_cache=True, **inputs
        )
        self._cache = out.past_key_values
        logits: torch.Tensor = out.logits[:, -1].float()
        return logits

    def _clear(self) -> None:
        """Release the keys and values of the texts read so far."""
        self._seen = self._cache = None

    def _alone(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        rows = []
        for text in texts:
            ids = torch.tensor([list(text)], device=self._loaded.device)
            rows.append(self._loaded.model(input_ids=ids, use_cache=False).logits[0, -1].float())
        return torch.stack(rows)

    def _is_same(self) -> bool:
        import torch

        step = int(self._loaded.about.get("vocabulary") or 1) // 12
        texts = [tuple(step * k for k in probe) for probe in PROBES]
        rows = (1, 0, 1)
        longer = [(*texts[row], step * k) for row, k in zip(rows, (10, 11, 1), strict=True)]
        joined = [tuple(step * k for k in JOINING)] if self.joins else []
        try:
            first = self._begin(texts)
            second = [self._join(joined)] if joined else []
            logits = torch.cat([first, *second, self._go_on(rows, longer)])
        except (AttributeError, IndexError, KeyError, NotImplementedError, RuntimeError, TypeError):
            return False
        finally:
            self._clear()
        self._prompt_lengths = [len(texts[row]) for row in (0, 1, *rows)]
        plain = self._alone([*texts, *joined, *longer])
        near = NEAR.get(str(self._loaded.about.get("precision")), ROUGHLY)
        bound = near * max(1.0, plain.abs().max().item())
        return bool((logits - plain).abs().max().item() <= bound)


class DecodedTokens(NextTokens):
    """Next tokens of a model whose encoder reads the prompts and whose decoder writes the replies."""

    rereads = False

    def __init__(self, loaded: Loaded, start: Sequence[int]) -> None:
        super().__init__(loaded)
        self._start = start
        self._states: Any = None  # of the encoder, (rows, length, d)

    def _begin(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        sources = self._loaded.padded(texts)
        self._cache, self._seen = None, sources["attention_mask"]
        # The encoder reads each prompt once; its states are kept for all tokens of the replies.
        self._states = self._loaded.model.get_encoder()(**sources)[0]
        return self._forward(torch.tensor([[*self._start]] * len(texts), device=self._seen.device))

    def _go_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        chosen = torch.tensor(list(rows), device=self._loaded.device)
        self._seen, self._states = self._seen[chosen], self._states[chosen]
        self._cache.reorder_cache(chosen)
        return self._forward(torch.tensor([[text[-1]] for text in texts], device=chosen.device))

    def _forward(self, ids: "torch.Tensor") -> "torch.Tensor":
        return self._asked(encoder_outputs=(self._states,), decoder_input_ids=ids)

    def _clear(self) -> None:
        super()._clear()
        self._states = None

    def _alone(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        import torch

        rows = []
        for text, end in zip(texts, self._prompt_lengths, strict=True):
            source, target = (
                torch.tensor([[*ids]], device=self._loaded.device)
                for ids in (text[:end], (*self._start, *text[end:]))
            )
            out = self._loaded.model(input_ids=source, decoder_input_ids=target, use_cache=False)
            rows.append(out.logits[0, -1].float())
        return torch.stack(rows)
