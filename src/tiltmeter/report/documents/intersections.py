"""The document of `intersections`: intersectional groups and their components."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.intersections.emergent_traits import TOP, EmergentTrait, Way, as_columns
from tiltmeter.analysis.intersections.similarity import DOMINATES, ORDER, DomainPair
from tiltmeter.analysis.intersections.summary import RATE, WAYS, Intersections
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    PAGE,
    TERMINAL,
    Block,
    Code,
    Column,
    Document,
    Facts,
    Json,
    Picture,
    Section,
    Table,
    Text,
    Value,
)
from tiltmeter.report.documents.cells import interval_columns
from tiltmeter.report.documents.forests import forest_picture
from tiltmeter.report.plots import dumbbell
from tiltmeter.report.plots.forest import Layout, Row
from tiltmeter.report.text import counted, number, p_text, sentence_end, span, title, why_undefined

DRAWN = 20
"""Emergent traits that are drawn; the table has more."""
SHOWN = 10
"""Rows of each list that the terminal shows."""
WIDE = Layout(width=720, left=286, right=484, row=28, letters=38)
NARROW = Layout(width=400, left=14, right=386, row=46, stacked=True, letters=24)
"""Names of two domains are long, and so are numbers with a minus sign."""
WARNING = "This page says which traits a model associates with which groups of people."
LIMITS = "What is listed is what the model’s numbers say, not what is true of anybody."
SOURCE = (
    "After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92, on what is "
    "asked; intervals and tests are Tiltmeter’s."
)


def intersections_document(
    made: Intersections, *, most: int = TOP, files: Sequence[str] = ()
) -> Document:
    """Everything about intersectional groups.

    Args:
        made: What was found.
        most: Emergent traits that the tables list, each way.
        files: Names of files beside the page.
    """
    scores, card = made.scores, made.cards[0]
    view = scores.view
    headline = (
        f"{scores.name}: {counted(len(scores.intersectional), 'intersectional groups')}, made of "
        f"{counted(len(scores.singles), 'single groups')}, in "
        f"{counted(len(scores.templates), view.layer_names)}."
    )
    warning = str(card.data.get("warning") or WARNING)
    return Document(
        "Intersectional groups and their components",
        scores.name,
        [headline, *(sentence_end(_raised(note)) for note in scores.notes)],
        [
            _order(made),
            _domains(made),
            *(_emergent(made, way, most) for way in WAYS),
            _findings(made),
            _repeat(made),
        ],
        limits=LIMITS,
        warning=warning,
        files=files,
    )


def _raised(text: str) -> str:
    """With a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


# ── Order and domains ────────────────────────────────────────────────────────────────────────────


def _order(made: Intersections) -> Section:
    """Tau with either component, and with the same components in the other order."""
    known = [e for e in made.order if e.value is not None]
    rows = [Row(title(e), e) for e in known if e.name != ORDER]
    compared = (
        f"{made.scores.view.column_names}"
        if made.traits == "pairs"
        else f"both traits of all {made.scores.view.column_names}"
    )
    picture = forest_picture(
        rows,
        name="order",
        title="Kendall’s tau of intersectional groups",
        caption="Mean tau of intersectional groups with each. Lines are 95 % intervals: single groups are "
        "resampled within domains, so that intersectional groups which share a component are not taken as "
        "independent.",
        table=_tau_table(known),
        on=BOTH,
        layout=WIDE,
        narrow=NARROW,
    )
    blocks: list[Block] = [
        Text(
            f"Kendall’s tau between the scores of an intersectional group and those of a component, over "
            f"{compared}: 1 is the same order of traits, 0 no relation. The component said first and the "
            "one said second are compared over groups that are there in both orders.",
            on=PAGE,
        ),
        *([picture] if picture else []),
    ]
    undefined = [e for e in made.order if e.value is None]
    blocks += [Text(f"{_raised(title(e))}: undefined: {why_undefined(e)}.") for e in undefined]
    notes = dict.fromkeys(e.why for e in known if e.why)
    blocks += [Text(sentence_end(_raised(why)), "note") for why in notes]
    return Section("order", "Does the order of components matter?", blocks)


def _tau_table(known: Sequence[Estimate]) -> Table:
    return Table(
        "Mean Kendall’s τ of an intersectional group with …",
        [
            Column("", [title(e) for e in known], number=False, name="with"),
            Column("n", [e.n for e in known], drop=1),
            Column(
                "value", [e.value for e in known], shown=[number(e.value or 0.0) for e in known]
            ),
            *interval_columns(known),
        ],
        name="taus",
    )


def _domains(made: Intersections) -> Section:
    """The component of which domain intersectional groups are more similar to."""
    pairs = [d for d in _larger_first(made.domains) if d.difference.value is not None]
    blocks: list[Block] = [
        Text(
            "A domain is said to dominate another where intersectional groups of the two are more similar "
            f"to its component, by a mean tau at least {DOMINATES} higher.",
            on=PAGE,
        )
    ]
    if not pairs:
        blocks.append(Text("No two domains are crossed here.", on=PAGE))
        return Section("domains", "Which domain counts more?", blocks)
    picture = forest_picture(
        [Row(f"{d.domain} less {d.other}", d.difference) for d in pairs],
        name="domains",
        title="Which domain’s component an intersectional group is more similar to",
        caption="Difference of mean tau, with 95 % intervals. Intervals that hold 0 show no significant "
        f"difference, whatever the rule of {DOMINATES} says.",
        layout=WIDE,
        narrow=NARROW,
    )
    blocks += [
        *([picture] if picture else []),
        _domain_table(pairs),
        _dominance_table(made),
        _all_domains_table(made),
    ]
    return Section("domains", "Which domain counts more?", blocks)


def _larger_first(domains: Sequence[DomainPair]) -> list[DomainPair]:
    """With the domain first whose component counts more, the largest difference first."""
    known = [d if (d.difference.value or 0) >= 0 else _turned(d) for d in domains]
    return sorted(known, key=lambda d: -(d.difference.value or 0.0))


def _turned(pair: DomainPair) -> DomainPair:
    """The same two domains the other way round."""
    e = pair.difference
    (first, one), (second, other) = e.groups.items()
    turned = replace(
        e,
        value=None if e.value is None else -e.value,
        low=None if e.high is None else -e.high,
        high=None if e.low is None else -e.low,
        groups={first: other, second: one},
    )
    return DomainPair(pair.other, pair.domain, pair.other_tau, pair.tau, turned)


def _domain_table(pairs: Sequence[DomainPair]) -> Table:
    differences = [d.difference for d in pairs]
    return Table(
        "Which domain’s component it is more similar to: difference of mean τ",
        [
            Column("", [f"{d.domain} over {d.other}" for d in pairs], number=False, name="domains"),
            Column("n", [e.n for e in differences], drop=1),
            Column("difference", [e.value for e in differences],
                   shown=[number(e.value or 0.0) for e in differences]),
            *interval_columns(differences),
        ],
        most=SHOWN,
        on=TERMINAL,
        name="domain-differences",
    )  # fmt: skip


def _dominance_table(made: Intersections) -> Table:
    relations = made.relations
    listed = [[", ".join(sorted(both[i])) or "none" for both in relations.values()] for i in (0, 1)]
    return Table(
        "Which domain dominates which",
        [
            Column("Domain", list(relations), number=False),
            Column("Dominates", listed[0], number=False),
            Column("Dominated by", listed[1], number=False),
        ],
        on=PAGE,
        name="dominance",
    )


def _all_domains_table(made: Intersections) -> Table:
    pairs = made.domains
    differences = [d.difference for d in pairs]
    return Table(
        "All pairs of domains",
        [
            Column("A", [d.domain for d in pairs], number=False),
            Column("B", [d.other for d in pairs], number=False),
            Column("n", [e.n for e in differences]),
            _tau_column("τ with A", [d.tau for d in pairs]),
            _tau_column("τ with B", [d.other_tau for d in pairs]),
            Column("A less B", [e.value for e in differences],
                   shown=["undefined" if e.value is None else number(e.value) for e in differences]),
            Column("interval", [span(e) or None for e in differences], in_files=False),
            Column("Note", [e.why for e in differences], number=False),
        ],
        folded=True,
        on=PAGE,
        name="all-domains",
    )  # fmt: skip


def _tau_column(heading: str, values: Sequence[float]) -> Column:
    known = [None if np.isnan(value) else value for value in values]
    return Column(heading, known, shown=["" if v is None else number(v) for v in known])


# ── Emergent traits ──────────────────────────────────────────────────────────────────────────────


def _emergent(made: Intersections, way: Way, most: int) -> Section:
    """The traits that lie furthest above both components, or below both."""
    rows = made.top(way, most)
    heading = f"Traits {way} both components"
    blocks: list[Block] = []
    if way == WAYS[0]:
        blocks.append(Text(_explained(made), on=PAGE))
    if made.emergent.tested:
        count = made.significant(way)
        of = counted(made.emergent.score.size, "cells")
        blocks.append(Text(f"{count:,} of {of} at a false-discovery rate of 5\u00a0%."))
    if made.emergent.why and way == WAYS[0]:
        blocks.append(Text(sentence_end(_raised(made.emergent.why))))
    if not rows:
        blocks.append(Text("There are none.", on=PAGE))
        return Section(way, heading, blocks)
    return Section(way, heading, [*blocks, _emergent_picture(rows, way)])


def _explained(made: Intersections) -> str:
    layers = made.scores.view.layer_names
    return (
        "A trait emerges where the intersectional group’s score lies above those of both components; "
        "mirrored, where it lies below both. p is the larger of two one-sided paired t tests over "
        f"{layers}, one for each component, adjusted over all cells and both ways (Benjamini and Hochberg)."
    )


def _is_sure(row: EmergentTrait) -> bool:
    return row.p_adjusted is not None and row.p_adjusted < RATE


def _emergent_picture(rows: Sequence[EmergentTrait], way: Way) -> Picture:
    marks = [
        dumbbell.Marks(
            f"{row.crossed}: {row.trait}",
            row.score,
            row.first_score,
            row.second_score,
            _is_sure(row),
        )
        for row in rows[:DRAWN]
    ]
    title = f"Traits {way} both components"
    wide, narrow = (
        dumbbell.dumbbells(marks, name=f"{way}-{size}", title=title, layout=layout)
        for size, layout in (("wide", dumbbell.WIDE), ("narrow", dumbbell.NARROW))
    )
    caption = (
        f"The furthest {way}. Small marks are the components, the large one is the intersectional group; "
        "filled where it is significant. Scores of traits, in the unit of the rule."
    )
    return Picture(f"emergent-{way}", wide, narrow, caption, _emergent_table(rows, way), BOTH)


def _emergent_table(rows: Sequence[EmergentTrait], way: Way) -> Table:
    ps = [row.p_adjusted for row in rows]
    parts = [f"{number(row.first_score)}, {number(row.second_score)}" for row in rows]
    return Table(
        "",
        [
            Column("", [f"{row.crossed}: {row.trait}" for row in rows], number=False, name="cell"),
            _number_column("by", [row.by for row in rows]),
            _number_column("score", [row.score for row in rows], drop=2),
            Column("components", parts, drop=3, in_files=False),
            Column("first", [row.first_score for row in rows], on=FILES_ONLY),
            Column("second", [row.second_score for row in rows], on=FILES_ONLY),
            Column("p", [row.p for row in rows], on=FILES_ONLY),
            Column("p (BH)", ps, shown=["" if p is None else p_text(p) for p in ps], drop=1),
        ],
        strong=[_is_sure(row) for row in rows],
        most=SHOWN,
        name=f"emergent-{way}",
    )


def _number_column(heading: str, values: Sequence[float], *, drop: int = 0) -> Column:
    return Column(heading, list(values), shown=[number(value) for value in values], drop=drop)


# ── Findings, how to repeat it, files ────────────────────────────────────────────────────────────


def _findings(made: Intersections) -> Section:
    heading = "What people were found to associate"
    if not made.agreements:
        return Section("findings", heading, [Text(sentence_end(_raised(made.findings)))])
    first = made.agreements[0]
    blocks: list[Block] = [
        Text(
            "A cell is an intersectional group that the findings name and a trait of the dimensions that "
            "they speak of; it is true where they say so, and predicted where the trait emerges. Precision "
            "is the share of predicted cells that are true, recall the share of true ones that are "
            "predicted. Chance picks as many cells at random.",
            on=PAGE,
        ),
        _findings_table(made),
        Text(f"Findings: {made.findings}."),
        *([Text(sentence_end(_raised(first.why)))] if first.why else []),
        Text(
            f"Groups: {', '.join(first.groups)}. The first p is hypergeometric and takes cells as "
            "independent; the second permutes the groups’ rows among all intersectional groups.",
            on=PAGE,
        ),
    ]
    return Section("findings", heading, blocks)


def _findings_table(made: Intersections) -> Table:
    rows = made.agreements
    precision = [a.precision for a in rows]
    dealt = [a.p_dealt for a in rows]
    return Table(
        "",
        [
            Column("emergent traits", [a.told_by for a in rows], number=False),
            Column("cells", [a.cells for a in rows], on=PAGE),
            Column("true", [a.true for a in rows], on=PAGE),
            Column("predicted", [a.told for a in rows], drop=3,
                   shown=[f"{a.told} of {a.cells}" for a in rows]),
            Column("both", [a.hits for a in rows], on=PAGE),
            Column("precision", precision,
                   shown=["undefined" if p is None else number(p) for p in precision]),
            Column("chance", [a.chance_precision for a in rows], name="chance_precision", drop=1,
                   shown=[number(a.chance_precision) for a in rows]),
            Column("recall", [a.recall for a in rows], shown=[number(a.recall) for a in rows]),
            Column("chance", [a.chance_recall for a in rows], name="chance_recall", drop=1,
                   shown=[number(a.chance_recall) for a in rows]),
            Column("p", [a.p for a in rows], drop=2, shown=[p_text(a.p) for a in rows]),
            Column("p, permuted", dealt, drop=2,
                   shown=["" if p is None else p_text(p) for p in dealt]),
        ],
        name="findings",
    )  # fmt: skip


def _repeat(made: Intersections) -> Section:
    card = made.cards[0]
    facts: dict[str, Json] = {
        "model": str(card.model.get("name", "")),
        "rule": card.rule,
        "convention": card.convention,
        "data": str(card.data.get("source", "")),
        "seed": made.seed,
        made.scores.view.layer_names: " · ".join(made.scores.templates),
    }
    blocks: list[Block] = [Code(card.command) for card in made.cards if card.command]
    return Section("repeat", "How to repeat it", [*blocks, Facts(facts), Text(SOURCE)], on=PAGE)


def file_tables(made: Intersections) -> dict[str, Table]:
    """Every cell, every intersectional group and every two domains, by the names of their files."""
    scores, taus = made.scores, made.taus
    order: dict[str, Sequence[Value]] = {
        "crossed": list(scores.intersectional),
        "first": [scores.singles[i] for i in scores.first],
        "second": [scores.singles[i] for i in scores.second],
        "tau_first": _known(taus.first),
        "tau_second": _known(taus.second),
        "tau_reversed": _known(taus.reversed),
    }
    domains: dict[str, Sequence[Value]] = {
        "domain": [d.domain for d in made.domains],
        "other": [d.other for d in made.domains],
        "n": [d.difference.n for d in made.domains],
        "tau": _known(np.array([d.tau for d in made.domains])),
        "other_tau": _known(np.array([d.other_tau for d in made.domains])),
        "difference": [d.difference.value for d in made.domains],
        "low": [d.difference.low for d in made.domains],
        "high": [d.difference.high for d in made.domains],
    }
    return {
        "emergent": Table("Emergent traits", [
            Column(name, values) for name, values in as_columns(scores, made.emergent).items()
        ]),
        "order": Table("Order", [Column(name, values) for name, values in order.items()]),
        "domains": Table("Domains", [Column(name, values) for name, values in domains.items()]),
    }  # fmt: skip


def _known(values: Array) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
