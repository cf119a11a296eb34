"""Identities and offensive and pleasant adjectives from a TOML file, with all that is wrong with it."""

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadItems, Problem
from tiltmeter.data.files.toml_file import read_toml

MARGINALISED, OTHER = STATUSES = ("marginalised", "non-marginalised")
ADJECTIVE, IDENTITY = PLACES = ("{adjective}", "{identity}")
_TOP = (
    "name", "version", "language", "article", "source", "licence", "warning",
    "templates", "identities", "adjectives", "printed",
)  # fmt: skip
_SIDES = ("offensive", "pleasant")
_HOW = "docs/studies/sos.md shows a whole file"


@dataclass(frozen=True, slots=True)
class Identity:
    """A word or term that names a social group."""

    word: str
    attribute: str
    status: str
    """One of STATUSES."""
    printed: str
    """As the source spells it."""


@dataclass(frozen=True, slots=True)
class OffensiveFile:
    """All that one file says, checked."""

    file: str
    name: str
    version: str
    language: str
    article: str
    """English: "agree" makes "a" before a word "a" or "an"; "a" leaves templates as they are."""
    templates: tuple[str, ...]
    """Each with {adjective} and {identity} once."""
    identities: tuple[Identity, ...]
    pairs: tuple[tuple[str, str], ...]
    """An offensive adjective and a pleasant one."""
    source: str
    licence: str
    warning: str
    sha256: str


def read_offensive(path: str | Path, *, encoding: str = "") -> OffensiveFile:
    """Read and check a file of identities and adjectives.

    Args:
        path: A TOML file.
        encoding: Of the file; by default its byte order mark's, else UTF-8.

    Raises:
        BadInput: It cannot be read, or is not TOML.
        BadItems: What it says cannot be used, all of it, each with the entry and a way out.
    """
    path = Path(path)
    table = read_toml(path, _HOW, encoding=encoding)
    reading = _Reading(path.name)
    read = reading.file_of(table, path)
    if reading.problems:
        raise BadItems(reading.problems)
    return read


@dataclass(slots=True)
class _Reading:
    """What one file is found to say, and what is wrong with it."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def complain(self, reason: str, way_out: str) -> None:
        self.problems.append(Problem(reason, way_out, file=self.file))

    def file_of(self, table: Mapping[str, Any], path: Path) -> OffensiveFile:
        self.known(table, _TOP, "the file")
        printed = self.printed_of(table)
        identities = self.identities_of(table, printed)
        self.all_named(printed, identities)
        article = self.text_in(table, "article") or "a"
        if article not in {"agree", "a"}:
            self.complain(f"article is {article!r}", 'write "agree" or "a"')
        return OffensiveFile(
            file=self.file,
            name=self.text_in(table, "name") or path.stem,
            version=self.text_in(table, "version"),
            language=self.text_in(table, "language"),
            article=article,
            templates=self.templates_of(table),
            identities=identities,
            pairs=self.pairs_of(table),
            source=self.text_in(table, "source") or path.name,
            licence=self.text_in(table, "licence") or "not stated",
            warning=self.text_in(table, "warning"),
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        )

    # ---- Parts

    def templates_of(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        found = self.texts(table.get("templates"), "templates")
        for text in found:
            rest = text
            for place in PLACES:
                if text.count(place) != 1:
                    reason = f"template {text!r} has {place} {_times(text.count(place))}"
                    self.complain(reason, "write it once")
                rest = rest.replace(place, "")
            if set("{}") & set(rest):
                known = " and ".join(PLACES)
                self.complain(f"template {text!r} has other braces", f"there are {known} only")
        self.all_different(found, "templates")
        return found

    def identities_of(
        self, table: Mapping[str, Any], printed: Mapping[str, str]
    ) -> tuple[Identity, ...]:
        found = []
        for attribute, sides in self.table_in(table, "identities").items():
            at = f"[identities.{attribute}]"
            self.text(attribute, f"the name of {at}")
            if not isinstance(sides, dict) or not sides:
                self.complain(f"{at} has no lists", f"write {STATUSES[0]} = […] below it; {_HOW}")
                continue
            self.known(sides, STATUSES, at)
            mine = [
                Identity(word, attribute, status, printed.get(word, word))
                for status in STATUSES
                if status in sides
                for word in self.words(sides[status], f"{at} {status}")
            ]
            self.all_different([identity.word for identity in mine], at)
            found += mine
        if not found:
            self.complain("names no identity", f"write [identities.NAME] and lists below; {_HOW}")
        return tuple(found)

    def pairs_of(self, table: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        both = self.table_in(table, "adjectives")
        self.known(both, _SIDES, "[adjectives]")
        offensive, pleasant = (
            self.words(both.get(side), f"[adjectives] {side}") for side in _SIDES
        )
        if len(offensive) != len(pleasant):
            self.complain(
                f"[adjectives] has {len(offensive)} offensive words and {len(pleasant)} pleasant ones",
                "make both lists equally long: the n-th of each make a pair",
            )
            return ()
        self.all_different(offensive, "[adjectives] offensive")
        for word in sorted(_folded(offensive) & _folded(pleasant)):
            self.complain(f"[adjectives]: {word!r} is in both lists", "leave it in one of them")
        return tuple(zip(offensive, pleasant, strict=True))

    def printed_of(self, table: Mapping[str, Any]) -> dict[str, str]:
        return {
            word: self.word(said, f"[printed] {word!r}")
            for word, said in self.table_in(table, "printed").items()
        }

    # ---- Values

    def known(self, table: Mapping[str, Any], keys: Sequence[str], at: str) -> None:
        for key in table:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                self.complain(f"{at} has an unknown key {key!r}", f"{hint}known: {', '.join(keys)}")

    def table_in(self, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        self.complain(f"{key} is not a table", f"write [{key}] and its keys below; {_HOW}")
        return {}

    def text_in(self, table: Mapping[str, Any], key: str) -> str:
        return self.text(table[key], key) if key in table else ""

    def words(self, value: Any, at: str) -> tuple[str, ...]:
        if isinstance(value, list):
            return tuple(self.word(one, at) for one in value) or self.none(at)
        return self.none(at)

    def texts(self, value: Any, at: str) -> tuple[str, ...]:
        if isinstance(value, list):
            return tuple(self.text(one, at) for one in value) or self.none(at)
        return self.none(at)

    def none(self, at: str) -> tuple[str, ...]:
        self.complain(f"{at} is not a list of texts", f'write ["…", "…"]; {_HOW}')
        return ()

    def word(self, value: Any, at: str) -> str:
        text = self.text(value, at)
        if any(mark in text for mark in "|{}"):
            self.complain(f"{at} is {text!r}", "leave out the signs |, { and }")
        return text

    def text(self, value: Any, at: str) -> str:
        if not isinstance(value, str):
            self.complain(f"{at} has {value!r}, which is not text", "put it in quotation marks")
        elif not value.strip():
            self.complain(f"{at} has an empty text", "write it, or leave it out")
        elif not value.isprintable():
            self.complain(f"{at} has {value!r}", "write it in one line, in visible characters")
        else:
            return " ".join(value.split())
        return ""

    # ---- What must fit together

    def all_different(self, words: Sequence[str], at: str) -> None:
        seen: set[str] = set()
        for word in filter(None, words):
            if word.casefold() in seen:
                self.complain(f"{at} has {word!r} more than once", "write it once")
            seen.add(word.casefold())

    def all_named(self, printed: Mapping[str, str], identities: Sequence[Identity]) -> None:
        words = [identity.word for identity in identities]
        for word in printed:
            if word not in words:
                near = difflib.get_close_matches(word, words, n=1)
                hint = f"did you mean {near[0]!r}?" if near else "leave it out"
                self.complain(f"[printed] {word!r} is not an identity in the file", hint)


def _folded(words: Sequence[str]) -> set[str]:
    return {word.casefold() for word in words if word}


def _times(count: int) -> str:
    return "not at all" if count == 0 else f"{count} times"
