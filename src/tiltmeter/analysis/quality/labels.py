"""What people said of the candidates of triples: their agreement, and which triples pass.

StereoSet's sentences were each labelled by five people (Nadeem et al. 2021, section 4.3,
doi:10.18653/v1/2021.acl-long.416): a stereotype, an anti-stereotype, or unrelated (the file also has
"related"). A triple was kept where at least three of them agreed with the label of each of its
candidates. Only what was kept is published, 83 % of what was written: agreement among the published
triples is therefore higher than it was among all.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tiltmeter.analysis.quality.composition import counted_items
from tiltmeter.core.errors import Problem, Undefined
from tiltmeter.core.items import SIDES, TASKS, Triple
from tiltmeter.core.quantity import Quantity, computed, quantities_beside
from tiltmeter.core.results import Estimate
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.types import Array, Groups
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
from tiltmeter.stats.bounded_means import bounded_mean

NEEDED = 3
"""Labels that must agree with the published one, on each candidate."""
GOLD = tuple(sorted(LABELS, key=LABELS.__getitem__))
"""The published labels, in the order of SIDES."""
ANSWERS = (*GOLD, "related")
"""What a person could say."""
NUMBERS = quantities_beside(__file__)
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


class Judged(NamedTuple):
    """What the labels of a set of triples tell: of triples with labels on all three candidates."""

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
        _value(NUMBERS["alpha"], krippendorff_alpha, alpha_inference, ratings, triples),
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
                NUMBERS["answers"].at(by_answer[answer], n=by_answer.total(), groups=groups)
            )
    for least in (3, 4, 5):
        place = {"agreeing": f"{least} or more"}
        estimates += counted_items(
            NUMBERS["passing"], int((fewest >= least).sum()), len(known), place
        )
    by_number = sorted(Counter(map(len, flat)).items())
    return Judged(
        estimates,
        frozenset(t.id for t, n in zip(known, fewest, strict=True) if n < NEEDED),
        {
            "labels": int(number.sum()), "annotators": labels.people, "triples with labels": len(known),
            "triples without labels": len(items) - len(known),
            "sentences by number of labels": {str(k): n for k, n in by_number},
        },
    )  # fmt: skip


def _mean(shares: Array, groups: Groups) -> Estimate:
    interval = uncertainty(lambda: (*bounded_mean(shares, np.arange(len(shares)), PERCENT), ""))
    return NUMBERS["agreement"].at(float(shares.mean()), interval, n=len(shares), groups=groups)


def _over(labels: Sequence[str], shares: Array, places: Mapping[str, Groups]) -> list[Estimate]:
    of = np.array(labels)
    return [_mean(shares[of == label], places[label]) for label in sorted(set(labels))]


def _kappa(ratings: Array, triples: Any) -> Estimate:
    sizes = (~np.isnan(ratings)).sum(axis=1)
    usual = int(np.bincount(sizes).argmax())
    alike = sizes == usual
    over = f"over the {int(alike.sum()):,} sentences with {usual} labels"
    why = "" if alike.all() else over
    return _value(
        NUMBERS["kappa"], fleiss_kappa, fleiss_inference, ratings[alike], triples[alike], why
    )


def _value(
    of: Quantity, statistic: Any, inference: Any, ratings: Array, triples: Any, why: str = ""
) -> Estimate:
    value = computed(lambda: statistic(ratings), lambda: inference(ratings, clusters=triples))
    return of.at(*value, n=len(ratings), why=why)
