"""Questions of a form and the pages they are on: how they are read, and what must go together in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from tiltmeter.core.typed_values import Fault, Faults, Raw, faults_of, reader, unknown_key
from tiltmeter.core.value_types import Line, Lines, some, via, within
from tiltmeter.survey.form_reading import Words, words

Kind: TypeAlias = Literal["choice", "scale", "slider", "text", "pair", "triple"]
Part: TypeAlias = Literal["item", "training", "start", "end"]
Value: TypeAlias = str | float | list[str] | dict[str, str]
"""An answer: text or an option's value, a number, several options, or the texts of a pair or triple."""
Count: TypeAlias = Annotated[int, within(0)]
ITEM = "{item}"
"""Where a question's text names the item."""
WRITTEN: Mapping[str, tuple[str, ...]] = {
    "pair": ("first", "second"),
    "triple": ("context", "stereotype", "anti_stereotype", "unrelated"),
}
"""The texts that a person writes for one question of these kinds."""
_OF_KIND: Mapping[str, tuple[str, ...]] = {
    "choice": ("options", "several"),
    "scale": ("options",),
    "slider": ("low", "high", "left", "right", "rows"),
    "text": ("longest",),
    "pair": ("longest", "warn_distance"),
    "triple": ("longest",),
}
"""Keys that only some kinds of questions have."""
_FEWEST = 2
"""Options of a choice."""


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One answer of a choice, or one point of a scale."""

    value: Line
    text: Words


def _options(value: Any) -> tuple[AnswerOption, ...]:
    """Options in tables; a plain text is value and label in one."""
    if isinstance(value, list) and all(isinstance(option, str) for option in value):
        return tuple(AnswerOption(option, words(option)) for option in value)
    options: tuple[AnswerOption, ...] = reader(tuple[AnswerOption, ...])(value)
    return options


@dataclass(frozen=True, slots=True)
class Condition:
    """When a page or a question is shown: every question named has one of the values beside it."""

    wanted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def holds(self, answers: Mapping[str, Value]) -> bool:
        """Whether it holds, given the answers so far; an unanswered question fulfils nothing.

        >>> Condition({"valid": ("yes",)}).holds({"valid": "no"}), Condition().holds({})
        (False, True)
        """
        return all(set(values) & _chosen(answers.get(name)) for name, values in self.wanted.items())


def _chosen(value: Value | None) -> set[str]:
    """The options that an answer stands for."""
    if value is None or isinstance(value, dict):
        return set()
    if isinstance(value, list):
        return set(value)
    return {value if isinstance(value, str) else f"{value:g}"}


When: TypeAlias = Annotated[Condition, via(Mapping[str, Lines], Condition)]


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """One question; `kind` decides which of the later fields matter."""

    name: Line
    """In exports: the pair of traits of a slider, such as "cold - warm"."""
    kind: Kind
    text: Words = field(default_factory=dict)
    required: bool = True
    when: When = Condition()
    options: Annotated[tuple[AnswerOption, ...], Raw(_options)] = ()
    """Of a choice or scale, in order."""
    several: bool = False
    """Whether more than one option of a choice may be chosen."""
    low: float = 0.0
    high: float = 100.0
    left: Words = field(default_factory=dict)
    """At a slider's low end."""
    right: Words = field(default_factory=dict)
    longest: Count = 2000
    """Letters of a text, at most."""
    warn_distance: Count = 0
    """Edits between the sentences of a pair above which the writer is warned; 0 for never."""

    @property
    def middle(self) -> float:
        """The middle of a slider's scale."""
        return (self.low + self.high) / 2

    def faults(self) -> Iterator[Fault]:
        """What it lacks for its kind."""
        if not self.text and self.kind != "slider":
            yield Fault("has no text", 'write text = "…"')
        if self.kind in {"choice", "scale"}:
            values = [option.value for option in self.options]
            if len(values) < _FEWEST:
                yield Fault(f"has {len(values)} options", 'write options = ["…", "…"]')
            if any(len(value.splitlines()) > 1 or value != value.strip() for value in values):
                # Browsers change line breaks in what they send.
                yield Fault(
                    "has a value with a line break, or with space around it",
                    'write { value = "…", text = "…" }',
                )
            if len(set(values)) < len(values):
                yield Fault("has an option twice", "give each option its own value")
        if self.kind == "slider":
            if self.low >= self.high:
                span = f"from {self.low:g} to {self.high:g}"
                yield Fault(f"runs {span}", "write low and high, low first")
            if not (self.left and self.right):
                yield Fault("has no text at an end", "write left and right")
        if self.kind in WRITTEN and self.when.wanted:
            yield Fault(f"is a {self.kind} with a condition", "give it a page of its own")


def _of_table(table: Any) -> tuple[FormQuestion, ...]:
    """The question of a table; several sliders where it has `rows`."""
    if not isinstance(table, Mapping):
        return (reader(FormQuestion)(table),)
    if wrong := [*_of_keys(table)]:
        raise Faults(wrong)
    if "rows" not in table:
        return (reader(FormQuestion)(table),)
    rows = some(reader(tuple[Mapping[str, Any], ...])(table["rows"]))
    shared = {key: value for key, value in table.items() if key != "rows"}
    known = ("name", "left", "right")
    if wrong := [unknown_key(key, known) for row in rows for key in row if key not in known]:
        raise Faults(wrong)
    try:
        return tuple(reader(tuple[FormQuestion, ...])([{**shared, **row} for row in rows]))
    except Faults as faults:
        raise Faults(faults_of(faults, "rows")) from None


_Several: TypeAlias = tuple[Annotated[tuple[FormQuestion, ...], Raw(_of_table)], ...]
Questions: TypeAlias = Annotated[
    tuple[FormQuestion, ...],
    via(_Several, lambda tables: tuple(question for several in tables for question in several)),
]


@dataclass(frozen=True, slots=True)
class Page:
    """Questions that are shown on one screen."""

    name: Line
    part: Part = "item"
    questions: Questions = ()
    text: Words = field(default_factory=dict)
    when: When = Condition()
    show: Lines = ()
    """Which of the item's texts are shown, in order."""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with its questions together; and items where there are none."""
        if not self.questions:
            yield Fault("has no questions", "begin each with [[pages.questions]]")
        yield from of_questions(self.questions)
        texts = [self.text, *(question.text for question in self.questions)]
        shows_item = any(ITEM in text for words in texts for text in words.values())
        if self.part in {"start", "end"} and (shows_item or self.show):
            reason = f"shows an item, but its part is {self.part!r}"
            yield Fault(reason, 'write part = "item", or leave out show and {item}')

    @property
    def conditional(self) -> bool:
        """Whether it, or a question on it, depends on an answer."""
        return any(
            condition.wanted
            for condition in (self.when, *(question.when for question in self.questions))
        )

    def shown(self, answers: Mapping[str, Value]) -> tuple[FormQuestion, ...]:
        """The questions to be asked, given the page's answers so far; () where the page is skipped."""
        if not self.when.holds(answers):
            return ()
        return tuple(question for question in self.questions if question.when.holds(answers))


def _of_keys(table: Mapping[str, Any]) -> Iterator[Fault]:
    """Keys of a question that other kinds have."""
    kind = table.get("kind")
    fitting = _OF_KIND.get(kind if isinstance(kind, str) else "")
    for key in dict.fromkeys(key for keys in _OF_KIND.values() for key in keys):
        if fitting and key in table and key not in fitting:
            yield Fault(f"is a {kind}, which has no {key}", "remove it, or change the kind")


def of_questions(questions: Sequence[FormQuestion]) -> Iterator[Fault]:
    """Names that occur twice, and conditions on other questions than earlier ones."""
    before: dict[str, FormQuestion] = {}
    for question in questions:
        at = f"question {question.name!r}"
        if question.name in before:
            yield Fault("occurs twice", "give each question its own name", at)
        yield from of_condition(question.when, before, at)
        before[question.name] = question


def of_condition(
    condition: Condition, before: Mapping[str, FormQuestion], at: str
) -> Iterator[Fault]:
    """Questions that a condition names and that do not come before, and values that they cannot have."""
    for name, values in condition.wanted.items():
        question = before.get(name)
        options = [option.value for option in question.options] if question else []
        if question is None:
            known = ", ".join(before) or "none"
            yield Fault(f"when names {name!r}", f"name an earlier question: {known}", f"{at}:")
        elif not options:
            yield Fault(f"when names the {question.kind} {name!r}", "name a choice", f"{at}:")
        for value in values if options else ():
            if value not in options:
                reason = f"when names {value!r}, which {name!r} cannot be"
                yield Fault(reason, f"known: {', '.join(options)}", f"{at}:")
