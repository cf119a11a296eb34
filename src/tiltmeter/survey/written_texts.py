"""Texts that people write: which can be stored, and questions that ask for several at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from xml.sax.saxutils import quoteattr

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.text import counted
from tiltmeter.survey.question import Count, FormQuestion, PostedFields, Say, Value


def why_wrong_text(value: object, *, required: bool, longest: int) -> str:
    """Why a value is no text of at most so many letters; "" where it is one.

    >>> why_wrong_text("longer", required=True, longest=5)
    '6 letters; 5 are allowed'
    """
    if not isinstance(value, str) or (required and not value.strip()):
        return "no text"
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        return "the text has characters that cannot be stored"
    if len(value) > longest:
        return f"{counted(len(value), 'letters')}; {longest} are allowed"
    return ""


@dataclass(frozen=True, slots=True)
class TextsQuestion(FormQuestion):
    """A question whose answer is several texts, of which a new item is made."""

    parts: ClassVar[tuple[str, ...]] = ()
    """What the texts are called, here and in the words of the interface."""
    html = """{% for part in question.asked.parts %}
<label class="part">{{ words.get(part, part) }}<textarea dir="auto" name="q{{ question.number }}.{{ part }}" \
data-part="{{ part }}" rows="2" maxlength="{{ question.asked.longest }}"{{ invalid(question) }}>\
{{ question.texts.get(part, "") }}</textarea></label>
{% endfor %}
"""

    longest: Count = 2000
    """Letters of each text, at most."""

    def kind_faults(self) -> Iterator[Fault]:
        """A condition: its page would be left without the item that is to be written."""
        if self.is_test:
            yield Fault(f"is a {self.kind} with an expected answer", "ask for it with a text")
        if self.when.wanted:
            yield Fault(f"is a {self.kind} with a condition", "give it a page of its own")

    def typed(self, fields: PostedFields, name: str) -> object:
        """What was typed into each field."""
        return {part: fields.text(f"{name}.{part}") for part in self.parts}

    def posted(self, typed: Any) -> object:
        """The texts; None until all are written."""
        return typed if all(text.strip() for text in typed.values()) else None

    def why_wrong(self, value: object) -> str:
        """Why a value is not these texts; "" where it is."""
        if not isinstance(value, Mapping) or set(value) != set(self.parts):
            return f"needs the texts {', '.join(self.parts)}"
        reasons = (
            why_wrong_text(value[part], required=self.required, longest=self.longest)
            for part in self.parts
        )
        return next(filter(None, reasons), "")

    def stored(self, value: Any) -> Value:
        """The texts in their order."""
        return {part: str(value[part]) for part in self.parts}

    def label_studio_controls(self, to: str, say: Say) -> Iterator[str]:  # noqa: ARG002
        """A text field for each."""
        for part in self.parts:
            yield f"  <TextArea name={quoteattr(f'{self.name}.{part}')} toName={to}/>"

    def label_studio_results(self, value: Any) -> Iterator[tuple[str, str, str, object]]:
        """A result for each text, whose name ends in the part's."""
        for part, text in value.items():
            yield f"{self.name}.{part}", "textarea", "text", [text]

    def potato_labels(self, value: Any) -> dict[str, str]:
        """The texts by their parts."""
        return dict(value)

    def from_potato(self, labels: Mapping[str, Any]) -> object:
        """The texts by their parts."""
        return dict(labels)
