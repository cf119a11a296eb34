"""Rules for prompts that offer two opposite traits: which of them a model chooses.

The options have the roles `left` and `right`. Scores of a record, besides those of `prompted_texts`: `first`
is how far the trait that the prompt names first is chosen, from 0 to 1, or -1 where a reply names neither;
`named_first` is 0 where that is the left one and 1 where it is the right one.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tiltmeter.core.data.prompted_items import RIGHT_FIRST, PromptedText
from tiltmeter.core.model.protocols import Chooses, Writes
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.prompted_texts import (
    Ask,
    ask_for_choice,
    ask_in_words,
    score_texts,
    stated_rule,
)
from tiltmeter.scoring.reply_scores import REPLIES
from tiltmeter.scoring.written_answers import first_word


def score_choices(
    ask: Ask, model: Any, items: Sequence[PromptedText], context: Context
) -> list[Record]:
    """One record a prompt."""
    return [_ordered(record) for record in score_texts(ask, model, items, context)]


def _ordered(record: Record) -> Record:
    """The record with what follows from the order in which its prompt names the traits."""
    turned = record.groups["order"] == RIGHT_FIRST
    first = {"first": record.scores["right" if turned else "left"], "named_first": float(turned)}
    texts = {**record.texts, "sides": "left trait\nright trait"}
    return replace(record, scores={**record.scores, **first}, texts=texts)


RULES: tuple[Rule[PromptedText], ...] = (
    stated_rule(score_choices),
    Rule(
        "word",
        Writes,
        partial(score_choices, partial(ask_in_words, first_word)),
        replies=REPLIES,
        summary="The model writes a reply, and the first word of it is the choice if it is one of "
        "the two traits; replies that name both or neither, empty ones and refusals are counted by "
        "kind and left out of all shares.",
        source="Sotnikova 2023, Multilingual Large Language Models Leak Human Stereotypes Across "
        "Language Boundaries (dissertation, chapter 5); Cao et al. 2025, "
        "https://aclanthology.org/2025.nlp4pi-1.15, section 5.3.3",
    ),
    Rule(
        "choice",
        Chooses,
        partial(score_choices, partial(ask_for_choice, both_orders=False)),
        summary="The model writes nothing: each trait counts with its probability as the beginning "
        "of the reply, divided by that of both traits, and averaged over both orders. Traits "
        "with more tokens are at a disadvantage.",
        source="Tiltmeter; the published study counts replies",
    ),
)
