"""Everything that a folder of active-learning runs says, computed once for every renderer."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tiltmeter.active.curves import Curves
from tiltmeter.active.entropy_predictor import EntropyBudget
from tiltmeter.active.paper_claims import PaperClaim
from tiltmeter.active.run_files import VoteQuery
from tiltmeter.active.run_manifest import RunManifest
from tiltmeter.active.targets import TargetTable, VotesRatio
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array

MEASURES: Mapping[str, str] = {
    "excess_log_loss": "excess log loss",
    "js_nats": "Jensen-Shannon divergence",
}
"""Losses that are compared, the headline first, and what each is."""


@dataclass(frozen=True, slots=True)
class MeasureResult:
    """What one measure of loss says about all strategies."""

    curves: Curves
    targets: tuple[TargetTable, ...]
    """1.05 × the best loss; where the fit to every vote is known also 90 % of that gap."""
    ratios: tuple[VotesRatio, ...]
    """Votes of `against` per vote of each other strategy, to each target."""
    differences: tuple[Estimate, ...]
    """In mean loss, of each other strategy less `against`."""

    @property
    def main_target(self) -> TargetTable:
        """The first target that some strategy does not reach at the start already."""
        open_ = (t for t in self.targets if not all(row.at_start for row in t.votes))
        return next(open_, self.targets[0])


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What a pool says about one claim."""

    claim: PaperClaim
    measure: str
    """The loss by which votes were counted; "" for claims that need none."""
    estimate: Estimate
    """n counts seeds. An end is None where there is no limit, or no interval."""
    word: str
    """One of the claim's words; "" where it was not tested, for the reason in the estimate."""
    bears_out: bool | None
    """Whether the claim is borne out; None where nothing speaks for or against it."""
    censored: str = ""
    """"above" or "below": on which side of the value the true ratio lies."""


@dataclass(frozen=True, slots=True)
class PoolResult:
    """Everything that is shown of one folder of runs."""

    folder: Path
    manifest: RunManifest
    against: str
    """The strategy with which others are compared; "" where there is only one."""
    seeds: tuple[int, ...]
    votes: tuple[int, ...]
    """The numbers of votes at which all strategies were measured."""
    measures: Mapping[str, MeasureResult]
    again: Mapping[str, Array]
    """Share of votes on items that had one, by strategy; (seeds, points − 1)."""
    underestimated: Mapping[str, Array]
    """Share of votes with f_ent(x) > H(f(x)), for strategies with f_ent; (seeds, points − 1)."""
    skill: Mapping[str, Array]
    """1 − MSE / MSE of the mean of f_ent, by strategy; one a seed."""
    floor: float | None
    """The divergence that the true distributions themselves would score, in nats."""
    verdicts: tuple[ClaimVerdict, ...] = ()
    queries: tuple[VoteQuery, ...] = ()
    """The first votes that were chosen, of the first seed, strategy by strategy."""
    budgets: tuple[EntropyBudget, ...] = ()
    """How well f_ent predicts with budgets of several sizes."""
    notes: tuple[str, ...] = ()

    @property
    def disagreement(self) -> float:
        """Probability that two votes on an item differ; NaN where it is not known."""
        value = self.manifest.pool.get("disagreement")
        return float(value) if isinstance(value, int | float) else float("nan")
