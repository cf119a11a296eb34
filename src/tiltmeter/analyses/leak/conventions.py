"""How leakage is computed: our way, the paper’s, and that of its published script."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tiltmeter.analyses.leak.flows import FlowOptions
from tiltmeter.derived.people.rated_cells import MIN_RATERS, Unit

Scaling: TypeAlias = Literal["standardised", "paper"]
PAPER_FACTORS: Mapping[str, float] = {
    "set": 100.0, "set_next": 100.0, "ilps": 10.0, "ilps_star": 10.0, "ilps_gap": 10.0, "ilps_next": 10.0,
    "stated": 0.1, "word": 0.1, "choice": 0.1,
}  # fmt: skip
"""What the paper multiplies scores by, by rule; choices are counted out of 10 and not in %."""


@dataclass(frozen=True, slots=True)
class LeakConvention:
    """A way to compute leakage that has a name."""

    name: str
    summary: str
    flows: FlowOptions = field(default_factory=FlowOptions)
    unit: Unit = "poles"
    min_raters: int = MIN_RATERS
    scaling: Scaling = "standardised"
    asks_like: str = ""
    """The convention under which the runs should have been made, where their study has it; "" for any."""


OURS = LeakConvention(
    "tiltmeter",
    "Groups that too few people of a country rated are left out; random intercepts for traits and "
    "groups; p by Satterthwaite’s degrees of freedom, with Holm’s adjustment over the coefficients of "
    "other countries.",
)  # fmt: skip
SOTNIKOVA2023 = LeakConvention(
    "sotnikova2023",
    "As the paper’s text: random intercepts for traits only, p without adjustment, scores times 100 "
    "(SeT) or 10 (ILPS). The paper does not say what missing ratings are; here their groups are left "
    "out.",
    flows=FlowOptions(group_intercepts=False, adjust=False), scaling="paper",
)  # fmt: skip
CAO2023_CODE = LeakConvention(
    "cao2023_code",
    "As the published script: missing ratings are 0, poles, random intercepts for traits only, p by "
    "the normal distribution and without adjustment, scores times 100 (SeT) or 10 (ILPS). With ratings "
    "of 0 for people who were not asked there is no correction for noise and no placebo.",
    flows=FlowOptions(missing="zero", group_intercepts=False, adjust=False, normal=True),
    scaling="paper", asks_like="cao2023_code",
)  # fmt: skip
CONVENTIONS = {convention.name: convention for convention in (OURS, SOTNIKOVA2023, CAO2023_CODE)}
