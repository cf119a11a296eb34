"""Settings of a simulation, and what follows from them for a pool."""

from dataclasses import asdict, dataclass, replace
from typing import Final, Literal, get_args

import numpy as np

from tiltmeter.active.run_manifest import SettingValue
from tiltmeter.active.votes import VotePool, split_items
from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Integers

Start = Literal["matched", "paper"]
Part = Literal["test", "validation"]
POINTS: Final = 20
FIRST: Final = 10
"""Votes that strategies without f_ent start with under `paper`."""
USUAL_VOTES: Final = 5


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """How votes are bought and what is measured."""

    budget: int = 1_800
    """Votes in all, the first ones included."""
    every: int = 10
    """Votes per round; the model is trained again after each."""
    entropy_items: int = 100
    """B_ent: items whose votes train f_ent."""
    votes_each: int = 0
    """N: votes on each of these items, and of a batched query; 0 for the median number, at most 5."""
    start: str = "matched"
    """matched: all strategies begin with the B_ent × N votes. paper: those without f_ent begin with 10."""
    held_out: int = 0
    """Items × N further votes that only choose the penalty, and are counted; 0 for cross-validation."""
    pool_sample: int = 0
    """Items that a round considers, drawn at random; 0 for all."""
    agreed_only: bool = False
    """Trains on items only whose votes all agree."""
    whom: str = "at_random"
    """Which annotator is asked: a name in `people/`."""
    measured_on: str = "test"
    """test, or validation to choose settings."""
    encoder: str = "minilm"
    """By which name the features go, and which model is fine-tuned."""
    predictor: str = "softmax"
    """The model that is trained: a name in `predictors/`."""

    def for_pool(self, pool: VotePool) -> "LoopSettings":
        """The settings with N filled in.

        Raises:
            BadInput: A setting is out of range.
        """
        lowest = {
            "budget": 1,
            "every": 1,
            "entropy_items": 2,
            "votes_each": 0,
            "held_out": 0,
            "pool_sample": 0,
        }
        for name, least in lowest.items():
            if getattr(self, name) < least:
                raise BadInput(f"{name} is {getattr(self, name)}", f"use at least {least}")
        for name, choices in {"start": get_args(Start), "measured_on": get_args(Part)}.items():
            if getattr(self, name) not in choices:
                raise BadInput(f"{name} is {getattr(self, name)!r}", f"use {' or '.join(choices)}")
        usual = int(min(USUAL_VOTES, np.median(pool.counts.sum(axis=1))))
        filled = replace(self, votes_each=self.votes_each or max(usual, 1))
        if filled.first >= filled.budget:
            reason = (
                f"the first votes alone are {filled.first:,}, and the budget is {filled.budget:,}"
            )
            raise BadInput(reason, "raise the budget, or use fewer items or votes for f_ent")
        return filled

    @property
    def first(self) -> int:
        """Votes before the first round of a strategy with f_ent."""
        return (self.entropy_items + self.held_out) * self.votes_each

    @property
    def grid(self) -> tuple[int, ...]:
        """Numbers of votes at which all strategies are measured, from the first to the budget.

        >>> LoopSettings(budget=130, entropy_items=10, votes_each=5).grid
        (50, 60, 70, 80, 90, 100, 110, 120, 130)
        """
        points = np.linspace(self.first, self.budget, POINTS)
        steps = self.first + np.round((points - self.first) / self.every) * self.every
        return tuple(dict.fromkeys(int(min(v, self.budget)) for v in steps))

    def as_mapping(self) -> dict[str, SettingValue]:
        """The settings by name, as the manifest keeps them."""
        return asdict(self)


def training_items(pool: VotePool, seed: int, settings: LoopSettings) -> Integers:
    """Positions of the items of the training part whose votes can be bought.

    Raises:
        BadInput: They have fewer votes than the budget.
    """
    items = split_items(pool, seed).train
    if settings.agreed_only:
        items = np.intersect1d(items, pool.fully_agreed())
    there = int(pool.counts[items].sum())
    if there < settings.budget:
        reason = f"{pool.name}: the training items have {there:,} votes; the budget is {settings.budget:,}"
        raise BadInput(reason, f"use a budget of at most {there:,}")
    return items
