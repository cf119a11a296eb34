"""Ensembles: several models scored as one, by the weighted sum of their scores for each candidate.

The weights are given, as in `ensemble:gpt2=0.4+bert-large-cased=0.6`, or left out, as in
`ensemble:gpt2+bert-large-cased`: then they are fitted on the development terms, and only the test terms are
reported.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np

from tiltmeter.core.data.items import SIDES, Dataset
from tiltmeter.core.errors import BadInput, CannotAnswer, Problem, Undefined
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note, Result
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.data.memory.lazy_sequence import Selection
from tiltmeter.data.memory.samples import split
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.run.measuring.measure import facts_of, of_rule, summarise
from tiltmeter.run.measuring.portions import score_items
from tiltmeter.run.planning.choosing import Chosen
from tiltmeter.stats.ranks.ranking import fitted_weights

T = TypeVar("T")
SCHEME = "ensemble:"
FORM, WHAT = "ensemble:A=0.4+B=0.6", "models that choose together, with weights or fitted ones"
"""How ensembles are written, and what they are, for lists."""
RULE = "weighted_sum"


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The models and weights that a reference such as `ensemble:A=0.4+B=0.6` names."""

    name: str
    """The whole reference as typed, for messages."""
    references: tuple[str, ...]
    """The references of the members, each as it would be given on its own."""
    weights: tuple[float, ...] | None
    """The weight of each member; None means that weights are fitted on the development terms."""

    def check_split(self, part: str | None) -> None:
        """Refuse a chosen part of the terms if weights are fitted, since fitting uses both parts.

        Raises:
            BadInput: A part is chosen, and no weights are given.
        """
        if self.weights is None and part is not None:
            raise BadInput(
                "an ensemble without weights is fitted on the development terms and reported on the test "
                "terms, so --split does not apply",
                "leave out --split, or give the weights: ensemble:A=0.4+B=0.6",
            )


@dataclass(frozen=True, slots=True)
class Member:
    """One model of the ensemble: its rule, the facts about it, and its record of each item."""

    chosen: Chosen[Any]
    facts: Mapping[str, Any]
    records: Sequence[Record]


def parse(reference: str) -> Ensemble | None:
    """Parse a reference such as `ensemble:A=0.4+B=0.6` or `ensemble:A+B`; None if it is not an ensemble.

    >>> parse("ensemble:gpt2=0.4+bert=0.6").weights
    (0.4, 0.6)
    >>> parse("gpt2") is None
    True

    Raises:
        BadInput: There are fewer than two models, or weights are missing for some, negative or not numbers.
    """
    if not reference.startswith(SCHEME):
        return None
    cut = [_cut(part) for part in reference.removeprefix(SCHEME).split("+")]
    references = [name for name, _ in cut]
    if len(references) < 2 or not all(references):  # noqa: PLR2004
        raise BadInput(
            f"{reference!r} names fewer than two models", "write ensemble:A=0.4+B=0.6, or A+B"
        )
    weights = [weight for _, weight in cut if weight is not None]
    if not weights:
        return Ensemble(reference, tuple(references), None)
    usable = all(0 <= w < float("inf") for w in weights) and any(weights)
    if len(weights) < len(references) or not usable:
        raise BadInput(
            f"{reference!r}: weights must be given for all models or for none, as numbers from 0 up",
            "write ensemble:A=0.4+B=0.6, or ensemble:A+B to fit them",
        )
    return Ensemble(reference, tuple(references), tuple(weights))


def _cut(part: str) -> tuple[str, float | None]:
    """Split "MODEL=WEIGHT"; the weight is None without a number at the end, since a path may contain "="."""
    name, sign, text = part.rpartition("=")
    try:
        return (name, float(text)) if sign else (part, None)
    except ValueError:
        return part, None


def score_member(
    model: Any, data: Dataset[T], chosen: Chosen[T], *, seed: int, skip_invalid: bool
) -> tuple[Member, list[Problem]]:
    """Score the items with one model; returns it as a member, and the items that have no score."""
    context = Context(chosen.convention, seed, skip_invalid, settings=chosen.settings)
    items = of_rule(data, chosen.rule).items
    records = score_items(chosen.rule, model, items, context)
    return Member(chosen, facts_of(model), records), context.problems


def combine(
    study: Study[T],
    ensemble: Ensemble,
    members: Sequence[Member],
    data: Dataset[T],
    *,
    seed: int,
    split_seed: int = 0,
    invalid: Sequence[Problem] = (),
    name: str = "",
) -> Result:
    """The ensemble's result over the items that every member scored.

    `name` is what the ensemble is called in the result; "" names it after its members.

    Raises:
        BadInput: The members have no item in common, or the study has no triples.
        CannotAnswer: Weights cannot be fitted.
    """
    scored = _Common(members)
    if ensemble.weights is None:
        develop = _ids(split(data, "development", seed=split_seed).items)
        weights = _fitted(ensemble, scored, develop)
        terms = Counter(
            rows[0].groups.get("target", "") for rows in scored if rows[0].item in develop
        )
        data = split(data, "test", seed=split_seed)
        fitted_on = (
            f"Weights were fitted on {counted(terms.total(), 'contexts')} of "
            f"{counted(len(terms), 'development terms')}."
        )
        data = replace(data, notes=(*data.notes, Note("data", fitted_on)))
    else:
        weights = {task: np.array(ensemble.weights) for task in scored.tasks}
    wanted = _ids(data.items)
    records = Spool(Record, (_summed(r, weights) for r in scored if r[0].item in wanted))
    kept = _ids(records, "item")
    invalid = [p for p in invalid if p.item in wanted]
    refused = {p.item for p in invalid}
    every: Sequence[Any] = data.items
    places = np.flatnonzero(np.fromiter((item.id in kept for item in every), np.bool_))
    left = sum(item.id not in kept and item.id not in refused for item in every)
    note = Note(
        "coverage",
        f"{counted(left, 'items', 'are')} left out because not every member of the ensemble scores them.",
    )
    data = replace(
        data,
        items=Selection(data.items, places),
        notes=(*data.notes, note) if left > 0 else data.notes,
    )
    first = members[0].chosen
    rule = Rule(RULE, first.rule.needs, first.rule.score, _said(members, weights), _source(members))
    return summarise(
        study, records, data, chosen=replace(first, rule=rule), seed=seed,
        model=_facts(ensemble, members, weights, name), invalid=(*data.invalid, *invalid),
    )  # fmt: skip


class _Common:
    """Iterates over the items that all members scored, yielding a tuple of one record per member.

    Items are in the order of the first member. Each iteration reads the records again: they may be on disk.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        self._first, *self._others = (member.records for member in members)
        self._places = [_ids(records, "item") for records in self._others]
        tasks: set[str] = set()
        for rows in self:
            if set(SIDES) - set(rows[0].scores):
                raise _no_triples()
            tasks.add(rows[0].groups.get("task", ""))
        if not tasks:
            raise _no_triples()
        self.tasks = sorted(tasks)

    def __iter__(self) -> Iterator[tuple[Record, ...]]:
        for record in self._first:
            places = [of.get(record.item) for of in self._places]
            others = [
                records[at]
                for records, at in zip(self._others, places, strict=True)
                if at is not None
            ]
            if len(others) == len(places):
                yield record, *others


def _no_triples() -> BadInput:
    return BadInput(
        "the models of the ensemble have no context with three candidates in common",
        "ensembles are for the study stereoset, with rules for the same task",
    )


def _ids(items: Sequence[Any], name: str = "id") -> TextNumbers:
    """The index of each item by its id."""
    return TextNumbers(getattr(item, name) for item in items)


def _scores(rows: Sequence[Record]) -> Array:
    """The scores of one item, shape (members, 3): stereotype, anti-stereotype, unrelated."""
    return np.array([[record.scores[side] for side in SIDES] for record in rows])


def _fitted(ensemble: Ensemble, scored: _Common, develop: TextNumbers) -> dict[str, Array]:
    """Fitted weights by task, each of shape (members,); scores of different tasks are never compared."""
    weights = {}
    for task in scored.tasks:
        margins = array("d")
        for rows in scored:
            if rows[0].item in develop and rows[0].groups.get("task", "") == task:
                scores = _scores(rows)
                margins.extend((scores[:, :2] - scores[:, 2:]).T.ravel())
        try:
            weights[task] = fitted_weights(np.array(margins).reshape(-1, len(ensemble.references)))
        except Undefined as why:
            raise CannotAnswer(
                f"{ensemble.name}: weights for {task or 'all'} items cannot be fitted: {why}. "
                "Give them: ensemble:A=0.4+B=0.6"
            ) from why
    return weights


def _summed(rows: tuple[Record, ...], weights: Mapping[str, Array]) -> Record:
    total = weights[rows[0].groups.get("task", "")] @ _scores(rows)  # (3,)
    return replace(rows[0], scores=dict(zip(SIDES, map(float, total), strict=True)))


def _facts(
    ensemble: Ensemble, members: Sequence[Member], weights: Mapping[str, Array], name: str
) -> dict[str, Any]:
    listed = [
        {
            "name": m.facts["name"],
            "rule": m.chosen.rule.name,
            "weight": {task or "all": round(float(w[i]), 6) for task, w in weights.items()},
            "fingerprint": m.facts["fingerprint"],
        }
        for i, m in enumerate(members)
    ]
    return {
        "name": name or _name(members, ensemble),
        "kind": "ensemble",
        "fingerprint": sha256(repr(listed).encode()).hexdigest(),
        "weights": "fitted on the development terms" if ensemble.weights is None else "given",
        "members": listed,
    }


def _name(members: Sequence[Member], ensemble: Ensemble) -> str:
    """The reference as typed, but with the models' names in place of paths, which results must not hold."""
    names = [str(member.facts["name"]) for member in members]
    weights = ensemble.weights
    terms = (
        names if weights is None else [f"{n}={w:g}" for n, w in zip(names, weights, strict=True)]
    )
    return SCHEME + "+".join(terms)


def _said(members: Sequence[Member], weights: Mapping[str, Array]) -> str:
    terms = [
        f"{m.facts['name']} ({m.chosen.rule.name}) × "
        + ", ".join(
            f"{w[i]:.3g}{f' {task}' if len(weights) > 1 else ''}" for task, w in weights.items()
        )
        for i, m in enumerate(members)
    ]
    return f"The weighted sum of the scores of several models: {'; '.join(terms)}."


def _source(members: Sequence[Member]) -> str:
    sources = dict.fromkeys(m.chosen.rule.source for m in members)
    return "; ".join(("Nadeem et al. 2021, section 7 (the ensemble)", *sources))
