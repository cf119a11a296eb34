"""The words that stand out in each domain of a set of triples.

Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416, table 3) list such words after Kilgarriff
2009 (Simple maths for keywords, Proceedings of Corpus Linguistics): a word's frequency here over its
frequency at large, k added to both so that words unheard of elsewhere do not always win. They do not
say which texts, which list or which k they used, and cut words to their stems; so lists compare in
kind and not word by word.

Counted are stereotypes and anti-stereotypes together: within a sentence what fills the gap, between
two the second sentence. Contexts are left out (each stands before all candidates alike), and so are
unrelated candidates and the words of the domain's own target terms, plurals and genitives included.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.data.texts.frequencies import Reference, words
from tiltmeter.derived.keywords import LEAST, keyness

TOP = 20


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that stands out in a domain."""

    word: str
    keyness: float
    """(per_million + k) / (reference + k); 1 is as often as at large."""
    stereotypes: int
    """How often it stands in stereotypes."""
    anti_stereotypes: int
    terms: int
    """Target terms that it stands with: with 1 it may say something of that term only."""


def keywords(items: Sequence[Triple], reference: Reference) -> dict[str, list[Keyword]]:
    """By domain the TOP words with the highest keyness, best first, of those seen LEAST times or more.

    Raises:
        Undefined: There are no triples.
    """
    if not items:
        raise Undefined("there are no triples to describe")
    domains: dict[str, list[Triple]] = defaultdict(list)
    for item in items:
        domains[item.domain].append(item)
    by_domain: dict[str, list[Keyword]] = {}
    for domain, members in sorted(domains.items()):
        sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        terms: dict[str, set[str]] = defaultdict(set)
        for item in members:
            for side, word in _counted(item):
                sides[side][word] += 1
                terms[word].add(item.target)
        both = sides[0] + sides[1]
        targets = {word for item in members for word in words(item.target)}
        rows = [
            Keyword(
                word,
                keyness(1e6 * n / both.total(), reference.per_million.get(word, 0.0)),
                sides[0][word], sides[1][word], len(terms[word]),
            )
            for word, n in both.items() if n >= LEAST and not _is_target(word, targets)
        ]  # fmt: skip
        by_domain[domain] = heapq.nsmallest(TOP, rows, key=lambda r: (-r.keyness, r.word))
    return by_domain


def _counted(item: Triple) -> Iterator[tuple[int, str]]:
    """The words of the stereotype (0) and the anti-stereotype (1)."""
    texts = item.attributes if item.task == "intrasentence" else item.sentences
    for side, text in enumerate(texts[:2]):
        for word in words(text):
            yield side, word


def _is_target(word: str, targets: set[str]) -> bool:
    """Whether a word is one of the target terms, or its plural or genitive."""
    return word in targets or word.removesuffix("'s").removesuffix("s") in targets
