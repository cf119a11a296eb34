"""The tables of an alignment with people, for the document and for files."""

from collections.abc import Callable, Sequence

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.annotators import Slice
from tiltmeter.analysis.people.meanings import (
    MEAN,
    OWN,
    PERSON,
    POOLED,
    REACH,
    SPLIT,
    precision_name,
)
from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.document import FILES_ONLY, PAGE, TERMINAL, Column, Table
from tiltmeter.report.documents.people_finding import group_of, interval, ranked, two
from tiltmeter.report.text import (
    final_p,
    is_significant,
    neutral_text,
    p_text,
    short_title,
    title,
    why_undefined,
)

MOST_TEMPLATES = 12
"""Templates that the terminal lists; of more, those at either end."""


def overall(one: Alignment, k: int) -> Table:
    """Over all groups: what was measured, and what people reach with each other."""
    measured = [one.find(name) for name in (POOLED, MEAN, precision_name(k), OWN)]
    return number_table(
        [e for e in measured if e is not None],
        f"{one.source.name} and people, over all groups",
        name="overall",
    )


def ceilings(one: Alignment, k: int) -> Table:
    """What people reach with each other."""
    names = (
        f"{POOLED}_{SPLIT}", f"{POOLED}_{REACH}", f"{MEAN}_{SPLIT}", f"{MEAN}_{REACH}",
        f"{MEAN}_{PERSON}", f"{precision_name(k)}_{SPLIT}", f"{precision_name(k)}_{PERSON}",
    )  # fmt: skip
    found = [one.find(name) for name in names]
    known = [e for e in found if e is not None and e.value is not None]
    return number_table(known, "What people reach with each other", name="ceiling", short=True)


def number_table(
    estimates: Sequence[Estimate],
    heading: str,
    *,
    name: str,
    models: bool = False,
    short: bool = False,
) -> Table:
    """One number a row.

    Args:
        estimates: In order.
        heading: Over the table.
        name: Of its file.
        models: Whether each row says which matrices it is of.
        short: Whether measures are called by their short titles.
    """
    called = [short_title(e) if short else title(e) for e in estimates]
    notes = [f"{which}: {e.why}" for which, e in zip(called, estimates, strict=True) if e.why]
    whose = [visible(e.model) for e in estimates]
    return Table(
        heading,
        [
            Column("", called, number=False, name="measure"),
            *([Column("matrices", whose, number=False)] if models else []),
            *value_columns(estimates),
            Column("neutral", [e.neutral for e in estimates],
                   shown=[neutral_text(e) for e in estimates], drop=3),
            Column("n", [e.n for e in estimates], drop=4),
        ],
        strong=[is_significant(e) is True for e in estimates],
        notes=list(dict.fromkeys(notes)),
        name=name,
    )  # fmt: skip


def value_columns(
    estimates: Sequence[Estimate], *, heading: str = "value", p: str = "p"
) -> list[Column]:
    """Value, interval and the p that counts."""
    ps = [final_p(e) for e in estimates]
    return [
        Column(heading, [e.value for e in estimates],
               shown=[two(e.value) or "undefined" for e in estimates]),
        Column("interval", [interval(e) or None for e in estimates],
               shown=[interval(e, "–") for e in estimates], drop=1, in_files=False),
        Column("low", [e.low for e in estimates], on=FILES_ONLY),
        Column("high", [e.high for e in estimates], on=FILES_ONLY),
        Column(p, ps, shown=["" if x is None else p_text(x) for x in ps], drop=2),
    ]  # fmt: skip


def by_group(one: Alignment, k: int) -> Table:
    """A row a group, the closest to people first."""
    rows = ranked(one)
    of = _finder(one, rows)
    return Table(
        "",
        [
            Column("", [group_of(one, e) for e in rows], number=False, name="group"),
            Column("n", [e.n for e in rows], drop=4),
            *value_columns(rows, heading="τ", p="p (Holm)"),
            _two_decimals("halves of people", of(f"{POOLED}_{SPLIT}"), drop=3),
            _two_decimals("reachable", of(f"{POOLED}_{REACH}"), drop=5),
            _two_decimals("one person", of(f"{POOLED}_{PERSON}"), drop=5),
            _two_decimals(f"P@{k}", of(precision_name(k)), drop=3),
        ],
        strong=[is_significant(e) is True for e in rows],
        notes=[f"{group_of(one, e)}: {why_undefined(e)}" for e in rows if e.why],
        most=len(rows),
        name="groups",
    )


def _finder(one: Alignment, rows: Sequence[Estimate]) -> Callable[[str], list[Estimate | None]]:
    """Another number of the same groups, by its name."""
    return lambda name: [one.find(name, e.groups) for e in rows]


def _two_decimals(heading: str, estimates: Sequence[Estimate | None], *, drop: int) -> Column:
    values = [None if e is None else e.value for e in estimates]
    return Column(heading, values, shown=[two(value) for value in values], drop=drop)


def by_template(one: Alignment) -> Table | None:
    """A row a template; of many, the terminal shows those at either end."""
    rows = sorted(one.by_template, key=lambda e: (e.value is None, -(e.value or 0.0)))
    if not rows:
        return None
    heading = f"Kendall’s τ by template, on the {len(one.groups)} groups above"
    if len(rows) <= MOST_TEMPLATES:
        return _templates(one, rows, heading, [])
    half = MOST_TEMPLATES // 2
    note = f"The highest and the lowest {half} of {len(rows)}; all are in the files."
    return _templates(one, [*rows[:half], *rows[-half:]], heading, [note])


def _templates(one: Alignment, rows: Sequence[Estimate], heading: str, notes: list[str]) -> Table:
    chosen = one.pilot.templates if one.pilot else ()
    names = [e.groups[one.source.view.layers] for e in rows]
    return Table(
        heading,
        [
            Column("", names, number=False, name="template",
                   shown=[f"{n}{' (chosen)' if n in chosen else ''}" for n in names]),
            *value_columns(rows, heading="τ", p="p (Holm)"),
        ],
        strong=[is_significant(e) is True for e in rows],
        notes=notes,
        on=TERMINAL,
        name="templates",
    )  # fmt: skip


def slices(parts: Sequence[Slice], columns: Sequence[str], k: int) -> Table:
    """A row a slice of annotators, by the same columns."""
    pooled = [part.estimates[0] for part in parts]
    means, precisions = ([part.estimates[i] for part in parts] for i in (1, 2))
    named = " × ".join(columns)
    return Table(
        f"Agreement with the people of each {named}",
        [
            Column("", [slice_name(part) for part in parts], number=False, name=named),
            Column("people", [part.people for part in parts]),
            *value_columns(pooled, heading="τ, all cells", p="p (Holm)"),
            _two_decimals("mean τ", means, drop=3),
            _two_decimals(f"P@{k}", precisions, drop=4),
        ],
        strong=[is_significant(e) is True for e in pooled],
        most=40,
        name=f"slices-{'-'.join(columns)}",
    )


def slice_name(part: Slice) -> str:
    """The values that the annotators of a slice have: "Asian × Woman"."""
    return " × ".join(value or "(empty)" for value in part.about.values())


def slices_by_group(one: Alignment, parts: Sequence[Slice], columns: Sequence[str]) -> Table:
    """Tau of each group (row) with each slice of annotators (column)."""
    found = {
        (group_of(one, e), place): e
        for place, part in enumerate(parts)
        for e in part.by_group
        if e.name == POOLED
    }
    made = [Column("", list(one.groups), number=False, name="group")]
    for place, part in enumerate(parts):
        cells = [found.get((group, place)) for group in one.groups]
        shown = ["" if e is None else _marked(e) for e in cells]
        values = [None if e is None else e.value for e in cells]
        made.append(Column(slice_name(part), values, shown=shown))
    return Table(
        f"Kendall’s τ of each group with the people of each {' × '.join(columns)}",
        made,
        notes=["* significant after Holm’s adjustment over the groups of a column."],
        folded=True,
        on=PAGE,
        name=f"slices-by-group-{'-'.join(columns)}",
    )


def _marked(estimate: Estimate) -> str:
    return (two(estimate.value) or "undefined") + ("*" if is_significant(estimate) else "")


# ── Files ────────────────────────────────────────────────────────────────────────────────────────


def file_tables(made: Alignments) -> dict[str, Table]:
    """Tables over all matrices by the names of their files: a row a group, a template, a slice."""
    tables = {"by_group": _group_file(made), "by_template": _template_file(made)}
    if any(one.slices for one in made.parts):
        tables["by_slice"] = _slice_file(made)
    return tables


def _group_file(made: Alignments) -> Table:
    k = made.wanted.k
    rows = [(one, e) for one in made.parts for e in ranked(one)]

    def of(name: str) -> list[Estimate | None]:
        return [one.find(name, e.groups) for one, e in rows]

    precision, split = of(precision_name(k)), of(f"{POOLED}_{SPLIT}")
    return Table(
        "Alignment by group",
        [
            Column("matrix", [one.source.name for one, _ in rows]),
            Column("group", [group_of(one, e) for one, e in rows]),
            Column("pairs", [e.n for _, e in rows]),
            *_raw([e for _, e in rows]),
            Column("test", [e.test for _, e in rows]),
            Column("precision", _values(precision)),
            Column("precision_p", [e.p if e else None for e in precision]),
            Column("split_half", _values(split)),
            Column("split_low", [e.low if e else None for e in split]),
            Column("split_high", [e.high if e else None for e in split]),
            Column("reachable", _values(of(f"{POOLED}_{REACH}"))),
            Column("one_person", _values(of(f"{POOLED}_{PERSON}"))),
            Column("why", [e.why for _, e in rows]),
        ],
    )


def _template_file(made: Alignments) -> Table:
    rows = [(one, e) for one in made.parts for e in one.by_template]
    names = [e.groups[one.source.view.layers] for one, e in rows]
    chosen = [
        one.pilot is not None and name in one.pilot.templates
        for (one, _), name in zip(rows, names, strict=True)
    ]
    return Table(
        "Alignment by template",
        [
            Column("matrix", [one.source.name for one, _ in rows]),
            Column("template", names),
            Column("chosen", chosen),
            Column("cells", [e.n for _, e in rows]),
            *_raw([e for _, e in rows]),
            Column("why", [e.why for _, e in rows]),
        ],
    )


def _slice_file(made: Alignments) -> Table:
    """All numbers of all slices; `group` is empty where a number is over all groups."""
    rows = [
        (one, part, e)
        for one in made.parts
        for part in one.slices
        for e in (*part.estimates, *part.by_group)
    ]
    return Table(
        "Alignment by slices of annotators",
        [
            Column("matrix", [one.source.name for one, _, _ in rows]),
            Column("by", [",".join(part.columns) for _, part, _ in rows]),
            Column("slice", [",".join(part.about.values()) for _, part, _ in rows]),
            Column("people", [part.people for _, part, _ in rows]),
            Column("group", [e.groups.get(one.source.view.rows, "") for one, _, e in rows]),
            Column("measure", [e.name for _, _, e in rows]),
            Column("n", [e.n for _, _, e in rows]),
            *_raw([e for _, _, e in rows], heading="value"),
            Column("why", [e.why for _, _, e in rows]),
        ],
    )


def _raw(estimates: Sequence[Estimate], *, heading: str = "kendall_tau") -> list[Column]:
    return [
        Column(heading, [e.value for e in estimates]),
        Column("low", [e.low for e in estimates]),
        Column("high", [e.high for e in estimates]),
        Column("p", [e.p for e in estimates]),
        Column("p_holm", [e.p_adjusted for e in estimates]),
    ]


def _values(estimates: Sequence[Estimate | None]) -> list[float | None]:
    return [e.value if e else None for e in estimates]
