"""Marks on the answers of a study: every check for every person, stored beside the answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sqlalchemy import delete
from sqlalchemy.orm import Session

from tiltmeter.survey import checks
from tiltmeter.survey.collected import CheckResult, Collected, PageTime, Response, collect
from tiltmeter.survey.flow import (
    FIRST,
    REPEAT,
    TRAINING,
    Answered,
    Assigned,
    Screen,
    missing,
    shown,
)
from tiltmeter.survey.form import CHECK_PAGE, DEMOGRAPHICS_PAGE, Form, SurveyItem
from tiltmeter.survey.question import Value
from tiltmeter.survey.schema import Mark

FEWEST_SAME = 12
"""Answers in common that must all be equal before two people are called duplicates."""
_Asked: TypeAlias = tuple[str, int, str, str]
"""Item, round, page and question of an answer."""


def mark_study(session: Session, study: int, *, bots: bool = False) -> int:
    """Run all checks and store what they find in place of earlier marks; gives how many are flagged.

    Bots are checked only if they are asked for: beside random answers, those of people look careful.
    """
    by_person = find_marks(collect(session, study, bots=bots))
    session.execute(delete(Mark).where(Mark.study_id == study))
    session.add_all(
        Mark(
            study_id=study, person_id=person, assignment_id=mark.assignment, check=mark.check,
            rule=mark.rule, value=mark.value, flagged=mark.flagged, detail=mark.detail,
        )
        for person, several in by_person.items()
        for mark in several
    )  # fmt: skip
    return sum(mark.flagged for several in by_person.values() for mark in several)


def marked(collected: Collected) -> Collected:
    """The answers with the marks that the checks find now; nothing is stored."""
    by_person = {person: tuple(several) for person, several in find_marks(collected).items()}
    return replace(collected, marks=by_person)


def find_marks(collected: Collected) -> dict[str, list[CheckResult]]:
    """What all checks find, by person."""
    bot = CheckResult("bot", "says that it is a program", flagged=True)
    by_person = {person.id: [bot] if person.bot else [] for person in collected.people}
    given: dict[str, list[Response]] = defaultdict(list)
    for response in collected.responses:
        given[response.person].append(response)
    for person in by_person:
        marker = _Person(collected.form, collected.items(), given[person])
        for check in (marker.named_items, marker.named_traits, marker.known_answers, marker.attention,
                      marker.comprehension, marker.repeated, marker.flat_pages, marker.skipped):  # fmt: skip
            by_person[person] += check()
    for person, finding in (*_times(collected.pages), *_duplicates(collected.form, given)):
        if person in by_person:
            by_person[person].append(finding)
    return by_person


def failed_checks(form: Form, assigned: Sequence[Assigned], answered: Answered) -> int:
    """How many tests of attention and comprehension a person has failed so far.

    These are the questions of `[[checks]]`, questions with an `expected` answer, and the questions about the
    instructions, which count once, when the last attempt was wrong. Items of `kind = "test"` do not count: a
    person may read one with care and see it in another way.
    """
    given_items = {each.assignment: each for each in assigned}
    given = [
        Response("", page, question, value, item=each.item.key if each else "",
                 round=each.round if each else FIRST, assignment=number)
        for (number, page, question), value in answered.items()
        if (each := given_items.get(number or 0)) or number is None
    ]  # fmt: skip
    person = _Person(form, {each.item.key: each.item for each in assigned}, given)
    tests = (person.named_items, person.named_traits, person.attention, person.comprehension)
    return sum(mark.flagged for test in tests for mark in test())


class _Person:
    def __init__(
        self, form: Form, items: Mapping[str, SurveyItem], given: Sequence[Response]
    ) -> None:
        self.form, self.items, self.given = form, items, given
        self.sliders = [*form.sliders.values()]
        self.pages: dict[int, list[Response]] = defaultdict(list)
        for response in given:
            if response.assignment is not None:
                self.pages[response.assignment].append(response)

    def ratings(self, assignment: int) -> dict[str, float]:
        """The person's slider positions in an assignment, by question."""
        names = {slider.name for slider in self.sliders}
        return {
            r.question: r.value
            for r in self.pages[assignment]
            if r.question in names and isinstance(r.value, float | int)
        }

    def tests(self, kind: str) -> Iterator[tuple[Response, str]]:
        """Answers to test questions of a kind."""
        for response in self.given:
            if (response.page, response.question) == (CHECK_PAGE, kind):
                yield response, str(response.value)

    def named_items(self) -> Iterator[CheckResult]:
        for response, text in self.tests("name_item"):
            right = checks.names_item(text, self.items[response.item])
            rule = f"similarity >= {checks.ALIKE:g} %"
            yield CheckResult("name_item", rule, not right, float(right), text, response.assignment)

    def named_traits(self) -> Iterator[CheckResult]:
        for kind, high in (("high_trait", True), ("low_trait", False)):
            for response, text in self.tests(kind):
                assert response.assignment is not None  # noqa: S101 tests come after items
                ratings = self.ratings(response.assignment)
                right = checks.names_trait(text, ratings, self.sliders, high=high)
                rule = (
                    "on its own side of the middle" if high else "on the other side of the middle"
                )
                yield CheckResult(kind, rule, not right, float(right), text, response.assignment)

    def known_answers(self) -> Iterator[CheckResult]:
        """Test items, whose answers are known."""
        for response in self.given:
            item = self.items.get(response.item)
            if item is None or item.kind != "test" or response.question not in item.expected:
                continue
            right = str(response.value) == str(item.expected[response.question])
            detail = f"{response.question}: {response.value}"
            yield CheckResult(
                "test_item", "exact", not right, float(right), detail, response.assignment
            )

    def attention(self) -> Iterator[CheckResult]:
        """Questions among others, or on a page of their own, that say what to answer."""
        for response in self.given:
            question = self.form.question(response.page, response.question)
            if question is None or not question.is_test or response.round == TRAINING:
                continue
            if self.form.comprehension.attempt(response.page):
                continue
            right = question.is_expected(response.value)
            detail = f"{response.question}: {response.value}"
            # On a page of its own a question is about no item: it says how the person read all of them.
            at = None if response.page == CHECK_PAGE else response.assignment
            yield CheckResult("attention", "expected answer", not right, float(right), detail, at)

    def comprehension(self) -> Iterator[CheckResult]:
        """The questions about the instructions; the value is the attempt that was all right, or 0."""
        answers = {(r.page, r.question): r.value for r in self.given if r.assignment is None}
        right_at = self.form.comprehension.right_at(answers)
        if right_at is not None and self.form.comprehension.pages:
            attempts = self.form.comprehension.attempts
            yield CheckResult(
                "comprehension",
                f"all right in <= {attempts} attempts",
                right_at == 0,
                float(right_at),
            )

    def repeated(self) -> Iterator[CheckResult]:
        """Agreement with oneself on items that were asked twice."""
        rule = self.form.repeat
        rounds = {
            (responses[0].item, responses[0].round): assignment
            for assignment, responses in self.pages.items()
        }
        for (item, number), assignment in rounds.items():
            first = rounds.get((item, FIRST))
            if rule is None or number != REPEAT or first is None:
                continue
            value = checks.self_agreement(
                self.ratings(first), self.ratings(assignment), self.sliders, rule.rule
            )
            flagged = value is None or value < rule.at_least
            rule_text = f"{rule.rule} >= {rule.at_least:g}"
            yield CheckResult("self_agreement", rule_text, flagged, value, item, assignment)

    def flat_pages(self) -> Iterator[CheckResult]:
        for assignment in self.pages:
            values = checks.percent(self.ratings(assignment), self.sliders)
            if not values or len(self.sliders) < checks.FEWEST:
                continue
            different, spread = checks.flatness(values)
            rule = f"<= {checks.FEWEST_VALUES} values or sd < {checks.LEAST_SPREAD:g} of 100"
            detail = f"{different} different values, sd {spread:.1f}"
            flat = checks.is_flat(values)
            yield CheckResult("straight_line", rule, flat, spread, detail, assignment)

    def skipped(self) -> Iterator[CheckResult]:
        """Answers to questions that were not to be asked, and required ones that are missing."""
        for assignment, responses in self.pages.items():
            item = self.items[responses[0].item]
            assigned = Assigned(assignment, item, responses[0].round)
            answered: dict[tuple[int | None, str, str], Value] = {
                (r.assignment, r.page, r.question): r.value for r in responses
            }
            training = assigned.round == TRAINING
            pages = (training and self.form.part("training")) or self.form.part("item")
            for page in pages:
                screen = Screen(page, assigned)
                wanted = {question.name for question in shown(screen, answered)}
                extra = [r.question for r in responses if r.page == page.name]
                extra = [name for name in extra if name not in wanted]
                left = missing(screen, answered) if responses[0].state in {"done", "late"} else ()
                if extra or left:
                    detail = "; ".join(
                        f"{what}: {', '.join(names)}"
                        for what, names in (("not asked", extra), ("missing", left))
                        if names
                    )
                    count = float(len(extra) + len(left))
                    yield CheckResult("skip_logic", "when", flagged=True, value=count, detail=detail,
                                  assignment=assignment)  # fmt: skip


def _times(pages: Sequence[PageTime]) -> Iterator[tuple[str, CheckResult]]:
    """Pages answered much faster than the same page by others, or mostly in another tab."""
    kinds: dict[str, list[PageTime]] = defaultdict(list)
    for page in pages:
        # The screen of an item ends in its assignment: all people's times on one page are compared.
        kinds[page.screen.rsplit(".", 1)[0] if page.assignment else page.screen].append(page)
    for name, same in sorted(kinds.items()):  # not by who came first: an import has another order
        for page, z in zip(same, checks.speed([p.seconds for p in same]), strict=True):
            person, at = page.person, page.assignment
            if z is not None:
                rule = f"robust z of log seconds < {checks.TOO_FAST:g}"
                detail = f"{name}: {page.seconds:.1f} s"
                yield person, CheckResult("speed", rule, z < checks.TOO_FAST, z, detail, at)
            if page.hidden > 0:
                share = page.hidden / max(page.seconds, page.hidden)
                rule, detail = f"> {checks.AWAY:.0%} of the time", f"{page.hidden:.1f} s hidden"
                yield (
                    person,
                    CheckResult("hidden_tab", rule, share > checks.AWAY, share, detail, at),
                )


def _duplicates(
    form: Form, given: Mapping[str, Sequence[Response]]
) -> Iterator[tuple[str, CheckResult]]:
    """People whose answers are all the same on everything that both answered."""
    tests = {(page, question.name) for page, question in form.questions if question.is_test}
    answers = {
        person: {
            (r.item, r.round, r.page, r.question): str(r.value)
            for r in responses
            if r.item
            and r.page not in {CHECK_PAGE, DEMOGRAPHICS_PAGE}
            and (r.page, r.question) not in tests
        }
        for person, responses in given.items()
    }
    people = [
        person for person, person_answers in answers.items() if len(person_answers) >= FEWEST_SAME
    ]
    rule = f"all of >= {FEWEST_SAME} common answers equal"
    for number, person in enumerate(people):
        if len(set(answers[person].values())) <= checks.FEWEST_VALUES:
            continue  # equals all who always answer alike, and is marked for that already
        for other in people[number + 1 :]:
            common = _common_if_equal(answers[person], answers[other])
            if common >= FEWEST_SAME:
                for marked, twin in ((person, other), (other, person)):
                    yield marked, CheckResult("duplicate", rule, flagged=True, value=float(common),
                                       detail=f"same as {twin}")  # fmt: skip


def _common_if_equal(answers: Mapping[_Asked, str], others: Mapping[_Asked, str]) -> int:
    """How many questions two people both answered; 0 where they answered one of them differently."""
    common = 0
    # Nearly all pairs of people differ early: with 500 people there are 124,750.
    for at, value in answers.items():
        other = others.get(at)
        if other is not None:
            if other != value:
                return 0
            common += 1
    return common
