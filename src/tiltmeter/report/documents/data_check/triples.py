"""What is in a set of triples and what is known of it, as a document."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tiltmeter.analysis.quality.keywords import OFFENSIVE, Keywords
from tiltmeter.analysis.quality.sentiment import CLASSES, DIFFERENCES, SHARES, Sentiment
from tiltmeter.analysis.quality.triples import Described
from tiltmeter.core.items import SIDES
from tiltmeter.core.judges import NEUTRAL
from tiltmeter.core.results import Estimate
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.triples.cloze import ODDITIES
from tiltmeter.report import document as doc
from tiltmeter.report.columns import TableRows
from tiltmeter.report.documents.data_check.counts import listed, note_sections
from tiltmeter.report.documents.data_check.labels import NO_DOMAIN, label_blocks
from tiltmeter.report.text import span

IDS = 5
"""Ids listed of a kind of odd context."""
WORDS = 12
"""Keywords listed for each domain; JSON has more."""


def triple_check_document(found: Described, *, show_text: bool = False) -> doc.Document:
    """Make-up, odd contexts, sentiment, keywords, people's labels; triples are ids unless `show_text`."""
    name = found.name or "triples"
    about = f"{counted(found.triples, 'triples')} about {counted(found.terms, 'target terms')}"
    return doc.Document(
        "Data check",
        name,
        [f"{name}: {about}."],
        [
            doc.Section("make-up", "", [_make_up(found)]),
            doc.Section("odd", "Odd contexts", _odd(found, show_text=show_text)),
            doc.Section(
                "sentiment", "Sentiment of the candidates",
                _or_why(found, "sentiment", found.sentiment, _sentiment),
            ),
            doc.Section(
                "keywords", "Keywords", _or_why(found, "keywords", found.keywords, _keywords)
            ),
            doc.Section(
                "labels", "People’s labels",
                _or_why(found, "labels", found.labels,
                        lambda labels: label_blocks(labels, found.failing, show_text=show_text)),
            ),
            *note_sections(found.problems, found.notes),
        ],
    )  # fmt: skip


T = TypeVar("T")


def _or_why(
    found: Described, name: str, value: T | None, blocks: Callable[[T], list[doc.Block]]
) -> list[doc.Block]:
    return [doc.Text(f"Not available: {found.why[name]}")] if value is None else blocks(value)


def _make_up(found: Described) -> doc.Table:
    rows = TableRows(found.by_domain)
    return doc.Table(
        "Make-up",
        [
            rows.words("", lambda part: f"{part.task}, {part.domain or NO_DOMAIN}", name="part"),
            rows.counts("terms", lambda part: part.terms),
            rows.counts("triples", lambda part: part.triples),
            rows.numbers("mean words", lambda part: part.words, "{:.2f}".format),
        ],
        most=50,
    )


def _odd(found: Described, *, show_text: bool) -> list[doc.Block]:
    if not found.odd:
        return [doc.Text("None.")]
    facts = {
        kind: f"{len(members):,} of {found.triples:,}: {ODDITIES[kind]}. Ids: "
        + listed([t.id for t in members[:IDS]], len(members))
        for kind, members in found.odd.items()
    }
    texts = [
        doc.Lines([f"{t.id}: {t.context}" for t in members[:IDS]], title=kind, on=doc.BOTH)
        for kind, members in found.odd.items()
    ]
    return [doc.Facts(facts), *(texts if show_text else ())]


# ── Sentiment ────────────────────────────────────────────────────────────────────────────────────


def _sentiment(found: Sentiment) -> list[doc.Block]:
    rated = ", ".join(f"{term} {_signed(value, 2)}" for term, value in found.terms.items())
    return [
        doc.Text(
            f"Rated by {found.instrument}, which rates {found.rates}; neutral is closer to 0 than "
            f"{NEUTRAL:g}.",
            "note",
        ),
        _moods(found),
        _two_classes(found),
        _differences(found),
        *([doc.Text(f"Target terms that are rated themselves, and tint their sentences: {rated}.")]
          if rated else []),
    ]  # fmt: skip


def _moods(found: Sentiment) -> doc.Table:
    """A row for each side of all triples, of a task, of a domain; a column a class."""
    places = [e.groups for e in found.estimates if e.name in SHARES and len(e.groups) <= 2]  # noqa: PLR2004
    distinct = [*{tuple(place.items()): place for place in places}.values()]
    rows = TableRows(distinct)
    columns = (
        column
        for name, of in SHARES.items()
        for column in _with_interval(
            name, [found.find(of, place) for place in distinct], "{:.1f}".format
        )
    )
    return doc.Table(
        "% of sentences by sentiment, with 95 % intervals",
        [rows.words("", _side_of_group, name="sentences"), *columns],
        notes=["Wilson intervals, with target terms as clusters."],
        most=50,
        name="sentiment",
    )


def _side_of_group(place: Groups) -> str:
    group = {axis: value for axis, value in place.items() if axis != "side"}
    return f"{_group(group)}: {_side(place['side'])}"


def _with_interval(
    name: str, of: Sequence[Estimate], show: Callable[[float], str]
) -> list[doc.Column]:
    """A class of sentiment: values and intervals in one column, and the ends for files."""
    rows = TableRows(of)

    def cell(e: Estimate) -> str:
        ends, value = span(e, show=show), show(e.value or 0.0)
        return f"{value} ({ends})" if ends else value

    return [
        rows.shown(name, lambda e: e.value, cell, drop=int(name == "neutral")),
        *rows.hidden({f"{name}_low": lambda e: e.low, f"{name}_high": lambda e: e.high}),
    ]


def _two_classes(found: Sentiment) -> doc.Table:
    """Of all triples by side: what is not negative counts as positive."""
    rows = TableRows([(side, found.find(SHARES["negative"], {"side": side})) for side in SIDES])
    return doc.Table(
        "% of sentences in two classes, neutral as positive",
        [
            rows.words("", lambda row: _side(row[0]), name="sentences"),
            rows.numbers("positive", lambda row: 100.0 - (row[1].value or 0.0), "{:.1f}".format),
            rows.numbers("negative", lambda row: row[1].value, "{:.1f}".format),
        ],
        notes=["As Nadeem et al. 2021 count."],
        name="sentiment-two-classes",
    )


def _differences(found: Sentiment) -> doc.Table:
    """Stereotypes less anti-stereotypes: a row a group, a column a class."""
    names = {of.name: name for name, of in DIFFERENCES.items()}
    by_class: dict[str, list[Estimate]] = {name: [] for name in CLASSES}
    notes: dict[str, dict[str, None]] = {}
    for e in found.estimates:
        if e.name in names and len(e.groups) <= 1:
            by_class[names[e.name]].append(e)
            if e.why:
                notes.setdefault(e.why, {}).setdefault(_group(e.groups))
    return doc.Table(
        "Stereotypes less anti-stereotypes, percentage points",
        [
            doc.Column("", [_group(e.groups) for e in by_class[CLASSES[0]]], number=False, name="sentences"),
            *(c for name, of in by_class.items() for c in _with_interval(name, of, _signed)),
        ],
        notes=[
            "Paired; bootstrap over target terms, 95\u00a0% intervals.",
            *(f"{', '.join(groups)}: {why}" for why, groups in notes.items()),
        ],
        name="sentiment-differences",
    )  # fmt: skip


def _group(groups: Groups) -> str:
    return ", ".join(groups.values()) or "all"


def _side(side: str) -> str:
    return side.replace("_", "-")


def _signed(value: float, digits: int = 1) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


# ── Keywords ─────────────────────────────────────────────────────────────────────────────────────


def _keywords(found: Keywords) -> list[doc.Block]:
    about = (
        f"Words that occur {found.least} times or more in stereotypes and anti-stereotypes, by Kilgarriff’s "
        f"keyness against {found.reference} with k = {found.k:g}, where 1 is as often as there. At most "
        f"{WORDS} words of each domain are listed."
    )
    tables = [_domain(found, domain) for domain, words in found.domains.items() if words]
    return [doc.Text(OFFENSIVE, "warning"), doc.Text(about, "note"), *tables]


def _domain(found: Keywords, domain: str) -> doc.Table:
    words = TableRows(found.domains[domain][:WORDS])
    return doc.Table(
        f"{domain or NO_DOMAIN} ({found.words[domain]:,} words)",
        [
            words.words("", lambda word: word.word, name="word"),
            words.numbers("keyness", lambda word: word.keyness, "{:,.0f}".format),
            words.counts("stereotypes", lambda word: word.stereotypes),
            words.counts("anti-stereotypes", lambda word: word.anti_stereotypes),
            words.counts("terms", lambda word: word.terms, drop=1),
        ],
        most=WORDS,
        name=f"keywords-{domain or 'other'}",
    )
