"""Items from the user's own table: prompts, pairs of sentences, texts to be labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.files.tables import read_table
from tiltmeter.survey.form import Form, SurveyItem
from tiltmeter.survey.formats.cells import plain

OWN = ("id", "kind", "common", "stratum")
"""Columns with a meaning of their own; every other column is a text of that name."""
YES, NO = frozenset({"1", "1.0", "true", "yes"}), frozenset({"0", "0.0", "false", "no"})
"""What the column `common` may hold."""


def with_items(form: Form, path: Path, *, encoding: str = "") -> Form:
    """The form with the items of a table in place of its own real ones.

    Args:
        form: Its pages say which texts are needed (`show`).
        path: A table in any format that `read_table` takes, with the columns of OWN (all optional) and
            one column for each text. A text is used in all languages, unless there is a column
            NAME_LANGUAGE, such as `text_ru`.
        encoding: Of text files.

    Raises:
        BadInput: The file cannot be read or has no items.
        BadItems: Items without a text that a page shows, with an id twice, or with a `kind` or `common` that
            is none.
    """
    table = read_table(path, encoding=encoding, required=needed_texts(form))
    items: list[SurveyItem] = []
    problems: list[Problem] = []
    seen = {item.key for item in form.items if item.kind != "real"}
    for number, row in enumerate(table.rows, start=1):
        item = None if row.problem else _item(row.cells, number, form.languages)
        why = "" if item is None else _wrong(item, row.cells, needed_texts(form), seen)
        if row.problem or why:
            way_out = "correct the row, or remove it"
            problems.append(row.problem or Problem(why, way_out, file=path.name, line=row.line))
        elif item is not None:
            seen.add(item.key)
            items.append(item)
    if problems:
        raise BadItems(problems)
    if not items:
        raise BadInput("has no items", "write one in each row", file=path.name)
    return replace(form, items=(*(i for i in form.items if i.kind != "real"), *items))


def needed_texts(form: Form) -> tuple[str, ...]:
    """The texts that pages for items show."""
    pages = (*form.part("item"), *form.part("training"))
    return tuple(dict.fromkeys(name for page in pages for name in page.show))


def _item(cells: Mapping[str, Any], number: int, languages: Sequence[str]) -> SurveyItem:
    given = _given(cells)
    texts: dict[str, dict[str, str]] = {}
    for name, value in given.items():
        base, _, language = name.rpartition("_")
        if base and language in languages:
            texts.setdefault(base, {})[language] = value
        elif name not in OWN:
            words = texts.setdefault(name, {})
            words.update({code: value for code in languages if code not in words})
    kind = given.get("kind", "real")
    return SurveyItem(
        key=given.get("id", str(number)),
        texts=texts,
        kind="training" if kind == "training" else "test" if kind == "test" else "real",
        common=given.get("common", "").lower() in YES,
        stratum=given.get("stratum", ""),
    )


def _given(cells: Mapping[str, Any]) -> dict[str, str]:
    """The cells that are not empty."""
    return {
        name: plain(str(value).strip())
        for name, value in cells.items()
        if name and value is not None and str(value).strip()
    }


def _wrong(
    item: SurveyItem, cells: Mapping[str, Any], needed: Sequence[str], seen: set[str]
) -> str:
    missing = [name for name in needed if name not in item.texts]
    if missing:
        return f"the {missing[0]} is empty"
    given = _given(cells)
    if given.get("kind", item.kind) != item.kind:
        return f"the kind is {given['kind']!r}, not real, training or test"
    if given.get("common", "no").lower() not in YES | NO:
        return f"common is {given['common']!r}, not yes or no"
    return f"the id {item.key!r} occurs twice" if item.key in seen else ""
