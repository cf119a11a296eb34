"""Forms: what a survey asks, in one or several languages, and of which items."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from tiltmeter.core.reading.typed_values import OTHERS, UNREAD, Fault, Key
from tiltmeter.core.reading.value_types import Line, Lines, repeated, via, within
from tiltmeter.survey.consent.study_facts import StudyFacts
from tiltmeter.survey.form_pages import Page, Part, Questions, of_condition, of_questions
from tiltmeter.survey.form_reading import Prose, Words, WordsOfSome
from tiltmeter.survey.known_answers import (
    COMPREHENSION_PAGE,
    OF_TRAITS,
    AttentionCheck,
    Comprehension,
)
from tiltmeter.survey.languages.interface_words import OwnWords
from tiltmeter.survey.languages.language_codes import LanguageCodes
from tiltmeter.survey.order.form_order import FormOrder, alternatives, of_order, of_placeholders
from tiltmeter.survey.outcomes import Outcomes
from tiltmeter.survey.participants.money import ZERO, Money
from tiltmeter.survey.question import Count, FormQuestion, RatingQuestion, Value

ItemKind: TypeAlias = Literal["real", "training", "test"]
Rule: TypeAlias = Literal["same_side", "within_10", "correlation"]
CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE = "check", "demographics", "familiar"
"""Pages that every form may have, and that no page of its own may be called."""


@dataclass(frozen=True, slots=True)
class SurveyItem:
    """What questions are asked about: a group, a sentence, a pair of sentences, a prompt."""

    key: Annotated[Line, Key("id")]
    """Names the item in exports."""
    texts: Annotated[Mapping[str, WordsOfSome], OTHERS]
    """By name. "text" is what `{item}` in a question stands for.

    A language that a text lacks shows it in the first that has it.
    """
    kind: ItemKind = "real"
    """A training item explains its answer once it is given; a test item has a known one and is marked."""
    common: bool = False
    """Whether everybody gets it."""
    stratum: Line = ""
    """A group of items, such as a domain; stored with the answers."""
    aliases: Lines = ()
    """Further names that pass when a person is asked to name it."""
    expected: Annotated[Mapping[str, Value], via(Mapping[str, Line], dict)] = field(
        default_factory=dict
    )
    """Known answers, of training and test items."""
    why: Prose = field(default_factory=dict)
    """What a training item shows once it is answered."""

    def faults(self) -> Iterator[Fault]:
        """Why it cannot be used: a training item without known answers."""
        if self.kind == "training" and not self.expected:
            yield Fault("has no expected answers", 'write expected = { QUESTION = "…" }')

    @property
    def names(self) -> tuple[str, ...]:
        """Everything it may be called, in all languages."""
        return self.key, *self.aliases, *self.texts.get("text", {}).values()


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which items a person gets, and how many people get each."""

    each: Count = 0
    """Items per person, common ones included; 0 for all."""
    votes: Annotated[int, within(1)] = 0
    """People per item that is not common; without it, there is no limit."""
    familiar: Count = 0
    """How many items a person must mark as familiar before rating some of those; 0 for no such page."""
    quotas: Mapping[str, Count] = field(default_factory=dict)
    """People per item from each stratum of people; strata that are not named have no places."""
    stratum: Line = ""
    """The question on a start page whose answer is the person's stratum; "" where the link says it."""
    people: Mapping[str, Mapping[str, Count]] = field(default_factory=dict)
    """People in all, by question on a start page and answer; answers that are not named are not wanted."""
    overlap: Count = 0
    """People who get an item before one is begun that nobody has; 0 to spread people over all items."""
    lease: Annotated[int, within(1)] = 30
    """Minutes without a sign of a person after which their items are given to someone else."""

    @property
    def asked(self) -> frozenset[str]:
        """The questions that must be answered before somebody is given items."""
        return frozenset((*self.people, *filter(None, [self.stratum])))


@dataclass(frozen=True, slots=True)
class Repeat:
    """Items asked a second time at the end, and what counts as agreeing with oneself."""

    items: Count = 1
    """How many of a person's items are asked again."""
    rule: Rule = "same_side"
    """When two positions of a slider agree: same side of the middle, within 10 points of 100, correlation."""
    at_least: float = 0.8
    """Agreement from 0 to 1 below which the check `self_agreement` flags a person."""


@dataclass(frozen=True, slots=True)
class Demographics:
    """Questions about the person. Unless linked, the answers cannot be joined with the ratings."""

    questions: Questions = ()
    """What is asked about the person."""
    text: Prose = field(default_factory=dict)
    """A text above the questions."""
    linked: bool = False
    """Whether they are stored with the person, which needs a consent of its own."""
    consent: Words = field(default_factory=dict)
    """The text of the consent to store them with the person."""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with its questions together, and a consent that is missing."""
        yield from of_questions(self.questions)
        if any(question.is_test for question in self.questions):
            yield Fault(
                "has a question with an expected answer", "ask it on a page, or in [[checks]]"
            )
        if self.linked and not self.consent:
            yield Fault("has no consent", 'write consent = "…"')


@dataclass(frozen=True, slots=True)
class Pay:
    """What a person is paid."""

    amount: Money
    """What everybody who finishes is paid."""
    currency: Line = "USD"
    """The currency of all amounts."""
    hourly: Money = ZERO
    """The hourly rate to reach; 0 where none is promised."""
    variety: Money = ZERO
    """Bonus for each 4 examples about 4 different types; 0 for none."""


@dataclass(frozen=True, slots=True)
class Form:
    """A whole survey: its pages, items, checks and what it pays."""

    name: Line
    """Names the study in commands and files."""
    title: Words
    """The heading of the first pages, and of the browser's tab."""
    consent: Prose
    """What people agree to before anything else is asked."""
    pages: tuple[Page, ...]
    """The screens with questions."""
    version: Line = "1"
    """Stands in the copy of the consent and in the data statement."""
    languages: LanguageCodes = ("en",)
    """The first is the default."""
    words: OwnWords = field(default_factory=dict)
    """Words of buttons and notes in place of the built-in ones, by language and by what they are for."""
    source: Line = ""
    """Whom the form follows, such as a paper with its DOI."""
    licence: Line = "not stated"
    """The licence of the form's texts."""
    study: StudyFacts = StudyFacts()  # noqa: RUF009 it is frozen
    """Who runs the study, and what becomes of the data."""
    warning: Prose = field(default_factory=dict)
    """Warns about the content; shown before consent."""
    instructions: Prose = field(default_factory=dict)
    """What to do; shown after the consent, and at the foot of every page with questions."""
    items: tuple[SurveyItem, ...] = ()
    """What is asked about; `--items` takes them from a table."""
    sampling: Sampling = Sampling()
    """Which items a person gets."""
    order: FormOrder = field(default_factory=FormOrder)
    """What is shown in random order."""
    checks: tuple[AttentionCheck, ...] = ()
    """Test questions between the items."""
    comprehension: Comprehension = field(default_factory=Comprehension)
    """Questions about the instructions."""
    repeat: Repeat | None = None
    """Items that are asked a second time."""
    demographics: Demographics = Demographics()
    """Questions about the person."""
    pay: Pay | None = None
    """What people are paid; leave it out where they are not."""
    outcomes: Outcomes = field(default_factory=Outcomes)
    """Codes and addresses for each way in which people leave."""
    debriefing: Prose = field(default_factory=dict)
    """What the study was about and what may not have been said before; shown to all who took part."""
    back: bool = True
    """Whether a person may go back to earlier screens."""
    words_read: Lines = ()
    """Languages in which a native speaker has read the built-in words of buttons and notes."""
    text: Annotated[str, UNREAD] = ""
    """The file, as it was read."""
    sha256: Annotated[str, UNREAD] = ""

    def faults(self) -> Iterator[Fault]:
        """What does not go together, once each part of it is read."""
        yield from repeated("language", self.languages)
        yield from repeated("page", [page.name for page in self.pages])
        yield from repeated("item", [item.key for item in self.items])
        named = [check.question.name for check in self.checks if check.kind == "instructed"]
        yield from repeated("test question", [*named, *{check.kind for check in self.checks}])
        yield from repeated("demographic question", [q.name for q in self.demographics.questions])
        for number, page in enumerate(self.pages):
            own = {CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE}
            if page.name in own or page.name.startswith(COMPREHENSION_PAGE):
                yield Fault(f"a page is called {page.name!r}", "this name is taken; choose another")
            asked = [p for p in self.pages[:number] if p.part == page.part]
            before = {question.name: question for p in asked for question in p.questions}
            yield from of_condition(page.when, before, f"page {page.name!r}")
        if len(self.part("screening")) > 1:
            yield Fault("has several pages for screening", "ask all its questions on one page")
        if not self.part("item"):
            yield Fault("has no page for items", 'write a page with part = "item"')
        yield from _of_pay(self)
        yield from _of_languages(self)
        yield from _of_quotas(self)
        yield from _of_items(self)
        yield from _of_sliders(self)
        yield from of_order(self.order, self.pages)
        yield from of_placeholders([*self.pages, *_further_pages(self)])

    @property
    def people_apart(self) -> int:
        """How many of the first people get no item that another of them has."""
        items = [item for item in self.items if item.kind != "training"]
        each = self.sampling.each
        if not each or self.sampling.overlap > 1 or any(item.common for item in items):
            return 1
        return max(len(items) // each, 1)

    @property
    def mixes_texts(self) -> bool:
        """Whether some of an item's texts change places."""
        return self.order.texts == "random" and any(map(alternatives, self.pages))

    def part(self, part: Part) -> tuple[Page, ...]:
        """The pages of one part, in order."""
        return tuple(page for page in self.pages if page.part == part)

    def page(self, name: str) -> Page | None:
        """The page of that name; None for one that the form does not write itself, or that is not there."""
        return next((page for page in self.pages if page.name == name), None)

    def question(self, page: str, name: str) -> FormQuestion | None:
        """The question of that name on that page."""
        return next((q for n, q in self.questions if (n, q.name) == (page, name)), None)

    @property
    def start_questions(self) -> Iterator[tuple[str, str]]:
        """The questions before the work, by page and name."""
        for page in self.part("start"):
            yield from ((page.name, question.name) for question in page.questions)

    def say(self, words: Words, language: str = "") -> str:
        """A text in a language, else in the first of the form's that has it; "" where there is none."""
        return words.get(self.language_of(words, language), "")

    def language_of(self, words: Words, language: str) -> str:
        """The language in which a text is said to a reader of this one; this one where there is no text."""
        return next((known for known in (language, *self.languages) if known in words), language)

    @property
    def sliders(self) -> dict[tuple[str, str], RatingQuestion]:
        """The sliders about items, by page and name; those that test attention are none."""
        return {
            (page.name, q.name): q
            for page in self.part("item")
            for q in page.questions
            if isinstance(q, RatingQuestion) and not q.is_test
        }

    @property
    def sliders_without_traits(self) -> tuple[str, ...]:
        """The names of sliders that are not "left - right", and so name no pair of traits."""
        names = dict.fromkeys(name for _, name in self.sliders)
        return tuple(name for name in names if not all(name.partition(" - ")))

    @property
    def questions(self) -> Iterator[tuple[str, FormQuestion]]:
        """Every question with its page, also of pages that the form does not write as such."""
        for page in self.pages:
            yield from ((page.name, question) for question in page.questions)
        for page in self.comprehension.pages:
            yield from ((page.name, question) for question in page.questions)
        yield from ((CHECK_PAGE, check.question) for check in self.checks)
        yield from ((DEMOGRAPHICS_PAGE, question) for question in self.demographics.questions)


def _further_pages(form: Form) -> Iterator[Page]:
    """The pages with questions that the form does not write as pages."""
    yield from form.comprehension.pages[:1]
    for check in form.checks:
        yield Page(CHECK_PAGE, "item", (check.question,))
    yield Page(DEMOGRAPHICS_PAGE, "end", form.demographics.questions, form.demographics.text)


# ---- What must go together


def _of_pay(form: Form) -> Iterator[Fault]:
    """Another sum for those who finish than people are promised before they consent."""
    promised, paid = form.pay, form.outcomes.finished.pay
    if promised is not None and paid is not None and paid != promised.amount:
        yield Fault(
            f"pays {paid} {promised.currency} for finishing, and [pay] promises {promised.amount}",
            "write the same sum, or leave pay out of [outcomes.finished]", "[outcomes]",
        )  # fmt: skip


def _of_languages(form: Form) -> Iterator[Fault]:
    """Words, and notes that they were read, for languages that the form does not have."""
    known = ", ".join(form.languages)
    for key, languages in (("words", form.words), ("words_read", form.words_read)):
        for language in languages:
            if language not in form.languages:
                reason = f"{key} names the language {language!r}"
                yield Fault(reason, f"the form has {known}: add it to languages, or take it out")


def _of_quotas(form: Form) -> Iterator[Fault]:
    """Quotas by the answer to what is no question before the work, or to an answer that it does not have."""
    sampling = form.sampling
    for name in sorted(sampling.asked):
        at = f"[sampling] {name!r}:"
        asked = [(page, q) for page in form.part("start") for q in page.questions if q.name == name]
        if len(asked) != 1:
            yield Fault(
                "is no question before the work", 'ask it once, on a page with part = "start"', at
            )
            continue
        page, question = asked[0]
        options = [option.value for option in question.options]
        wanted = {
            *sampling.people.get(name, ()),
            *(sampling.quotas if name == sampling.stratum else ()),
        }
        if not question.takes_one_option:
            yield Fault("is no choice of one option", "write it as a choice or a scale", at)
        elif not question.required or question.when.wanted or page.when.wanted:
            yield Fault("may be left unanswered", "require it, without a condition", at)
        for answer in sorted(wanted - {*options}) if options else ():
            yield Fault(f"has no answer {answer!r}", f"known: {', '.join(options)}", at)


def _of_items(form: Form) -> Iterator[Fault]:
    for item in form.items:
        for page in form.part("training" if item.kind == "training" else "item"):
            for name in page.show:
                if not item.texts.get(name):
                    yield Fault(f"item {item.key!r} has no {name}", "pages show it: write it")
    real = [item for item in form.items if item.kind != "training"]
    common, each = sum(item.common for item in real), form.sampling.each
    if each and common > each:
        reason = f"{common} items are common, but a person gets {each}"
        yield Fault(reason, "raise each in [sampling], or make fewer items common")
    if real and each > len(real):
        reason = f"a person gets {each} items, but there are {len(real)}"
        way_out = "lower each in [sampling], or take [[items]] out where --items gives them"
        yield Fault(reason, way_out)
    if form.sampling.familiar and form.sampling.familiar < form.sampling.each:
        yield Fault("fewer items are marked than rated", "raise familiar in [sampling]")


def _of_sliders(form: Form) -> Iterator[Fault]:
    """Questions about traits, and self-agreement, need sliders."""
    traits = any(check.kind in OF_TRAITS for check in form.checks)
    if (traits or form.repeat) and not form.sliders:
        what = "[repeat]" if form.repeat else "a test question about traits"
        yield Fault(f"{what} needs sliders on the item pages", "add some, or take it out")
    for check in form.checks:
        if form.sampling.each and check.after > form.sampling.each:
            reason = f"the test {check.kind!r} comes after item {check.after}"
            way_out = f"a person gets {form.sampling.each} items: write a smaller number"
            yield Fault(reason, way_out)
