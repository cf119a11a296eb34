"""How strongly a model prefers one of the texts of an item, as a picture and as a list of items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from tiltmeter.core.errors import BadInput
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Margins
from tiltmeter.derived.installed_study import decimals_of
from tiltmeter.report.document import PAGE, Block, Item, Items, Section, Sentence, Text
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.documents.token_tables import aligned_tokens, tokens_beside
from tiltmeter.report.margins import Margin, surest
from tiltmeter.report.marked_words import pieces
from tiltmeter.report.plots import confidence_plot
from tiltmeter.report.text import label, name_of, number

SUREST = 10
"""How many items are listed in either direction."""
CONFIDENCE = (
    "Confidence is 1 − score(S) / score(S′), where S is the text that the model prefers and S′ the other "
    "one. A model without preferences would have a narrow peak at zero, the same above and below."
)


def confidence_blocks(results: Sequence[Result], views: Sequence[Margins]) -> list[Block]:
    """The distributions of the models' confidences on shared axes; [] where no item has a confidence."""
    models = [
        confidence_plot.confidences(name_of(r), r.records, view, _decimals(r.card))
        for view in views
        if view.relative
        for r in results
    ]
    models = [model for model in models if model.items]
    if not models:
        return []
    title = f"How surely {models[0].model if len(models) == 1 else 'each model'} prefers one text"

    draw = partial(confidence_plot.confidence_plot, models, title=title)
    layouts = (confidence_plot.WIDE, confidence_plot.NARROW)
    drawn = in_two_layouts(
        "confidence", draw, layouts, _caption(models[0], several=len(models) > 1)
    )
    return [Text(CONFIDENCE, on=PAGE), drawn]


def _decimals(card: Card) -> int | None:
    """The decimals to which the run rounded scores; None if it did not, or its study is not installed."""
    try:
        return decimals_of(card)
    except BadInput:
        return None


def _caption(one: confidence_plot.Confidences, *, several: bool) -> str:
    first, second = one.view.titles[:2]
    axes = ", all models on the same axes" if several else ""
    return (
        f"Share of {one.view.called} by confidence{axes}: above the line, in orange, where the model "
        f"prefers the {first}; below it, in blue, where it prefers the {second}. Dashed lines are the "
        "medians; the last bar holds everything beyond the axis."
    )


def item_sections(
    result: Result, view: Margins, key: str, *, show_text: bool = True
) -> list[Section]:
    """The items with the strongest preferences in each direction; [] where no item has a margin."""
    sides = surest(
        result.records, view, SUREST, rule=result.card.rule, decimals=_decimals(result.card)
    )
    if not any(sides):
        return []
    known = next(m for way in sides for m in way)
    blocks: list[Block] = []
    if known.unit != "%":
        blocks.append(Text(_margins(view, known)))
    if not show_text:
        blocks.append(
            Text("The texts were left out of this file. The ids lead to them in the data.")
        )
    for i, way in enumerate(sides):
        items = [_item(m, view, i, result, show_text=show_text) for m in way]
        blocks.append(Items(f"Towards the {view.titles[i]}", items, view.called))
    title = f"The {view.called} it is surest about"
    tables = _token_tables([m.record for way in sides for m in way[:1]], view) if show_text else []
    return [
        Section(f"{key}-items", title, blocks, on=PAGE),
        *([Section(f"{key}-tokens", "Token by token", tables)] if tables else []),
    ]


def _token_tables(records: Sequence[Record], view: Margins) -> list[Block]:
    """Tables of the token scores of these items, for records that have them."""
    first, second = view.sides[:2]
    tables: list[Block] = []
    for record in records:
        if record.tokens is not None and {first, second} <= record.tokens.keys():
            aligned = aligned_tokens(record.tokens[first], record.tokens[second])
            tables.append(replace(tokens_beside(aligned), title=f"{record.item}, token by token"))
    return tables


def _margins(view: Margins, known: Margin) -> str:
    unit = {
        "nats": "in nats: 1 is a factor of 2.7 between their probabilities, 2.3 a factor of ten.",
        "points": "in points of the rule’s scores, which are no log-probabilities.",
    }[known.unit]
    return (
        f"Ordered by the margin: the score of the {view.titles[0]} minus the score of the "
        f"{view.titles[1]}, {unit} Scores of different tasks need not share one scale."
    )


def _item(found: Margin, view: Margins, preferred: int, result: Result, *, show_text: bool) -> Item:
    record, labels = found.record, result.card.labels
    size = abs(found.value)
    value = f"{number(100 * size, '%')} %" if found.unit == "%" else f"{number(size)} {found.unit}"
    groups = [label(axis, group, labels) for axis, group in record.groups.items()]
    about = ", ".join(dict.fromkeys(groups))
    shown = _sentences(record.texts, view, preferred) if show_text else ()
    return Item(record.item, about, value, shown)


def _sentences(texts: Mapping[str, str], view: Margins, preferred: int) -> list[Sentence]:
    """The texts of an item with differing words marked.

    Each text is compared with the first one, and the first with the second.
    """
    sentences = []
    for i, (side, title) in enumerate(zip(view.sides, view.titles, strict=True)):
        other = view.sides[0 if i else 1]
        cut = pieces(texts.get(side, ""), texts.get(other, ""))
        sentences.append(Sentence(title, cut, preferred=i == preferred))
    return sentences
