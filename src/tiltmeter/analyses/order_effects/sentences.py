"""What order_effects says: which orders make a difference, which do not, and of which too little is known."""

from collections.abc import Iterator

from tiltmeter.analyses.order_effects.effects import (
    ANSWER,
    DIFFERENCE,
    ENDS,
    FIRST_OPTION,
    FIRST_TEXT,
    ORDER,
    QUESTION,
)
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted
from tiltmeter.report.text import change_text, change_with_unit, number_of, p_text, span

ALPHA = 0.05


def sentences(numbers: Numbers) -> list[Paragraph]:
    """Each order over all questions, then the questions that differ."""
    overall = [e for e in (*numbers.all(DIFFERENCE.name), *numbers.all(FIRST_OPTION.name))
               if [*e.groups] == [ORDER]]  # fmt: skip
    texts = [_one(e) for e in overall]
    texts += _questions(numbers)
    return paragraphs(texts)


def _one(e: Estimate) -> str:
    what = {
        ENDS: "Answers with swapped ends, compared with the others",
        "first option": "The option in the first place, compared with chance",
    }.get(e.groups[ORDER], f"Answers by {e.groups[ORDER]}, for each place further down")
    if e.value is None:
        return f"{what}: undefined, {e.why}."
    value = f"{change_with_unit(e)} (95\u00a0% interval {span(e)})"
    if is_significant(e):
        return (
            f"{what}: {value}, a significant difference (adjusted p = {p_text(e.p_adjusted or 0)})."
        )
    return f"{what}: {value}, no significant difference; {_detectable(e)}."


def _detectable(e: Estimate) -> str:
    points = "\u00a0points" if e.unit == "percentage points" else ""
    smallest = "" if e.mde is None else number_of(e, e.mde)
    return f"differences of {smallest}{points} or more were detectable"


def is_significant(e: Estimate) -> bool:
    """Whether it is significant after adjustment."""
    return e.p_adjusted is not None and e.p_adjusted < ALPHA


def _questions(numbers: Numbers) -> Iterator[str]:
    """Which questions depend on an order by themselves."""
    single = [
        e
        for of in (DIFFERENCE, FIRST_TEXT, FIRST_OPTION)
        for e in numbers.all(of.name)
        if QUESTION in e.groups and e.p_adjusted is not None
    ]
    if not single:
        return
    differ = [e for e in single if is_significant(e)]
    tests = counted(len(single), "tests")
    if not differ:
        yield f"No single question differs significantly by an order ({tests}, adjusted)."
        return
    named = "; ".join(
        f"{e.groups[QUESTION]}"
        + (f" = {e.groups[ANSWER]}" if ANSWER in e.groups else "")
        + f", {e.groups.get(ORDER, 'first option')} ({change_text(e)})"
        for e in differ[:5]
    )
    more = f"; and {len(differ) - 5} more" if len(differ) > 5 else ""  # noqa: PLR2004
    yield f"Significant in {len(differ)} of {tests} of single questions: {named}{more}."
