"""What is in a set of pairs and how good it is, as a document."""

from collections.abc import Sequence
from operator import itemgetter

from tiltmeter.analysis.quality.annotations import Votes
from tiltmeter.analysis.quality.pairs import PairCheck, Quality
from tiltmeter.core.text import counted
from tiltmeter.data.pairs.pair_checks import WARNED
from tiltmeter.report import document as doc
from tiltmeter.report.columns import TableRows
from tiltmeter.report.documents.data_check import counts
from tiltmeter.report.text import axis_title

ABOUT_VOTES = (
    "The annotations record which bias types were named, not who called a pair valid and minimally distant. "
    "Acceptance (3 votes of 6, the writer’s among them) is recomputed as if all who named a type had voted "
    "for the pair: {failing} fail even then. The published agreement of 80.9\u00a0% is about validity, "
    "over the rejected examples too, and cannot be compared with the agreement here, which is about naming a "
    "type."
)


def pair_check_document(quality: Quality, *, show_text: bool = False) -> doc.Document:
    """The make-up, what the checks find, and what annotators said; pairs are ids unless `show_text`."""
    q, pairs = quality, quality.pairs
    name, types = q.name or "pairs", q.groups["bias_type"]
    flags = f"{q.flagged:,} ({counts.percent(100 * q.flagged / pairs)})"
    flagged = [(kind, n, types[kind]) for kind, n in sorted(q.flagged_by_type.items())]
    examples = _examples(q.checks, show_text=show_text)
    return doc.Document(
        "Data check",
        name,
        [f"{name}: {counted(pairs, 'pairs')}, {flags} flagged by the checks."],
        [
            doc.Section("make-up", "", _make_up(q)),
            doc.Section("checks", "", [_check_table(q), *_counts("Flagged by bias type", flagged)]),
            *([doc.Section("examples", "Examples", examples)] if q.checks else []),
            *([doc.Section("annotations", "", _annotations(q.votes))] if q.votes else []),
            *counts.note_sections((), q.notes),
        ],
    )


def _make_up(q: Quality) -> list[doc.Block]:
    """How many pairs there are of each kind, and how long their sentences are."""
    axes = {
        axis_title(axis).capitalize(): [(label, n, q.pairs) for label, n in counts.items()]
        for axis, counts in q.groups.items()
    }
    lengths = TableRows([q.words, q.distance])
    names = ["words in a sentence", "characters that differ within a pair"]
    columns = (
        lengths.numbers(name, itemgetter(i), "{:,.3g}".format)
        for i, name in enumerate(("fewest", "median", "most"))
    )
    beyond = f"{counts.share(q.beyond, q.pairs, 'pairs')} differ in more than {WARNED} characters."
    return [
        *(table for title, rows in axes.items() for table in _counts(title, rows)),
        doc.Table("Length", [doc.Column("", names, number=False, name="name"), *columns], notes=[beyond]),
    ]  # fmt: skip


def _counts(title: str, rows: Sequence[counts.Count]) -> list[doc.Block]:
    """Counts with their shares; none where nothing was counted."""
    return [counts.count_table(title, rows)] if rows else []


def _check_table(q: Quality) -> doc.Table:
    """How many pairs each check marks; only some checks flag a pair."""
    checks = TableRows(q.checks)
    return doc.Table(
        "Checks",
        [
            checks.words("", _called, name="check"),
            checks.counts("pairs", lambda check: check.pairs),
            checks.numbers("share", lambda check: 100 * check.pairs / q.pairs, counts.percent),
            checks.words("", lambda check: "flag" if check.suspicious else "note", name="kind"),
        ],
        most=50,
    )


def _called(check: PairCheck) -> str:
    return check.name.replace("_", " ")


def _examples(checks: Sequence[PairCheck], *, show_text: bool) -> list[doc.Block]:
    ids = {
        _called(c): counts.listed([example.id for example in c.examples], c.pairs) for c in checks
    }
    blocks: list[doc.Block] = [doc.Facts(ids)]
    for check in checks if show_text else ():
        lines = [
            text
            for example in check.examples
            for text in (
                f"{example.id}: {example.reason}",
                f"  {example.more}",
                f"  {example.less}",
            )
        ]
        blocks.append(doc.Lines(lines, title=_called(check), on=doc.BOTH))
    return blocks


def _annotations(v: Votes) -> list[doc.Block]:
    by_number = [
        (f"{counted(n, 'annotators')} naming a type", k, v.pairs) for n, k in v.by_named.items()
    ]
    types = [
        ("published type named most often", v.most_named, v.pairs),
        ("published type tied with another", len(v.tied), v.pairs),
        ("published type outvoted", len(v.outvoted), v.pairs),
        ("published type named by nobody", len(v.unnamed), v.pairs),
        ("two types named twice or more", len(v.intersectional), v.pairs),
        ("fewer than three votes at best", len(v.not_accepted), v.pairs),
        ("judged by their own writer", len(v.own_judge), v.pairs),
    ]
    people: dict[str, doc.Json] = {
        "writers": v.writers,
        "pairs by the busiest writer": counts.share(v.largest_writer, v.pairs, "pairs"),
        "writers of half the pairs": v.half_by or "",
        "writers and annotators": v.people,
    }
    return [
        counts.count_table("Annotations", [*by_number, *types]),
        counts.value_table(
            "Agreement",
            {
                "on naming a type, %": v.agreement_named,
                "on which type, %": v.agreement_type,
                "alpha, on which type": v.alpha_type,
            },
            "{:,.3g}".format,
        ),
        doc.Facts(people),
        doc.Text(ABOUT_VOTES.format(failing=len(v.not_accepted)), "note"),
    ]
