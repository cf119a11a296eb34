"""intersections: intersectional groups (Black women) and their components."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from tiltmeter.analysis.intersections import emergent_traits, human_findings, similarity
from tiltmeter.analysis.intersections.components import ComponentScores, scores_of_runs
from tiltmeter.analysis.sources import all_results
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    paragraphs,
)
from tiltmeter.core.analysis_views import (
    Forest,
    NumberColumn,
    NumberTable,
    RecordDumbbells,
    RecordTable,
    TextLines,
)
from tiltmeter.core.options import CheckedOptions, Option, Seed
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Estimate, Paragraph, Record, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import View
from tiltmeter.data.groups.findings import packaged_findings, read_findings
from tiltmeter.report.text import number_of, raised, sentence_end, span
from tiltmeter.run.folder_names import folder_name
from tiltmeter.run.monitor import Monitor

HEADLINE = quantity("groups", "Intersectional groups", counts="groups", decimals=0)
DOMINANCE = "dominance"
"""Records of which domain dominates which."""
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
class IntersectionOptions(CheckedOptions):
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
    top: Annotated[int, Option("How many emergent traits to list.", min=1)] = emergent_traits.TOP
    seed: Seed = 0


def compute(inputs: Sequence[Input], options: IntersectionOptions, _: Monitor) -> Result:
    """Order, domains, emergent traits, and how these agree with findings of people."""
    known = read_findings(options.findings) if options.findings else packaged_findings()
    file = options.findings.name if options.findings else "those that the paper's text names"
    results = all_results(inputs)
    scores = scores_of_runs(results)
    taus = similarity.taus_of(scores, traits=options.traits)
    emerging = emergent_traits.emergent(scores)
    agreement, about = human_findings.agreement(scores, emerging, known, file, seed=options.seed)
    estimates = [
        HEADLINE.at(len(scores.intersectional), n=len(scores.singles)),
        *similarity.order_effect(scores, taus, np.random.default_rng(options.seed)),
        *similarity.dominance(scores, taus, np.random.default_rng(options.seed)),
        *emergent_traits.significant_counts(emerging),
        *agreement,
    ]
    records = [
        *(
            r
            for way in emergent_traits.WAYS
            for r in emergent_traits.ranked(scores, emerging, way, options.top)
        ),
        *_dominance(estimates, scores.view.row_domain),
        *similarity.group_records(scores, taus),
        *emergent_traits.cell_records(scores, emerging),
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
                "axis": {
                    similarity.OTHER: f"other {view.row_domain}",
                    human_findings.PREDICTED_BY: "emergent traits",
                }
            },
            views=tuple(_views(scores, estimates, options, about)),
        ),
        records,
    )  # fmt: skip


def _views(
    scores: ComponentScores, estimates: Sequence[Estimate], options: IntersectionOptions, about: str
) -> Iterator[View]:
    names = scores.view.column_names
    yield from _order_views(names if options.traits == "pairs" else f"both traits of all {names}")
    yield from _domain_views(scores.view.row_domain, estimates)
    for way in emergent_traits.WAYS:
        yield from _emergent_views(way, scores.view.layer_names)
    yield RecordTable(
        "emergent", "Emergent traits", emergent_traits.CELL, ("crossed", "first", "second", "trait"),
        emergent_traits.CELL_SCORES, on="files",
    )  # fmt: skip
    title, of = "What people were found to associate", human_findings
    yield NumberTable(
        "findings", title, (of.PREDICTED_BY,),
        (
            NumberColumn(of.PREDICTED.name, "n", "cells", drop=4), *of.TRUE.columns(value=4),
            *of.PREDICTED.columns(value=3), *of.HITS.columns(value=3, p=2),
            *of.PRECISION.columns(), *of.CHANCE_PRECISION.columns(value=1),
            *of.RECALL.columns(), *of.CHANCE_RECALL.columns(value=1),
            *of.BEYOND.columns(value=5), NumberColumn(of.BEYOND.name, "p", "p, permuted", drop=2),
        ),
        explained=CELLS,
    )  # fmt: skip
    yield TextLines(title, (about,))


def _order_views(compared: str) -> Iterator[View]:
    """Similarity to the component said first and to the one said second."""
    title, taus = "Does the order of components matter?", similarity.TAUS
    yield Forest(
        "order", title, tuple(tau.name for tau in taus),
        heading="Kendall’s tau of intersectional groups",
        caption="Mean tau of intersectional groups with each. Lines are 95 % intervals: single groups "
        "are resampled within domains, so that intersectional groups with a common component are not "
        "treated as independent.",
    )  # fmt: skip
    yield NumberTable(
        "taus", title, ("measure",),
        (NumberColumn(shows="n", drop=1), NumberColumn(), NumberColumn(shows="interval", drop=2)),
        caption="Mean Kendall’s τ of an intersectional group with …",
        measures=tuple(tau.name for tau in (*taus, similarity.ORDER)),
        explained="Kendall’s tau between the scores of an intersectional group and those of a "
        f"component, over {compared}: 1 is the same order of traits, 0 no relation. The component named "
        "first and the one named second are compared over groups that occur in both orders.",
    )  # fmt: skip
    yield RecordTable(
        "order", title, similarity.GROUP, ("crossed", "first", "second"), similarity.GROUP_SCORES, on="files",
    )  # fmt: skip


def _domain_views(domain: str, estimates: Sequence[Estimate]) -> Iterator[View]:
    """Similarity to the components of every two domains."""
    title, difference = "Which domain counts more?", similarity.DOMAIN
    yield Forest(
        "domains", title, (difference.name,), (domain, similarity.OTHER), " over ",
        heading="Which domain’s component an intersectional group is more similar to",
        caption="Difference of mean tau, with 95 % intervals. An interval that contains 0 means no "
        f"significant difference, whatever the rule of {similarity.DOMINATES} says.",
    )  # fmt: skip
    yield NumberTable(
        "domains", title, (domain, similarity.OTHER),
        (
            *difference.columns(n=1, value=0, interval=2),
            *similarity.OF_DOMAIN.columns(value=3), *similarity.OF_OTHER.columns(value=4),
        ),
        caption="Component that intersectional groups are more similar to: difference of mean τ",
        most=10,
        explained="A domain is said to dominate another where intersectional groups of the two are more "
        f"similar to its component, by a mean tau at least {similarity.DOMINATES} higher.",
    )  # fmt: skip
    yield RecordTable(
        "dominance", title, DOMINANCE, (domain,), texts=("dominates", "dominated by"), on="both"
    )
    if all(e.name != difference.name for e in estimates):
        yield TextLines(title, ("No two domains are combined here.",), on="page")


def _emergent_views(way: emergent_traits.Way, layers: str) -> tuple[View, ...]:
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
            most=10, explained=explained if way == "above" else "", on="both",
        ),
    )  # fmt: skip


def _dominance(estimates: Sequence[Estimate], domain: str) -> Iterator[Record]:
    """Which domains each dominates, and which dominate it."""
    rows = [
        (e.groups[domain], e.groups[similarity.OTHER], e.value)
        for e in estimates
        if e.name == similarity.DOMAIN.name and e.value is not None
    ]
    for name, (over, under) in similarity.relations(rows).items():
        texts = {"dominates": ", ".join(sorted(over)), "dominated by": ", ".join(sorted(under))}
        yield Record(name, {}, {domain: name}, texts=texts, kind=DOMINANCE)


def words(numbers: Numbers) -> list[Paragraph]:
    """What was compared, which component counts more, and what emerges."""
    card = numbers.card
    groups, layers = numbers[HEADLINE], card.settings["layers"]
    headline = (
        f"{card.model_name}: {counted(int(groups.value or 0), 'intersectional groups')}, made of "
        f"{counted(groups.n, 'single groups')}, in {counted(len(card.data[layers]), layers)}."
    )
    return paragraphs((headline, _order(numbers[similarity.ORDER]), _emerging(numbers)))


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
    above, below = (numbers[of] for of in emergent_traits.EMERGENT.values())
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
    (HEADLINE, *similarity.QUANTITIES, *emergent_traits.EMERGENT.values(), *human_findings.QUANTITIES),
    (),
    compute,
    IntersectionOptions,
    "A run folder with intersectional groups and their components (run group_traits --set cross=both), or "
    "one of each (cross=no and cross=only).",
    "RUN…",
    words=words,
)  # fmt: skip
