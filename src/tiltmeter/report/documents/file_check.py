"""The document of `tiltmeter data check`: which items of a file can be scored."""

from collections import Counter
from typing import Any

from tiltmeter.core.data.items import LAST, Cell, Dataset, Pair
from tiltmeter.core.model.control_tokens import control_token_notes
from tiltmeter.core.text import counted, visible
from tiltmeter.report.document import Document

MANY_VALUES = 10
"""For an axis with more values than this, only their number is given."""


def _other_axes(data: Dataset[Any]) -> str:
    """The axes that the summary of the data does not mention, with their values or how many these are."""
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
        return counted(len(of), "values")
    return ", ".join(f"{visible(value)} {n:,}" for value, n in of.most_common())


def trait_last(data: Dataset[Any]) -> tuple[int, int] | None:
    """How many templates of cells end with the trait, and how many there are; None for other items."""
    frames = {item.cluster: item.task for item in data.items if isinstance(item, Cell)}
    return (sum(task == LAST for task in frames.values()), len(frames)) if frames else None


def file_check_document(file: str, data: Dataset[Any]) -> Document:
    """How many items of a file can be scored, what they consist of, and notes on control tokens."""
    made_of = "; ".join(f"{what}: {count}" for what, count in data.about.items())
    scored = f"{file}: {counted(len(data.items), data.noun)} can be scored"
    finding = [f"{scored}{f' ({made_of})' if made_of else ''}"]
    if axes := _other_axes(data):
        finding.append(f"Further axes: {axes}.")
    if (templates := trait_last(data)) is not None:
        last, of = templates
        finding.append(f"{last} of {of} templates end with the trait, as causal models need it.")
    finding += [note.text for note in control_token_notes(data.items)]
    return Document("Data check", file, finding, [])
