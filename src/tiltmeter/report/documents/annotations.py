"""The document of `annotations`: what people said about hypotheses that models wrote."""

from collections.abc import Callable, Sequence
from functools import partial

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.analysis.quality.judged_hypotheses import (
    AXES,
    HARMONISED,
    SHARES,
    AnnotatorScale,
    JudgedHypotheses,
    JudgedShare,
    QuestionPanel,
)
from tiltmeter.report.columns import TableRows, interval_columns
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
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
from tiltmeter.report.text import correlation, counted, number, raised, span

HOW = (
    "All shares but the first are of judgments that call the hypothesis valid and plausible. Intervals "
    "(95\u00a0%) are for other hypotheses: stretched bootstraps that draw hypotheses with all their "
    "judgments."
)
COLUMNS = (
    "In per cent. Illegitimate: not valid or not plausible. Of the others: based on the identity; on the "
    "identity and not on the situation; a stereotype, yes or maybe; negative. The files have all shares with "
    "intervals."
)
AGREEMENT = (
    "Answers count as three: yes, not sure, no (of sentiment: positive, neutral, negative). “All four” is "
    "the share of hypotheses about which all four annotators say the same; “three” and “pair” are the chance "
    "that three, or two, answers drawn at random are equal. Krippendorff’s α is of the five ordered codes, "
    "Gwet’s AC1 of the three answers: 1 is full agreement, 0 chance. Intervals are for other hypotheses."
)
SCALES = (
    "Each annotator’s codes as published, against the mean of the others. A scale is reversed if the whole "
    "interval of r is below 0. Codes that an annotator never uses may mean other words."
)
LIMITS = (
    "Four authors of one paper judged; other people would judge otherwise. Whether something is a stereotype "
    "was left to each of them."
)
TOP = ("domain",)
"""Axes whose shares are shown in the terminal too."""


def judged_document(
    made: JudgedHypotheses, *, command: str = "", files: Sequence[str] = ()
) -> Document:
    """Everything about the judgments.

    Args:
        made: What was found.
        command: How to repeat it.
        files: Names of files beside the page.
    """
    data = made.judgments
    card = Section("card", "How the answers were made one scale", [Lines(data.done, on=BOTH)])
    return Document(
        "Judgments of generated hypotheses",
        f"{data.name}, convention {made.convention}",
        [_headline(made), *_reversed(made)],
        [
            Section("shares", "Shares of judgments", [_shares(made), Text(HOW, on=PAGE)]),
            *(_section(made, axis) for axis in AXES),
            Section("panels", "Agreement of the four annotators", [
                panel_table(made.panels), Text(AGREEMENT, on=PAGE),
            ]),
            Section("scales", "Scales by annotator, as published", [
                scale_table(made.scales), Text(SCALES, on=PAGE),
            ]),
            *([card] if data.done else []),
            _repeat(made, command),
        ],
        limits=LIMITS,
        warning="Hypotheses contain stereotypes and insults.",
        files=files,
    )  # fmt: skip


def _section(made: JudgedHypotheses, axis: str) -> Section:
    blocks: list[Block] = [_by_axis(made, axis), Text(COLUMNS, "note")]
    return Section(axis, f"By {axis}", blocks, on=BOTH if axis in TOP else PAGE)


def _shares(made: JudgedHypotheses) -> Table:
    rows = [one for one in made.shares if not one.axis]
    of = TableRows(rows)
    return Table(
        "",
        [
            of.words("judgments", lambda one: one.name, name="share_of"),
            of.numbers(
                "share, %", lambda one: one.share.value, _percent, missing="undefined", name="share"
            ),
            *interval_columns([one.share for one in rows], show=lambda v: span(v, "–", _percent)),
            of.counts("n", lambda one: one.n, name="n", drop=1),
            of.counts("hypotheses", lambda one: one.hypotheses, name="hypotheses", drop=2),
        ],
        notes=_reasons(rows),
        name="shares",
    )


def _by_axis(made: JudgedHypotheses, axis: str) -> Table:
    """A row for each value, a column for each share, with intervals in the files."""
    values = list(dict.fromkeys(one.value_of for one in made.shares if one.axis == axis))
    of = TableRows(values)
    columns: list[Column] = [of.words(raised(axis), lambda value: value, name=axis)]
    for name in SHARES:
        mine = [made.share(name, axis, value) for value in values]
        shown = BOTH if name in SHORT else FILES_ONLY
        columns += [
            TableRows(mine).numbers(
                SHORT.get(name, name), lambda one: one.share.value, _percent, missing="–",
                name=_plain(name), on=shown,
            ),
            *interval_columns(
                [one.share for one in mine], show=lambda v: span(v, "–", _percent),
                prefix=f"{_plain(name)}_", drop=2, on=shown if name in WITH_INTERVAL else FILES_ONLY,
            ),
        ]  # fmt: skip
    return Table("", columns, most=len(values), name=f"by-{axis}")


SHORT = {
    "not valid or not plausible": "illegitimate",
    "based on identity": "identity",
    "identity without situation": "identity only",
    "stereotype, yes or maybe": "stereotype",
    "negative": "negative",
}
"""Shares that tables by group show; the files have all."""
WITH_INTERVAL = ("based on identity", "stereotype, yes or maybe")


def panel_table(panels: Sequence[QuestionPanel]) -> Table:
    """Agreement, a row a question."""
    of = TableRows(panels)
    parts: tuple[
        tuple[str, str, Callable[[QuestionPanel], Value], Callable[[float], str], int], ...
    ] = (
        ("all four, %", "all_four", lambda p: p.all_four, _percent, 0),
        ("three, %", "three", lambda p: p.three, _percent, 2),
        ("pair, %", "pair", lambda p: p.pair, _percent, 0),
        ("α", "alpha", lambda p: p.alpha, correlation, 0),
        ("AC1", "ac1", lambda p: p.ac1, correlation, 1),
    )
    columns = [
        of.words("question", lambda p: p.question),
        of.counts("hypotheses", lambda p: p.items, name="items"),
    ]
    for title, name, get, show, drop in parts:
        values = [get(panel) for panel in panels]
        columns += [
            TableRows(values).numbers(
                title, lambda v: v.value, show, missing="undefined", name=name, drop=drop
            ),
            *interval_columns(
                values,
                show=partial(span, between="–", show=show),
                prefix=f"{name}_",
                drop=3 + drop,
            ),
        ]
    return Table("", columns, most=len(panels), name="agreement")


def scale_table(scales: Sequence[AnnotatorScale]) -> Table:
    """Each annotator against the others."""
    of = TableRows(scales)
    return Table(
        "",
        [
            of.words("question", lambda one: one.question),
            of.words("annotator", lambda one: one.annotator),
            of.counts("n", lambda one: one.check.items, name="items", drop=2),
            of.numbers("r", lambda one: one.check.r, correlation, missing="undefined"),
            *interval_columns(
                [one.check.r_interval for one in scales], show=lambda i: span(i, "–", correlation),
                prefix="r_", drop=1,
            ),
            of.words("never uses", lambda one: ", ".join(map(str, one.never)), name="never"),
            of.words("mark", lambda one: "reversed" if one.check.reversed else None, name="mark"),
        ],
        strong=[one.check.reversed for one in scales],
        most=len(scales),
        name="scales",
    )  # fmt: skip


def _percent(value: float) -> str:
    return number(value, "%")


def _plain(name: str) -> str:
    return name.replace(",", "").replace(" ", "_")


def _reasons(rows: Sequence[JudgedShare]) -> list[str]:
    return [f"{one.name}: {one.share.why}" for one in rows if one.share.why]


def _headline(made: JudgedHypotheses) -> str:
    data, share = made.judgments, made.share("based on identity")
    wrong = made.share("not valid or not plausible")
    told = f"{counted(len(data.rows), 'judgments')} of {counted(data.hypotheses, 'hypotheses')}"
    bad, based = (_percent(one.share.value or 0) for one in (wrong, share))
    return (
        f"{told}: {bad}\u00a0% are not valid or not plausible; of the others {based}\u00a0% "
        f"({span(share.share, '–', _percent)}) are based on the identity."
    )


def _reversed(made: JudgedHypotheses) -> list[Text]:
    found = []
    for one in made.reversed:
        panel = made.panel(one.question)
        used = (
            "It is turned round here"
            if made.convention == HARMONISED
            else "It is not corrected here"
        )
        text = (
            f"{one.annotator} used the scale of {one.question} the other way round: r = "
            f"{correlation(one.check.r or 0)} ({span(one.check.r_interval, show=correlation)}). {used}: all "
            f"four agree on {_percent(panel.all_four.value or 0)}\u00a0% of hypotheses, two of them on "
            f"{_percent(panel.pair.value or 0)}\u00a0%."
        )
        found.append(Text(text, "warning"))
    return found


def _repeat(made: JudgedHypotheses, command: str) -> Section:
    blocks: list[Block] = [Code(command)] if command else []
    facts = Facts({
        "data": made.judgments.name, "SHA-256": list(made.judgments.sha256),
        "judgments as published": len(made.published.rows), "counted": len(made.judgments.rows),
        "convention": made.convention, "seed": made.seed,
    }, on=PAGE)  # fmt: skip
    return Section("repeat", "How to repeat it", [*blocks, facts], on=PAGE)
