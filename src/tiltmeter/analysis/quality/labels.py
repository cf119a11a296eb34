"""What people said of the candidates of triples: their agreement, and which triples pass.

StereoSet's sentences were each labelled by five people (Nadeem et al. 2021, section 4.3,
doi:10.18653/v1/2021.acl-long.416): a stereotype, an anti-stereotype, or unrelated (the file also has
"related"). A triple was kept where at least three of them agreed with the label of each of its
candidates. Only what was kept is published, 83 % of what was written: agreement among the published
triples is therefore higher than it was among all.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.items import SIDES, TASKS, Triple
from tiltmeter.core.quantity import Quantity, computed, quantity
from tiltmeter.core.results import Estimate, Inference
from tiltmeter.core.types import Array
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.triples.triple_reading import LABELS
from tiltmeter.data.triples.triples import read_clusters
from tiltmeter.stats.agreement import (
    alpha_inference,
    coded,
    fleiss_inference,
    fleiss_kappa,
    krippendorff_alpha,
)
from tiltmeter.stats.bootstrap_intervals import PERCENT
from tiltmeter.stats.intervals import mean_interval

NEEDED = 3
"""Labels that must agree with the published one, on each candidate."""
GOLD = tuple(sorted(LABELS, key=LABELS.__getitem__))
"""The published labels, in the order of SIDES."""
ANSWERS = (*GOLD, "related")
"""What a person could say."""
AGREEMENT = quantity(
    "agreement", "Agreement with the published label", counts="triples", unit="%",
    interval="stretched bootstrap of triples",
)  # fmt: skip
ALPHA = quantity("alpha", "Krippendorff’s α", "α", counts="sentences", decimals=2)
KAPPA = quantity("kappa", "Fleiss’ κ", "κ", counts="sentences", decimals=2)
NONE = "no human labels in this file; the authors' dev.json has them"


@dataclass(slots=True)
class Labels:
    """What people said in one file."""

    by_sentence: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By the sentence's own id, as in `Triple.names`: one label a person. Only those with any."""
    people: int = 0
    """Different people, where the file names them."""
    problems: list[Problem] = field(default_factory=list)
    """Labels that cannot be used, and were left out."""


def read_labels(path: str | Path, *, encoding: str = "") -> Labels:
    """The labels of a file in StereoSet's layout; none of a table, which has no place for them.

    A label that cannot be used is left out and becomes a problem; clusters and sentences that
    cannot be read at all are `read_triples`' to report, and are passed over here.

    Raises:
        BadInput: The file cannot be read.
    """
    path = Path(path)
    clusters = read_clusters(path, encoding)
    labels, people = Labels(), set[str]()
    for name, sentence, where in _sentences(clusters or {}, path.name):
        votes = sentence.get("labels")
        if votes is None:
            continue
        if not isinstance(votes, list):
            labels.problems.append(
                replace(where, reason="labels is not a list", way_out="give a list, or remove it")
            )
            continue
        if name in labels.by_sentence:
            reason = f"the sentence id {name!r} occurs twice; its second labels are not counted"
            labels.problems.append(replace(where, reason=reason, way_out="give each its own id"))
            continue
        answers, who = _answers(votes, where, labels.problems)
        people |= who
        if answers:
            labels.by_sentence[name] = answers
    labels.people = len(people)
    return labels


def _sentences(
    clusters: Mapping[str, Sequence[Any]], file: str
) -> Iterator[tuple[str, Mapping[str, Any], Problem]]:
    """Each sentence with its id, named as `read_triples` does, and its place."""
    for task in TASKS:
        for number, cluster in enumerate(clusters.get(task, ()), start=1):
            sentences = cluster.get("sentences") if isinstance(cluster, dict) else None
            if not isinstance(sentences, list):
                continue
            triple = label_of(cluster.get("id")) or f"{task} {number}"
            for place, sentence in enumerate(sentences, start=1):
                if not isinstance(sentence, dict):
                    continue
                gold = sentence.get("gold_label")
                side = LABELS.get(gold) if isinstance(gold, str) else None
                if side is not None:
                    where = f"{file}, {task} {number}, sentence {place}"
                    name = label_of(sentence.get("id")) or f"{triple}/{SIDES[side]}"
                    yield name, sentence, Problem("", file=where, item=name)


def _answers(
    votes: Sequence[Any], where: Problem, problems: list[Problem]
) -> tuple[tuple[str, ...], set[str]]:
    """The labels that can be used, and who gave them; what cannot goes to `problems`."""
    answers: list[str] = []
    who: set[str] = set()
    for number, vote in enumerate(votes, start=1):
        label = vote.get("label") if isinstance(vote, dict) else None
        plain = label.strip().lower().replace("_", "-") if isinstance(label, str) else ""
        person = label_of(vote.get("human_id")) if isinstance(vote, dict) else ""
        reason = ""
        if not isinstance(vote, dict):
            reason, way_out = "is not an object with label and human_id", "correct it, or remove it"
        elif plain not in ANSWERS:
            reason, way_out = f"says {label!r}", f"say one of {', '.join(ANSWERS)}"
        elif person and person in who:
            reason, way_out = "is the same person's as one before", "remove one of them"
        if reason:
            problem = replace(where, reason=f"label {number} {reason}", way_out=way_out)
            problems.append(problem)
            continue
        answers.append(plain)
        who |= {person} - {""}
    return tuple(answers), who


class Term(NamedTuple):
    """How far people agreed with the published labels on one target term's sentences."""

    name: str
    domain: str
    triples: int
    agreement: Estimate


@dataclass(frozen=True, slots=True)
class Judged:
    """What the labels of a set of triples tell. Agreement is in percent."""

    triples: int
    """Triples with labels on all three candidates: what all else is about."""
    unlabelled: int
    """Triples without."""
    people: int
    labels: int
    by_number: Mapping[int, int]
    """Sentences by how many labels they have."""
    answers: Mapping[str, Mapping[str, int]]
    """By published label: how often people said what."""
    agreement: Estimate
    """Mean over triples of the mean over their three sentences of the share of people who said what
    the published label says: 'average of annotator agreement per example'. Three labels drawn at
    random give 33; a triple with three of five on each sentence has 60."""
    by_task: Mapping[str, Estimate]
    by_domain: Mapping[str, Estimate]
    terms: tuple[Term, ...]
    """As table 10 of the paper lists them, highest agreement first (it prints shares: 0.82 is 82)."""
    alpha: Estimate
    """Krippendorff's alpha, nominal, over sentences: 1 is full agreement, 0 is chance."""
    kappa: Estimate
    """Fleiss' kappa, which needs as many labels on each: over the sentences with the commonest number."""
    passing: Mapping[int, int]
    """Triples of which each sentence has at least so many labels that agree with the published one."""
    failing: tuple[str, ...]
    """Ids of the triples that have fewer than three on some sentence."""


def judged(items: Sequence[Triple], labels: Labels) -> Judged:
    """Recompute agreement and acceptance from people's labels.

    Intervals resample whole triples, within a term too.

    Raises:
        Undefined: No triple has labels on all three candidates.

    >>> one = Triple("1", "intersentence", "", ("", "", ""), "nurse", "", names=("a", "b", "c"))
    >>> votes = {"a": ("stereotype",) * 5, "c": ("unrelated",) * 4 + ("related",)}
    >>> votes["b"] = ("anti-stereotype",) * 2 + ("unrelated",) * 3
    >>> labels = judged([one], Labels(votes))
    >>> round(labels.agreement.value, 1), labels.failing, labels.passing  # (5/5 + 2/5 + 4/5) / 3
    (73.3, ('1',), {3: 0, 4: 0, 5: 0})
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
    return Judged(
        triples=len(known),
        unlabelled=len(items) - len(known),
        people=labels.people,
        labels=int(number.sum()),
        by_number=dict(sorted(Counter(map(len, flat)).items())),
        answers={gold: {label: answers[gold][label] for label in ANSWERS} for gold in GOLD},
        agreement=_mean(shares),
        by_task=_over([t.task for t in known], shares),
        by_domain=_over([t.domain for t in known], shares),
        terms=_terms(known, shares),
        alpha=_value(ALPHA, krippendorff_alpha, alpha_inference, ratings, triples),
        kappa=_kappa(ratings, triples),
        passing={least: int((fewest >= least).sum()) for least in (3, 4, 5)},
        failing=tuple(t.id for t, n in zip(known, fewest, strict=True) if n < NEEDED),
    )


def _mean(shares: Array) -> Estimate:
    why = ""
    low = high = None
    try:
        low, high = mean_interval(shares, np.arange(len(shares)), PERCENT)
    except Undefined as undefined:
        why = f"no interval: {undefined}"
    return AGREEMENT.at(float(shares.mean()), Inference(low, high), n=len(shares), why=why)


def _over(labels: Sequence[str], shares: Array) -> dict[str, Estimate]:
    groups: dict[str, list[int]] = defaultdict(list)
    for i, label in enumerate(labels):
        groups[label].append(i)
    return {label: _mean(shares[rows]) for label, rows in sorted(groups.items())}


def _terms(items: Sequence[Triple], shares: Array) -> tuple[Term, ...]:
    domain = {t.target: t.domain for t in items}
    number = Counter(t.target for t in items)
    agreement = _over([t.target for t in items], shares)
    terms = [Term(name, domain[name], number[name], value) for name, value in agreement.items()]
    return tuple(sorted(terms, key=lambda term: (-(term.agreement.value or 0.0), term.name)))


def _kappa(ratings: Array, triples: Any) -> Estimate:
    sizes = (~np.isnan(ratings)).sum(axis=1)
    usual = int(np.bincount(sizes).argmax())
    alike = sizes == usual
    over = f"over the {int(alike.sum()):,} sentences with {usual} labels"
    why = "" if alike.all() else over
    return _value(KAPPA, fleiss_kappa, fleiss_inference, ratings[alike], triples[alike], why)


def _value(
    of: Quantity, statistic: Any, inference: Any, ratings: Array, triples: Any, why: str = ""
) -> Estimate:
    value = computed(lambda: statistic(ratings), lambda: inference(ratings, clusters=triples))
    return of.at(*value, n=len(ratings), why=why)
