"""How intersectional groups are shown: order, domains, emergent traits, and findings of people."""

from collections.abc import Iterator, Sequence

from tiltmeter.analyses.intersections.components import ComponentScores
from tiltmeter.analyses.intersections.emergent_traits import CELL, CELL_SCORES, WAYS
from tiltmeter.analyses.intersections.human_findings import (
    BEYOND,
    CHANCE_PRECISION,
    CHANCE_RECALL,
    HITS,
    PRECISION,
    PREDICTED,
    PREDICTED_BY,
    RECALL,
    TRUE,
)
from tiltmeter.analyses.intersections.similarity import (
    CROSSED,
    DOMAIN,
    DOMINATES,
    GROUP,
    GROUP_SCORES,
    OF_DOMAIN,
    OF_OTHER,
    ORDER,
    OTHER,
    TAUS,
)
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.views import (
    Forest,
    NumberTable,
    RecordDumbbells,
    RecordTable,
    TextLines,
    View,
    number_columns,
)

DOMINANCE = "dominance"
"""Records of which domain dominates which."""


def views_of(
    scores: ComponentScores, estimates: Sequence[Estimate], *, traits: str, about: str
) -> Iterator[View]:
    """All tables and pictures.

    Args:
        scores: What was compared.
        estimates: All numbers.
        traits: "pairs" or "poles": what Kendall's tau is over.
        about: A sentence on the findings of people.
    """
    yield from _of_order(scores, traits)
    yield from _of_domains(scores, estimates)
    for way in WAYS:
        yield from _of_emergent(scores, way)
    yield from _of_findings(about)


def _of_order(scores: ComponentScores, traits: str) -> tuple[View, ...]:
    names = scores.view.column_names
    compared = names if traits == "pairs" else f"both traits of all {names}"
    return (
        Forest(
            "order", "Does the order of components matter?",
            caption="Mean tau of intersectional groups with each. Lines are 95 % intervals for other single "
            "groups of these domains: intersectional groups with a common component are not treated as "
            "independent.",
            measures=tuple(q.name for q in TAUS), heading="Kendall’s tau of intersectional groups",
        ),
        NumberTable(
            "taus", "Does the order of components matter?",
            caption="Mean Kendall’s τ of an intersectional group with …",
            explained="Kendall’s tau between the scores of an intersectional group and those of a "
            f"component, over {compared}: 1 is the same order of traits, 0 no relation. The component "
            "named first and the one named second are compared over groups that occur in both orders.",
            rows=("measure",), columns=number_columns("", n=1, value=0, interval=2),
            measures=tuple(q.name for q in (*TAUS, ORDER)),
        ),
        RecordTable(
            "order", "Does the order of components matter?", of=GROUP,
            axes=(CROSSED, "first", "second"), scores=GROUP_SCORES, on="files",
        ),
    )  # fmt: skip


def _of_domains(scores: ComponentScores, estimates: Sequence[Estimate]) -> Iterator[View]:
    domain = scores.view.domains.rows
    yield from (
        Forest(
            "domains", "Which domain counts more?",
            caption="Difference of mean tau, with 95 % intervals. An interval that contains 0 means no "
            "significant difference.",
            measures=(DOMAIN.name,), rows=(domain, OTHER), joined=" over ",
            heading="Which domain’s component an intersectional group is more similar to",
        ),
        NumberTable(
            "domains", "Which domain counts more?",
            caption="Component that intersectional groups are more similar to: difference of mean τ",
            explained="A domain is said to dominate another where intersectional groups of the two are "
            f"more similar to its component, by a mean tau at least {DOMINATES} higher and an interval "
            "without 0. The interval is for other groups of the two domains, and needs two groups of each; "
            "with few it is wide.",
            rows=(domain, OTHER),
            columns=(
                *DOMAIN.columns(n=1, value=0, interval=2), *OF_DOMAIN.columns(value=3),
                *OF_OTHER.columns(value=4),
            ),
            most=10,
        ),
        RecordTable(
            "dominance", "Which domain counts more?", of=DOMINANCE, axes=(domain,),
            texts=("dominates", "dominated by"), on="both",
        ),
    )  # fmt: skip
    if all(e.name != DOMAIN.name for e in estimates):
        yield TextLines(
            title="Which domain counts more?", lines=("No two domains are combined here.",), on="page",
        )  # fmt: skip


def _of_emergent(scores: ComponentScores, way: str) -> tuple[View, ...]:
    explained = ""
    if way == "above":  # of both ways, once is enough
        explained = (
            "A trait emerges where the intersectional group’s score lies above those of both "
            "components; mirrored, where it lies below both. p is the larger of two one-sided paired t "
            f"tests over {scores.view.layer_names}, one for each component, adjusted over all cells "
            "and both ways (Benjamini and Hochberg)."
        )
    return (
        RecordDumbbells(
            f"emergent-{way}", f"Traits {way} both components",
            caption=f"The furthest {way}. Small marks are the components, the large one is the "
            "intersectional group. Scores of traits, in the unit of the rule.",
            of=way, large="score", small=("first_score", "second_score"), p="p_adjusted",
            heading=f"Traits {way} both components",
        ),
        RecordTable(
            f"emergent-{way}", f"Traits {way} both components", explained=explained, of=way,
            axes=(CROSSED, "trait"),
            scores=("by", "score", "first_score", "second_score", "p", "p_adjusted"),
            headings={
                CROSSED: "group", "first_score": "first component", "second_score": "second component",
                "p_adjusted": "p (BH)",
            },
            ps=("p", "p_adjusted"),
            drops={"score": 3, "first_score": 4, "second_score": 4, "p_adjusted": 1}, files_only=("p",),
            most=10, on="both",
        ),
    )  # fmt: skip


def _of_findings(about: str) -> tuple[View, ...]:
    return (
        RecordTable(
            "emergent", "Emergent traits", of=CELL, axes=(CROSSED, "first", "second", "trait"),
            scores=CELL_SCORES, on="files",
        ),
        NumberTable(
            "findings", "What people were found to associate",
            explained="A cell is an intersectional group that the findings name and a trait of the "
            "dimensions that they speak of; it is true where they say so, and predicted where the "
            "trait emerges. Precision is the share of predicted cells that are true, recall the share "
            "of true ones that are predicted. Chance picks as many cells at random. The p of “both” is "
            "hypergeometric and takes cells as independent; that of “beyond chance” permutes the "
            "groups’ rows among all intersectional groups.",
            rows=(PREDICTED_BY,),
            columns=(
                *PREDICTED.columns("cells", n=4), *TRUE.columns(value=4), *PREDICTED.columns(value=3),
                *HITS.columns(value=3, p=2), *PRECISION.columns(), *CHANCE_PRECISION.columns(value=1),
                *RECALL.columns(), *CHANCE_RECALL.columns(value=1), *BEYOND.columns(value=5),
                *BEYOND.columns("p, permuted", p=2),
            ),
        ),
        TextLines(title="What people were found to associate", lines=(about,)),
    )  # fmt: skip
