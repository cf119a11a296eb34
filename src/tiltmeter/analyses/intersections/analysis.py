"""intersections: intersectional groups (Black women) and their components."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.analyses.intersections import emergent_traits, human_findings, similarity
from tiltmeter.analyses.intersections.components import scores_of_runs
from tiltmeter.analyses.intersections.views import DOMINANCE, views_of
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    paragraphs,
)
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.options import CheckedOptions, Option, Seed
from tiltmeter.core.records import Record
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted, raised
from tiltmeter.data.groups.findings import packaged_findings, read_findings
from tiltmeter.derived.sources import all_results
from tiltmeter.report.text import number_of, sentence_end, span
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor

HEADLINE = quantity("groups", "Intersectional groups", counts="groups", decimals=0)
SOURCE = (
    "After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92, on "
    "what is asked; intervals and tests are Tiltmeter’s."
)


MOST_NAMED = 5
"""Pairs of domains that a sentence names."""


@dataclass(frozen=True, slots=True)
class IntersectionOptions(CheckedOptions):
    """The options of `tiltmeter analyse intersections`."""

    findings: Annotated[Path | None, Option(
        "Human associations with intersectional groups: TOML, CSV or JSONL (default: the few findings "
        "that the paper names).",
        file=True,
    )] = None  # fmt: skip
    traits: Annotated[Literal["pairs", "poles"], Option(
        "Compare groups by pair scores, or by both traits of each pair.",
    )] = "pairs"  # fmt: skip
    top: Annotated[int, Option(
        "How many emergent traits to list.", min=1,
    )] = emergent_traits.TOP  # fmt: skip
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
        *similarity.order_effect(scores, taus),
        *similarity.dominance(scores, taus),
        *emergent_traits.significant_counts(emerging),
        *agreement,
    ]
    records = [
        *(
            r
            for way in emergent_traits.WAYS
            for r in emergent_traits.ranked(scores, emerging, way, options.top)
        ),
        *_dominance(estimates, scores.view.domains.rows),
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
                    similarity.OTHER: f"other {view.domains.rows}",
                    human_findings.PREDICTED_BY: "emergent traits",
                }
            },
            views=tuple(views_of(scores, estimates, traits=options.traits, about=about)),
        ),
        records,
    )


def _dominance(estimates: Sequence[Estimate], domain: str) -> Iterator[Record]:
    """Which domains each dominates, and which dominate it."""
    known = [e for e in estimates if e.name == similarity.DOMAIN.name and e.value is not None]
    pairs = [(e.groups[domain], e.groups[similarity.OTHER]) for e in known]
    rows = [(*pair, e.value or 0.0) for pair, e in zip(pairs, known, strict=True)]
    unclear = [pair for pair, e in zip(pairs, known, strict=True) if not e.significant]
    if not any(map(similarity.dominates, known)):
        return
    for name, (over, under) in similarity.relations(rows, unclear).items():
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
    order = _order(numbers[similarity.ORDER])
    return paragraphs((headline, order, _dominating(numbers), _emerging(numbers)))


def _order(e: Estimate) -> str:
    """Which component intersectional groups are more similar to; "" where nothing says so."""
    if e.value is None or e.significant is None:
        return ""
    size, inside = number_of(e, abs(e.value)), f"95\u00a0% interval of second minus first {span(e)}"
    if not e.significant:
        return (
            "No significant difference in similarity (Kendall’s τ) between the component named "
            f"first and the one named second ({number_of(e, e.value)}, {inside})."
        )
    place = "second" if e.value > 0 else "first"
    return (
        f"Intersectional groups are more similar to the component named {place}: Kendall’s τ is {size} "
        f"higher ({inside})."
    )


def _dominating(numbers: Numbers) -> str:
    """Which domains dominate which, or that none does and how well that is known; "" without domains."""
    pairs = [e for e in numbers.all(similarity.DOMAIN.name) if e.value is not None]
    if not pairs:
        return ""
    of = counted(len(pairs), "domain pairs")
    found = [e for e in pairs if similarity.dominates(e)]
    if found:
        named = "; ".join(" over ".join(e.groups.values()) for e in found[:MOST_NAMED])
        more = f"; and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return f"One domain dominates the other in {len(found)} of {of}: {named}{more}."
    widths = [(e.value or 0.0) - e.low for e in pairs if e.low is not None]
    if not widths:
        return f"Which domain dominates: {pairs[0].why}."
    return (
        f"No domain dominates another significantly ({of}): with these groups, even the most "
        f"precise difference of τ is uncertain by ±{number_of(pairs[0], min(widths))}."
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


EXAMPLE = """\
>>> import tiltmeter as tm
>>> crossed = {"cross": "both", "groups": "woman, man, Black, veteran"}
>>> run = tm.run(
...     "group_traits", "fake:masked", settings={**crossed, "templates": "Most [group] are [trait]."}
... )
>>> tm.analyse.intersections(run).headline
<groups: 7, n 4>"""
ANALYSIS = Analysis(
    name="intersections", title="Intersectional groups and their components", version="1",
    source=SOURCE,
    summary="Intersectional groups (Black women) and their components: order, domains, emergent "
    "traits.",
    not_what="What is listed is what the model’s numbers say, not what is true of anybody.",
    example=EXAMPLE,
    inputs="A run folder with intersectional groups and their components (run group_traits --set "
    "cross=both), or one of each (cross=no and cross=only).",
    quantities=(
        HEADLINE, *similarity.QUANTITIES, *emergent_traits.EMERGENT.values(),
        *human_findings.QUANTITIES,
    ),
    compute=compute, options=IntersectionOptions, words=words,
)  # fmt: skip
