"""Form files, and items from the user's own table, read with everything that is wrong with them at once."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.reading.typed_values import OTHERS, Fault, Raw, checked, reader
from tiltmeter.core.reading.value_types import Lines
from tiltmeter.data.files.rows import UserRows, text_of
from tiltmeter.data.files.toml_file import parsed_toml, toml_text
from tiltmeter.survey.form import Form, ItemKind, SurveyItem
from tiltmeter.survey.form_reading import form_in
from tiltmeter.survey.formats.cells import plain
from tiltmeter.survey.languages.words_file import with_words_of_files

OWN = ("id", "kind", "common", "stratum")
"""Columns with a meaning of their own; every other column is a text of that name."""
MEND = "correct the row, or remove it"
YES, NO = frozenset({"1", "1.0", "true", "yes"}), frozenset({"0", "0.0", "false", "no"})
"""What the column `common` may hold."""
HOW = "`tiltmeter survey check NAME --show` prints a built-in form to start from"


def built_in() -> tuple[str, ...]:
    """The names of the forms that come with Tiltmeter."""
    folder = files("tiltmeter.survey") / "forms"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir()))


def form_text(name: str) -> str:
    """The file of a built-in form.

    Raises:
        UnknownName: There is none of this name.
    """
    if name not in built_in():
        raise UnknownName("form file or built-in form", name, built_in(), or_file=True)
    return (files("tiltmeter.survey") / "forms" / f"{name}.toml").read_text("utf-8")


def read_form(source: str | Path, *, encoding: str = "") -> Form:
    """Read and check a form: a TOML file, or a built-in form by its name.

    Raises:
        UnknownName: Neither a file nor a built-in form.
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with the entry and a way out.
    """
    path = Path(source)
    if path.suffix.lower() == ".toml" or os.path.lexists(path):
        return form_of(toml_text(path, encoding), file=path.name, folder=path.parent)
    return form_of(form_text(str(source)), file=f"{source}.toml")


def form_of(text: str, *, file: str = "form.toml", folder: Path | None = None) -> Form:
    """The form that the text of a file describes; errors as in `read_form`.

    Files of words that it names are read from the folder, and are part of the form's text from then on.
    """
    table = parsed_toml(text, HOW, file=file)
    whole = with_words_of_files(text, table, file=file, folder=folder)
    if whole != text:
        text, table = whole, parsed_toml(whole, HOW, file=file)
    try:
        languages = reader(Lines)(table.get("languages", "en"))
    except ValueError:
        languages = ("en",)  # what is wrong with them is said below
    with form_in(languages):
        form = checked(Form, table, file=file)
    return replace(form, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())


# ---- Items


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
    needed = needed_texts(form)
    one_language = len(form.languages) == 1
    rows = UserRows(
        _ItemRow, path, encoding=encoding, more=needed if one_language else (), texts=None
    )
    for name in () if one_language else needed:
        names = [name, *(f"{name}_{language}" for language in form.languages)]
        if not {*names} & {*rows.columns}:
            listed = ", ".join(map(repr, rows.columns))
            reason = f"has none of the columns {', '.join(names)} (found: {listed})"
            raise BadInput(reason, "add one, or rename one", file=path.name, line=1)
    items: list[SurveyItem] = []
    seen = {item.key for item in form.items if item.kind != "real"}
    for number, (line, row) in enumerate(rows, start=1):
        item = row.item(number, form.languages)
        missing = [name for name in needed if name not in item.texts]
        if missing:
            rows.complain(line, f"{missing[0]} is empty", MEND)
        elif item.key in seen:
            rows.complain(line, f"the id {item.key!r} occurs twice", MEND)
        else:
            items.append(item)
        seen.add(item.key)
    rows.finish("")
    if not items:
        raise BadInput("has no items", "write one in each row", file=path.name)
    return replace(form, items=(*(i for i in form.items if i.kind != "real"), *items))


def _common(text: str) -> bool:
    if text.lower() not in YES | NO:
        raise Fault(f"is {text!r}", "write yes or no")
    return text.lower() in YES


def _unescaped(cell: Any) -> str:
    return plain(text_of(cell))


@dataclass(frozen=True, slots=True)
class _ItemRow:
    id: Annotated[str, Raw(_unescaped)] = ""
    kind: Annotated[ItemKind, Raw(lambda cell: reader(ItemKind)(text_of(cell) or "real"))] = "real"
    common: Annotated[bool, Raw(lambda cell: _common(text_of(cell) or "no"))] = False
    stratum: Annotated[str, Raw(_unescaped)] = ""
    texts: Annotated[Mapping[str, Annotated[str, Raw(_unescaped)]], OTHERS] = field(
        default_factory=dict
    )

    def item(self, number: int, languages: Sequence[str]) -> SurveyItem:
        """The item; a column NAME_LANGUAGE is a text in that language, another in all."""
        texts: dict[str, dict[str, str]] = {}
        for name, text in self.texts.items():
            base, _, language = name.rpartition("_")
            if not text:
                continue
            if base and language in languages:
                texts.setdefault(base, {})[language] = text
            else:
                words = texts.setdefault(name, {})
                words.update({code: text for code in languages if code not in words})
        return SurveyItem(
            self.id or str(number), texts, self.kind, common=self.common, stratum=self.stratum
        )


def needed_texts(form: Form) -> tuple[str, ...]:
    """The texts that pages for items show."""
    pages = (*form.part("item"), *form.part("training"))
    return tuple(dict.fromkeys(name for page in pages for name in page.show))
