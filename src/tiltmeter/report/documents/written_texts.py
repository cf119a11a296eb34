"""Some of what a model wrote about each value of an axis, as a table."""

from collections.abc import Iterable, Sequence
from functools import partial

from tiltmeter.analysis.quality.keywords import WrittenKeyword, written_keywords
from tiltmeter.core.results import Record, Result
from tiltmeter.core.text import visible
from tiltmeter.core.views import WrittenTexts
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, Block, Section, Table, Text
from tiltmeter.report.documents.tally_blocks import shortened
from tiltmeter.report.text import axis_title, counted, raised

EACH = 3
"""Texts of each value of the axis."""
IN_TERMINAL = 8


def chosen_records(records: Iterable[Record], axis: str, each: int = EACH) -> list[Record]:
    """So many records of each value of the axis, evenly spread over its records, in their order."""
    by_value: dict[str, list[Record]] = {}
    for record in records:
        if axis in record.groups:
            by_value.setdefault(record.groups[axis], []).append(record)
    found = []
    for _, some in sorted(by_value.items()):
        count = min(each, len(some))
        found += [some[i * len(some) // count] for i in range(count)]
    return found


def written_sections(
    result: Result, view: WrittenTexts, key: str, *, level: int = 2, show_text: bool = True
) -> list[Section]:
    """A table of some texts; without texts only how many there are.

    Args:
        result: Of one model.
        view: What its study wants shown.
        key: Makes anchors unique in the document.
        level: Of the headings.
        show_text: False leaves the texts out.
    """
    shown = chosen_records(result.records, view.axis)
    if not shown:
        return []
    title = f"Some of the {view.called}"
    told = (
        f"{len(shown):,} of the {counted(len(result.records), view.called)}, evenly spread over "
        f"{axis_title(view.axis)}s; the records have all."
    )
    left_out = "What was written was left out of this file."
    blocks: list[Block] = [Text(told), _table(shown, view)] if show_text else [Text(left_out)]
    return [
        *_keyword_sections(result, view, key, level, show_text=show_text),
        Section(f"{key}-written", title, blocks, level=level),
    ]


def _keyword_sections(
    result: Result, view: WrittenTexts, key: str, level: int, *, show_text: bool
) -> list[Section]:
    """The words that stand out for each value of an axis."""
    if not (view.keywords and show_text):
        return []
    found = written_keywords(
        result.records, view.keywords, asked=view.texts[0], written=view.texts[-1]
    )
    rows = [(value, some) for value, some in found.items() if some]
    if not rows:
        return []
    of = TableRows(rows)
    by = axis_title(view.keywords)
    table = Table(
        f"Words that stand out by {by}",
        [
            of.words(raised(by), lambda row: row[0], name=view.keywords),
            of.words("Words (times)", lambda row: _listed(row[1]), name="words"),
        ],
        most=len(rows),
        name="keywords",
    )
    how = f"Words that are more frequent than in the {view.called} about other {by}s; in brackets how often."
    return [Section(f"{key}-keywords", f"Words by {by}", [table, Text(how, "note")], level=level)]


def _listed(some: Sequence[WrittenKeyword]) -> str:
    return ", ".join(f"{visible(one.word)} ({one.count:,})" for one in some)


def _table(shown: Sequence[Record], view: WrittenTexts) -> Table:
    of = TableRows(shown)
    return Table(
        f"The {len(shown):,} {view.called}",
        [
            of.words(raised(axis_title(view.axis)), lambda one: one.groups[view.axis], name=view.axis),
            *[
                of.words(raised(name), partial(_text, name=name), name=name) for name in view.texts
            ],
            of.words("", partial(_marks, view=view), name="marks"),
        ],
        most=IN_TERMINAL,
        folded=True,
        on=BOTH,
        name="written",
    )  # fmt: skip


def _text(record: Record, name: str) -> str:
    return shortened(record.texts.get(name, ""))


def _marks(record: Record, view: WrittenTexts) -> str:
    return ", ".join(mark for mark in view.marks if record.scores.get(mark) == 1)
