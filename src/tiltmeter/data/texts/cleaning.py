"""How texts are cleaned before a classifier reads them: a named list of steps, in order.

`elsafoury2021` is what Elsafoury et al. 2021 (doi:10.1145/3404835.3463029) and Elsafoury 2023 did to tweets.
The contractions are a table of our own (`cleaning.toml`).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.reading.typed_values import checked
from tiltmeter.core.reading.value_types import some
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.files.toml_file import read_toml

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w&])@\w+:?")
_RETWEET = re.compile(r"\b(?:RT|rt)\b(?!\.)")
_ENTITY = re.compile(r"&#?\w+;")
_MARK = re.compile(r"([^\w\s'’]|_)|(?<!\w)['’]|['’](?!\w)")
_APOSTROPHE = re.compile(r"[’‘ʼ]")


MANUAL = "docs/how-to/classifiers.md"


def _known(step: str) -> str:
    if step not in STEPS:
        raise UnknownName("cleaning step", step, STEPS)
    return step


Step: TypeAlias = Annotated[str, _known]


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Steps that are applied in order; then runs of spaces become one."""

    name: str
    steps: tuple[Step, ...] = ()
    contractions: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.steps)}" if self.steps else self.name

    def __call__(self, text: str) -> str:
        """The cleaned text.

        >>> clean("elsafoury2021")("RT @someone: They can't win, see http://t.co/x !!")
        'they cannot win , see ! !'
        >>> RAW("As  it is")
        'As  it is'
        """
        if not self.steps:
            return text
        for step in self.steps:
            text = STEPS[step](text, self.contractions)
        return " ".join(text.split())

    def said(self) -> dict[str, Any]:
        """For the description of a classifier: all that the cleaning depends on."""
        return {
            "name": self.name,
            "steps": [*self.steps],
            "contractions": dict(self.contractions) if "contractions" in self.steps else {},
        }


def _expanded(text: str, table: Mapping[str, str]) -> str:
    """Contractions in full: single words of the table first, then the endings n't, 're, 've, 'll, 'd, 'm."""
    if not table:
        return text
    plain = _APOSTROPHE.sub("'", text)
    return _pattern(tuple(table)).sub(lambda word: _cased(table, word), plain)


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    either = "|".join(re.escape(w) for w in longest if not w.startswith(("'", "n'")))
    tails = "|".join(re.escape(w) for w in longest if w.startswith(("'", "n'")))
    return re.compile(rf"\b(?:{either or '(?!)'})\b|(?<=\w)(?:{tails or '(?!)'})\b", re.IGNORECASE)


def _cased(table: Mapping[str, str], short: re.Match[str]) -> str:
    word = short[0].lower()
    full = f" {table[word]}" if word.startswith(("'", "n'")) else table[word]
    return full[:1].upper() + full[1:] if short[0][:1].isupper() else full


STEPS: Mapping[str, Callable[[str, Mapping[str, str]], str]] = {
    "urls": lambda text, _: _URL.sub(" ", text),
    "mentions": lambda text, _: _MENTION.sub(" ", text),
    "retweet marks": lambda text, _: _RETWEET.sub(" ", text),
    "character entities": lambda text, _: _ENTITY.sub(" ", text),
    "non-ASCII": lambda text, _: _APOSTROPHE.sub("'", text).encode("ascii", "ignore").decode(),
    "lower case": lambda text, _: text.lower(),
    "contractions": _expanded,
    "spaced punctuation": lambda text, _: _MARK.sub(lambda mark: f" {mark[0]} ", text),
}
"""By name: what a step removes or changes."""
RAW = Cleaning("none")


@dataclass(frozen=True, slots=True)
class _Pipeline:
    steps: Annotated[tuple[Step, ...], some]
    contractions: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Packaged:
    pipelines: Mapping[str, _Pipeline]
    contractions: Mapping[str, str]


@cache
def _packaged() -> Mapping[str, Cleaning]:
    read = read_toml(_Packaged, package_file("texts/cleaning.toml"), MANUAL)
    made = {name: Cleaning(name, p.steps, read.contractions) for name, p in read.pipelines.items()}
    return {RAW.name: RAW, **made}


def clean(name: str) -> Cleaning:
    """The cleaning of this name: one of the package, or a TOML file with `steps` and `[contractions]`."""
    known = _packaged()
    path = Path(name).expanduser()
    if name in known:
        return known[name]
    if path.suffix != ".toml":
        raise UnknownName("cleaning", name, [*known, "a .toml file of yours"])
    read = read_toml(_Pipeline, path, MANUAL)
    table = read.contractions
    expanded = known["elsafoury2021"].contractions if table is None else table
    return Cleaning(path.name, read.steps, {key.lower(): text for key, text in expanded.items()})


def cleaning_of(described: object, file: str) -> Cleaning:
    """The cleaning that a classifier's description names; BadItems where it holds no known steps."""
    return checked(Cleaning, described, file=f"{file}, cleaning")
