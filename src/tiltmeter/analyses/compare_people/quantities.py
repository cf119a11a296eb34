"""The numbers of an alignment with people: agreement, precision at k, what people reach."""

from dataclasses import replace

from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.derived.people.cell_means import RATERS

POOLED = quantity(
    "kendall_tau", "Kendall’s τ, all cells", "τ, all cells", counts="cells", neutral_is="no relation",
    decimals=2, least=-1, most=1, neutral=0.0,
)  # fmt: skip
MEAN = quantity(
    "mean_kendall_tau", "Kendall’s τ, mean over groups", "τ, mean over groups", counts="groups",
    neutral_is="no relation", decimals=2, least=-1, most=1, neutral=0.0,
)  # fmt: skip
OWN = quantity(
    "own_less_other_groups", "Kendall’s τ, own ratings minus other groups’", "τ, own minus others’",
    counts="groups", neutral_is="no difference", decimals=2, least=-2, most=2, neutral=0.0,
)  # fmt: skip
ALIGNED = quantity(
    "aligned_matrices", "Matrices in significant positive agreement with people", "aligned",
    counts="matrices", decimals=0,
)  # fmt: skip
PILOT_TAU = quantity(
    "pilot_kendall_tau", "Kendall’s τ of the chosen templates on the pilot groups", "τ on the pilot",
    counts="groups", decimals=2,
)  # fmt: skip
TRIED = quantity(
    "tried_templates", "Single templates and pairs of templates tried on the pilot", "tried",
    counts="choices", decimals=0,
)  # fmt: skip
TOP, BOTTOM = "top", "bottom"
"""The ends of a group's order: its highest pairs, and its lowest."""
_ENDS = {TOP: "highest", BOTTOM: "lowest"}


def precision_at(k: int) -> Quantity:
    """Precision at k; 1/2 is what a random order gives.

    >>> precision_at(3).name, precision_at(3).meaning.title
    ('precision_at_3', 'Precision at 3')
    """
    return quantity(
        f"precision_at_{k}", f"Precision at {k}", f"P@{k}", counts="groups", decimals=2, neutral=0.5,
        neutral_is="a random order", least=0, most=1,
    )  # fmt: skip


def end_precision(k: int, end: str) -> Quantity:
    """Precision at k of one end alone, TOP or BOTTOM: no value is neutral."""
    which = _ENDS[end]
    return quantity(
        f"precision_at_{k}_{end}", f"Precision of the {k} {which}", f"P@{k} {which}", counts="groups",
        decimals=2, least=0, most=1,
    )  # fmt: skip


def split_half(of: Quantity) -> Quantity:
    """What two random halves of the people reach with each other.

    >>> split_half(POOLED).name, split_half(POOLED).meaning.title
    ('kendall_tau_split_half', 'Halves of the people: τ, all cells')
    """
    return _of_people(of, "split_half", "Halves of the people")


def reachable(of: Quantity) -> Quantity:
    """What the mean of very many such people is estimated to reach."""
    return _of_people(of, "reachable", "Very many people (estimated)")


def one_person(of: Quantity) -> Quantity:
    """What one person reaches with the mean of the others."""
    return _of_people(of, "one_person", "One person and the others")


def _of_people(of: Quantity, name: str, who: str) -> Quantity:
    meaning = replace(of.meaning, title=f"{who}: {of.meaning.short}", short="")
    return replace(of, name=f"{of.name}_{name}", meaning=meaning)


def difference(of: Quantity) -> Quantity:
    """The first of two matrices less the second, with the same people."""
    plain = of.meaning.title.removeprefix("Kendall’s ")
    meaning = replace(
        of.meaning, title=f"Difference of {plain[:1].lower()}{plain[1:]}", short="",
        neutral_is="no difference",
    ).of_difference(of.meaning, of.unit)  # fmt: skip
    return replace(of, name=f"{of.name}_difference", meaning=meaning, neutral=0.0)


def between(of: Quantity) -> Quantity:
    """τ of two matrices with each other, whatever people say."""
    over = of.meaning.title.partition(", ")[2]
    meaning = replace(of.meaning, title=f"Kendall’s τ between the two, {over}", short="")
    return replace(of, name=f"{of.name}_between", meaning=meaning)


def ends(k: int) -> tuple[Quantity, Quantity]:
    """Precision of a group's highest pairs, and of its lowest."""
    return end_precision(k, TOP), end_precision(k, BOTTOM)


def of_one(k: int) -> tuple[Quantity, ...]:
    """Agreement of a matrix with people over all groups."""
    return POOLED, MEAN, precision_at(k), *ends(k), OWN


def reached(k: int) -> tuple[Quantity, ...]:
    """What people reach with each other over all groups."""
    return (
        split_half(POOLED), reachable(POOLED), split_half(MEAN), reachable(MEAN), one_person(MEAN),
        split_half(precision_at(k)), one_person(precision_at(k)),
    )  # fmt: skip


def of_two(k: int) -> tuple[Quantity, ...]:
    """How far two matrices differ in agreement with people, and how far they agree with each other."""
    differences = (difference(of) for of in (POOLED, MEAN, precision_at(k)))
    return *differences, between(POOLED), between(MEAN)


def every(k: int) -> tuple[Quantity, ...]:
    """All numbers of a matrix, of people and of two matrices; also of single groups."""
    return *of_one(k), RATERS, PILOT_TAU, TRIED, *reached(k), one_person(POOLED), *of_two(k)
