"""How texts are cleaned before a classifier reads them: a named list of steps, in order.

`elsafoury2021` is what Elsafoury et al. 2021 (doi:10.1145/3404835.3463029) and Elsafoury 2023 did to tweets.
The contractions are a table of our own (`cleaning.toml`).
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.toml_file import parsed_toml

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w&])@\w+:?")
_RETWEET = re.compile(r"\b(?:RT|rt)\b(?!\.)")
_ENTITY = re.compile(r"&#?\w+;")
_MARK = re.compile(r"([^\w\s'’]|_)|(?<!\w)['’]|['’](?!\w)")
_APOSTROPHE = re.compile(r"[’‘ʼ]")


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Steps that are applied in order; then runs of spaces become one."""

    name: str
    steps: tuple[str, ...] = ()
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
    return _pattern(tuple(table)).sub(lambda found: _cased(table, found), plain)


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    whole = sorted((w for w in words if not w.startswith(("'", "n'"))), key=len, reverse=True)
    ends = sorted((w for w in words if w.startswith(("'", "n'"))), key=len, reverse=True)
    either = "|".join(map(re.escape, whole))
    tails = "|".join(map(re.escape, ends))
    return re.compile(rf"\b(?:{either or '(?!)'})\b|(?<=\w)(?:{tails or '(?!)'})\b", re.IGNORECASE)


def _cased(table: Mapping[str, str], found: re.Match[str]) -> str:
    word = found[0].lower()
    full = table[word]
    full = f" {full}" if word.startswith(("'", "n'")) else full
    return full[:1].upper() + full[1:] if found[0][:1].isupper() else full


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


@cache
def _packaged() -> Mapping[str, Cleaning]:
    text = (resources.files("tiltmeter.data.texts") / "cleaning.toml").read_text("utf-8")
    said = tomllib.loads(text)
    made = {name: Cleaning(name, tuple(one["steps"]), said["contractions"])
            for name, one in said["pipelines"].items()}  # fmt: skip
    return {RAW.name: RAW, **made}


def clean(name: str) -> Cleaning:
    """The cleaning of this name: one of the package, or a TOML file with `steps` and `[contractions]`.

    Raises:
        UnknownName: There is none, or a step is unknown.
        BadInput: The file cannot be read.
    """
    known = _packaged()
    path = Path(name).expanduser()
    if name in known:
        return known[name]
    if path.suffix != ".toml":
        raise UnknownName("cleaning", name, [*known, "a .toml file of yours"])
    said = parsed_toml("".join(lines(path, "")), "correct that line", file=path.name)
    table = said.get("contractions", known["elsafoury2021"].contractions)
    return cleaning_of({"name": path.name, "steps": said.get("steps"), "contractions": table})


def cleaning_of(said: Mapping[str, Any]) -> Cleaning:
    """The cleaning that a file describes.

    Raises:
        UnknownName: A step is unknown.
        BadInput: It is not a list of steps and a table of contractions.
    """
    name, steps, table = (said.get(key) for key in ("name", "steps", "contractions"))
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not isinstance(table, Mapping):
        raise BadInput(
            f"the cleaning {name!r} has no list of steps",
            f'write steps = ["urls", …], of: {", ".join(STEPS)}',
        )
    for step in steps:
        if step not in STEPS:
            raise UnknownName("cleaning step", str(step), STEPS)
    return Cleaning(str(name), tuple(steps), {str(k).lower(): str(v) for k, v in table.items()})


def cleanings() -> list[str]:
    """Names of the package's."""
    return [*_packaged()]
