"""Placebo edits for items that are edited texts: for each text as many as it has edits, and of like size."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from tiltmeter.core.control_items import Placebo, PlaceboKind
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.measures import ARM, EDIT, EDITED, GROUP_ARM, Measure
from tiltmeter.core.results import Note
from tiltmeter.core.text import counted
from tiltmeter.data.texts.placebo_edits import (
    ENGLISH,
    PlaceboEdit,
    edit_size,
    edits_in,
    edits_like,
    read_paraphrases,
)
from tiltmeter.study_families.controls import PARAPHRASE, Control, EditedScore, measures_less
from tiltmeter.study_families.controls import PLACEBO as PLACEBO_EDITS

T = TypeVar("T")
LISTS = ".toml"
"""The suffix of a user's list of edits; all other files have paraphrases."""
MOST_LISTED = 8
"""The number of edits that the data card names."""
KINDS: dict[PlaceboKind, str] = {
    "edits": "edits of like size that leave the groups of a text as they are",
    "file": "paraphrases of yours, or edits of a list of yours",
}


@dataclass(frozen=True, slots=True)
class EditedTexts(Generic[T]):
    """How the items of a study hold a text before and after an edit."""

    text_id: Callable[[T], str]
    """The id of the unedited text, which a file of paraphrases names."""
    before: Callable[[T], str]
    after: Callable[[T], str]
    edited: Callable[[T, str], T]
    """An item like this one, with another text after the edit."""
    of_edit: tuple[str, ...] = ()
    """Axes that are about the edit, which items of the placebo do not have."""
    own_edits: Callable[[str], Sequence[PlaceboEdit]] = lambda _: ()
    """Edits of the study's own kind that fit a text; where there are none, the packaged ones are used."""

    def __call__(self, data: Dataset[T], placebo: Placebo) -> Dataset[T]:
        """The items, and behind them the control items; see `core.control_items.AddControls`."""
        by_text: dict[str, list[T]] = {}
        for item in data.items:
            by_text.setdefault(self.text_id(item), []).append(item)
        problems: Sequence[Problem] = ()
        notes: list[Note] = []
        if placebo.path is None or placebo.path.suffix.lower() == LISTS:
            added = [*self._edited(by_text, placebo, data.about.get("language", ENGLISH))]
        else:
            added, problems, notes = self._paraphrased(by_text, placebo, placebo.path)
        if not added:
            reason = f"no edit of the list fits one of the {counted(len(by_text), 'texts')} of {data.name}"
            raise BadInput(reason, "give a list of yours with --placebo FILE")
        usual = [self._in_arm(item, {ARM: GROUP_ARM}) for item in data.items]
        return replace(
            data,
            items=[*usual, *added],
            about={**data.about, **self._facts(usual, added)},
            invalid=(*data.invalid, *problems),
            notes=(*data.notes, *notes),
        )

    def _edited(
        self, by_text: Mapping[str, Sequence[T]], placebo: Placebo, language: str
    ) -> Iterator[T]:
        edits = edits_in(language, placebo.path, encoding=placebo.encoding)
        for name, items in by_text.items():
            text = self.before(items[0])
            sizes = [edit_size(text, self.after(item)) for item in items]
            own = () if placebo.path else self.own_edits(text)
            like = edits_like(text, sizes, own or edits, seed=placebo.seed)
            for item, chosen in zip(items, like, strict=True):
                if chosen is not None:
                    edit, after = chosen
                    yield self._item(item, after, f"{name}~{edit.name}", PLACEBO_EDITS, edit.name)

    def _paraphrased(
        self, by_text: Mapping[str, Sequence[T]], placebo: Placebo, path: Path
    ) -> tuple[list[T], Sequence[Problem], list[Note]]:
        texts = {name: self.before(items[0]) for name, items in by_text.items()}
        read = read_paraphrases(
            path, texts, encoding=placebo.encoding, skip_invalid=placebo.skip_invalid
        )
        added = [
            self._item(by_text[name][0], row.text, f"{name}~{row.line}", PARAPHRASE, row.name)
            for name, rows in read.by_id.items()
            for row in rows
            if name in by_text
        ]
        others = sum(len(rows) for name, rows in read.by_id.items() if name not in by_text)
        lacking = len(by_text.keys() - read.by_id.keys())
        not_used = (
            f"{counted(others, 'paraphrases')} of {path.name} not used: the data have no such id."
        )
        without = f"{counted(lacking, 'texts')} without a paraphrase, which no control is for."
        notes = [
            Note("coverage", text) for n, text in ((others, not_used), (lacking, without)) if n
        ]
        return added, read.problems, notes

    def _item(self, item: T, after: str, name: str, control: Control, edit: str) -> T:
        made: Any = self.edited(item, after)
        groups = {axis: label for axis, label in made.groups.items() if axis not in self.of_edit}
        return self._in_arm(
            replace(made, id=name, groups=groups), {ARM: control.arm, EDIT: edit or control.arm}
        )

    def _in_arm(self, item: T, axes: Mapping[str, str]) -> T:
        bare: Any = item
        made: T = replace(bare, groups={**bare.groups, **axes, EDITED: self.text_id(item)})
        return made

    def _facts(self, usual: Sequence[T], added: Sequence[Any]) -> dict[str, str]:
        """What the data card says of both arms: which edits, how many, and how large."""
        names = Counter(item.groups[EDIT] for item in added).most_common()
        listed = [f"{name} ({n:,})" for name, n in names[:MOST_LISTED]]
        more = [f"{len(names) - MOST_LISTED:,} others"] if len(names) > MOST_LISTED else []
        return {
            "control edits": f"{len(added):,}: {', '.join([*listed, *more])}",
            "size of edits": f"{self._size(usual):.1f} characters on average, and "
            f"{self._size(added):.1f} of control edits",
        }

    def _size(self, items: Sequence[T]) -> float:
        return float(np.mean([edit_size(self.before(item), self.after(item)) for item in items]))


CONTROLS = (PLACEBO_EDITS, PARAPHRASE)
"""The control edits of KINDS."""


def measures_less_edits(*scores: EditedScore) -> tuple[Measure, ...]:
    """The measures that compare edits with control edits; only those of a run's own kind are reported."""
    return tuple(
        measure
        for control in CONTROLS
        for score in scores
        for measure in measures_less(control, score)
    )
