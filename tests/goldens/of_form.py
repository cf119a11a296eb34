"""The reference of form files, docs/surveys/form.md, from the classes that read them.

    python -m goldens.of_form [--write]

in `tests` shows what differs from the page, or writes it anew. A key's type, default and limits are those of
its field, what it means is the field's docstring: there is nothing else to keep up to date.
"""

import ast
import dataclasses
import inspect
import json
import sys
import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from goldens.outputs import difference
from tiltmeter.core.finder import find, known
from tiltmeter.core.reading.typed_values import OTHERS, Raw, TypedField, fields_of
from tiltmeter.core.reading.value_types import NumberRange
from tiltmeter.survey.form import Form
from tiltmeter.survey.form_reading import MARKDOWN, words
from tiltmeter.survey.question import (
    KINDS,
    QUESTION,
    AnswerOption,
    Condition,
    FormQuestion,
    Kind,
    Value,
)

PAGE = Path(__file__).parents[2] / "docs" / "surveys" / "form.md"
START = """\
# Form files

Every key of a form file. A form is TOML; `tiltmeter survey check FORM` reports everything that is wrong with
one, and `tiltmeter survey new FILE` writes one to start from. [Surveys](index.md) shows a small one.

<!-- In `tests`, `python -m goldens.of_form --write` writes this page from the classes. -->

- A **text** is one text, or in a form of several languages one for each: `{ en = "…", ru = "…" }`.
- **Markdown** is such a text, which may have paragraphs (an empty line between; a line break stays one),
  headings (`#`), lists, *emphasis* and links to https and mail addresses.
  Raw HTML and pictures are shown as they were typed.
- “–” as a default stands for nothing.
"""
OF_QUESTIONS = "The keys of every question, wherever a table has `questions`."
OF_OPTIONS = "An option may also be one text, which is then value and text in one."
_PLAIN = {
    str: "one line", bool: "true or false", int: "whole number", float: "number",
    Decimal: "amount of money",
}  # fmt: skip
_PLURAL = {"one line": "lines", "table": "tables", "text": "texts"}


def reference() -> str:
    """The page."""
    every = [*tables(Form, "")]
    parts = [START]
    done: set[type] = set()
    for _, kind in every:
        if kind in done:
            continue
        done.add(kind)
        paths = [path for path, of in every if of is kind]
        parts.append(_section(kind, paths))
    return "\n".join([*parts, _questions()])


def tables(kind: type, path: str) -> Iterator[tuple[str, type]]:
    """Every table of a form with its path, such as `[[pages]]`; "" for the top."""
    yield path, kind
    inner = path.strip("[]")
    for key, field in fields_of(kind).items():
        for many, part in _dataclasses(field.hint):
            name = f"{inner}.{key}" if inner else key
            if part not in {FormQuestion, Condition, AnswerOption}:
                yield from tables(part, f"[[{name}]]" if many else f"[{name}]")


def _dataclasses(hint: Any) -> Iterator[tuple[bool, type]]:
    """The dataclasses that a field holds, and whether it is a list of them."""
    bare = _bare(hint)
    if dataclasses.is_dataclass(bare):
        yield False, bare
    elif get_origin(bare) in {Union, types.UnionType}:
        for option in get_args(bare):
            yield from _dataclasses(option)
    elif get_origin(bare) is tuple:
        yield from ((True, part) for _, part in _dataclasses(get_args(bare)[0]))


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _section(kind: type, paths: Sequence[str]) -> str:
    title = ", ".join(f"`{path}`" for path in paths) if paths != [""] else "The top of the file"
    return f"## {title}\n\n{_summary(kind)}\n\n{_rows(kind, fields_of(kind))}"


def _questions() -> str:
    kinds = {name: find(KINDS, name, QUESTION) for name in known(KINDS)}
    shared = {*fields_of(FormQuestion)}
    parts = [f"## Questions\n\n{OF_QUESTIONS}\n\n{_rows(FormQuestion, fields_of(FormQuestion))}"]
    for name, kind in kinds.items():
        own = {key: field for key, field in fields_of(kind).items() if key not in shared}
        further = "".join(
            f"| `{key}` | list of tables | – | {meaning} |\n"
            for key, meaning in kind.further_keys.items()
        )
        table = _rows(kind, own, further) if own or further else "It has no further keys.\n"
        module = " ".join((inspect.getmodule(kind).__doc__ or "").split("\n\n")[0].split())
        parts.append(f"### {name}\n\n{module}\n\n{table}")
    options = _rows(AnswerOption, fields_of(AnswerOption))
    parts.append(f"### Options\n\n{_summary(AnswerOption)} {OF_OPTIONS}\n\n{options}")
    return "\n".join(parts)


def _rows(kind: type, fields: Mapping[str, TypedField], further: str = "") -> str:
    head = "| key | value | default | what it does |\n|---|---|---|---|\n"
    cells = (
        (
            "any other key" if key == OTHERS else f"`{key}`",
            _type(field.hint), _default(kind, field), _meaning(kind, field.name),
        )
        for key, field in fields.items()
    )  # fmt: skip
    return head + "".join(f"| {' | '.join(row)} |\n" for row in cells) + further


def _type(hint: Any) -> str:
    """What a field takes, in words."""
    bare, marks = _bare(hint), get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    named = (
        (MARKDOWN in marks, "Markdown"),
        (
            any(isinstance(m, Raw) and getattr(m.read, "func", m.read) is words for m in marks),
            "text",
        ),
        (hint == Kind, ", ".join(f"`{name}`" for name in known(KINDS))),
        (bare == Value, "answer"),
        (bare is Condition, "table: question to values"),
        (_is_list_of(bare, FormQuestion), "list of [questions](#questions)"),
        (_is_list_of(bare, AnswerOption), "list of options"),
        (dataclasses.is_dataclass(bare), "table"),
    )
    limits = next((f" {mark}" for mark in marks if isinstance(mark, NumberRange)), "")
    return next((name for holds, name in named if holds), "") or _plain_type(bare) + limits


def _is_list_of(bare: Any, kind: type) -> bool:
    return get_origin(bare) is tuple and _bare(get_args(bare)[0]) is kind


def _plain_type(bare: Any) -> str:
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return ", ".join(f"`{json.dumps(word)}`" for word in inner)
    if origin in {Union, types.UnionType}:
        return " or ".join(_type(each) for each in inner if each is not types.NoneType)
    if origin is tuple:
        return f"list of {_PLURAL.get(_type(inner[0]), _type(inner[0]))}"
    if origin is Mapping:
        value = _type(inner[1])
        return "table of tables" if value.startswith("table") else f"table: name to {value}"
    return _PLAIN.get(bare, "value")


def _default(kind: type, field: TypedField) -> str:
    of = next(f for f in dataclasses.fields(kind) if f.name == field.name)
    if of.default is dataclasses.MISSING and of.default_factory is dataclasses.MISSING:
        return "needed"
    value = of.default_factory() if of.default is dataclasses.MISSING else of.default
    if value is None or value in ((), {}, "") or dataclasses.is_dataclass(value):
        return "–"
    if isinstance(value, tuple):
        return f"`{json.dumps(value)}`"
    shown = (
        f"{value:g}"
        if isinstance(value, float | Decimal)
        else json.dumps(value, ensure_ascii=False)
    )
    return f"`{shown}`"


def _summary(kind: type) -> str:
    """The first paragraph of the class's docstring."""
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())


def _meaning(kind: type, name: str) -> str:
    """The docstring of a field, in one line."""
    return _docstrings(kind).get(name, "").replace("|", "\\|")


@cache
def _docstrings(kind: type) -> Mapping[str, str]:
    """The docstrings of a class's fields, also of those that it inherits."""
    meanings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not dataclasses.is_dataclass(base):
            continue
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(tree, ast.ClassDef)
        for before, line in zip(tree.body, tree.body[1:], strict=False):
            if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name):
                text = line.value if isinstance(line, ast.Expr) else None
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    meanings[before.target.id] = " ".join(text.value.split())
    return meanings


def undescribed() -> list[str]:
    """Keys whose field has no docstring, with their class."""
    kinds = {kind for _, kind in tables(Form, "")} | {FormQuestion, AnswerOption}
    kinds |= {find(KINDS, name, QUESTION) for name in known(KINDS)}
    return sorted(
        f"{kind.__name__}.{field.name}"
        for kind in kinds
        for field in fields_of(kind).values()
        if not _meaning(kind, field.name)
    )


def changes() -> str:
    """How the page differs from the classes."""
    return difference("form.md", PAGE.read_text("utf-8") if PAGE.is_file() else "", reference())


def main(given: Sequence[str]) -> None:
    """As the module says."""
    if text := changes():
        print(text)
    if "--write" in given:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(reference(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
