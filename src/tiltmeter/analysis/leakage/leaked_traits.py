"""Traits that a model ascribes to a group as another culture does, and its own does not.

For each group: the traits that are among the model's strongest in the target language, that the target's
people do not hold of the group, and that the source's people do (Sotnikova 2023, section 5.4.2). The
paper gives no threshold; ours can be set.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tiltmeter.analysis.leakage.grids import ModelCells, repeated_columns
from tiltmeter.analysis.leakage.human_cells import HumanCells
from tiltmeter.core.types import Array

STRONGEST = 3
UPPER = 0.5
"""Quantile of a group's traits from which people's mean is high enough to be held."""


@dataclass(frozen=True, slots=True)
class LeakedTrait:
    """A trait that may have come from a source culture into a model's target language."""

    source: str
    target: str
    group: str
    trait: str
    rank: int
    """In the model's order of the group's traits; 1 is the strongest."""
    at_source: float
    """Mean of the source's people, from 0 to 50."""
    at_target: float | None
    """Mean of the target's people; None where too few know the group: no judgment on what they hold."""


def leaked_traits(
    model: ModelCells,
    humans: Mapping[str, HumanCells],
    *,
    strongest: int = STRONGEST,
    quantile: float = UPPER,
) -> list[LeakedTrait]:
    """Leaked traits of one target language, from every other culture.

    Args:
        model: Scores by trait in the target language; `name` is the language.
        humans: By language, with `unit="poles"`.
        strongest: How many of the model's traits of a group count.
        quantile: Held is a trait whose mean has an interval above 0 and is at or above this quantile of
            the group's traits.

    Returns:
        By source and group, the model's strongest trait first; of two traits that are one word in the
        language, the first. Where the target has no ratings of a
        group, the trait is listed without a judgment on the target, `at_target=None`.
    """
    found = []
    known = np.where(repeated_columns(model.values), np.nan, model.values)
    model = replace(model, values=known)
    for source, human in humans.items():
        if source == model.name:
            continue
        for group in model.groups:
            for rank, trait in enumerate(_strongest(model, group, strongest), start=1):
                there, mean = _held(human, group, trait, quantile)
                here, own = _held(humans.get(model.name), group, trait, quantile)
                if there and not here and mean is not None:
                    found.append(LeakedTrait(source, model.name, group, trait, rank, mean, own))
    return found


def _strongest(model: ModelCells, group: str, count: int) -> list[str]:
    scores = model.values[model.groups.index(group)]
    order = [i for i in np.argsort(-scores, kind="stable") if np.isfinite(scores[i])]
    return [model.columns[i] for i in order[:count]]


def _held(
    human: HumanCells | None, group: str, trait: str, quantile: float
) -> tuple[bool, float | None]:
    """Whether people hold a trait of a group, and their mean; None where too few know the group."""
    if human is None or group not in human.groups or trait not in human.columns:
        return False, None
    row, column = human.groups.index(group), human.columns.index(trait)
    means = human.means[row]
    if not np.isfinite(means[column]):
        return False, None
    return bool(_held_of(means, human.half_widths()[row], quantile)[column]), float(means[column])


def _held_of(means: Array, half_widths: Array, quantile: float) -> npt.NDArray[np.bool_]:
    return (means - half_widths > 0) & (means >= np.nanquantile(means, quantile))
