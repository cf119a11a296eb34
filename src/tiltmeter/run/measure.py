"""Score a model on a study. The only place where model, rule and metric meet."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput, Problem, Undefined
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Card, Estimate, Inference, Record, Result
from tiltmeter.core.study import EVERY, PAPER, Context, Measure, Rule, Study
from tiltmeter.core.types import Column, Labels, Ties
from tiltmeter.run.asking import score_items
from tiltmeter.run.choosing import Chosen
from tiltmeter.stats.significance import holm

T = TypeVar("T")
COUNTS = "tokens_"
"""Scores that begin so say how many tokens there were, and are not compared."""
MOST_GROUPS = 40
"""An axis of the user's with more values than this is not reported value by value."""
LEAST_ITEMS = 5
"""Nor is one with fewer items than this a value, on average: no leaning could be found in them."""


def measure(
    study: Study[T],
    model: Any,
    data: Dataset[T],
    *,
    chosen: Chosen[T],
    seed: int = 0,
    skip_invalid: bool = False,
    about: Mapping[str, Any] | None = None,
) -> Result:
    """Score every item, then compute the study's measures.

    Raises:
        BadItems: Some items have no defined score and `skip_invalid` is false.
    """
    context = Context(chosen.convention, seed, skip_invalid)
    data = of_rule(data, chosen.rule)
    records = score_items(chosen.rule, model, data.items, context)
    facts = {"name": model.name, "fingerprint": model.fingerprint, **model.about, **(about or {})}
    return summarise(
        study,
        records,
        data,
        chosen=chosen,
        seed=seed,
        model=facts,
        invalid=(*data.invalid, *context.problems),
    )


def of_rule(data: Dataset[T], rule: Rule[T]) -> Dataset[T]:
    """The items that the rule speaks about.

    Raises:
        BadInput: There are none.
    """
    if not rule.task:
        return data
    tasks = rule.task.split("+")
    kept = [item for item in data.items if getattr(item, "task", "") in tasks]
    if not kept:
        raise BadInput(
            f"the rule {rule.name} is about {' and '.join(tasks)} items, and {data.name} has none",
            "name another --rule or other --data",
        )
    rest = len(data.items) - len(kept)
    note = f"{rest:,} items are not of the task that {rule.name} scores, and are not counted."
    return replace(data, items=kept, notes=(*data.notes, note)) if rest else data


def summarise(
    study: Study[T],
    records: Sequence[Record],
    data: Dataset[T],
    *,
    chosen: Chosen[T],
    seed: int,
    model: Mapping[str, Any],
    invalid: Sequence[Problem] = (),
) -> Result:
    """Records to estimates and card: also the way in for scores that were made elsewhere.

    Raises:
        BadInput: There is not one record.
    """
    if not records:
        raise BadInput(f"no item of {data.name} could be scored, so there is nothing to report")
    left_out = len({(p.file, p.line, p.item) for p in invalid})  # a row may have several problems
    compared = [_rounded(r, chosen) for r in records]
    bare = list(_estimates(study.measures, compared, chosen.ties, seed))
    estimates = [
        replace(
            e,
            model=str(model["name"]),
            study=study.name,
            rule=chosen.rule.name,
            convention=chosen.convention.name,
            ties=chosen.ties,
        )
        for e in adjusted(bare)
    ]
    card = Card(
        study=study.name,
        study_version=study.version,
        model=dict(model),
        data=_data_card(data),
        rule=chosen.rule.name,
        convention=chosen.convention.name,
        ties=chosen.ties,
        seed=seed,
        method=method(study, chosen),
        counts={
            "total": len(records) + left_out,
            "scored": len(records),
            "tied": sum(map(_tied, compared)),
            "invalid": left_out,
            "undefined": sum(e.value is None for e in estimates),
        },
        invalid=[str(problem) for problem in invalid],
        notes=[*data.notes],
        versions=versions(),
    )
    return Result(card, records, estimates)


def method(study: Study[T], chosen: Chosen[T]) -> str:
    """One paragraph: how a sentence is scored, what is counted, and whose definition that is."""
    rule, how = chosen.rule, chosen.convention
    tie = {
        "half": "A tie counts one half.",
        "loss": "A tie counts against the more stereotyping sentence.",
        "neutral": "A tie counts for neither sentence; it stays in the denominator over all pairs "
        "and leaves that of the stereo and antistereo subsets.",
    }[chosen.ties]
    said = [f"Rule {rule.name}. {rule.summary} Source: {rule.source}."]
    headline = next((m.summary for m in study.measures if m.summary), "")
    said += [f"The measure: {headline[:1].lower()}{headline[1:]}"] if headline else []
    said += [tie]
    if how is not PAPER:
        said += [f"Convention {how.name}: {how.summary} Source: {how.source}."]
    return " ".join([*said, f"Study: {study.source}"])


def versions() -> dict[str, str]:
    """Of what computed the numbers."""
    return {"tiltmeter": __version__, **{n: version(n) for n in ("numpy", "scipy", "polars")}}


def _data_card(data: Dataset[T]) -> dict[str, Any]:
    return {
        "name": data.name,
        "version": data.version,
        "items": len(data.items),
        "source": data.source,
        "licence": data.licence,
        "sha256": data.sha256,
        "clusters": data.clusters,
        "warning": data.warning,
        **data.about,
    }


def _rounded(record: Record, chosen: Chosen[T]) -> Record:
    """The record as its scores are compared; the one that is kept is never rounded."""
    decimals = chosen.convention.decimals.get(chosen.rule.name)
    if decimals is None:
        return record
    return replace(record, scores={k: round(v, decimals) for k, v in record.scores.items()})


def _tied(record: Record) -> bool:
    """Whether two candidates that are compared score alike."""
    compared = [v for name, v in record.scores.items() if not name.startswith(COUNTS)]
    return len(compared) > len(set(compared))


def _estimates(
    measures: Sequence[Measure], records: Sequence[Record], ties: Ties, seed: int
) -> Iterator[Estimate]:
    """Each measure, at each crossing of group axes that it is reported over."""
    for m in measures:
        if m.clustered and not any(r.cluster for r in records):
            continue
        for axes in _expanded(m, measures, records):
            inside = [r for r in records if all(axis in r.groups for axis in axes)]
            keys = sorted({_key(r, axes) for r in inside})
            if any(len(set(labels)) == 1 for labels in zip(*keys, strict=True)) and len(axes) > 1:
                continue  # a crossing with an axis on which all are alike repeats the other axis
            for key in keys:
                members = [r for r in inside if _key(r, axes) == key]
                yield _one(m, members, dict(zip(axes, key, strict=True)), ties, seed)


def _expanded(
    m: Measure, measures: Sequence[Measure], records: Sequence[Record]
) -> Iterator[tuple[str, ...]]:
    """The axes that `m` is reported over, with EVERY replaced by those no measure names."""
    named = {axis for other in measures for axes in other.over for axis in axes}
    for axes in m.over:
        if axes != EVERY:
            yield axes
            continue
        for axis in sorted({axis for r in records for axis in r.groups} - named):
            labels = [r.groups[axis] for r in records if axis in r.groups]
            kinds = len(set(labels))
            if 1 < kinds <= MOST_GROUPS and len(labels) >= LEAST_ITEMS * kinds:
                yield (axis,)


def _key(record: Record, axes: Iterable[str]) -> tuple[str, ...]:
    return tuple(record.groups[axis] for axis in axes)


def _one(
    m: Measure, records: Sequence[Record], groups: dict[str, str], ties: Ties, seed: int
) -> Estimate:
    rng = np.random.default_rng([seed, zlib.crc32(repr((m.name, sorted(groups.items()))).encode())])
    metric: Callable[..., float] = partial(m.metric, ties=ties) if m.uses_ties else m.metric
    value, sure = None, Inference(None, None)
    try:
        columns = [_column(name, records) for name in m.columns]
        value = metric(*columns)
        sure = m.infer(metric, columns, _clusters(records), rng)
        why = sure.why
    except Undefined as undefined:
        why = str(undefined) if value is None else f"no interval: {undefined}"
    return Estimate(
        name=m.name,
        value=value,
        low=sure.low,
        high=sure.high,
        p=sure.p,
        n=len(records),
        neutral=m.neutral,
        unit=m.unit,
        why=why,
        groups=groups,
        tied=sum(map(_tied, records)),
        interval=sure.interval,
        test=sure.test,
        mde=sure.mde,
    )


def _column(name: str, records: Sequence[Record]) -> Column:
    if name in records[0].scores:
        return np.array([r.scores[name] for r in records], dtype=np.float64)
    if any(name not in r.groups for r in records):
        raise Undefined(f"some items have no {name}")
    return np.array([r.groups[name] for r in records])


def _clusters(records: Sequence[Record]) -> Labels:
    """One label a row; an item that stands alone is its own cluster."""
    return np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in records])


def adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Holm's correction within each family: the estimates of one name over one set of axes."""
    families: dict[tuple[str, ...], list[int]] = {}
    for i, e in enumerate(estimates):
        if e.groups:
            families.setdefault((e.model, e.name, *sorted(e.groups)), []).append(i)
    out = list(estimates)
    for members in families.values():
        corrected = holm([estimates[i].p for i in members])
        for i, p in zip(members, corrected, strict=True):
            out[i] = replace(estimates[i], p_adjusted=p)
    return out
