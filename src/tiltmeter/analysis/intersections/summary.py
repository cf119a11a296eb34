"""All results about intersectional groups and their components, from one run or two."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from tiltmeter.analysis.intersections.components import ComponentScores, scores_of_runs
from tiltmeter.analysis.intersections.emergent_traits import (
    TOP,
    Emergent,
    EmergentTrait,
    Way,
    count,
    emergent,
    ranked,
)
from tiltmeter.analysis.intersections.human_findings import FindingsAgreement, against
from tiltmeter.analysis.intersections.similarity import (
    DomainPair,
    Taus,
    dominance,
    order_effect,
    relations,
    taus_of,
)
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.data.groups.findings import Finding
from tiltmeter.run import folder, folder_names

RATE = 0.05
"""False-discovery rate at which an emergent trait counts as significant."""
ABOVE, SIGNIFICANT = "above both components", "significantly above"
"""Which traits count as predicted, when they are held against findings of people."""
WAYS: tuple[Way, ...] = ("above", "below")


@dataclass(frozen=True, slots=True)
class Intersections:
    """What `tiltmeter intersections` finds."""

    cards: tuple[Card, ...]
    scores: ComponentScores
    traits: str
    """What groups are compared by: "pairs" or "poles"."""
    taus: Taus
    order: list[Estimate]
    domains: list[DomainPair]
    emergent: Emergent
    agreements: list[FindingsAgreement]
    """With findings of people: of all emergent traits, and of the significant ones where there are tests."""
    findings: str
    """The file of findings, or why there is no agreement."""
    seed: int

    @property
    def relations(self) -> dict[str, tuple[list[str], list[str]]]:
        """By domain: which others it dominates, and which dominate it."""
        rows = [(d.domain, d.other, d.tau, d.other_tau) for d in self.domains]
        return relations(row for row in rows if not np.isnan(row[2] - row[3]))

    def top(self, way: Way, most: int = TOP) -> list[EmergentTrait]:
        """The traits that lie furthest above both components, or below both."""
        return ranked(self.scores, self.emergent, way, most)

    def significant(self, way: Way) -> int:
        """How many emerge that way at a false-discovery rate of 5 %."""
        return count(self.emergent, way, rate=RATE)


def intersections(
    results: Sequence[Result],
    findings: Sequence[Finding],
    *,
    file: str,
    traits: str = "pairs",
    seed: int = 0,
) -> Intersections:
    """Order, domains, emergent traits, and how these agree with findings of people.

    Args:
        results: One run that holds intersectional groups and their components, or two.
        findings: What people were found to associate with intersectional groups.
        file: Where the findings stand, for the report.
        traits: "pairs" or "poles": what Kendall's tau is over.
        seed: Of resampling and permutation.

    Raises:
        BadInput: The runs do not hold what is needed, or do not belong together.
        UnknownName: A finding names a trait that the runs do not have.
    """
    scores = scores_of_runs(results)
    taus = taus_of(scores, traits=traits)
    emerging = emergent(scores)
    agreements, why = [], ""
    predicted = {ABOVE: emerging.above > 0}
    if emerging.tested:
        predicted[SIGNIFICANT] = emerging.q_above < RATE
    try:
        for named, marks in predicted.items():
            rng = np.random.default_rng(seed)
            agreements.append(against(scores, marks, findings, rng, told_by=named))
    except Undefined as undefined:
        why = f"no agreement with {file}: {undefined}"
    return Intersections(
        tuple(result.card for result in results),
        scores,
        traits,
        taus,
        order_effect(scores, taus, np.random.default_rng(seed)),
        dominance(scores, taus, np.random.default_rng(seed)),
        emerging,
        agreements,
        why or file,
        seed,
    )


def folder_name(made: Intersections, results: Sequence[Result]) -> str:
    """The folder: the model, the rule, and a digest of the runs and of how they were compared."""
    parts = [*map(folder_names.folder_name, results), made.traits, str(made.seed), made.findings]
    digest = sha256("\n".join(parts).encode()).hexdigest()[:8]
    model, rule = folder_names.slug(made.scores.name), folder_names.slug(made.cards[0].rule)
    return f"intersections-{model}-{rule}-{digest}"


def as_object(made: Intersections, most: int = TOP) -> dict[str, Any]:
    """For JSON: finite numbers or null."""
    scores = made.scores
    return {
        "model": scores.name,
        "rule": made.cards[0].rule,
        "cards": [{k: v for k, v in asdict(c).items() if k != "files"} for c in made.cards],
        "traits": made.traits,
        "seed": made.seed,
        "groups": {
            "single": len(scores.singles),
            "crossed": len(scores.intersectional),
            "in both orders": int((scores.reverse >= 0).sum()),
            "templates": len(scores.templates),
        },
        "notes": list(scores.notes),
        "estimates": [
            folder.plain(e) for e in (*made.order, *(d.difference for d in made.domains))
        ],
        "domains": [
            {
                "domain": d.domain,
                "other": d.other,
                "tau": _finite(d.tau),
                "other_tau": _finite(d.other_tau),
                "difference": d.difference.value,
                "low": d.difference.low,
                "high": d.difference.high,
                "n": d.difference.n,
            }
            for d in made.domains
        ],
        "dominance": {
            domain: {"dominates": sorted(over), "dominated_by": sorted(under)}
            for domain, (over, under) in made.relations.items()
        },
        "emergent": {
            way: {
                "sure": made.significant(way) if made.emergent.tested else None,
                "why": made.emergent.why,
                "rows": [asdict(row) for row in made.top(way, most)],
            }
            for way in WAYS
        },
        "findings": {"of": made.findings, "agreement": [asdict(a) for a in made.agreements]},
    }


def _finite(value: float) -> float | None:
    return None if np.isnan(value) else value
