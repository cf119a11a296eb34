"""Turns an audit into a result, with findings, thresholds and changes as estimates and records."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tiltmeter.core.analysis import Circumstances, RunCollection, digest, finish
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.text import raised, visible
from tiltmeter.derived.audits.audit_findings import StudyFinding
from tiltmeter.derived.audits.audit_states import StudyState
from tiltmeter.derived.audits.model_audit import AUDIT, Audit, StudyChange
from tiltmeter.derived.audits.thresholds import Outcome, PrintedEstimate
from tiltmeter.report.audit_views import (
    CAUSES,
    NOT_MEASURED,
    REFERENCE,
    STATE,
    THRESHOLD,
    condition_of,
    in_order,
    reason_of_outcome,
    views_of,
)
from tiltmeter.report.documents.audit_words import name_of, summary
from tiltmeter.report.documents.views.equivalence_table import claim_text
from tiltmeter.report.documents.views.number_table import result_text
from tiltmeter.report.sentences import caution
from tiltmeter.report.text import p_text
from tiltmeter.run.audits.audit_profile import time_text

LEANING = quantity(
    "significant_studies", "Studies with a significant lean", counts="studies", decimals=0
)
TESTS = quantity(
    "significant_tests", "Significant tests", "significant", counts="tests", decimals=0
)
CHANGED_TESTS = quantity(
    "changed_tests", "Tests that differ significantly", "differ significantly", counts="tests",
    decimals=0, difference_of=TESTS.name,
)  # fmt: skip
SHARES = {
    outcome: quantity(f"{outcome}_share", f"Replies that {words}", short, counts="replies", unit="%")
    for outcome, words, short in (
        ("answered", "are answers", "answered"), ("refused", "are refusals", "refused"),
        ("unread", "were not understood", "not understood"),
        ("cut", "were cut off before an answer", "cut off"),
        ("thinking", "were cut off while thinking", "cut off while thinking"),
        ("empty", "are empty", "empty"),
    )
}  # fmt: skip
"""The share of a model's replies in a study that had each outcome, by the name of the outcome."""
THOUGHT = quantity(
    "thought_share",
    "Replies with a thought before the answer",
    "thought",
    counts="replies",
    unit="%",
)
"""The share of a model's replies in a study with a thought, whatever their outcome."""
HAS_RESULT = quantity("has_result", "Studies with a result", counts="studies", decimals=0)
"""How many studies of the audit have a result; for one study, 1 or 0, with the study's state as verdict."""
OWN = (LEANING, HAS_RESULT, TESTS, CHANGED_TESTS, *SHARES.values(), THOUGHT)
"""The quantities that an audit reports itself, besides those of its studies."""
TITLE = "Audit of a language model"
METHOD = (
    "Every study was run by the first of its rules that the model can answer, and as its own section "
    "says. Within a study, p is adjusted over its categories; over the studies of this audit, p of "
    "each study’s main number is adjusted by Holm’s method, which keeps the chance of any false "
    "finding under 5 %. A study without a number over all items counts as one test: that none of its "
    "tests differs.\n\n"
    "Texts of items are left out of this page; the pages in the run folders have them."
)


def audit_result(audit: Audit) -> Result:
    """The audit as a result that holds the results of its studies' runs, by the names of their folders.

    Estimates about a study carry its label, which tells two runs of the same study apart.
    """
    first = audit.findings[0].result.card if audit.findings else None
    facts = dict(first.model) if first else {"name": audit.model, "fingerprint": ""}
    folders = [study.folder.name for study in audit.findings]
    estimates = own_estimates(audit)
    settings = {"profile": audit.profile}
    if audit.budget is not None:
        settings["max_time"] = time_text(audit.budget)
    if audit.require_complete:
        settings["complete"] = f"required, with {100 * audit.min_answered:g} % of replies answered"
    if audit.reference:
        settings["reference"] = audit.reference
    subtitle = [audit.title]
    if audit.budget is not None:
        subtitle.append(f"time budget {time_text(audit.budget)}")
    result = finish(
        RunCollection(
            name="audit", title=TITLE, version="1",
            means="Each study asks the model about sentences or words that concern social groups, and "
            "counts how far its answers are from neutral. Studies measure different things; their "
            "numbers are not on one scale and are not added up.",
            not_what="That the model is safe to use. Each study covers some groups, mostly in English "
            "and from one country’s view; what people meet in use depends on the application. A study "
            "without a significant lean may still have missed a small one. Significant does not mean "
            "large.",
            quantities=OWN, words=lambda _: summary(audit),
        ),
        estimates,
        Circumstances(
            data={"name": audit.title, "sha256": digest(*folders)}, model=facts,
            subtitle=" · ".join(subtitle), method=METHOD, settings=settings,
            sources=[
                {"name": name_of(study), "label": study.label, "folder": study.folder.name}
                for study in audit.findings
            ],
            labels={
                "study": {
                    **{study.label: visible(study.title.partition(": ")[0]) for study in audit.unmeasured},
                    **{study.label: name_of(study) for study in audit.findings},
                },
                "axis": {"study": "Study"},
            },
            views=tuple(views_of(audit, _main_numbers(estimates))),
            measures={e.name: e.meaning for e in reversed(estimates)},
        ),
        [
            *map(_gate, in_order(audit.outcomes)), *map(_state, audit.states), *_unmeasured(audit),
            *map(_data, audit.findings),
        ],
    )  # fmt: skip
    title = f"Audit of {visible(audit.model)}"
    result = replace(result, card=replace(result.card, title=title))
    return replace(result, runs={study.folder.name: study.result for study in audit.findings})


def _main_numbers(estimates: Sequence[Estimate]) -> tuple[str, ...]:
    """The names of the measures that represent the studies; of a change, the measure that changed."""
    leads = [e for e in estimates if e.verdict and not e.groups and e.name != HAS_RESULT.name]
    return tuple(dict.fromkeys(e.meaning.difference_of or e.name for e in leads))


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────────


def own_estimates(audit: Audit) -> list[Estimate]:
    """The audit's own estimates: over all studies, one or two for each study, and their changes."""
    return [
        leaning(audit),
        *_results(audit),
        *(e for finding in audit.findings for e in _of_study(finding)),
        *(e for finding in audit.findings for e in _shares(finding)),
        *(e for change in audit.changes for e in _of_change(change)),
    ]


def gated_estimates(audit: Audit) -> list[PrintedEstimate]:
    """Every estimate that the pages of an audit print, so that thresholds can refer to each.

    Estimates of runs get the label of their study. Where the audit and a run have the same estimate, the
    audit's counts, because its p is adjusted over the studies.
    """
    own = own_estimates(audit)
    places = {_place(e) for e in own}
    labels = {finding.label: finding.result.card.labels for finding in audit.findings}
    of_runs = [
        replace(e, study=finding.label) for finding in audit.findings for e in finding.result.estimates
    ]  # fmt: skip
    both = [*own, *(e for e in of_runs if _place(e) not in places)]
    return [PrintedEstimate(e, labels.get(e.study, {})) for e in both]


def _place(e: Estimate) -> tuple[str, str, frozenset[tuple[str, str]]]:
    return e.study, e.name, frozenset(e.groups.items())


def leaning(audit: Audit) -> Estimate:
    """How many studies have a significant lean."""
    tested = audit.tested
    made = LEANING.at(
        len(audit.of("leans")) if tested else None, n=len(tested),
        why="" if tested else "no study that was measured tests for a lean",
    )  # fmt: skip
    return replace(made, study=AUDIT, model=audit.model)


def _of_study(study: StudyFinding) -> Iterator[Estimate]:
    """The main number of a study, with the audit's verdict.

    For a study without a number over all items, the number of its significant tests comes first and carries
    the verdict.
    """
    card, lead = study.result.card, study.lead
    if lead is None:
        return
    warned = caution(lead, study.result.estimates, str(card.data.get("clusters") or ""))
    alone = warned.removeprefix("But ")
    notes = [*filter(None, (raised(alone), lead.why, lead.meaning.caution))]
    why = ". ".join([*(note.removesuffix(".") for note in notes[:-1]), *notes[-1:]])
    if study.tests:
        made = TESTS.at(
            study.significant_tests, Inference(None, None, study.p), n=len(study.tests), why=why,
            p_adjusted=study.p_adjusted, verdict=study.verdict,
        )  # fmt: skip
        yield replace(made, study=study.label, rule=lead.rule, convention=lead.convention)
        yield replace(lead, study=study.label)
    else:
        adjusted = "" if study.p_adjusted is None else "Holm"
        yield replace(
            lead, study=study.label, p_adjusted=study.p_adjusted, adjustment=adjusted, verdict=study.verdict,
            why=why,
        )  # fmt: skip


def _results(audit: Audit) -> Iterator[Estimate]:
    """How many of the studies that apply to the model have a result, then whether each study has one."""
    apply = [state for state in audit.states if state.required]
    measured = sum(state.state == "measured" for state in apply)
    yield replace(HAS_RESULT.at(measured, n=len(apply)), study=AUDIT, model=audit.model)
    for state in audit.states:
        has = HAS_RESULT.at(
            float(state.state == "measured"), n=1, verdict=state.state, why=visible(state.why)
        )
        yield replace(has, study=state.label)


def _shares(study: StudyFinding) -> Iterator[Estimate]:
    """The shares of the model's replies in a study; nothing where the model wrote no replies."""
    replies = study.result.card.replies
    if replies is None:
        return
    for outcome, share in SHARES.items():
        yield replace(share.at(100 * replies.share(outcome), n=replies.replies), study=study.label)
    thought = THOUGHT.at(100 * replies.thoughts / replies.replies, n=replies.replies)
    yield replace(thought, study=study.label)


def _of_change(change: StudyChange) -> Iterator[Estimate]:
    """The change of a study's main number, the reference's value of it, and all other differences."""
    lead, now = change.lead, change.now
    if change.why or lead is None:
        yield replace(
            CHANGED_TESTS.at(
                None, why=f"not compared: {visible(change.why)}", verdict="not compared"
            ),
            study=change.label,
        )
        return
    verdict = (change.way or "different") if change.significant else "no significant change"
    if change.tests:
        clear = sum(bool(e.significant) for e in change.tests)
        p = Inference(None, None, change.p)
        made = CHANGED_TESTS.at(
            clear, p, n=len(change.tests), p_adjusted=change.p_adjusted, verdict=verdict
        )
        yield replace(made, study=change.label, rule=lead.rule, convention=lead.convention)
    else:
        adjusted = "" if change.p_adjusted is None else "Holm"
        yield replace(
            lead, study=change.label, p_adjusted=change.p_adjusted, adjustment=adjusted,
            verdict=verdict if lead.value is not None else "",
        )  # fmt: skip
    if change.before is not None and now is not None:
        yield replace(change.before, study=change.label, groups={**now.groups, **REFERENCE})
    for e in change.estimates:
        if e is not lead or change.tests:
            yield replace(e, study=change.label)


# ── Lists ────────────────────────────────────────────────────────────────────────────────────────


def _gate(outcome: Outcome) -> Record:
    limit, e = outcome.threshold, outcome.estimate
    condition = condition_of(outcome)
    groups = {
        "status": outcome.status, "fail_if": condition, "shown": _gate_value(outcome), "level": limit.level,
        "reason": reason_of_outcome(outcome), "study": outcome.study or limit.study,
    }  # fmt: skip
    ends = {"value": outcome.value, "low": e.low if e else None, "high": e.high if e else None}
    scores = {name: value for name, value in ends.items() if value is not None}
    return Record(condition, scores, {k: v for k, v in groups.items() if v}, kind=THRESHOLD)


def _gate_value(outcome: Outcome) -> str:
    e = outcome.estimate
    if outcome.value is None or e is None:
        return "undefined"
    if outcome.threshold.says.claim:
        return claim_text(e)
    if outcome.threshold.field == "p":
        return p_text(outcome.value)
    if outcome.threshold.field in {"value", "low", "high"}:
        return result_text(e)  # an end of the interval alone would read like the estimate
    return result_text(replace(e, value=outcome.value, low=None, high=None))


def _state(state: StudyState) -> Record:
    required = "yes" if state.required else "no"
    groups = {
        "study": state.label,
        "state": state.state,
        "required": required,
        "details": state.why,
    }
    return Record(state.label, {}, {k: v for k, v in groups.items() if v}, kind=STATE)


def _unmeasured(audit: Audit) -> list[Record]:
    return [
        Record(
            missing.label, {}, {"study": missing.label, "cause": CAUSES[missing.cause],
             "details": missing.brief or missing.why}, kind=NOT_MEASURED,
        )
        for missing in audit.unmeasured
    ]  # fmt: skip


def _data(study: StudyFinding) -> Record:
    card = study.result.card
    known = {
        name: str(card.data.get(name) or "not stated") for name in ("licence", "source", "sha256")
    }
    groups = {"study": study.label, "data": card.data_name or "not stated", **known}
    return Record(study.label, {"items": card.counts.get("scored", 0)}, groups, kind="data")
