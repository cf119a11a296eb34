"""Options without an order, of which one or several are chosen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.survey.option_question import OptionQuestion
from tiltmeter.survey.question import Kind, PostedFields, Say, Value


@dataclass(frozen=True, slots=True)
class ChoiceQuestion(OptionQuestion):
    """A choice of one option can be a vote on an item: the options are the labels.

    >>> from tiltmeter.survey.question import AnswerOption
    >>> options = AnswerOption("yes", {}), AnswerOption("no", {})
    >>> ChoiceQuestion("valid", options=options).why_wrong("maybe")
    "'maybe' is not one of no, yes"
    >>> ChoiceQuestion("valid", options=options, several=True).checked(["no", "yes"])
    ['yes', 'no']
    """

    kind: Kind = "choice"
    several: bool = False
    """Whether more than one may be chosen."""

    def is_expected(self, value: Value) -> bool:
        """Whether what was chosen is as expected; of several options, all of these and no others."""
        if isinstance(value, list):
            return set(value) == set(self.expected)
        return OptionQuestion.is_expected(self, value)

    def kind_faults(self) -> Iterator[Fault]:
        """What its options lack; and several answers beside none."""
        yield from OptionQuestion.kind_faults(self)
        if self.several and self.opt_out:
            yield Fault("has several answers and opt_out", "write the latter as one of its options")

    @property
    def is_label(self) -> bool:
        """Whether one option is chosen, and says something about the item."""
        return not self.several and not self.is_test

    @property
    def button(self) -> str:
        """The type of the fields on a page."""
        return "checkbox" if self.several else "radio"

    def typed(self, fields: PostedFields, name: str) -> object:
        """The option or options that were ticked, as the form sent them."""
        return fields.several(name) if self.several else fields.text(name)

    def posted(self, typed: Any) -> object:
        """The option or options; None for none."""
        return typed if (typed if self.several else typed.strip()) else None

    def why_wrong(self, value: object) -> str:
        """Why a value is no choice; "" where it is one."""
        chosen = value if isinstance(value, list) and self.several else [value]
        return self.why_wrong_choice(chosen, value)

    def stored(self, value: Any) -> Value:
        """What was chosen; several in the order of the options."""
        if not isinstance(value, list):
            return str(value)
        return [option.value for option in self.options if option.value in value]

    def label_studio_controls(self, to: str, say: Say) -> Iterator[str]:
        """Choices, of which one or several may be chosen."""
        yield from self.label_studio_choices(to, say, "multiple" if self.several else "single")

    def from_label_studio(self, value: object) -> object:
        """All that was chosen, or the one option."""
        if self.several:
            return self.by_text(value) if isinstance(value, list) else value
        return OptionQuestion.from_label_studio(self, value)

    def from_potato(self, labels: Mapping[str, Any]) -> object:
        """All that was chosen, or the one option."""
        chosen = self.potato_chosen(labels)
        return chosen if self.several else next(iter(chosen), None)


QUESTION = ChoiceQuestion
