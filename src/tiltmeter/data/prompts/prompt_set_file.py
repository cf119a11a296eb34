"""Reading a prompt set from TOML, with everything that is wrong with it at once."""

from dataclasses import replace
from pathlib import Path

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.typed_values import bad_items, checked
from tiltmeter.data.downloads.fetch import joint_sha256, sha256
from tiltmeter.data.files.toml_file import has_tables, toml_table
from tiltmeter.data.pairs.pairs import MEND
from tiltmeter.data.prompts.fitting import misfits
from tiltmeter.data.prompts.prompt_set import PromptSet, TextColumns
from tiltmeter.data.prompts.prompt_texts import texts_beside, texts_of_table

MANUAL = "docs/prompt-sets.md"


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
        encoding: Of it and of its table; by default their byte order mark's, else UTF-8.
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
        if invalid and not skip_invalid:
            raise BadItems(invalid, way_out=MEND)
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
