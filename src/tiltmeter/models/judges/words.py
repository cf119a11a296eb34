"""A list of words as a judge (`words:FILE`): a text with a listed word is "listed", whatever it means.

The file has one word on each line, or columns separated by tabs: `word` or `lemma`, and last `level`, of
which only "conservative" counts. That is the layout of HurtLex (Bassignana, Basile and Patti 2018,
https://ceur-ws.org/Vol-2253/paper49.pdf), and the part of it that HONEST uses (Nozza, Bianchi and Hovy 2021,
doi:10.18653/v1/2021.naacl-main.191). HurtLex is CC BY-NC-SA and does not come with this package.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.plain_text import lines

LEVEL = "conservative"
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def _plain(text: str) -> list[str]:
    """The words of a text in lower case without accents."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [word[0].casefold() for word in _WORD.finditer(bare)]


@dataclass(frozen=True, slots=True)
class WordList:
    """The list: entries that are looked for in texts, some of them several words long."""

    instrument: str
    words: frozenset[str]
    reads: ClassVar[str] = "words and not meaning"
    classes: ClassVar[Sequence[str]] = ("listed", "unlisted")

    def words_in(self, text: str) -> tuple[str, ...]:
        """The listed entries in a text, each once, in lower case without accents.

        >>> WordList("", frozenset({"dog", "old hat"})).words_in("Dogs, a DOG and an old hat")
        ('dog', 'old hat')
        """
        plain, longest = _plain(text), max(word.count(" ") for word in self.words) + 1
        runs = (
            " ".join(plain[at : at + size])
            for at in range(len(plain))
            for size in range(1, min(longest, len(plain) - at) + 1)
        )
        return tuple(dict.fromkeys(run for run in runs if run in self.words))

    def classify(self, texts: Sequence[str]) -> list[str]:
        """For each text, "listed" if it has a listed word, otherwise "unlisted"."""
        return [self.classes[not self.words_in(text)] for text in texts]


def open_judge(location: str, **opening: object) -> WordList:
    """The list of words in a file.

    Raises:
        BadInput: The file cannot be read, or has no words.
    """
    del opening
    path = Path(location).expanduser()
    rows = [line.strip().split("\t") for line in lines(path) if not line.startswith("#")]
    head = dict.fromkeys(rows[0] if rows else ())
    column = next((name for name in ("lemma", "word") if name in head), "word")
    named = rows[1:] if column in head else rows
    table = [dict(zip(head if column in head else ["word"], row, strict=False)) for row in named]
    listed = [row.get(column, "") for row in table if row.get("level", LEVEL) == LEVEL]
    words = frozenset(filter(None, (" ".join(_plain(word)) for word in listed)))
    if not words:
        raise BadInput("it has no words", "write one word a line", file=path.name)
    return WordList(
        f"{counted(len(words), 'words')} of {path.name} (SHA-256 {sha256(path)[:8]}…)", words
    )
