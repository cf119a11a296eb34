"""What a set of triples is made of: counts, odd forms, sentiment, keywords and people's labels."""

import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from tiltmeter.analyses.data_check.data_description import (
    ITEMS,
    DataDescription,
    counted_items,
    texts_of,
)
from tiltmeter.analyses.data_check.human_labels import Labels
from tiltmeter.analyses.data_check.label_agreement import judged
from tiltmeter.analyses.data_check.triple_keywords import keywords
from tiltmeter.analyses.data_check.triple_sentiment import grouped, sentiment
from tiltmeter.core.data.items import Dataset, Triple
from tiltmeter.core.errors import MissingExtra, Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.judges import SentimentJudge
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.data.texts.frequencies import Reference, english
from tiltmeter.data.triples.cloze import ODDITIES, odd_kinds
from tiltmeter.derived.keywords import LEAST, PLAIN_K

T = TypeVar("T")
TERMS = quantity("terms", "Target terms", "terms", counts="triples", decimals=0)
WORDS = quantity("words", "Words of a candidate with its context", "mean words", decimals=2)
ODD = quantity("odd", "Contexts of an unusual form", "contexts", counts="triples", decimals=0)


def describe_triples(
    dataset: Dataset[Triple],
    labels: Labels | None = None,
    *,
    reference: Reference | None = None,
    by: SentimentJudge | None = None,
    show_text: bool = False,
) -> DataDescription:
    """Describe a set of triples as far as the installed libraries and the file allow.

    Raises:
        Undefined: There are no triples.
    """
    items, total = dataset.items, len(dataset.items)
    if not items:
        raise Undefined("there are no triples to describe")
    notes: list[str] = []

    def available(name: str, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except (MissingExtra, Undefined) as error:
            notes.append(f"{name}: not available, {error}")
            return None

    ratings = available("Sentiment", lambda: sentiment(items, by=by))
    frequencies = available("Keywords", lambda: reference or english())
    people = available("Labels", lambda: judged(items, labels or Labels()))
    odd = _odd(items)
    estimates = [ITEMS.at(total, n=total), *_make_up(items)]
    for kind, members in odd.items():
        estimates += counted_items(ODD, len(members), total, {"form": kind})
    marked = [("odd", {"form": kind}, t) for kind, members in odd.items() for t in members]
    method: list[str] = []
    if ratings:
        estimates += ratings.estimates
        method.append(ratings.method)
    if people:
        estimates += people.estimates
        marked += [("failing", {}, t) for t in items if t.id in people.failing]
    records = [
        Record(t.id, {}, {**place, "item": t.id}, texts=texts_of(t) if show_text else {}, kind=kind)
        for kind, place, t in marked
    ]
    if frequencies:
        method.append(
            f"Keywords occur {LEAST} times or more in stereotypes and anti-stereotypes. Keyness is "
            f"Kilgarriff’s, against {frequencies.name} with k = {PLAIN_K:g}: 1 is as often as there."
        )
        records += [
            Record(
                w.word,
                {"keyness": w.keyness, "stereotypes": w.stereotypes,
                 "anti_stereotypes": w.anti_stereotypes, "terms": w.terms},
                {"domain": domain, "word": w.word}, kind="keyword",
            )
            for domain, words in keywords(items, frequencies).items() for w in words
        ]  # fmt: skip
    left_out = (*dataset.invalid, *(labels.problems if labels else ()))
    notes += [f"left out: {problem}" for problem in left_out]
    notes += [note.text for note in dataset.notes if note.kind != "oddity"]
    return DataDescription(
        estimates, records, notes, people.facts if people else {}, "\n\n".join(method)
    )


def _make_up(items: Sequence[Triple]) -> Iterator[Estimate]:
    """Numbers of triples, terms and words, over all and by task and domain; then triples by term."""
    for groups, chosen in grouped(items):
        members = [item for item, inside in zip(items, chosen, strict=True) if inside]
        if groups:
            yield ITEMS.at(len(members), n=len(items), groups=groups)
        yield TERMS.at(len({t.target for t in members}), n=len(members), groups=groups)
        words = statistics.fmean(len(text.split()) for t in members for text in t.filled)
        yield WORDS.at(words, n=len(members), groups=groups)
    for (domain, target), n in Counter((t.domain, t.target) for t in items).most_common():
        yield ITEMS.at(n, n=len(items), groups={"domain": domain, "target": target})


def _odd(items: Sequence[Triple]) -> dict[str, tuple[Triple, ...]]:
    members: dict[str, list[Triple]] = {kind: [] for kind in ODDITIES}
    for item in items:
        for kind in odd_kinds(item):
            members[kind].append(item)
    return {kind: tuple(triples) for kind, triples in members.items() if triples}
