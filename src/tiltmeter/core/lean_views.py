"""How the leans that several studies found are shown together, though each has a unit of its own."""

from dataclasses import dataclass

from tiltmeter.core.views import View


@dataclass(frozen=True, slots=True)
class LeanPlot(View):
    """The distances of different measures from their neutral values: a row a study, each on its own scale."""

    name: str
    """The name of the picture's file."""
    title: str
    """The heading; with "" the picture stands beside the finding."""
    measures: tuple[str, ...]
    """The measures whose estimates over everything have a row each, with a verdict."""
    filled: tuple[str, ...]
    """The verdicts whose marks are filled."""
    answered: str
    """The measure of the share of replies that are answers, in %, drawn at the end of each row."""
    reasons: str
    """The measure whose `why` says why a study has no result."""
    heading: str
    """What the picture shows, for those who do not see it."""
    caption: str = ""
