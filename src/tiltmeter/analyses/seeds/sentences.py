"""What seeds says: how many seeds, the means with both intervals, and differences of sets."""

from collections.abc import Iterator, Sequence

from tiltmeter.analyses.seeds.seed_means import AXIS, OVER_SEEDS, SD
from tiltmeter.analyses.seeds.set_differences import DIFFERENCE
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted
from tiltmeter.report.text import (
    bare_value,
    change_with_unit,
    lowered,
    sentence_end,
    span,
    title,
    value_with_unit,
)

MOST = 4
"""So many sets have a sentence each; of more the lowest and the highest are named."""


def sentences(numbers: Numbers, trainings: Quantity) -> list[Paragraph]:
    """The finding about the first measure that is shown."""
    name = numbers.card.settings["measures"].split(", ")[0]
    count = numbers[trainings]
    of_data = [e for e in numbers.all(name) if [*e.groups] == [AXIS] and e.value is not None]
    whole = of_data or [e for e in numbers.all(name) if not e.groups and e.value is not None]
    what, sets = ("trainings", "classifiers") if of_data else ("seeds", "models")
    texts = [
        f"{counted(int(count.value or 0), what)} of {counted(count.n, sets)}, averaged over seeds."
    ]
    for data in dict.fromkeys(e.groups.get(AXIS, "") for e in whole):
        means = sorted(
            (e for e in whole if e.groups.get(AXIS, "") == data), key=lambda e: e.value or 0.0
        )
        texts += (
            [_range(numbers, data, means)] if data or len(means) > MOST else _each(numbers, means)
        )
    others = [e for e in numbers.all(OVER_SEEDS.format(name)) if [*e.groups] == [AXIS]]
    if others and not any(e.low is not None for e in others):
        why = others[0].why
        texts.append(sentence_end(f"{why[:1].upper()}{why[1:]}"))
    texts += _differences(numbers, DIFFERENCE.format(name))
    return paragraphs(texts)


def _range(numbers: Numbers, data: str, means: Sequence[Estimate]) -> str:
    """The lowest and the highest mean."""
    ends = [
        f"{value_with_unit(e)}{_deviation(numbers, e)} ({e.model})"
        for e in (means if len(means) == 1 else (means[0], means[-1]))
    ]
    where = f", {data}" if data else ""
    return f"{title(means[0])}{where}: {' to '.join(ends)}."


def _each(numbers: Numbers, means: Sequence[Estimate]) -> Iterator[str]:
    """A sentence for each set, with both intervals."""
    for e in means:
        value = f"{e.model}: {lowered(title(e))} {value_with_unit(e)}{_deviation(numbers, e)}"
        yield f"{value}{_both(numbers, e)}."


def _both(numbers: Numbers, these: Estimate) -> str:
    """Both intervals of a mean or of a difference, or why there is none about other seeds."""
    other = next(
        (e for e in numbers.all(OVER_SEEDS.format(these.name))
         if (e.model, e.groups) == (these.model, these.groups)), None,
    )  # fmt: skip
    mine, theirs = span(these), span(other) if other else ""
    texts = [f"95\u00a0% interval in these seeds {mine}"] if mine else []
    if theirs:
        texts.append(f"in seeds like these {theirs}")
    elif other is not None and other.why:
        texts.append(other.why.rpartition("; ")[2])
    return f"; {'; '.join(texts)}" if texts else ""


def _deviation(numbers: Numbers, mean: Estimate) -> str:
    sd = next(
        (
            e
            for e in numbers.all(SD.format(mean.name))
            if (e.model, e.groups) == (mean.model, mean.groups)
        ),
        None,
    )
    return "" if sd is None or sd.value is None else f" ± {bare_value(sd)}"


def _differences(numbers: Numbers, name: str) -> Iterator[str]:
    for e in numbers.all(name):
        sure = e.significant
        told = (
            "" if sure is None else f"{'' if sure else 'no '}significant difference in these seeds"
        )
        other = next((o for o in numbers.all(OVER_SEEDS.format(name)) if o.model == e.model), None)
        of_others = None if other is None else other.significant
        if of_others is not None:
            told += (
                f", {'a significant' if of_others else 'no significant'} one in seeds like these"
            )
        value = f"{e.model}: {lowered(title(e))} {change_with_unit(e)}"
        yield f"{value}{_both(numbers, e)}{f': {told}' if told else ''}."
