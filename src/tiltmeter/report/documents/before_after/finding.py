"""What changed between a model before and after, in sentences."""

from collections import Counter
from collections.abc import Sequence

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part, Scores
from tiltmeter.core.results import Estimate
from tiltmeter.core.views import Matrix
from tiltmeter.report.text import (
    NO_LABELS,
    Labels,
    axis_title,
    final_p,
    lowered,
    neutral_text,
    neutral_words,
    number,
    p_text,
    short_title,
    subset,
    with_unit,
)

NAMED = 6
"""Significant groups that a sentence names; of more it gives the number."""
DECIMALS = {"standard deviations": 2, "bits": 3}
"""Of units in which all numbers of a table are of one size."""
WAYS = {"nearer": "closer", "farther": "farther", "same": "same", "": ""}
"""As a cell of a table."""
FROM = {"nearer": "closer to", "farther": "farther from", "same": "at the same distance from"}


def finding(made: BeforeAfter) -> list[str]:
    """What happened, the most important first: leanings over all items, then the cost."""
    others = [part for part in made.parts if part.leanings and part.overall is None]
    return [_headline(made), *(_by_group(part) for part in others), cost(made)]


def _headline(made: BeforeAfter) -> str:
    known = [p.overall for p in made.parts if p.overall is not None and p.overall.way]
    done = f" ({made.done})" if made.done else ""
    who = f"{made.after}{done} compared with {made.before}"
    if not known:
        return f"{who}: see each group, since no study here has one number for all items."
    counts = Counter(str(change.way) for change in known)
    first, *rest = (way for way in FROM if counts[way])
    among = f"{counts[first]} of {len(known)} studies" if len(known) > 1 else known[0].before.study
    ways = [f"{FROM[first]} neutral in {among}", *(f"{WAYS[way]} in {counts[way]}" for way in rest)]
    studies = [c.difference.study for c in known if c.difference.significant]
    if studies and len(known) > 1:
        change = f"Significant change in {', '.join(studies)}"
    elif len(known) > 1:
        change = "No significant change in any of them"
    else:
        change = f"{significance(known[0].difference).capitalize() or 'Not tested'}"
    return f"{who}: {', '.join(ways)}. {change}."


def _by_group(part: Part) -> str:
    """What happened in the first kind of groups of a study without a number over all items."""
    axis, rows = next(iter(by_axis(part).items()))
    return (
        f"{part.study} has no number for all items. {over_groups(axis, rows, part.before.labels)}"
    )


def significance(difference: Estimate) -> str:
    """Whether a change is significant, with its p; "" where neither an interval nor a test says.

    >>> significance(Estimate("d", 1.0, -1.0, 3.0, 0.548, 9, 0.0, "%"))
    'no significant change (p = 0.548)'
    """
    sure, p = difference.significant, final_p(difference)
    if sure is None:
        return ""
    test = "" if p is None else f" (p = {p_text(p)})"
    return f"{'' if sure else 'no '}significant change{test}"


def cost(made: BeforeAfter) -> str:
    """What it cost, as a sentence: the first measure of cost of each study."""
    found = [part.costs[0] for part in made.parts if part.costs]
    if not found:
        return (
            "The cost is not known: none of these studies measures how well the model handles the language "
            "itself."
        )
    return f"Cost: {'; '.join(map(_one_cost, found))}."


def _one_cost(change: Change) -> str:
    e, name = change.difference, lowered(called(change))
    if e.value is None:
        return f"{name} undefined ({e.why})"
    ends, sure = interval(e), significance(e)
    inside = f" ({ends})" if ends else ""
    return f"{name} {moved(change)}{inside}{f', {sure}' if sure else ''}"


def called(change: Change) -> str:
    """The short name of what changed."""
    e = change.before
    return short_title(e)


def is_ratio(difference: Estimate) -> bool:
    """Whether the change is the value after divided by the value before."""
    return difference.neutral == 1


def moved(change: Change, *, unit: bool = True) -> str:
    """The change with its sign: a ratio as a percentage of what it was.

    Points are named only with `unit`.
    """
    e = change.difference
    if e.value is None:
        return "undefined"
    if is_ratio(e):
        return signed(100 * (e.value - 1), "%") + "\u00a0%"
    points = unit and e.unit == "percentage points"
    return f"{signed(e.value, e.unit)}\u00a0points" if points else signed(e.value, e.unit)


def interval(difference: Estimate) -> str:
    """The interval of a change, of a ratio in percent; "" where there is none."""
    if difference.low is None or difference.high is None:
        return ""
    ends = [difference.low, difference.high]
    if is_ratio(difference):
        return " to ".join(signed(100 * (end - 1), "%") for end in ends)
    return " to ".join(signed(end, difference.unit) for end in ends)


def figure(value: float, unit: str = "") -> str:
    """As everywhere, except for units in which all numbers of a table are of one size.

    >>> figure(0.97249, "standard deviations"), figure(0.0016631, "bits")
    ('0.97', '0.002')
    """
    if unit not in DECIMALS:
        return number(value, unit)
    return f"{value:z.{DECIMALS[unit]}f}".replace("-", "−")  # z: no minus before zeros


def signed(value: float, unit: str = "") -> str:
    """The number with its sign; 0 has none.

    >>> signed(1.25, "%"), signed(-0.5), signed(0.0)
    ('+1.2', '−0.500', '0')
    """
    text = figure(value, unit)
    zero = not any(digit in text for digit in "123456789")
    return text if zero or text.startswith("−") else f"+{text}"


def towards(change: Change) -> str:
    """Closer to the neutral value, or farther from it, and whether it passed it."""
    return f"{WAYS[change.way]}, crossed" if change.crossed else WAYS[change.way]


def by_axis(part: Part) -> dict[str, list[Change]]:
    """Changes of groups, by what the groups are."""
    found: dict[str, list[Change]] = {}
    for change in part.leanings:
        if change.difference.groups:
            axis = " × ".join(map(axis_title, change.difference.groups))
            found.setdefault(axis, []).append(change)
    return found


def summaries(part: Part) -> list[str]:
    """What happened in one study: over all items, in groups, and in the cells of a matrix."""
    head = part.overall
    overall = [] if head is None else [_over_all(head)]
    groups = (over_groups(axis, rows, part.before.labels) for axis, rows in by_axis(part).items())
    return [*overall, *groups, *_cells(part)]


def _cells(part: Part) -> list[str]:
    changed, of = part.cells
    if not of:
        return []
    matrix = next((view for view in part.before.views if isinstance(view, Matrix)), None)
    what = f" ({axis_title(matrix.rows)} × {axis_title(matrix.columns)})" if matrix else ""
    said = f"{changed:,} of {of:,} cells{what} changed significantly (Benjamini–Hochberg)"
    return [f"{said}; tiltmeter compare lists them."]


def _over_all(head: Change) -> str:
    if not head.way:
        return f"Over all items: undefined ({head.before.why or head.after.why or head.difference.why})."
    was, is_ = (with_unit(x.value or 0.0, x.unit) for x in (head.before, head.after))
    neutral = f"{neutral_words(head.before)} ({neutral_text(head.before)})"
    side = ", on the other side" if head.crossed else ""
    known = significance(head.difference)
    return (
        f"Over all items: {was} before, {is_} after, {FROM[head.way]} {neutral}{side}"
        f"{f'; {known}' if known else ''}."
    )


def over_groups(axis: str, rows: Sequence[Change], labels: Labels = NO_LABELS) -> str:
    """How many groups are closer and farther, and which changes are significant."""
    nearer, farther = (sum(c.way == way for c in rows) for way in ("nearer", "farther"))
    said = f"By {axis}: {nearer} of {len(rows)} closer, {farther} farther"
    if all(c.difference.significant is None for c in rows):
        return f"{said}."
    how = "" if any(c.difference.p is not None for c in rows) else " (the interval excludes 0)"
    clear = [c for c in rows if c.difference.significant]
    if not clear:
        how = "" if not how else " (every interval contains 0)"
        return f"{said}; no significant change{how}."
    if len(clear) > NAMED:
        return f"{said}; {len(clear)} significant changes{how}."
    listed = ", ".join(
        f"{subset(c.difference.groups, labels, with_axis=False)} ({towards(c)})" for c in clear
    )
    return f"{said}; significant change{'s' if len(clear) > 1 else ''}{how}: {listed}."


def t_test(scores: Scores) -> str:
    """The published t-test, and why it is not ours."""
    if scores.test is None:
        return f"elsafoury2023: no t-test ({scores.why})."
    t, freedom, p = scores.test
    return (
        f"elsafoury2023: t-test of the {scores.groups} scores by {axis_title(scores.axis)} before against "
        f"those after, as independent samples: t = {signed(t)}, {freedom} degrees of freedom, "
        f"p = {p_text(p)}. The scores are not independent, and the number of items behind each is ignored."
    )
