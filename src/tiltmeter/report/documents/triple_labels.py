"""What people said of the candidates of triples, as blocks of a document."""

from collections.abc import Mapping, Sequence

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.analysis.quality.labels import NEEDED, SAID, Judged, Term
from tiltmeter.core.items import Triple
from tiltmeter.report.document import BOTH, FILES_ONLY, Block, Column, Lines, Table, Text
from tiltmeter.report.text import counted

FAILING = 50
"""Ids listed of triples that people's labels do not confirm."""
ENDS = 10
"""Target terms listed at either end of people's agreement."""
NO_DOMAIN = "no domain"


def label_blocks(found: Judged, failing: Sequence[Triple], *, show_text: bool) -> list[Block]:
    """How many labels there are, how far people agree, and which triples they do not confirm."""
    numbers = ", ".join(f"{n:,} with {k}" for k, n in found.by_number.items())
    people = f" by {found.people:,} people" if found.people else ""
    triples = counted(found.triples, "triples")
    rest = counted(found.unlabelled, "triples")
    verb = "is" if found.unlabelled == 1 else "are"
    missing = f" {rest} {verb} not fully labelled and not counted." if found.unlabelled else ""
    return [
        Text(
            f"{triples} with {counted(found.labels, 'labels')}{people}; sentences: {numbers}.{missing}"
        ),
        _agreement({"all": found.agreement, **found.by_task, **found.by_domain}),
        _reliability({"Krippendorff’s alpha": found.alpha, "Fleiss’ kappa": found.kappa}),
        _confusion(found.said),
        _passing(found),
        *_failing(failing, show_text=show_text),
        _terms(found.terms),
    ]


def _agreement(values: Mapping[str, Value]) -> Table:
    names = [name or NO_DOMAIN for name in values]
    return _values("% agreement with the published label", names, list(values.values()), 1,
                   ["Mean over sentences of the share of people who agree."])  # fmt: skip


def _reliability(values: Mapping[str, Value]) -> Table:
    return _values("Agreement among people", list(values), list(values.values()), 3)


def _values(
    title: str, names: Sequence[str], of: Sequence[Value], digits: int, notes: Sequence[str] = ()
) -> Table:
    """Values with their intervals, and why some have none."""
    whys = [f"{name}: {v.why}" for name, v in zip(names, of, strict=True) if v.why]
    shown = ["undefined" if v.value is None else f"{v.value:.{digits}f}" for v in of]
    ends = [_ends(v, digits) for v in of]
    return Table(
        title,
        [
            Column("", names, number=False, name="of"),
            Column("value", [v.value for v in of], shown=shown),
            Column("95\u00a0% interval", [v.low for v in of], shown=ends, name="low"),
            Column("high", [v.high for v in of], on=FILES_ONLY),
        ],
        notes=[*notes, *whys],
        most=50,
    )


def _ends(v: Value, digits: int) -> str:
    return "" if v.low is None or v.high is None else f"{v.low:.{digits}f} to {v.high:.{digits}f}"


def _confusion(said: Mapping[str, Mapping[str, int]]) -> Table:
    columns = [Column(label, [counts[label] for counts in said.values()], _count) for label in SAID]
    return Table(
        "What people said, by published label",
        [Column("published as", list(said), number=False), *columns],
        name="labels",
    )


def _passing(found: Judged) -> Table:
    least = list(found.passing)
    names = [
        f"{k} or more{' (as Nadeem et al. 2021 require)' if k == NEEDED else ''}" for k in least
    ]
    counts = list(found.passing.values())
    return Table(
        "Triples with so many agreeing labels on every sentence",
        [
            Column("", names, number=False, name="labels"),
            Column("triples", counts, _count),
            Column("share", [100 * n / found.triples for n in counts], _percent),
        ],
    )


def _failing(failing: Sequence[Triple], *, show_text: bool) -> list[Block]:
    if not failing:
        return []
    texts = [
        line
        for t in failing[:FAILING]
        for line in (f"{t.id}: {t.context}", *(f"  {sentence}" for sentence in t.sentences))
    ]
    listed = Text(f"With fewer than {NEEDED}: {listed_ids(failing, FAILING)}.")
    return [listed, *([Lines(texts, on=BOTH)] if show_text else [])]


def _terms(terms: Sequence[Term]) -> Table:
    """Target terms by agreement; of many, those at either end."""
    cut = len(terms) > 2 * ENDS
    shown = [*terms[:ENDS], *terms[-ENDS:]] if cut else terms
    return Table(
        "Target terms by agreement, highest first",
        [
            Column("", [term.name for term in shown], number=False, name="term"),
            Column("triples", [term.triples for term in shown], _count),
            Column("agreement, %", [term.agreement.value for term in shown], "{:.1f}".format),
            Column(
                "95\u00a0% interval", [_ends(t.agreement, 1) or None for t in shown], in_files=False
            ),
        ],
        notes=[f"The {ENDS} highest and the {ENDS} lowest of {len(terms):,}."] if cut else (),
        most=2 * ENDS,
        name="terms",
    )


def _count(value: object) -> str:
    return f"{value:,}"


def _percent(share: object) -> str:
    return f"{share:.1f}\u00a0%"


def listed_ids(members: Sequence[Triple], most: int) -> str:
    """The first ids, and how many more there are."""
    rest = len(members) - most
    listed = ", ".join(t.id for t in members[:most])
    return f"{listed} and {rest:,} more" if rest > 0 else listed
