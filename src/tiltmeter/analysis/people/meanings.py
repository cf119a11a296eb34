"""What the numbers of an alignment with people mean."""

from tiltmeter.core.results import Meaning

POOLED, MEAN, OWN = "kendall_tau", "mean_kendall_tau", "own_less_other_groups"
SPLIT, REACH, PERSON = "split_half", "reachable", "one_person"
"""Ends of names: what people reach with each other, found in three ways."""
DIFFERENCE, BETWEEN = "difference", "between"
"""Ends of names: two matrices held against the same people, and against each other."""
PRECISION = "precision_at_"
_TAU, _GROUPS = "no relation", "groups"


def precision_name(k: int) -> str:
    """The name of precision at k among estimates."""
    return f"{PRECISION}{k}"


_BASE = {
    POOLED: Meaning("Kendall’s τ, all cells", "τ, all cells", counts="cells", neutral_is=_TAU),
    MEAN: Meaning("Kendall’s τ, mean over groups", "mean τ", counts=_GROUPS, neutral_is=_TAU),
    OWN: Meaning(
        "τ with a group’s own ratings less τ with other groups’", "own less others’",
        counts=_GROUPS, neutral_is="no difference",
    ),
}  # fmt: skip


def meaning_of(name: str) -> Meaning:
    """Of an estimate of this name.

    >>> meaning_of("precision_at_3").title, meaning_of("kendall_tau_between").title
    ('Precision at 3', 'τ between the two, all cells')
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
        return Meaning(f"τ between the two, {over}", counts=meaning.counts, neutral_is=_TAU)
    if what:
        title = f"{meaning.title}: {how_of(what)}"
        return Meaning(title, role="description", counts=meaning.counts,
                       neutral_is=meaning.neutral_is)  # fmt: skip
    return meaning


def how_of(kind: str) -> str:
    """How it was found what people reach with each other."""
    return {
        SPLIT: "two random halves of the people",
        REACH: "estimated for the mean of very many such people",
        PERSON: "one person with the mean of the others",
    }[kind]


def _precision(name: str) -> Meaning:
    k = name.removeprefix(PRECISION)
    return Meaning(f"Precision at {k}", f"P@{k}", counts=_GROUPS, neutral_is="a random order")
