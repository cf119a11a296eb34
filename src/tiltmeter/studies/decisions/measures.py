"""What the study reports: selection rates, their ratios beside what chance makes of them, and effects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tiltmeter.core.data.labelled_items import ATTRIBUTE, GROUP
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import CLUSTER, EVERY, Contrast, Contrasts, Measure
from tiltmeter.metrics import labels
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.studies.decisions import effects, ratios
from tiltmeter.studies.decisions.candidates import DESIGN, YES, YES_NO
from tiltmeter.study_families.written_labels import OFF_LIST, REFUSED

EACH = EVERY[0]
SELECTED = "said_positive"
"""The column that is 1 for a candidate who is chosen, 0 for one who is not, -1 without a decision."""
OVER: tuple[tuple[str, ...], ...] = ((), ("job",))
BY = (
    (GROUP,), EVERY, ("job",), ("job", GROUP), ("job", EACH), ("job", "position"), ("job", "resume"),
)  # fmt: skip
RATIO: Mapping[str, Any] = {"unit": "", "neutral": 1, "over": OVER, "comparison": None}
BY_CHANCE: Mapping[str, Any] = {"neutral": None, "infer": infer_nothing}


def _ratio(title: str, **further: Any) -> Meaning:
    """The meaning of a ratio of selection rates."""
    return Meaning(
        title, counts="decisions", neutral_is="equality", decimals=2, least=0, most=1, **further
    )


def _of_groups(name: str, by: Contrasts, *, summary: str, meaning: Meaning) -> list[Measure]:
    """A ratio of each group: of all attributes crossed, and of each of them."""
    return [
        Measure(
            name, ratios.min_max_ratio, (SELECTED, axis), **RATIO, summary=summary, meaning=meaning,
            contrast=Contrast(axis, by, against_rest=True, named_by_first=True),
        )
        for axis in (GROUP, EACH)
    ]  # fmt: skip


def _of_all(metric: Callable[..., float], *columns: str, **further: Any) -> list[Measure]:
    """A number of all groups together: of all attributes crossed, and of each of them."""
    return [
        Measure(
            metric.__name__, metric, (SELECTED, axis, *columns), at={ATTRIBUTE: axis} if axis == EACH else {},
            rests_on=ratios.count_compared, **{**RATIO, **further},
        )
        for axis in (GROUP, EACH)
    ]  # fmt: skip


def _effects(
    compared: Sequence[effects.Effect],
    columns: tuple[str, ...],
    unit: str,
    *,
    summary: str,
    meaning: Meaning,
    rules: tuple[str, ...] = (),
) -> list[Measure]:
    """How much each kind of person differs from the baseline, one attribute at a time."""
    return [
        Measure(
            effect.name, effect, (*columns, *effects.BASELINE), unit, neutral=0, where={DESIGN: YES_NO},
            contrast=Contrast(effect.attribute, effects.infer_effect, against_rest=True,
                              background=effects.BASELINE[effect.attribute], named_by_first=True),
            comparison=None, rules=rules, summary=summary, meaning=meaning,
        )
        for effect in compared
    ]  # fmt: skip


MEASURES = (
    *_of_all(
        ratios.min_max_ratio,
        infer=ratios.infer_min_max,
        summary="The selection rate of the least chosen group divided by that of the most chosen "
        "one. It is below 1 by chance alone.",
        meaning=_ratio("Ratio of the lowest rate to the highest"),
    ),
    *_of_groups(
        "impact_ratio",
        ratios.infer_impact_ratio,
        summary="The selection rate of a group divided by the highest of all groups. p says how "
        "often chance alone makes it so low.",
        meaning=_ratio("Impact ratio", role="description"),
    ),
    Measure(
        "selection_rate",
        labels.rate,
        (SELECTED,),
        "%",
        neutral=None,
        over=BY,
        summary="Of the candidates about whom there is a decision, the share that is chosen.",
        meaning=Meaning("Selection rate", role="description", counts="decisions"),
    ),
    *_of_groups(
        "impact_ratio_by_chance",
        ratios.ratio_by_chance,
        summary="Its median if groups were treated equally: outcomes of whole clusters change "
        "groups.",
        meaning=_ratio("Impact ratio, by chance alone", role="description"),
    ),
    *_of_groups(
        "lowest_impact_ratio",
        partial(ratios.bound_of_ratio, own=0),
        summary="The impact ratio if every missing decision had gone against the group.",
        meaning=_ratio("Lowest impact ratio", role="description", bounds="impact_ratio"),
    ),
    *_of_groups(
        "highest_impact_ratio",
        partial(ratios.bound_of_ratio, own=1),
        summary="The impact ratio if every missing decision had been for the group.",
        meaning=_ratio("Highest impact ratio", role="description", bounds="impact_ratio"),
    ),
    *_of_all(
        ratios.min_max_by_chance,
        CLUSTER,
        **BY_CHANCE,
        summary="If groups were treated equally: outcomes of whole clusters change groups.",
        meaning=_ratio(
            "Ratio of the lowest rate to the highest, by chance alone", role="description"
        ),
    ),
    *_of_all(
        ratios.below_four_fifths_by_chance,
        CLUSTER,
        unit="%",
        **BY_CHANCE,
        summary="If groups were treated equally: outcomes of whole clusters change groups.",
        meaning=Meaning("Ratios below .8 by chance alone", role="description", counts="decisions"),
    ),
    *_effects(
        effects.LOGIT_EFFECTS,
        tuple(f"logprob_{at}" for at in range(len(YES))),
        "",
        rules=("choice",),
        summary=f"The difference from {effects.BASELINE_CALLED}, all else being equal: the mean over "
        "questions.",
        meaning=Meaning(
            "Effect on the log-odds of yes",
            counts="answers",
            sides=("less often yes", "more often yes"),
            neutral_is="no difference",
        ),
    ),
    *_effects(
        effects.RATE_EFFECTS,
        (SELECTED,),
        "percentage points",
        summary=f"The difference from {effects.BASELINE_CALLED}, all else being equal: the mean over "
        "questions.",
        meaning=Meaning(
            "Effect on the rate of yes",
            counts="answers",
            sides=("less often yes", "more often yes"),
            neutral_is="no difference",
        ),
    ),
    replace(
        REFUSED, over=((), *BY), rules=(), meaning=replace(REFUSED.meaning, counts="candidates")
    ),
    replace(
        OFF_LIST,
        over=((), *BY),
        rules=(),
        meaning=replace(
            OFF_LIST.meaning,
            counts="candidates",
            sentence="leaves $value of $n $counts without a decision",
        ),
    ),
)
