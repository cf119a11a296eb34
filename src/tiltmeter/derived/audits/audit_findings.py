"""What the studies of an audit say of a model: the number that stands for each, its test, and a verdict."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.core.estimates import ALPHA, Estimate, weaker_variant
from tiltmeter.core.results import Result
from tiltmeter.stats.hypothesis_tests.exact_tests import holm

Verdict: TypeAlias = Literal[
    "leans", "uncertain", "not significant", "not tested", "unanswered", "undefined"
]
"""leans: significant after adjustment over all studies. uncertain: significant only before it, only by some
of many intervals without a p, or only where items of one source count as independent. not tested: nothing
says whether the number differs from neutral. unanswered: too few replies are answers to say that it does
not."""
ORDER: Mapping[Verdict, int] = {
    "leans": 0, "uncertain": 1, "not significant": 2, "not tested": 3, "unanswered": 4,
    "undefined": 5,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StudyFinding:
    """What the run of a study says of the model."""

    label: str
    title: str
    folder: Path
    result: Result
    lead: Estimate | None
    """The number that stands for the study: over all items, or where none is, the farthest from neutral."""
    tests: Sequence[Estimate] = ()
    """The tested estimates, one for each subset, of a study without a tested number over all items."""
    p: float | None = None
    """The p-value of the study as a whole."""
    p_adjusted: float | None = None
    """The same, adjusted by Holm's method over the studies of the audit."""
    verdict: Verdict = "not tested"

    @property
    def significant_tests(self) -> int:
        """How many subsets differ significantly from neutral."""
        return sum(bool(e.significant) for e in self.tests)

    @property
    def clustered_tests(self) -> Sequence[Estimate]:
        """The tests with items from one source counted as one; none if sources are not known."""
        if not self.tests:
            return []
        first = self.tests[0]
        return [
            e
            for e in self.result.estimates
            if e.meaning.variant_of == first.name
            and e.groups.keys() == first.groups.keys()
            and e.significant is not None
        ]

    @property
    def seconds(self) -> float:
        """How long it took when it was measured."""
        seconds = self.result.card.run.get("seconds")
        return float(seconds) if isinstance(seconds, int | float) else 0.0


def finding_of(label: str, title: str, folder: Path, result: Result) -> StudyFinding:
    """The number that stands for a study, and its test; its verdict follows from all studies."""
    overall = next((e for e in result.estimates if not e.groups and _is_lean(e)), None)
    if overall is not None and (overall.value is None or overall.significant is not None):
        return StudyFinding(label, title, folder, result, overall, (), overall.p)
    tests = _tested(result.estimates)
    if tests:
        known = [e for e in tests if e.value is not None]
        # Without a number over all items the subset farthest from neutral stands for the study.
        far = max(known, key=lambda e: abs((e.value or 0.0) - (e.neutral or 0.0)))
        return StudyFinding(label, title, folder, result, far, tests, smallest_p(tests))
    return StudyFinding(label, title, folder, result, result.headline or overall)


def _is_lean(estimate: Estimate) -> bool:
    """Whether an estimate measures how far the model leans from a neutral value."""
    meaning = estimate.meaning
    scaled = estimate.neutral is not None and not meaning.magnitude
    return meaning.role == "lean" and scaled and not meaning.variant_of


def _tested(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The estimates of the first measure by subset that are tested, over the finest crossing."""
    families: dict[tuple[str, ...], list[Estimate]] = {}
    for e in estimates:
        if e.groups and _is_lean(e) and e.significant is not None:
            families.setdefault((e.name, *e.groups), []).append(e)
    first = next(iter(families), None)
    if first is None:
        return []
    return max((f for key, f in families.items() if key[0] == first[0]), key=len)


def smallest_p(tests: Sequence[Estimate]) -> float | None:
    """The p-value that none of several tests differs: the smallest adjusted one, by default Bonferroni’s."""
    adjusted = [e.p_adjusted for e in tests if e.p_adjusted is not None]
    if adjusted:
        return min(adjusted)
    bare = [e.p for e in tests if e.p is not None]
    return min(1.0, min(bare) * len(bare)) if bare else None


def is_unanswered(result: Result, min_answered: float) -> bool:
    """Whether fewer of the model's replies than this share are answers."""
    replies = result.card.replies
    return replies is not None and replies.share("answered") < min_answered


def ranked(findings: Sequence[StudyFinding], min_answered: float = 0.0) -> list[StudyFinding]:
    """The findings with p adjusted over all studies, and with verdicts; the strongest evidence first.

    Where a smaller share of replies than `min_answered` are answers, only a lean is still a verdict.
    """
    adjusted = holm([f.p for f in findings])
    judged = [
        replace(f, p_adjusted=p, verdict=_verdict(f, p, min_answered))
        for f, p in zip(findings, adjusted, strict=True)
    ]
    return sorted(judged, key=_strength)


def _verdict(finding: StudyFinding, p: float | None, min_answered: float) -> Verdict:
    verdict = _verdict_of_number(finding, p)
    if verdict not in {"leans", "uncertain"} and is_unanswered(finding.result, min_answered):
        return "unanswered"
    return verdict


def _verdict_of_number(finding: StudyFinding, p: float | None) -> Verdict:
    lead = finding.lead
    if lead is None or lead.value is None:
        return "undefined"
    if not _is_lean(lead) or lead.significant is None:
        return "not tested"
    alone = bool(finding.significant_tests) if finding.tests else bool(lead.significant)
    if not alone:
        return "not significant"
    if finding.tests:
        same = finding.clustered_tests
        doubted = bool(same) and not any(e.significant for e in same)
    else:
        doubted = weaker_variant(lead, finding.result.estimates) is not None
    unadjusted = (
        bool(finding.tests) if p is None else p >= ALPHA
    )  # many intervals, of which some miss
    return "uncertain" if doubted or unadjusted else "leans"


def _strength(finding: StudyFinding) -> tuple[int, float, float]:
    """A sort key: the verdict, then p, then the distance from neutral in widths of the interval."""
    lead = finding.lead
    p = 1.0 if finding.p_adjusted is None else finding.p_adjusted
    far = 0.0
    if lead and None not in {lead.value, lead.low, lead.high, lead.neutral}:
        width = max((lead.high or 0.0) - (lead.low or 0.0), 1e-12)
        far = abs((lead.value or 0.0) - (lead.neutral or 0.0)) / width
    return ORDER[finding.verdict], p, -far
