"""Whether the order of components matters, and which domain's component counts more."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.intersections.similarity import DOMINATES, ORDER, DomainPair
from tiltmeter.analysis.intersections.summary import Intersections
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import TableRows, interval_columns, value_column
from tiltmeter.report.document import BOTH, PAGE, TERMINAL, Block, Section, Table, Text
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import ForestLayout, Row
from tiltmeter.report.text import number, raised, sentence_end, span, title, why_undefined

SHOWN = 10
"""Pairs of domains that the terminal shows."""
WIDE = ForestLayout(width=720, left=286, right=484, row=28, letters=38)
NARROW = ForestLayout(width=400, left=14, right=386, row=46, stacked=True, letters=24)
"""Names of two domains are long, and so are numbers with a minus sign."""


def order_section(made: Intersections) -> Section:
    """Tau with either component, and with the same components in the other order."""
    known = [e for e in made.order if e.value is not None]
    rows = [Row(title(e), e) for e in known if e.name != ORDER]
    columns = made.scores.view.column_names
    compared = columns if made.traits == "pairs" else f"both traits of all {columns}"
    pictures = forest_pictures(
        rows,
        name="order",
        title="Kendall’s tau of intersectional groups",
        caption="Mean tau of intersectional groups with each. Lines are 95 % intervals: single groups are "
        "resampled within domains, so that intersectional groups with a common component are not treated "
        "as independent.",
        table=_tau_table(known),
        on=BOTH,
        layouts=(WIDE, NARROW),
    )
    blocks: list[Block] = [
        Text(
            f"Kendall’s tau between the scores of an intersectional group and those of a component, over "
            f"{compared}: 1 is the same order of traits, 0 no relation. The component "
            "named first and the one named second are compared over groups that occur in both orders.",
            on=PAGE,
        ),
        *pictures,
    ]
    undefined = [e for e in made.order if e.value is None]
    blocks += [Text(f"{raised(title(e))}: undefined: {why_undefined(e)}.") for e in undefined]
    notes = dict.fromkeys(e.why for e in known if e.why)
    blocks += [Text(sentence_end(raised(why)), "note") for why in notes]
    return Section("order", "Does the order of components matter?", blocks)


def order_finding(made: Intersections) -> str:
    """Which component intersectional groups are more similar to; "" where nothing says so."""
    e = next((e for e in made.order if e.name == ORDER and e.significant is not None), None)
    if e is None or e.value is None:
        return ""
    size, inside = number(abs(e.value)), f"95\u00a0% interval of second less first {span(e)}"
    if not e.significant:
        return (
            "No significant difference in similarity (Kendall’s τ) between the components said first and "
            f"second ({number(e.value)}, {inside})."
        )
    place = "second" if e.value > 0 else "first"
    return (
        f"Intersectional groups are more similar to the component said {place}: Kendall’s τ is {size} "
        f"higher ({inside})."
    )


def _tau_table(known: Sequence[Estimate]) -> Table:
    return Table(
        "Mean Kendall’s τ of an intersectional group with …",
        [
            TableRows(known).words("", title, name="with"),
            TableRows(known).counts("n", lambda e: e.n, drop=1),
            value_column(known),
            *interval_columns(known, drop=2),
        ],
        name="taus",
    )


def domain_section(made: Intersections) -> Section:
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
        blocks.append(Text("No two domains are combined here.", on=PAGE))
        return Section("domains", "Which domain counts more?", blocks)
    pictures = forest_pictures(
        [Row(f"{d.domain} less {d.other}", d.difference) for d in pairs],
        name="domains",
        title="Which domain’s component an intersectional group is more similar to",
        caption="Difference of mean tau, with 95 % intervals. An interval that contains 0 means no "
        f"significant difference, whatever the rule of {DOMINATES} says.",
        layouts=(WIDE, NARROW),
    )
    blocks += [*pictures, _domain_table(pairs), _dominance_table(made), _all_domains_table(made)]
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
    of, differences = TableRows(pairs), [d.difference for d in pairs]
    return Table(
        "Component that intersectional groups are more similar to: difference of mean τ",
        [
            of.words("", lambda d: f"{d.domain} over {d.other}", name="domains"),
            of.counts("n", lambda d: d.difference.n, drop=1),
            value_column(differences, "difference"),
            *interval_columns(differences, drop=2),
        ],
        most=SHOWN,
        on=TERMINAL,
        name="domain-differences",
    )


def _dominance_table(made: Intersections) -> Table:
    rows = TableRows([
        (name, *(", ".join(sorted(domains)) or "none" for domains in both))
        for name, both in made.relations.items()
    ])  # fmt: skip
    return Table(
        "Which domain dominates which",
        [
            rows.words("Domain", lambda row: row[0]),
            rows.words("Dominates", lambda row: row[1]),
            rows.words("Dominated by", lambda row: row[2]),
        ],
        on=PAGE,
        name="dominance",
    )


def _all_domains_table(made: Intersections) -> Table:
    of, differences = TableRows(made.domains), [d.difference for d in made.domains]
    return Table(
        "All pairs of domains",
        [
            of.words("A", lambda d: d.domain),
            of.words("B", lambda d: d.other),
            of.counts("n", lambda d: d.difference.n),
            of.numbers("τ with A", lambda d: known(d.tau)),
            of.numbers("τ with B", lambda d: known(d.other_tau)),
            value_column(differences, "A less B"),
            interval_columns(differences, show=span)[0],
            of.words("Note", lambda d: d.difference.why),
        ],
        folded=True,
        on=PAGE,
        name="all-domains",
    )


def known(value: float) -> float | None:
    """The number; None where it is not a number."""
    return None if np.isnan(value) else float(value)
