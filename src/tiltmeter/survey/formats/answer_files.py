"""Answers by format: all files of an export, and the answers that a file holds."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.text import visible
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.ratings import COLUMNS, PERCENT, Ratings, RatingScale, read_ratings
from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.collected import Collected, without_exact_times
from tiltmeter.survey.form import Form
from tiltmeter.survey.formats import item_answers, label_studio, potato, tables
from tiltmeter.survey.formats.item_answers import ItemAnswer
from tiltmeter.survey.statements.statement import data_statement, datasheet

ExportFormat = Literal["csv", "label-studio", "potato"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
FORM, STATEMENT = "form.toml", "data-statement.md"
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of every file in an archive: the earliest that the format can hold."""


def export_files(collected: Collected, kind: str, *, exact_times: bool = False) -> dict[str, str]:
    """The files by name: answers and marks in a format, the form, data statement and datasheet.

    They name nobody by a platform's id, and days in place of times unless `exact_times` is true.

    Raises:
        UnknownName: There is no such format.
    """
    collected = collected if exact_times else without_exact_times(collected)
    if kind == "label-studio":
        answer_files = {
            "tasks.json": label_studio.tasks(collected),
            "labeling.xml": label_studio.set_up(collected.form),
        }
    elif kind == "potato":
        answer_files = {
            "instances.jsonl": potato.instances(collected.form),
            "annotated_instances.jsonl": potato.annotations(collected),
        }
    elif kind == "csv":
        answer_files = tables.files(collected)
    else:
        raise UnknownName("format", kind, FORMATS)
    statements = {
        STATEMENT: data_statement(collected), "datasheet.md": datasheet(collected),
    }  # fmt: skip
    return {FORM: collected.form.text, **answer_files, **statements}


def check_same_study(collected: Collected, folder: Path) -> None:
    """Check that a folder holds no export of another study, which an export of this one would replace.

    Raises:
        BadInput: It holds one.
    """
    try:
        form = (folder / FORM).read_text("utf-8")
        heading = (folder / STATEMENT).read_text("utf-8").partition("\n")[0]
    except (OSError, ValueError):
        return
    if form != collected.form.text or heading != data_statement(collected).partition("\n")[0]:
        raise BadInput(
            f"this folder holds the export of another study ({visible(heading.lstrip('# '))})",
            "name another --out, or replace it with --overwrite",
            file=str(folder),
        )


def note_export(session: Session, study: str, kind: str, *, actor: str) -> None:
    """Note in the audit log that a study was exported, in which format and by whom."""
    note_action(session, actor=actor, action="export", detail=f"{study} ({kind})")


def zipped(files: Mapping[str, str], folder: str) -> bytes:
    """The files as a zip archive, in a folder of it; equal files make equal archives.

    >>> zipped({"a.csv": "x"}, "mine") == zipped({"a.csv": "x"}, "mine")
    True
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", _FIRST_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return packed.getvalue()


def read_item_answers(
    path: Path, form: Form, kind: ExportFormat, *, encoding: str = ""
) -> list[ItemAnswer]:
    """The answers in a file: `answers.csv`, single ratings (`data.people.ratings`), or another program's.

    Raises:
        BadInput: The file cannot be read as its format, or does not fit the form.
        BadItems: Rows that are no answers to the form's questions.
    """
    if kind == "label-studio":
        return label_studio.read_tasks(path, form, encoding=encoding)
    if kind == "potato":
        return potato.read_annotations(path, form, encoding=encoding)
    is_json = path.suffix.lower() == ".json"
    if is_json or {*COLUMNS} <= {*read_table(path, encoding=encoding).columns}:
        return of_ratings(read_ratings(path, scale=_scale(form), encoding=encoding), form)
    return item_answers.read_answers(path, form, encoding=encoding)


def left_out(
    path: Path, form: Form, kind: ExportFormat, *, encoding: str = ""
) -> Mapping[str, int]:
    """How many rows of a table of answers are not read, by question; none of other formats."""
    is_table = kind == "csv" and path.suffix.lower() != ".json"
    if not is_table or {*COLUMNS} <= {*read_table(path, encoding=encoding).columns}:
        return {}
    return item_answers.questions_left_out(path, form, encoding=encoding)


def _scale(form: Form) -> RatingScale:
    """The ends of the form's first slider, by default 0 and 100."""
    slider = next(iter(form.sliders.values()), None)
    return RatingScale(slider.low, slider.high) if slider else PERCENT


def of_ratings(ratings: Ratings, form: Form) -> list[ItemAnswer]:
    """Single ratings (`data.people.ratings`, 0 to 100) as positions on the form's sliders.

    Raises:
        BadInput: The form has no slider of a pair's name.
    """
    sliders = {name: slider for (_, name), slider in form.sliders.items()}
    for pair in ratings.pairs:
        if pair not in sliders:
            raise BadInput(f"the form has no slider {pair!r}", "use the form of these ratings")
    positions = []
    for a, g, p in zip(*np.nonzero(np.isfinite(ratings.values)), strict=True):
        slider = sliders[ratings.pairs[p]]
        value = slider.low + float(ratings.values[a, g, p]) * (slider.high - slider.low) / 100
        positions.append(
            ItemAnswer(ratings.annotators[a], ratings.groups[g], slider.name, round(value, 9))
        )
    return positions
