"""A free text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

from tiltmeter.survey.question import Count, FormQuestion, Kind, Say, Value
from tiltmeter.survey.written_texts import why_wrong_text


@dataclass(frozen=True, slots=True)
class TextQuestion(FormQuestion):
    """What a person writes in one field.

    >>> TextQuestion("why", text={"en": "Why?"}, longest=5).why_wrong("because")
    '7 letters; 5 are allowed'
    """

    html = """<textarea name="q{{ question.number }}" rows="2" \
maxlength="{{ question.asked.longest }}" aria-label="{{ question.plain }}" dir="auto"{{ invalid(question) }}>\
{{ question.value }}</textarea>"""

    kind: Kind = "text"
    longest: Count = 2000
    """The maximum number of letters."""

    def why_wrong(self, value: object) -> str:
        """Why a value is no such text; "" where it is one."""
        return why_wrong_text(value, required=self.required, longest=self.longest)

    def is_expected(self, value: Value) -> bool:
        """Whether a text is one of those expected, apart from case and the spaces around it."""
        texts = {str(text).casefold() for text in self.expected}
        return str(value).strip().casefold() in texts

    def label_studio_controls(self, to: str, say: Say) -> Iterator[str]:  # noqa: ARG002
        """The control of Label Studio for the question: a text area."""
        yield f"  <TextArea name={quoteattr(self.name)} toName={to}/>"

    def label_studio_results(self, value: Any) -> Iterator[tuple[str, str, str, object]]:
        """The answer as a result of Label Studio."""
        yield self.name, "textarea", "text", [value]

    def potato_labels(self, value: Any) -> dict[str, str]:
        """The text, under Potato's name for one."""
        return {"text_box": str(value)}

    def from_potato(self, labels: Mapping[str, Any]) -> object:
        """The text, whatever its label."""
        return next(iter(labels.values()))


QUESTION = TextQuestion
