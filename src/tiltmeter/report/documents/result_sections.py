"""The sections about one result: categories, other measures, items with the strongest preferences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.core.text import counted, verb_for, visible
from tiltmeter.core.views import NumberTable, View
from tiltmeter.report import sentences
from tiltmeter.report.document import BOTH, PAGE, TERMINAL, Block, On, Section, Text
from tiltmeter.report.documents import families
from tiltmeter.report.documents.estimate_tables import estimate_table, others_table, rows_of
from tiltmeter.report.documents.no_answers import finding_without_answers, lacks_answers
from tiltmeter.report.documents.pictures import forest_pictures, mark_words
from tiltmeter.report.documents.side_by_side import side_by_side
from tiltmeter.report.documents.view_builders import Built, DocumentPart, Showing, built
from tiltmeter.report.documents.wording_words import wording_sentences
from tiltmeter.report.few_items import FEW, are_too_few
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import Scale, scale_of
from tiltmeter.report.text import anchor, interval_name, name_of, subset, title

UNFOLDED = 3
"""The page collapses measures by subset where there are more of them."""
MOST_ROWS = 12
"""A picture of more rows leaves out those of too few items."""
BESIDE_ANOTHER = {DocumentPart.MATRIX, DocumentPart.OTHERS, DocumentPart.TALLY}
"""The parts of a result with a view that replaces the categories."""
RANKS = {
    DocumentPart.MATRIX: 1, DocumentPart.BESIDE: 1, DocumentPart.CATEGORIES: 1, DocumentPart.TITLED: 2,
    DocumentPart.OTHERS: 3,
}  # fmt: skip
"""Which parts an excerpt has first: the main measure, then what the study declares, then others."""


def findings(result: Result) -> list[Text | str]:
    """The finding in paragraphs: the headline, whether it is significant, and what other measures show."""
    card, head = result.card, families.headline_of(result.estimates)
    name = name_of(result)
    if card.replies and lacks_answers(card):
        said = finding_without_answers(card.replies, visible(name), visible(card.rule))
        return [Text(said, "headline")]
    if head is None:
        return [
            Text(sentences.overview(result.estimates, name, card.labels, card.views), "headline")
        ]
    clusters = str(card.data.get("clusters") or "")
    sure = [sentences.verdict(head), sentences.caution(head, result.estimates, clusters)]
    if not head.significant and sentences.significant_parts(head, result.estimates):
        sure = []  # the headline says it
    also = sentences.also_found(head, result.estimates) if head.value is not None else []
    worded = wording_sentences(head, result.estimates, card.labels)
    judged = sentences.by_verdicts(head, result.estimates)
    paragraphs = [
        " ".join(text for text in sure if text), " ".join(worded), judged, " ".join(also),
    ]  # fmt: skip
    return [
        Text(sentences.headline(head, result.estimates, name, card.labels), "headline"),
        *(text for text in paragraphs if text),
    ]


def warning(results: Iterable[Result]) -> str:
    """The content warnings of the results' data, each once."""
    warnings = (str(r.card.data.get("warning") or "") for r in results)
    return " ".join(dict.fromkeys(text for text in warnings if text))


def shown_views(result: Result) -> Sequence[View]:
    """The views of the result's card without matrices for which it has no cells."""
    return [view for view in result.card.views if view.has_numbers(result.estimates)]


def result_sections(
    result: Result,
    views: Sequence[View],
    how: Showing,
    *,
    level: int = 2,
    scale: Scale | None = None,
) -> list[Section]:
    """The sections about one result, as far as they have content; without planes, which lead a document.

    Args:
        result: A run of a study.
        views: What the study wants shown.
        how: How views are shown; its key begins anchors and names of pictures.
        level: The level of the sections' headings.
        scale: The axis that the categories of several models share; None fits it to this result.
    """
    sorted_estimates = _Parts(result.card, result.estimates, views, how.key, scale)
    table = side_by_side(sorted_estimates.estimates, views, result.card)
    usual = [
        Built(
            DocumentPart.BESIDE,
            Section(f"{how.key}-beside", "Side by side", [table] if table else []),
        ),
        *(Built(DocumentPart.CATEGORIES, section) for section in _categories(sorted_estimates)),
        Built(DocumentPart.OTHERS, _others(sorted_estimates)),
        *(Built(DocumentPart.FURTHER, section) for section in _further(sorted_estimates)),
    ]
    every = sorted([*usual, *built([result], views, how)], key=lambda each: each.part)
    replaced = any(view.replaces_categories for view in views)
    sections = [
        replace(section, rank=section.rank or RANKS.get(part, 4))
        for part, section in every
        if part not in {DocumentPart.LEADING, DocumentPart.PLANE}
        and (part in BESIDE_ANOTHER or not replaced)
    ]
    return [replace(s, level=s.level + level - 2) for s in sections if s.blocks]


@dataclass(frozen=True)
class _Parts:
    """A result's estimates, sorted by where they are shown."""

    card: Card
    estimates: Sequence[Estimate]
    views: Sequence[View]
    key: str
    """The beginning of anchors and of names of pictures, unique in the document."""
    scale: Scale | None
    """The axis that the categories of several models share; None fits it to this result."""

    @property
    def head(self) -> Estimate | None:
        return families.headline_of(self.estimates)

    @cached_property
    def main(self) -> families.Family | None:
        return families.main_family(self.estimates, self.views)

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """The measures that are shown side by side."""
        return families.together(self.estimates, self.views)

    @cached_property
    def rest(self) -> list[families.Family]:
        """Families with subsets that are shown nowhere else."""
        tables = [view for view in self.views if isinstance(view, NumberTable)]
        elsewhere = {column.measure for table in tables for column in table.columns}
        shown = (
            self.main,
            *(f for f in families.families(self.estimates) if families.shows_ends(f, self.views)),
        )
        every = [
            f
            for f in families.families(self.estimates)
            if f.axes and f not in shown and f.name not in elsewhere
        ]
        return [f for f in every if not families.repeats_all(f, self.estimates)]


def _categories(parts: _Parts) -> list[Section]:
    """The main measure by category, then by other subsets, on the same axis."""
    main, head, labels, key = parts.main, parts.head, parts.card.labels, parts.key
    if main is None:
        return []
    rows = rows_of(families.by_value(main.estimates), labels)
    if head is not None:
        rows.append(Row("all", head, total=True))
    heading = _heading(main)
    caption, scale = _caption(main, head), parts.scale
    blocks = _drawn(rows, f"{key}-{anchor(main.axes[0])}", heading, caption, scale)
    sections = [Section(f"{key}-categories", f"By {main.title}", blocks)]
    if subsets := _subset_rows(parts):
        shared = scale or scale_of([r.estimate for r in rows])
        heading = f"{title(main.estimates[0])} by subset"
        marked = mark_words([row.estimate for row in subsets])
        caption = f"The same measure over other parts of the items. {marked}".rstrip()
        drawn = _drawn(subsets, f"{key}-subsets", heading, caption, shared)
        # An excerpt has the first table of every other part before it.
        sections.append(Section(f"{key}-by-subset", heading, drawn, rank=4))
    return sections


def _subset_rows(parts: _Parts) -> list[Row]:
    """The rows of the headline's measure over other axes and crossings that are not too large."""
    head = parts.head
    others = [
        f for f in parts.rest if head and f.name == head.name and len(f.estimates) <= families.MANY
    ]
    return [row for f in others for row in (_crossed(f, parts) if len(f.axes) > 1 else
            rows_of(f.estimates, parts.card.labels, with_axis=True))]  # fmt: skip


def _crossed(family: families.Family, parts: _Parts) -> list[Row]:
    """The rows of a crossing, with a line between the values of its first axis."""
    rows: list[Row] = []
    before = None
    for estimate in family.estimates:
        first = next(iter(estimate.groups.values()))
        label = subset(estimate.groups, parts.card.labels, with_axis=False)
        rows.append(Row(label, estimate, apart=bool(rows) and first != before))
        before = first
    return rows


def _others(parts: _Parts) -> Section:
    """The other measures over all items, each followed by its subsets where these are few."""
    listed = {
        name for v in parts.views if isinstance(v, NumberTable) and v.lists_measures for name in v.measures
    }  # fmt: skip
    elsewhere = {*parts.beside, *listed}
    alone = (e for e in parts.estimates if not e.groups and e.name not in elsewhere)
    overall = [e for e in alone if e is not parts.head]
    shown = [e for whole in overall for e in (whole, *_few(parts, whole.name))]
    labels = [subset(e.groups, parts.card.labels) if e.groups else title(e) for e in shown]
    blocks = [others_table(shown, labels)] if shown else []
    return Section(f"{parts.key}-others", "Other measures", blocks)


def _few(parts: _Parts, name: str) -> list[Estimate]:
    return [
        e
        for f in parts.rest
        if f.name == name and len(f.estimates) <= families.FEW
        for e in f.estimates
    ]


def _further(parts: _Parts) -> list[Section]:
    """The other measures by subset: a picture where the subsets are few enough, otherwise a table."""
    overall = {e.name: e for e in parts.estimates if not e.groups}
    head = parts.head
    sections = []
    for family in parts.rest:
        first = family.estimates[0]
        beside = family.name in parts.beside or (head is not None and family.name == head.name)
        if beside or (family.name in overall and len(family.estimates) <= families.FEW):
            continue
        rows = rows_of(families.by_value(family.estimates), parts.card.labels)
        if family.name in overall:
            rows.append(Row("all", overall[family.name], total=True))
        heading = _heading(family)
        name = f"{parts.key}-{anchor(family.name)}-{anchor(' '.join(family.axes))}"
        if family.is_drawn:
            alike = parts.main is not None and first.meaning.variant_of == parts.main.name
            shared = scale_of(parts.main.estimates) if alike and parts.main else None
            caption = _caption(family, overall.get(family.name))
            on = PAGE if family.is_long_and_bare else BOTH
            blocks = _drawn(rows, name, heading, caption, shared, on)
        else:
            blocks = [estimate_table(heading, rows, on=TERMINAL)]
        sections.append(Section(name, heading, blocks))
    if len(sections) <= UNFOLDED:
        return sections
    return [replace(section, folded=True) for section in sections]


def _heading(family: families.Family) -> str:
    """The measure and its axes in words: "Stereotype rate by bias type"."""
    measure = title(family.estimates[0])
    return f"{measure}{',' if ',' in measure else ''} by {family.title}"


def _drawn(
    rows: Sequence[Row], name: str, heading: str, caption: str, scale: Scale | None, on: On = BOTH
) -> list[Block]:
    """A forest plot with its table; where `on` includes the terminal, the table is printed there."""
    table = estimate_table(heading, rows, scale=scale)
    if len(rows) > MOST_ROWS:
        kept = [row for row in rows if not are_too_few([row.estimate])]
        if few := len(rows) - len(kept):
            caption += f" {counted(few, 'rows')} with n below {FEW} {verb_for(few, 'are')} in the table only."
        rows = kept or rows
    return [*forest_pictures(
        rows, name=name, title=heading, caption=caption, table=table, scale=scale, on=on
    )]  # fmt: skip


def _caption(family: families.Family, total: Estimate | None) -> str:
    """A caption that explains how to read the picture of a family."""
    first = family.estimates[0]
    whole = "; the diamond is the value over all items" if total is not None else ""
    lines = f" Lines are intervals: {interval_name(first)}." if interval_name(first) else ""
    by = f"p < .05{sentences.after_adjustment(family.estimates)}"
    marked = [*family.estimates, *([total] if total is not None else [])]
    filled = f" {mark_words(marked, by)}".rstrip()
    mde = (
        " MDE in the table is the minimum detectable effect: the smallest distance from neutral that "
        "would be found in four of five samples of that size."
    )
    known = mde if any(e.mde is not None for e in family.estimates) else ""
    more = f" {first.meaning.caution}" if first.meaning.caution else ""
    return f"Highest first{whole}.{lines}{filled}{known}{more}"
