"""Which numbers an item of a paper means, and whether what it names can occur."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tiltmeter.core.data.category_names import CATEGORY
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.typed_values import near_miss
from tiltmeter.core.study import Study
from tiltmeter.data.published import PrintedNumber, published
from tiltmeter.derived.run_tables.run_table import MADE, RUN
from tiltmeter.papers.derivations import Places
from tiltmeter.papers.paper_file import PaperItem

ANY = "*"
BY = "by"
"""The coordinate that says how a result came here: given, run, computed or stored."""
OF_PAPERS = ("base", BY, CATEGORY)
"""Coordinates that a paper's tables have besides those of other tables."""
MOST_LISTED = 20
"""Values of an axis in an error."""


def is_meant(value: str, values: Collection[str]) -> bool:
    """Whether it is one of the values; ANY stands for every value but the whole.

    >>> is_meant("women", ["men"]), is_meant("women", ["*"]), is_meant("", ["*"])
    (False, True, False)
    """
    return value in values or (bool(value) and ANY in values)


def agrees(places: Mapping[str, str], where: Places) -> bool:
    """Whether all that is known of a number agrees with what is meant."""
    return all(
        axis not in places or is_meant(places[axis], values) or (axis in RUN and not places[axis])
        for axis, values in where.items()
    )


def every_printed(item: PaperItem) -> list[PrintedNumber]:
    """The numbers of its published tables."""
    return [number for name in item.published for number in published(name).numbers]


def printed_numbers(item: PaperItem) -> Iterator[PrintedNumber]:
    """The numbers of its published tables that the item means."""
    for number in every_printed(item):
        measure = number.at("measure")
        is_measured = not (item.measures and measure) or measure in item.measures
        if is_measured and agrees(number.places, item.where):
            yield number


def check_where(
    item: PaperItem, places: Sequence[Callable[[str], str]], *, near: bool = False
) -> None:
    """Raise an error if no number is at one of the places that the item's `where` names.

    Args:
        item: Of the paper.
        places: For each number: its value on an axis, "" where it has none.
        near: Whether only what is spelt much like a value that there is is a mistake, as where numbers are
            still lacking.

    Raises:
        BadInput: None is at one of them.
    """
    for axis, values in item.where.items():
        _check_values(item, axis, values, {at(axis) for at in places}, near=near)


def _check_values(
    item: PaperItem, axis: str, values: Sequence[str], has: Collection[str], *, near: bool = False
) -> None:
    if any(is_meant(value, values) for value in has):
        return
    hint = near_miss(values[0], filter(None, has)) if values else ""
    if hint or not near:
        listed = ", ".join(sorted(filter(None, has))[:MOST_LISTED]) or "none"
        raise BadInput(
            f"{item.name}: where has {axis} = {', '.join(values)}, and no number is there",
            f"{hint}values of {axis}: {listed}",
        )


def check_printed(item: PaperItem) -> None:
    """Raise an error, before anything is computed, if the item's `where` leaves none of the printed numbers.

    Raises:
        BadInput: It leaves none.
    """
    numbers = every_printed(item)
    if numbers and not any(True for _ in printed_numbers(item)):
        check_where(item, [number.at for number in numbers])


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of the numbers of a paper's runs before they are there."""

    axes: Collection[str]
    measures: Collection[str]
    values: Mapping[str, Collection[str]]
    """All values that can occur, by axis of the data and by coordinate."""


def expected_numbers(
    studies: Sequence[Study[Any]], data: Iterable[Dataset[Any]], at: Iterable[Mapping[str, str]]
) -> Expected:
    """What numbers of these studies on these data can have, and the coordinates that a paper's file gives."""
    axes = {*RUN, *MADE, *OF_PAPERS, *(axis for places in at for axis in places)}
    values: dict[str, set[str]] = {}
    for dataset in data:
        for item in dataset.items:
            for axis, value in getattr(item, "groups", {}).items():
                values.setdefault(axis, set()).add(value)
    for study in studies:
        for measure in study.measures:
            axes.update(measure.at, *measure.over)
            axes |= {measure.contrast.axis} if measure.contrast else set()
            for axis, value in measure.at.items():
                values.setdefault(axis, set()).add(value)
    return Expected(axes | values.keys(), {m.name for s in studies for m in s.measures}, values)


def check_expected(item: PaperItem, expected: Expected) -> None:
    """Raise an error, before anything is computed, if an axis, measure or place of the item is misspelt.

    Only what is spelt much like something known is refused: not all is known yet that results will have.

    Raises:
        BadInput: One is.
    """
    numbers = every_printed(item)
    axes = {*expected.axes, *(axis for number in numbers for axis in number.places)}
    for axis in (*item.rows, *item.columns):
        _check_name(item, "no number has the axis", axis, axes)
    for axis in item.where:
        _check_name(item, "where names an axis that no number has:", axis, axes)
    measures = {*expected.measures, *(number.at("measure") for number in numbers)}
    for measure in item.measures:
        _check_name(item, "no number has the measure", measure, measures)
    for axis, meant in item.where.items():
        if axis in expected.values:
            has = {*expected.values[axis], *(number.at(axis) for number in numbers)}
            _check_values(item, axis, meant, has, near=True)


def _check_name(item: PaperItem, reason: str, name: str, known: Collection[str]) -> None:
    if name not in known and (hint := near_miss(name, known)):
        listed = ", ".join(sorted(known)[:MOST_LISTED])
        raise BadInput(f"{item.name}: {reason} {name!r}", f"{hint}known: {listed}")
