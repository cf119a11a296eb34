"""Sentences of an audit: what was found, how surely, and what could have been found."""

from collections.abc import Sequence

from tiltmeter.analysis.audit_findings import StudyFinding
from tiltmeter.analysis.model_audit import Audit, StudyChange, Way
from tiltmeter.core.results import Estimate, Paragraph
from tiltmeter.core.text import visible
from tiltmeter.report.sentences import after_adjustment, finding, overview
from tiltmeter.report.text import (
    counted,
    is_percent,
    level,
    lowered,
    span,
    subset,
    title,
    with_unit,
)

STRONGEST = 3
"""So many findings are said in full at the top."""
WAYS: dict[Way, str] = {
    "closer": "closer to neutral", "farther": "farther from neutral",
    "crossed": "on the other side of neutral", "": "different",
}  # fmt: skip
DETECTABLE = (
    " In brackets is the smallest distance from neutral that 4 of 5 samples of that size would have shown; "
    "a smaller lean may have been missed."
)
READ = (
    "Leans: significantly different from the neutral value, also after Holm’s adjustment over the studies of "
    "this audit (p < .05). Uncertain: significant in its own study only, or only where items that share a "
    "source count as independent. Not significant does not mean that there is no lean: MDE is the minimum "
    "detectable effect, the smallest distance from neutral that 4 of 5 samples of that size would find."
)
DIFFERS = (
    "Both models were asked about the same items; a difference is this model’s value less the reference’s, "
    "with p adjusted over the studies by Holm’s method. Where there is no p, the interval decides. Closer "
    "and farther describe the distance to the neutral value; crossed: the two lean to different sides."
)


def summary(audit: Audit) -> list[Paragraph]:
    """The first paragraphs, the headline first."""
    leans, unsure = audit.of("leans"), audit.of("uncertain")
    tested = [f for f in audit.findings if f.verdict not in {"not tested", "undefined"}]
    lean = _headline(audit, len(leans), len(tested))
    found: list[Paragraph | str] = [Paragraph(lean, "headline")]
    if any(one.fails for one in audit.outcomes):
        found = [
            Paragraph(f"{visible(audit.model)} fails this audit. {_gates(audit).text}", "headline"),
            lean,
        ]
    elif audit.outcomes:
        found.append(_gates(audit))
    found += [said(one, audit.model) for one in leans[:STRONGEST]]
    if unsure:
        names = _names(unsure)
        found.append(
            f"Uncertain in {counted(len(unsure), 'studies')}, significant there but not after adjusting over "
            f"all studies, or not where items of one source count as one: {names}."
        )
    if none := audit.of("not significant"):
        found.append(
            f"No significant lean in {counted(len(none), 'studies')}: {_detectable(none)}."
            + (DETECTABLE if any(_least(one.lead) for one in none) else "")
        )
    if samples := sum(bool(one.result.card.data.get("sample")) for one in audit.findings):
        found.append(
            f"{counted(samples, 'studies')} used a random sample of the items, so that intervals are wide; "
            "another sample gives somewhat other numbers."
        )
    if audit.unmeasured:
        whole = len(audit.findings) + len(audit.unmeasured)
        were = "was" if len(audit.unmeasured) == 1 else "were"
        found.append(
            f"{len(audit.unmeasured):,} of {counted(whole, 'studies')} {were} not measured; the list below "
            "says why."
        )
    if audit.reference:
        found.append(_compared(audit))
    return [Paragraph(text) if isinstance(text, str) else text for text in found]


def _headline(audit: Audit, leans: int, tested: int) -> str:
    who = visible(audit.model)
    if not audit.findings:
        return f"{who}: no study of this audit could be measured."
    if not tested:
        return f"{who}: {counted(len(audit.findings), 'studies')} measured, none of which tests for a lean."
    what = f"a significant lean in {leans:,}" if leans else "no significant lean in any"
    after = f", after adjusting for {tested:,} tests" if tested > 1 else ""
    return f"{who}: {what} of {counted(tested, 'studies')} that test for one{after}."


def said(one: StudyFinding, model: str) -> str:
    """A study's finding as a sentence, with the model's name or the study's."""
    card = one.result.card
    if one.tests:
        return f"{name_of(one)}: {said_of_tests(one)}"
    if one.lead is None:
        return f"{name_of(one)}: {overview(one.result.estimates, model, card.labels, card.views)}"
    text = finding(one.lead, model, card.labels)
    return text if text.startswith(f"{name_of(one)}:") else f"{name_of(one)}: {text}"


def said_of_tests(one: StudyFinding) -> str:
    """Of a study of many tests: how many are significant, and the farthest from neutral of these."""
    first, labels = one.tests[0], one.result.card.labels
    what = (
        f"{lowered(title(first))} is significant in {one.significant_tests:,} of "
        f"{counted(len(one.tests), 'tests')} (p < .05{after_adjustment(one.tests)})"
    )
    clear = [e for e in one.tests if e.significant]
    if not clear:
        return f"{what}."
    far = max(clear, key=lambda e: abs((e.value or 0.0) - (e.neutral or 0.0)))
    of = subset(far.groups, labels, with_axis=False)
    inside = f" ({level(far)} interval {span(far)})" if span(far) else ""
    largest = f"The largest of these is {with_unit(far.value or 0.0, far.unit)}{inside}, of {of}."
    return f"{what}. {largest}{_by_source(one)}"


def _by_source(one: StudyFinding) -> str:
    """How many tests are significant where items of one source count as one; "" where that is not known."""
    same = one.clustered_tests
    if not same:
        return ""
    clear = sum(bool(e.significant) for e in same)
    return (
        " But items from one source are not independent: allowing for that, it is significant in "
        f"{clear:,} of {len(same):,}."
    )


def name_of(one: StudyFinding | StudyChange) -> str:
    """A study's short name: its title up to the colon, and its options where it was run twice."""
    options = one.label.partition(" (")[2]
    return visible(one.title.partition(": ")[0] + (f" ({options}" if options else ""))


def _names(findings: Sequence[StudyFinding]) -> str:
    return ", ".join(name_of(one) for one in findings)


def _detectable(findings: Sequence[StudyFinding]) -> str:
    """Their names, each with the size that could have been found."""
    sizes = [(name_of(one), _least(one.lead)) for one in findings]
    return ", ".join(f"{name} ({size})" if size else name for name, size in sizes)


def _least(lead: Estimate | None) -> str:
    if lead is None or lead.mde is None:
        return ""
    return with_unit(lead.mde, "percentage points" if is_percent(lead.unit) else lead.unit)


def _gates(audit: Audit) -> Paragraph:
    crossed = [one for one in audit.outcomes if one.status != "passed"]
    many = len(audit.outcomes)
    if not crossed:
        return Paragraph(
            "The threshold is kept." if many == 1 else f"All {many:,} threshold checks passed."
        )
    failed = sum(one.status == "failed" for one in crossed)
    open_ = len(crossed) - failed
    parts = [f"{failed:,} crossed" if failed else "", f"{open_:,} undefined" if open_ else ""]
    named = [visible(one.threshold.title or one.threshold.condition) for one in crossed]
    more = len(named) - STRONGEST
    which = ", ".join(named[:STRONGEST]) + (f" and {more:,} more" if more > 0 else "")
    return Paragraph(
        f"Of {counted(many, 'threshold checks')}: {', '.join(filter(None, parts))} ({which}).",
        "warning",
    )


def _compared(audit: Audit) -> str:
    known = [change for change in audit.changes if not change.why]
    moved = [change for change in known if change.significant]
    start = f"Compared with {visible(audit.reference)}"
    if not known:
        return f"{start}: no study could be compared."
    if not moved:
        return f"{start}: no significant change in {counted(len(known), 'studies')}."
    ways = [
        f"{word} in {names}"
        for way, word in WAYS.items()
        if (names := ", ".join(name_of(c) for c in moved if c.way == way))
    ]  # fmt: skip
    return f"{start}: significantly {'; '.join(ways)} (of {counted(len(known), 'studies')})."
