"""How far people's labels of triples agree with the published ones, and which triples pass."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tiltmeter.analyses.data_check.data_description import counted_items
from tiltmeter.analyses.data_check.human_labels import ANSWERS, GOLD, NONE, Labels
from tiltmeter.core.data.items import SIDES, Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import Quantity, computed, quantity
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Groups
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.raters.kappa_and_alpha import (
    alpha_inference,
    coded,
    fleiss_inference,
    fleiss_kappa,
    krippendorff_alpha,
)
from tiltmeter.stats.resampling.bootstrap_intervals import PERCENT

NEEDED = 3
"""So many labels of each candidate must agree with the published one."""
KAPPA = quantity("kappa", "Fleiss’ κ", "κ", counts="sentences", decimals=2)
ALPHA = quantity("alpha", "Krippendorff’s α", "α", counts="sentences", decimals=2)
PASSING = quantity(
    "passing",
    "Triples with so many agreeing labels on every sentence",
    "triples",
    counts="triples",
    decimals=0,
)
AGREEMENT = quantity(
    "agreement",
    "Agreement with the published label",
    counts="triples",
    unit="%",
    interval="stretched bootstrap of triples",
)
ANSWERS_GIVEN = quantity(
    "answers", "Labels that people gave", "labels", counts="labels", decimals=0
)


class Judged(NamedTuple):
    """What the labels say about the triples that have labels on all three candidates."""

    estimates: list[Estimate]
    """Agreement, alpha and kappa; agreement by task, domain, and term, as table 10 of the paper lists terms
    (highest first; it prints shares: 0.82 is 82); labels by published label; and triples that pass."""
    failing: frozenset[str]
    """Ids of the triples that have fewer than three agreeing labels on some sentence."""
    facts: dict[str, object]


def judged(items: Sequence[Triple], labels: Labels) -> Judged:
    """Recompute agreement and acceptance from people's labels.

    Agreement is the mean over triples of the mean over their three sentences of the share of people who said
    what the published label says: 'average of annotator agreement per example'. Three labels drawn at random
    give 33; a triple with three of five on each sentence has 60. Alpha is nominal, over sentences; kappa
    needs as many labels on each: over the sentences with the commonest number. Intervals resample whole
    triples, within a term too.

    Raises:
        Undefined: No triple has labels on all three candidates.

    >>> one = Triple("1", "intersentence", "", ("", "", ""), "nurse", "", names=("a", "b", "c"))
    >>> votes = {"a": ("stereotype",) * 5, "c": ("unrelated",) * 4 + ("related",)}
    >>> votes["b"] = ("anti-stereotype",) * 2 + ("unrelated",) * 3
    >>> made = judged([one], Labels(votes))
    >>> round(made.estimates[0].value, 1), [*made.failing]  # (5/5 + 2/5 + 4/5) / 3
    (73.3, ['1'])
    """
    known = [
        t
        for t in items
        if len(t.names) == len(SIDES) and all(name in labels.by_sentence for name in t.names)
    ]
    if not known:
        raise Undefined(NONE)
    votes = [[labels.by_sentence[name] for name in t.names] for t in known]
    right = np.array([[v.count(g) for v, g in zip(row, GOLD, strict=True)] for row in votes])
    number = np.array([[len(v) for v in row] for row in votes])  # (n, 3)
    shares = 100 * (right / number).mean(axis=1)  # (n,)
    fewest = right.min(axis=1)
    flat = [v for row in votes for v in row]
    ratings = coded(flat)
    triples = np.repeat([t.id for t in known], len(SIDES))
    answers: dict[str, Counter[str]] = {gold: Counter() for gold in GOLD}
    for row in votes:
        for gold, given in zip(GOLD, row, strict=True):
            answers[gold].update(given)
    estimates = [
        _mean(shares, {}),
        _value(ALPHA, krippendorff_alpha, alpha_inference, ratings, triples),
        _kappa(ratings, triples),
    ]
    for axis in ("task", "domain"):
        labelled = [getattr(t, axis) for t in known]
        estimates += _over(labelled, shares, {label: {axis: label} for label in labelled})
    terms = {t.target: {"domain": t.domain, "target": t.target} for t in known}
    by_term = _over([t.target for t in known], shares, terms)
    estimates += sorted(by_term, key=lambda e: (-(e.value or 0.0), e.groups["target"]))
    for gold, by_answer in answers.items():
        for answer in ANSWERS:
            groups = {"published": gold, "answer": answer}
            estimates.append(
                ANSWERS_GIVEN.at(by_answer[answer], n=by_answer.total(), groups=groups)
            )
    for least in (3, 4, 5):
        place = {"agreeing": f"{least} or more"}
        estimates += counted_items(PASSING, int((fewest >= least).sum()), len(known), place)
    by_number = sorted(Counter(map(len, flat)).items())
    return Judged(
        estimates,
        frozenset(t.id for t, n in zip(known, fewest, strict=True) if n < NEEDED),
        {
            "labels": int(number.sum()),
            "annotators": labels.people,
            "triples with labels": len(known),
            "triples without labels": len(items) - len(known),
            "sentences by number of labels": {str(k): n for k, n in by_number},
        },
    )


def _mean(shares: Array, groups: Groups) -> Estimate:
    interval = uncertainty(lambda: (*bounded_mean(shares, np.arange(len(shares)), PERCENT), ""))
    return AGREEMENT.at(float(shares.mean()), interval, n=len(shares), groups=groups)


def _over(labels: Sequence[str], shares: Array, places: Mapping[str, Groups]) -> list[Estimate]:
    of = np.array(labels)
    return [_mean(shares[of == label], places[label]) for label in sorted(set(labels))]


def _kappa(ratings: Array, triples: Any) -> Estimate:
    sizes = (~np.isnan(ratings)).sum(axis=1)
    usual = int(np.bincount(sizes).argmax())
    alike = sizes == usual
    over = f"over the {counted(int(alike.sum()), 'sentences')} with {usual} labels"
    why = "" if alike.all() else over
    return _value(KAPPA, fleiss_kappa, fleiss_inference, ratings[alike], triples[alike], why)


def _value(
    of: Quantity, statistic: Any, inference: Any, ratings: Array, triples: Any, why: str = ""
) -> Estimate:
    value = computed(lambda: statistic(ratings), lambda: inference(ratings, clusters=triples))
    return of.at(*value, n=len(ratings), why=why)
