"""Rules for prompts that offer two opposite traits: which of them a model chooses.

The options have the roles `left` and `right`. Scores of a record, besides those of `prompted_texts`: `first`
is how far the trait that the prompt names first is chosen, from 0 to 1, or -1 where a reply names neither;
`named_first` is 0 where that is the left one and 1 where it is the right one.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tiltmeter.core.prompted_items import FIRST, RIGHT_FIRST, PromptedText
from tiltmeter.core.protocols import Chooses, Writes
from tiltmeter.core.results import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.prompted_texts import Ask, ask_for_choice, ask_in_words, score_texts
from tiltmeter.scoring.reply_scores import REPLIES
from tiltmeter.scoring.rule_words import RULE_WORDS
from tiltmeter.scoring.written_answers import first_word


def score_choices(
    ask: Ask, model: Any, items: Sequence[PromptedText], context: Context
) -> list[Record]:
    """One record a prompt and repeat."""
    return [_ordered(record) for record in score_texts(ask, model, items, context)]


def _ordered(record: Record) -> Record:
    """The record with what follows from the order in which its prompt names the traits."""
    turned = record.groups["order"] == RIGHT_FIRST
    first = {"first": record.scores["right" if turned else "left"], "named_first": float(turned)}
    texts = {**record.texts, "sides": "left trait\nright trait"}
    return replace(record, scores={**record.scores, **first}, texts=texts)


WORDS = RULE_WORDS["trait_choices"]
RULES: tuple[Rule[PromptedText], ...] = (
    Rule(
        "word", Writes, partial(score_choices, partial(ask_in_words, first_word)), replies=REPLIES,
        **WORDS["word"],
    ),
    Rule(
        "choice", Chooses, partial(score_choices, partial(ask_for_choice, both_orders=False)),
        task=FIRST, **WORDS["choice"],
    ),
)  # fmt: skip
