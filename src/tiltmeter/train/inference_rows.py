"""Pairs of premise and hypothesis as rows of tokens, some held out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tiltmeter.core.conversations import Message, Prompt
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.inference_prompts import inference_prompt
from tiltmeter.data.inference_pairs import InferencePair
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._prompt_text import PromptReader
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


class PairRows(NamedTuple):
    """Pairs as rows of tokens, and how many were too long."""

    rows: TokenRows
    too_long: int


def pair_rows(
    pairs: Sequence[InferencePair], phrases: Mapping[str, str], name: str, loaded: Loaded, most: int
) -> PairRows:
    """The rows of all pairs that fit; the hypothesis and the token that ends it are what is learned.

    Raises:
        CannotAnswer: The tokenizer has no end-of-text token.
    """
    reader = PromptReader(name, loaded)
    end = loaded.tokenizer.eos_token_id
    if end is None:
        raise CannotAnswer(
            f"{name}: its tokenizer has no end-of-text token to end a hypothesis with"
        )
    found = []
    for pair in pairs:
        text = inference_prompt(pair.premise, phrases[pair.relation])
        prompt = Prompt((Message("user", text),), chat=False)
        alone, whole = reader.followed([(prompt, ""), (prompt, f" {pair.hypothesis}")])
        same = zip(alone, whole, strict=False)
        begun = next((i for i, (a, b) in enumerate(same) if a != b), len(alone))
        if len(whole) < most:
            own = np.arange(len(whole) + 1) >= begun
            found.append(TokenRow(np.array([*whole, end], dtype=np.int32), own))
    return PairRows(TokenRows(found), len(pairs) - len(found))


def unended(rows: TokenRows) -> TokenRows:
    """The same rows without the end token among what counts.

    An untrained model does not know that a hypothesis ends there, which is no matter of language.
    """
    return TokenRows(
        TokenRow(row.ids, row.own & (np.arange(len(row.ids)) < len(row.ids) - 1))
        for row in (rows[i] for i in range(len(rows)))
    )
