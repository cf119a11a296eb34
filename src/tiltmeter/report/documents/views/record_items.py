"""Records as items to look at, whose texts stay hidden until the reader asks for them."""

from collections.abc import Sequence
from itertools import islice

from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import RecordItems
from tiltmeter.core.text import counted
from tiltmeter.report.document import PAGE, Block, Item, Items, Sentence, Text
from tiltmeter.report.text import Labels, axis_title, label, number


def record_items(result: Result, view: RecordItems, *, show_text: bool = True) -> Sequence[Block]:
    """The first records of the view as a list; [] where there are none."""
    wanted = view.where.items()
    records = [r for r in result.records if r.kind == view.of and wanted <= r.groups.items()]
    if not records:
        return []
    blocks: list[Block] = []
    if not show_text:
        blocks.append(
            Text("The texts were left out of this file. The ids lead to them in the data.", on=PAGE)
        )
    if len(records) > view.most:
        blocks.append(
            Text(f"The first {view.most} of {counted(len(records), view.called)}.", on=PAGE)
        )
    items = [
        _item(record, view, result.card.labels, show_text=show_text)
        for record in islice(records, view.most)
    ]
    return [*blocks, Items(view.title, items, view.called)]


def _item(record: Record, view: RecordItems, labels: Labels, *, show_text: bool) -> Item:
    score = record.scores.get(view.score)
    about = [
        label(axis, record.groups[axis], labels) for axis in view.axes if axis in record.groups
    ]
    texts = record.texts.items() if show_text else ()
    sentences = [Sentence(axis_title(name), [(text, False)]) for name, text in texts if text]
    value = "" if score is None else f"{view.heading} = {number(score)}"
    return Item(record.item, ", ".join(about), value, sentences)
