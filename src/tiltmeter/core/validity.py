"""What speaks for and against a study as a measure: its answers to a checklist of construct validity."""

from collections.abc import Iterator
from dataclasses import dataclass

CHECKLIST = "Bean et al. 2025, arXiv:2511.04703"
"""The paper whose eight recommendations the rows follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity:
    """The rows of a study in the checklist of Bean et al. 2025, one or two sentences each.

    Each says what is the case, not what would be desirable: "nobody has" is an answer.
    """

    phenomenon: str
    """What the study means to measure, and whose definition that is (Define the phenomenon)."""
    confounds: str
    """What else moves the number (Measure the phenomenon and only the phenomenon)."""
    items: str
    """Where the items come from, what they stand for, and who checked them (Construct a representative data
    set for the task)."""
    reuse: str
    """Whether the data were made for another purpose, or changed (Acknowledge limitations of reusing data
    sets)."""
    contamination: str
    """Since when the items are public, and where they are known to be in training data (Prepare for
    contamination)."""
    statistics: str
    """What intervals and tests take as the sample, and how models are compared (Use statistical methods to
    compare models)."""
    errors: str
    """What can be looked at beyond the number, and which failures are known (Conduct an error analysis)."""
    argument: str
    """Why the number should be about the phenomenon, and what is missing (Justify construct validity)."""

    def rows(self, *, markdown: bool = False) -> Iterator[tuple[str, str]]:
        """The eight rows, each with its heading for readers; in Markdown, commands are in backticks."""
        for name, heading in HEADINGS.items():
            text = getattr(self, name)
            yield heading, text if markdown else text.replace("`", "")


HEADINGS = {
    "phenomenon": "Phenomenon",
    "confounds": "What else it measures",
    "items": "Items, and who checked them",
    "reuse": "Reused data",
    "contamination": "Contamination",
    "statistics": "Statistics",
    "errors": "Errors",
    "argument": "Why it should be valid",
}
"""The heading of each row, in the order of the recommendations."""
TITLE = "Construct validity"
ABOUT = f"The checklist of {CHECKLIST}, as the study answers it."
NOT_STATED = (
    "The study does not say what speaks for and against it as a measure: it declares no `validity`, the "
    "answers to the checklist of construct validity."
)
