"""What items says: whether the models differ, what it would take to tell, and which items to look at."""

from tiltmeter.analyses.items.benchmark_numbers import (
    DETECTABLE,
    ITEMS_NEEDED,
    PAIRS,
    RELIABILITY,
    SPREAD,
    few_models,
)
from tiltmeter.analyses.items.single_items import AGAINST, NEGATIVE, SAME
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted
from tiltmeter.report.text import lowered, span, title, value_with_unit

WEAK = 0.8
"""Below this reliability many call differences between single models untrustworthy."""


def words(numbers: Numbers) -> list[Paragraph]:
    """Pairs that differ and reliability, then what is needed, then the items."""
    return paragraphs([_headline(numbers), _precision(numbers), _items(numbers)])


def _headline(numbers: Numbers) -> str:
    apart, reliability = numbers[PAIRS], numbers[RELIABILITY]
    models = [e for e in numbers.all(numbers.card.settings["measure"]) if e.model]
    name = lowered(title(models[0]))
    on = f"on {counted(reliability.n, 'items')}"
    if reliability.clusters:
        on += f" in {counted(reliability.clusters, 'clusters')}"
    many = f"{apart.value:,.0f} of {counted(apart.n, 'pairs')} of {counted(len(models), 'models')}"
    if apart.n == 1:
        many = f"The two models {'differ' if apart.value else 'do not differ'} significantly"
        head = f"{many} in {name} {on}."
        return f"{head} {few_models(len(models))}"
    head = f"{many} differ significantly in {name} {on}"
    if reliability.value is None:
        return f"{head}. The reliability of the differences is undefined: {reliability.why}."
    ends = span(reliability)
    inside = f", 95\u00a0% interval {ends}" if ends else ""
    head = f"{head}; the reliability of the differences is {value_with_unit(reliability)}{inside}."
    if reliability.low is not None and reliability.low <= 0:
        return f"{head} All differences may be due to the choice of items."
    return head


def _precision(numbers: Numbers) -> str:
    measure = numbers.card.settings["measure"]
    detectable, sd = numbers[DETECTABLE.format(measure)], numbers[SPREAD.format(measure)]
    needed, reliability = numbers[ITEMS_NEEDED], numbers[RELIABILITY]
    log = " in the logarithm" if "(logarithm)" in detectable.meaning.title else ""
    text = (
        f"Two models must differ by {value_with_unit(detectable)}{log} for a test to find it 80 times in "
        f"100; the models’ values have a standard deviation of {value_with_unit(sd)}."
    )
    if needed.value is None or reliability.value is None or reliability.value >= WEAK:
        return text
    return f"{text} A reliability of .80 would take about {needed.value:,.0f} items like these."


def _items(numbers: Numbers) -> str:
    same, negative, against = numbers[SAME], numbers[NEGATIVE], numbers[AGAINST]
    some = f"{same.value:,.0f} of {counted(same.n, 'items')}" if same.value else "no item"
    text = f"All models agree on {some}."
    if negative.value is None:
        return text
    others = "the other " if same.value else ""
    sure = f"{against.value:,.0f} of them significantly" if against.value else "none significantly"
    return (
        f"{text} {negative.value:,.0f} of {others}{counted(negative.n, 'items')} "
        f"{'goes' if negative.value == 1 else 'go'} against the rest (item–rest correlation below 0), {sure}."
    )
