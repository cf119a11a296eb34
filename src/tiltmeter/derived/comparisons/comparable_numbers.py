"""What two results must share for numbers of one measure to be comparable between their models.

Rankings, tables of several models and analyses of items ask here. Whether two models answer the same items is
another question, which pairing answers (`paired.matched`).
"""

import json
from dataclasses import dataclass
from hashlib import sha256

from tiltmeter.core.model.back_ends import traits_of
from tiltmeter.core.results import Card, Result

TOKENS = "tokens_scored"
"""The score that says of how many tokens the probability of an item is."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a model was measured."""

    study: str
    rules: frozenset[str]
    """The rule, and those whose numbers mean the same; none for a baseline, which no rule scores."""
    convention: str
    ties: str
    settings: tuple[tuple[str, str], ...]
    data: str
    """The checksum of the data, or their name where they have none."""
    items: object
    sample: str
    """Which sample of the data was measured; "" for all of them."""
    tokens: str = ""
    """How the model splits texts into tokens (`tokens_of`), for a number that depends on that; else ""."""


def conditions(card: Card, *, rule: str = "", tokens: str = "") -> Conditions:
    """How the model of a result was measured.

    Args:
        card: The card of the result.
        rule: The rule of one number, where not all share one.
        tokens: How the model splits texts, for a number that depends on it.
    """
    return Conditions(
        card.study,
        frozenset() if is_baseline(card) else rules_alike(card, rule),
        card.convention, card.ties, tuple(sorted(card.settings.items())),
        str(card.data.get("sha256") or card.data_name), card.data.get("items"),
        str(card.data.get("sample", "")), tokens,
    )  # fmt: skip


def rules_alike(card: Card, rule: str = "") -> frozenset[str]:
    """The rules whose numbers mean the same as those of a result's rule, that rule included."""
    rule = rule or card.rule
    return frozenset(card.alike if rule in card.alike else [rule])


def tokens_of(result: Result) -> str:
    """What tells models apart that split the items of their results into different numbers of tokens.

    "" where the records do not say it.
    """
    counts = sorted(
        (record.item, record.repeat, record.scores[TOKENS])
        for record in result.records if TOKENS in record.scores
    )  # fmt: skip
    return sha256(json.dumps(counts).encode()).hexdigest() if counts else ""


def is_baseline(card: Card) -> bool:
    """Whether a result is one of a baseline, which is no model: no rule scores it."""
    return traits_of(str(card.model.get("kind", ""))).is_baseline
