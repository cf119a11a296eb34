"""What one person has done and what is next: operations on the database, as in `survey.answers`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from tiltmeter.survey import flow
from tiltmeter.survey.assign import ItemOrder, assigned_to, lease_items, repeat_items
from tiltmeter.survey.form import FAMILIAR_PAGE, Form
from tiltmeter.survey.order.person_order import PersonOrder
from tiltmeter.survey.page_count import page_count
from tiltmeter.survey.people_answers import answers_of, given, submitted_screens
from tiltmeter.survey.persons import order_of
from tiltmeter.survey.schema import Person


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """Where a person is in the survey: screens, answers, and what comes next."""

    screens: tuple[flow.Screen, ...]
    answered: flow.Answered
    keys: Mapping[tuple[int | None, str, str], str]
    """The key of each question's last answer, also of a withdrawn one."""
    submitted: frozenset[str]
    next: flow.Screen | None
    """The first screen that is still to be submitted; None at the end."""
    order: PersonOrder
    """How this person sees the form."""

    @property
    def at_end(self) -> bool:
        """Whether all items that were given so far are done."""
        return self.next is None or self.next.page.part == "end"

    @property
    def has_items(self) -> bool:
        """Whether an item was given that counts."""
        return any(s.assigned and s.assigned.round == flow.FIRST for s in self.screens)

    @property
    def familiar(self) -> list[str] | None:
        """Keys of the items that were marked as familiar; None where that page was not submitted."""
        marked: Any = self.answered.get((None, FAMILIAR_PAGE, FAMILIAR_PAGE))
        return marked if FAMILIAR_PAGE in self.submitted else None

    def screen(self, key: str) -> flow.Screen | None:
        """The screen of this name, if the person may see it: submitted before, or next."""
        wanted = next((listed for listed in self.screens if listed.key == key), None)
        if wanted is None or (key not in self.submitted and wanted != self.next):
            return None
        return wanted

    def before(self, key: str, form: Form) -> str:
        """The screen to which "Back" leads; "" where there is no way back."""
        keys = [listed.key for listed in self.screens]
        earlier = reversed(self.screens[: keys.index(key)] if key in keys else ())
        return next(
            (
                each.key
                for each in earlier
                if each.key in self.submitted
                and not flow.is_final(form, each.page.name)
                and flow.shown(each, self.answered)
            ),
            "",
        )

    def after(self, screen: flow.Screen) -> "PersonProgress":
        """Where the person is once this screen is submitted."""
        submitted = self.submitted | {screen.key}
        following = flow.next_screen(self.screens, self.answered, submitted)
        return replace(self, submitted=submitted, next=following)

    def share(self, form: Form) -> float:
        """The share of pages before the next one, from 0 to less than 1; also while looking back."""
        furthest = self.next or self.screens[-1]
        return page_count(form, self.screens, furthest).share


def progress(session: Session, *, person: str, form: Form) -> PersonProgress:
    """Where a person is now."""
    rows = answers_of(session, person)
    keys = {(row.assignment_id, row.page, row.question): row.key for row in rows}
    answered = given(rows)
    done = frozenset(submitted_screens(session, person))
    order = order_of(session, person, form)
    every = flow.screens(form, assigned_to(session, person), order)
    following = flow.next_screen(every, answered, done)
    return PersonProgress(every, answered, keys, done, following, order)


def advance(
    session: Session, *, person: str, form: Form, order: ItemOrder | None = None
) -> PersonProgress:
    """Give the person what they should do next, and tell where they are then.

    Items once those marked as familiar are known, items in place of expired ones, and repeated items
    when all others are done.
    """
    here = progress(session, person=person, form=form)
    if not here.at_end or session.get_one(Person, person).outcome is not None:
        return here
    given = lease_items(session, person=person, form=form, among=here.familiar, order=order)
    if {item.assignment for item in given} != {item.assignment for item in here.screens} - {None}:
        here = progress(session, person=person, form=form)
    if here.at_end and form.repeat:
        repeat_items(session, person=person, form=form)
        here = progress(session, person=person, form=form)
    return here
