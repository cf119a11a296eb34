"""A model before and after, in words. The same words stand in the terminal and on the page."""

from collections import Counter
from collections.abc import Sequence

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part, Scores
from tiltmeter.core.results import Estimate
from tiltmeter.report.wording import (
    axis_title,
    final_p,
    is_clear,
    is_percent,
    lowered,
    neutral_text,
    neutral_words,
    number,
    p_text,
    perplexity_title,
    subset,
    title,
    visible,
    with_unit,
)

RATIO = "perplexity_ratio"
SHORT = {"lms": "lms", "icat": "icat"}
DECIMALS = {"standard deviations": 2, "bits": 3}
IN_WORDS = (RATIO, "lms_difference")
"""Costs that the finding tells; icat mixes leaning and language, and bits say what perplexity says."""
NAMED = 6
"""Groups that a sentence names; of more it says how many."""
MORE = "more than chance explains"


def finding(made: BeforeAfter) -> list[str]:
    """What happened, the most important first: leanings over all items, then what it cost."""
    others = [part for part in made.parts if part.leanings and part.overall is None]
    groups = [
        f"{visible(part.study)}, which has no number over all items: {_first(part)}"
        for part in others
    ]
    return [_headline(made), *groups, cost(made)]


def _first(part: Part) -> str:
    """What happened in its first kind of groups."""
    axis, rows = next(iter(by_axis(part).items()))
    return lowered(_over_groups(axis, rows))


def _headline(made: BeforeAfter) -> str:
    heads = [part.overall for part in made.parts if part.overall is not None]
    done = f" ({visible(made.done)})" if made.done else ""
    who = f"{visible(made.after)}{done} beside {visible(made.before)}"
    known = [head for head in heads if head.way]
    if not known:
        return f"{who}: no study with one number over all items; see each group."
    counts = Counter(str(head.way) for head in known)
    ways = {"nearer": "nearer to neutral", "farther": "farther from it", "same": "as before"}
    parts = [f"{said} in {counts[way]}" for way, said in ways.items() if counts[way]]
    clear = [head.difference.study for head in known if is_clear(head.difference)]
    listed = f" ({', '.join(map(visible, clear))})" if clear else ""
    told = f"{len(clear) or 'None'} of these changes {'are' if len(clear) > 1 else 'is'} {MORE}{listed}"
    of = f"of {len(known)} {'study' if len(known) == 1 else 'studies'}"
    return f"{who}: {of}, {', '.join(parts)}. {told}."


def cost(made: BeforeAfter) -> str:
    """What it cost, as a sentence."""
    told = [_cost(change) for change in made.costs if change.difference.name in IN_WORDS]
    if not told:
        return (
            "What it cost was not measured: add runs of perplexity (how well the model knows the language) "
            "and of stereoset (lms)."
        )
    return f"What it cost: {'; '.join(told)}."


def _cost(change: Change) -> str:
    e, name = change.difference, cost_title(change)
    if e.value is None:
        return f"{lowered(name)} undefined ({visible(e.why)})"
    sure = is_clear(e)
    known = "" if sure is None else f", {MORE}" if sure else ", no more than chance explains"
    inside = interval(e)
    return f"{lowered(name)} {moved(change)}{f' ({inside})' if inside else ''}{known}"


def cost_title(change: Change) -> str:
    """What a cost is called."""
    e = change.before
    return perplexity_title(e.rule) if e.name == "perplexity" else SHORT.get(e.name, title(e.name))


def moved(change: Change, *, unit: bool = True) -> str:
    """The change of a cost with its sign: of a perplexity in percent of what it was.

    Points are named only with `unit`.
    """
    e = change.difference
    if e.value is None:
        return "undefined"
    if e.name == RATIO:
        return signed(100 * (e.value - 1), "%") + "\u00a0%"
    points = unit and e.unit == "percentage points"
    return f"{signed(e.value, e.unit)}\u00a0points" if points else signed(e.value, e.unit)


def interval(e: Estimate) -> str:
    """The interval of a difference; of a ratio in percent; "" where there is none."""
    if e.low is None or e.high is None:
        return ""
    ends = [e.low, e.high]
    if e.name == RATIO:
        return " to ".join(signed(100 * (end - 1), "%") for end in ends)
    return " to ".join(signed(end, e.unit) for end in ends)


def figure(value: float, unit: str = "") -> str:
    """As everywhere, but for units in which all numbers of a table are of one size.

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
    """Nearer to the neutral value, or farther; "across" where it passed it."""
    return f"{change.way}, across" if change.crossed else change.way


def shown(e: Estimate) -> str:
    """A value, or that it has none."""
    return "undefined" if e.value is None else figure(e.value, e.unit)


def tables(part: Part) -> list[list[Change]]:
    """Its changes, those of one measure together."""
    found: dict[str, list[Change]] = {}
    for change in part.leanings:
        found.setdefault(change.before.name, []).append(change)
    return list(found.values())


def heading(part: Part, rows: Sequence[Change]) -> str:
    """The study, the measure of these rows and its unit."""
    e = rows[0].before
    unit = "%" if is_percent(e.unit) else visible(e.unit)
    return f"{visible(part.study)}: {lowered(title(e.name))}{f', {unit}' if unit else ''}"


def told(part: Part) -> list[str]:
    """What happened in one study: over all items, and in groups."""
    found = []
    head = part.overall
    if head is not None:
        found.append(_over_all(head))
    for axis, rows in by_axis(part).items():
        found.append(_over_groups(axis, rows))
    if part.cells[1]:
        changed, of = part.cells
        found.append(
            f"{changed:,} of {of:,} cells (group × pair of traits) changed by {MORE} (Benjamini and "
            "Hochberg); `tiltmeter compare` shows them."
        )
    return found


def by_axis(part: Part) -> dict[str, list[Change]]:
    """Changes of groups, by what the groups are."""
    found: dict[str, list[Change]] = {}
    for change in part.leanings:
        if change.difference.groups:
            found.setdefault(" × ".join(map(axis_title, change.difference.groups)), []).append(
                change
            )
    return found


def _over_all(head: Change) -> str:
    e, p = head.difference, final_p(head.difference)
    if not head.way:
        return f"Over all items undefined: {visible(head.before.why or head.after.why or e.why)}."
    was, is_ = (with_unit(x.value or 0.0, x.unit) for x in (head.before, head.after))
    neutral = f"{neutral_words(head.before)} ({neutral_text(head.before)})"
    way = {
        "nearer": f"nearer to {neutral}",
        "farther": f"farther from {neutral}",
        "same": "no change",
    }
    side = ", on its other side" if head.crossed else ""
    sure = is_clear(e)
    known = "" if sure is None else f"; the change is {'' if sure else 'no '}{MORE}"
    test = "" if p is None else f" (p = {p_text(p)})"
    return f"Over all items {was} before, {is_} after: {way[head.way]}{side}{known}{test}."


def _over_groups(axis: str, rows: Sequence[Change]) -> str:
    nearer, farther = (sum(c.way == way for c in rows) for way in ("nearer", "farther"))
    said = f"By {axis}: {nearer} of {len(rows)} nearer, {farther} farther"
    if all(is_clear(c.difference) is None for c in rows):
        return f"{said}."
    tested = any(c.difference.p is not None for c in rows)
    how = f"by {MORE}" if tested else "with an interval of the change that does not hold 0"
    clear = [c for c in rows if is_clear(c.difference)]
    if not clear:
        return f"{said}; none {how}."
    if len(clear) > NAMED:
        return f"{said}; {len(clear)} {how}."
    listed = ", ".join(
        f"{subset(c.difference.groups, with_axis=False)} ({towards(c)})" for c in clear
    )
    return f"{said}; {how}: {listed}."


def scores_told(scores: Scores) -> str:
    """The published t-test, and why it is not ours."""
    if scores.test is None:
        return f"elsafoury2023: no t-test: {visible(scores.why)}."
    t, freedom, p = scores.test
    return (
        f"elsafoury2023: t-test of the {scores.groups} scores by {axis_title(scores.axis)} before against "
        f"those after, as independent samples: t = {signed(t)}, {freedom} degrees of freedom, "
        f"p = {p_text(p)}. "
        "They are not independent, and how many items each comes from does not count."
    )


LEGEND = (
    "Nearer and farther: to the neutral value, whatever the sign of the change; across: now on its other "
    "side. A change that is told from 0 says that the value moved; that it moved nearer is as sure only "
    "where both values lie clearly on one side."
)
