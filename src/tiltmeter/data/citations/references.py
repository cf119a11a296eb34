"""References by what identifies them: a DOI, an arXiv number, the address of a paper or of its code.

Studies, rules, conventions and data sets state their source in a sentence. The identifiers in it say which
entries of `references.bib` are meant, so that a source is written once and its BibTeX follows from it.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from tiltmeter.data.downloads.places import package_file

MANY_AUTHORS = 3
"""From so many authors on, a reference in a sentence names the first alone."""
ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327"}
"""LaTeX's commands for accents, and the character that combines with the letter before it."""
_ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),.*?^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"(\w+)\s*=\s*(?=\{)")
_OURS = re.compile(r",\s*(?:aliases|keywords) = \{[^}]*\}")
"""Fields by which references are found, which are of no use in a paper."""
_ACCENT = re.compile(r"\{?\\(['`\"^~]|c )\{?(\w)\}?\}?")


@dataclass(frozen=True, slots=True)
class BibEntry:
    """One entry of the bibliography."""

    key: str
    kind: str
    """The BibTeX type: "article"."""
    bibtex: str
    """The entry as it is written into a .bib file."""
    fields: Mapping[str, str]

    @property
    def identifiers(self) -> tuple[str, ...]:
        """What a source may call it, in lower case: "doi:10.1038/…", "arxiv:1706.04599", "github.com/…"."""
        doi, eprint = self.fields.get("doi", ""), self.fields.get("eprint", "")
        eprint = eprint or doi.partition("10.48550/arXiv.")[2]
        named = (
            f"doi:{doi}" if doi else "",
            f"arxiv:{eprint}" if eprint else "",
            f"doi:10.48550/arxiv.{eprint}" if eprint else "",
            self.fields.get("url", "").partition("://")[2],
            *self.fields.get("aliases", "").split(", "),
        )
        return tuple(dict.fromkeys(name.lower() for name in named if name))

    @property
    def words(self) -> tuple[str, ...]:
        """Names of software or of a method by which it is found: ("Wilson",)."""
        return tuple(filter(None, self.fields.get("keywords", "").split(", ")))

    @property
    def in_sentence(self) -> str:
        """The reference in running text: "Nangia et al. 2020"."""
        authors = [plain(name.split(", ")[0]) for name in self._authors()]
        several = len(authors) >= MANY_AUTHORS or authors[-1] == "others"
        names = f"{authors[0]} et al." if several else " and ".join(authors)
        return f"{names} {self.fields['year']}"

    def _authors(self) -> list[str]:
        return re.split(r"\s+and\s+(?![^{]*\})", self.fields["author"])


@cache
def references() -> Mapping[str, BibEntry]:
    """The whole bibliography, by key."""
    text = package_file("citations/references.bib").read_text("utf-8")
    return {r.key: r for r in map(_reference, _ENTRY.finditer(text))}


def cited_in(source: str) -> list[BibEntry]:
    """The references that a source names by their identifiers, in the order in which it names them.

    >>> [r.key for r in cited_in("Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154, equation 1")]
    ['nangia-etal-2020-crows']
    >>> cited_in("a file of your own")
    []
    """
    lowered = source.lower()
    places = {r.key: _place(r.identifiers, lowered) for r in references().values()}
    cited = sorted((place, key) for key, place in places.items() if place is not None)
    return [references()[key] for _, key in cited]


def known_by(words: Iterable[str]) -> list[BibEntry]:
    """The references of software and of methods by their names, in the bibliography's order.

    >>> [r.key for r in known_by(["Wilson", "Holm"])]
    ['holm-1979-simple', 'wilson-1927-probable']
    """
    wanted = set(words)
    return [r for r in references().values() if wanted & {*r.words}]


def plain(text: str) -> str:
    r"""A field without LaTeX's commands and braces.

    >>> plain(r"{R{\"o}ttger}, Kar{\"e}n")
    'Röttger, Karën'
    """
    accented = _ACCENT.sub(lambda match: match[2] + ACCENTS[match[1].strip()], text)
    return unicodedata.normalize("NFC", re.sub(r"[{}\\]", "", accented))


def _place(identifiers: Iterable[str], lowered: str) -> int | None:
    """Where the first of them stands, whole: 2021.acl-long.4 is no part of 2021.acl-long.416."""
    places = (
        match.start()
        for name in identifiers
        if (match := re.search(rf"(?<![\w.]){re.escape(name)}(?=v\d|[^\w-]|$)", lowered))
    )
    return min(places, default=None)


def _reference(match: re.Match[str]) -> BibEntry:
    bibtex = _OURS.sub("", match[0])
    return BibEntry(match[2], match[1], bibtex, dict(_fields(match[0])))


def _fields(entry: str) -> Iterable[tuple[str, str]]:
    """Names and values; braces within a value are balanced."""
    place = entry.index(",")
    while match := _FIELD.search(entry, place):
        start, depth = match.end(), 0
        for place in range(start, len(entry)):
            depth += {"{": 1, "}": -1}.get(entry[place], 0)
            if not depth:
                break
        yield match[1].lower(), " ".join(entry[start + 1 : place].split())
