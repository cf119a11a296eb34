"""What before-after says of leanings, over all items and by group, and of the cost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tiltmeter.analyses.before_after.changes import Change, StudyChanges
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Paragraph
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted
from tiltmeter.report import text
from tiltmeter.report.documents.views.equivalence_table import equivalence_sentence
from tiltmeter.report.sentences import p_words

NAMED = 6
"""A sentence names at most so many significant groups; of more it gives the number."""
FROM = {"closer": "closer to", "farther": "farther from", "same": "at the same distance from"}
NO_COST = (
    "The cost is not known: none of these studies measures how well the model handles the language "
    "itself."
)


def words(numbers: Numbers) -> list[Paragraph]:
    """What happened, the most important first: leanings over all items, then the cost."""
    changes = [e for e in numbers.estimates if e.meaning.difference_of]
    leanings = [e for e in changes if _changed(e, numbers).meaning.role == "lean"]
    costs = [e for e in changes if _changed(e, numbers).meaning.role == "cost"]
    heads = _first_of_each([e for e in leanings if not e.groups and e.verdict])
    whole = {(e.study, e.rule) for e in leanings if not e.groups}
    others = _first_of_each([e for e in leanings if (e.study, e.rule) not in whole])
    texts = [_headline(numbers, heads)]
    for first in others:
        alike = (first.study, first.rule, first.name, first.groups.keys())
        rows = [e for e in leanings if (e.study, e.rule, e.name, e.groups.keys()) == alike]
        groups = _over_groups(rows, numbers.card.labels)
        texts.append(f"{first.study} has no number for all items. {groups}")
    listed = [_one_cost(text.short_title(_changed(e, numbers)), e) for e in _first_of_each(costs)]
    return paragraphs([*texts, f"Cost: {'; '.join(listed)}." if listed else NO_COST])


def _changed(e: Estimate, numbers: Numbers) -> Estimate:
    """A value of the measure that a change is about."""
    values = numbers.all(e.meaning.difference_of)
    return next(value for value in values if value.study == e.study and value.rule == e.rule)


def _first_of_each(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The first estimate of each study and rule."""
    first: dict[tuple[str, str], Estimate] = {}
    for e in estimates:
        first.setdefault((e.study, e.rule), e)
    return list(first.values())


def _headline(numbers: Numbers, heads: Sequence[Estimate]) -> str:
    settings = numbers.card.settings
    done = f" ({settings['done']})" if settings["done"] else ""
    who = f"{settings['after']}{done} compared with {settings['before']}"
    if not heads:
        return f"{who}: see each group, since no study here has one number for all items."
    counts = Counter(e.verdict.partition(",")[0] for e in heads)
    first, *rest = (way for way in FROM if counts[way])
    among = (
        f"{counts[first]} of {counted(len(heads), 'studies')}" if len(heads) > 1 else heads[0].study
    )
    ways = [f"{FROM[first]} neutral in {among}", *(f"{way} in {counts[way]}" for way in rest)]
    studies = [e.study for e in heads if e.significant]
    if studies and len(heads) > 1:
        change = f"Significant change in {', '.join(studies)}"
    elif len(heads) > 1:
        change = "No significant change in any of them"
    else:
        change = f"{significance(heads[0]).capitalize() or 'Not tested'}"
    return f"{who}: {', '.join(ways)}. {change}."


def significance(difference: Estimate) -> str:
    """Whether a change is significant, with its p; "" where neither an interval nor a test says.

    >>> significance(Estimate("d", 1.0, -1.0, 3.0, 0.548, 9, 0.0, "%"))
    'no significant change (p = 0.548)'
    """
    sure = difference.significant
    if sure is None:
        return ""
    return f"{'' if sure else 'no '}significant change{p_words(difference)}"


def _one_cost(measure: str, e: Estimate) -> str:
    name = text.lowered(measure)
    if e.value is None:
        return f"{name} undefined ({e.why})"
    ends, sure = text.change_span(e), significance(e)
    inside = f" ({ends})" if ends else ""
    within = _within(e)
    return f"{name} {text.change_with_unit(e)}{inside}{f', {sure}' if sure else ''}{within}"


def _within(e: Estimate) -> str:
    """Whether a cost is no worse than its margin allows, if it has one: ", not worse by more than 2 %"."""
    made = e.equivalence
    if made is None or not made.not_worse:
        return ""
    words = {"not worse": f"not worse by more than {made.margin}", "worse": "worse"}
    other = f"undecided whether worse by more than {made.margin}"
    return f", {words.get(made.not_worse, other)}"


def summaries(study: StudyChanges) -> list[str]:
    """What changed in one study: over all items, in groups, and in the cells of a matrix."""
    by_axes: dict[tuple[str, ...], list[Estimate]] = {}
    for change in study.leanings:
        e = change.difference
        if e.groups:
            by_axes.setdefault((*e.groups,), []).append(replace(e, verdict=change.verdict))
    return [
        *([] if study.overall is None else [_over_all(study.overall)]),
        *(_over_groups(rows, study.card.labels) for rows in by_axes.values()),
        *([] if study.cells is None else [_cells(study.cells, study.card)]),
    ]


def _cells(count: Estimate, card: Card) -> str:
    matrix = next((view for view in card.views if isinstance(view, Matrix)), None)
    what = (
        f" ({text.axis_title(matrix.rows)} × {text.axis_title(matrix.columns)})" if matrix else ""
    )
    return (
        f"{count.value:,.0f} of {counted(count.n, 'cells')}{what} changed significantly "
        "(Benjamini–Hochberg); "
        "tiltmeter compare lists them."
    )


def _over_all(head: Change) -> str:
    if not head.way:
        return f"Over all items: undefined ({head.before.why or head.after.why or head.difference.why})."
    was, is_ = text.value_with_unit(head.before), text.value_with_unit(head.after)
    neutral = f"{text.neutral_words(head.before)} ({text.neutral_text(head.before)})"
    side = ", on the other side" if head.crossed else ""
    known = significance(head.difference)
    return (
        f"Over all items: {was} before, {is_} after, {FROM[head.way]} {neutral}{side}"
        f"{f'; {known}' if known else ''}."
        f"{f' {within}' if (within := equivalence_sentence(head.difference)) else ''}"
    )


def _over_groups(rows: Sequence[Estimate], labels: text.Labels = text.NO_LABELS) -> str:
    """How many groups along the same axes moved closer and farther, and which changes are significant."""
    axis = " × ".join(map(text.axis_title, rows[0].groups))
    ways = Counter(e.verdict.partition(",")[0] for e in rows)
    counts = f"By {axis}: {ways['closer']} of {len(rows)} closer, {ways['farther']} farther"
    if all(e.significant is None for e in rows):
        return f"{counts}."
    tested = any(e.p is not None for e in rows)
    clear = [e for e in rows if e.significant]
    if not clear:
        return f"{counts}; no significant change{'' if tested else ' (every interval contains 0)'}."
    how = "" if tested else " (the interval excludes 0)"
    if len(clear) > NAMED:
        return f"{counts}; {counted(len(clear), 'significant changes')}{how}."
    listed = ", ".join(
        f"{text.subset(e.groups, labels, with_axis=False)} ({e.verdict})" for e in clear
    )
    return f"{counts}; significant change{'s' if len(clear) > 1 else ''}{how}: {listed}."


def t_test_summary(test: Estimate) -> str:
    """What the published t-test gives, and why it is not the test that counts here."""
    if test.value is None or test.p is None:
        return f"elsafoury2023: no t-test ({test.why})."
    return (
        f"elsafoury2023: t-test of the {test.n} scores by {text.axis_title(test.groups['axis'])} before "
        f"against those after, as independent samples: t = {text.change_text(test)}, {2 * test.n - 2} "
        f"degrees of freedom, p = {text.p_text(test.p)}. The scores are not independent, and the number of "
        "items behind each is ignored."
    )
