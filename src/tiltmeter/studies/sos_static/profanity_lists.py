"""What is read: words for social groups, and the profanity list that they are held against."""

from collections.abc import Mapping
from pathlib import Path

from tiltmeter.core.data.items import Dataset, Term
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.study import Source
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.downloads.registry import find, known_sets, locate
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.groups.offensive import OffensiveFile, counts_of
from tiltmeter.data.hub import hub_files

WARNING = (
    "Words for social groups are compared with insults in order to measure how close they are."
)
LISTS = ("profanity_403", "profanity_427")
"""Registered lists of profanity: one word or term a line."""
_HOW = f"name {' or '.join(LISTS)}, or a text file with one word per line"


def load_terms(source: Source, settings: Mapping[str, str], *, encoding: str = "") -> Dataset[Term]:
    """The identities of a file, each held against the profanity list that the settings name."""
    file = OffensiveFile.named(source, encoding=encoding)
    words, about, warning = profanity(settings["profanity"], file)
    items = [
        Term(
            f"{identity.attribute}|{identity.word}",
            file.spelled(identity.word, settings["spelling"]),
            words,
            {"attribute": identity.attribute, "status": identity.status, "identity": identity.word},
            where=file.file,
        )
        for identity in file.identities
    ]
    facts = {"profanity": about, **counts_of(file.identities)}
    return file.dataset(items, facts, warning=f"{WARNING} {warning}".strip())


def profanity(named: str, file: OffensiveFile) -> tuple[tuple[str, ...], str, str]:
    """The words of a profanity list, a description of it, and its content warning ("" for none).

    `named` is a registered list, the path of a text file with a word a line, or "" for the offensive
    adjectives of `file`, where the identities come from.

    Raises:
        BadInput: It is none of these, or cannot be read.
        BadItems: A line cannot be used.
        Unavailable: A registered list is not available.
    """
    if not named:
        words = tuple(offensive for offensive, _ in file.pairs)
        return words, f"the {counted(len(words), 'offensive adjectives')} of {file.name}", ""
    if named in LISTS:
        located = locate(named)
        words = read_list(located.file)
        about = f"{named}, {counted(len(words), 'words')}, {located.set.homepage}, SHA-256 {located.sha256}"
        return words, about, located.set.warning
    if named in known_sets():
        raise BadInput(f"{find(named).name} is not a profanity list", _HOW)
    path = Path(hub_files.local(named))
    words = read_list(path)
    return words, f"{path.name}, {counted(len(words), 'words')}, SHA-256 {sha256(path)}", ""


def read_list(path: Path) -> tuple[str, ...]:
    """The words of a text file with one word a line, without repetitions.

    Raises:
        BadInput: It cannot be read, or holds none.
        BadItems: Lines that are no words.
    """
    if not path.is_file() and not path.suffix and path.name == str(path):
        raise BadInput(f"no profanity list and no file named {str(path)!r}", _HOW)
    words: dict[str, str] = {}
    problems: list[Problem] = []
    for number, line in enumerate(lines(path), start=1):
        word = " ".join(line.split())
        if word and not word.isprintable():
            way_out = "write one word a line, in visible characters"
            problems.append(Problem("is not a word", way_out, file=path.name, line=number))
        elif word:
            words.setdefault(word.casefold(), word)
    if problems:
        raise BadItems(problems)
    if not words:
        raise BadInput("contains no words", "write one per line", file=path.name)
    return tuple(words.values())
