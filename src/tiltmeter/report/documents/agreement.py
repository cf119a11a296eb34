"""The document of `agreement`: agreement on each question, and each annotator's scale."""

from collections.abc import Callable, Sequence

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.analysis.quality.rater_agreement import (
    AnnotatorCheck,
    QuestionAgreement,
    RaterAgreement,
)
from tiltmeter.analysis.quality.true_labels import TrueLabels
from tiltmeter.report.columns import TableRows, interval_columns
from tiltmeter.report.document import (
    BOTH,
    PAGE,
    Block,
    Code,
    Column,
    Document,
    Facts,
    Lines,
    Section,
    Table,
    Text,
)
from tiltmeter.report.documents.estimate_tables import said_once
from tiltmeter.report.text import correlation, counted, number, span

METHOD = (
    "“All agree” is the share of items with the panel’s number of answers that have only equal ones; "
    "“m agree” the share of the same items with at least m equal ones (m-of-n agreement); “pairs agree” "
    "the share of equal pairs of answers, averaged over items. Krippendorff’s α, Fleiss’ κ (on "
    "the same items as “all agree”) and Gwet’s AC (AC1 for nominal answers, else AC2) are corrected for "
    "chance: 1 is full agreement, 0 chance. Ordinal and interval levels count answers that are close as "
    "agreeing in part, except in κ. Intervals are for other items and the same annotators: Wilson’s, or "
    "score intervals from leaving out items."
)
SCALES = (
    "Each annotator against the mean of the others: a negative correlation r means a reversed scale, a "
    "shift other ends or a stricter reading. A scale is marked as reversed if the whole 95\u00a0% interval "
    "of r is below 0, as shifted if the whole interval of the shift is beyond a tenth of the range."
)
LABELS = (
    "The model of Dawid and Skene estimates the true label of each item and every annotator’s errors "
    "together: an annotator counts as accurate where the answers agree with what all answers, weighted by "
    "accuracy, point to. It takes labels as unordered, and annotators to be right more often than not. "
    "Intervals are score intervals from a bootstrap of items."
)
LIMITS = (
    "Marks do not show why answers differ, and nothing was deleted. Annotators who agree can share an "
    "error."
)


def agreement_document(
    made: RaterAgreement, *, command: str = "", files: Sequence[str] = ()
) -> Document:
    """Everything about the agreement of annotators.

    Args:
        made: What was found.
        command: How to repeat it.
        files: Names of files beside the page.
    """
    data = made.judgments
    return Document(
        "Agreement of annotators",
        data.name,
        [_headline(made), *_reversed(made), *_shifted(made)],
        [
            Section("questions", "Agreement by question", [
                question_table(made.questions), Text(METHOD, on=PAGE),
            ]),
            *([Section("reversed", "With and without reversed scales", [_changes(made)])]
              if made.changed else []),
            *([Section("annotators", "Scales by annotator", [
                scale_table(made.checks), Text(SCALES, on=PAGE),
            ])] if made.checks else []),
            *([Section("labels", "True labels and accuracy (Dawid–Skene)", [
                accuracy_table(made.labels), share_table(made.labels), Text(LABELS, on=PAGE),
            ])] if made.labels else []),
            *([Section("notes", "Notes", [Lines(data.notes, on=BOTH)])] if data.notes else []),
            _repeat(made, command),
        ],
        limits=LIMITS,
        files=files,
    )  # fmt: skip


def question_table(questions: Sequence[QuestionAgreement], *, name: str = "questions") -> Table:
    """Percent agreement and chance-corrected coefficients, a row a question."""
    of = TableRows(questions)
    return Table(
        "",
        [
            of.words("question", lambda q: q.question),
            of.words("", lambda q: q.change or None, name="change"),
            of.words("level", lambda q: q.level, drop=6),
            of.counts("panel", lambda q: q.raters, name="raters", drop=4),
            of.counts("items", lambda q: q.panels, name="panels"),
            *_value_columns("all agree, %", "all_agree", [q.all_agree for q in questions], 0, 2),
            of.counts("m", lambda q: q.needed, name="m", drop=5),
            *_value_columns("m agree, %", "m_of_n_agree", [q.enough_agree for q in questions], 4, 5),
            *_value_columns("pairs agree, %", "pairs_agree", [q.pairs_agree for q in questions], 3, 5),
            *_value_columns("α", "alpha", [q.alpha for q in questions], 0, 3),
            *_value_columns("κ", "kappa", [q.kappa for q in questions], 3, 6),
            *_value_columns("AC", "gwet", [q.gwet for q in questions], 2, 6),
        ],
        notes=_reasons(questions),
        most=40,
        name=name,
    )  # fmt: skip


def scale_table(checks: Sequence[AnnotatorCheck]) -> Table:
    """Each annotator against the others."""
    of = TableRows(checks)
    rs = [one.check.r_interval for one in checks]
    return Table(
        "",
        [
            of.words("question", lambda one: one.question),
            of.words("annotator", lambda one: one.annotator),
            of.counts("items", lambda one: one.check.items, drop=4),
            of.numbers("r", lambda one: one.check.r, correlation, missing="undefined"),
            *interval_columns(rs, show=lambda i: span(i, "–", correlation), prefix="r_", drop=1),
            of.numbers("slope", lambda one: one.check.slope, drop=3),
            *interval_columns([o.check.slope_interval for o in checks], prefix="slope_", drop=6),
            of.numbers("shift", lambda one: one.check.shift, drop=3),
            *interval_columns([o.check.shift_interval for o in checks], prefix="shift_", drop=6),
            of.numbers("α without", lambda one: one.check.alpha_without, correlation,
                       name="alpha_without", drop=2),
            of.words("mark", _mark, name="mark"),
        ],
        strong=[one.check.reversed for one in checks],
        notes=said_once([f"{o.question}, {o.annotator}" for o in checks],
                        [[o.check.why or o.check.r_interval.why] for o in checks]),
        most=100,
        name="annotators",
    )  # fmt: skip


def accuracy_table(labels: Sequence[TrueLabels]) -> Table:
    """Each annotator's accuracy on each question."""
    rows = [one for fit in labels for one in fit.annotators]
    of = TableRows(rows)
    return Table(
        "",
        [
            of.words("question", lambda one: one.question),
            of.words("annotator", lambda one: one.annotator),
            of.counts("items", lambda one: one.items, drop=2),
            *_value_columns("accuracy, %", "accuracy", [one.accuracy for one in rows], 0, 1),
        ],
        notes=[f"{fit.question}: {fit.why}" for fit in labels if fit.why],
        most=100,
        name="accuracy",
    )


def share_table(labels: Sequence[TrueLabels]) -> Table:
    """How often each label is given, and estimated to be true."""
    of = TableRows([one for fit in labels for one in fit.shares])
    return Table(
        "",
        [
            of.words("question", lambda one: one.question),
            of.words("label", lambda one: one.label),
            of.numbers("given, %", lambda one: 100 * one.given, _percent, name="given"),
            of.numbers("true, %", lambda one: 100 * one.share, _percent, name="estimated_true"),
        ],
        most=40,
        name="labels",
    )


def _value_columns(
    title: str, name: str, values: Sequence[Value], drop: int, interval_drop: int
) -> list[Column]:
    show: Callable[[float], str] = _percent if title.endswith("%") else correlation
    return [
        TableRows(values).numbers(
            title, lambda v: v.value, show, missing="undefined", name=name, drop=drop
        ),
        *interval_columns(
            values, show=lambda v: span(v, "–", show), prefix=f"{name}_", drop=interval_drop
        ),
    ]


def _percent(value: float) -> str:
    return number(value, "%")


def _reasons(questions: Sequence[QuestionAgreement]) -> list[str]:
    named = {
        "all agree": "all_agree", "m agree": "enough_agree", "pairs agree": "pairs_agree",
        "α": "alpha", "κ": "kappa", "AC": "gwet",
    }  # fmt: skip
    labels = [f"{q.question}{f', {q.change}' if q.change else ''}" for q in questions]
    remarks = []
    for q in questions:
        about: dict[str, list[str]] = {}
        for title, name in named.items():
            about.setdefault(getattr(q, name).why, []).append(title)
        remarks.append([f"{', '.join(titles)}: {why}" for why, titles in about.items() if why])
    return said_once(labels, remarks)


def _mark(one: AnnotatorCheck) -> str | None:
    return "reversed" if one.check.reversed else "shifted" if one.check.shifted else None


def _headline(made: RaterAgreement) -> str:
    data = made.judgments
    best = max(made.questions, key=lambda q: -1 if q.alpha.value is None else q.alpha.value)
    about = (
        f"{counted(len(data.annotators), 'annotators')}, {counted(len(data.items), 'items')}, "
        f"{counted(len(made.questions), 'questions')}"
    )
    if best.alpha.value is None:
        return f"{about}. Agreement is undefined: {best.alpha.why}."
    if len(made.questions) == 1:
        return f"{about}: α = {correlation(best.alpha.value)}."
    low = min(made.questions, key=lambda q: 2 if q.alpha.value is None else q.alpha.value)
    return (
        f"{about}. Agreement is highest on {best.question} (α = {correlation(best.alpha.value)}) and "
        f"lowest on {low.question} (α = {correlation(low.alpha.value or 0)})."
    )


def _reversed(made: RaterAgreement) -> list[Text]:
    found = []
    for one in made.reversed:
        r = one.check
        text = (
            f"{one.annotator} answers {one.question} on a reversed scale: correlation with the mean of the "
            f"others r = {correlation(r.r or 0)} ({span(r.r_interval, show=correlation)})."
        )
        if made.undecided(one.question):
            text += (
                " As many annotators are marked as not, so the answers cannot show who is reversed."
            )
        found.append(Text(text + _effect(made, one.question), "warning"))
    if made.checks and not found:
        found.append(Text("No annotator’s scale is reversed."))
    return found


def _effect(made: RaterAgreement, question: str) -> str:
    given = next(q for q in made.questions if q.question == question)
    changed = [q for q in made.changed if q.question == question]
    shown = [
        f"{_all_agree(given)} of items as given",
        *(f"{_all_agree(q)} {q.change}" for q in changed),
    ]
    return f" All annotators agree on {'; '.join(shown)}." if changed else ""


def _all_agree(one: QuestionAgreement) -> str:
    value, alpha = one.all_agree.value, one.alpha.value
    share = "an undefined share" if value is None else f"{_percent(value)}\u00a0%"
    return share if alpha is None else f"{share} (α = {correlation(alpha)})"


def _shifted(made: RaterAgreement) -> list[str]:
    by_question: dict[str, list[str]] = {}
    for one in made.shifted:
        by_question.setdefault(one.question, []).append(one.annotator)
    if not by_question:
        return []
    named = "; ".join(f"{question} ({', '.join(who)})" for question, who in by_question.items())
    return [f"Shifted scales: {named}."]


def _changes(made: RaterAgreement) -> Table:
    affected = {q.question for q in made.changed}
    rows = [q for q in made.questions if q.question in affected]
    return question_table(
        sorted([*rows, *made.changed], key=lambda q: list(affected).index(q.question)),
        name="reversed",
    )


def _repeat(made: RaterAgreement, command: str) -> Section:
    data = made.judgments
    blocks: list[Block] = [Code(command)] if command else []
    blocks.append(
        Facts({
            "file": data.name, "SHA-256": data.sha256, "annotators": len(data.annotators),
            "items": len(data.items), "questions": list(data.answers), "seed": made.seed,
        }, on=PAGE)
    )  # fmt: skip
    return Section("repeat", "How to repeat it", blocks, on=PAGE)
