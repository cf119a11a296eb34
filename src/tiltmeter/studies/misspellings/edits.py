"""Misspelt and censored words: which strings are searched for, and what is written in their place."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import known_names
from tiltmeter.core.reading.typed_values import Fault, bad_items
from tiltmeter.core.reading.value_types import Line, some
from tiltmeter.data.files.toml_file import read_toml

Within: TypeAlias = Literal["anywhere", "starts", "words"]
"""Where a stem is found: also inside a word, only where a word begins, or only as a whole word."""
WITHIN: tuple[Within, ...] = ("anywhere", "starts", "words")
MANUAL = "docs/how-to/prompt-sets.md"
_LEET = str.maketrans("aeiost", "4310$7")
_LETTERS = 2
"""A stem of fewer letters cannot be misspelt and still be read."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One way to misspell one string."""

    stem: str
    written: str

    @property
    def name(self) -> str:
        """The string and what is written in its place, as tables show them."""
        return f"{self.stem} → {self.written}"

    @property
    def kind(self) -> str:
        """What was done: "masked", "leet", "dropped" (a letter), "swapped" (letters), or "respelt".

        >>> [Edit("bitch", e).kind for e in ("b*tch", "b1tch", "bich", "bithc", "beach")]
        ['masked', 'leet', 'dropped', 'swapped', 'respelt']
        """
        if re.search(r"[*\-–_.]", self.written):
            return "masked"
        if re.search(r"[0-9@$!]", self.written):
            return "leet"
        if sorted(self.written) == sorted(self.stem):
            return "swapped"
        dropped = {self.stem[:i] + self.stem[i + 1 :] for i in range(len(self.stem))}
        return "dropped" if self.written in dropped else "respelt"

    def applied(self, text: str, within: Within = "anywhere") -> str:
        """The text with every occurrence edited, whatever its case; capitals are kept.

        >>> Edit("kill", "k1ll").applied("KILL the skill. Killed!")
        'K1LL the sk1ll. K1lled!'
        >>> Edit("kill", "k1ll").applied("KILL the skill. Killed!", "starts")
        'K1LL the skill. K1lled!'
        """
        return _pattern(self.stem, within).sub(lambda found: _cased(self.written, found[0]), text)


def published_edits() -> tuple[Edit, ...]:
    """The edits of Table 22 of Chiu et al. 2022."""
    return read_edits(Path(__file__).with_name("published_edits.toml"))


def read_edits(
    path: str | Path, *, generate: Sequence[str] = (), seed: int = 0, encoding: str = ""
) -> tuple[Edit, ...]:
    """The edits of a TOML file of [[stems]], each with `stem` and, if it has own ones, `edits`.

    `generate` are kinds of GENERATED to add for each stem, some of which a stem without edits needs; `seed`
    decides which letters they change.

    Raises:
        BadInput: The file cannot be read, or is not TOML.
        BadItems: Stems that cannot be used, all of them.
        UnknownName: There is no such kind.
    """
    path = Path(path)
    read = read_toml(_StemFile, path, MANUAL, encoding=encoding)
    if bare := [] if generate else [entry.stem for entry in read.stems if not entry.edits]:
        way_out = 'write edits = ["…"], or have some generated'
        faults = (Fault(f"the stem {stem!r} has no edits", way_out) for stem in bare)
        raise bad_items(faults, path.name, MANUAL)
    edits: dict[Edit, None] = {}
    for entry in read.stems:
        edits |= dict.fromkeys(Edit(entry.stem, written) for written in entry.edits)
        edits |= dict.fromkeys(generated(entry.stem, generate, seed))
    return tuple(edits)


def _readable(stem: str) -> str:
    if len(stem) < _LETTERS:
        raise Fault(f"is {stem!r}", f"write at least {_LETTERS} letters")
    return stem


@dataclass(frozen=True, slots=True)
class _Stem:
    stem: Annotated[Line, _readable]
    edits: tuple[Line, ...] = ()

    def faults(self) -> Iterator[Fault]:
        if self.stem.casefold() in map(str.casefold, self.edits):
            yield Fault("has an edit that equals the stem", "write it differently")


@dataclass(frozen=True, slots=True)
class _StemFile:
    stems: Annotated[tuple[_Stem, ...], some]
    name: Line = ""
    source: Line = ""


def generated(stem: str, kinds: Iterable[str], seed: int = 0) -> list[Edit]:
    """An edit of each kind, as far as the stem allows it; the seed decides which letters.

    >>> [edit.written for edit in generated("bitch", ["leet", "*"])]
    ['b17ch', 'b*tch']
    """
    edits = []
    for kind in known_names("kind of misspelling", kinds, GENERATED):
        # By stem and kind, so that an edit does not depend on the rest of the list.
        rng = np.random.default_rng([seed, *stem.encode("utf-8", "surrogatepass"), len(kind)])
        written = GENERATED[kind](stem, rng)
        if written.casefold() != stem.casefold():
            edits.append(Edit(stem, written))
    return edits


def found_in(text: str, stem: str, within: Within = "anywhere") -> bool:
    """Whether a text has the stem, case ignored."""
    return _pattern(stem, within).search(text) is not None


def _pattern(stem: str, within: Within) -> re.Pattern[str]:
    before = "" if within == "anywhere" else r"(?<!\w)"
    after = r"(?!\w)" if within == "words" else ""
    return re.compile(f"{before}{re.escape(stem)}{after}", re.IGNORECASE)


def _cased(written: str, found: str) -> str:
    if found.isupper() and len(found) > 1:
        return written.upper()
    return written[:1].upper() + written[1:] if found[:1].isupper() else written


def _dropped(stem: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(1, len(stem)))
    return stem[:at] + stem[at + 1 :]


def _swapped(stem: str, rng: np.random.Generator) -> str:
    places = [i for i in range(1, len(stem) - 1) if stem[i] != stem[i + 1]]
    if not places:
        return stem
    at = int(rng.choice(places))
    return stem[:at] + stem[at + 1] + stem[at] + stem[at + 2 :]


def _masked(mark: str) -> Callable[[str, np.random.Generator], str]:
    def masked(stem: str, rng: np.random.Generator) -> str:
        inner = range(1, len(stem))
        vowels = [i for i in inner if stem[i].casefold() in "aeiouy"]
        at = int(rng.choice(vowels or inner))
        return stem[:at] + mark + stem[at + 1 :]

    return masked


GENERATED: Mapping[str, Callable[[str, np.random.Generator], str]] = {
    "drop": _dropped,
    "swap": _swapped,
    "leet": lambda stem, _: stem[:1] + stem[1:].translate(_LEET),
    "*": _masked("*"),
    "-": _masked("-"),
}
"""Kinds of edits that are made for any stem: a letter left out, two swapped, letters as digits, a vowel
masked."""
