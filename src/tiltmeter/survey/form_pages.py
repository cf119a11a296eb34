"""Pages of a form: which questions are on them, and what must go together there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from tiltmeter.core.finder import find, known
from tiltmeter.core.reading.typed_values import Fault, Faults, Raw, fields_of, made
from tiltmeter.core.reading.value_types import Line, Lines, via
from tiltmeter.survey.form_reading import Prose, Words
from tiltmeter.survey.question import ITEM, KINDS, QUESTION, Condition, FormQuestion, Value, When

Part: TypeAlias = Literal["screening", "start", "training", "item", "end"]
"""screening: before the consent, where nothing is stored."""


def questions_in(table: Any) -> tuple[FormQuestion, ...]:
    """The question that a table of a form file describes, as its kind reads it; some make several of it.

    Raises:
        Faults: It cannot be used.
    """
    if not isinstance(table, Mapping):
        return (made(FormQuestion, table),)
    kind = table.get("kind")
    if kind not in known(KINDS):  # which the reader of what all have says, with its other faults
        further = {key for each in known(KINDS) for key in _own_keys(each)}
        shared = {key: value for key, value in table.items() if key not in further}
        if any(key in table for each in known(KINDS) for key in _kind(each).further_keys):
            shared = {"name": "rows", **shared}  # each of several questions has a name of its own
        return (made(FormQuestion, shared),)
    if wrong := [*_of_other_kinds(table, kind)]:
        raise Faults(wrong)
    return _kind(kind).read(table)


def _kind(name: str) -> type[FormQuestion]:
    question: type[FormQuestion] = find(KINDS, name, QUESTION)
    return question


def _own_keys(kind: str) -> tuple[str, ...]:
    """The keys that not every kind of question has."""
    question: Any = _kind(kind)
    keys = dict.fromkeys((*fields_of(question), *question.further_keys))
    return tuple(key for key in keys if key not in fields_of(FormQuestion))


def _of_other_kinds(table: Mapping[str, Any], kind: str) -> Iterator[Fault]:
    """Keys of a question that only other kinds have."""
    mine = {*fields_of(FormQuestion), *_own_keys(kind)}
    if not {*table} - mine:
        return
    for key in dict.fromkeys(key for other in known(KINDS) for key in _own_keys(other)):
        if key in table and key not in mine:
            yield Fault(f"is a {kind}, which has no {key}", "remove it, or change the kind")


_Several: TypeAlias = tuple[Annotated[tuple[FormQuestion, ...], Raw(questions_in)], ...]
Questions: TypeAlias = Annotated[
    tuple[FormQuestion, ...],
    via(_Several, lambda tables: tuple(question for several in tables for question in several)),
]


@dataclass(frozen=True, slots=True)
class Page:
    """Questions that are shown on one screen."""

    name: Line
    """Names the page in exports."""
    part: Part = "item"
    """Shown for each item, for each training item, or once at the start or the end."""
    questions: Questions = ()
    """What the page asks."""
    text: Prose = field(default_factory=dict)
    """Above the questions; `{item}` stands for the item's text."""
    when: When = field(default_factory=Condition)
    """Shown only where earlier questions have these answers: `{ plausible = "yes" }`."""
    title: Words = field(default_factory=dict)
    """The page's heading; without one, it is the form's title."""
    show: Lines = ()
    """Which of the item's texts are shown, in order."""
    labels: Mapping[str, Words] = field(default_factory=dict)
    """What stands above each of several texts, by its name; without one, it is the name."""
    mixed: Lines = ()
    """Which of these may change places (`[order]`); without it those that differ in a number alone, such as
    reply_1 and reply_2."""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with its questions together; and items where there are none."""
        if not self.questions:
            yield Fault("has no questions", "begin each with [[pages.questions]]")
        yield from of_questions(self.questions)
        yield from self._screening_faults()
        texts = [self.text, *(question.text for question in self.questions)]
        shows_item = any(ITEM in text for words in texts for text in words.values())
        for name in self.labels:
            if name not in self.show:
                yield Fault(f"labels names {name!r}", "label a text that show names")
        if self.part in {"screening", "start", "end"} and (shows_item or self.show):
            reason = f"shows an item, but its part is {self.part!r}"
            yield Fault(reason, 'write part = "item", or leave out show and {item}')

    def _screening_faults(self) -> Iterator[Fault]:
        """Questions that screen people where it is too late, and others where it is too early."""
        for question in self.questions:
            at = f"question {question.name!r}"
            if question.screen_out and self.part not in {"screening", "start"}:
                way_out = 'ask it on a page with part = "screening" or "start"'
                yield Fault("has screen_out, but comes too late for it", way_out, at)
            if self.part == "screening" and (not question.options or question.is_test):
                way_out = 'ask it on a page with part = "start"'
                yield Fault("is not a choice of options", way_out, at)

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
    """Questions that a condition names and that do not come before, and values that they cannot have.

    >>> [str(fault) for fault in of_condition(Condition({"valid": ("yes",)}), {}, "page 'why'")]
    ["page 'why': when names 'valid'"]
    """
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
