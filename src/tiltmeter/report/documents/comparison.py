"""The document of a comparison between results of one study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted, listed, visible
from tiltmeter.core.views import View
from tiltmeter.derived.comparisons.unpaired_items import UNPAIRED
from tiltmeter.derived.comparisons.wording_ranks import RANK
from tiltmeter.report import document as doc
from tiltmeter.report.columns import TableRows
from tiltmeter.report.documents import families, result_sections
from tiltmeter.report.documents.analysis import FILES
from tiltmeter.report.documents.conditions import intervals_and_tests, marks
from tiltmeter.report.documents.estimate_tables import estimate_table, others_table, rows_of
from tiltmeter.report.documents.matrix.comparison import comparison_sections, two_matrices
from tiltmeter.report.documents.matrix.sections import without_cells
from tiltmeter.report.documents.method import method_sections
from tiltmeter.report.documents.model_heat import model_heats, on_one_scale
from tiltmeter.report.documents.no_answers import lacks_answers, replies_of_models
from tiltmeter.report.documents.pictures import forest_pictures, mark_words
from tiltmeter.report.documents.side_by_side import side_by_side
from tiltmeter.report.documents.view_builders import DocumentPart, Showing, built, of_part
from tiltmeter.report.documents.views.equivalence_table import (
    equivalence_sentence,
    equivalence_table,
    with_margin,
)
from tiltmeter.report.documents.wording_words import rank_sections, rank_sentences
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import Scale, scale_of
from tiltmeter.report.sentences import (
    after_adjustment,
    headline,
    overview,
    p_words,
    significant_parts,
    verdict,
)
from tiltmeter.report.text import (
    Labels,
    anchor,
    in_brackets,
    lowered,
    models_of,
    name_of,
    sentence_end,
    title,
    value_with_unit,
    why_undefined,
)
from tiltmeter.report.text import compared as compared_models
from tiltmeter.report.value_marks import interval_against_p
from tiltmeter.run.planning.study_files import study_if_known

LONGEST_KEY = 40
"""How many characters of a model's name the file names of its pictures use."""
COMPARED = (
    "The models were asked about the same items; each row is the first model’s value minus the "
    "second’s, or divided by it where it is a ratio."
)
READ = "Right of the line the first model’s value is higher, left of it the second’s."
ONE_ANSWERS = (
    "The differences above are over the items that both of two models answer. These are answered by one "
    "of them only, in the measures named, and are left out there."
)
MODELS = "models"
"""What n counts for a number about all models at once, which needs no picture: a sentence says it all."""


def comparison_finding(
    results: Sequence[Result], differences: Sequence[Estimate]
) -> list[doc.Text | str]:
    """The differences between each two models in sentences; for matrices, how similar the two are."""
    matrix = _matrix(results)
    if matrix is not None:
        return [text for two in two_matrices(differences, matrix) for text in two.finding()]
    labels = results[0].card.labels
    compared, others = _comparable(results, [e for e in differences if e.name != RANK])
    twos = [pair for pair in compared if pair.first[0].meaning.counts != MODELS]
    said: list[doc.Text | str] = []
    if sum(bool(pair.known) for pair in twos) > 1 and all(pair.head is not None for pair in twos):
        said = _of_many(twos, len(results), labels)
    else:
        twos = []
    shown = [p for p in compared if p.known] or compared  # others are named below, with the reason
    said += [text for pair in shown if pair not in twos for text in pair.finding(labels)]
    said += _not_compared(compared)
    said += rank_sentences([e for e in differences if e.name == RANK])
    if not others:
        return said
    names = "; ".join(visible(pair.models) for pair in others)
    mute = [result.card for result in results if lacks_answers(result.card)]
    left = " ".join([f"Not compared, for lack of answers: {names}.", *replies_of_models(mute)])
    return [*said, left] if said else [doc.Text(left, "headline")]


def comparison_document(result: Result, *, show_text: bool = True) -> doc.Document:
    """The document of a comparison: the differences between its models, then the details of each run."""
    card, results = result.card, [*result.runs.values()]
    differences = [e for e in result.estimates if e.model and e.name != RANK]
    views, matrix = result_sections.shown_views(results[0]), _matrix(results)
    if matrix is not None:
        compared = comparison_sections(differences, matrix, results)
    else:
        compared = [
            doc.Section("comparison", "The models compared", [doc.Text(COMPARED)], on=doc.PAGE),
            *(s for i, pair in enumerate(_comparable(results, differences)[0], 1)
              for s in pair.sections(views, results[0].card, i)),
        ]  # fmt: skip
    bold = "" if matrix is None else "bold: significant (p < .05)"
    how = {"Marks": bold or marks(differences), **intervals_and_tests(differences)}
    numbers = [*(e for r in results for e in r.estimates), *result.estimates]
    for view in views:
        numbers = without_cells(numbers, view) if isinstance(view, Matrix) else numbers
    repeat: list[doc.Block] = (
        [doc.Code(card.command), doc.Facts({"seed": card.seed})]
        if card.command and card.command not in {r.card.command for r in results}
        else []
    )
    leading = overall(results) if len(results) > 2 else []  # noqa: PLR2004
    return doc.Document(
        card.title, card.subtitle, [doc.Text(paragraph.text, paragraph.kind) for paragraph in card.finding],
        [
            *compared,
            *rank_sections([e for e in result.estimates if e.name == RANK]),
            doc.Section("how", "", [doc.Facts(how)], on=doc.TERMINAL),
            doc.Section("limits", "What this does not show", [doc.Text(card.limits)] if card.limits else [],
                    on=doc.TERMINAL),
            *_unpaired(result.records),
            *_each(results, views, [] if leading else overall(results), show_text=show_text),
            *method_sections(results, numbers, study_if_known(results[0].card)),
            *([doc.Section("again", "How to repeat the comparison", repeat, on=doc.PAGE)] if repeat else []),
        ],
        meaning=card.means, limits=card.limits, warning=str(card.data.get("warning") or ""), files=FILES,
        leading=leading, begins_with_picture=True,
    )  # fmt: skip


def _matrix(results: Sequence[Result]) -> Matrix | None:
    views = result_sections.shown_views(results[0])
    return next((view for view in views if isinstance(view, Matrix)), None)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The part of a comparison about two models, or about all of them at once."""

    models: str
    estimates: Sequence[Estimate]
    alone: bool
    """Whether these are the only models compared, so that tables need not name them."""
    lead: str
    """The name of the measure that the finding and the picture are of: the first that has a value."""

    @property
    def first(self) -> Sequence[Estimate]:
        """The estimates of the leading measure, over all items and by subset."""
        return [e for e in self.estimates if e.name == self.lead]

    @property
    def known(self) -> Sequence[Estimate]:
        """The estimates of measures that have a value, over all items or for a subset."""
        names = {e.name for e in self.estimates if e.value is not None}
        return [e for e in self.estimates if e.name in names]

    @property
    def lost(self) -> Mapping[str, Sequence[str]]:
        """The titles of the measures without any value, by the reason."""
        names, titles = {e.name for e in self.known}, dict[str, list[str]]()
        for e in self.estimates:
            if e.name not in names and lowered(title(e)) not in titles.setdefault(
                why_undefined(e), []
            ):
                titles[why_undefined(e)].append(lowered(title(e)))
        return titles

    @property
    def both(self) -> str:
        """The names of both models; of all at once, what they are called together."""
        return " and ".join(compared_models(self.first[0]) or [visible(self.models)])

    @property
    def heading(self) -> str:
        """Both models, with the sign of what was done to their values where it is one for all."""
        models = list(dict.fromkeys(map(models_of, self.known or self.first)))
        return models[0] if len(models) == 1 else self.both

    @property
    def head(self) -> Estimate | None:
        """The difference over all items; None where there is none."""
        return families.headline_of(self.first)

    def finding(self, labels: Labels) -> list[str | doc.Text]:
        """The difference over all items in sentences; where there is none, how many subsets differ."""
        head = self.head
        if not self.known:
            return [doc.Text(f"{self.both} cannot be compared in any measure.", "headline")]
        if head is None:
            return [doc.Text(overview(self.first, models_of(self.first[0]), labels), "headline")]
        note = f"Note: {sentence_end(head.why)}" if head.why and head.value is not None else ""
        hidden = not head.significant and significant_parts(head, self.first)
        sure = " ".join(text for text in ("" if hidden else verdict(head), note) if text)
        said = headline(head, self.first, labels=labels)
        equivalence = equivalence_sentence(head, compared_models(head))
        return [doc.Text(said, "headline"), *filter(None, (sure, equivalence))]

    def sections(self, views: Sequence[View], card: Card, place: int) -> list[doc.Section]:
        """The differences as a picture and a table, then the other measures that were compared."""
        key = f"compared-{place}"
        blocks: list[doc.Block] = []
        if self.known and (len(self.first) > 1 or self.first[0].meaning.counts != MODELS):
            blocks += self._drawn(card.labels, key)
        table = side_by_side(self.known, views, card)
        covered = {e.name for e in self.first}
        if table is not None:
            blocks.append(table)
            covered |= {c.name for c in table.columns}
        rest = [e for e in self.known if e.name not in covered and not e.groups]
        if rest:
            blocks.append(others_table(rest, [title(e) for e in rest]))
        if with_margin(self.estimates):
            blocks.append(
                equivalence_table(
                    self.estimates, card.labels, name=f"equivalence-{place}", title="Equivalence"
                )
            )
        return [doc.Section(key, self.heading, blocks, level=3)] if blocks else []

    def _drawn(self, labels: Labels, key: str) -> list[doc.Block]:
        first = [
            e
            for f in families.families(self.first)
            if not families.repeats_all(f, self.first)
            for e in f.estimates
        ]
        with_axis = len({axis for e in first for axis in e.groups}) > 1
        ranked = sorted(families.by_value(first), key=lambda e: not e.groups)
        subsets, whole = [e for e in ranked if e.groups], [e for e in ranked if not e.groups]
        rows = rows_of(subsets, labels, with_axis=with_axis)
        rows += [Row("all", e, total=True) for e in whole]
        heading = title(self.first[0])
        caption = f"{heading}, {models_of(self.first[0])}"
        read = f"{READ} {mark_words([row.estimate for row in rows])}".rstrip()
        table = estimate_table(heading if self.alone else caption, rows, name=key)
        return [
            *forest_pictures(rows, name=key, title=caption, caption=read, table=table, on=doc.BOTH)
        ]


def _of_many(compared: Sequence[_Pair], models: int, labels: Labels) -> list[doc.Text | str]:
    """How many of several pairs of models differ significantly, each of these, and in short the others."""
    heads = [pair.head for pair in compared if pair.head is not None]
    clear = [pair for pair in compared if pair.head and pair.head.significant]
    known = [pair for pair in compared if pair.known]
    by = f", p < .05{after_adjustment(heads)}" if any(e.p is not None for e in heads) else ""
    what = f"({lowered(title(heads[0]))}{by})"
    be = "differs" if len(clear) == 1 else "differ"
    start = (
        f"{len(clear):,} of {counted(len(known), 'pairs')} of models {be} significantly"
        if clear
        else f"No two of {counted(models, 'models')} differ significantly"
    )
    said: list[doc.Text | str] = [doc.Text(f"{start} {what}.", "headline")]
    short: list[str] = []
    notes: dict[str, list[str]] = {}
    for pair, head in zip(compared, heads, strict=True):
        texts = [t if isinstance(t, str) else t.text for t in pair.finding(labels)]
        if not pair.known:
            continue
        if (
            head.value is None
            or pair in clear
            or significant_parts(head, pair.first)
            or head.equivalence
        ):
            said.append(" ".join(texts))
            continue
        apart = p_words(head) if interval_against_p(head) else ""
        short.append(f"{models_of(head)} {value_with_unit(head)}{in_brackets(head)}{apart}")
        if head.why:
            notes.setdefault(head.why, []).append(models_of(head))
    if short:
        said.append(f"No significant difference: {'; '.join(short)}.")
    said += [f"{'; '.join(pairs)}: {sentence_end(why)}" for why, pairs in notes.items()]
    return said


def _not_compared(pairs: Sequence[_Pair]) -> list[str]:
    """The measures in which models are not compared, each with its reason, and with the models if not all."""
    by_reason: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for pair in pairs:
        for why, titles in pair.lost.items():
            by_reason.setdefault(why, {}).setdefault(tuple(titles), []).append(pair.both)
    return [
        sentence_end(f"Not compared{of}: {listed(titles)}, because {why}")
        for why, of_titles in by_reason.items()
        for titles, models in of_titles.items()
        for of in ["" if len(models) == len(pairs) else f" between {'; '.join(models)}"]
    ]


def _pairs(differences: Sequence[Estimate]) -> list[_Pair]:
    """The comparison of each two models, in the order of the estimates."""
    of_pair: dict[str, list[Estimate]] = {}
    for e in differences:
        of_pair.setdefault(e.model, []).append(e)
    # One measure leads for all pairs, so that they can be counted: the first that all of them have.
    valued = [{e.name for e in own if e.value is not None} for own in of_pair.values()]
    shared = set.intersection(*filter(None, valued)) if any(valued) else set()
    order = dict.fromkeys(e.name for e in differences)
    leads = sorted(order, key=lambda name: (name not in shared, all(name not in v for v in valued)))
    return [
        _Pair(
            models, own, len(of_pair) == 1,
            next(name for name in leads if any(e.name == name for e in own)),
        )
        for models, own in of_pair.items()
    ]  # fmt: skip


def _comparable(
    results: Sequence[Result], differences: Sequence[Estimate]
) -> tuple[list[_Pair], list[_Pair]]:
    """The pairs of models that can be compared, and those that cannot, as one of the two has no answers."""
    pairs = _pairs(differences)
    if not any(lacks_answers(result.card) for result in results):
        return pairs, []
    known = [pair for pair in pairs if any(e.value is not None for e in pair.first)]
    return known, [pair for pair in pairs if pair not in known]


def _unpaired(records: Sequence[Record]) -> list[doc.Section]:
    """For the page, a table of every item that only one of two models answers; [] where there is none."""
    items = [record for record in records if record.kind == UNPAIRED]
    if not items:
        return []
    rows = TableRows(items)
    columns = [
        rows.words("Item", lambda item: item.item),
        rows.words("Answered by", lambda item: item.groups["answered"]),
        rows.words("Not by", lambda item: item.groups["unanswered"]),
        rows.words("Measures", lambda item: item.groups["measures"]),
    ]
    table = doc.Table(
        counted(len(items), "items"), columns, folded=True, on=doc.PAGE, name="unpaired-items"
    )
    title = "Items that only one of two models answers"
    return [doc.Section("unpaired", title, [doc.Text(ONE_ANSWERS), table], on=doc.PAGE)]


def _each(
    results: Sequence[Result],
    views: Sequence[View],
    heads: Sequence[doc.Picture],
    *,
    show_text: bool,
) -> list[doc.Section]:
    """For the page, the models' headlines, pictures of all models together, and a part for each model.

    `heads` are the pictures of the headlines.
    """
    texts = [text for r in results for text in result_sections.findings(r)]
    blocks = [doc.Text(t if isinstance(t, str) else t.text) for t in texts]
    drawn = [*heads, *model_heats(results, views)]
    sections = [doc.Section("models", "Each model", [*blocks, *drawn])]
    of_all = built(results, views, Showing(show_text=show_text))
    sections += of_part(of_all, DocumentPart.PLANE, DocumentPart.CONFIDENCE)
    scale = shared_scale(results, views)
    for i, r in enumerate(results, 1):
        key = f"r{i}-{anchor(name_of(r))[:LONGEST_KEY].rstrip('-')}"
        how = Showing(key=key, several=True, show_text=show_text)
        details = (
            []
            if lacks_answers(r.card)
            else result_sections.result_sections(r, views, how, level=3, scale=scale)
        )
        if details:
            sections += [doc.Section(key, name_of(r), [], parts="Its numbers by part"), *details]
    return [replace(section, on=doc.PAGE) for section in sections]


def overall(results: Sequence[Result]) -> list[doc.Picture]:
    """The models' headlines in one forest plot, highest first; [] where they are not on one scale."""
    heads = [
        (name_of(r), head)
        for r in results
        if (head := families.headline_of(r.estimates)) is not None and not lacks_answers(r.card)
    ]
    if len(heads) < 2 or not on_one_scale(results):  # noqa: PLR2004
        return []
    ranked = sorted(heads, key=lambda pair: (pair[1].value is None, -(pair[1].value or 0.0)))
    rows = [Row(name, head) for name, head in ranked]
    heading = f"{title(rows[0].estimate)} by model"
    return forest_pictures(
        rows, name="models", title=heading, table=estimate_table(heading, rows, name="models"),
        caption=f"One row a model, highest first. {mark_words([e for _, e in ranked])}".rstrip(),
    )  # fmt: skip


def shared_scale(results: Sequence[Result], views: Sequence[View]) -> Scale | None:
    """One axis for the categories of all models; None where their neutral values or units differ."""
    mains = [families.main_family(r.estimates, views) for r in results]
    rows = [e for family in mains if family for e in family.estimates]
    return scale_of(rows) if rows and len({(e.neutral, e.unit) for e in rows}) == 1 else None
