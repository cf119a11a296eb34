"""How many people a form's design needs, and what they cost in hours and money."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tiltmeter.core.text import counted
from tiltmeter.survey.form import Form

HOUR = 60
"""Minutes."""
FEW_HOURS = 2
"""Less than this is said in minutes."""


@dataclass(frozen=True, slots=True)
class StudySize:
    """What the whole study needs if everybody finishes; None where the form does not say it."""

    items: int
    """Real items, common ones included."""
    people: int | None
    answers: int | None
    """Items answered, one for each person who gets one; repeated ones included."""
    hours: float | None
    """Hours of work of all people together; None where the form does not say how long it takes."""
    pay: Decimal | None
    """For all people together, without bonuses and what a panel charges on top."""
    currency: str = ""

    @property
    def time(self) -> str:
        """The time of all people together, in whole hours from two hours on; "" where it is not known.

        >>> StudySize(4, 5, 20, 1 / 3, None).time, StudySize(26, 130, 650, 21.7, None).time
        ('20 minutes', '22 hours')
        """
        if self.hours is None:
            return ""
        if self.hours < FEW_HOURS:
            return counted(max(round(self.hours * HOUR), 1), "minutes")
        return counted(round(self.hours), "hours")


def study_size(form: Form) -> StudySize:
    """The size that follows from items, votes, items per person, duration and pay.

    >>> from tiltmeter.survey.form_file import read_form
    >>> size = study_size(read_form("group_traits"))
    >>> size.items, size.people, size.answers, round(size.hours), float(size.pay)
    (26, 130, 650, 22, 260.0)
    """
    real = [item for item in form.items if item.kind == "real"]
    common = sum(item.common for item in real)
    each = form.sampling.each or len(real)
    votes = sum(form.sampling.quotas.values()) or form.sampling.votes
    people = answers = hours = pay = None
    # Quotas by answer end a study, too: each question has so many people in all.
    wanted = [sum(cells.values()) for cells in form.sampling.people.values()]
    if votes:
        spread, places = len(real) - common, max(each - common, 0)
        wanted.append(math.ceil(spread * votes / places) if spread and places else votes)
    if real and wanted:
        people = min(wanted)
        answers = people * (each + (form.repeat.items if form.repeat else 0))
        hours = people * form.study.minutes / HOUR if form.study.minutes else None
        pay = people * form.pay.amount if form.pay else None
    currency = form.pay.currency if form.pay else ""
    return StudySize(len(real), people, answers, hours, pay, currency)


def quota_mismatches(form: Form) -> Iterator[str]:
    """Where quotas per item and the number of people wanted in all do not fit each other.

    With too few people items stay short of their quota; with too many, the last ones get no items.
    """
    sampling = form.sampling
    real = [item for item in form.items if item.kind == "real"]
    items = sum(not item.common for item in real)
    each = (sampling.each or len(real)) - (len(real) - items)
    if not sampling.quotas or items <= 0 or each <= 0:
        return
    for answer, people in sampling.people.get(sampling.stratum, {}).items():
        quota = sampling.quotas.get(answer, 0)
        needed = math.ceil(items * quota / each)
        if people != needed:
            yield (
                f"{sampling.stratum}, {answer}: {counted(people, 'people')} in all, "
                f"but a quota of {quota:,} per item needs {needed:,} "
                f"({counted(items, 'items')} × {quota:,} / {each:,} per person)"
            )
