"""An audit of a model: a finding a study, changes against a reference, and thresholds kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.core.equivalence_margins import EquivalenceMargins
from tiltmeter.core.errors import BadInput, TiltmeterError
from tiltmeter.core.estimates import ALPHA, Estimate
from tiltmeter.derived.audits.audit_findings import StudyFinding, Verdict, finding_of, ranked
from tiltmeter.derived.audits.audit_states import StudyState, study_states
from tiltmeter.derived.audits.thresholds import Outcome
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.derived.comparisons.equivalence import NO_MARGINS
from tiltmeter.run.audits.audit_jobs import AuditPlan, Unmeasured
from tiltmeter.run.audits.audit_profile import MIN_ANSWERED, Profile
from tiltmeter.run.files import folder as folders
from tiltmeter.stats.hypothesis_tests.exact_tests import holm

AUDIT = "audit"
"""The name of an audit on its card."""
Way: TypeAlias = Literal["closer", "farther", "crossed", "better", "worse", ""]
"""Crossed: the model and the reference lean to different sides."""


@dataclass(frozen=True, slots=True)
class StudyChange:
    """How one study of the model differs from the same study of the reference."""

    label: str
    title: str
    estimates: Sequence[Estimate] = ()
    """All differences: the model's value less the reference's."""
    lead: Estimate | None = None
    """The difference in the number that stands for the study."""
    tests: Sequence[Estimate] = ()
    """The differences by subset, of a study that no number over all items stands for."""
    now: Estimate | None = None
    before: Estimate | None = None
    """The value of the model and that of the reference."""
    p: float | None = None
    p_adjusted: float | None = None
    further: Sequence[Estimate] = ()
    """The significant differences over all items in other numbers than the main one, such as the share of
    refusals; their p are adjusted over all such differences of the audit."""
    why: str = ""
    """Why the two are not compared."""

    @property
    def significant(self) -> bool:
        """Whether the difference is significant after adjustment over the studies."""
        if self.lead is None or self.lead.value is None:
            return False
        alone = any(e.significant for e in self.tests) if self.tests else self.lead.significant
        return bool(alone) and (self.p_adjusted is None or self.p_adjusted < ALPHA)

    @property
    def way(self) -> Way:
        """Closer to neutral than the reference or farther; of a cost, better or worse; "" if unknown."""
        pair = (self.now, self.before)
        values = [e.value for e in pair if e is not None and e.value is not None]
        better = self.now.meaning.better if self.now is not None else ""
        if better and len(values) == len(pair) and values[0] != values[1]:
            return "better" if (values[0] > values[1]) == (better == "higher") else "worse"
        far = [
            e.value - e.neutral
            for e in pair
            if e is not None and e.value is not None and e.neutral is not None
        ]
        if self.tests or len(far) < len(pair) or abs(far[0]) == abs(far[1]):
            return ""
        if far[0] * far[1] < 0:
            return "crossed"
        return "closer" if abs(far[0]) < abs(far[1]) else "farther"


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of all studies of one model, with changes and thresholds."""

    model: str
    profile: str
    title: str
    """The title of the profile."""
    findings: Sequence[StudyFinding]
    """A finding for each study with a result, the strongest evidence first."""
    unmeasured: Sequence[Unmeasured]
    outcomes: Sequence[Outcome] = ()
    """What became of each threshold."""
    reference: str = ""
    """The name of the model or audit that it was compared with; "" for none."""
    changes: Sequence[StudyChange] = ()
    budget: float | None = None
    command: str = ""
    require_complete: bool = False
    """Whether the audit fails where a study that it needs has no result with enough answers."""
    min_answered: float = MIN_ANSWERED
    """The share of replies that must be answers."""

    @property
    def states(self) -> list[StudyState]:
        """Whether each study has a result that says something."""
        return study_states(self.findings, self.unmeasured, self.min_answered)

    @property
    def incomplete(self) -> list[StudyState]:
        """The studies that a complete audit needs and that have no such result."""
        return [state for state in self.states if state.lacks_result]

    @property
    def fails_incomplete(self) -> bool:
        """Whether the audit fails for lack of results: of some study, or of all."""
        nothing = not any(state.state == "measured" for state in self.states)
        return self.require_complete and (nothing or bool(self.incomplete))

    @property
    def tested(self) -> list[StudyFinding]:
        """The studies that test for a lean, with enough answers."""
        return self.of("leans", "uncertain", "not significant")

    def of(self, *verdicts: Verdict) -> list[StudyFinding]:
        """The findings with one of these verdicts."""
        return [finding for finding in self.findings if finding.verdict in verdicts]


def audited(
    plan: AuditPlan,
    profile: Profile,
    *,
    reference: str = "",
    reference_runs: Mapping[str, Path] | None = None,
    budget: float | None = None,
    command: str = "",
    seed: int = 0,
    margins: EquivalenceMargins = NO_MARGINS,
) -> Audit:
    """The audit of finished runs; its thresholds are judged afterwards.

    Args:
        plan: After its cells were run.
        profile: Which studies were asked for.
        reference: What the model is compared with: a model or an earlier audit.
        reference_runs: Run folders of the reference by the label of their study.
        budget: The time budget, in seconds.
        command: How to repeat it.
        seed: Of the comparison's bootstraps.
        margins: The differences that count as none.
    """
    runs = [
        finding_of(cell.row.label, cell.row.study.title, cell.folder, folders.read(cell.folder))
        for cell in plan.cells_of(plan.model)
        if cell.result is not None and cell.folder is not None
    ]
    findings = ranked(runs, profile.min_answered)
    changes: list[StudyChange] = []
    if reference_runs is not None:
        changes = changes_between(findings, reference_runs, seed=seed, margins=margins)
    return Audit(
        runs[0].result.card.model_name if runs else plan.called[plan.model],
        profile.name, profile.title, findings, plan.unmeasured,
        reference=reference, changes=changes, budget=budget, command=command,
        require_complete=profile.require_complete, min_answered=profile.min_answered,
    )  # fmt: skip


def changes_between(
    findings: Sequence[StudyFinding],
    reference: Mapping[str, Path],
    *,
    seed: int = 0,
    margins: EquivalenceMargins = NO_MARGINS,
) -> list[StudyChange]:
    """How each study of the model differs from the reference's, with p adjusted over the studies.

    `reference` has run folders of the reference, by label.
    """
    changes = [
        _change(finding, reference.get(finding.label), seed, margins) for finding in findings
    ]
    adjusted = holm([change.p for change in changes])
    further = _further_differences(changes)
    return [
        replace(change, p_adjusted=p, further=also)
        for change, p, also in zip(changes, adjusted, further, strict=True)
    ]


def _further_differences(changes: Sequence[StudyChange]) -> list[list[Estimate]]:
    """The significant differences of each study over all items, without those of main numbers."""
    known = [
        [e for e in change.estimates if not e.groups and e.p is not None and e is not change.lead]
        for change in changes
    ]
    adjusted = iter(holm([e.p for of_study in known for e in of_study]))
    judged = [
        [replace(e, p_adjusted=next(adjusted), adjustment="Holm") for e in of_study]
        for of_study in known
    ]
    return [[e for e in of_study if e.significant] for of_study in judged]


def _change(
    finding: StudyFinding, other: Path | None, seed: int, margins: EquivalenceMargins
) -> StudyChange:
    if other is None:
        return StudyChange(finding.label, finding.title, why="the reference has no result of it")
    try:
        now, before = finding.result, folders.read(other)
        differences = compare(now, before, seed=seed, margins=margins)
    except TiltmeterError as error:
        return StudyChange(finding.label, finding.title, why=" ".join(str(error).split()))
    lead = finding.lead
    of = [e for e in differences if lead is not None and e.meaning.difference_of == lead.name]
    head = next((e for e in of if lead and e.groups == lead.groups), None)
    tests = (
        [e for e in of if lead and e.groups.keys() == lead.groups.keys()] if finding.tests else []
    )
    if head is None:
        # The main number has no difference item by item, as a ratio of two rates has none.
        tests = _first_differences(differences)
        head = max(tests, key=lambda e: abs(e.value or 0.0), default=None)
    if head is None:
        return StudyChange(
            finding.label, finding.title, differences, why="its main number is not compared"
        )
    was = next(
        (e for e in before.estimates if lead and (e.name, e.groups) == (lead.name, lead.groups)),
        None,
    )
    adjusted = [e.p_adjusted if e.p_adjusted is not None else e.p for e in tests]
    known = [p for p in adjusted if p is not None]
    p = (min(known) if known else None) if tests else head.p
    return StudyChange(
        finding.label, finding.title, differences, head, tests, lead, was, p,
    )  # fmt: skip


def _first_differences(differences: Sequence[Estimate]) -> list[Estimate]:
    """The tested differences in the first measure that a study compares, over its finest subsets."""
    families: dict[tuple[str, ...], list[Estimate]] = {}
    for e in differences:
        if e.meaning.difference_of and e.value is not None and e.significant is not None:
            families.setdefault((e.name, *e.groups), []).append(e)
    first = next(iter(families), ("",))[0]
    return max((f for (name, *_), f in families.items() if name == first), key=len, default=[])


def runs_of_audit(folder: Path) -> tuple[str, dict[str, Path]]:
    """The model of an earlier audit, and its run folders by the label of their study.

    Raises:
        BadInput: The folder holds no audit, or a damaged one.
    """
    card = folders.read_card(folder)
    if card.study != AUDIT:
        raise BadInput(
            "this folder holds no audit",
            "give a model, or the folder of an audit",
            file=str(folder),
        )
    runs = [(run.get("label", ""), Path(run.get("folder", "")).name) for run in card.sources]
    return card.model_name, {label: folder / name for label, name in runs if label and name}
