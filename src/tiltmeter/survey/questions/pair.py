"""Two sentences that a person writes: the items of a study that others validate."""

from collections.abc import Mapping
from dataclasses import dataclass

from tiltmeter.survey.formats.cells import Cell
from tiltmeter.survey.question import Count, Kind
from tiltmeter.survey.written_texts import TextsQuestion


@dataclass(frozen=True, slots=True)
class PairQuestion(TextsQuestion):
    """The page warns of sentences that differ in more than a few words."""

    parts = ("first", "second")
    item_columns = ("id", "sentence_1", "sentence_2", "direction", "bias_type")
    html = (
        TextsQuestion.html
        + """{% if question.asked.warn_distance %}<p class="alert" \
data-distance="{{ question.asked.warn_distance }}" role="status" hidden>{{ words["edits"] }}</p>{% endif %}
"""
    )

    kind: Kind = "pair"
    warn_distance: Count = 0
    """Edits between the sentences above which the writer is warned; 0 for never."""

    def new_item(
        self,
        name: str,
        texts: Mapping[str, str],
        *,
        given: Mapping[str, object],
        about: Mapping[str, str],  # noqa: ARG002
    ) -> dict[str, Cell]:
        """The sentences in the order in which they were written, and what their writer said of them."""
        first, second = (texts[part] for part in self.parts)
        said = (str(given.get(question, "")) for question in ("direction", "bias_type"))
        return dict(zip(self.item_columns, (name, first, second, *said), strict=True))


QUESTION = PairQuestion
