"""The views of an audit: its studies at a glance, thresholds, changes, unmeasured studies and data."""

from collections.abc import Iterator, Sequence

from tiltmeter.core.comparison_views import EquivalenceTable
from tiltmeter.core.text import visible
from tiltmeter.core.views import NumberTable, RecordTable, TextLines, View, number_columns
from tiltmeter.derived.audits.audit_findings import StudyFinding
from tiltmeter.derived.audits.model_audit import Audit
from tiltmeter.report.documents.audit_words import name_of, short_name
from tiltmeter.report.text import sentence_end
from tiltmeter.run.audits.audit_jobs import Cause

REFERENCE = {"state": "reference"}
"""The groups that mark an estimate as the reference model's; those of the audited model lack them."""
THRESHOLD, NOT_MEASURED, STATE = "threshold", "not_measured", "study_state"
"""Kinds of records: the outcome of a threshold, why a study was not measured, whether it has a result."""
CAUSES: dict[Cause, str] = {
    "model": "does not apply to the model", "data": "its data are missing",
    "budget": "not yet measured", "failed": "it failed",
}  # fmt: skip


def views_of(audit: Audit, names: tuple[str, ...]) -> Iterator[View]:
    """All tables and lists of the audit itself; `names` are the measures of the studies' main numbers."""
    if audit.findings:
        yield from _at_a_glance(audit, names)
    if any(state.state in {"unanswered", "undefined"} for state in audit.states):
        yield from (
            TextLines(title="Without a result", lines=tuple(_without_result(audit))),
            RecordTable(
                "states", "Which studies have a result", of=STATE,
                axes=("study", "state", "required", "details"),
                headings={
                    "study": "Study", "state": "State", "required": "Required", "details": "Details",
                },
                folded=True, on="page",
            ),
        )  # fmt: skip
    if audit.outcomes:
        # Where all of one level fail the audit alike, the column would say the same in each row.
        alike = all(outcome.threshold.level == "error" for outcome in audit.outcomes)
        levels = ("level",) if alike else ()
        yield RecordTable(
            "thresholds", "Thresholds", of=THRESHOLD,
            axes=("status", "fail_if", "shown", "level", "reason", "study"),
            scores=("value", "low", "high"),
            headings={
                "status": "Verdict", "fail_if": "Fails if", "shown": "Value", "level": "Level",
                "reason": "Reason",
            },
            tones={"failed": "worse", "undefined": "worse", "undecided": "worse"},
            drops={"level": 3, "reason": 1},
            files_only=("value", "low", "high", "study", *levels), most=200, on="both",
        )  # fmt: skip
    if audit.reference and audit.changes:
        yield from _changes(f"Compared with {audit.reference}", names)
        if any(e.equivalence for change in audit.changes for e in change.estimates):
            yield EquivalenceTable(
                "equivalence", f"Equivalent to {audit.reference}", of_studies=True, asked=False
            )
    if audit.unmeasured:
        yield from (
            TextLines(title="Not measured", lines=tuple(_reasons(audit)), on="terminal"),
            RecordTable(
                "not-measured", "Not measured", of=NOT_MEASURED, axes=("study", "cause", "details"),
                headings={"study": "Study", "cause": "Because", "details": "Details"},
            ),
        )  # fmt: skip
    yield RecordTable(
        "data", "Data", of="data", axes=("study", "data", "licence", "source", "sha256"),
        scores=("items",),
        headings={
            "study": "Study", "data": "Data", "licence": "Licence", "source": "Source",
            "items": "Items",
        },
        decimals={"items": 0}, files_only=("sha256",),
    )  # fmt: skip
    if warnings := _warnings(audit):
        yield TextLines("Content warnings of the data", tuple(warnings), on="page")
    if audit.findings:
        facts = audit.findings[0].result.card.model.items()
        lines = [f"{k}: {'not stated' if v in (None, '') else visible(str(v))}" for k, v in facts]
        yield TextLines("Model", tuple(lines), on="page")


def _at_a_glance(audit: Audit, names: tuple[str, ...]) -> tuple[View, ...]:
    return (
        NumberTable(
            "studies", "The studies at a glance", rows=("study",),
            columns=(
                *number_columns("", "Verdict", verdict=0),
                *number_columns("", "Result (95 % interval)", result=0), *number_columns("", "n", n=0),
                *number_columns("", "Towards", towards=6),
                *number_columns("", "p (Holm)", p_adjusted=2), *number_columns("", "MDE", mde=8),
                *number_columns("", "Neutral", neutral=7),
                *number_columns("answered_share", "Answered", value=1),
                *number_columns("refused_share", "Refused", value=3),
                *number_columns("unread_share", "Unread", value=4),
                *number_columns("cut_share", "Cut off", value=5),
                *number_columns("thinking_share", "Cut off thinking", value=5),
                *number_columns("thought_share", "Thought", value=5),
            ),
            measures=names, strong=("leans",), tones={"leans": "worse"}, most=200,
        ),
        TextLines(title="The studies at a glance", lines=tuple(_samples(audit.findings))),
        TextLines(
            title="The studies at a glance",
            lines=(
                (
                    "Leans: significantly different from the neutral value, also after Holm’s "
                    "adjustment over the studies of this audit (p < .05). Uncertain: significant in "
                    "its own study only, or only where items that share a source count as independent. "
                    "Not significant does not mean that there is no lean: MDE is the minimum "
                    "detectable effect, the smallest distance from neutral that 4 of 5 samples of that "
                    "size would find."
                ),
                *_of_replies(audit),
            ),
        ),
    )  # fmt: skip


def _changes(title: str, names: tuple[str, ...]) -> tuple[View, ...]:
    return (
        NumberTable(
            "changes", title, rows=("study",),
            columns=(
                *number_columns("", "Change", signed=True, verdict=0),
                *number_columns("", "This model", value=3),
                *number_columns("", "Reference", at=REFERENCE, value=3),
                *number_columns("", "Difference (95 % interval)", signed=True, result=0),
                *number_columns("", "p (Holm)", signed=True, p_adjusted=1),
            ),
            measures=names, strong=("closer", "farther", "crossed", "better", "worse", "different"),
            tones={"closer": "better", "farther": "worse", "better": "better", "worse": "worse"},
            most=200,
        ),
        TextLines(
            title=title,
            lines=(
                (
                    "Both models were asked about the same items; a difference is this model’s value "
                    "less the reference’s, with p adjusted over the studies by Holm’s method. Where "
                    "there is no p, the interval decides. Closer and farther describe the distance to "
                    "the neutral value; crossed: the two lean to different sides. Better and worse are "
                    "about language ability, such as a perplexity."
                ),
            ),
        ),
    )  # fmt: skip


def _of_replies(audit: Audit) -> tuple[str, ...]:
    """An explanation of the columns about replies; () where the model wrote no replies."""
    if not any(finding.result.card.replies for finding in audit.findings):
        return ()
    least = f"{100 * audit.min_answered:g}"
    line = (
        "Answered, refused, unread (not understood) and cut off (at the allowed length, before an "
        "answer or while thinking) are shares of the model’s replies in %; thought is the share with a "
        f"thought before the answer. Unanswered: fewer than {least} % of replies are answers, so that an "
        "insignificant number says nothing."
    )
    return (line,)


def _samples(findings: Sequence[StudyFinding]) -> list[str]:
    """One line that names the studies of which only a random sample was run; [] where there are none."""
    samples = [
        f"{name_of(finding)}, {visible(str(sample))}"
        for finding in findings
        if (sample := finding.result.card.data.get("sample"))
    ]
    return [f"Random samples: {'; '.join(samples)}."] if samples else []


def _without_result(audit: Audit) -> Iterator[str]:
    """One line for each study whose main number rests on too few answers or is undefined."""
    for state in audit.states:
        if state.state in {"unanswered", "undefined"}:
            name = short_name(state.title, state.label)
            yield f"{name}: {state.state}: {sentence_end(visible(state.why))}"


def _reasons(audit: Audit) -> list[str]:
    """One line for each reason, with all the studies that were not measured because of it."""
    about: dict[str, list[str]] = {}
    for missing in audit.unmeasured:
        because = f"{CAUSES[missing.cause]}: {missing.brief or missing.why}"
        about.setdefault(because, []).append(short_name(missing.title, missing.label))
    return [f"{'; '.join(which)}: {because}" for because, which in about.items()]


def _warnings(audit: Audit) -> list[str]:
    studies: dict[str, list[str]] = {}
    for finding in audit.findings:
        if text := str(finding.result.card.data.get("warning") or ""):
            studies.setdefault(text, []).append(name_of(finding))
    return [f"{', '.join(names)}: {sentence_end(text)}" for text, names in studies.items()]
