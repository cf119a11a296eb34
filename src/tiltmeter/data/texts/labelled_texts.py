"""Texts with a right label, of registered sets or of tables of the user's, and the groups that they name.

Which labels count as positive is a setting; all others are then one label. Without it, a set that has more
than two labels keeps them.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Unpack

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import ATTRIBUTE, GROUP, NAMED, NO_GROUP, LabelledText
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.measures import SEVERAL
from tiltmeter.core.results import Note
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.pairs.pairs import frequencies
from tiltmeter.data.texts.labelled_rows import OTHER, LabelledRows, read_labelled

POSITIVE = Setting(
    "positive",
    default="",
    summary="The label of the data that counts as positive; several with + between them. By "
    "default the set's own; a file needs it unless its labels are 1 and 0, true and false or yes "
    "and no.",
)
PREDICTS = Setting(
    "predicts",
    default="",
    summary="The model's label that means positive; several with + between them. By default the "
    "one of the same name, or the second of two.",
)
THRESHOLD = Setting(
    "threshold",
    default="0.5",
    summary="The probability of positive from which a text is called so.",
)
CROSSED = Setting(
    "crossed",
    default="",
    summary="Axes that are crossed, with * between them: gender*race. Results are given for each "
    "combination.",
)
SETTINGS = (POSITIVE, PREDICTS, THRESHOLD, CROSSED)
GROUPS = Setting(
    "groups",
    default="",
    summary="The axis whose groups are held against each other, or several crossed: race, "
    "gender*race. By default group, or the only axis that the file has.",
)
_YES = {"1", "true", "yes"}
_NO = {"0", "false", "no"}
ALIKE = 0.85
"""From here, of 1, a label may be another one misspelt: hatee and hate are above, unfair and fair below."""


DEFAULT = "hatecheck"
"""The data where no source is named."""


def positives(
    data: LabelledRows, wanted: str, option: str = "--set positive=LABEL"
) -> tuple[str, ...]:
    """The labels that count as positive; () where all are on a par.

    `option` is how a user names them.

    Raises:
        UnknownName: The data have no such label.
        BadInput: A file with two labels does not say which is positive.
    """
    labels = sorted({row.label for row in data.rows})
    names = [wanted] if wanted in labels else wanted.split("+")  # a label may hold a + itself
    names = known_names("label of the data", filter(None, map(str.strip, names)), labels)
    if names or data.positive:
        return tuple(names or (label for label in data.positive if label in labels))
    if {label.lower() for label in labels} <= _YES | _NO:
        return tuple(label for label in labels if label.lower() in _YES)
    if len(labels) <= 2:  # noqa: PLR2004
        raise BadInput(
            f"its labels are {', '.join(map(repr, labels))}, and nothing says which is positive",
            f"name it with {option}",
            file=data.file,
        )
    return ()


def resembling(labels: Collection[str], positive: Collection[str]) -> list[tuple[str, str]]:
    """Labels that count as negative though they look like a positive one, each with that one.

    >>> resembling(["hate", "Hate", "hatee", "none"], ["hate"])
    [('Hate', 'hate'), ('hatee', 'hate')]
    """
    plain = {label.strip().casefold(): label for label in positive}
    near = (
        (label, get_close_matches(label.strip().casefold(), plain, n=1, cutoff=ALIKE))
        for label in sorted(labels) if label not in positive
    )  # fmt: skip
    return [(label, plain[close[0]]) for label, close in near if close]


def _with_resembling(data: LabelledRows, positive: Collection[str]) -> LabelledRows:
    """With a note on labels that may be misspelt."""
    counts = Counter(row.label for row in data.rows)
    notes = [
        Note(
            "caution",
            f"{label!r}, the label of {counted(counts[label], 'texts')}, is not the positive {like!r} and "
            "counts as negative. If both are one, correct it, or name both: "
            f"--set positive='{like}+{label}'.",
        )
        for label, like in resembling(counts, positive)
    ]
    about = replace(data.about, notes=(*data.about.notes, *notes))
    return replace(data, about=about)


def labelled(
    data: LabelledRows,
    positive: Sequence[str],
    groups: Mapping[str, Mapping[str, str]] | None = None,
) -> list[LabelledText]:
    """The rows as items; `groups` by id takes the place of their own."""
    return list(_labelled(data, positive, groups))


def _labelled(
    data: LabelledRows,
    positive: Sequence[str],
    groups: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[LabelledText]:
    labels = sorted({row.label for row in data.rows})
    name, options, truths = "", tuple(labels), {label: label for label in labels}
    if positive:
        rest = [label for label in labels if label not in positive]
        name, other = "+".join(positive), rest[0] if len(rest) == 1 else OTHER
        options = (other, name)
        truths = {label: name if label in positive else other for label in labels}
    for row in data.rows:
        yield LabelledText(
            row.id, row.text, truths[row.label], options, name,
            row.groups if groups is None else groups[row.id],
            row.cluster, f"{data.file}:{row.line}", row.label,
        )  # fmt: skip


def load_labelled(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[LabelledText]:
    """The texts of a registered set or a table, with the axes of the data and those that are crossed."""
    return labelled_dataset(read_labelled(source, DEFAULT, **reading), settings or {})


def labelled_dataset(data: LabelledRows, values: Mapping[str, str]) -> Dataset[LabelledText]:
    """The rows as items under the settings of `classification`."""
    positive = positives(data, values.get("positive", ""))
    data = _with_resembling(data, positive)
    items = labelled(data, positive)
    if crossing := values.get("crossed", ""):
        _check_axes(data, crossing)
        of = ({**item.groups, **_crossed(item.groups, crossing)} for item in items)
        items = [replace(item, groups=groups) for item, groups in zip(items, of, strict=True)]
    return finished_labelled(data.about, items)


def load_grouped(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[LabelledText]:
    """The texts of a registered set or a table, with the axis whose groups are held against each other."""
    return grouped_dataset(read_labelled(source, DEFAULT, **reading), settings or {})


def grouped_dataset(data: LabelledRows, values: Mapping[str, str]) -> Dataset[LabelledText]:
    """The rows as items with one axis `group`: NO_GROUP where a text names none, several items for several.

    A cell that names several groups has | between them; the items that are made of such a text share its
    cluster. `attribute` says what the groups are of, as far as the data do.
    """
    positive = positives(data, values.get("positive", ""))
    data = _with_resembling(data, positive)
    axis = values.get("groups", "") or _only_axis(data)
    _check_axes(data, axis)
    items: list[LabelledText] = []
    known: dict[tuple[str, str, str], Groups] = {}  # a million texts share the few that there are
    for item in _labelled(data, positive):
        value = _crossed(item.groups, axis).get(axis, "")
        names = [part.strip() for part in value.split(SEVERAL) if part.strip()]
        every = SEVERAL.join(names) if len(names) > 1 else ""
        of = (item.groups.get(ATTRIBUTE) or axis) if names else ""
        cluster = item.cluster or (item.id if every else "")
        for name in names or [NO_GROUP]:
            groups = known.setdefault((name, of, every), _groups_of(name, of, every))
            copy = f"{item.id}:{name}" if every else item.id  # ids of items must differ
            items.append(replace(item, id=copy, groups=groups, cluster=cluster))
    if not items[0].positive:
        reason = f"the labels of {data.file} are on a par, and rates need one that is positive"
        raise BadInput(reason, "name it with --set positive=LABEL")
    return finished_labelled(data.about, items)


def _groups_of(name: str, attribute: str, every: str) -> Groups:
    """The axes of an item: its group, what it is a group of, and all groups of a text with several."""
    axes = {GROUP: name, ATTRIBUTE: attribute, NAMED: every}
    return {axis: value for axis, value in axes.items() if value}


def _axes(data: LabelledRows) -> list[str]:
    return sorted({axis for row in data.rows for axis in row.groups} - {ATTRIBUTE})


def _only_axis(data: LabelledRows) -> str:
    axes = _axes(data)
    if GROUP in axes:
        return GROUP
    if len(axes) != 1:
        raise BadInput(
            f"the data have {counted(len(axes), 'axes of groups')} ({', '.join(axes) or 'none'})",
            "name one with --set groups=AXIS; a column group, or one that begins with group_, is "
            "an axis",
            file=data.file,
        )
    return axes[0]


def _check_axes(data: LabelledRows, crossing: str) -> None:
    known_names("axis of the data", map(str.strip, crossing.split("*")), _axes(data))


def _crossed(groups: Mapping[str, str], crossing: str) -> dict[str, str]:
    """The values of one axis, or of several joined, of a text that has all of them."""
    values = [groups.get(part.strip(), "") for part in crossing.split("*")]
    return {crossing: " × ".join(values)} if all(values) else {}


def finished_labelled(about: Dataset[Any], items: Sequence[LabelledText]) -> Dataset[LabelledText]:
    """With a count of the labels, and a note where a text is there more than once."""
    counts = Counter(item.truth for item in items)
    shown = frequencies(counts)
    notes = list(about.notes)
    texts = Counter(item.text for item in items if not item.cluster)
    if again := sum(n - 1 for n in texts.values() if n > 1):
        text = f"{counted(again, 'texts')} repeated from an earlier row; each copy counts."
        notes.append(Note("data", text))
    if items[0].positive and len(counts) < 2:  # noqa: PLR2004
        raise BadInput(f"all texts have the label {next(iter(counts))}", "give texts of both kinds")
    return replace(about, items=items, notes=notes, about={**about.about, "labels": shown})
