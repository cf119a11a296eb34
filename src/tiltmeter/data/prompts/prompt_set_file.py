"""Reading a prompt set from TOML, and its texts from a table beside it; all faults are reported at once."""

from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.reading.typed_values import Fault, bad_items, checked
from tiltmeter.data.downloads.fetch import joint_sha256, sha256
from tiltmeter.data.files.document_paths import path_beside
from tiltmeter.data.files.rows import text_of
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.files.toml_file import has_tables, toml_table
from tiltmeter.data.pairs.sentences import problem_with
from tiltmeter.data.prompts.fitting import misfits
from tiltmeter.data.prompts.prompt_set import AskedText, PromptSet, TextColumns

MANUAL = "docs/how-to/prompt-sets.md"


def read_prompt_set(
    path: str | Path,
    *,
    encoding: str = "",
    texts: Path | None = None,
    columns: TextColumns | None = None,
    needs_texts: bool = True,
    skip_invalid: bool = False,
) -> PromptSet:
    """Read and check a prompt set.

    `wrap = "text"` makes prompts that are continued as plain text. Whether a model has a chat template is not
    known here: with "auto" and "chat" `Prompt.chat` is True, and the rule may change it.

    Args:
        path: A TOML file.
        encoding: Of it and of its table.
        texts: A table to read instead of the file's own texts.
        columns: What the table's columns are, where the file's own [columns] do not say it.
        needs_texts: False where texts and examples come from elsewhere: the file's own are not checked then.
        skip_invalid: Leave out rows of a table that are no texts, and list them in `invalid`.

    Raises:
        BadInput: A file cannot be read, is not TOML or not a table.
        BadItems: What they say cannot be used, all of it, each with the entry and a way out.
    """
    path = Path(path)
    table = toml_table(path, f"see {MANUAL}", encoding=encoding)
    if isinstance(table.get("texts"), str):
        beside = texts_beside(path, table.pop("texts"))
        texts = texts or beside
    if "wrap" in table and isinstance(table.get("settings"), dict):
        for setting in table["settings"].values():
            if isinstance(setting, dict):
                setting.setdefault("wrap", table["wrap"])
    made = checked(PromptSet, table, file=path.name, manual=MANUAL)
    asked = tuple(replace(text, where=f"{path.name}: {text.where}") for text in made.texts)
    if texts is not None:
        asked, invalid = texts_of_table(texts, made.columns or columns or TextColumns(), encoding)
        stop_at(invalid, skip_invalid=skip_invalid)
        made = replace(made, invalid=invalid)
    elif made.columns:
        way_out = 'write texts = "FILE.csv", or leave them out'
        raise BadInput("has [columns] and no table", way_out, file=path.name)
    files = [path] if texts is None else [path, texts]
    sums = joint_sha256(map(sha256, files))
    made = replace(made, name=made.name or path.stem, texts=asked, file=path.name, sha256=sums)
    if faults := [*misfits(made, needs_texts=needs_texts)]:
        raise bad_items(faults, path.name, MANUAL)
    return made


def is_prompt_set(path: Path, encoding: str = "") -> bool:
    """Whether a file looks like a prompt set."""
    return has_tables(path, encoding, names=("settings",))


_USUAL = ("id", "label", "cluster")


def texts_beside(path: Path, name: str) -> Path:
    """The table that a set names, which lies below the set's own folder or that of $TILTMETER_DATA.

    Raises:
        BadItems: It does not, or is not there.
    """
    try:
        return path_beside(name, path)
    except Fault as fault:
        raise bad_items([fault.moved("texts")], path.name) from None


def texts_of_table(
    path: Path, columns: TextColumns, encoding: str
) -> tuple[tuple[AskedText, ...], tuple[Problem, ...]]:
    """The texts of a table, and its rows that are none.

    Raises:
        BadInput: The table cannot be read, or lacks a column that `columns` names.
    """
    column_of = {key: getattr(columns, key) for key in ("text", *_USUAL)}
    required = [*filter(None, (*column_of.values(), *columns.groups.values()))]
    table = read_table(
        path, encoding=encoding, required=required, named=required,
        texts=(columns.text, columns.id or "id"),
    )  # fmt: skip
    column_of |= {key: key for key in _USUAL if not column_of[key] and key in table.columns}
    texts: list[AskedText] = []
    problems: list[Problem] = []
    for number, row in enumerate(table.rows, start=1):
        where = Problem("", file=path.name, line=row.line, field=columns.text)
        if problem := row.problem or problem_with(row.cells.get(columns.text), where):
            problems.append(problem)
            continue
        cell = {key: text_of(row.cells.get(column)) for key, column in column_of.items()}
        groups = {axis: text_of(row.cells.get(column)) for axis, column in columns.groups.items()}
        texts.append(
            AskedText(
                id=cell.get("id") or str(number),
                text=cell["text"],
                label=cell.get("label", ""),
                groups={axis: label for axis, label in groups.items() if label},
                cluster=cell.get("cluster", ""),
                where=f"{path.name}:{row.line}",
            )
        )
    return tuple(texts), tuple(problems)
