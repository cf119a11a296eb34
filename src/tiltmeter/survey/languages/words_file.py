"""Files with the words of buttons and notes in one language: to be translated, and named in a form."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.typed_values import Fault, Faults, bad_items, faults_of
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.toml_file import parsed_toml
from tiltmeter.survey.languages.interface_words import (
    ENGLISH,
    OwnWords,
    missing_words,
    own_words,
    words_in,
)

WORDS = "words"
"""The key of a form that holds its own words, or names the files with them."""
HOW = "`tiltmeter survey words LANGUAGE --to FILE` writes such a file"
_NAMED = re.compile(
    r"""^[ \t]*words[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*'|\[[^\]]*\])[ \t]*(\#[^\n]*)?\n""",
    re.MULTILINE,
)


def words_file(language: str, own: OwnWords) -> str:
    """The words of a language as TOML, each below its English; those that are missing are commented out.

    The text can be pasted at the end of a form, or named in it as a file.
    """
    missing = missing_words(language, own)
    known = words_in(language, own)
    how_many = f"{len(ENGLISH) - len(missing)} of {len(ENGLISH)}"
    head = (
        f"Words of buttons and notes in {language}. Translated: {how_many}.",
        "Translate the text in quotation marks, and keep what stands in braces, such as {n}.",
        "A word that is commented out or removed is shown in English.",
        'To use this file, put it beside the form and write words = "FILE.toml" at the top of the form,',
        "or paste it at the form's end.",
    )
    body = [f"# {line}" for line in head]
    body += ["", f"[{WORDS}.{language}]"]
    for word, english in ENGLISH.items():
        entry = f'# {word} = ""' if word in missing else f"{word} = {_quoted(known[word])}"
        body += ["", f"# {english}", entry]
    return "\n".join(body) + "\n"


def _quoted(text: str) -> str:
    """A text as a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def with_words_of_files(
    text: str, table: Mapping[str, object], *, file: str, folder: Path | None
) -> str:
    """The text of a form, with the words of files that it names in place of their names.

    Args:
        text: Of the form.
        table: What it says, as TOML.
        file: The name of the form, for messages.
        folder: Where the form lies; None where no file can be read.

    Raises:
        BadInput: A file of words cannot be read, or is not TOML.
        BadItems: A name is no plain file name, or what a file says cannot be used.
    """
    named = table.get(WORDS)
    if named is None or isinstance(named, Mapping):
        return text
    names = [named] if isinstance(named, str) else named
    try:
        parts = [_words_of(name, folder) for name in _plain_names(names)]
        without = _without_names(text, table)
    except (Fault, Faults) as error:
        raise bad_items(faults_of(error, WORDS), file) from None
    whole = "\n".join((without, *parts))
    try:
        tomllib.loads(whole)
    except tomllib.TOMLDecodeError as error:
        reason = f"the files of words do not go together with the form: {error}"
        raise BadInput(reason, "write each language once", file=file) from None
    return whole


def _plain_names(names: object) -> Iterator[str]:
    if not isinstance(names, list) or not names:
        raise Fault(f"is {names!r:.80}", 'write [words.ar], or words = "words-ar.toml"')
    for name in names:
        if not isinstance(name, str) or not name.endswith(".toml"):
            raise Fault(f"names {name!r:.80}", 'name a file such as "words-ar.toml"')
        if Path(name).name != name or set("/\\:\0") & set(name):
            raise Fault(
                f"names {name!r:.80}", "put the file beside the form, and write its name alone"
            )
        yield name


def _words_of(name: str, folder: Path | None) -> str:
    """The text of a file of words, once it is found to be in order."""
    if folder is None:
        raise Fault(
            f"names the file {name!r}", "serve the form from its folder, or paste the words into it"
        )
    text = "".join(lines(folder / name, ""))
    table = parsed_toml(text, HOW, file=name)
    if {*table} != {WORDS}:
        beside = ", ".join(key for key in table if key != WORDS) or "nothing"
        raise BadInput(f"has {beside} beside [words.ar]", HOW, file=name)
    try:
        own_words(table[WORDS])
    except (Fault, Faults) as error:
        raise bad_items(faults_of(error, WORDS), name) from None
    return text


def _without_names(text: str, table: Mapping[str, object]) -> str:
    """The text of a form without the line that names the files of words."""
    text = text if text.endswith("\n") else f"{text}\n"
    others = {key: value for key, value in table.items() if key != WORDS}
    for line in _NAMED.finditer(text):
        without = text[: line.start()] + text[line.end() :]
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(without) == others:  # a text may hold such a line, too
                return without
    raise Fault("is not on a line of its own", 'write words = "words-ar.toml" above all tables')
