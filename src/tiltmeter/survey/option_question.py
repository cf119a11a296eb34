"""Questions with given answers to choose from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any
from xml.sax.saxutils import quoteattr

from tiltmeter.core.reading.typed_values import Fault, Raw, reader
from tiltmeter.core.text import counted
from tiltmeter.data.files.missing_words import OPTED_OUT
from tiltmeter.survey.form_reading import Words, words
from tiltmeter.survey.question import AnswerOption, FormQuestion, Say

FEWEST = 2
"""Options of a question, at least."""
CHOSEN = "true"
"""What Potato writes beside a chosen label."""
NOT_CHOSEN = frozenset({None, False, "false", ""})


def _options(value: Any) -> tuple[AnswerOption, ...]:
    """Options in tables; a plain text is value and label in one."""
    if isinstance(value, list) and all(isinstance(option, str) for option in value):
        return tuple(AnswerOption(option, words(option)) for option in value)
    options: tuple[AnswerOption, ...] = reader(tuple[AnswerOption, ...])(value)
    return options


@dataclass(frozen=True, slots=True)
class OptionQuestion(FormQuestion):
    """A question of which one option is chosen.

    >>> options = AnswerOption("yes", {}), AnswerOption("no", {})
    >>> OptionQuestion("valid", "scale", options=options).from_potato({"yes": "", "no": "true"})
    'no'
    """

    html = """<div class="options">
{% for value, text in question.options %}
<label class="option"><input type="{{ question.asked.button }}" name="q{{ question.number }}" \
value="{{ value }}"{% if value in question.chosen %} checked{% endif %}\
{% if not question.asked.is_radio %}{{ invalid(question) }}{% endif %}> \
<span>{{ text }}</span></label>
{% endfor %}
{% if question.asked.opt_out %}
<label class="option opt-out"><input type="{{ question.asked.button }}" name="q{{ question.number }}" \
value="OPTED_OUT"{% if "OPTED_OUT" in question.chosen %} checked{% endif %}> \
<span>{{ say(question.asked.opt_out) }}</span></label>
{% endif %}
</div>"""

    options: Annotated[tuple[AnswerOption, ...], Raw(_options)] = ()
    """The options in their order."""
    opt_out: Words = field(default_factory=dict)
    """A further option for not answering, such as "does not apply"; stored as OPTED_OUT, and no label."""

    def kind_faults(self) -> Iterator[Fault]:
        """Too few options, or such as cannot be told apart in what a browser sends."""
        values = [option.value for option in self.options]
        if len(values) < FEWEST:
            yield Fault(f"has {counted(len(values), 'options')}", 'write options = ["…", "…"]')
        if any(len(value.splitlines()) > 1 or value != value.strip() for value in values):
            # Browsers change line breaks in what they send.
            reason = "has a value with a line break, or with space around it"
            yield Fault(reason, 'write { value = "…", text = "…" }')
        if OPTED_OUT in values:
            yield Fault(
                f"has the value {OPTED_OUT!r}", 'write opt_out = "…" in place of the option'
            )
        if len(set(values)) < len(values):
            yield Fault("has an option twice", "give each option its own value")
        for value in self.expected:
            if value not in values:
                reason = f"expects {value!r}, which is none of its options"
                yield Fault(reason, f"known: {', '.join(values)}")

    @property
    def button(self) -> str:
        """The type of the fields on a page."""
        return "radio"

    @property
    def takes_one_option(self) -> bool:
        """Whether an answer is one of its options."""
        return self.is_radio

    @property
    def is_radio(self) -> bool:
        """Whether one option is chosen."""
        return self.button == "radio"

    def why_wrong(self, value: object) -> str:
        """Why a value is none of the options; "" where it is one."""
        return self.why_wrong_choice([value], value)

    def why_wrong_choice(self, chosen: list[object], value: object) -> str:
        """Why these are not options that may be chosen; `value` is what was sent."""
        known = {option.value for option in self.options} | ({OPTED_OUT} if self.opt_out else set())
        if not all(isinstance(picked, str) for picked in chosen) or not set(chosen) <= known:
            return f"{value!r} is not one of {', '.join(sorted(known))}"
        if (self.required and not chosen) or len(set(chosen)) < len(chosen):
            return "choose each option once, and at least one"
        return ""

    def label_studio_controls(self, to: str, say: Say) -> Iterator[str]:
        """Choices, of which one may be chosen."""
        yield from self.label_studio_choices(to, say, "single")

    def label_studio_choices(self, to: str, say: Say, how_many: str) -> Iterator[str]:
        """Choices, of which one or several may be chosen."""
        name = quoteattr(self.name)
        yield f'  <Choices name={name} toName={to} choice="{how_many}">'
        for option in self.options:
            label = quoteattr(say(option.text))
            yield f"    <Choice value={label} alias={quoteattr(option.value)}/>"
        if self.opt_out:
            yield f'    <Choice value={quoteattr(say(self.opt_out))} alias="{OPTED_OUT}"/>'
        yield "  </Choices>"

    def label_studio_results(self, value: Any) -> Iterator[tuple[str, str, str, object]]:
        """One result with all that was chosen."""
        yield self.name, "choices", "choices", value if isinstance(value, list) else [value]

    def from_label_studio(self, value: object) -> object:
        """The option that was chosen, which may be named by its text."""
        return self.by_text([FormQuestion.from_label_studio(self, value)])[0]

    def potato_labels(self, value: Any) -> dict[str, str]:
        """Each option that was chosen is a label."""
        return dict.fromkeys(value if isinstance(value, list) else [value], CHOSEN)

    def from_potato(self, labels: Mapping[str, Any]) -> object:
        """The option that is a label."""
        return next(iter(self.potato_chosen(labels)), None)

    def potato_chosen(self, labels: Mapping[str, Any]) -> list[str]:
        """Labels that are chosen; Potato may write the others with an empty value."""
        return self.by_text([label for label, how in labels.items() if how not in NOT_CHOSEN])

    def by_text(self, labels: list[Any]) -> list[Any]:
        """Labels of another program as options' values: one that is a text in a single option names that.

        >>> options = AnswerOption("1", {"en": "low"}), AnswerOption("2", {"en": "high"})
        >>> OptionQuestion("tone", "scale", options=options).by_text(["high", "1", "other"])
        ['2', '1', 'other']
        """
        values: dict[object, set[str]] = {}
        for option in self.options:
            for text in option.text.values():
                values.setdefault(text, set()).add(option.value)
        known = {option.value for option in self.options}
        return [
            label
            if label in known or len(values.get(label, ())) != 1
            else next(iter(values[label]))
            for label in labels
        ]
