"""Form files: TOML, read with everything that is wrong with them at once."""

import hashlib
import os
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.typed_values import checked, reader
from tiltmeter.core.value_types import Lines
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.toml_file import parsed_toml
from tiltmeter.survey.form import Form
from tiltmeter.survey.form_reading import form_in

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
        raise UnknownName("built-in form", name, built_in())
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
        return form_of("".join(lines(path, encoding)), file=path.name)
    return form_of(form_text(str(source)), file=f"{source}.toml")


def form_of(text: str, *, file: str = "form.toml") -> Form:
    """The form that the text of a file describes; errors as in `read_form`."""
    table = parsed_toml(text, HOW, file=file)
    try:
        languages = reader(Lines)(table.get("languages", "en"))
    except ValueError:
        languages = ("en",)  # what is wrong with them is said below
    with form_in(languages):
        form = checked(Form, table, file=file)
    return replace(form, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())
