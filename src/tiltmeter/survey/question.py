"""A question of a form: what every kind of question has, and what each may answer for itself.

A kind is a file of `survey.questions`, named as forms name it, with a subclass as `QUESTION`. It holds all
that is particular to the kind: no other module of the survey asks which kind a question is. Tables of
answers name it, and `data.people.annotator_answers` lists the kinds whose answers can be compared.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self, TypeAlias

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import known
from tiltmeter.core.reading.typed_values import Fault, Raw, made, near_miss, reader
from tiltmeter.core.reading.value_types import Line, Lines, several, via, within
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.formats.cells import Cell, cell_value

KINDS = "survey.questions"
"""Where `core.finder` looks for the kinds of questions."""
QUESTION = "QUESTION"
"""What the file of a kind calls its class."""
Value: TypeAlias = str | float | list[str] | dict[str, str]
"""An answer: text or an option's value, a number, several options, or the texts of a pair or triple."""
Count: TypeAlias = Annotated[int, within(0)]
Say: TypeAlias = Callable[[Words], str]
"""Gives a text of the form in the language that is wanted."""
ITEM = "{item}"
"""Where a question's text names the item."""


def _known_kind(value: Any) -> str:
    kinds = known(KINDS)
    if isinstance(value, str) and value in kinds:
        return value
    written = " or ".join(f'"{kind}"' for kind in kinds)
    raise Fault(f"is {value!r:.80}", f"{near_miss(str(value), kinds)}write {written}")


def _text_or_number(value: Any) -> str | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Fault(f"is {value!r:.80}", "write a text or a number")
    return reader(Line)(value) if isinstance(value, str) else float(value)


Kind: TypeAlias = Annotated[str, Raw(_known_kind)]
Expected: TypeAlias = Annotated[
    tuple[str | float, ...], several(Annotated[Any, Raw(_text_or_number)])
]


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One answer of a choice, or one point of a scale."""

    value: Line
    """The value that is stored."""
    text: Words
    """The words that people read."""
    stays: bool = False
    """Whether it keeps its place where the others are in random order, such as "none of these"."""


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


class PostedFields(Protocol):
    """The fields that a page's form sent."""

    def text(self, name: str) -> str:
        """What was typed; "" where there is no such field."""

    def several(self, name: str) -> list[str]:
        """All values that were sent under one name."""


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """What every question has. A kind adds its own fields, and overrides what follows from them."""

    html: ClassVar[str] = ""
    """Jinja template of the fields, named q and the question's number; see `templates/question.html`."""
    item_columns: ClassVar[tuple[str, ...]] = ()
    """Columns of the items that answers make; empty where people write none."""
    further_keys: ClassVar[Mapping[str, str]] = {}
    """What keys in a form file are for that are no fields, because `read` makes something else of them."""
    explains_range: ClassVar[bool] = False
    """Whether the page says beside the question which answers it takes, once another one was sent."""

    name: Line
    """In exports: the pair of traits of a slider, such as "cold - warm"."""
    kind: Kind
    """Which sort of answer it takes; each has keys of its own, below."""
    text: Words = field(default_factory=dict)
    """The question; `{item}` stands for the item's text."""
    required: bool = True
    """Whether people must answer to go on."""
    when: When = Condition()
    """Asked only where earlier questions have these answers: `{ plausible = ["yes", "partly"] }`."""
    screen_out: Lines = ()
    """The answers of people for whom the study is not."""
    expected: Expected = ()
    """The answers that it is asked for: then it tests attention or comprehension, and is never a rating. Of a
    slider, a position, or the ends of a range."""
    order: Literal["", "fixed", "random"] = ""
    """The order of its options, or of its place among rows and its ends; "" for what `[order]` says."""

    # ---- In a form file

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> tuple[Self, ...]:
        """The question that a table of a form file describes, or several."""
        return (made(cls, table),)

    def faults(self) -> Iterator[Fault]:
        """What a question of this kind lacks, and what does not go together."""
        if not self.text and not self.ends:
            yield Fault("has no text", 'write text = "…"')
        if self.expected and not self.required:
            yield Fault("is optional, but has an expected answer", "remove required or expected")
        if self.order == "random" and not (self.options or self.has_ends):
            yield Fault("has nothing to show in random order", "remove order")
        known_answers = [option.value for option in self.options]
        for value in self.screen_out:
            if value not in known_answers:
                way_out = f"known: {', '.join(known_answers) or 'only questions with options'}"
                yield Fault(f"screens out {value!r}, which is no answer", way_out)
        yield from self.kind_faults()

    def kind_faults(self) -> Iterator[Fault]:
        """What it lacks, apart from a text."""
        yield from ()

    @property
    def ends(self) -> tuple[Words, ...]:
        """What stands at the two ends of a line; they may do in place of a text."""
        return ()

    @property
    def options(self) -> tuple[AnswerOption, ...]:
        """The answers to choose from, in order; none where they are not given."""
        return ()

    @property
    def takes_one_option(self) -> bool:
        """Whether an answer is one of its options."""
        return False

    @property
    def is_radio(self) -> bool:
        """Whether its fields are radio buttons, which only together can be marked as not answered."""
        return False

    @property
    def has_ends(self) -> bool:
        """Whether its answers lie between two ends, which may change sides."""
        return False

    @property
    def is_row(self) -> bool:
        """Whether it may change places with its like under the same text."""
        return False

    @property
    def is_label(self) -> bool:
        """Whether an answer names one of several classes, and so can be a vote on an item."""
        return False

    def screens_out(self, value: object) -> bool:
        """Whether the study is not for people with this answer."""
        values = value if isinstance(value, list) else [value]
        return any(chosen in self.screen_out for chosen in values)

    # ---- Answers

    def checked(self, value: object) -> Value:
        """The answer as it is stored.

        Raises:
            BadInput: It is no answer to this question.
        """
        if why := self.why_wrong(value):
            raise BadInput(f"{self.name!r}: {why}", "answer again")
        return self.stored(value)

    def why_wrong(self, value: object) -> str:
        """Why a value is no answer; "" where it is one."""
        raise NotImplementedError

    def stored(self, value: Any) -> Value:
        """A value that is an answer, as it is stored."""
        answer: Value = value
        return answer

    # ---- Tests of attention and comprehension

    @property
    def is_test(self) -> bool:
        """Whether its answer is known: it tests the person, and says nothing about an item."""
        return bool(self.expected)

    def is_expected(self, value: Value) -> bool:
        """Whether an answer is as expected."""
        return value in self.expected

    # ---- On a page

    def typed(self, fields: PostedFields, name: str) -> object:
        """What a person typed or chose in the fields of this name, also where it is incomplete."""
        return fields.text(name)

    def posted(self, typed: Any) -> object:
        """The answer in what was typed; None for none. Whether it is right, `why_wrong` says."""
        return typed if typed.strip() else None

    def range_note(self, words: Mapping[str, str]) -> str:  # noqa: ARG002 for those that have a range
        """Which answers it takes, in the words of the interface."""
        return ""

    # ---- In other programs

    def from_cell(self, text: str) -> object:
        """The answer in a cell of a table (`survey.formats.cells.cell_text`)."""
        return cell_value(text)

    def label_studio_controls(self, to: str, say: Say) -> Iterator[str]:
        """Lines of Label Studio's labelling set-up.

        Args:
            to: The text that is labelled, quoted as an XML attribute.
            say: Gives the texts of the form in its first language.
        """
        raise NotImplementedError

    def label_studio_results(self, value: Any) -> Iterator[tuple[str, str, str, object]]:
        """An answer as Label Studio's results: name and type, and the key and value of `value`."""
        raise NotImplementedError

    def from_label_studio(self, value: object) -> object:
        """The answer in such a value; lists of one are that one."""
        if not isinstance(value, list):
            return value
        return value[0] if len(value) == 1 else "\n".join(map(str, value))

    def potato_labels(self, value: Any) -> dict[str, str]:
        """An answer as Potato's labels."""
        raise NotImplementedError

    def from_potato(self, labels: Mapping[str, Any]) -> object:
        """The answer in such labels."""
        raise NotImplementedError

    def new_item(
        self,
        name: str,
        texts: Mapping[str, str],
        *,
        given: Mapping[str, object],
        about: Mapping[str, str],
    ) -> dict[str, Cell]:
        """The item that a person wrote, by `item_columns`.

        Args:
            name: Its id.
            texts: The answer.
            given: The person's other answers about the same item, by question.
            about: The item that it was written for: its texts, and its `stratum`.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class RatingQuestion(FormQuestion):
    """A question whose answers are positions from `low` to `high`, which tables of ratings hold."""

    low: float = 0.0
    """The number at the left end."""
    high: float = 100.0
    """The number at the right end."""
    left: Words = field(default_factory=dict)
    """What stands at the low end."""
    right: Words = field(default_factory=dict)
    """What stands at the high end."""
    opt_out: Words = field(default_factory=dict)
    """What stands beside a box for not answering, such as "I do not know"; stored as no number."""

    @property
    def has_ends(self) -> bool:
        """Whether there are two ends: always."""
        return True

    @property
    def is_row(self) -> bool:
        """Whether it may change places with its like under the same text: always."""
        return True

    @property
    def middle(self) -> float:
        """The middle of the scale."""
        return (self.low + self.high) / 2

    @property
    def ends(self) -> tuple[Words, ...]:
        """What stands at its two ends."""
        return self.left, self.right
