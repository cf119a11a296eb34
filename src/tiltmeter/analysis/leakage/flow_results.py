"""Flows between languages: how they are computed, and what is known of each."""

from dataclasses import dataclass

from tiltmeter.analysis.leakage.grids import Missing

PLACEBOS = 100
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class FlowOptions:
    """How leakage is computed."""

    missing: Missing = "complete"
    group_intercepts: bool = True
    """Random intercepts for groups too, not only for traits."""
    adjust: bool = True
    """Holm's correction over the coefficients of other cultures."""
    normal: bool = False
    """p by the normal distribution, without degrees of freedom."""
    factor: float = 1.0
    """Multiplies the model's scores."""
    placebos: int = PLACEBOS
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Placebo:
    """Coefficients of a source where the target's own raters play the model, standardised."""

    mean: float
    low: float
    """Between `low` and `high` lie 95 % of the draws."""
    high: float
    significant: float
    """Share of draws in which it is above 0 with p < .05."""


@dataclass(frozen=True, slots=True)
class CovariateChange:
    """A coefficient without the monolingual model's scores, and how much of it they take."""

    without: float
    difference: float
    """The coefficient without them less the one with them."""
    low: float
    high: float
    """95 % interval of `difference`, by a jackknife over groups."""


@dataclass(frozen=True, slots=True)
class Flow:
    """From the ratings of one culture to a model's scores in one language.

    >>> flow = Flow("ru", "en", 0.02, 5.0, 0.01, 0.03, p=0.01, degrees=500, inflation=2.0)
    >>> flow.standardised, flow.is_leak
    (0.1, True)
    >>> flow.is_solid  # nothing says that it is more than the raters' noise
    False
    """

    source: str
    target: str
    coefficient: float
    """In units of the model's score for each point of rating."""
    spread: float
    """Standard deviation of the ratings over that of the scores: makes coefficients standardised."""
    low: float
    high: float
    """95 % interval of `coefficient`."""
    p: float
    degrees: float
    inflation: float
    """Variance inflation factor."""
    adjusted_p: float | None = None
    placebo: Placebo | None = None
    corrected: float | None = None
    """The coefficient corrected for rater noise."""
    corrected_low: float | None = None
    corrected_high: float | None = None
    why: str = ""
    """Why there is no corrected coefficient."""
    alone: bool = False
    """No other culture was a predictor: what cultures share counts for each of them."""
    change: CovariateChange | None = None
    """Where a monolingual model's scores are a predictor too."""

    @property
    def standardised(self) -> float:
        """The coefficient in standard deviations of both."""
        return self.coefficient * self.spread

    @property
    def final_p(self) -> float:
        """After adjustment, where there is one."""
        return self.p if self.adjusted_p is None else self.adjusted_p

    @property
    def is_own(self) -> bool:
        """From the culture of the language itself."""
        return self.source == self.target

    @property
    def is_significant(self) -> bool:
        """The coefficient is above 0, and p < .05."""
        return self.coefficient > 0 and self.final_p < ALPHA

    @property
    def is_leak(self) -> bool:
        """Another culture's, significant, and not alone."""
        return self.is_significant and not self.is_own and not self.alone

    @property
    def is_solid(self) -> bool:
        """Significant, not alone, and above 0 with the raters' noise taken out, by its interval."""
        corrected = self.corrected_low is not None and self.corrected_low > 0
        return self.is_significant and not self.alone and corrected


@dataclass(frozen=True, slots=True)
class TargetFlows:
    """All flows into one language."""

    target: str
    flows: tuple[Flow, ...]
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    trait_sd: float
    """Standard deviation of the random intercepts; 0 where the best fit has none."""
    group_sd: float
    residual_sd: float
    covariate: Flow | None = None
    """The monolingual model's coefficient; its source is that model."""
    notes: tuple[str, ...] = ()
    explained: float = float("nan")
    """Share of the variance within traits and groups that ratings explain, without a covariate."""
