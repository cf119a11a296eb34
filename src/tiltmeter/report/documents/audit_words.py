"""The sentences of an audit: what was found, whether it is significant, and what was detectable."""

from collections.abc import Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted, verb_for, visible
from tiltmeter.derived.audits.audit_findings import StudyFinding
from tiltmeter.derived.audits.model_audit import Audit, StudyChange, Way
from tiltmeter.report import text
from tiltmeter.report.sentences import after_adjustment, by_clusters, farthest, headline, overview

STRONGEST = 3
"""How many findings the top of the page gives in full sentences, and how many names a list gives."""
WAYS: dict[Way, str] = {
    "closer": "closer to neutral", "farther": "farther from neutral",
    "crossed": "on the other side of neutral", "better": "better", "worse": "worse", "": "different",
}  # fmt: skip
DETECTABLE = (
    " In brackets: the smallest distance from neutral that 4 of 5 samples of that size would have shown; "
    "a smaller lean may have been missed."
)


def summary(audit: Audit) -> list[Paragraph]:
    """The paragraphs at the top of an audit, the headline first."""
    leans, unsure = audit.of("leans"), audit.of("uncertain")
    lean = _headline(audit, len(leans), len(audit.tested))
    paragraphs: list[Paragraph | str] = [Paragraph(lean, "headline")]
    crossed = any(outcome.fails for outcome in audit.outcomes)
    lacking = _incomplete(audit)
    if crossed or audit.fails_incomplete:
        reasons = [_gates(audit).text if crossed else "", lacking if audit.fails_incomplete else ""]
        failed = f"{visible(audit.model)} fails this audit. {' '.join(filter(None, reasons))}"
        paragraphs = [Paragraph(failed, "headline"), lean]
    if lacking and not audit.fails_incomplete:
        paragraphs.append(Paragraph(lacking, "warning"))
    if audit.outcomes and not crossed:
        paragraphs.append(_gates(audit))
    paragraphs += [said(study, audit.model) for study in leans[:STRONGEST]]
    if unsure:
        names = ", ".join(map(name_of, unsure))
        paragraphs.append(
            f"Uncertain in {counted(len(unsure), 'studies')}, significant there but not after adjusting "
            f"over all studies, only by some of many intervals, or not where items of one source count as "
            f"one: {names}."
        )
    if none := audit.of("not significant"):
        paragraphs.append(
            f"No significant lean in {counted(len(none), 'studies')}: {_detectable(none)}."
            + (DETECTABLE if any(_least(study.lead) for study in none) else "")
        )
    if samples := sum(bool(study.result.card.data.get("sample")) for study in audit.findings):
        paragraphs.append(
            f"{counted(samples, 'studies')} used a random sample of the items, so that intervals are "
            "wide; another sample would give somewhat different numbers."
        )
    if thoughts := _thoughts(audit):
        paragraphs.append(thoughts)
    if beside := [state for state in audit.states if not state.required]:
        apply, have = (verb_for(len(beside), verb) for verb in ("do", "have"))
        paragraphs.append(
            f"{len(beside):,} of {counted(len(audit.states), 'studies')} {apply} not apply to this model "
            f"or {have} no data here; the list below says why."
        )
    if audit.reference:
        paragraphs.append(_compared(audit))
    return [Paragraph(text) if isinstance(text, str) else text for text in paragraphs]


def _thoughts(audit: Audit) -> str:
    """A sentence on how many replies of all studies were thought about first; "" where none was."""
    replies = [f.result.card.replies for f in audit.findings if f.result.card.replies]
    thought = sum(of.thoughts for of in replies)
    if not thought:
        return ""
    share = 100 * thought / sum(of.replies for of in replies)
    mean = sum(of.thought_tokens for of in replies) / thought
    lost = sum(of.thinking for of in replies)
    cut = f"; {lost:,} were cut off while thinking" if lost else ""
    return f"The model thought before {share:.0f} % of its replies (mean {mean:,.0f} tokens){cut}."


def _incomplete(audit: Audit) -> str:
    """A sentence that names the studies without a usable result; "" where all have one.

    A result that rests on too few answers is not usable.
    """
    lacking = audit.incomplete
    if not lacking:
        nothing = audit.fails_incomplete and not audit.findings
        return "No study of the profile applies to it." if nothing else ""
    by_state: dict[str, list[str]] = {}
    for state in lacking:
        by_state.setdefault(state.state, []).append(short_name(state.title, state.label))
    named = "; ".join(
        f"{len(names):,} {state} ({_listed(names)})" for state, names in by_state.items()
    )
    have = verb_for(len(lacking), "have")
    required = sum(state.required for state in audit.states)
    return f"{len(lacking):,} of {counted(required, 'studies')} {have} no usable result: {named}."


def _listed(names: Sequence[str]) -> str:
    more = len(names) - STRONGEST
    return ", ".join(names[:STRONGEST]) + (f" and {more:,} more" if more > 0 else "")


def _headline(audit: Audit, leans: int, tested: int) -> str:
    who = visible(audit.model)
    if not audit.findings:
        return f"{who}: no study of this audit could be measured."
    if not tested:
        measured = counted(len(audit.findings), "studies")
        if len(audit.of("unanswered", "undefined")) == len(audit.findings):
            return f"{who}: nothing is known about a lean, since no study has a usable result."
        return f"{who}: {measured} measured, none of which tests for a lean."
    what = f"a significant lean in {leans:,}" if leans else "no significant lean in any"
    after = f", after adjusting for {counted(tested, 'tests')}" if tested > 1 else ""
    if tested == 1:
        what = "a significant lean" if leans else "no significant lean"
        return f"{who}: {what} in the one study that tests for it."
    return f"{who}: {what} of {counted(tested, 'studies')} that test for one{after}."


def said(study: StudyFinding, model: str) -> str:
    """A study's finding as a sentence that begins with the study's name."""
    card = study.result.card
    if study.tests:
        return f"{name_of(study)}: {said_of_tests(study)}"
    if study.lead is None:
        return (
            f"{name_of(study)}: {overview(study.result.estimates, model, card.labels, card.views)}"
        )
    text = headline(study.lead, study.result.estimates, model, card.labels)
    return text if text.startswith(f"{name_of(study)}:") else f"{name_of(study)}: {text}"


def said_of_tests(study: StudyFinding) -> str:
    """For a study of many tests, how many are significant, and which of these is farthest from neutral."""
    first, labels = study.tests[0], study.result.card.labels
    what = (
        f"{text.lowered(text.title(first))} is significant in {study.significant_tests:,} of "
        f"{counted(len(study.tests), 'tests')} (p < .05{after_adjustment(study.tests)})"
    )
    clear = [e for e in study.tests if e.significant]
    if not clear:
        return f"{what}."
    largest = farthest(clear, labels)[1]
    return f"{what}. The largest of these is {largest}.{by_clusters(study.clustered_tests)}"


def name_of(study: StudyFinding | StudyChange) -> str:
    """A study's short name: its title up to the colon, with its options where it was run twice."""
    return short_name(study.title, study.label)


def short_name(title: str, label: str) -> str:
    """A study's title up to the colon, with the options of its label where it was run twice.

    >>> short_name("BBQ: who was it?", "bbq (limit 5)")
    'BBQ (limit 5)'
    """
    options = label.partition(" (")[2]
    return visible(title.partition(": ")[0] + (f" ({options}" if options else ""))


def _detectable(findings: Sequence[StudyFinding]) -> str:
    """The names of these studies, each with its minimum detectable effect where that is known."""
    sizes = [(name_of(study), _least(study.lead)) for study in findings]
    return ", ".join(f"{name} ({size})" if size else name for name, size in sizes)


def _least(lead: Estimate | None) -> str:
    if lead is None or lead.mde is None:
        return ""
    return text.with_unit(
        lead.mde, "percentage points" if text.is_percent(lead.unit) else lead.unit
    )


def _gates(audit: Audit) -> Paragraph:
    crossed = [outcome for outcome in audit.outcomes if outcome.status != "passed"]
    many = len(audit.outcomes)
    if not crossed:
        kept = {1: "The threshold is kept.", 2: "Both thresholds are kept."}
        return Paragraph(kept.get(many, f"All {counted(many, 'thresholds', 'are')} kept."))
    counts = [
        f"{number:,} {word}"
        for status, word in (
            ("failed", "crossed"), ("undecided", "undecided"), ("undefined", "undefined")
        )
        if (number := sum(outcome.status == status for outcome in crossed))
    ]  # fmt: skip
    titles = [
        visible(outcome.threshold.title or outcome.threshold.condition) for outcome in crossed
    ]
    return Paragraph(
        f"Of {counted(many, 'threshold checks')}: {', '.join(counts)} ({_listed(titles)}).",
        "warning",
    )


def _compared(audit: Audit) -> str:
    known = [change for change in audit.changes if not change.why]
    moved = [change for change in known if change.significant]
    start = f"Compared with {visible(audit.reference)}"
    if not known:
        return f"{start}: no study could be compared."
    within = f"{_also(known)}{_within(known)}"
    if not moved:
        return f"{start}: no significant change in {counted(len(known), 'studies')}.{within}"
    ways = [
        f"{word} in {names}"
        for way, word in WAYS.items()
        if (names := ", ".join(name_of(c) for c in moved if c.way == way))
    ]  # fmt: skip
    return (
        f"{start}: significantly {'; '.join(ways)} (of {counted(len(known), 'studies')}).{within}"
    )


def _also(changes: Sequence[StudyChange]) -> str:
    """A sentence on significant differences in other numbers than the main ones; "" without any."""
    named = [
        f"{name_of(change)}, {text.lowered(text.title(e))} {text.change_with_unit(e)}"
        f"{text.in_brackets(e)}"
        for change in changes
        for e in change.further
    ]
    return f" Also significant: {'; '.join(named)}." if named else ""


def _within(changes: Sequence[StudyChange]) -> str:
    """A sentence on how many main numbers are equivalent within their margins; "" without margins."""
    leads = [change.lead for change in changes if change.lead is not None]
    made = [e.equivalence for e in leads if e.equivalence is not None]
    if not made:
        return ""
    counts = {
        word: sum(e.verdict == word for e in made)
        for word in ("equivalent", "different", "undecided")
    }
    told = sum(counts.values())
    words = ", ".join(f"{word} in {number:,}" for word, number in counts.items() if number)
    silent = f"no verdict in {len(made) - told:,}" if told < len(made) else ""
    parts = ", ".join(filter(None, (words, silent)))
    return f" Within the margins: {parts} of {counted(len(made), 'studies')}."
