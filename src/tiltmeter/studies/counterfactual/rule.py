"""The rule: what a classifier says about a text before and after its identity terms are exchanged.

Scores of a record: `before` and `after`, the probabilities of positive, and `before_positive`,
`after_positive` (1 or 0).
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.data.labelled_items import SwappedText
from tiltmeter.core.model.protocols import Classifies
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.scoring.classified_texts import (
    note_constant,
    positive_columns,
    readable_items,
    threshold_of,
)


def score_swaps(model: Classifies, items: Sequence[SwappedText], context: Context) -> list[Record]:
    """One record for each swap: the probability of positive before it and after it."""
    kept = readable_items(model, items, [item.texts for item in items], context)
    threshold = threshold_of(context.settings)
    columns = positive_columns(model, items[0].before.positive, context)
    context.settle()
    answers = model.class_logprobs([text for item in kept for text in item.texts])
    chances = [min(1.0, float(np.exp(answer)[columns].sum())) for answer in answers]
    note_constant({float(chance >= threshold) for chance in chances}, context)
    return [
        Record(
            item.id,
            {
                "before": before, "after": after,
                "before_positive": float(before >= threshold), "after_positive": float(after >= threshold),
            },
            item.groups,
            item.cluster,
            texts={"text": item.before.text, "edited": item.after},
        )
        for item, before, after in zip(kept, chances[::2], chances[1::2], strict=True)
    ]  # fmt: skip


CLASSIFY_SWAPS: Rule[SwappedText] = Rule(
    "classify_swap",
    Classifies,
    score_swaps,
    summary="The classifier is asked about the text as it is and with its identity terms "
    "exchanged; what counts is how the probability of positive changes.",
    source="Garg et al. 2019, doi:10.1145/3306618.3317950",
)
