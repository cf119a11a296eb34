"""Forms: what a survey asks, in one or several languages, and of which items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Words: TypeAlias = Mapping[str, str]
"""A text by language: {"en": "How warm?", "ru": "Насколько сердечны?"}; {} where there is none."""
Kind: TypeAlias = Literal["choice", "scale", "slider", "text", "pair", "triple"]
Part: TypeAlias = Literal["start", "training", "item", "end"]
ItemKind: TypeAlias = Literal["real", "training", "test"]
CheckKind: TypeAlias = Literal["name_item", "high_trait", "low_trait"]
Rule: TypeAlias = Literal["same_side", "within_10", "correlation"]
Value: TypeAlias = str | float | list[str] | dict[str, str]
"""An answer: text or an option's value, a number, several options, or the texts of a pair or triple."""
ITEM = "{item}"
"""Where a question's text names the item."""
WRITTEN: Mapping[str, tuple[str, ...]] = {
    "pair": ("first", "second"),
    "triple": ("context", "stereotype", "anti_stereotype", "unrelated"),
}
"""The texts that a person writes for one question of these kinds."""
MINUTES = 60


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One answer of a choice, or one point of a scale."""

    value: str
    text: Words


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


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """One question; `kind` decides which of the later fields matter."""

    name: str
    """In exports: the pair of traits of a slider, such as "cold - warm"."""
    kind: Kind
    text: Words = field(default_factory=dict)
    required: bool = True
    when: Condition = Condition()
    options: tuple[AnswerOption, ...] = ()
    """Of a choice or scale, in order."""
    several: bool = False
    """Whether more than one option of a choice may be chosen."""
    low: float = 0.0
    high: float = 100.0
    left: Words = field(default_factory=dict)
    """At a slider's low end."""
    right: Words = field(default_factory=dict)
    longest: int = 2000
    """Letters of a text, at most."""
    warn_distance: int = 0
    """Edits between the sentences of a pair above which the writer is warned; 0 for never."""

    @property
    def middle(self) -> float:
        """The middle of a slider's scale."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Page:
    """Questions that are shown on one screen."""

    name: str
    part: Part
    questions: tuple[FormQuestion, ...]
    text: Words = field(default_factory=dict)
    when: Condition = Condition()
    show: tuple[str, ...] = ()
    """Which of the item's texts are shown, in order."""

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


@dataclass(frozen=True, slots=True)
class SurveyItem:
    """What questions are asked about: a group, a sentence, a pair of sentences, a prompt."""

    key: str
    """Names the item in exports."""
    texts: Mapping[str, Words]
    """By name. "text" is what `{item}` in a question stands for."""
    kind: ItemKind = "real"
    common: bool = False
    """Whether everybody gets it."""
    stratum: str = ""
    aliases: tuple[str, ...] = ()
    """Further names that pass when a person is asked to name it."""
    expected: Mapping[str, Value] = field(default_factory=dict)
    """Known answers, of training and test items."""
    why: Words = field(default_factory=dict)
    """What a training item shows once it is answered."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everything it may be called, in all languages."""
        return self.key, *self.aliases, *self.texts.get("text", {}).values()


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which items a person gets, and how many people get each."""

    each: int = 0
    """Items per person, common ones included; 0 for all."""
    votes: int = 0
    """People per item that is not common; 0 for no limit."""
    familiar: int = 0
    """How many items a person must mark as familiar before rating some of those; 0 for no such page."""
    quotas: Mapping[str, int] = field(default_factory=dict)
    """People per item from each stratum of people; strata that are not named have no places."""
    lease: int = 2 * MINUTES
    """Minutes until an unanswered item is given to someone else."""


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """A test question after the n-th item: name the item, or a trait just rated high or low."""

    kind: CheckKind
    after: int
    text: Words

    @property
    def question(self) -> FormQuestion:
        """The check as a question with a free text."""
        return FormQuestion(self.kind, "text", self.text)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Items asked a second time at the end, and what counts as agreeing with oneself."""

    items: int = 1
    rule: Rule = "same_side"
    at_least: float = 0.8


@dataclass(frozen=True, slots=True)
class Demographics:
    """Questions about the person. Unless linked, the answers cannot be joined with the ratings."""

    questions: tuple[FormQuestion, ...] = ()
    text: Words = field(default_factory=dict)
    linked: bool = False
    """Whether they are stored with the person, which needs a consent of its own."""
    consent: Words = field(default_factory=dict)
    """The text of the consent to store them with the person."""


@dataclass(frozen=True, slots=True)
class Pay:
    """What a person is paid."""

    amount: float
    currency: str = "USD"
    minutes: float = 0.0
    """How long it should take."""
    hourly: float = 0.0
    """The hourly rate to reach; 0 where none is promised."""
    variety: float = 0.0
    """Bonus for each 4 examples about 4 different types; 0 for none."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What is shown when the server holds every answer."""

    text: Words = field(default_factory=dict)
    url: str = ""
    """Where the person is sent; `{code}` stands for the code."""
    code: str = ""
    """Shown to everybody; "" for a random code of the study."""


@dataclass(frozen=True, slots=True)
class Form:
    """A whole survey: its pages, items, checks and what it pays."""

    name: str
    version: str
    languages: tuple[str, ...]
    """The first is the default."""
    title: Words
    consent: Words
    pages: tuple[Page, ...]
    source: str = ""
    licence: str = "not stated"
    warning: Words = field(default_factory=dict)
    """Warns about the content; shown before consent."""
    instructions: Words = field(default_factory=dict)
    items: tuple[SurveyItem, ...] = ()
    sampling: Sampling = Sampling()
    checks: tuple[AttentionCheck, ...] = ()
    repeat: Repeat | None = None
    demographics: Demographics = Demographics()
    pay: Pay | None = None
    completion: Completion = Completion()
    back: bool = True
    """Whether a person may go back to earlier screens."""
    text: str = ""
    """The file, as it was read."""
    sha256: str = ""

    def part(self, part: Part) -> tuple[Page, ...]:
        """The pages of one part, in order."""
        return tuple(page for page in self.pages if page.part == part)

    def question(self, page: str, name: str) -> FormQuestion | None:
        """The question of that name on that page."""
        return next((q for n, q in self.questions if (n, q.name) == (page, name)), None)

    @property
    def questions(self) -> Iterator[tuple[str, FormQuestion]]:
        """Every question with its page: also the test questions and the demographics."""
        for page in self.pages:
            yield from ((page.name, question) for question in page.questions)
        yield from ((CHECK_PAGE, check.question) for check in self.checks)
        yield from ((DEMOGRAPHICS_PAGE, question) for question in self.demographics.questions)


CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE = "check", "demographics", "familiar"
"""Pages that every form may have, and that no page of its own may be called."""


def text_in(words: Words, language: str, languages: Sequence[str] = ()) -> str:
    """The text in a language, else in the first of `languages` that has it; "" where there is none.

    >>> text_in({"en": "warm", "ru": "тёплый"}, "ru"), text_in({"en": "warm"}, "hi", ["en"])
    ('тёплый', 'warm')
    """
    return next((words[known] for known in (language, *languages) if known in words), "")
