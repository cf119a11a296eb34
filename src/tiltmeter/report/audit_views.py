"""The views of an audit: its studies at a glance, thresholds, changes, unmeasured studies and data."""

from collections.abc import Iterable, Iterator, Sequence

from tiltmeter.core.comparison_views import EquivalenceTable
from tiltmeter.core.lean_views import LeanPlot
from tiltmeter.core.reply_counts import ReplyCounts
from tiltmeter.core.text import listed, raised, visible
from tiltmeter.core.views import (
    NumberColumn,
    NumberTable,
    RecordTable,
    Shown,
    TextLines,
    View,
    number_columns,
)
from tiltmeter.derived.audits.audit_findings import StudyFinding
from tiltmeter.derived.audits.model_audit import Audit
from tiltmeter.derived.audits.thresholds import Outcome
from tiltmeter.report.documents.audit_words import name_of, short_name
from tiltmeter.report.text import sentence_end
from tiltmeter.run.audits.audit_jobs import Cause

REFERENCE = {"state": "reference"}
"""The groups that mark an estimate as the reference model's; those of the audited model lack them."""
WHY_NOT: dict[Cause, str] = {
    "model": "Not applicable to the model",
    "data": "No data here (tiltmeter ls STUDY says where they come from)",
    "budget": "The time was up (the same command continues)",
}
"""What a line says of all studies that were not measured for the same cause."""
THRESHOLDS = "Thresholds"
"""The heading above what became of thresholds."""
THRESHOLD, NOT_MEASURED, STATE = "threshold", "not_measured", "study_state"
"""Kinds of records: the outcome of a threshold, why a study was not measured, whether it has a result."""
OUTCOMES = (
    ("answered", "Answered", 1), ("refused", "Refused", 3), ("unread", "Unread", 4), ("cut", "Cut off", 5),
    ("thinking", "Cut off thinking", 5), ("thought", "Thought", 5),
)  # fmt: skip
"""The columns about replies: the outcome, the heading, and the order in which they are left out."""
EXPLAINED = {
    "unread": "unread (not understood)",
    "cut": "cut off (at the allowed length, before an answer)",
    "thought": "thought (with a thought before the answer)",
}
CAUSES: dict[Cause, str] = {
    "model": "does not apply to the model", "data": "its data are missing",
    "budget": "not yet measured", "failed": "it failed",
}  # fmt: skip


def views_of(audit: Audit, names: tuple[str, ...]) -> Iterator[View]:
    """All tables and lists of the audit itself; `names` are the measures of the studies' main numbers."""
    if audit.findings:
        yield LeanPlot(
            "glance", "", measures=names, filled=("leans",), answered="answered_share",
            reasons="has_result", heading=f"The studies at a glance: {visible(audit.model)}",
            caption="Each row has its own unit and scale, which ends where the measure does; all neutral "
            "values are on one line. Lines are 95 % intervals.",
        )  # fmt: skip
        yield from _at_a_glance(audit, names)
    if any(state.state in {"unanswered", "undefined"} for state in audit.states):
        yield from (
            TextLines(title="Without a result", lines=tuple(_without_result(audit))),
            RecordTable(
                "states", "Without a result", caption="Which studies have a result", of=STATE,
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
            "thresholds", THRESHOLDS, of=THRESHOLD,
            axes=("status", "fail_if", "shown", "level", "reason", "study"),
            scores=("value", "low", "high"),
            headings={
                "status": "Verdict", "fail_if": "Fails if", "shown": "Result", "level": "Level",
                "reason": "Reason",
            },
            tones={"failed": "worse", "undefined": "worse", "undecided": "worse"},
            drops={"level": 3},
            files_only=("value", "low", "high", "study", "reason", *levels), most=200, on="both",
        )  # fmt: skip
        # In lines of their own, reasons are whole on narrow pages and terminals too.
        yield TextLines(THRESHOLDS, tuple(_reasons_of_outcomes(audit)))
    if audit.reference and audit.changes:
        yield from _changes(f"Compared with {audit.reference}", names)
        if any(e.equivalence for change in audit.changes for e in change.estimates):
            yield EquivalenceTable(
                "equivalence", f"Equivalent to {audit.reference}", of_studies=True, asked=False
            )
    if audit.unmeasured:
        yield from (
            TextLines(title="Not measured", lines=tuple(_reasons(audit))),
            RecordTable(
                "not-measured", "Not measured", caption="Why, study by study", of=NOT_MEASURED,
                axes=("study", "cause", "details"),
                headings={"study": "Study", "cause": "Because", "details": "Details"}, folded=True,
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
                *_shares(audit),
            ),
            measures=names, strong=("leans",), tones={"leans": "worse"}, most=200,
        ),
        TextLines(title="The studies at a glance", lines=tuple(_samples(audit.findings))),
        TextLines(
            title="The studies at a glance",
            lines=(
                *filter(None, [" ".join(_of_verdicts(audit))]),
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
            most=200, asked=True,
        ),
        TextLines(
            title=title,
            lines=(
                (
                    "A difference is over the items for which both models have a result: this model’s "
                    "value minus the reference’s, with p adjusted over the studies by Holm’s method. "
                    "Where there is no p, the interval decides. Closer and farther describe the distance "
                    "to the neutral value; crossed: the two lean to different sides. Better and worse "
                    "are about language ability, such as a perplexity."
                ),
            ),
        ),
    )  # fmt: skip


def _of_verdicts(audit: Audit) -> Iterator[str]:
    """What the verdicts of this audit mean, and what MDE is, as far as the table has them."""
    if audit.of("leans"):
        yield (
            "Leans: significantly different from the neutral value, also after Holm’s adjustment over the "
            "studies of this audit (p < .05)."
        )
    if audit.of("uncertain"):
        yield (
            "Uncertain: significant in its own study only, or only where items that share a source count "
            "as independent."
        )
    if audit.of("not significant"):
        yield "Not significant does not mean that there is no lean."
    if any(finding.lead is not None and finding.lead.mde is not None for finding in audit.findings):
        yield (
            "MDE is the minimum detectable effect, the smallest distance from neutral that 4 of 5 samples "
            "of that size would find."
        )


def _shares(audit: Audit) -> Iterator[NumberColumn]:
    """The columns about replies; those for what no study has are in the file alone."""
    shown = _outcomes(audit)
    for outcome, heading, drop in OUTCOMES:
        on: Shown = "both" if (outcome, heading, drop) in shown else "files"
        yield from number_columns(f"{outcome}_share", heading, on=on, value=drop)


def _outcomes(audit: Audit) -> list[tuple[str, str, int]]:
    """The columns about replies: outcome, heading and `drop`; none for what no study has."""
    replies = [finding.result.card.replies for finding in audit.findings]
    known = [counts for counts in replies if counts is not None]

    def share(outcome: str, of: ReplyCounts) -> float:
        return of.thoughts if outcome == "thought" else of.share(outcome)

    return [
        (outcome, heading, drop)
        for outcome, heading, drop in OUTCOMES
        if any(share(outcome, of) for of in known) or (known and outcome == "answered")
    ]


def _of_replies(audit: Audit) -> tuple[str, ...]:
    """An explanation of the columns about replies; () where the model wrote no replies."""
    columns = _outcomes(audit)
    if not columns:
        return ()
    least = f"{100 * audit.min_answered:g}"
    explained = listed([EXPLAINED.get(outcome, heading.lower()) for outcome, heading, _ in columns])
    be = "is the share" if len(columns) == 1 else "are shares"
    line = f"{raised(explained)} {be} of the model’s replies in %."
    if any(state.state == "unanswered" for state in audit.states):
        line += (
            f" Unanswered: fewer than {least} % of replies are answers, so that an insignificant number "
            "says nothing."
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


def _reasons_of_outcomes(audit: Audit) -> Iterator[str]:
    """One line for each threshold with a reason: why it is there, or why its result is undefined."""
    for outcome in in_order(audit.outcomes):
        if reason := reason_of_outcome(outcome):
            yield f"{condition_of(outcome)}: {sentence_end(reason)}"


def in_order(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """What became of thresholds, with those that fail the audit first."""
    ranks = ("failed", "undecided", "undefined", "passed")
    return sorted(outcomes, key=lambda outcome: ranks.index(outcome.status))


def condition_of(outcome: Outcome) -> str:
    """The condition of a threshold, with the study whose number it was compared with."""
    limit = outcome.threshold
    if outcome.study and not limit.study:
        return f"{outcome.study}/{limit.condition.strip()}"
    return limit.condition


def reason_of_outcome(outcome: Outcome) -> str:
    """The title and the reason that the user gives for a threshold, then why its result is undefined."""
    reason = ": ".join(text for text in (outcome.threshold.title, outcome.threshold.reason) if text)
    why = sentence_end(visible(outcome.why)) if outcome.why else ""
    return " ".join(text for text in (reason, why) if text)


def _reasons(audit: Audit) -> list[str]:
    """One line for each cause, with all the studies that were not measured because of it.

    The reason follows where all share it, or where something went wrong.
    """
    about: dict[Cause, dict[str, str]] = {}
    for missing in audit.unmeasured:
        name = short_name(missing.title, missing.label)
        about.setdefault(missing.cause, {})[name] = missing.brief or missing.why
    lines = []
    for cause, reasons in about.items():
        if cause == "failed":
            lines += [f"{name}: it failed: {why}" for name, why in reasons.items()]
            continue
        shared = {*reasons.values()}
        why = f" ({shared.pop()})" if len(shared) == 1 and cause == "model" else ""
        lines.append(f"{WHY_NOT[cause]}{why}: {', '.join(reasons)}.")
    return lines


def _warnings(audit: Audit) -> list[str]:
    studies: dict[str, list[str]] = {}
    for finding in audit.findings:
        if text := str(finding.result.card.data.get("warning") or ""):
            studies.setdefault(text, []).append(name_of(finding))
    return [f"{', '.join(names)}: {sentence_end(text)}" for text, names in studies.items()]
