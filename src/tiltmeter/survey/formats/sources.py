"""Files with answers, read by their format."""

from pathlib import Path
from typing import Literal

from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.rating_files import COLUMNS, read_ratings
from tiltmeter.data.people.ratings import PERCENT, RatingScale
from tiltmeter.survey.form import Form
from tiltmeter.survey.formats import item_answers, label_studio, potato
from tiltmeter.survey.formats.item_answers import ItemAnswer


def read_item_answers(
    path: Path, form: Form, kind: Literal["csv", "label-studio", "potato"], *, encoding: str = ""
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
    if path.suffix.lower() == ".json" or _is_ratings(path, encoding):
        return item_answers.of_ratings(
            read_ratings(path, scale=_scale(form), encoding=encoding), form
        )
    return item_answers.read_answers(path, form, encoding=encoding)


def _is_ratings(path: Path, encoding: str) -> bool:
    return {*COLUMNS} <= {*read_table(path, encoding=encoding).columns}


def _scale(form: Form) -> RatingScale:
    """Of the form's first slider."""
    questions = (q for page in form.part("item") for q in page.questions if q.kind == "slider")
    slider = next(questions, None)
    return RatingScale(slider.low, slider.high) if slider else PERCENT
