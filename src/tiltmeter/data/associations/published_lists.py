"""Word lists that papers measured bias with, and pairs of them that can replace opposite sets of a test.

The layout is that of the lists gathered by Antoniak and Mimno 2021, doi:10.18653/v1/2021.acl-long.148: a JSON
list of objects with "Category", "Seeds" (a list, or its text in Python), "Used in Paper" and "Seeds ID".
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.downloads.places import package_table
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import json_value
from tiltmeter.data.hub import hub_files
from tiltmeter.data.pairs.sentences import normal

PUBLISHED, REGISTERED = "published", "seed_lists"
"""The value of a setting that means the registered set, and that set."""
_LAYOUT = (
    'write [{"Category": "male", "Seeds": ["he", "his"], "Used in Paper": "… (Smith, 2020)"}, …]'
)
_SHORT = re.compile(r"\(([^()]*\d{4})\)\s*$")
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class PublishedList:
    """The words of one list."""

    category: str
    """What they stand for, in lower case: "male"."""
    paper: str
    """Authors and year, or the title where these are not known."""
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedLists:
    """All lists of a file that have words."""

    lists: tuple[PublishedList, ...]
    about: str
    """The file, the number of lists and the checksum."""

    def pairs(self, first: str, second: str) -> Iterator[tuple[PublishedList, PublishedList]]:
        """Two lists of one paper each, for opposite sets with these names, in the order of the file.

        >>> he, she = (PublishedList(*of) for of in (("male", "A", ("he",)), ("female", "A", ("she",))))
        >>> [(x.words, y.words) for x, y in PublishedLists((he, she), "").pairs("FemaleTerms", "MaleTerms")]
        [(('she',), ('he',))]
        """
        wanted = _categories(first, second)
        for one in self.lists:
            for category, opposite in wanted:
                if one.category == category:
                    yield from (
                        (one, other)
                        for other in self.lists
                        if (other.category, other.paper) == (opposite, one.paper)
                    )


def published_lists(named: str, encoding: str = "") -> PublishedLists:
    """The registered lists ("published"), or those of a file.

    Raises:
        BadInput: It is no such file.
        Unavailable: The registered lists are not available.
    """
    path = locate(REGISTERED).file if named == PUBLISHED else Path(hub_files.local(named))
    if not path.is_file():
        reason = f"--set lists={named} is neither {PUBLISHED} nor a file"
        raise BadInput(reason, f"write lists={PUBLISHED}, or the path of a file of lists")
    value = json_value("".join(lines(path, encoding)), _LAYOUT, file=path.name)
    if not isinstance(value, list):
        raise BadInput("is not a list of word lists", _LAYOUT, file=path.name)
    read = tuple(_list(entry, number, path.name) for number, entry in enumerate(value, start=1))
    kept = tuple(one for one in read if one.words)
    if not kept:
        raise BadInput("has no list with words", _LAYOUT, file=path.name)
    about = f"{path.name}, {counted(len(kept), 'lists')} with words, SHA-256 {sha256(path)}"
    return PublishedLists(kept, about)


def _list(entry: Any, number: int, file: str) -> PublishedList:
    place = f"list {number}"
    if not isinstance(entry, dict) or not isinstance(entry.get("Category"), str):
        raise BadInput(f"{place} has no Category", _LAYOUT, file=file)
    seeds = entry.get("Seeds")
    if isinstance(seeds, str):
        try:
            seeds = ast.literal_eval(seeds)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            seeds = None
    if not isinstance(seeds, list) or not all(isinstance(word, str) for word in seeds):
        reason = f"{place} ({entry['Category']}): Seeds is not a list of words"
        raise BadInput(reason, _LAYOUT, file=file)
    words = dict.fromkeys(normal(word.replace("_", " ")) for word in seeds if word.strip())
    used = str(entry.get("Used in Paper") or "")
    paper = match[1] if (match := _SHORT.search(used)) else used
    return PublishedList(entry["Category"].strip().casefold(), paper, tuple(words))


def _categories(first: str, second: str) -> Sequence[tuple[str, str]]:
    """The categories of lists for two opposite sets, by the packaged table and by the sets' names."""
    own = (_plain(first), _plain(second))
    wanted = [own]
    for entry in package_table("associations/list_categories.toml")["pairs"]:
        pairs = [(a.casefold(), b.casefold()) for a, b in entry["categories"]]
        for x, y in entry["sets"]:
            sets = (_plain(x), _plain(y))
            if sets == own:
                wanted += pairs
            elif sets[::-1] == own:
                wanted += [(b, a) for a, b in pairs]
    return list(dict.fromkeys(wanted))


def _plain(name: str) -> str:
    """The name of a set in words.

    >>> _plain("MaleTerms"), _plain("old_names")
    ('male terms', 'old names')
    """
    return _WORD.sub(" ", name).replace("_", " ").casefold()
