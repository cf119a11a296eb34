"""Texts with a right label, of registered sets or of tables of the user's, and the groups that they name.

Which labels count as positive is a setting; all others are then one label. Without it, a set that has more
than two labels keeps them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import ATTRIBUTE, GROUP, NAMED, NO_GROUP, LabelledText
from tiltmeter.core.results import Note
from tiltmeter.core.study import SEVERAL, Setting
from tiltmeter.data.texts.labelled_rows import LabelledRows, read_labelled

SETTINGS = (
    Setting(
        "positive",
        "",
        "The label of the data that counts as positive; several with + between them. By default the set's "
        "own; a file needs it unless its labels are 1 and 0, true and false or yes and no.",
    ),
    Setting(
        "predicts",
        "",
        "The model's label that means positive; several with + between them. By default the one of the same "
        "name, or the second of two.",
    ),
    Setting("threshold", "0.5", "The probability of positive from which a text is called so."),
    Setting(
        "crossed",
        "",
        "Axes that are crossed, with * between them: gender*race. Results are given for each combination.",
    ),
)
GROUPS = Setting(
    "groups",
    "",
    "The axis whose groups are held against each other, or several crossed: race, gender*race. By default "
    "group, or the only axis that the file has.",
)
OTHER = "other"
"""The label of all texts that are not positive, where they had several."""
_YES = {"1", "true", "yes"}
_NO = {"0", "false", "no"}


DEFAULT = "hatecheck"
"""The data where no source is named."""


def positives(
    found: LabelledRows, wanted: str, option: str = "--set positive=LABEL"
) -> tuple[str, ...]:
    """The labels that count as positive; () where all are on a par.

    `option` is how a user names them.

    Raises:
        UnknownName: The data have no such label.
        BadInput: A file with two labels does not say which is positive.
    """
    labels = sorted({row.label for row in found.rows})
    parts = [wanted] if wanted in labels else wanted.split("+")  # a label may hold a + itself
    named = tuple(part.strip() for part in parts if part.strip())
    for name in named:
        if name not in labels:
            raise UnknownName("label of the data", name, labels)
    if named or found.positive:
        return named or tuple(one for one in found.positive if one in labels)
    if {label.lower() for label in labels} <= _YES | _NO:
        return tuple(label for label in labels if label.lower() in _YES)
    if len(labels) <= 2:  # noqa: PLR2004
        raise BadInput(
            f"its labels are {', '.join(map(repr, labels))}, and nothing says which is positive",
            f"name it with {option}",
            file=found.file,
        )
    return ()


def labelled(
    found: LabelledRows,
    positive: Sequence[str],
    groups: Mapping[str, Mapping[str, str]] | None = None,
) -> list[LabelledText]:
    """The rows as items; `groups` by id takes the place of their own."""
    labels = sorted({row.label for row in found.rows})
    options: tuple[str, ...]
    if positive:
        rest = [label for label in labels if label not in positive]
        name = "+".join(positive)
        other = rest[0] if len(rest) == 1 else OTHER
        options, truths = (
            (other, name),
            {label: name if label in positive else other for label in labels},
        )
    else:
        name, options, truths = "", tuple(labels), {label: label for label in labels}
    return [
        LabelledText(
            row.id, row.text, truths[row.label], options, name,
            dict(row.groups) if groups is None else groups[row.id],
            row.cluster, f"{found.file}:{row.line}",
        )
        for row in found.rows
    ]  # fmt: skip


def load_labelled(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[LabelledText]:
    """The texts of a registered set or a table, with the axes of the data and those that are crossed.

    Raises:
        BadInput, BadItems, UnknownName, Unavailable: As `read_labelled` and `positives`.
    """
    settings = settings or {}
    found = read_labelled(source, DEFAULT, skip_invalid=skip_invalid, encoding=encoding)
    items = labelled(found, positives(found, settings.get("positive", "")))
    if crossing := settings.get("crossed", ""):
        _known_axes(found, crossing)
        items = [
            replace(item, groups={**item.groups, **_crossed(item.groups, crossing)})
            for item in items
        ]
    return finished_labelled(found.about, items)


def load_grouped(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[LabelledText]:
    """The texts with one axis `group`: NO_GROUP where a text names none, and several items for several.

    A cell that names several groups has | between them; the items that are made of such a text share its
    cluster. `attribute` says what the groups are of, as far as the data do.

    Raises:
        BadInput: No axis, or several, could be meant; as `load_labelled`.
    """
    settings = settings or {}
    found = read_labelled(source, DEFAULT, skip_invalid=skip_invalid, encoding=encoding)
    texts = labelled(found, positives(found, settings.get("positive", "")))
    axis = settings.get("groups", "") or _only_axis(found)
    _known_axes(found, axis)
    items: list[LabelledText] = []
    for item in texts:
        value = _crossed(item.groups, axis).get(axis, "")
        names = [part.strip() for part in value.split(SEVERAL) if part.strip()]
        named = {NAMED: SEVERAL.join(names)} if len(names) > 1 else {}
        of = item.groups.get(ATTRIBUTE) or axis
        cluster = item.cluster or (item.id if named else "")
        for name in names or [NO_GROUP]:
            mine = {GROUP: name, **({ATTRIBUTE: of} if names else {}), **named}
            copy = f"{item.id}:{name}" if named else item.id
            items.append(replace(item, id=copy, groups=mine, cluster=cluster))
    if not items[0].positive:
        raise BadInput(
            f"the labels of {found.file} are on a par, and rates need one that is positive",
            "name it with --set positive=LABEL",
        )
    return finished_labelled(found.about, items)


def _axes(found: LabelledRows) -> list[str]:
    return sorted({axis for row in found.rows for axis in row.groups} - {ATTRIBUTE})


def _only_axis(found: LabelledRows) -> str:
    axes = _axes(found)
    if GROUP in axes:
        return GROUP
    if len(axes) != 1:
        raise BadInput(
            f"the data have {len(axes)} axes of groups ({', '.join(axes) or 'none'})",
            "name one with --set groups=AXIS; a column group, or one that begins with group_, is an axis",
            file=found.file,
        )
    return axes[0]


def _known_axes(found: LabelledRows, crossing: str) -> None:
    axes = _axes(found)
    for part in crossing.split("*"):
        if part.strip() not in axes:
            raise UnknownName("axis of the data", part.strip(), axes)


def _crossed(groups: Mapping[str, str], crossing: str) -> dict[str, str]:
    """The values of one axis, or of several joined, of a text that has all of them."""
    values = [groups.get(part.strip(), "") for part in crossing.split("*")]
    return {crossing: " × ".join(values)} if all(values) else {}


def finished_labelled(about: Dataset[Any], items: Sequence[LabelledText]) -> Dataset[LabelledText]:
    """With a count of the labels, and a note where a text is there more than once."""
    counts = Counter(item.truth for item in items)
    shown = ", ".join(f"{label} {n:,}" for label, n in counts.most_common())
    notes = list(about.notes)
    texts = Counter(item.text for item in items if not item.cluster)
    if again := sum(n - 1 for n in texts.values() if n > 1):
        notes.append(Note("data", f"{again:,} texts repeat an earlier one, and each copy counts."))
    if items[0].positive and len(counts) < 2:  # noqa: PLR2004
        raise BadInput(f"all texts have the label {next(iter(counts))}", "give texts of both kinds")
    return replace(about, items=items, notes=notes, about={**about.about, "labels": shown})
