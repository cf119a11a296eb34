"""An alignment with people in words, for the terminal and the page alike."""

from collections.abc import Sequence

from tiltmeter.analysis.people.alignment import ALL, Alignment, Alignments
from tiltmeter.analysis.people.alignment_numbers import MEAN, OWN, POOLED, precision_name
from tiltmeter.analysis.people.ceiling_numbers import PERSON, REACH, SPLIT
from tiltmeter.core.results import Estimate
from tiltmeter.report.wording import is_clear, p_text, visible

TITLES = {
    POOLED: "Kendall’s τ, all cells",
    MEAN: "Kendall’s τ, mean over groups",
    OWN: "τ with the group’s own people less τ with other groups’",
    f"{POOLED}_difference": "Difference of τ, all cells",
    f"{MEAN}_difference": "Difference of τ, mean over groups",
    f"{POOLED}_between": "τ between the two, all cells",
    f"{MEAN}_between": "τ between the two, mean over groups",
}
ENDS = 3
"""How many groups are named as nearest and as farthest."""


def title(name: str) -> str:
    """A measure's name as a person reads it.

    >>> title("precision_at_3"), title("kendall_tau_between")
    ('Precision at 3', 'τ between the two, all cells')
    """
    if name in TITLES:
        return TITLES[name]
    words = name.removesuffix("_difference").replace("_", " ")
    shown = words[:1].upper() + words[1:]
    return f"Difference of {words}" if name.endswith("_difference") else shown


SHORT = {
    TITLES[POOLED]: "τ, all cells",
    TITLES[MEAN]: "τ, mean over groups",
    TITLES[OWN]: "τ with own people less other groups’",
    "two random halves of the people": "halves of the people",
    "whoever knew the mean of endlessly many such people, estimated": "endlessly many people",
    "one person, with the mean of the others": "one person and the others",
}
"""How these are called where there is little room."""


def two(value: float | None) -> str:
    """Two decimals and a true minus sign: more says nothing of a correlation.

    >>> two(-0.004), two(0.1234), two(None)
    ('0.00', '0.12', '')
    """
    if value is None:
        return ""
    text = f"{value:.2f}"
    return ("0.00" if float(text) == 0 else text).replace("-", "−")


def ends(estimate: Estimate, between: str = " to ") -> str:
    """The interval with two decimals; "" where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = two(estimate.low), two(estimate.high)
    # A dash and a minus sign side by side are hard to tell apart.
    return low + (" to " if between == "–" and high.startswith("−") else between) + high


def finding(one: Alignment, k: int) -> list[str]:
    """What was found, in sentences, the headline first."""
    tau = one.find(POOLED)
    name = visible(one.source.name)
    assert tau is not None  # noqa: S101  (every alignment has one)
    if tau.value is None:
        return [f"{name}: Kendall’s τ with what people say is undefined: {tau.why}."]
    inside = f" (95 % interval {ends(tau)})" if ends(tau) else ""
    split = one.find(f"{POOLED}_{SPLIT}")
    halves = (
        f" Two random halves of the people agree with each other by τ = {two(split.value)}."
        if split and split.value is not None
        else ""
    )
    headline = (
        f"{name} and the people agree with τ = {two(tau.value)}{inside} on {len(one.groups)} groups; "
        "0 would be no relation, 1 the same order."
    )
    size = (
        f"{_verdict(tau)} Of two cells (a group and a pair of traits), the matrix and the people put "
        f"{50 * (1 + tau.value):.0f} of 100 in the same order, where 50 is chance (ties apart).{halves}"
    )
    told = [
        headline,
        size,
        _ends_sentence(one, k),
        _own_sentence(one),
    ]
    return [text for text in told if text]


def _verdict(estimate: Estimate) -> str:
    clear = is_clear(estimate)
    p = "" if estimate.p is None else f" (p = {p_text(estimate.p)})"
    if clear is None:
        return "Without an interval, nothing says whether this is more than chance."
    if not clear:
        return f"This cannot be told from no relation{p}."
    more = estimate.value is not None and estimate.value > 0
    way = "the same way" if more else "the opposite way"
    return f"They lean {way}, by more than chance explains{p}."


def _ends_sentence(one: Alignment, k: int) -> str:
    found = one.find(precision_name(k))
    if found is None or found.value is None:
        return f"Precision at {k} is undefined: {found.why}." if found else ""
    split = one.find(f"{precision_name(k)}_{SPLIT}")
    halves = (
        f", and one half of the people against the other {100 * split.value:.0f} %"
        if split and split.value is not None
        else ""
    )
    inside = f" (95 % interval {ends(found)})" if ends(found) else ""
    return (
        f"Precision at {k} is {two(found.value)}{inside}: of a group’s {k} highest and {k} lowest pairs "
        f"of traits, people put {100 * found.value:.0f} % on the same side; a random order gets 50 % on "
        f"average{halves}."
    )


def _own_sentence(one: Alignment) -> str:
    found = one.find(OWN)
    if found is None or found.value is None:
        return ""
    told = "" if found.p is None else f" (p = {p_text(found.p)})"
    if not is_clear(found):
        return (
            "It cannot be told whether the agreement is about the groups at all: what is said of a group "
            f"fits what people say of other groups about as well (difference of τ {two(found.value)}{told})."
        )
    better = "better" if found.value > 0 else "worse"
    return (
        f"What is said of a group fits what people say of that group {better} than what they say of "
        f"other groups, by {two(found.value)} of τ{told}."
    )


def pilot(one: Alignment) -> str:
    """How templates were chosen; "" where they were not."""
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
    every = next((e for e in one.estimates if e.name == POOLED and e.groups == ALL), None)
    pilots = f"{len(made.groups)} pilot group" + ("s" if len(made.groups) > 1 else "")
    return (
        f"Template{'s' if len(made.templates) > 1 else ''} {chosen}: the best of {made.tried:,} single "
        f"ones and pairs on {pilots} ({', '.join(map(visible, made.groups))}; "
        f"{who}), τ = {two(made.tau)} there. These groups are left out of all else here: the best of so "
        f"many fits its pilot too well. On the same test groups, the mean over all "
        f"{len(one.source.templates)} templates has τ = {two(every.value) if every else ''}."
    )


def ranked(one: Alignment) -> list[Estimate]:
    """The groups' taus, highest first, those without one last."""
    own = [e for e in one.estimates if e.name == POOLED and set(e.groups) == {"group"}]
    return sorted(own, key=lambda e: (e.value is None, -(e.value or 0.0), e.groups["group"]))


def nearest_and_farthest(one: Alignment) -> str:
    """Which groups are at either end."""
    known = [e for e in ranked(one) if e.value is not None]
    if len(known) < 2 * ENDS:
        return ""

    def named(some: Sequence[Estimate]) -> str:
        return ", ".join(f"{visible(e.groups['group'])} ({two(e.value)})" for e in some)

    return (
        f"Nearest to people: {named(known[:ENDS])}. Farthest: {named(known[: -ENDS - 1 : -1])}. With "
        f"{known[0].n} pairs a group, the order of groups is itself uncertain: see the intervals."
    )


def ceilings(one: Alignment, k: int) -> list[tuple[str, Estimate, str]]:
    """What to read the numbers beside: (which number, how far people get, how that was found)."""
    rows = [
        (POOLED, SPLIT, "two random halves of the people"),
        (POOLED, REACH, "whoever knew the mean of endlessly many such people, estimated"),
        (MEAN, SPLIT, "two random halves of the people"),
        (MEAN, REACH, "whoever knew the mean of endlessly many such people, estimated"),
        (MEAN, PERSON, "one person, with the mean of the others"),
        (precision_name(k), SPLIT, "two random halves of the people"),
        (precision_name(k), PERSON, "one person, with the mean of the others"),
    ]
    found = [(title(name), one.find(f"{name}_{kind}"), how) for name, kind, how in rows]
    return [(name, e, how) for name, e, how in found if e is not None and e.value is not None]


def settings(made: Alignments) -> dict[str, str]:
    """How it was asked."""
    wanted = made.wanted
    asked = "the usual groups" if wanted.pilot is None else ", ".join(wanted.pilot) or "none"
    return {
        "k": str(wanted.k),
        "pilot": asked,
        "seed": str(wanted.seed),
        "random splits": f"{wanted.splits:,}",
        **({"by": wanted.by} if wanted.by else {}),
    }
