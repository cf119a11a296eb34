"""What people said of the candidates of triples, as blocks of a document."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter

from tiltmeter.analysis.quality.labels import ANSWERS, NEEDED, Judged, Term
from tiltmeter.core.items import Triple
from tiltmeter.core.results import Estimate
from tiltmeter.core.text import counted
from tiltmeter.report.columns import TableRows, interval_columns
from tiltmeter.report.document import BOTH, Block, Column, Lines, Table, Text
from tiltmeter.report.documents.data_check.counts import INTERVAL, count_table, listed, value_table
from tiltmeter.report.text import span

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
    people_agree = {"Krippendorff’s alpha": found.alpha, "Fleiss’ kappa": found.kappa}
    return [
        Text(
            f"{triples} with {counted(found.labels, 'labels')}{people}; sentences: {numbers}.{missing}"
        ),
        _agreement({"all": found.agreement, **found.by_task, **found.by_domain}),
        value_table("Agreement among people", people_agree, "{:.3f}".format, name="of"),
        _confusion(found.answers),
        _passing(found),
        *_failing(failing, show_text=show_text),
        _terms(found.terms),
    ]


def _agreement(values: Mapping[str, Estimate]) -> Table:
    by_name = {name or NO_DOMAIN: value for name, value in values.items()}
    notes = ["Mean over sentences of the share of people who agree."]
    return value_table(
        "% agreement with the published label", by_name, "{:.1f}".format, name="of", notes=notes
    )


def _confusion(said: Mapping[str, Mapping[str, int]]) -> Table:
    rows = TableRows(list(said.values()))
    return Table(
        "What people said, by published label",
        [
            Column("published as", list(said), number=False),
            *(rows.counts(label, itemgetter(label)) for label in ANSWERS),
        ],
        name="labels",
    )


def _passing(found: Judged) -> Table:
    rows = [
        (f"{k} or more{' (as Nadeem et al. 2021 require)' if k == NEEDED else ''}", n, found.triples)
        for k, n in found.passing.items()
    ]  # fmt: skip
    title = "Triples by the number of agreeing labels on every sentence"
    return count_table(title, rows, "triples", "labels")


def _failing(failing: Sequence[Triple], *, show_text: bool) -> list[Block]:
    if not failing:
        return []
    texts = [
        line
        for t in failing[:FAILING]
        for line in (f"{t.id}: {t.context}", *(f"  {sentence}" for sentence in t.sentences))
    ]
    ids = Text(
        f"With fewer than {NEEDED}: {listed([t.id for t in failing[:FAILING]], len(failing))}."
    )
    return [ids, *([Lines(texts, on=BOTH)] if show_text else [])]


def _terms(terms: Sequence[Term]) -> Table:
    """Target terms by agreement; of many, those at either end."""
    cut = len(terms) > 2 * ENDS
    shown = [*terms[:ENDS], *terms[-ENDS:]] if cut else terms
    rows = TableRows(shown)
    return Table(
        "Target terms by agreement, highest first",
        [
            rows.words("", lambda term: term.name, name="term"),
            rows.counts("triples", lambda term: term.triples),
            rows.numbers("agreement, %", lambda term: term.agreement.value, "{:.1f}".format),
            interval_columns(
                [t.agreement for t in shown], INTERVAL, partial(span, show="{:.1f}".format)
            )[0],
        ],
        notes=[f"The {ENDS} highest and the {ENDS} lowest of {len(terms):,}."] if cut else (),
        most=2 * ENDS,
        name="terms",
    )
