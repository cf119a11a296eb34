"""A model before and after something was done to it, as a document."""

from collections.abc import Iterable, Sequence

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part
from tiltmeter.core.results import Estimate
from tiltmeter.report.document import (
    FILES_ONLY,
    PAGE,
    TERMINAL,
    Block,
    Code,
    Column,
    Document,
    Facts,
    Lines,
    Picture,
    Section,
    Table,
    Text,
    Tone,
    Value,
)
from tiltmeter.report.documents import before_after_finding as words
from tiltmeter.report.plots import dumbbell
from tiltmeter.report.text import (
    adjustment,
    final_p,
    interval_name,
    is_percent,
    is_significant,
    lowered,
    neutral_text,
    p_text,
    subset,
    title,
)

DRAWN = 40
"""Rows of a picture; the table under it has all."""
ARROWS = {"nearer": "↓ ", "farther": "↑ "}
"""As in published tables: up is worse."""
LEGEND = (
    "Closer and farther describe the distance to the neutral value, whatever the sign of the change. A "
    "significant change means that the value moved; that it also moved closer is as certain only where both "
    "values are clearly on one side. Crossed: now on the other side of the neutral value."
)
MEANS = "Both models were asked about the same items, by the same rules."
LIMITS = (
    "That the model does less harm. A measure that is closer to neutral describes that measure only; others, "
    "and what people meet in use, may be unchanged or worse. No significant change does not mean no change."
)
METHOD = (
    "Each study’s runs are matched by data, rule, convention and settings, and must have scored the same "
    "items. A change is the value after minus the value before, on those items."
)
RATIOS = (
    "Changes of perplexities are ratios, shown as a percentage of the value before. A pseudo-perplexity is "
    "about the model’s own tokens, which are the same before and after."
)
ADJUSTED = "over all items one test; groups are adjusted within each study and kind of group"


def before_after_document(
    made: BeforeAfter, *, sources: Sequence[str] = (), command: str = ""
) -> Document:
    """The finding, a picture and a table for each measure, the cost, and how it was computed.

    Args:
        made: What was found.
        sources: Run folders, as they were named.
        command: The command that makes it again.
    """
    missing = [f"{study}: {why}" for study, why in made.missing]
    first = made.parts[0]
    return Document(
        "Before and after",
        f"{made.before} → {made.after}{f': {made.done}' if made.done else ''}",
        words.finding(made),
        [
            *(_study(part, f"s{i}") for i, part in enumerate(made.parts, 1) if part.leanings),
            Section("cost", "Cost", _cost(made)),
            *([Section("missing", "Not compared", [Lines(missing)], on=PAGE)] if missing else []),
            Section("marks", "", [_marks(made, missing)], on=TERMINAL),
            Section("method", "Method", [Text(METHOD), Facts(_methods(made))], on=PAGE),
            Section("model-before", f"Before: {made.before}", [Facts(first.before.model)], on=PAGE),
            Section("model-after", f"After: {made.after}", [Facts(first.after.model)], on=PAGE),
            Section("repeat", "How to repeat it", [Code(command), Lines(sources)], on=PAGE),
        ],
        meaning=f"{MEANS} {LEGEND}",
        limits=LIMITS,
        files=("before-after.csv", "before-after.json"),
    )


def _study(part: Part, name: str) -> Section:
    card = part.before
    blocks: list[Block] = []
    for number, rows in enumerate(_by_measure(part), 1):
        picture = _picture(part, rows, f"{name}-{number}")
        blocks += [*([picture] if picture else []), _table(part, rows)]
    blocks += [Text(text) for text in words.summaries(part)]
    if part.scores is not None:
        blocks.append(Text(words.t_test(part.scores), "note"))
    data = ", ".join(str(card.data[key]) for key in ("name", "source") if card.data.get(key))
    run = f"Rule {card.rule}, convention {card.convention}, data"
    blocks.append(Text(f"{run} {card.data.get('name') or ''}.", "note", TERMINAL))
    blocks.append(Text(f"{run} {data}.", "note", PAGE))
    return Section(name, part.study, blocks)


def _by_measure(part: Part) -> list[list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in part.leanings:
        found.setdefault(change.before.name, []).append(change)
    return list(found.values())


def _heading(rows: Sequence[Change]) -> str:
    """The measure of these rows and its unit."""
    e = rows[0].before
    unit = "%" if is_percent(e.unit) else e.unit
    return f"{title(e)}{f', {unit}' if unit else ''}"


def _table(part: Part, rows: Sequence[Change]) -> Table:
    labels = _labels(part, rows)
    tones = [_tone(c, {"nearer": False, "farther": True}.get(c.way)) for c in rows]
    towards = [words.towards(c) for c in rows]
    neutral = neutral_text(rows[0].before)
    return Table(
        f"{rows[0].difference.study}: {lowered(_heading(rows))}",
        [
            *_columns(rows, labels, kind="leaning"),
            Column(
                f"to {neutral}" if neutral else "", towards, number=False, tones=tones, name="way"
            ),
        ],
        [bool(is_significant(c.difference)) for c in rows],
        notes=_reasons(labels, rows),
        most=DRAWN,
    )


def _cost(made: BeforeAfter) -> list[Block]:
    """The costs of all studies in one table, and the sentence about them on the page."""
    rows = made.costs
    if not rows:
        return [Text(words.cost(made), on=PAGE)]
    labels = [words.called(c) for c in rows]
    tones = [_tone(c, c.worse) for c in rows]
    table = Table(
        "Cost",
        [
            *_columns(rows, labels, kind="cost"),
            Column("", [tone or None for tone in tones], number=False, tones=tones, name="way"),
        ],
        [bool(is_significant(c.difference)) for c in rows],
        notes=_reasons(labels, rows),
    )
    ratio = any(words.is_ratio(c.difference) for c in rows)
    return [
        Text(words.cost(made), on=PAGE),
        table,
        *([Text(RATIOS, "note", PAGE)] if ratio else []),
    ]


def _tone(change: Change, worse: bool | None) -> Tone:  # noqa: FBT001
    """A change that is not significant is neither better nor worse."""
    if worse is None or not is_significant(change.difference):
        return ""
    return "worse" if worse else "better"


def _columns(rows: Sequence[Change], labels: Sequence[str], *, kind: str) -> list[Column]:
    """What leanings and costs have in common; files also hold what the headings say."""
    of = [c.difference for c in rows]
    adjusted = adjustment(of)

    def hidden(name: str, values: Iterable[Value]) -> Column:
        return Column(name, list(values), on=FILES_ONLY)

    def number(
        title: str, values: Iterable[Value], shown: Iterable[str], *, name: str = "", drop: int = 0
    ) -> Column:
        return Column(title, list(values), name=name, shown=list(shown), drop=drop)

    p = f"p ({adjusted})" if adjusted else "p"
    return [
        Column("", [subset(e.groups) for e in of], number=False, name="items", shown=labels),
        hidden("study", (e.study for e in of)),
        hidden("kind", [kind] * len(rows)),
        hidden("measure", (c.before.name for c in rows)),
        hidden("unit", (c.before.unit for c in rows)),
        hidden("neutral", (c.before.neutral for c in rows)),
        Column("n", [e.n for e in of], "{:,}".format, on=PAGE),
        number("before", (c.before.value for c in rows), (_value(c.before) for c in rows)),
        number("after", (c.after.value for c in rows), (_value(c.after) for c in rows)),
        number("change", (e.value for e in of), (words.moved(c, unit=False) for c in rows)),
        number("interval", (e.low for e in of), map(words.interval, of), name="low", drop=2),
        hidden("high", (e.high for e in of)),
        number(p, (e.p for e in of), (_p(final_p(e)) for e in of), name="p", drop=1),
        hidden("p_adjusted", (e.p_adjusted for e in of)),
        hidden("rule", (e.rule for e in of)),
        hidden("convention", (e.convention for e in of)),
        hidden("why", (e.why for e in of)),
    ]


def _value(e: Estimate) -> str:
    return "undefined" if e.value is None else words.figure(e.value, e.unit)


def _p(p: float | None) -> str:
    return "" if p is None else p_text(p)


def _labels(part: Part, rows: Sequence[Change]) -> list[str]:
    """Subsets by their plain names, with the axis only where there are several."""
    with_axis = len({axis for c in rows for axis in c.difference.groups}) > 1
    return [subset(c.difference.groups, part.before.labels, with_axis=with_axis) for c in rows]


def _reasons(labels: Sequence[str], rows: Sequence[Change]) -> list[str]:
    """Why a row lacks something; each reason once."""
    reasons: dict[str, list[str]] = {}
    for label, c in zip(labels, rows, strict=True):
        why = c.difference.why
        if c.difference.value is None:
            why = c.before.why or c.after.why or why
        if why:
            reasons.setdefault(why, []).append(label)
    return [f"{', '.join(which)}: {why}" for why, which in reasons.items()]


def _picture(part: Part, rows: Sequence[Change], name: str) -> Picture | None:
    """Before as a small mark, after as a large one; None where nothing has a value."""
    marks = [
        dumbbell.Marks(
            f"{ARROWS.get(c.way, '= ')}{label}", c.after.value, c.before.value, c.before.value,
            bool(is_significant(c.difference)),
            f"{label}: {_value(c.before)} before, {_value(c.after)} after, {words.towards(c)}",
        )
        for c, label in zip(rows, _labels(part, rows), strict=True)
        if c.before.value is not None and c.after.value is not None
    ][:DRAWN]  # fmt: skip
    if not marks:
        return None
    title = f"{rows[0].difference.study}: {lowered(_heading(rows))}, before and after"
    wide, narrow = (
        dumbbell.dumbbells(
            marks, name=f"{name}-{i}", title=title, layout=layout, neutral=rows[0].before.neutral
        )
        for i, layout in enumerate((dumbbell.WIDE, dumbbell.NARROW))
    )
    tested = any(c.difference.p is not None for c in rows)
    sure = "p < .05" if tested else "its interval excludes 0"
    adjusted = " after adjustment over the groups" if adjustment(c.difference for c in rows) else ""
    neutral = neutral_text(rows[0].before)
    line = f"; the line is the neutral value, {neutral}" if neutral else ""
    return Picture(
        f"{rows[0].difference.study}-{rows[0].before.name}",
        wide,
        narrow,
        f"Small marks are before, large ones after{line}. Filled: significant change ({sure}{adjusted})."
        f"{' ↓ closer to neutral, ↑ farther from it.' if neutral else ''}",
    )


def _marks(made: BeforeAfter, missing: Sequence[str]) -> Facts:
    """What there is to know beside the tables, for the terminal."""
    facts = {
        "Before": made.before,
        "After": f"{made.after}{f', {made.done}' if made.done else ''}",
        "Not compared": "; ".join(missing),
        "Marks": f"bold: significant change. {LEGEND}",
    }
    return Facts({**facts, **_methods(made)})


def _methods(made: BeforeAfter) -> dict[str, str]:
    """Intervals and tests, each once."""
    of = [c.difference for part in made.parts for c in (*part.leanings, *part.costs)]
    intervals = dict.fromkeys(map(interval_name, of))
    tests = list(dict.fromkeys(e.test for e in of if e.test))
    return {
        "Interval": "; ".join(filter(None, intervals)),
        "p": "; ".join([*tests, ADJUSTED]) if tests else "",
    }
