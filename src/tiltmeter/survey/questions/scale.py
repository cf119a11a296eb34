"""Points in order, of which one is chosen, such as from "strongly disagree" to "strongly agree"."""

from dataclasses import dataclass

from tiltmeter.survey.option_question import OptionQuestion
from tiltmeter.survey.question import Kind


@dataclass(frozen=True, slots=True)
class ScaleQuestion(OptionQuestion):
    """The options are the points."""

    kind: Kind = "scale"

    @property
    def has_ends(self) -> bool:
        """Whether there are two ends: always, the first and the last point."""
        return True


QUESTION = ScaleQuestion
