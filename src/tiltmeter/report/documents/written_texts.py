"""Examples of what a model wrote about each value of an axis, such as a group, and distinctive words."""

from collections.abc import Iterable, Sequence
from functools import partial

from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import WrittenTexts
from tiltmeter.core.text import counted, raised, visible
from tiltmeter.derived.keywords import written_keywords
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, Block, Section, Table, Text
from tiltmeter.report.documents.tally_blocks import shortened
from tiltmeter.report.text import axis_title

EACH = 3
"""How many texts are shown for each value of the axis."""
ALL = 250
"""Up to this many records, all are shown."""
IN_TERMINAL = 8


def chosen_records(records: Iterable[Record], axis: str, each: int = EACH) -> list[Record]:
    """At most `each` records for each value of the axis, evenly spread over its records, in their order.

    All records are returned where there are at most `ALL`.
    """
    by_value: dict[str, list[Record]] = {}
    every = list(records)
    each = len(every) if len(every) <= ALL else each
    for record in every:
        if axis in record.groups:
            by_value.setdefault(record.groups[axis], []).append(record)
    chosen = []
    for _, some in sorted(by_value.items()):
        count = min(each, len(some))
        chosen += [some[i * len(some) // count] for i in range(count)]
    return chosen


def written_sections(
    result: Result, view: WrittenTexts, key: str, *, show_text: bool = True
) -> list[Section]:
    """A table of example texts, and the words that stand out; both only with `show_text`."""
    shown = chosen_records(result.records, view.axis)
    if not shown:
        return []
    title = view.called.capitalize()
    blocks: list[Block] = [_table(shown, view)]
    if len(shown) < len(result.records):
        title = f"Some of the {view.called}"
        summary = (
            f"{len(shown):,} of the {counted(len(result.records), view.called)}, evenly spread over "
            f"{axis_title(view.axis)}s; the records have all."
        )
        blocks.insert(0, Text(summary))
    if not show_text:
        blocks = [Text("What was written was left out of this file.")]
    return [
        *_keyword_sections(result, view, key, show_text=show_text),
        Section(f"{key}-written", title, blocks),
    ]


def _keyword_sections(
    result: Result, view: WrittenTexts, key: str, *, show_text: bool
) -> list[Section]:
    """The section with the words that stand out for each value of an axis; [] where there are none."""
    if not (view.keywords and show_text):
        return []
    keywords = written_keywords(
        result.records, view.keywords, asked=view.texts[0], written=view.texts[-1]
    )
    rows = [(value, some) for value, some in keywords.items() if some]
    if not rows:
        return []
    of = TableRows(rows)
    by = axis_title(view.keywords)
    columns = [
        of.words(raised(by), lambda row: row[0], name=view.keywords),
        of.words(
            "Words (times)",
            lambda row: ", ".join(f"{visible(k.word)} ({k.count:,})" for k in row[1]),
            name="words",
        ),
    ]
    table = Table(f"Words that stand out by {by}", columns, most=len(rows), name="keywords")
    how = f"Words that are more frequent than in the {view.called} about other {by}s; in brackets how often."
    return [Section(f"{key}-keywords", f"Words by {by}", [table, Text(how, "note")])]


def _table(shown: Sequence[Record], view: WrittenTexts) -> Table:
    of = TableRows(shown)
    columns = [
        of.words(raised(axis_title(view.axis)), lambda one: one.groups[view.axis], name=view.axis),
        *(of.words(raised(axis_title(name)), partial(_text, name), name=name) for name in view.texts),
        of.words("", lambda r: ", ".join(m for m in view.marks if r.scores.get(m) == 1), name="marks"),
    ]  # fmt: skip
    title = f"The {len(shown):,} {view.called}"
    return Table(title, columns, most=IN_TERMINAL, folded=True, on=BOTH, name="written")


def _text(name: str, record: Record) -> str:
    return shortened(record.texts.get(name, ""))
