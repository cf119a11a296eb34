"""How a set of triples is made and what is known of it: counts, oddities, words, people's labels."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from tiltmeter.analysis.quality.keywords import Keywords, keywords
from tiltmeter.analysis.quality.labels import Judged, Labels, judged
from tiltmeter.analysis.quality.sentiment import Sentiment, sentiment
from tiltmeter.core.errors import MissingExtra, Problem, Undefined
from tiltmeter.core.items import TASKS, Dataset, Triple
from tiltmeter.core.judges import TextJudge
from tiltmeter.data.texts.frequencies import Reference, english
from tiltmeter.data.triples.cloze import ODDITIES, odd_kinds

OFFENSIVE = "Words are quoted from the data: they show stereotypes, and some may offend."


class Part(NamedTuple):
    """The triples of one task in one domain."""

    task: str
    domain: str
    terms: int
    triples: int
    words: float
    """Mean words of a candidate with its context."""


@dataclass(frozen=True, slots=True)
class Described:
    """A set of triples, described. What could not be told is None, and its `why_…` says why."""

    name: str
    triples: int
    terms: int
    parts: tuple[Part, ...]
    odd: Mapping[str, tuple[Triple, ...]]
    """By kind of oddity, a key of `tiltmeter.data.triples.cloze.ODDITIES`."""
    sentiment: Sentiment | None
    keywords: Keywords | None
    judged: Judged | None
    failing: tuple[Triple, ...] = ()
    """The triples that people's labels do not bear out."""
    why_no_sentiment: str = ""
    why_no_keywords: str = ""
    why_no_labels: str = ""
    problems: tuple[Problem, ...] = ()
    """Clusters and labels that were left out."""
    notes: tuple[str, ...] = ()

    def to_json(self, *, show_text: bool = False) -> dict[str, Any]:
        """Everything as plain values; without `show_text` triples are ids only."""
        plain: dict[str, Any] = {
            "name": self.name,
            "triples": self.triples,
            "terms": self.terms,
            "parts": [part._asdict() for part in self.parts],
            "odd": {kind: _shown(found, show_text=show_text) for kind, found in self.odd.items()},
            "sentiment": self.sentiment and asdict(self.sentiment),
            "keywords": self.keywords and {"caution": OFFENSIVE, **asdict(self.keywords)},
            "labels": self.judged and _judged(self.judged),
            "failing": _shown(self.failing, show_text=show_text),
            "why": {
                "sentiment": self.why_no_sentiment,
                "keywords": self.why_no_keywords,
                "labels": self.why_no_labels,
            },
            "problems": [str(problem) for problem in self.problems],
            "notes": list(self.notes),
        }
        for mood in plain["sentiment"]["moods"] if plain["sentiment"] else ():
            for name in ("positive", "neutral", "negative"):
                mood[name] = dict(zip(("value", "low", "high"), mood[name], strict=True))
        return plain


def describe(
    dataset: Dataset[Triple],
    labels: Labels | None = None,
    *,
    reference: Reference | None = None,
    by: TextJudge | None = None,
    seed: int = 0,
) -> Described:
    """Describe a set of triples as far as the libraries and the file allow.

    Args:
        dataset: The triples.
        labels: What people said of them, from `tiltmeter.analysis.quality.labels.read_labels`.
        reference: What keywords stand out from; by default English at large.
        by: What rates sentiment; by default VADER's lexicon.
        seed: Of the bootstraps.

    Raises:
        Undefined: There are no triples.
    """
    items = dataset.items
    if not items:
        raise Undefined("there are no triples to describe")
    moods, words, people = None, None, None
    why = {"sentiment": "", "keywords": "", "labels": ""}
    try:
        moods = sentiment(items, by=by, seed=seed)
    except MissingExtra as missing:
        why["sentiment"] = str(missing)
    try:
        words = keywords(items, reference or english())
    except MissingExtra as missing:
        why["keywords"] = str(missing)
    try:
        people = judged(items, labels or Labels(), seed=seed)
    except Undefined as undefined:
        why["labels"] = str(undefined)
    failing = set(people.failing if people else ())
    return Described(
        name=dataset.name,
        triples=len(items),
        terms=len({t.target for t in items}),
        parts=_parts(items),
        odd=_odd(items),
        sentiment=moods,
        keywords=words,
        judged=people,
        failing=tuple(t for t in items if t.id in failing),
        why_no_sentiment=why["sentiment"],
        why_no_keywords=why["keywords"],
        why_no_labels=why["labels"],
        problems=(*dataset.invalid, *(labels.problems if labels else ())),
        notes=tuple(n.text for n in dataset.notes if n.kind != "oddity"),
    )


def _parts(items: Sequence[Triple]) -> tuple[Part, ...]:
    found: dict[tuple[str, str], list[Triple]] = {}
    for item in items:
        found.setdefault((item.task, item.domain), []).append(item)
    return tuple(
        Part(
            task,
            domain,
            len({t.target for t in members}),
            len(members),
            statistics.fmean(len(text.split()) for t in members for text in t.filled),
        )
        for (task, domain), members in sorted(
            found.items(), key=lambda part: (TASKS.index(part[0][0]), part[0][1])
        )
    )


def _odd(items: Sequence[Triple]) -> dict[str, tuple[Triple, ...]]:
    found: dict[str, list[Triple]] = {kind: [] for kind in ODDITIES}
    for item in items:
        for kind in odd_kinds(item):
            found[kind].append(item)
    return {kind: tuple(members) for kind, members in found.items() if members}


def _shown(found: Sequence[Triple], *, show_text: bool) -> list[Any]:
    if not show_text:
        return [t.id for t in found]
    return [{"id": t.id, "context": t.context, "sentences": list(t.sentences)} for t in found]


def _judged(found: Judged) -> dict[str, Any]:
    plain = asdict(found)
    plain["terms"] = [
        {"name": t.name, "domain": t.domain, "triples": t.triples, "agreement": asdict(t.agreement)}
        for t in found.terms
    ]
    for counts in ("by_number", "passing"):
        plain[counts] = {str(number): n for number, n in plain[counts].items()}
    return plain
