"""Tables of an audit: one row a study, a threshold, a change, a set of data."""

from collections.abc import Mapping, Sequence

from tiltmeter.analysis.audit_changes import StudyChange, Way
from tiltmeter.analysis.model_audit import Audit, StudyFinding, Verdict
from tiltmeter.analysis.thresholds import Outcome
from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    PAGE,
    TERMINAL,
    Block,
    Column,
    Lines,
    Table,
    Tone,
    Value,
)
from tiltmeter.report.documents.audit_words import (
    VERDICTS,
    difference_text,
    name_of,
    result_text,
    towards,
)
from tiltmeter.report.documents.estimate_tables import said_once
from tiltmeter.report.sentences import caution
from tiltmeter.report.text import (
    neutral_text,
    number,
    p_text,
    sentence_end,
    span,
    why_undefined,
    with_unit,
)
from tiltmeter.run.audit_jobs import Cause

TONES: Mapping[Verdict, Tone] = {"leans": "worse"}
CHANGED: Mapping[Way, Tone] = {"closer": "better", "farther": "worse"}
CAUSES: Mapping[Cause, str] = {
    "model": "the model cannot answer it", "data": "its data are not there",
    "budget": "no time was left", "failed": "it failed",
}  # fmt: skip


def glance_table(audit: Audit) -> Table:
    """One row a study, the strongest evidence first."""
    rows = audit.findings
    leads = [one.lead for one in rows]

    def of(name: str) -> list[Value]:
        return [None if e is None else getattr(e, name) for e in leads]

    return Table(
        "",
        [
            Column("Study", [one.label for one in rows], number=False, name="study",
                   shown=[name_of(one) for one in rows]),
            Column("Verdict", [one.verdict for one in rows], number=False, name="verdict",
                   shown=[VERDICTS[one.verdict] for one in rows],
                   tones=[TONES.get(one.verdict, "") for one in rows]),
            Column("", of("name"), on=FILES_ONLY, name="measure"),
            Column("Result [95 % interval]", of("value"), number=False, name="value",
                   shown=[result_text(one) for one in rows]),
            *(Column("", of(name), on=FILES_ONLY, name=name)
              for name in ("low", "high", "n", "unit", "p", "mde")),
            Column("Towards", [towards(one) or None for one in rows], number=False, drop=2,
                   name="towards"),
            Column("p (Holm)", [one.p_adjusted for one in rows], _p, drop=1, name="p_adjusted"),
            Column("MDE", [None] * len(rows), drop=5, in_files=False, name="mde_shown",
                   shown=[_mde(one.lead) for one in rows]),
            Column("Neutral", of("neutral"), drop=3, name="neutral",
                   shown=["" if e is None else neutral_text(e) for e in leads]),
        ],
        strong=[one.verdict == "leans" for one in rows],
        notes=_notes(rows),
        most=len(rows),
        name="studies",
    )  # fmt: skip


def _p(value: object) -> str:
    return p_text(value) if isinstance(value, float | int) else ""


def _mde(lead: Estimate | None) -> str:
    return "" if lead is None or lead.mde is None else number(lead.mde, lead.unit)


def _notes(rows: Sequence[StudyFinding]) -> list[str]:
    """Samples, intervals that allow for clusters, and numbers that are undefined."""
    labels, remarks = [], []
    for one in rows:
        card, lead = one.result.card, one.lead
        labels.append(name_of(one))
        clusters = str(card.data.get("clusters") or "")
        remarks.append([
            caution(lead, one.result.estimates, clusters) if lead is not None else "",
            f"Undefined: {sentence_end(why_undefined(lead))}"
            if lead is not None and lead.value is None else "",
        ])  # fmt: skip
    return [*said_once(labels, remarks), *_samples(rows)]


def _samples(rows: Sequence[StudyFinding]) -> list[str]:
    """Which studies used a part of their items; all in one line."""
    parts = [
        f"{name_of(one)}, {visible(str(sample))}"
        for one in rows
        if (sample := one.result.card.data.get("sample"))
    ]
    return [f"Random samples: {'; '.join(parts)}."] if parts else []


def gates_table(audit: Audit) -> Table | None:
    """Every threshold and what became of it; None where there are none."""
    rows = sorted(
        audit.outcomes, key=lambda one: ("failed", "undefined", "passed").index(one.status)
    )
    if not rows:
        return None
    tones: list[Tone] = ["" if one.status == "passed" else "worse" for one in rows]
    return Table(
        "",
        [
            Column("Verdict", [one.status for one in rows], number=False, name="status", tones=tones),
            Column("Fails if", [one.threshold.condition for one in rows], number=False, name="fail_if",
                   shown=[_condition(one) for one in rows]),
            Column("Value", [one.value for one in rows], shown=[_gate_value(one) for one in rows],
                   number=False, name="value"),
            Column("", [one.study or one.threshold.study or None for one in rows], on=FILES_ONLY,
                   name="study"),
            Column("Level", [one.threshold.level for one in rows], number=False, drop=3, name="level",
                   on=FILES_ONLY if all(one.threshold.level == "error" for one in rows) else BOTH),
            Column("Why it is there", [_reason(one) or None for one in rows], number=False, drop=1,
                   name="reason"),
        ],
        strong=[one.status != "passed" for one in rows],
        notes=[f"{one.threshold.condition}: undefined, {sentence_end(visible(one.why))}"
               for one in rows if one.status == "undefined"],
        most=len(rows),
        name="thresholds",
    )  # fmt: skip


def _condition(one: Outcome) -> str:
    """With the study that it was checked on."""
    bare = one.threshold.condition
    return bare if one.threshold.study or not one.study else f"{one.study}/{bare.strip()}"


def _reason(one: Outcome) -> str:
    limit = one.threshold
    return ": ".join(text for text in (limit.title, limit.reason) if text)


def _gate_value(one: Outcome) -> str:
    e = one.estimate
    if one.value is None or e is None:
        return "undefined"
    if one.threshold.field == "p":
        return p_text(one.value)
    inside = f" [{span(e, ' to ')}]" if span(e) and one.threshold.field == "value" else ""
    return f"{with_unit(one.value, e.unit)}{inside}"


def changes_table(audit: Audit) -> Table | None:
    """How each study differs from the reference's; None without a reference."""
    rows = audit.changes
    if not audit.reference or not rows:
        return None

    def shown(e: Estimate | None, tests: Sequence[Estimate]) -> str:
        return "" if e is None or e.value is None or tests else with_unit(e.value, e.unit)

    leads = [change.lead for change in rows]
    tones: list[Tone] = [CHANGED.get(c.way, "") if c.significant else "" for c in rows]
    return Table(
        "",
        [
            Column("Study", [c.label for c in rows], number=False, name="study",
                   shown=[name_of(c) for c in rows]),
            Column("", [_change(c) for c in rows],
                   number=False, name="change", tones=tones),
            Column("This model", [c.now.value if c.now else None for c in rows], drop=3,
                   name="model", shown=[shown(c.now, c.tests) for c in rows]),
            Column("Reference", [c.before.value if c.before else None for c in rows], drop=3,
                   name="reference", shown=[shown(c.before, c.tests) for c in rows]),
            Column("Difference [95 % interval]", [e.value if e else None for e in leads],
                   number=False, name="difference", shown=[difference_text(c) for c in rows]),
            Column("", [e.low if e else None for e in leads], on=FILES_ONLY, name="low"),
            Column("", [e.high if e else None for e in leads], on=FILES_ONLY, name="high"),
            Column("p (Holm)", [c.p_adjusted for c in rows], _p, drop=1, name="p_adjusted"),
        ],
        strong=[c.significant for c in rows],
        notes=said_once([name_of(c) for c in rows], [[_remark(c)] for c in rows]),
        most=len(rows),
        name="changes",
    )  # fmt: skip


def _change(change: StudyChange) -> str | None:
    if change.why or change.lead is None or change.lead.value is None:
        return None
    return (change.way or "different") if change.significant else "no significant change"


def _remark(change: StudyChange) -> str:
    lead = change.lead
    if change.why or lead is None:
        return f"Not compared: {sentence_end(visible(change.why))}"
    return f"Undefined: {sentence_end(why_undefined(lead))}" if lead.value is None else ""


def unmeasured_blocks(audit: Audit) -> list[Block]:
    """Every study without a result, and why; in the terminal a line a reason, where a table is cut."""
    rows = audit.unmeasured
    if not rows:
        return []
    names = [visible(one.title.partition(": ")[0]) for one in rows]
    about: dict[str, list[str]] = {}
    for name, one in zip(names, rows, strict=True):
        about.setdefault(f"{CAUSES[one.cause]}: {one.why}", []).append(name)
    lines = [f"{'; '.join(which)}: {because}" for because, which in about.items()]
    table = Table(
        "",
        [
            Column("Study", [one.label for one in rows], number=False, name="study", shown=names),
            Column("Because", [one.cause for one in rows], number=False, name="cause",
                   shown=[CAUSES[one.cause] for one in rows]),
            Column("Details", [one.why for one in rows], number=False, name="why"),
        ],
        on=PAGE,
        name="not-measured",
    )  # fmt: skip
    return [Lines(lines, on=TERMINAL), table]


def data_table(audit: Audit) -> Table:
    """Where the items of each study come from, and under which licence."""
    cards = [one.result.card for one in audit.findings]

    def of(name: str) -> list[Value]:
        return [str(card.data.get(name) or "not stated") for card in cards]

    return Table(
        "",
        [
            Column("Study", [name_of(one) for one in audit.findings], number=False, name="study"),
            Column("Data", of("name"), number=False, name="data"),
            Column("Items", [card.counts.get("scored") for card in cards], "{:,}".format,
                   name="items"),
            Column("Licence", of("licence"), number=False, name="licence"),
            Column("Source", of("source"), number=False, name="source"),
            Column("SHA-256", of("sha256"), number=False, on=FILES_ONLY, name="sha256"),
        ],
        on=PAGE,
        name="data",
    )  # fmt: skip
