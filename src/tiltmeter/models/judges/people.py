"""People's labels of texts as a judge (`people:FILE`), which can only judge those texts.

The file is the `answers.csv` of `tiltmeter survey export`, with `items.csv`, which has the texts, beside it.
Or it is a table with the columns `text` and `label`, one row for each person's label, and optionally `person`
and the record's `id`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.rows import Cell, FilledCell, TextCell, UserRows
from tiltmeter.data.files.tables import has_columns
from tiltmeter.data.people.annotator_answers import LONG


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """The labels that people gave to texts."""

    instrument: str
    votes: Mapping[tuple[str, str], Sequence[tuple[str, str]]]
    """The labels of each text as pairs of (person, label), by the text's (id, text)."""
    reads: ClassVar[str] = "the whole text, as people do"

    @property
    def classes(self) -> Sequence[str]:
        """All labels, sorted by name."""
        return sorted({label for given in self.votes.values() for _, label in given})

    def classify(self, texts: Sequence[str]) -> list[str]:
        """The label that most people gave to each text, the first by name of ties; "" for unknown texts."""
        by_text: dict[str, Counter[str]] = {}
        for (_, text), given in self.votes.items():
            by_text.setdefault(text, Counter()).update(label for _, label in given)
        best = {t: min(given, key=lambda x: (-given[x], x)) for t, given in by_text.items()}
        return [best.get(text, "") for text in texts]


@dataclass(frozen=True, slots=True)
class _Label:
    label: FilledCell
    id: TextCell = ""
    person: Cell = ""
    text: TextCell = ""
    question: TextCell = ""
    round: Cell = "1"


def open_judge(location: str, **opening: object) -> LabelledTexts:
    """The people's labels in a file; for a survey, the answers to its first question.

    Raises:
        BadInput: The file cannot be read, or has no labels.
        BadItems: Rows have no label.
    """
    del opening
    path = Path(location).expanduser()
    texts: dict[str, str] = {}
    columns = {"label": "value", "id": "item"} if has_columns(path, LONG) else {}
    if columns:
        items = UserRows(_Label, path.with_name("items.csv"), columns={"label": "text"}, texts=None)
        texts = {item.id: item.label for _, item in items}
    rows = UserRows(_Label, path, columns=columns, more=() if columns else ("text",))
    votes: dict[tuple[str, str], list[tuple[str, str]]] = {}
    asked = ""
    for _, row in rows:
        text = texts.get(row.id, row.text)
        asked = asked or row.question
        if text and row.question == asked and row.round == "1":
            votes.setdefault((row.id, text), []).append((row.person, row.label))
    rows.finish()
    if not votes:
        raise BadInput("it has no label of a text", "export a survey with answers", file=path.name)
    of = counted(sum(map(len, votes.values())), "labels")
    facts = f"{of} of {counted(len(votes), 'texts')} in {path.name}, SHA-256 {sha256(path)[:8]}…"
    return LabelledTexts(f"people ({facts})", votes)
