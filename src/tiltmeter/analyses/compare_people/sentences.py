"""What compare-people says: of each matrix how far it agrees with people."""

from collections.abc import Iterator, Sequence

from tiltmeter.analyses.compare_people import profiles, quantities
from tiltmeter.analyses.compare_people.alignment import MATRIX
from tiltmeter.analyses.compare_people.quantities import POOLED, precision_at, split_half
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.core.views import NumberTable
from tiltmeter.report import text
from tiltmeter.report.documents.families import by_value
from tiltmeter.report.sentences import p_words

GROUPS = "groups"
"""The name of the view with a row for each group, whose axis the sentences name."""
ENDS = 3
"""How many groups are named as the closest and as the farthest."""


def words(numbers: Numbers) -> list[Paragraph]:
    """How far each matrix agrees with people, how certain that is, and how templates were chosen."""
    sources = numbers.card.sources
    texts: list[Paragraph] = []
    for source in sources:
        at = {MATRIX: source[MATRIX]} if len(sources) > 1 else {}
        texts += paragraphs((*_finding(numbers, source[MATRIX], at), _pilot(numbers, source, at)))
    data = numbers.card.data
    people = (
        f"People: {data['name']}: {counted(data['groups'], 'groups')}, "
        f"{counted(data['pairs of traits'], 'pairs of traits')}, answers from {data['answers from']}."
    )
    return [*texts, Paragraph(people, "note")]


def _finding(numbers: Numbers, name: str, at: Groups) -> Iterator[str]:
    """Sentences about one matrix, the headline first."""
    tau = numbers.get(POOLED, **at)
    assert tau is not None  # noqa: S101  (every alignment has one)
    if tau.value is None:
        why = text.why_undefined(tau)
        yield text.sentence_end(f"{name}: Kendall’s τ with what people say is undefined: {why}")
        return
    split = numbers.get(split_half(POOLED), **at)
    halves = (
        f" Two random halves of the people agree with each other with τ = {text.value_with_unit(split)}."
        if split and split.value is not None
        else ""
    )
    groups = _ranked(numbers, at)
    yield (
        f"{name} and the people agree with τ = {text.value_with_unit(tau)}{_bounds(tau)} on "
        f"{counted(len(groups), 'groups')}; 0 would be no relation, 1 the same order."
    )
    yield (
        f"{_verdict(tau)} Of two cells (a group and a pair of traits), the matrix and the people put "
        f"{50 * (1 + tau.value):.0f} of 100 in the same order, where 50 is chance (not counting "
        f"ties).{halves}"
    )
    yield _precision(numbers, at)
    yield _own(numbers, at)
    yield _closest_and_farthest(groups)


def _bounds(estimate: Estimate) -> str:
    inside = text.span(estimate)
    return f" ({text.level(estimate)} interval {inside})" if inside else ""


def _verdict(tau: Estimate) -> str:
    significant = tau.significant
    if significant is None:
        return "Without an interval or a test, nothing says whether this is more than chance."
    if not significant:
        return f"No significant relation{p_words(tau)}."
    way = "positive" if tau.value is not None and tau.value > 0 else "negative"
    return f"A significant {way} relation{p_words(tau)}."


def _precision(numbers: Numbers, at: Groups) -> str:
    k = int(numbers.card.settings["k"])
    precision = numbers.get(precision_at(k), **at)
    if precision is None or precision.value is None:
        why = text.why_undefined(precision) if precision else ""
        return f"Precision at {k} is undefined: {why}." if why else ""
    split = numbers.get(split_half(precision_at(k)), **at)
    halves = (
        f", and one half of the people against the other {100 * split.value:.0f}\u00a0%"
        if split and split.value is not None
        else ""
    )
    return (
        f"Precision at {k} is {text.value_with_unit(precision)}{_bounds(precision)}: of a group’s {k} "
        f"highest and {k} lowest pairs of traits, people put {100 * precision.value:.0f}\u00a0% on the same "
        f"side; a random order gets 50\u00a0% on average{halves}."
    )


def _own(numbers: Numbers, at: Groups) -> str:
    difference = numbers.get(quantities.OWN, **at)
    if difference is None or difference.value is None:
        return ""
    p = "" if difference.p is None else f", p = {text.p_text(difference.p)}"
    apart = f"(difference of τ {text.value_with_unit(difference)}{p})"
    if not difference.significant:
        return (
            "Whether the agreement is about the groups is open: a group’s scores do not fit its own ratings "
            f"significantly better than those of other groups {apart}."
        )
    better = "better" if difference.value > 0 else "worse"
    return (
        f"A group’s scores fit its own ratings significantly {better} than those of other groups "
        f"{apart}."
    )


def _axis(numbers: Numbers) -> str:
    """The axis whose values the table of groups lists, such as "region"."""
    tables = (v for v in numbers.card.views if isinstance(v, NumberTable) and v.name == GROUPS)
    return next(tables).rows[0]


def _ranked(numbers: Numbers, at: Groups) -> list[tuple[str, Estimate]]:
    """The groups with their τ, highest first, those without one last."""
    axis = _axis(numbers)
    taus = [e for e in numbers.all(POOLED, **at) if e.groups.keys() == {axis, *at}]
    return [(e.groups[axis], e) for e in by_value(taus)]


def _closest_and_farthest(groups: Sequence[tuple[str, Estimate]]) -> str:
    """Which groups are at either end; "" of few groups."""
    known = [(name, e) for name, e in groups if e.value is not None]
    if len(known) < 2 * ENDS:
        return ""

    closest, farthest = (
        ", ".join(f"{name} ({text.value_with_unit(e)})" for name, e in some)
        for some in (known[:ENDS], known[: -ENDS - 1 : -1])
    )
    return (
        f"Closest to people: {closest}. Farthest: {farthest}. With "
        f"{known[0][1].n} pairs a group, the order of groups is itself uncertain: see the intervals."
    )


def _pilot(numbers: Numbers, source: Groups, at: Groups) -> str:
    """How templates were chosen; "" where there are none."""
    tau, tried = numbers.get(quantities.PILOT_TAU, **at), numbers.get(quantities.TRIED, **at)
    templates = source.get("templates", "")
    if tau is None or tried is None or tried.value is None:
        return f"All {templates} templates are averaged; none was chosen." if templates else ""
    groups, chosen_templates = (
        [r for r in numbers.of_kind(kind) if r.groups[MATRIX] == source[MATRIX]]
        for kind in (profiles.PILOT_GROUP, profiles.CHOSEN_TEMPLATE)
    )
    most = max(int(record.scores["people"]) for record in groups)
    who = f"{most} people each, drawn at random" if most else "the means of all people"
    listed = " and ".join(f"“{record.item}”" for record in chosen_templates)
    averaged = next(
        e for e in numbers.all(POOLED, **at)
        if [value for axis, value in e.groups.items() if axis not in at] == ["all"]
    )  # fmt: skip
    is_reported = "reported on" in numbers.card.settings
    reported, same = (
        ("These groups are in all results, which overstates them", "same groups")
        if is_reported
        else ("These groups are left out of all other results", "same test groups")
    )
    return (
        f"Template{'s' if len(chosen_templates) > 1 else ''} {listed}: the best of {tried.value:,.0f} single "
        f"ones and pairs on {counted(len(groups), 'pilot groups')} "
        f"({', '.join(record.item for record in groups)}; {who}), τ = {text.value_with_unit(tau)} there. "
        f"{reported}: the best of so many overfits its pilot groups. On the {same}, the mean over all "
        f"{templates} templates has τ = {text.value_with_unit(averaged)}."
    )
