"""The groups in which studies are listed, by what they ask about; each study declares its own."""

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
