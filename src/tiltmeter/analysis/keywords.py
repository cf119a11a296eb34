"""The words that stand out in each domain of a set of triples, or in what a model wrote about each.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.records import Record
from tiltmeter.data.texts.frequencies import Reference, words

LEAST = 3
"""A word seen less often in a domain is no keyword: chance would choose it."""
TOP = 20
PLAIN_K = 1.0
"""Added to both frequencies per million of the words of triples."""
K = 1_000.0
"""Added to both frequencies per million of written words: texts are few, and words that occur once would win
without it."""
WRITTEN_TOP = 8


@dataclass(frozen=True, slots=True)
class Keyword:
    """One word of one domain."""

    word: str
    keyness: float
    """(per_million + k) / (reference + k); 1 is as often as at large."""
    stereotypes: int
    """How often it stands in stereotypes."""
    anti_stereotypes: int
    terms: int
    """Target terms that it stands with: with 1 it may say something of that term only."""


def keyness(focus: float, reference: float, *, k: float = PLAIN_K) -> float:
    """Kilgarriff's keyness of a word from its two frequencies per million.

    From 0 up; 1 is as often here as there. A larger k, above 0, favours common words.

    >>> keyness(199, 1), keyness(199, 1, k=100)
    (100.0, 2.9603960396039604)
    """
    return (focus + k) / (reference + k)


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


@dataclass(frozen=True, slots=True)
class WrittenKeyword:
    """A word that stands out in what a model wrote about a value of an axis, against all other values."""

    word: str
    keyness: float
    """1 is as often as elsewhere."""
    count: int


def written_keywords(
    records: Iterable[Record], axis: str, *, asked: str, written: str
) -> dict[str, tuple[WrittenKeyword, ...]]:
    """By value of the axis the words with the highest keyness above 1, of those written LEAST times or more.

    The other values' texts are the reference. Words of the premises about the same value are left out: they
    say what was asked.
    """
    counts: dict[str, Counter[str]] = {}
    premises: dict[str, set[str]] = {}
    for record in records:
        if axis in record.groups:
            value = record.groups[axis]
            counts.setdefault(value, Counter()).update(words(record.texts.get(written, "")))
            premises.setdefault(value, set()).update(words(record.texts.get(asked, "")))
    total = sum(counts.values(), Counter[str]())
    return {
        value: _standing_out(mine, total, premises[value])
        for value, mine in sorted(counts.items())
        if len(counts) > 1
    }


def _standing_out(
    mine: Mapping[str, int], total: Mapping[str, int], premises: set[str]
) -> tuple[WrittenKeyword, ...]:
    here, elsewhere = sum(mine.values()), sum(total.values()) - sum(mine.values())
    keywords = [
        WrittenKeyword(
            word,
            keyness(1e6 * count / here, 1e6 * (total[word] - count) / max(elsewhere, 1), k=K),
            count,
        )
        for word, count in mine.items()
        if count >= LEAST and word not in premises
    ]
    best = sorted(keywords, key=lambda keyword: (-keyword.keyness, keyword.word))
    return tuple(keyword for keyword in best[:WRITTEN_TOP] if keyword.keyness > 1)
