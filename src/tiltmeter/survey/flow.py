"""The screens that one person sees, in order, and which of them is next.

Pure functions: the web page and the bots ask them, and so does the check that everything is answered.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tiltmeter.survey.form import CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form, SurveyItem
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.known_answers import COMPREHENSION_PAGE, Comprehension
from tiltmeter.survey.order.person_order import AS_WRITTEN, PersonOrder, Turn
from tiltmeter.survey.question import AnswerOption, FormQuestion, Value
from tiltmeter.survey.questions.choice import ChoiceQuestion

TRAINING, FIRST, REPEAT = 0, 1, 2
"""Rounds in which a person gets an item."""
Place = tuple[int | None, str, str]
"""Where an answer belongs: assignment (None outside items), page and question."""
Answered = Mapping[Place, Value]
"""A person's current answers, by the place where they were given."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """An item that a person was given."""

    assignment: int
    item: SurveyItem
    round: int = FIRST
    turn: Turn | None = None
    """Which of the people who have the item this is."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: a page of the form, for an item where the page is about one."""

    page: Page
    assigned: Assigned | None = None
    check: str = ""
    """The test question that the screen asks; "" if it asks none."""
    attempt_of: Comprehension | None = None
    """What an attempt at the questions about the instructions is one of; None elsewhere."""

    @property
    def key(self) -> str:
        """The screen's name, unique per person, as in page events and addresses."""
        names = (self.page.name, self.check, str(self.assigned.assignment) if self.assigned else "")
        return ".".join(name for name in names if name)

    @property
    def turn(self) -> Turn | None:
        """Which of the people who have the item this is; None outside items."""
        return self.assigned.turn if self.assigned else None

    @property
    def assignment(self) -> int | None:
        """The number of the assignment; None outside items."""
        return self.assigned.assignment if self.assigned else None


def screens(
    form: Form, assigned: Sequence[Assigned], order: PersonOrder = AS_WRITTEN
) -> tuple[Screen, ...]:
    """All screens of a person, given the items assigned so far, in this person's order."""
    return tuple(_screens(form, assigned, order.pages(form.part("item"))))


def _screens(
    form: Form, assigned: Sequence[Assigned], item_pages: Sequence[Page]
) -> Iterator[Screen]:
    yield from (Screen(page) for page in form.part("start"))
    yield from (Screen(page, attempt_of=form.comprehension) for page in form.comprehension.pages)
    for item in assigned:
        if item.round == TRAINING:
            yield from (Screen(page, item) for page in form.part("training") or item_pages)
    if form.sampling.familiar:
        yield Screen(familiar_page(form))
    for number, item in enumerate((a for a in assigned if a.round == FIRST), start=1):
        yield from (Screen(page, item) for page in item_pages)
        for check in form.checks:
            if check.after == number:
                page = Page(CHECK_PAGE, "item", (check.question,))
                yield Screen(page, item, check.question.name)
    for item in assigned:
        if item.round == REPEAT:
            yield from (Screen(page, item) for page in item_pages)
    yield from (Screen(page) for page in form.part("end"))
    if form.demographics.questions:
        yield Screen(demographics_page(form))


def familiar_page(form: Form) -> Page:
    """The page on which a person marks the items that are familiar."""
    options = tuple(
        AnswerOption(item.key, item.texts.get("text") or dict.fromkeys(form.languages, item.key))
        for item in form.items
        if item.kind == "real"
    )
    question = ChoiceQuestion(FAMILIAR_PAGE, options=options, several=True)
    return Page(FAMILIAR_PAGE, "start", (question,))


def demographics_page(form: Form) -> Page:
    """The page of questions about the person."""
    return Page(DEMOGRAPHICS_PAGE, "end", form.demographics.questions, form.demographics.text)


def own_page(form: Form, name: str) -> Page | None:
    """The page of that name that every form may have, apart from test questions; None for another name."""
    pages = (familiar_page(form), demographics_page(form), *form.comprehension.pages)
    return next((page for page in pages if page.name == name), None)


def context(screen: Screen, answered: Answered) -> dict[str, Value]:
    """What conditions on a screen refer to: answers for the same item, or outside items."""
    return {
        question: value
        for (assignment, page, question), value in answered.items()
        if assignment == screen.assignment
        and page != CHECK_PAGE
        and not page.startswith(COMPREHENSION_PAGE)
    }


def outside_items(answered: Answered) -> dict[tuple[str, str], Value]:
    """Answers that are about no item, by page and question."""
    return {(page, name): value for (at, page, name), value in answered.items() if at is None}


def is_final(form: Form, page: str) -> bool:
    """Whether answers on a page of this name stay as they are once it is submitted.

    Those to questions about the instructions do, and those that quotas are about: a cell would overflow.
    """
    if not form.back or form.comprehension.attempt(page):
        return True
    return any(at == page and name in form.sampling.asked for at, name in form.start_questions)


def shown(screen: Screen, answered: Answered) -> tuple[FormQuestion, ...]:
    """The questions that a screen asks, given the answers so far; () where it is skipped."""
    attempts = screen.attempt_of
    if attempts and not attempts.is_asked(screen.page.name, outside_items(answered)):
        return ()
    return screen.page.shown(context(screen, answered))


def missing(screen: Screen, answered: Answered) -> tuple[str, ...]:
    """Required questions of a screen that have no answer yet.

    Unlinked demographics are stored without the person: they are never missing here.
    """
    if screen.page.name == DEMOGRAPHICS_PAGE:
        return ()
    asked = shown(screen, answered)
    return tuple(
        question.name
        for question in asked
        if question.required
        and (screen.assignment, screen.page.name, question.name) not in answered
    )


def by_assignment(answered: Answered) -> defaultdict[int | None, dict[Place, Value]]:
    """Answers by item; conditions of a screen refer to no others."""
    by_item: defaultdict[int | None, dict[Place, Value]] = defaultdict(dict)
    for at, value in answered.items():
        by_item[at[0]][at] = value
    return by_item


def unasked(every: Sequence[Screen], answered: Answered) -> list[Place]:
    """Places with an answer to a question that is not asked, given the answers to the others."""
    left = dict(answered)
    places: list[Place] = []
    while gone := [at for screen in every for at in _unasked(screen, left)]:
        places += gone
        left = {at: value for at, value in left.items() if at not in gone}
    return places


def _unasked(screen: Screen, answered: Answered) -> Iterator[Place]:
    asked = shown(screen, answered)
    for question in screen.page.questions:
        at = (screen.assignment, screen.page.name, question.name)
        if at in answered and question not in asked:
            yield at


def next_screen(
    every: Sequence[Screen], answered: Answered, submitted: AbstractSet[str]
) -> Screen | None:
    """The first screen that is shown and was not submitted yet; None at the end."""
    return next((s for s in every if s.key not in submitted and shown(s, answered)), None)
