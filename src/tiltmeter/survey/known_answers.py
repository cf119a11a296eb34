"""Tests of attention and comprehension: what a form asks to see whether people read.

Their answers are marked and never enter ratings. Items of `kind = "test"` are another thing: questions about
an item, whose answer the researcher knows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import within
from tiltmeter.survey.form_pages import Page, Questions, of_questions
from tiltmeter.survey.form_reading import Prose, Words
from tiltmeter.survey.question import FormQuestion, Value
from tiltmeter.survey.questions.text import TextQuestion

CheckKind: TypeAlias = Literal["name_item", "high_trait", "low_trait", "instructed"]
OF_TRAITS: tuple[CheckKind, ...] = ("high_trait", "low_trait")
"""Kinds that ask for a trait that was just rated."""
Afterwards: TypeAlias = Literal["go_on", "screened_out", "failed_checks"]
COMPREHENSION_PAGE = "comprehension"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionCheck:
    """A test question on a page of its own after the n-th item.

    It asks to name the item, or a trait just rated high or low; or it is `instructed`: a question that says
    itself what to answer. One that stands among the questions of a page is written there, with `expected`.
    """

    kind: CheckKind = "name_item"
    """What the person is to name, an item or a trait that was just rated; or that a question says what to
    answer."""
    after: Annotated[int, within(1)] = 1
    """After how many items."""
    text: Words = field(default_factory=dict)
    """What is asked; of an instructed one, the question has it."""
    questions: Questions = ()
    """For an instructed one: the question, with its `expected` answer."""

    def faults(self) -> Iterator[Fault]:
        """What a check of this kind lacks."""
        if self.kind != "instructed":
            if self.questions:
                yield Fault(f"is a {self.kind}, which asks one thing", 'write text = "…"')
            if not self.text:
                yield Fault("has no text", 'write text = "…"')
        elif len(self.questions) != 1 or not self.questions[0].is_test:
            way_out = "write one [[checks.questions]], with expected"
            yield Fault("has no question with an expected answer", way_out)

    @property
    def question(self) -> FormQuestion:
        """What it asks; a free text, unless it is instructed."""
        return self.questions[0] if self.questions else TextQuestion(self.kind, text=self.text)


@dataclass(frozen=True, slots=True)
class Comprehension:
    """Questions about the instructions, before the work; who answers wrongly is asked again."""

    questions: Questions = ()
    """What is asked, each with its `expected` answer."""
    text: Prose = field(default_factory=dict)
    """A text above the questions."""
    attempts: Annotated[int, within(1)] = 2
    """How often they are asked, at most, until all answers are as expected."""
    wrong: Words = field(default_factory=dict)
    """Shown after a wrong attempt, in place of Tiltmeter's sentence."""
    repeat_instructions: bool = True
    """Whether the instructions are shown again after a wrong attempt."""
    then: Afterwards = "go_on"
    """What follows when the last attempt was wrong: the work, with a mark, or the end, with this outcome."""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with its questions."""
        yield from of_questions(self.questions)
        for question in self.questions:
            if not question.is_test:
                reason = f"question {question.name!r} has no expected answer"
                yield Fault(reason, 'write expected = "…"')

    @property
    def pages(self) -> tuple[Page, ...]:
        """A page for each attempt, the first named `comprehension`, the second `comprehension_2`."""
        if not self.questions:
            return ()
        numbers = ("", *(f"_{number}" for number in range(2, self.attempts + 1)))
        return tuple(
            Page(f"{COMPREHENSION_PAGE}{number}", "start", self.questions, self.text)
            for number in numbers
        )

    def attempt(self, page: str) -> int:
        """Which attempt a page of this name is; 0 for none."""
        names = [attempt.name for attempt in self.pages]
        return names.index(page) + 1 if page in names else 0

    def is_right(self, page: str, answers: Mapping[tuple[str, str], Value]) -> bool | None:
        """Whether all answers of an attempt are as expected; None where some are not given.

        Args:
            page: The name of the attempt's page.
            answers: By page and question.
        """
        given = [(question, answers.get((page, question.name))) for question in self.questions]
        if any(value is None for _, value in given):
            return None
        return all(question.is_expected(value) for question, value in given if value is not None)

    def is_asked(self, page: str, answers: Mapping[tuple[str, str], Value]) -> bool:
        """Whether an attempt is made: the first, and each after one that was wrong."""
        before = [attempt.name for attempt in self.pages[: self.attempt(page) - 1]]
        return all(self.is_right(name, answers) is False for name in before)

    def failed(self, answers: Mapping[tuple[str, str], Value]) -> bool:
        """Whether the last attempt was wrong, too."""
        return self.right_at(answers) == 0

    def right_at(self, answers: Mapping[tuple[str, str], Value]) -> int | None:
        """The attempt at which all answers were right, from 1; 0 where none was, None while some are left."""
        for number, page in enumerate(self.pages, start=1):
            right = self.is_right(page.name, answers)
            if right is None:
                return None
            if right:
                return number
        return 0
