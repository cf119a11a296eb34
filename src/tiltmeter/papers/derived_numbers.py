"""Derived numbers of a paper: correlations, means, sums and counts of numbers that are there already.

A number over models, or any other axis, is compared with the printed one only if it is made of all that the
paper's is made of: otherwise it stands beside. It says over how many it is, and has no interval.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.data.published import PrintedNumber
from tiltmeter.derived.run_tables.run_table_layout import Key, Placed
from tiltmeter.papers.cells import Derived, reason_at
from tiltmeter.papers.derivations import CORRELATIONS, DerivedNumber, NumberSource
from tiltmeter.papers.item_places import ANY, printed_numbers
from tiltmeter.papers.number_sources import DerivationInputs, SourceNumber, absence, numbers_of
from tiltmeter.papers.paper_file import PaperItem, Remark, cited
from tiltmeter.papers.sources import UNASKED
from tiltmeter.stats.correlations.correlation import spearman
from tiltmeter.stats.correlations.pearson import pearson

QUANTITIES: Mapping[str, Quantity] = {
    "number": quantity("number", "Number"),
    "count": quantity("count", "Count", decimals=0),
    "share": quantity("share_of_numbers", "Share", unit="%"),
    "sum": quantity("sum", "Sum"),
    "mean": quantity("mean", "Mean"),
    "highest": quantity("highest", "Highest"),
    "pearson": quantity("pearson", "Pearson’s correlation", "r", decimals=3),
    "spearman": quantity("spearman", "Spearman’s rank correlation", "ρ", decimals=3),
}
KEEP_UNIT = {"number", "sum", "mean", "highest"}
LISTED = 9
"""How many missing points a reason lists."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A derived number, and over what it is."""

    derived: Derived
    at: Mapping[str, str]
    """The value that the number has on each axis, by which a table places it."""
    absent: str = ""
    """Why nothing is here from which it could be made."""
    made_of: str = ""
    """ "over 9 models, of the printed numbers of Table 4"; "" of a number that is taken over as it is."""


class _Taken(NamedTuple):
    """The values of a series from which a number is made."""

    values: Mapping[Key, float]
    whose: str
    """Whose numbers of an item they are: "our numbers"."""
    unlike: str = ""
    """Why they are of another quantity than the printed ones."""


@dataclass(slots=True)
class _Series:
    """The numbers of a source at one value of its axes, by their place along the axes of the points."""

    source: NumberSource
    at: Mapping[str, str]
    numbers: dict[Key, SourceNumber] = field(default_factory=dict)

    def needed(self, number: DerivedNumber) -> list[Key] | None:
        """The points that the paper's own number has; None where nothing says which."""
        if self.source.item:
            printed = [key for key, n in self.numbers.items() if n.printed is not None]
            return printed or None
        where = self.source.where
        values = [where.get(axis, (ANY,)) for axis in number.over]
        if not values or any(ANY in some for some in values):
            return None
        return [*product(*values)]


def derivations(
    item: PaperItem, inputs: DerivationInputs, lacking: Sequence[Remark]
) -> list[Derivation]:
    """The derived numbers of an item.

    Args:
        item: Of the paper.
        inputs: What its numbers are derived from.
        lacking: Why some of what it needs is not there, by coordinates.

    Raises:
        BadInput: Two numbers are at one point, or a table of data cannot be used.
    """
    printed = [*printed_numbers(item)]
    return [
        derivation
        for number in item.derived
        for derivation in _of_declaration(item, number, inputs, lacking, printed)
    ]


def notes_on(derivations: Sequence[Derivation]) -> list[str]:
    """What the numbers are, over how many, and from whose numbers: a sentence for each kind of them."""
    sentences = []
    for each in derivations:
        if each.absent:
            sentences.append(f"Not here: {each.absent}.")
        e = each.derived.placed.estimate
        if each.made_of and e.value is not None:
            sentences.append(f"{e.meaning.title} {each.made_of}.")
        elif each.made_of and e.n:
            where = ", ".join(filter(None, (*each.at.values(), e.meaning.title)))
            sentences.append(f"{where} {each.made_of}: {e.why}.")
    return [*dict.fromkeys(sentences)]


def _of_declaration(
    item: PaperItem,
    number: DerivedNumber,
    inputs: DerivationInputs,
    lacking: Sequence[Remark],
    printed: Sequence[PrintedNumber],
) -> Iterator[Derivation]:
    meant = [
        p
        for p in printed
        if all(p.at(axis) in {"", value} for axis, value in number.at.items())
        and all(p.at(axis) for axis in number.by)
    ]
    groups = [_series(item, number, source, inputs, meant) for source in number.of]
    for series in product(*groups):
        shared = {tuple(one.at.get(axis, "") for axis in number.by) for one in series}
        if len(shared) == 1 and (made := _derivation(number, series, lacking)):
            yield made


def _series(
    item: PaperItem,
    number: DerivedNumber,
    source: NumberSource,
    inputs: DerivationInputs,
    printed: Sequence[PrintedNumber],
) -> list[_Series]:
    """A series for each value of the axes along which there are several.

    Where the numbers are of no item, there is one for each number that the paper prints, and none for others.
    """
    axes = (*number.by, *source.by)

    def named(at: Callable[[str], str]) -> Key:
        return tuple(item.names.get(axis, {}).get(at(axis), at(axis)) for axis in axes)

    def without_model(key: Key) -> Key:
        return tuple(v for axis, v in zip(axes, key, strict=True) if axis not in {"model", "base"})

    keys = [] if source.item else [*dict.fromkeys(named(p.at) for p in printed)]
    keys = keys if axes else [()]
    known = {without_model(key) for key in keys}
    groups = {key: _Series(source, dict(zip(axes, key, strict=True))) for key in keys}
    for each in numbers_of(source, inputs, (*number.over, *axes)):
        key = named(lambda axis, each=each: each.places.get(axis, ""))  # type: ignore[misc]
        if known and without_model(key) not in known:
            continue
        group = groups.setdefault(key, _Series(source, dict(zip(axes, key, strict=True))))
        point = tuple(each.places.get(axis, "") for axis in number.over)
        if (other := group.numbers.get(point)) and other.folder != each.folder:
            continue  # of the other results, the first is taken, as in tables
        if other:
            at = ", ".join(filter(None, (*key, *point))) or "one place"
            raise BadInput(
                f"{item.name}: the {number.statistic} has two numbers for {at}",
                "name the axis in which they differ in over or by, or its value in where",
            )
        group.numbers[point] = each
    return [*groups.values()]


def _derivation(
    number: DerivedNumber, series: Sequence[_Series], lacking: Sequence[Remark]
) -> Derivation | None:
    """The number at one place; None where nothing says that there should be one."""
    needed = _needed(number, series)
    taken = [_taken(number, one, needed) for one in series]
    points = [key for key in taken[0].values if all(key in other.values for other in taken)]
    missing = [key for key in needed or () if key not in points]
    absent = next(filter(None, (absence(one.source) for one in series)), "")
    if not (points or missing or absent):
        return None
    value, why = None, absent or _missing(number, points, missing)
    if points:
        value, why = _computed(number, [[each.values[key] for key in points] for each in taken])
    beside = next((each.unlike for each in taken if each.unlike), "")
    if missing and points:
        beside = _missing(number, points, missing)
    units = {n.unit for one in series for n in one.numbers.values() if n.unit}
    estimate = QUANTITIES[number.statistic].at(value, n=len(points), why=why)
    if number.statistic in KEEP_UNIT and len(units) == 1:
        estimate = replace(estimate, unit=units.pop())
    needs_models = bool(missing) and all(
        _is_unasked(one, dict(zip(number.over, key, strict=True)), key, lacking)
        for one, each in zip(series, taken, strict=True)
        for key in missing
        if key not in each.values
    )
    at = {axis: value for one in series for axis, value in one.at.items()}
    at |= number.at
    placed = Placed(estimate, {"measure": "", "sample": "", **at})
    plain = number.statistic in {"number", "highest"}
    made_of = "" if plain else _made_of(number, len(points), taken)
    return Derivation(Derived(placed, beside, needs_models=needs_models), at, absent, made_of)


def _needed(number: DerivedNumber, series: Sequence[_Series]) -> list[Key] | None:
    """The points that the paper's own number has; None where whatever is here is taken."""
    if not number.complete:
        return None
    every = [needed for one in series if (needed := one.needed(number)) is not None]
    if not every:
        return None
    return [key for key in every[0] if all(key in other for other in every[1:])]


def _taken(number: DerivedNumber, series: _Series, needed: Sequence[Key] | None) -> _Taken:
    """The values of a series: ours, or the printed ones where ours are not all there and comparable."""
    numbers = {key: n for key, n in series.numbers.items() if needed is None or key in needed}
    ours = {key: n.ours for key, n in numbers.items() if n.ours is not None}
    unlike = next((numbers[key].why for key in ours if numbers[key].unlike), "")
    if number.printed and needed and (unlike or len(ours) < len(needed)):
        printed = {key: n.printed for key, n in numbers.items() if n.printed is not None}
        if len(printed) == len(needed):
            return _Taken(printed, "the printed numbers")
    return _Taken(ours, "our numbers", unlike)


def _computed(number: DerivedNumber, series: Sequence[Sequence[float]]) -> tuple[float | None, str]:
    """The value, or why there is none."""
    first = np.asarray(series[0], dtype=np.float64)
    try:
        if number.statistic in CORRELATIONS:
            correlation = pearson if number.statistic == "pearson" else spearman
            return correlation(first, np.asarray(series[1], dtype=np.float64)), ""
    except Undefined as undefined:
        return None, str(undefined)
    if number.statistic in {"count", "share"}:
        first = _counting(number, first).astype(np.float64)
    return _SINGLE[number.statistic](first), ""


def _counting(number: DerivedNumber, values: Array) -> npt.NDArray[np.bool_]:
    """Which numbers count."""
    if number.at_least is not None:
        return np.asarray(values >= number.at_least)
    if number.above is not None:
        return np.asarray(values > number.above)
    return np.asarray(values > 0) if number.of[0].contains else np.ones(len(values), dtype=np.bool_)


_SINGLE: Mapping[str, Callable[[Array], float]] = {
    "number": lambda values: float(values[0]),
    "count": lambda counts: float(counts.sum()),
    "share": lambda counts: 100 * float(counts.mean()),
    "sum": lambda values: float(values.sum()),
    "mean": lambda values: float(values.mean()),
    "highest": lambda values: float(values.max()),
}


def _missing(number: DerivedNumber, points: Sequence[Key], missing: Sequence[Key]) -> str:
    """Why a number is not the paper's: "8 of 9 models are here; missing: xlnet-large-cased"."""
    names = ", ".join(" ".join(filter(None, key)) for key in missing[:LISTED])
    more = f" and {len(missing) - LISTED:,} more" if len(missing) > LISTED else ""
    total = counted(len(points) + len(missing), _points(number))
    here = f"{len(points):,} of {total} are here" if points else f"none of {total} is here"
    return f"{here}; missing: {names}{more}"


def _points(number: DerivedNumber) -> str:
    """What the points are called, in the plural.

    >>> _points(DerivedNumber("mean", (), over=("model",)))
    'models'
    """
    axis = number.over[0] if len(number.over) == 1 else "point"
    return f"{axis.removesuffix('y')}ies" if axis.endswith("y") else f"{axis}s"


def _made_of(number: DerivedNumber, n: int, taken: Sequence[_Taken]) -> str:
    """Over how many a number is, and from whose numbers of which items."""
    items: dict[str, list[str]] = {}
    for source, each in zip(number.of, taken, strict=True):
        if source.item:
            items.setdefault(each.whose, []).append(cited(source.item))
    sources = " and ".join(
        f"{whose} of {' and '.join(dict.fromkeys(names))}" for whose, names in items.items()
    )
    over = f"over {counted(n, _points(number))}"
    return f"{over}, of {sources}" if sources else over


def _is_unasked(
    series: _Series, places: Mapping[str, str], key: Key, lacking: Sequence[Remark]
) -> bool:
    """Whether a point lacks only because a model of the paper was not run."""
    if key in series.numbers:
        return series.numbers[key].needs_models
    return not series.source.item and reason_at({**series.at, **places}, lacking).startswith(
        UNASKED
    )
