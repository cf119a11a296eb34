"""What an alignment with people has found, in sentences."""

from collections.abc import Sequence

from tiltmeter.analysis.people.alignment import Alignment
from tiltmeter.analysis.people.meanings import MEAN, OWN, POOLED, SPLIT, precision_name
from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.text import correlation, level, p_text, span, why_undefined

ENDS = 3
"""How many groups are named as the closest and as the farthest."""


def finding(one: Alignment, k: int) -> list[str]:
    """Sentences about one matrix, the headline first."""
    tau = one.find(POOLED)
    name = visible(one.source.name)
    assert tau is not None  # noqa: S101  (every alignment has one)
    if tau.value is None:
        return [f"{name}: Kendall’s τ with what people say is undefined: {why_undefined(tau)}."]
    split = one.find(f"{POOLED}_{SPLIT}")
    halves = (
        f" Two random halves of the people agree with each other by τ = {correlation(split.value)}."
        if split and split.value is not None
        else ""
    )
    headline = (
        f"{name} and the people agree with τ = {correlation(tau.value)}{_bounds(tau)} on "
        f"{len(one.groups)} groups; 0 would be no relation, 1 the same order."
    )
    size = (
        f"{_verdict(tau)} Of two cells (a group and a pair of traits), the matrix and the people put "
        f"{50 * (1 + tau.value):.0f} of 100 in the same order, where 50 is chance (ties apart).{halves}"
    )
    lines = [headline, size, _precision(one, k), _own(one)]
    return [line for line in lines if line]


def _bounds(estimate: Estimate) -> str:
    inside = span(estimate, show=correlation)
    return f" ({level(estimate)} interval {inside})" if inside else ""


def _verdict(tau: Estimate) -> str:
    p = "" if tau.p is None else f" (p = {p_text(tau.p)})"
    significant = tau.significant
    if significant is None:
        return "Without an interval or a test, nothing says whether this is more than chance."
    if not significant:
        return f"No significant relation{p}."
    way = "positive" if tau.value is not None and tau.value > 0 else "negative"
    return f"A significant {way} relation{p}."


def _precision(one: Alignment, k: int) -> str:
    found = one.find(precision_name(k))
    if found is None or found.value is None:
        return f"Precision at {k} is undefined: {why_undefined(found)}." if found else ""
    split = one.find(f"{precision_name(k)}_{SPLIT}")
    halves = (
        f", and one half of the people against the other {100 * split.value:.0f}\u00a0%"
        if split and split.value is not None
        else ""
    )
    return (
        f"Precision at {k} is {correlation(found.value)}{_bounds(found)}: of a group’s {k} highest and {k} "
        f"lowest pairs of traits, people put {100 * found.value:.0f}\u00a0% on the same side; a random order "
        f"gets 50\u00a0% on average{halves}."
    )


def _own(one: Alignment) -> str:
    found = one.find(OWN)
    if found is None or found.value is None:
        return ""
    p = "" if found.p is None else f", p = {p_text(found.p)}"
    apart = f"(difference of τ {correlation(found.value)}{p})"
    if not found.significant:
        return (
            "Whether the agreement is about the groups is open: a group’s scores do not fit its own ratings "
            f"significantly better than those of other groups {apart}."
        )
    better = "better" if found.value > 0 else "worse"
    return (
        f"A group’s scores fit its own ratings significantly {better} than those of other groups "
        f"{apart}."
    )


def pilot(one: Alignment) -> str:
    """How templates were chosen; "" where there are none."""
    made = one.pilot
    if made is None:
        if one.source.layers is None:
            return ""
        return f"All {len(one.source.templates)} templates are averaged; none was chosen."
    people = sorted(set(made.people))
    who = (
        "the means of all people" if people == [0] else f"{people[-1]} people each, drawn at random"
    )
    chosen = " and ".join(f"“{visible(name)}”" for name in made.templates)
    averaged = one.find(POOLED, one.all_templates)
    mean = correlation(averaged.value) if averaged and averaged.value is not None else ""
    pilots = f"{len(made.groups)} pilot group" + ("s" if len(made.groups) > 1 else "")
    return (
        f"Template{'s' if len(made.templates) > 1 else ''} {chosen}: the best of {made.tried:,} single "
        f"ones and pairs on {pilots} ({', '.join(map(visible, made.groups))}; "
        f"{who}), τ = {correlation(made.tau)} there. These groups are left out of all other results: the "
        f"best of so many fits its pilot too well. On the same test groups, the mean over all "
        f"{len(one.source.templates)} templates has τ = {mean}."
    )


def ranked(one: Alignment) -> list[Estimate]:
    """The groups' taus, highest first, those without one last."""
    axis = one.source.view.rows
    own = [e for e in one.estimates if e.name == POOLED and set(e.groups) == {axis}]
    return sorted(own, key=lambda e: (e.value is None, -(e.value or 0.0), e.groups[axis]))


def group_of(one: Alignment, estimate: Estimate) -> str:
    """The group that an estimate is about."""
    return estimate.groups[one.source.view.rows]


def closest_and_farthest(one: Alignment) -> str:
    """Which groups are at either end; "" of few groups."""
    known = [e for e in ranked(one) if e.value is not None]
    if len(known) < 2 * ENDS:
        return ""

    def named(some: Sequence[Estimate]) -> str:
        return ", ".join(
            f"{visible(group_of(one, e))} ({correlation(e.value or 0.0)})" for e in some
        )

    return (
        f"Closest to people: {named(known[:ENDS])}. Farthest: {named(known[: -ENDS - 1 : -1])}. With "
        f"{known[0].n} pairs a group, the order of groups is itself uncertain: see the intervals."
    )


def mean_tau(one: Alignment) -> Estimate | None:
    """The mean over groups."""
    return one.find(MEAN)
