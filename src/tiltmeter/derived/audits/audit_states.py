"""Whether each study of an audit has a result that says something: answered, defined and measured.

A number that rests on few replies, has no value or was never measured has not been shown to be within bounds.
In a release every study must have one (`require_complete`); elsewhere those without are named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tiltmeter.derived.audits.audit_findings import StudyFinding, is_unanswered
from tiltmeter.run.audits.audit_jobs import Unmeasured

State: TypeAlias = Literal["measured", "unanswered", "undefined", "not measured", "not applicable"]
"""unanswered: too few replies are answers. undefined: the main number has no value. not measured: the time
was up, data are not there, or an error. not applicable: the model cannot be asked what the study asks."""


@dataclass(frozen=True, slots=True)
class StudyState:
    """Whether a study of an audit has a result, and whether the audit needs it."""

    label: str
    title: str
    study: str
    state: State
    why: str = ""
    """Why the study has no such result; "" if it was measured."""
    required: bool = True
    """Whether a release needs its result: not where it does not apply to the model."""
    failed: bool = False
    """Whether an error ended it."""

    @property
    def lacks_result(self) -> bool:
        """Whether a release cannot be complete without it."""
        return self.required and self.state != "measured"


def study_states(
    findings: Sequence[StudyFinding], unmeasured: Sequence[Unmeasured], min_answered: float
) -> list[StudyState]:
    """The state of every study, those with a result first."""
    return [
        *(_of_finding(finding, min_answered) for finding in findings),
        *map(_of_unmeasured, unmeasured),
    ]


def _of_finding(finding: StudyFinding, min_answered: float) -> StudyState:
    about = (finding.label, finding.title, finding.result.card.study)
    replies, lead = finding.result.card.replies, finding.lead
    if replies is not None and is_unanswered(finding.result, min_answered):
        share = f"{100 * replies.share('answered'):.1f} % of replies are answers"
        why = f"{share}, fewer than {100 * min_answered:g} %: {replies.lacking}."
        return StudyState(*about, "unanswered", why)
    if lead is None or lead.value is None:
        return StudyState(*about, "undefined", (lead.why if lead else "") or "it has no number")
    return StudyState(*about, "measured")


def _of_unmeasured(missing: Unmeasured) -> StudyState:
    state: State = "not applicable" if missing.cause == "model" else "not measured"
    return StudyState(
        missing.label, missing.title, missing.study, state, missing.why, missing.required,
        missing.cause == "failed",
    )  # fmt: skip
