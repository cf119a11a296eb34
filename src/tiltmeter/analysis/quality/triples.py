"""How a set of triples is made and what is known of it: counts, oddities, words, people's labels."""

import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from tiltmeter.analysis.quality.keywords import Keywords, keywords
from tiltmeter.analysis.quality.labels import Judged, Labels, judged
from tiltmeter.analysis.quality.sentiment import Sentiment, grouped, sentiment
from tiltmeter.core.errors import MissingExtra, Problem, Undefined
from tiltmeter.core.items import Dataset, Triple
from tiltmeter.core.judges import TextJudge
from tiltmeter.data.texts.frequencies import Reference, english
from tiltmeter.data.triples.cloze import ODDITIES, odd_kinds

T = TypeVar("T")


class TriplePart(NamedTuple):
    """The triples of a task, of a domain, of both, or all."""

    groups: Mapping[str, str]
    """{"task": …, "domain": …}; {} of all."""
    terms: int
    triples: int
    words: float
    """Mean words of a candidate with its context."""


@dataclass(frozen=True, slots=True)
class Described:
    """A set of triples, described. What is not available is None, for the reason in `why`."""

    name: str
    triples: int
    terms: int
    by_domain: tuple[TriplePart, ...]
    """All, then each task, each domain, and both."""
    odd: Mapping[str, tuple[Triple, ...]]
    """By kind of oddity, a key of `tiltmeter.data.triples.cloze.ODDITIES`."""
    sentiment: Sentiment | None
    keywords: Keywords | None
    labels: Judged | None
    by_term: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Triples by domain and target term, the commonest term first."""
    failing: tuple[Triple, ...] = ()
    """The triples that people's labels do not bear out."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Why there is no sentiment, no keywords, no labels: by these names."""
    problems: tuple[Problem, ...] = ()
    """Clusters and labels that were left out."""
    notes: tuple[str, ...] = ()


def describe(
    dataset: Dataset[Triple],
    labels: Labels | None = None,
    *,
    reference: Reference | None = None,
    by: TextJudge | None = None,
) -> Described:
    """Describe a set of triples as far as the libraries and the file allow.

    Raises:
        Undefined: There are no triples.
    """
    items = dataset.items
    if not items:
        raise Undefined("there are no triples to describe")
    why: dict[str, str] = {}

    def available(name: str, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except (MissingExtra, Undefined) as error:
            why[name] = str(error)
            return None

    moods = available("sentiment", lambda: sentiment(items, by=by))
    words = available("keywords", lambda: keywords(items, reference or english()))
    people = available("labels", lambda: judged(items, labels or Labels()))
    failing = set(people.failing if people else ())
    return Described(
        name=dataset.name,
        triples=len(items),
        terms=len({t.target for t in items}),
        by_domain=tuple(_by_domain(items)),
        odd=_odd(items),
        sentiment=moods,
        keywords=words,
        labels=people,
        by_term=dict(Counter((t.domain, t.target) for t in items).most_common()),
        failing=tuple(t for t in items if t.id in failing),
        why=why,
        problems=(*dataset.invalid, *(labels.problems if labels else ())),
        notes=tuple(n.text for n in dataset.notes if n.kind != "oddity"),
    )


def _by_domain(items: Sequence[Triple]) -> Iterator[TriplePart]:
    for groups, chosen in grouped(items):
        some = [item for item, inside in zip(items, chosen, strict=True) if inside]
        words = statistics.fmean(len(text.split()) for t in some for text in t.filled)
        yield TriplePart(groups, len({t.target for t in some}), len(some), words)


def _odd(items: Sequence[Triple]) -> dict[str, tuple[Triple, ...]]:
    members: dict[str, list[Triple]] = {kind: [] for kind in ODDITIES}
    for item in items:
        for kind in odd_kinds(item):
            members[kind].append(item)
    return {kind: tuple(some) for kind, some in members.items() if some}
