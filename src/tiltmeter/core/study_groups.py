"""How studies are listed: the groups by what they ask about, and words for the models they are asked of."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

StudyGroup: TypeAlias = Literal[
    "sentences", "associations", "answers", "decisions", "writing", "classifiers", "people"
]
GROUPS: Mapping[StudyGroup, str] = {
    "sentences": "which sentences a model finds likelier",
    "associations": "which words go with which groups",
    "answers": "what a model answers when it is asked",
    "decisions": "whom a model chooses",
    "writing": "what a model writes about whom",
    "classifiers": "how texts about groups are labelled",
    "people": "numbers that people's judgments are compared with, or that people make",
}
"""What the studies of a group ask about, in the order in which groups are listed."""
UNGROUPED = "other"
"""The heading of studies that declare no group."""


def group_place(group: str | None) -> int:
    """The place of a group in lists of studies; studies without one come last.

    >>> group_place("sentences"), group_place(None) == len(GROUPS)
    (0, True)
    """
    return [*GROUPS, group].index(group)


ASKED_OF: Mapping[str, str] = {
    "LM": "gives words probabilities (BERT, GPT-2)",
    "replies": "writes replies (Qwen, GPT-2)",
    "vectors": "makes vectors (GloVe, encoders, most LMs)",
    "labels": "labels texts (classifiers)",
}
"""By the word that a question has for the models it is asked of: what such a model does."""
