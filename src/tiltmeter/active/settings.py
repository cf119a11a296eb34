"""Settings of a simulation, and what follows from them for a pool."""

from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final

from tiltmeter.active.encoders.encoder_training import POOLINGS, EncoderTrainingOptions
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.active.votes import VotePool

EVERY = Option("Votes between two trainings (default 10; finetuned: 100).", min=1)

POINTS: Final = 20
FIRST: Final = 10
"""Votes that strategies without f_ent start with under `paper`."""
USUAL_VOTES: Final = 5


@dataclass(frozen=True, slots=True)
class LoopSettings(EncoderTrainingOptions):
    """How votes are bought and what is measured."""

    budget: Annotated[int, Option("Votes to buy, the first ones included.", min=1)] = 1_800
    every: Annotated[int, Option("Votes between two trainings.", min=1)] = 10
    entropy_items: Annotated[
        int, Option("Items whose votes train the predictor of human entropy.", min=2)
    ] = 100
    """B_ent: these votes train f_ent."""
    votes_each: Annotated[
        int, Option("Votes on each of these (default: the median, at most 5).", min=0)
    ] = 0
    """N; also the votes on an item of a batched query."""
    start: Annotated[
        str,
        Option(
            "matched: all strategies start with these votes. paper: only DAAL does.",
            choices=("matched", "paper"),
        ),
    ] = "matched"
    """Under paper those without f_ent begin with `FIRST`."""
    held_out_items: Annotated[
        int,
        Option(
            "Items whose votes are used only to choose the penalty, or when to stop fine-tuning.",
            min=0,
        ),
    ] = 0
    """N votes on each, which are counted; 0 for cross-validation, or a tenth of the bought items."""
    pool_votes: Annotated[
        int, Option("Maximum number of votes that can be bought per item; 0 for all.", min=0)
    ] = 0
    """Test items keep all their votes, so that losses can be compared between numbers of votes."""
    pool_sample: Annotated[int, Option("Items that each round considers; 0 for all.", min=0)] = 0
    agreed_only: Annotated[bool, Option("Use only training items whose votes all agree.")] = False
    whom: Annotated[
        str,
        Option(
            "Annotator to ask: at_random, label_minority, semantic or representation.",
            choices=("at_random", "label_minority", "semantic", "representation"),
        ),
    ] = "at_random"
    measured_on: Annotated[
        str, Option("test, or validation to choose settings.", choices=("test", "validation"))
    ] = "test"
    encoder: Annotated[
        str,
        Option(
            "Encoder of the texts: a name, folder or hub id of an encoder or language model, or tf-idf."
        ),
    ] = "minilm"
    pooling: Annotated[
        str,
        Option(
            "A text's vector: mean (of all token states) or start (the state of the start token).",
            choices=POOLINGS,
        ),
    ] = "mean"
    predictor: Annotated[
        str,
        Option(
            "Model of labels: softmax (on frozen vectors), annotators (a head for each), finetuned (the "
            "encoder) or finetuned_top (its last layer)."
        ),
    ] = "softmax"
    entropy_predictor: Annotated[
        str | None,
        Option(
            "Predictor of human entropy: ridge (on frozen vectors; the default) or finetuned (the default "
            "of finetuned).",
        ),
    ] = None  # fmt: skip

    def for_pool(self, pool: "VotePool") -> "LoopSettings":
        """The settings with the votes on each item, where none were given: the usual number of this pool.

        Raises:
            BadInput: More votes on each item are asked for than can be bought.
        """
        if 0 < self.pool_votes < self.votes_each:
            reason = f"--votes-each {self.votes_each} is more than --pool-votes {self.pool_votes}"
            raise BadInput(reason, f"use --votes-each {self.pool_votes} or fewer")
        most = min(USUAL_VOTES, self.pool_votes or USUAL_VOTES)
        usual = int(min(most, median(pool.counts.sum(axis=1).tolist())))
        return replace(self, votes_each=self.votes_each or max(usual, 1))

    def check_votes(self, pool_name: str, there: int) -> None:
        """Raise BadInput if the first votes and the budget do not fit the votes of the training items.

        Raises:
            BadInput: One of them does not; the way out is one that works.
        """
        first = f"the first votes alone are {self.first:,}"
        fewer = "use fewer items (--entropy-items, --held-out) or votes (--votes-each) for f_ent"
        if self.first >= there:
            reason = f"{pool_name}: {first}, and the training items have {there:,}"
            raise BadInput(reason, f"{fewer}, or a table with more votes")
        if self.first >= self.budget:
            reason = f"{pool_name}: {first}, and the budget is {self.budget:,}"
            way_out = (
                f"raise the budget (the training items have {counted(there, 'votes')}), or {fewer}"
            )
            raise BadInput(reason, way_out)
        if there < self.budget:
            reason = (
                f"{pool_name}: the training items have {counted(there, 'votes')}; the budget is "
                f"{self.budget:,}"
            )
            way_out = f"use a budget of at most {there:,} and more than {self.first:,}"
            raise BadInput(reason, way_out)

    @property
    def first(self) -> int:
        """Votes before the first round of a strategy with f_ent."""
        return (self.entropy_items + self.held_out_items) * self.votes_each

    @property
    def grid(self) -> tuple[int, ...]:
        """Numbers of votes at which all strategies are measured, from the first to the budget.

        >>> LoopSettings(budget=130, entropy_items=10, votes_each=5).grid
        (50, 60, 70, 80, 90, 100, 110, 120, 130)
        """
        apart = (self.budget - self.first) / (POINTS - 1)
        points = (*(i * apart + self.first for i in range(POINTS - 1)), self.budget)
        steps = (round((point - self.first) / self.every) * self.every for point in points)
        return tuple(dict.fromkeys(min(self.first + step, self.budget) for step in steps))


@dataclass(frozen=True, slots=True)
class LiveSettings(LoopSettings):
    """The settings of a live round: fewer votes, and as many on each test item as on the first items."""

    budget: int = 500
    entropy_items: int = 50
    votes_each: Annotated[int, Option("Votes on each of these and on each test item.", min=1)] = 3
