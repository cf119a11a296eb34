"""Sentences of a corpus that hold a word: the contexts in which a model is to read it.

The corpus is read line by line, and of each word no more contexts are kept than are wanted, so memory
does not grow with the corpus. Sentences do not go beyond a line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.requests import Passage
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.texts.corpus import corpus_digest

SUFFIXES = frozenset({".txt", ".tokens"})
LONGEST = 64
"""Words of a context, at most: longer sentences are cut around the word."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]?\s?[A-Z0-9])|[。！？]")


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Contexts of words in a corpus, and how often each occurs there."""

    name: str
    """The name of the file or folder, without its path."""
    sha256: str
    sentences: int
    counts: Mapping[str, int]
    """By word, in how many sentences it occurs."""
    contexts: Mapping[str, Sequence[Passage]]
    """By word, those that are kept, with the word's place."""


@dataclass(slots=True)
class _Kept:
    """A sample of what has been seen, each with the same chance (reservoir sampling)."""

    most: int
    rng: np.random.Generator
    seen: int = 0
    passages: list[Passage] = field(default_factory=list)

    def offer(self, sentence: str, at: tuple[int, int], longest: int) -> None:
        """Keep it in the sample, or not. Only what is kept is cut, since most of a large corpus is not."""
        self.seen += 1
        if len(self.passages) < self.most:
            self.passages.append(cut(sentence, at, longest))
            return
        place = int(self.rng.integers(self.seen))
        if place < self.most:
            self.passages[place] = cut(sentence, at, longest)


def occurrences(
    path: Path,
    words: Iterable[str],
    *,
    most: int,
    longest: int = LONGEST,
    seed: int = 0,
    encoding: str = "",
) -> Occurrences:
    """Contexts of each of these words, at most `most`, drawn at random where there are more.

    A word is found where it stands whole; a sentence counts once, at the word's first place. A word in
    small letters is found with a capital at its beginning too ("Love"); one with capitals only as it is
    written. Several words are found side by side with nothing but white space between ("European American",
    not "European, American"), and signs of a word only where it has them ("C++", "U.S."). Which contexts
    are kept of a word depends on the seed and on no other word.

    `path` is a text file, or a folder of .txt and .tokens files; sentences of more than `longest` words are
    cut around the word.

    Raises:
        BadInput: There is no such file, it cannot be read, or it holds no text.
    """
    files = _files(path)
    seeds = {word: [seed, crc32(word.encode("utf-8", "surrogatepass"))] for word in words}
    kept = {word: _Kept(most, np.random.default_rng(drawn)) for word, drawn in seeds.items()}
    index = _index(kept)
    number = 0
    for sentence in _sentences(files, encoding):
        number += 1
        for word, at in _found(sentence, index).items():
            kept[word].offer(sentence, at, longest)
    if number == 0:
        raise BadInput("the corpus contains no text", "give running text", file=str(path))
    return Occurrences(
        path.resolve().name,
        corpus_digest(files, path),
        number,
        {word: of.seen for word, of in kept.items()},
        {word: tuple(of.passages) for word, of in kept.items()},
    )


def split(line: str) -> Iterator[str]:
    """The sentences of a line: each ends with a mark before a blank and a capital or a digit.

    >>> list(split("It rained. Did it? 'Yes.' He left at 5 p.m. sharp."))
    ['It rained.', 'Did it?', "'Yes.'", 'He left at 5 p.m. sharp.']
    """
    start = 0
    for end in _END.finditer(line):
        yield line[start : end.end()].strip()
        start = end.end()
    if rest := line[start:].strip():
        yield rest


def cut(sentence: str, at: tuple[int, int], longest: int) -> Passage:
    """The sentence, or the `longest` of its words that are around the characters `at`.

    As many words before it as after it; towards an end of the sentence, the last or first words there
    are.

    >>> cut("one two three four five", (8, 13), 3)
    Passage(text='two three four', at=(4, 9))
    >>> cut("one two three four five", (0, 3), 3)
    Passage(text='one two three', at=(0, 3))
    """
    words = [word.span() for word in re.finditer(r"\S+", sentence)]
    if len(words) <= longest:
        return Passage(sentence, at)
    first = next(i for i, (_, end) in enumerate(words) if end > at[0])
    last = next(i for i, (_, end) in enumerate(words) if end >= at[1])
    start = max(0, min(first - (longest - 1) // 2, len(words) - longest))
    stop = max(start + longest, last + 1)  # a name of many words stays whole
    begin, end = words[start][0], words[stop - 1][1]
    return Passage(sentence[begin:end], (at[0] - begin, at[1] - begin))


@dataclass(frozen=True, slots=True)
class _Spelt:
    """A word as it is looked for: its pieces, and the signs around and between them."""

    word: str
    pieces: tuple[str, ...]
    signs: tuple[str, ...]
    """Before the first piece, between each two, behind the last one; every white space is one blank."""

    @classmethod
    def of(cls, word: str) -> "_Spelt":
        word = " ".join(word.split())
        places = [piece.span() for piece in _WORD.finditer(word)]
        ends = [0, *(end for _, end in places)]
        starts = [*(start for start, _ in places), len(word)]
        signs = tuple(word[a:b] for a, b in zip(ends, starts, strict=True))
        return cls(word, tuple(word[a:b] for a, b in places), signs)

    def place(self, sentence: str, there: Sequence[re.Match[str]]) -> tuple[int, int] | None:
        """The characters it takes up if these words of the sentence are its pieces, else None."""
        words = [word[0] for word in there]
        if len(words) != len(self.pieces) or not all(map(_same, self.pieces, words)):
            return None
        first, *between, last = self.signs
        for sign, left, right in zip(between, there, there[1:], strict=False):
            if " ".join(f"_{sentence[left.end() : right.start()]}_".split()) != f"_{sign}_":
                return None
        start, end = there[0].start() - len(first), there[-1].end() + len(last)
        around = sentence[max(start, 0) : there[0].start()], sentence[there[-1].end() : end]
        return (start, end) if around == (first, last) else None


def _index(words: Iterable[str]) -> dict[str, list[tuple[str, _Spelt]]]:
    """By first piece, folded, the words that may begin there.

    A sentence is then read once, however many words are looked for.
    """
    index: dict[str, list[tuple[str, _Spelt]]] = {}
    for word in words:
        spelt = _Spelt.of(word)
        if spelt.pieces:
            index.setdefault(spelt.pieces[0].casefold(), []).append((word, spelt))
    return index


def _found(
    sentence: str, index: Mapping[str, Sequence[tuple[str, _Spelt]]]
) -> dict[str, tuple[int, int]]:
    """The words that the sentence holds, each with the characters of its first occurrence."""
    words = list(_WORD.finditer(sentence))
    places: dict[str, tuple[int, int]] = {}
    for i, first in enumerate(words):
        for word, spelt in index.get(first[0].casefold(), ()):
            at = spelt.place(sentence, words[i : i + len(spelt.pieces)])
            if at and word not in places:
                places[word] = at
    return places


def _same(piece: str, word: str) -> bool:
    return word == piece or (piece.islower() and word == piece.capitalize())


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(p for p in path.rglob("*") if p.is_file() and p.suffix.lower() in SUFFIXES)
    if not files:
        listed = " or ".join(sorted(SUFFIXES))
        raise BadInput(f"the folder contains no {listed} file", "give a text file", file=str(path))
    return files


def _sentences(files: Iterable[Path], encoding: str) -> Iterator[str]:
    for file in files:
        if file.is_file() and not file.stat().st_size:
            continue  # an error only where all files are empty
        for line in lines(file, encoding):
            yield from split(line)
