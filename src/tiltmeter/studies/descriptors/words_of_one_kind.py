"""The irrelevant arm: two descriptors of one kind in the same sentence, such as two words for deaf people."""

from collections.abc import Sequence
from dataclasses import replace

from tiltmeter.core.control_items import Placebo
from tiltmeter.core.data.items import Dataset, Sentence
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import EDIT, EDITED
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Labels
from tiltmeter.study_families.controls import SAME_GROUP, views_less
from tiltmeter.study_families.word_pairs import PairedWords, in_pairs, measures_of_pairs


def with_words_of_one_kind(data: Dataset[Sentence], placebo: Placebo) -> Dataset[Sentence]:
    """The sentences, labelled so that those with one template, noun and axis are compared in pairs.

    Raises:
        BadInput: No kind has two descriptors.
    """
    del placebo
    descriptors: dict[tuple[str, str], set[str]] = {}
    for item in data.items:
        kind = (item.groups["axis"], item.groups["kind"])
        descriptors.setdefault(kind, set()).add(item.groups["descriptor"])
    several = sum(len(some) > 1 for some in descriptors.values())
    if not several:
        reason = f"no kind of {data.name} has two descriptors"
        raise BadInput(reason, "draw more with --set descriptors=NUMBER")
    items = [
        in_pairs(
            item, frame="/".join(item.groups[axis] for axis in ("template", "noun", "axis")),
            word=item.groups["descriptor"],
        )
        for item in data.items
    ]  # fmt: skip
    about = {"control edits": f"exchanges of descriptors within {counted(several, 'kinds')}"}
    return replace(data, items=items, about={**data.about, **about})


def nats_per_token(columns: Sequence[Array], arms: Labels) -> tuple[Array, Array]:
    """What each sentence costs, in nats per token; twice."""
    del arms
    logprob, tokens = columns
    return -logprob / tokens, -logprob / tokens


CONTROL = replace(SAME_GROUP, edits="exchanges within one kind")
COST = PairedWords(
    "cost", ("logprob", "tokens_scored", "kind", EDIT), "nats", called="Change of the cost",
    text=EDITED, moves="changes the cost of a sentence", edits="exchanges of descriptors between kinds",
    scores=nats_per_token,
)  # fmt: skip
LESS = (*measures_of_pairs(CONTROL, COST),)
VIEWS = views_less((CONTROL,), COST)
