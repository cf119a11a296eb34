"""What is in a set of triples and what is known of it, as a document."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tiltmeter.analysis.quality.keywords import Keywords
from tiltmeter.analysis.quality.sentiment import CLASSES, Difference, Mood, Sentiment, Share
from tiltmeter.analysis.quality.triples import OFFENSIVE, Described
from tiltmeter.core.types import Groups
from tiltmeter.data.cloze import ODDITIES
from tiltmeter.data.polarity import NEUTRAL
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    Block,
    Column,
    Document,
    Facts,
    Lines,
    Section,
    Table,
    Text,
)
from tiltmeter.report.documents.triple_labels import NO_DOMAIN, label_blocks, listed_ids
from tiltmeter.report.text import counted

IDS = 5
"""Ids listed of a kind of odd context."""
WORDS = 12
"""Keywords listed for each domain; JSON has more."""


def triple_check_document(found: Described, *, show_text: bool = False) -> Document:
    """Make-up, odd contexts, sentiment, keywords, people's labels; triples are ids unless `show_text`."""
    name = found.name or "triples"
    about = f"{counted(found.triples, 'triples')} about {counted(found.terms, 'target terms')}"
    return Document(
        "Data check",
        name,
        [f"{name}: {about}."],
        [
            Section("make-up", "", [_make_up(found)]),
            Section("odd", "Odd contexts", _odd(found, show_text=show_text)),
            Section(
                "sentiment", "Sentiment of the candidates",
                _or_why(found.sentiment, _sentiment, found.why_no_sentiment),
            ),
            Section(
                "keywords", "Keywords", _or_why(found.keywords, _keywords, found.why_no_keywords)
            ),
            Section(
                "labels", "People’s labels",
                _or_why(found.judged, lambda judged: label_blocks(judged, found.failing, show_text=show_text),
                        found.why_no_labels),
            ),
            *_notes(found),
        ],
    )  # fmt: skip


T = TypeVar("T")


def _or_why(value: T | None, blocks: Callable[[T], list[Block]], why: str) -> list[Block]:
    return [Text(f"Not available: {why}")] if value is None else blocks(value)


def _notes(found: Described) -> list[Section]:
    lines = [*(f"left out: {problem}" for problem in found.problems), *found.notes]
    return [Section("notes", "Notes", [Lines(lines, on=BOTH)])] if lines else []


def _make_up(found: Described) -> Table:
    parts = found.parts
    names = [f"{part.task}, {part.domain or NO_DOMAIN}" for part in parts]
    return Table(
        "Make-up",
        [
            Column("", names, number=False, name="part"),
            Column("terms", [part.terms for part in parts], _count),
            Column("triples", [part.triples for part in parts], _count),
            Column("mean words", [part.words for part in parts], "{:.2f}".format),
        ],
        most=50,
    )


def _odd(found: Described, *, show_text: bool) -> list[Block]:
    if not found.odd:
        return [Text("None.")]
    facts = {
        kind: f"{len(members):,} of {found.triples:,}: {ODDITIES[kind]}. Ids: {listed_ids(members, IDS)}"
        for kind, members in found.odd.items()
    }
    texts = [
        Lines([f"{t.id}: {t.context}" for t in members[:IDS]], title=kind, on=BOTH)
        for kind, members in found.odd.items()
    ]
    return [Facts(facts), *(texts if show_text else ())]


# ── Sentiment ────────────────────────────────────────────────────────────────────────────────────


def _sentiment(found: Sentiment) -> list[Block]:
    rated = ", ".join(f"{term} {_signed(value, 2)}" for term, value in found.terms.items())
    return [
        Text(
            f"Rated by {found.instrument}, which rates words and not meaning; neutral is closer to 0 than "
            f"{NEUTRAL:g}.",
            "note",
        ),
        _moods([mood for mood in found.moods if len(mood.groups) <= 1]),
        _two_classes([mood for mood in found.moods if not mood.groups]),
        _differences([d for d in found.differences if len(d.groups) <= 1]),
        *([Text(f"Target terms that are rated themselves, and tint their sentences: {rated}.")]
          if rated else []),
    ]  # fmt: skip


def _moods(moods: Sequence[Mood]) -> Table:
    names = [f"{_group(mood.groups)}: {_side(mood.side)}" for mood in moods]
    shares: list[list[Share]] = [[getattr(mood, name) for mood in moods] for name in CLASSES]
    return Table(
        "% of sentences by sentiment, with 95 % intervals",
        [
            Column("", names, number=False, name="sentences"),
            *(
                column
                for name, of in zip(CLASSES, shares, strict=True)
                for column in _shares(name, of)
            ),
        ],
        notes=["Wilson intervals, with target terms as clusters."],
        most=50,
        name="sentiment",
    )


def _shares(name: str, of: Sequence[Share]) -> list[Column]:
    shown = [f"{s.value:.1f} ({s.low:.1f} to {s.high:.1f})" for s in of]
    return [
        Column(name, [s.value for s in of], shown=shown, drop=int(name == "neutral")),
        *_hidden(f"{name}_low", [s.low for s in of]),
        *_hidden(f"{name}_high", [s.high for s in of]),
    ]


def _hidden(name: str, values: Sequence[float | None]) -> list[Column]:
    return [Column(name, values, on=FILES_ONLY)]


def _two_classes(moods: Sequence[Mood]) -> Table:
    return Table(
        "% of sentences in two classes, neutral as positive",
        [
            Column("", [_side(mood.side) for mood in moods], number=False, name="sentences"),
            Column("positive", [mood.unnegative for mood in moods], "{:.1f}".format),
            Column("negative", [mood.negative.value for mood in moods], "{:.1f}".format),
        ],
        notes=["As Nadeem et al. 2021 count."],
        name="sentiment-two-classes",
    )


def _differences(differences: Sequence[Difference]) -> Table:
    """Stereotypes less anti-stereotypes: a row a group, a column a class."""
    rows: dict[str, dict[str, Difference]] = {}
    for difference in differences:
        rows.setdefault(_group(difference.groups), {})[difference.name] = difference
    notes: dict[str, list[str]] = {}
    for group, row in rows.items():
        for why in dict.fromkeys(d.why for d in row.values() if d.why):
            notes.setdefault(why, []).append(group)
    columns = [
        column
        for name in CLASSES
        for of in [[row[name] for row in rows.values()]]
        for column in (
            Column(name, [d.value for d in of], shown=list(map(_difference, of)),
                   drop=int(name == "neutral")),
            *_hidden(f"{name}_low", [d.low for d in of]),
            *_hidden(f"{name}_high", [d.high for d in of]),
        )
    ]  # fmt: skip
    return Table(
        "Stereotypes less anti-stereotypes, percentage points",
        [Column("", list(rows), number=False, name="sentences"), *columns],
        notes=[
            "Paired; bootstrap over target terms, 95\u00a0% intervals.",
            *(f"{', '.join(groups)}: {why}" for why, groups in notes.items()),
        ],
        name="sentiment-differences",
    )


def _group(groups: Groups) -> str:
    return ", ".join(groups.values()) or "all"


def _side(side: str) -> str:
    return side.replace("_", "-")


def _difference(one: Difference) -> str:
    if one.low is None or one.high is None:
        return _signed(one.value)
    return f"{_signed(one.value)} ({_signed(one.low)} to {_signed(one.high)})"


def _signed(value: float, digits: int = 1) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


# ── Keywords ─────────────────────────────────────────────────────────────────────────────────────


def _keywords(found: Keywords) -> list[Block]:
    about = (
        f"Words that occur {found.least} times or more in stereotypes and anti-stereotypes, by Kilgarriff’s "
        f"keyness against {found.reference} with k = {found.k:g}, where 1 is as often as there. At most "
        f"{WORDS} words of each domain are listed."
    )
    tables = [_domain(found, domain) for domain, words in found.domains.items() if words]
    return [Text(OFFENSIVE, "warning"), Text(about, "note"), *tables]


def _domain(found: Keywords, domain: str) -> Table:
    words = found.domains[domain][:WORDS]
    return Table(
        f"{domain or NO_DOMAIN} ({found.words[domain]:,} words)",
        [
            Column("", [word.word for word in words], number=False, name="word"),
            Column("keyness", [word.keyness for word in words], "{:,.0f}".format),
            Column("stereotypes", [word.stereotypes for word in words], _count),
            Column("anti-stereotypes", [word.anti_stereotypes for word in words], _count),
            Column("terms", [word.terms for word in words], _count, drop=1),
        ],
        most=WORDS,
        name=f"keywords-{domain or 'other'}",
    )


def _count(value: object) -> str:
    return f"{value:,}"
