"""Reading a prompt set from TOML, with everything that is wrong with it at once."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiltmeter.core.conversations import SPEAKERS, Message
from tiltmeter.core.errors import BadItems, Problem
from tiltmeter.data.files.toml_file import has_tables, toml_table
from tiltmeter.data.files.toml_reading import TomlReading
from tiltmeter.data.pairs.pairs import MEND
from tiltmeter.data.pairs.sentences import problem_with
from tiltmeter.data.prompts.fitting import check_fit, check_templates
from tiltmeter.data.prompts.prompt_set import ALL, AskedText, PromptSet, PromptSetting, ShownExample
from tiltmeter.data.prompts.prompt_texts import COLUMNS, texts_beside, texts_of_table

MANUAL = "docs/prompt-sets.md shows a whole file"
MOST_REPEATS = 10_000
_FACTS = ("name", "title", "version", "source", "licence", "warning", "language")
_TOP = (*_FACTS, "wrap", "categories", "settings", "examples", "texts", "columns")
_SETTING = (
    "prompt", "messages", "options", "truth", "positive", "example", "shown", "asks_others",
    "max_tokens", "temperature", "top_p", "stop", "repeats", "wrap",
)  # fmt: skip
_EXAMPLE = ("text", "label", "set")
_TEXT = ("text", "id", "label", "cluster", "groups")
WRAPS = ("auto", "chat", "text")


def read_prompt_set(
    path: str | Path,
    *,
    encoding: str = "",
    texts: Path | None = None,
    columns: Mapping[str, Any] | None = None,
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
    said = toml_table(path, MANUAL, encoding=encoding)
    reading = TomlReading(path.name, MANUAL)
    reading.known(said, _TOP, "the file")
    categories = reading.texts(said, "categories", "the file")
    settings = _settings(reading, said, categories)
    if texts is None and isinstance(said.get("texts"), str):
        texts = texts_beside(reading, path, said["texts"])
    asked, invalid = _texts(reading, said, texts, columns or {}, encoding)
    found = PromptSet(
        **{key: reading.text(said, key, "the file") for key in _FACTS}
        | {"name": reading.text(said, "name", "the file") or path.stem},
        categories=categories,
        settings=settings,
        examples=tuple(_example(reading, *e) for e in reading.entries(said, "examples")),
        texts=asked,
        invalid=invalid,
        file=path.name,
        sha256=_digest([path] if texts is None else [path, texts]),
    )
    if invalid and not skip_invalid and not reading.problems:
        raise BadItems(invalid, way_out=MEND)
    if needs_texts and not reading.problems:
        if not found.texts:
            reading.complain("has no texts", f'write [[texts]] or texts = "FILE.csv"; {MANUAL}')
        check_fit(reading, found)
    if reading.problems:
        raise BadItems(reading.problems)
    return found


def is_prompt_set(path: Path, encoding: str = "") -> bool:
    """Whether a file looks like a prompt set."""
    return has_tables(path, encoding, names=("settings",))


def _settings(
    reading: TomlReading, said: Mapping[str, Any], categories: tuple[str, ...]
) -> tuple[PromptSetting, ...]:
    default = reading.choice(said, "wrap", "the file", WRAPS)
    tables = reading.table(said, "settings")
    if not tables:
        reading.complain("has no settings", f"write [settings.NAME] and its keys below; {MANUAL}")
    for one in {ALL} & {*categories}:
        reading.complain(f"categories: {one!r} has a meaning of its own", "name it differently")
    made = [
        _setting(reading, name, reading.table(tables, name, f"settings.{name}"), default)
        for name in tables
    ]
    for setting in made:
        check_templates(reading, setting, categories)
    return tuple(made)


def _setting(reading: TomlReading, name: str, said: Mapping[str, Any], wrap: str) -> PromptSetting:
    at = f"[settings.{name}]"
    reading.known(said, _SETTING, at)
    wrap = reading.choice({"wrap": wrap, **said}, "wrap", at, WRAPS)
    return PromptSetting(
        name=name,
        messages=_messages(reading, said, name),
        options=reading.texts(said, "options", at),
        truth=reading.text_table(said, "truth", at),
        positive=reading.text(said, "positive", at),
        example=reading.text(said, "example", at),
        shown=reading.texts(said, "shown", at),
        asks_others=reading.flag(said, "asks_others", at),
        max_tokens=int(reading.number(said, "max_tokens", at, 16, at_least=1, whole=True)),
        temperature=reading.number(said, "temperature", at, 0, at_most=2),
        top_p=reading.number(said, "top_p", at, 1, at_least=0.001, at_most=1),
        stop=reading.texts(said, "stop", at),
        repeats=int(
            reading.number(said, "repeats", at, 1, at_least=1, at_most=MOST_REPEATS, whole=True)
        ),
        chat=wrap != "text",
    )


def _messages(reading: TomlReading, said: Mapping[str, Any], name: str) -> tuple[Message, ...]:
    at = f"[settings.{name}]"
    if ("prompt" in said) == ("messages" in said):
        both = "both prompt and messages" if "prompt" in said else "no prompt"
        reading.complain(f"{at} has {both}", f'write prompt = "…" or messages = […]; {MANUAL}')
        return ()
    if "prompt" in said:
        return (Message("user", reading.text(said, "prompt", at)),)
    found = []
    for place, entry in reading.entries(said, "messages", f"settings.{name}.messages"):
        reading.known(entry, SPEAKERS, place)
        speakers = [speaker for speaker in SPEAKERS if speaker in entry]
        if len(speakers) != 1:
            reading.complain(f"{place} has {len(speakers)} speakers", 'write { user = "…" }')
        found += [Message(s, reading.text(entry, s, place)) for s in speakers]
    if found and found[-1].speaker != "user":
        reading.complain(
            f"{at}: the last message is the {found[-1].speaker}'s", "end with { user = … }"
        )
    return tuple(found)


def _example(reading: TomlReading, at: str, said: Mapping[str, Any]) -> ShownExample:
    reading.known(said, _EXAMPLE, at)
    return ShownExample(
        reading.text(said, "text", at, needed=True),
        reading.text(said, "label", at, needed=True),
        reading.text(said, "set", at) or "1",
    )


def _texts(
    reading: TomlReading,
    said: Mapping[str, Any],
    table: Path | None,
    columns: Mapping[str, Any],
    encoding: str,
) -> tuple[tuple[AskedText, ...], tuple[Problem, ...]]:
    """The texts, of the table if there is one, and its rows that are none."""
    own = reading.table(said, "columns")
    reading.known(own, COLUMNS, "[columns]")
    if table is not None:
        return texts_of_table(reading, table, {**columns, **own}, encoding)
    if isinstance(said.get("texts"), str):
        return (), ()
    if own:
        way_out = 'write texts = "FILE.csv", or leave them out'
        reading.complain("has [columns] and no table", way_out)
    return tuple(_text(reading, *entry) for entry in reading.entries(said, "texts")), ()


def _text(reading: TomlReading, at: str, said: Mapping[str, Any]) -> AskedText:
    reading.known(said, _TEXT, at)
    where = Problem("", file=reading.file, field=f"{at}: text")
    text = reading.text(said, "text", at, needed=True)
    if text and (problem := problem_with(text, where)):
        reading.problems.append(problem)
    return AskedText(
        id=reading.text(said, "id", at) or at.rpartition(" ")[2],
        text=text,
        label=reading.text(said, "label", at),
        groups=reading.text_table(said, "groups", at),
        cluster=reading.text(said, "cluster", at),
        where=f"{reading.file}: {at}",
    )


def _digest(files: Sequence[Path]) -> str:
    """The SHA-256 of the file, or of those of file and table, sorted, one a line."""
    sums = sorted(hashlib.sha256(file.read_bytes()).hexdigest() for file in files)
    if len(sums) == 1:
        return sums[0]
    return hashlib.sha256("".join(f"{one}\n" for one in sums).encode()).hexdigest()
