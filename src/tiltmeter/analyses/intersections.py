"""intersections: intersectional groups (Black women) and their components."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from tiltmeter.analysis.intersections.components import ComponentScores, scores_of_runs
from tiltmeter.analysis.intersections.emergent_traits import (
    CELL,
    TOP,
    Emergent,
    Way,
    cell_records,
    count,
    emergent,
    ranked,
)
from tiltmeter.analysis.intersections.human_findings import (
    BEYOND,
    CHANCE_PRECISION,
    CHANCE_RECALL,
    HITS,
    PRECISION,
    PREDICTED,
    PREDICTED_BY,
    RECALL,
    TRUE,
    against,
)
from tiltmeter.analysis.intersections.similarity import (
    DOMAIN,
    DOMINATES,
    FIRST,
    NEARER,
    OF_DOMAIN,
    OF_OTHER,
    ORDER,
    OTHER,
    REVERSED,
    SECOND,
    Taus,
    dominance,
    order_effect,
    relations,
    taus_of,
)
from tiltmeter.analysis.sources import all_results
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    quantity,
)
from tiltmeter.core.analysis_views import (
    Forest,
    NumberColumn,
    NumberTable,
    RecordDumbbells,
    RecordTable,
    TextLines,
)
from tiltmeter.core.errors import Undefined
from tiltmeter.core.options import Option, Seed, check_options
from tiltmeter.core.results import Estimate, Paragraph, Record, Result, notes_of
from tiltmeter.core.views import View
from tiltmeter.data.groups.findings import Finding, packaged_findings, read_findings
from tiltmeter.report.text import counted, number_of, raised, sentence_end, span
from tiltmeter.run.folder_names import folder_name
from tiltmeter.run.monitor import Monitor

RATE = 0.05
"""False-discovery rate at which an emergent trait counts as significant."""
PREDICTIONS = "above both components", "significantly above"
"""Which traits count as predicted, when they are held against findings of people."""
WAYS: tuple[Way, ...] = ("above", "below")
GROUP = "group"
"""Kind of the records of intersectional groups."""
EMERGENT = {
    way: quantity(
        f"significant_{way}", f"Significant emergent traits {way} both components", way,
        counts="cells (a group and a trait)", decimals=0,
    )
    for way in WAYS
}  # fmt: skip
HEADLINE = quantity("groups", "Intersectional groups", counts="groups", decimals=0)
TAUS = (FIRST, SECOND, NEARER, REVERSED)
SOURCE = (
    "After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92, on what is "
    "asked; intervals and tests are Tiltmeter’s."
)
CELLS = (
    "A cell is an intersectional group that the findings name and a trait of the dimensions that they speak "
    "of; it is true where they say so, and predicted where the trait emerges. Precision is the share of "
    "predicted cells that are true, recall the share of true ones that are predicted. Chance picks as many "
    "cells at random. The p of “both” is hypergeometric and takes cells as independent; that of “beyond "
    "chance” permutes the groups’ rows among all intersectional groups."
)


@dataclass(frozen=True, slots=True)
class IntersectionOptions:
    """The options of `tiltmeter intersections`."""

    findings: Annotated[
        Path | None,
        Option(
            "Human associations with intersectional groups: TOML, CSV or JSONL (default: the few findings "
            "that the paper names).",
            file=True,
        ),
    ] = None
    traits: Annotated[
        Literal["pairs", "poles"],
        Option("Compare groups by pair scores, or by both traits of each pair."),
    ] = "pairs"
    top: Annotated[int, Option("How many emergent traits to list.", min=1)] = TOP
    seed: Seed = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be computed."""
        check_options(self)


def compute(inputs: Sequence[Input], options: IntersectionOptions, _: Monitor) -> Result:
    """Order, domains, emergent traits, and how these agree with findings of people."""
    known = read_findings(options.findings) if options.findings else packaged_findings()
    file = options.findings.name if options.findings else "those that the paper's text names"
    results = all_results(inputs)
    scores = scores_of_runs(results)
    taus = taus_of(scores, traits=options.traits)
    emerging = emergent(scores)
    agreement, about = _agreement(scores, emerging, known, file, options.seed)
    estimates = [
        HEADLINE.at(len(scores.intersectional), n=len(scores.singles)),
        *order_effect(scores, taus, np.random.default_rng(options.seed)),
        *dominance(scores, taus, np.random.default_rng(options.seed)),
        *_counts(emerging),
        *agreement,
    ]
    records = [
        *(record for way in WAYS for record in ranked(scores, emerging, way, options.top)),
        *_group_records(scores, taus),
        *cell_records(scores, emerging),
    ]
    card = results[0].card
    view = scores.view
    return finish(
        ANALYSIS,
        estimates,
        Circumstances(
            model={"name": scores.name, "fingerprint": card.model.get("fingerprint", "")},
            data={
                "name": card.data_name,
                "sha256": digest(*map(folder_name, results), options.traits, file, options.top),
                "source": card.data.get("source", ""),
                "warning": card.data.get("warning")
                or "This page says which traits a model associates with which groups of people.",
                "single groups": len(scores.singles),
                "groups in both orders": int((scores.reverse >= 0).sum()),
                view.layer_names: list(scores.templates),
            },
            rule=card.rule,
            convention=card.convention,
            subtitle=scores.name,
            seed=options.seed,
            method=SOURCE,
            settings={"traits": options.traits, "findings": file, "layers": view.layer_names},
            notes=notes_of("coverage", [sentence_end(raised(note)) for note in scores.notes]),
            sources=[{"run": folder_name(r), "command": r.card.command} for r in results],
            labels={
                "axis": {OTHER: f"other {view.row_domain}", PREDICTED_BY: "emergent traits"}
            },
            views=_views(scores, estimates, options, about),
        ),
        records,
    )  # fmt: skip


def _agreement(
    scores: ComponentScores, emerging: Emergent, findings: Sequence[Finding], file: str, seed: int
) -> tuple[list[Estimate], str]:
    """Precision and recall of emergent traits, and the groups that they are about or why there are none."""
    predicted = {PREDICTIONS[0]: emerging.above > 0}
    if emerging.tested:
        predicted[PREDICTIONS[1]] = emerging.q_above < RATE
    estimates: list[Estimate] = []
    groups: tuple[str, ...] = ()
    try:
        for named, marks in predicted.items():
            rng = np.random.default_rng(seed)
            made, groups = against(scores, marks, findings, rng, told_by=named)
            estimates += made
    except Undefined as undefined:
        return [], f"No agreement with {file}: {undefined}."
    return estimates, f"Findings: {file}. Groups: {', '.join(groups)}."


def _counts(emerging: Emergent) -> list[Estimate]:
    cells = emerging.score.size
    return [
        EMERGENT[way].at(
            count(emerging, way, rate=RATE) if emerging.tested else None, n=cells, why=emerging.why
        )
        for way in WAYS
    ]


def _group_records(scores: ComponentScores, taus: Taus) -> list[Record]:
    """Kendall's tau of each intersectional group with its components and its reverse."""
    records = []
    for i, name in enumerate(scores.intersectional):
        groups = {
            "crossed": name, "first": scores.singles[scores.first[i]],
            "second": scores.singles[scores.second[i]],
        }  # fmt: skip
        values = {
            FIRST.name: taus.first[i], SECOND.name: taus.second[i], REVERSED.name: taus.reversed[i],
        }  # fmt: skip
        known = {key: float(value) for key, value in values.items() if np.isfinite(value)}
        records.append(Record(name, known, groups, kind=GROUP))
    return records


def _views(
    scores: ComponentScores, estimates: Sequence[Estimate], options: IntersectionOptions, about: str
) -> tuple[View, ...]:
    view, domain = scores.view, scores.view.row_domain
    compared = (
        view.column_names
        if options.traits == "pairs"
        else f"both traits of all {view.column_names}"
    )
    order, domains = "Does the order of components matter?", "Which domain counts more?"
    findings = "What people were found to associate"
    pairs = [e for e in estimates if e.name == DOMAIN.name]
    return (
        Forest(
            "order", order, tuple(tau.name for tau in TAUS),
            heading="Kendall’s tau of intersectional groups",
            caption="Mean tau of intersectional groups with each. Lines are 95 % intervals: single groups "
            "are resampled within domains, so that intersectional groups with a common component are not "
            "treated as independent.",
        ),
        NumberTable(
            "taus", order, ("measure",),
            (
                NumberColumn(shows="n", drop=1), NumberColumn(), NumberColumn(shows="interval", drop=2),
            ),
            caption="Mean Kendall’s τ of an intersectional group with …",
            measures=tuple(tau.name for tau in (*TAUS, ORDER)),
            explained="Kendall’s tau between the scores of an intersectional group and those of a "
            f"component, over {compared}: 1 is the same order of traits, 0 no relation. The component named "
            "first and the one named second are compared over groups that occur in both orders.",
        ),
        RecordTable(
            "order", order, GROUP, ("crossed", "first", "second"),
            (FIRST.name, SECOND.name, REVERSED.name), on="files",
        ),
        Forest(
            "domains", domains, (DOMAIN.name,), (domain, OTHER), " over ",
            heading="Which domain’s component an intersectional group is more similar to",
            caption="Difference of mean tau, with 95 % intervals. An interval that contains 0 means no "
            f"significant difference, whatever the rule of {DOMINATES} says.",
        ),
        NumberTable(
            "domains", domains, (domain, OTHER),
            (
                NumberColumn(DOMAIN.name, "n", drop=1), NumberColumn(DOMAIN.name),
                NumberColumn(DOMAIN.name, "interval", drop=2),
                NumberColumn(OF_DOMAIN.name, drop=3), NumberColumn(OF_OTHER.name, drop=4),
            ),
            caption="Component that intersectional groups are more similar to: difference of mean τ",
            most=10,
            explained="A domain is said to dominate another where intersectional groups of the two are more "
            f"similar to its component, by a mean tau at least {DOMINATES} higher.",
        ),
        TextLines(domains, tuple(_dominance(estimates, domain)), on="page"),
        *([] if pairs else [TextLines(domains, ("No two domains are combined here.",), on="page")]),
        *(one for way in WAYS for one in _emergent_views(way, view.layer_names)),
        RecordTable(
            "emergent", "Emergent traits", CELL, ("crossed", "first", "second", "trait"),
            (
                "score", "first_score", "second_score", "above", "below", "p_above", "p_below",
                "p_above_adjusted", "p_below_adjusted",
            ),
            on="files",
        ),
        NumberTable(
            "findings", findings, (PREDICTED_BY,),
            (
                NumberColumn(PREDICTED.name, "n", "cells", drop=4), NumberColumn(TRUE.name, drop=4),
                NumberColumn(PREDICTED.name, drop=3), NumberColumn(HITS.name, drop=3),
                NumberColumn(HITS.name, "p", drop=2),
                NumberColumn(PRECISION.name), NumberColumn(CHANCE_PRECISION.name, drop=1),
                NumberColumn(RECALL.name), NumberColumn(CHANCE_RECALL.name, drop=1),
                NumberColumn(BEYOND.name, drop=5), NumberColumn(BEYOND.name, "p", "p, permuted", drop=2),
            ),
            explained=CELLS,
        ),
        TextLines(findings, (about,)),
    )  # fmt: skip


def _emergent_views(way: Way, layers: str) -> tuple[View, ...]:
    heading = f"Traits {way} both components"
    explained = (
        "A trait emerges where the intersectional group’s score lies above those of both components; "
        "mirrored, where it lies below both. p is the larger of two one-sided paired t tests over "
        f"{layers}, one for each component, adjusted over all cells and both ways (Benjamini and Hochberg)."
    )
    components = ("first_score", "second_score")
    return (
        RecordDumbbells(
            f"emergent-{way}", heading, way, "score", components, "p_adjusted", heading,
            caption=f"The furthest {way}. Small marks are the components, the large one is the "
            "intersectional group; filled where it is significant. Scores of traits, in the unit of the "
            "rule.",
        ),
        RecordTable(
            f"emergent-{way}", heading, way, ("crossed", "trait"),
            ("by", "score", *components, "p", "p_adjusted"),
            headings={
                "crossed": "group", "first_score": "first component",
                "second_score": "second component", "p_adjusted": "p (BH)",
            },
            ps=("p", "p_adjusted"), files_only=("p",),
            drops={"score": 3, "first_score": 4, "second_score": 4, "p_adjusted": 1},
            most=10, explained=explained if way == WAYS[0] else "", on="both",
        ),
    )  # fmt: skip


def _dominance(estimates: Sequence[Estimate], domain: str) -> list[str]:
    """Which domain dominates which, a line each."""
    taus: dict[tuple[str, str], dict[str, float]] = {}
    for e in estimates:
        if e.name in {OF_DOMAIN.name, OF_OTHER.name} and e.value is not None:
            taus.setdefault((e.groups[domain], e.groups[OTHER]), {})[e.name] = e.value
    rows = [(a, b, pair[OF_DOMAIN.name], pair[OF_OTHER.name]) for (a, b), pair in taus.items()]
    return [
        f"{name} dominates {', '.join(sorted(over)) or 'none'}; it is dominated by "
        f"{', '.join(sorted(under)) or 'none'}."
        for name, (over, under) in relations(rows).items()
    ]


def words(numbers: Numbers) -> list[Paragraph]:
    """What was compared, which component counts more, and what emerges."""
    card = numbers.card
    groups, layers = numbers[HEADLINE.name], card.settings["layers"]
    headline = (
        f"{card.model_name}: {counted(int(groups.value or 0), 'intersectional groups')}, made of "
        f"{counted(groups.n, 'single groups')}, in {counted(len(card.data[layers]), layers)}."
    )
    texts = [_order(numbers[ORDER.name]), _emerging(numbers)]
    return [Paragraph(headline, "headline"), *(Paragraph(text) for text in texts if text)]


def _order(e: Estimate) -> str:
    """Which component intersectional groups are more similar to; "" where nothing says so."""
    if e.value is None or e.significant is None:
        return ""
    size, inside = number_of(e, abs(e.value)), f"95\u00a0% interval of second less first {span(e)}"
    if not e.significant:
        return (
            "No significant difference in similarity (Kendall’s τ) between the components said first and "
            f"second ({number_of(e, e.value)}, {inside})."
        )
    place = "second" if e.value > 0 else "first"
    return (
        f"Intersectional groups are more similar to the component said {place}: Kendall’s τ is {size} "
        f"higher ({inside})."
    )


def _emerging(numbers: Numbers) -> str:
    """In how many cells a trait emerges, or why that is not tested."""
    above, below = (numbers[EMERGENT[way].name] for way in WAYS)
    if above.value is None or below.value is None:
        return sentence_end(raised(above.why))
    note = f" {sentence_end(raised(above.why))}" if above.why else ""
    return (
        f"Significant emergent traits, of {counted(above.n, 'cells')} (a group and a trait), at a "
        f"false-discovery rate of 5\u00a0%: {above.value:,.0f} above both components, {below.value:,.0f} "
        f"below both.{note}"
    )


ANALYSIS = Analysis(
    "intersections",
    "Intersectional groups and their components",
    "Intersectional groups (Black women) and their components: order, domains, emergent traits.",
    "1",
    SOURCE,
    "",
    "What is listed is what the model’s numbers say, not what is true of anybody.",
    (
        HEADLINE, ORDER, *TAUS, DOMAIN, OF_DOMAIN, OF_OTHER, *EMERGENT.values(), PREDICTED, TRUE, HITS,
        PRECISION, CHANCE_PRECISION, RECALL, CHANCE_RECALL, BEYOND,
    ),
    (),
    compute,
    IntersectionOptions,
    "A run folder with intersectional groups and their components (run group_traits --set cross=both), or "
    "one of each (cross=no and cross=only).",
    "RUN…",
    words=words,
)  # fmt: skip
