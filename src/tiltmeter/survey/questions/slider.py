"""A position between two ends, such as from "cold" to "warm"."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from xml.sax.saxutils import quoteattr

from tiltmeter.core.reading.typed_values import Fault, Faults, faults_of, made, reader, unknown_key
from tiltmeter.core.reading.value_types import some
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.missing_words import OPTED_OUT
from tiltmeter.survey.languages.typed_numbers import typed_number
from tiltmeter.survey.option_question import CHOSEN
from tiltmeter.survey.question import Kind, PostedFields, RatingQuestion, Say, Value

LARGEST = 1e15
"""Numbers beyond it are not written out in messages."""
ROWS = "rows"
OF_A_ROW = ("name", "left", "right", "expected")


@dataclass(frozen=True, slots=True)
class SliderQuestion(RatingQuestion):
    """It has no answer until it is touched: None is never one.

    >>> warm = SliderQuestion("warm", low=0, high=100)
    >>> warm.checked(50), warm.from_cell("50"), warm.why_wrong(150)
    (50.0, 50.0, '150 is not between 0 and 100')
    """

    further_keys: ClassVar[Mapping[str, str]] = {
        ROWS: "Several sliders with one text: a table for each, with `name`, `left`, `right` and `expected`."
    }
    explains_range = True
    html = """<div class="slider">
<span class="left" id="left{{ question.number }}">{{ question.ends[0].text }}</span>
<span class="right" id="right{{ question.number }}">{{ question.ends[1].text }}</span>
<div class="typed"><input type="text" inputmode="decimal" name="q{{ question.number }}" \
data-low="{{ "%g" | format(question.asked.low) }}" data-high="{{ "%g" | format(question.asked.high) }}" \
value="{{ question.value }}" \
aria-label="{{ question.ends[0].text }} ({{ "%g" | format(question.ends[0].number) }}) – \
{{ question.ends[1].text }} ({{ "%g" | format(question.ends[1].number) }})"{% if question.swapped %} \
data-swapped="yes"{% endif %} \
data-touch="{{ words['touch'] }}" data-untouched="{{ words['untouched'] }}"{{ invalid(question) }}>
<span class="label" aria-hidden="true">{{ "%g" | format(question.ends[0].number) }} … \
{{ "%g" | format(question.ends[1].number) }}</span></div>
{% if question.asked.opt_out %}<label class="opt-out"><input type="checkbox" \
name="q{{ question.number }}.opt_out" value="OPTED_OUT"\
{% if "OPTED_OUT" in question.chosen %} checked{% endif %}> \
{{ say(question.asked.opt_out) }}</label>{% endif %}
</div>"""

    kind: Kind = "slider"

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> "tuple[SliderQuestion, ...]":
        """One slider, or one for each entry of `rows`, which has its name and its ends."""
        if ROWS not in table:
            return (made(cls, table),)
        rows = some(reader(tuple[Mapping[str, Any], ...])(table[ROWS]))
        shared = {key: value for key, value in table.items() if key != ROWS}
        unknown = [key for row in rows for key in row if key not in OF_A_ROW]
        if unknown:
            raise Faults([unknown_key(key, OF_A_ROW) for key in unknown])
        try:
            return tuple(reader(tuple[cls, ...])([{**shared, **row} for row in rows]))  # type: ignore[valid-type]
        except Faults as faults:
            raise Faults(faults_of(faults, ROWS)) from None

    def kind_faults(self) -> Iterator[Fault]:
        """A scale that does not rise, and ends without a text."""
        if self.low >= self.high:
            span = f"from {self.low:g} to {self.high:g}"
            yield Fault(f"runs {span}", "write low and high, low first")
        if not (self.left and self.right):
            yield Fault("has no text at an end", "write left and right")
        positions = [value for value in self.expected if isinstance(value, float)]
        if len(positions) < len(self.expected) or len(positions) > len(("low", "high")):
            yield Fault("expects no position", "write expected = 100, or expected = [90, 100]")
        for value in positions:
            if why := self.why_wrong(value):
                yield Fault(f"has an expected answer: {why}", "write one that can be given")

    def typed(self, fields: PostedFields, name: str) -> object:
        """What was typed, or that nothing is to be."""
        return OPTED_OUT if fields.text(f"{name}.opt_out") else fields.text(name)

    def posted(self, typed: Any) -> object:
        """The number that was typed; what is none stays as it is."""
        if not typed.strip():
            return None
        number = typed_number(typed)
        return typed if number is None else number

    def range_note(self, words: Mapping[str, str]) -> str:
        """Between which numbers an answer is."""
        return words["range"].format(low=f"{self.low:g}", high=f"{self.high:g}")

    def why_wrong(self, value: object) -> str:
        """Why a value is no position; "" where it is one, or where the person opted out."""
        if value == OPTED_OUT and self.opt_out:
            return ""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or (isinstance(value, float) and math.isnan(value)):
            return "the slider has no number"
        assert isinstance(value, int | float)  # noqa: S101  (for mypy)
        if not self.low <= value <= self.high:
            shown = f"{value:g}" if abs(value) < LARGEST else "a number of this size"
            return f"{shown} is not between {self.low:g} and {self.high:g}"
        return ""

    def is_expected(self, value: Value) -> bool:
        """Whether a position is in the expected range, its ends included.

        >>> SliderQuestion("far right", expected=(90.0, 100.0)).is_expected(95.0)
        True
        """
        positions = [at for at in self.expected if isinstance(at, float)]
        return isinstance(value, float | int) and min(positions) <= value <= max(positions)

    def stored(self, value: Any) -> Value:
        """The position, or that the person opted out."""
        return OPTED_OUT if value == OPTED_OUT else float(value)

    def from_cell(self, text: str) -> object:
        """The number in a cell."""
        number = decimal_number(text)
        return text if number is None else number

    def label_studio_controls(self, to: str, say: Say) -> Iterator[str]:  # noqa: ARG002
        """A number between the ends."""
        name, ends = quoteattr(self.name), f'min="{self.low:g}" max="{self.high:g}"'
        yield f'  <Number name={name} toName={to} {ends} slider="true"/>'

    def label_studio_results(self, value: Any) -> Iterator[tuple[str, str, str, object]]:
        """The number; who opted out chose that in its place."""
        if value == OPTED_OUT:
            yield self.name, "choices", "choices", [value]
            return
        yield self.name, "number", "number", value

    def potato_labels(self, value: Any) -> dict[str, str]:
        """The number, under Potato's name for a position; who opted out has that as a label."""
        if value == OPTED_OUT:
            return {OPTED_OUT: CHOSEN}
        return {"slider": f"{value:.10g}"}

    def from_potato(self, labels: Mapping[str, Any]) -> object:
        """The number, whatever its label."""
        return OPTED_OUT if OPTED_OUT in labels else float(next(iter(labels.values())))


QUESTION = SliderQuestion
