"""Classifiers that differ in nothing but the seed of their training: means and spread over seeds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Estimate, Meaning, Result
from tiltmeter.stats.intervals import student

SEED, BASE, TRAINED_ON = "training seed", "trained from", "trained on"
"""What the card of a classifier that Tiltmeter trained says of its model."""
AXIS = "trained_on"
SD = "{}_sd"
"""The name of a measure's standard deviation over seeds."""
METHOD = "Student’s t over {} trainings"
DECIMALS = 3
"""Of the standard deviation of a number without a unit, such as an area: as many as the number has."""

Place: TypeAlias = tuple[str, str, str, str, tuple[tuple[str, str], ...]]
"""Which model was trained, on what; the study, the measure, and the subset of the texts."""


def over_seeds(results: Sequence[Result]) -> list[Estimate]:
    """Of each number the mean over trainings, under the name of the model that was trained, and its spread.

    An estimate has the axis `trained_on` besides its own, and the `n` of a single run. Its interval is about
    another training of this kind, with the same texts. With one training there is no interval and no
    standard deviation.

    Raises:
        BadInput: A run is of no classifier that Tiltmeter trained, is given twice, or classifiers of
            one data set were asked different texts.
    """
    by_place: dict[Place, dict[int, Estimate]] = {}
    asked: dict[tuple[str, str], tuple[object, ...]] = {}
    for result in results:
        card = result.card
        if not card.model.keys() >= {SEED, BASE, TRAINED_ON}:
            raise BadInput(
                f"{card.model_name} is no classifier that Tiltmeter trained, so the seed of its "
                "training is not known",
                "give runs of what `tiltmeter train classifier` made",
            )
        base, data, seed = str(card.model[BASE]), str(card.model[TRAINED_ON]), card.model[SEED]
        texts = card.data.get("sha256"), card.data.get("sample"), *sorted(card.settings.items())
        if asked.setdefault((data, card.study), texts) != texts:
            raise BadInput(
                f"classifiers trained on {data} were asked different texts, or with other settings, in "
                f"these runs of {card.study}",
                "average the runs on each set of texts by themselves",
            )
        for e in result.estimates:
            place = base, data, card.study, e.name, tuple(e.groups.items())
            seeds = by_place.setdefault(place, {})
            if seed in seeds:
                raise BadInput(
                    f"{card.study}: seed {seed} of {base} trained on {data} is there twice",
                    "give each run once, of classifiers of one training",
                )
            seeds[seed] = e
    return [e for place, seeds in by_place.items() for e in _averaged(place, [*seeds.values()])]


def _averaged(place: Place, some: Sequence[Estimate]) -> Iterator[Estimate]:
    """Mean and standard deviation of one number over its seeds."""
    base, data, _, name, groups = place
    first, n = some[0], len(some)
    missing = next((e for e in some if e.value is None), None)
    values = np.array([e.value for e in some if e.value is not None])
    mean = sd = low = high = None
    why = f"undefined in a training: {missing.why}" if missing else ""
    if not missing:
        mean = float(values.mean())
        try:
            sd = float(values.std(ddof=1)) if n > 1 else None
            low, high, _ = student(mean, (sd or 0.0) / n**0.5, n - 1)
        except Undefined as undefined:
            why = str(undefined)
    made = replace(
        first, value=mean, low=low, high=high, p=None, p_adjusted=None, why=why, model=base,
        groups={AXIS: data, **dict(groups)},
        interval=METHOD.format(n) if low is not None else "", test="", adjustment="", mde=None, tied=0,
        clusters=None, verdict="",
    )  # fmt: skip
    title = first.meaning.title or name
    meaning = Meaning(
        f"{title}: standard deviation over seeds", "sd", "description", first.meaning.counts,
        decimals=first.meaning.decimals if first.unit else first.meaning.decimals or DECIMALS,
        least=0.0,
    )  # fmt: skip
    unit = "points" if first.unit == "%" else first.unit
    spread = replace(
        made, name=SD.format(name), value=sd, low=None, high=None, interval="", neutral=None,
        unit=unit, meaning=meaning, why=why if sd is None else "",
    )  # fmt: skip
    yield made
    yield spread
