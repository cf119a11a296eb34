"""What is in a set of pairs and how good it is, as a document."""

from collections.abc import Mapping, Sequence

from tiltmeter.analysis.quality.annotations import Value, Votes
from tiltmeter.analysis.quality.pairs import Found, Quality
from tiltmeter.data.audit import WARNED
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    Block,
    Column,
    Document,
    Facts,
    Json,
    Lines,
    Section,
    Table,
    Text,
)
from tiltmeter.report.text import axis_title, counted

ABOUT_VOTES = (
    "The annotations record which bias types were named, not who called a pair valid and minimally distant. "
    "Acceptance (3 votes of 6, the writer’s among them) is recomputed as if all who named a type had voted "
    "for the pair: {failing} fail even then. The published agreement of 80.9\u00a0% is about validity, "
    "over the rejected examples too, and cannot be compared with the agreement here, which is about naming a "
    "type."
)
Count = tuple[str, int, int]
"""What is counted, how many, and of how many."""


def pair_check_document(quality: Quality, *, show_text: bool = False) -> Document:
    """The make-up, what the audit finds, and what annotators said; pairs are ids unless `show_text`."""
    q, pairs = quality, quality.pairs
    name = q.name or "pairs"
    types = q.groups["bias_type"]
    flags = f"{q.flagged:,} ({_percent(100 * q.flagged / pairs)})"
    flagged = [(kind, n, types[kind]) for kind, n in sorted(q.flagged_by_type.items())]
    return Document(
        "Data check",
        name,
        [f"{name}: {counted(pairs, 'pairs')}, {flags} flagged by the audit."],
        [
            Section("make-up", "", [*_make_up(q.groups, pairs), *_lengths(q)]),
            Section("audit", "", [_audit(q), *_table("Flagged by bias type", flagged)]),
            *(
                [Section("examples", "Examples", _examples(q.found, show_text=show_text))]
                if q.found
                else []
            ),
            *([Section("annotations", "", _annotations(q.votes))] if q.votes else []),
            *([Section("notes", "Notes", [Lines(q.notes, on=BOTH)])] if q.notes else []),
        ],
    )


def _make_up(groups: Mapping[str, Mapping[str, int]], pairs: int) -> list[Block]:
    return [
        table
        for axis, counts in groups.items()
        for table in _table(
            axis_title(axis).capitalize(), [(label, n, pairs) for label, n in counts.items()]
        )
    ]


def _table(title: str, rows: Sequence[Count]) -> list[Table]:
    """Counts with their shares; none where nothing was counted."""
    if not rows:
        return []
    names, counts, totals = zip(*rows, strict=True)
    return [
        Table(
            title,
            [
                Column("", names, number=False, name="name"),
                Column("pairs", counts, "{:,}".format),
                Column(
                    "share", [100 * n / of for n, of in zip(counts, totals, strict=True)], _percent
                ),
            ],
            most=50,
        )
    ]


def _lengths(q: Quality) -> list[Block]:
    spreads = (q.words, q.distance)
    columns = (
        Column(name, [spread[i] for spread in spreads], "{:,.3g}".format)
        for i, name in enumerate(("fewest", "median", "most"))
    )
    names = ["words in a sentence", "characters that differ within a pair"]
    beyond = f"{_share(q.beyond, q.pairs)} differ in more than {WARNED} characters."
    return [
        Table("Length", [Column("", names, number=False, name="name"), *columns], notes=[beyond])
    ]


def _audit(q: Quality) -> Table:
    """What each check of the audit found; only some checks flag a pair."""
    found = q.found
    return Table(
        "Audit",
        [
            Column("", [_called(check) for check in found], number=False, name="check"),
            Column("pairs", [check.pairs for check in found], "{:,}".format),
            Column("share", [100 * check.pairs / q.pairs for check in found], _percent),
            Column("", ["flag" if check.suspicious else "note" for check in found], number=False,
                   name="kind"),
        ],
        most=50,
    )  # fmt: skip


def _called(check: Found) -> str:
    return check.name.replace("_", " ")


def _examples(found: Sequence[Found], *, show_text: bool) -> list[Block]:
    blocks: list[Block] = [Facts({_called(check): _ids(check) for check in found})]
    for check in found if show_text else ():
        lines = [
            text
            for one in check.examples
            for text in (f"{one.id}: {one.reason}", f"  {one.more}", f"  {one.less}")
        ]
        blocks.append(Lines(lines, title=_called(check), on=BOTH))
    return blocks


def _ids(check: Found) -> str:
    listed = ", ".join(example.id for example in check.examples)
    rest = check.pairs - len(check.examples)
    return f"{listed} and {rest:,} more" if rest else listed


def _annotations(v: Votes) -> list[Block]:
    named = [
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
    people: dict[str, Json] = {
        "writers": v.writers,
        "pairs by the busiest writer": _share(v.largest_writer, v.pairs),
        "writers of half the pairs": v.half_by or "",
        "writers and annotators": v.people,
    }
    return [
        *_table("Annotations", [*named, *types]),
        _agreement(
            {
                "on naming a type, %": v.agreement_named,
                "on which type, %": v.agreement_type,
                "alpha, on which type": v.alpha_type,
            }
        ),
        Facts(people),
        Text(ABOUT_VOTES.format(failing=len(v.not_accepted)), "note"),
    ]


def _agreement(values: Mapping[str, Value]) -> Table:
    """Agreement among annotators, with intervals where there are any."""
    of = list(values.values())
    return Table(
        "Agreement",
        [
            Column("", list(values), number=False, name="name"),
            Column("value", [v.value for v in of], shown=[_value(v.value) for v in of]),
            Column(
                "95\u00a0% interval", [v.low for v in of], shown=[_ends(v) for v in of], name="low"
            ),
            Column("high", [v.high for v in of], on=FILES_ONLY),
        ],
        notes=[f"{name}: {v.why}" for name, v in values.items() if v.why],
    )


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:,.3g}"


def _ends(v: Value) -> str:
    return "" if v.low is None or v.high is None else f"{_value(v.low)} to {_value(v.high)}"


def _share(n: int, of: int) -> str:
    return f"{n:,} of {counted(of, 'pairs')} ({_percent(100 * n / of)})"


def _percent(share: object) -> str:
    return f"{share:.1f}\u00a0%"
