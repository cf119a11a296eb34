"""Pairs of premise and hypothesis as rows of tokens, some held out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tiltmeter.core.conversations import Message, Prompt
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.inference_prompts import inference_prompt
from tiltmeter.data.texts.inference_pairs import InferencePair
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.writing.prompt_text import PromptReader
from tiltmeter.train.blocks import TokenRow, TokenRows


def split(
    pairs: Sequence[InferencePair], *, held_out: float, most: int | None, seed: int
) -> tuple[list[InferencePair], list[InferencePair]]:
    """To train on, and held out: no premise gives to both. `most` bounds both together.

    Raises:
        BadInput: There are fewer than two premises.
    """
    rng = np.random.default_rng([seed, 0])
    kept = list(pairs)
    if most is not None and most < len(kept):
        kept = [kept[i] for i in np.sort(rng.choice(len(kept), most, replace=False))]
    premises = list(dict.fromkeys(pair.premise for pair in kept))
    if len(premises) < 2:  # noqa: PLR2004
        raise BadInput("all pairs have the same premise, so none can be held out", "give more data")
    share = min(max(1, round(held_out * len(premises))), len(premises) - 1)
    back = {premises[i] for i in rng.permutation(len(premises))[:share]}
    return [p for p in kept if p.premise not in back], [p for p in kept if p.premise in back]


class InferenceReader:
    """Turns pairs into rows of tokens; the hypothesis and the token that ends it are what is learned."""

    def __init__(self, name: str, kind: str, loaded: Loaded, phrases: Mapping[str, str]) -> None:
        """A reader for this model.

        Args:
            name: The model's.
            kind: causal, or seq2seq: the encoder then reads the premise and the decoder the hypothesis.
            loaded: The model with its tokenizer.
            phrases: The words of each relation.

        Raises:
            CannotAnswer: The tokenizer has no end-of-text token.
        """
        self._loaded, self._phrases = loaded, phrases
        self._row = self._two_texts if kind == "seq2seq" else self._one_text
        self._reader = PromptReader(name, loaded)
        if loaded.tokenizer.eos_token_id is None:
            raise CannotAnswer(
                f"{name}: its tokenizer has no end-of-text token to end a hypothesis with"
            )
        self._end = int(loaded.tokenizer.eos_token_id)

    def row(self, pair: InferencePair) -> TokenRow:
        """Premise, relation and hypothesis; the hypothesis is the row's own."""
        text = inference_prompt(pair.premise, self._phrases[pair.relation])
        before, whole = self._row(text, pair.hypothesis)
        ids = np.array([*whole, self._end], dtype=np.int32)
        return TokenRow(ids, np.arange(len(ids)) >= before)

    def _one_text(self, text: str, hypothesis: str) -> tuple[int, tuple[int, ...]]:
        prompt = Prompt((Message("user", text),), chat=False)
        alone, whole = self._reader.followed([(prompt, ""), (prompt, f" {hypothesis}")])
        same = zip(alone, whole, strict=False)
        return next((i for i, (a, b) in enumerate(same) if a != b), len(alone)), whole

    def _two_texts(self, text: str, hypothesis: str) -> tuple[int, tuple[int, ...]]:
        (source,) = self._loaded.encode([text], special=True)
        (target,) = self._loaded.encode([hypothesis], special=False)
        return len(source.ids), (*source.ids, *target.ids)


class PairRows(NamedTuple):
    """Pairs as rows of tokens, and how many were too long."""

    rows: TokenRows
    too_long: int


def pair_rows(pairs: Sequence[InferencePair], reader: InferenceReader, most: int) -> PairRows:
    """The rows of all pairs that have at most so many tokens."""
    rows = [row for row in map(reader.row, pairs) if len(row.ids) <= most]
    return PairRows(TokenRows(rows), len(pairs) - len(rows))


def unended(rows: TokenRows) -> TokenRows:
    """The same rows without the token that ends each.

    An untrained model does not know that a hypothesis ends there, which is no matter of language.
    """
    whole_rows = (rows[i] for i in range(len(rows)))
    return TokenRows(TokenRow(row.ids[:-1], row.is_text[:-1]) for row in whole_rows)
