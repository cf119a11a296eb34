"""Which page a person is on, of all that may come: numbers that never go back while they answer.

Every page that may come is counted from the first page on: items that are not given out yet, repeated items,
and pages that depend on an answer. Who skips some moves on by several numbers at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tiltmeter.survey import flow
from tiltmeter.survey.form import FAMILIAR_PAGE, Form

Stage: TypeAlias = Literal["start", "training", "familiar", "items", "repeat", "end"]
_ROUNDS: dict[int, Stage] = {flow.TRAINING: "training", flow.FIRST: "items", flow.REPEAT: "repeat"}


@dataclass(frozen=True, slots=True)
class PageCount:
    """One page among all that may come; the first is number 1."""

    page: int
    pages: int
    """At most so many come, this one included."""

    @property
    def share(self) -> float:
        """The share of pages before this one, from 0 to less than 1."""
        return (self.page - 1) / self.pages


def stage_of(screen: flow.Screen) -> Stage:
    """The stage of a survey that a screen belongs to."""
    if screen.assigned is not None:
        return _ROUNDS[screen.assigned.round]
    if screen.page.name == FAMILIAR_PAGE:
        return "familiar"
    return "end" if screen.page.part == "end" else "start"


def pages_to_come(form: Form) -> dict[Stage, int]:
    """How many pages a person sees at most, by stage in the order in which these come.

    >>> from tiltmeter.survey.form_file import read_form
    >>> pages_to_come(read_form("group_traits"))["items"]  # 4 groups and 3 test questions
    7
    """
    real = sum(item.kind != "training" for item in form.items)
    items = min(form.sampling.each or real, real)
    of_item = len(form.part("item"))
    trained = sum(item.kind == "training" for item in form.items)
    repeated = min(form.repeat.items, items) if form.repeat else 0
    return {
        "start": len(form.part("start")) + len(form.comprehension.pages),
        "training": trained * len(form.part("training") or form.part("item")),
        "familiar": int(form.sampling.familiar > 0),
        "items": items * of_item + sum(check.after <= items for check in form.checks),
        "repeat": repeated * of_item,
        "end": len(form.part("end")) + bool(form.demographics.questions),
    }


def page_count(form: Form, screens: Sequence[flow.Screen], screen: flow.Screen) -> PageCount:
    """Which page a screen is.

    Args:
        form: Says how many pages may come.
        screens: All screens of the person so far, in order.
        screen: One of them, or one that the person does not have any more.
    """
    by_stage: dict[Stage, list[flow.Screen]] = {stage: [] for stage in pages_to_come(form)}
    for each in screens:
        by_stage[stage_of(each)].append(each)
    before, wanted, page = 0, stage_of(screen), 1
    for stage, count in pages_to_come(form).items():
        same = by_stage[stage]
        if stage == wanted:
            page = before + (same.index(screen) if screen in same else len(same)) + 1
        before += max(count, len(same))
    return PageCount(min(page, before), max(before, 1))
