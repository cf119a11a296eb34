"""What a data set or a file holds, as a document of its kind."""

from collections import Counter
from typing import Any

from tiltmeter.analysis.quality.contents import Contents, Description, noun, trait_last
from tiltmeter.analysis.quality.pairs import Quality
from tiltmeter.analysis.quality.triples import Described
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.text import counted, visible
from tiltmeter.report.document import Document, Facts, Section
from tiltmeter.report.documents.data_check.counts import note_sections
from tiltmeter.report.documents.data_check.group_lists import group_list_tables
from tiltmeter.report.documents.data_check.pairs import pair_check_document
from tiltmeter.report.documents.data_check.triples import triple_check_document

MANY_VALUES = 10
"""An axis with more values is only counted."""


def data_check_document(found: Description, *, show_text: bool = False) -> Document:
    """What was found; sentences of the data only with `show_text`."""
    if isinstance(found, Quality):
        return pair_check_document(found, show_text=show_text)
    if isinstance(found, Described):
        return triple_check_document(found, show_text=show_text)
    return _contents(found)


def _contents(found: Contents) -> Document:
    lists = group_list_tables(found.lists) if found.lists else []
    return Document(
        "Data check",
        found.name,
        [f"{found.name}: {counted(found.items, 'items')}."],
        [
            *([Section("make-up", "", [Facts(dict(found.about))])] if found.about else []),
            *([Section("lists", "", lists)] if lists else []),
            *note_sections(found.problems, found.notes),
        ],
    )


def _other_axes(data: Dataset[Any]) -> str:
    """Axes of the items that the summary does not count: their values, or how many they are."""
    counts: dict[str, Counter[str]] = {}
    for item in data.items:
        if isinstance(item, Pair):
            for axis, value in item.groups.items():
                counts.setdefault(axis, Counter())[value] += 1
    return "; ".join(
        f"{visible(axis)}: {_values(of)}" for axis, of in counts.items() if axis not in data.about
    )


def _values(of: Counter[str]) -> str:
    if len(of) > MANY_VALUES:
        return f"{len(of):,} values"
    return ", ".join(f"{visible(value)} {n:,}" for value, n in of.most_common())


def file_check_document(file: str, data: Dataset[Any]) -> Document:
    """How many items of a file can be scored, and what they are made of."""
    made_of = "; ".join(f"{what}: {count}" for what, count in data.about.items())
    scored = f"{file}: {counted(len(data.items), noun(data))} can be scored"
    finding = [f"{scored}{f' ({made_of})' if made_of else ''}"]
    if axes := _other_axes(data):
        finding.append(f"Further axes: {axes}.")
    if (templates := trait_last(data)) is not None:
        last, of = templates
        finding.append(f"{last} of {of} templates end with the trait, as causal models need it.")
    return Document("Data check", file, finding, [])
