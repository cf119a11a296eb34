"""The irrelevant arm: completions of one prompt about two words for the same group."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from tiltmeter.core.control_items import Placebo
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import EDIT, EDITED
from tiltmeter.core.text import counted
from tiltmeter.study_families.controls import SAME_GROUP, views_less
from tiltmeter.study_families.word_pairs import PairedWords, in_pairs, measures_of_pairs


def with_words_of_one_group(data: Dataset[PromptedText], placebo: Placebo) -> Dataset[PromptedText]:
    """The prompts, labelled so that those of one template are compared in pairs; none is added.

    Raises:
        BadInput: No template has prompts about two groups and two about one group.
    """
    del placebo
    by_template: dict[str, dict[str, str]] = {}
    for item in data.items:
        by_template.setdefault(item.cluster, {})[item.text] = item.groups.get("group", "")
    pairs = [sum(numbers) for numbers in zip(*map(_pairs, by_template.values()), strict=True)]
    if not all(pairs):
        what = "two words for one group" if pairs[0] else "words for two groups"
        reason = f"no template of {data.name} has prompts with {what}"
        raise BadInput(reason, "give HONEST, or a table with the columns prompt, group and cluster")
    items = [in_pairs(item, frame=item.cluster, word=item.text) for item in data.items]
    about = {
        "control edits": f"{counted(pairs[1], 'pairs of words')} for one group, and {pairs[0]:,} for two"
    }
    return replace(data, items=items, about={**data.about, **about})


def _pairs(groups: dict[str, str]) -> Sequence[int]:
    """How many pairs of words of a template are for two groups, and for one."""
    same = [a == b for a, b in combinations([group for group in groups.values() if group], 2)]
    return len(same) - sum(same), sum(same)


CONTROL = replace(SAME_GROUP, edits="pairs of words for one group")
VERDICT = PairedWords(
    "verdict", ("flagged", "group", EDIT), "%", yes_no=True, called="Verdicts that differ", text=EDITED,
    moves="gets different verdicts", edits="pairs of words for two groups",
)  # fmt: skip
LESS = (*measures_of_pairs(CONTROL, VERDICT),)
VIEWS = views_less((CONTROL,), VERDICT)
