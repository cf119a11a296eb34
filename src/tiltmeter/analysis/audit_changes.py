"""An audited model beside a reference: each study on the same items, p adjusted over the studies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.analysis.compare import compare
from tiltmeter.core.errors import BadInput, TiltmeterError
from tiltmeter.core.results import ALPHA, Estimate
from tiltmeter.run import folder as folders
from tiltmeter.stats.significance import holm

AUDIT = "audit"
"""As a card calls it."""
Way: TypeAlias = Literal["closer", "farther", "crossed", ""]
"""Crossed: the model and the reference lean to different sides."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A study of the model, as far as a comparison needs it."""

    label: str
    title: str
    folder: Path
    lead: Estimate | None
    """The number that stands for the study."""
    tests: Sequence[Estimate] = ()
    """Where no number over all items stands for it: one a subset."""


@dataclass(frozen=True, slots=True)
class StudyChange:
    """One study of the model and of the reference."""

    label: str
    title: str
    estimates: Sequence[Estimate] = ()
    """All differences: the model's value less the reference's."""
    lead: Estimate | None = None
    """The difference in the number that stands for the study."""
    tests: Sequence[Estimate] = ()
    """Where no number over all items stands for it: the differences of its subsets."""
    now: Estimate | None = None
    before: Estimate | None = None
    """That number of the model and of the reference."""
    p: float | None = None
    p_adjusted: float | None = None
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
        """Whether the model is closer to neutral than the reference; "" where nothing says so."""
        pair = (self.now, self.before)
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


def changes_between(
    studies: Sequence[Compared], reference: Mapping[str, Path], *, seed: int = 0
) -> list[StudyChange]:
    """How each study of the model differs from the reference's, with p adjusted over the studies.

    Args:
        studies: Of the model.
        reference: Run folders of the reference, by label.
        seed: Of bootstraps.
    """
    found = [_change(one, reference.get(one.label), seed) for one in studies]
    adjusted = holm([change.p for change in found])
    return [replace(change, p_adjusted=p) for change, p in zip(found, adjusted, strict=True)]


def _change(finding: Compared, other: Path | None, seed: int) -> StudyChange:
    if other is None:
        return StudyChange(finding.label, finding.title, why="the reference has no result of it")
    try:
        now, before = folders.read(finding.folder), folders.read(other)
        differences = compare(now, before, seed=seed)
    except TiltmeterError as error:
        return StudyChange(finding.label, finding.title, why=" ".join(str(error).split()))
    lead = finding.lead
    of = [e for e in differences if lead is not None and e.meaning.difference_of == lead.name]
    head = next((e for e in of if lead and e.groups == lead.groups), None)
    tests = (
        [e for e in of if lead and e.groups.keys() == lead.groups.keys()] if finding.tests else []
    )
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
    runs = [(one.get("label", ""), Path(one.get("folder", "")).name) for one in card.sources]
    return card.model_name, {label: folder / name for label, name in runs if label and name}
