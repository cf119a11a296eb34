"""What the numbers of an alignment with people mean."""

from tiltmeter.core.results import Meaning

POOLED, MEAN, OWN = "kendall_tau", "mean_kendall_tau", "own_less_other_groups"
SPLIT, REACH, PERSON = "split_half", "reachable", "one_person"
"""Ends of names: what people reach with each other, found in three ways."""
DIFFERENCE, BETWEEN = "difference", "between"
"""Ends of names: two matrices held against the same people, and against each other."""
PRECISION = "precision_at_"
TOP, BOTTOM = "top", "bottom"
"""Ends of names: precision of a group's highest pairs alone, and of its lowest."""
_TAU, _GROUPS = "no relation", "groups"


def precision_name(k: int) -> str:
    """The name of precision at k among estimates."""
    return f"{PRECISION}{k}"


def end_name(k: int, end: str) -> str:
    """The name of precision at k of one end alone, TOP or BOTTOM."""
    return f"{precision_name(k)}_{end}"


_BASE = {
    POOLED: Meaning("Kendall’s τ, all cells", "τ, all cells", counts="cells", neutral_is=_TAU),
    MEAN: Meaning("Kendall’s τ, mean over groups", "τ, mean over groups", counts=_GROUPS, neutral_is=_TAU),
    OWN: Meaning(
        "Kendall’s τ, own ratings less other groups’", "τ, own less others’",
        counts=_GROUPS, neutral_is="no difference",
    ),
}  # fmt: skip


def meaning_of(name: str) -> Meaning:
    """Of an estimate of this name.

    >>> meaning_of("precision_at_3").title, meaning_of("kendall_tau_between").title
    ('Precision at 3', 'Kendall’s τ between the two, all cells')
    """
    base, what = name, ""
    for end in (SPLIT, REACH, PERSON, DIFFERENCE, BETWEEN):
        if name.endswith(f"_{end}"):
            base, what = name.removesuffix(f"_{end}"), end
    meaning = _BASE.get(base) or _precision(base)
    if what == DIFFERENCE:
        over = meaning.title.removeprefix("Kendall’s ")
        title = f"Difference of {over[:1].lower()}{over[1:]}"
        return Meaning(title, counts=meaning.counts, neutral_is="no difference")
    if what == BETWEEN:
        over = meaning.title.partition(", ")[2]
        return Meaning(
            f"Kendall’s τ between the two, {over}", counts=meaning.counts, neutral_is=_TAU
        )
    if what:
        how, in_short = _HOW[what]
        return Meaning(
            f"{meaning.title}: {how}", f"{meaning.short}: {in_short}", "description",
            meaning.counts, neutral_is=meaning.neutral_is,
        )  # fmt: skip
    return meaning


_HOW = {
    SPLIT: ("two random halves of the people", "halves of the people"),
    REACH: ("estimated for the mean of very many such people", "very many people, estimated"),
    PERSON: ("one person with the mean of the others", "one person and the others"),
}
"""How it was found what people reach with each other, at length and in short."""


def _precision(name: str) -> Meaning:
    k, _, end = name.removeprefix(PRECISION).partition("_")
    if end:
        which = {TOP: "highest", BOTTOM: "lowest"}[end]
        return Meaning(f"Precision of the {k} {which}", f"P@{k} {which}", "description", _GROUPS)
    return Meaning(f"Precision at {k}", f"P@{k}", counts=_GROUPS, neutral_is="a random order")
