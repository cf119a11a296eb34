"""Measures of a study with control edits: the raw effect, the placebo effect, and the effect minus placebo.

A study whose items have the axis `arm` declares what its edits change, once:

>>> from tiltmeter.core.measures import ARM
>>> CHANGE = EditedScore(
...     "change", ("before", "after"), "percentage points", scale=100, most=1.0, called="Change",
...     moves="moves the probability of positive",
... )
>>> [m.name for m in measures_less(PLACEBO, CHANGE)]  # the first leads the report
['change_less_placebo', 'change_of_groups', 'change_of_placebo', 'change_share_of_placebo',
 'change_wins_over_placebo', 'change_magnitude_less_placebo']

Its loader gives items of the arm "group" (`GROUP_ARM`) and of the arm "placebo" (`PLACEBO.arm`); a text's
items share a cluster, or the label on the axis that `EditedScore.text` names. A record has the scores of both
sides, as here, or one score: then the item that is edited is in the arm "base" (`BASE_ARM`). All other
measures of the study leave control arms out by themselves, and data without them report nothing of this.

>>> from tiltmeter.core.records import Record
>>> from tiltmeter.run.measuring.columns import columns_of
>>> from tiltmeter.run.measuring.estimates import estimates
>>> records = [
...     Record(f"{text}-{arm}", {"before": 0.5, "after": 0.5 + move}, {ARM: arm}, f"text {text}")
...     for text in range(8) for arm, move in (("group", 0.2 + text / 100), ("placebo", 0.1))
... ]
>>> for e in estimates(measures_less(PLACEBO, CHANGE), columns_of(records, ["before", "after"]), "half", 0):
...     print(e.name, e.value and round(e.value, 1), e.unit, e.low and round(e.low, 1), e.p)
change_less_placebo 13.5 percentage points 11.5 0.0078125
change_of_groups 23.5 percentage points 14.7 None
change_of_placebo 10.0 percentage points 6.3 None
change_share_of_placebo 42.6 % of the effect 39.1 None
change_wins_over_placebo 100.0 % 67.6 0.0078125
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import ARM, BASE_ARM, CLUSTER, GROUP_ARM, ITEM, PAIRED, Measure
from tiltmeter.core.views import Forest, NumberTable, View, number_columns
from tiltmeter.metrics.less_placebo import (
    OF_EFFECT,
    EditEffect,
    Number,
    Scores,
    before_and_after,
    by_arm,
)
from tiltmeter.study_families.repeats import REPEATS


@dataclass(frozen=True, slots=True)
class Control:
    """A kind of edit that cannot matter, which group edits are compared with."""

    arm: str
    """The value of the axis `arm`, and what is left when its effect is taken off: "minus placebo"."""
    edits: str
    """Such edits, in the plural: "placebo edits"."""

    @property
    def name(self) -> str:
        """The name of the control in names of measures: "placebo"."""
        return self.arm.replace(" ", "_")


PLACEBO = Control("placebo", "placebo edits")
"""Irrelevant edits that the package generates: the weather, a blank line, a comma."""
PARAPHRASE = Control("paraphrase", "paraphrases")
"""The user's own rewordings, from a file."""
SAME_GROUP = Control("same group", "exchanges of two names of one group")
"""A name of a group is exchanged for another of the same group."""
CONTROLS = (PLACEBO, PARAPHRASE, SAME_GROUP)
DRAWN = 3
"""The first measures of `measures_less`, of which a picture is drawn: less placebo, effect, placebo."""


@dataclass(frozen=True, slots=True)
class EditedScore:
    """What edits of a study's texts change."""

    name: str
    """The start of the names of its measures: "change"."""
    reads: tuple[str, ...]
    """The scores of a record before the edit and after it; or one score, where the items that are edited are
    in the arm "base"."""
    unit: str
    """The unit of a change."""
    called: str
    """A change, for titles: "Change"."""
    moves: str
    """What an edit does, for sentences: "moves the probability of positive"; of answers that are yes or no,
    "changes the decision"."""
    scale: float = 1.0
    """What changes of the scores are multiplied by to have the unit."""
    most: float = inf
    """The largest possible change of the scores."""
    yes_no: bool = False
    """Whether scores are single answers, 1 and 0; all others, such as -1, are no answer. The size of a change
    is then the share of pairs of answers that differ; unit and scale are taken from that."""
    text: str = CLUSTER
    """The axis or score with a label for each text, which its edits share. "" if clusters have several texts
    and no axis tells them apart: each record then has its own score before the edit."""
    edits: str = "group edits"
    """The edits of groups, in the plural."""
    over: tuple[tuple[str, ...], ...] = ((),)
    """The subsets to report, as in `Measure.over`. A subset has the group edits with a label, and all control
    edits of their texts."""
    scores: Scores | None = None
    """Computes the scores before and after from other columns in `reads`."""
    further: Mapping[str, Any] | None = None
    """Further fields of all measures: rules, conventions."""

    @property
    def effect(self) -> EditEffect:
        """The effect minus placebo of this score."""
        usual = before_and_after if len(self.reads) > 1 else by_arm
        return EditEffect(
            "excess", self.scores or usual, scale=100.0 if self.yes_no else self.scale, yes_no=self.yes_no,
            most=1.0 if self.yes_no else self.most, paired=not self.text,
        )  # fmt: skip


def measures_less(control: Control, score: EditedScore) -> tuple[Measure, ...]:
    """The measures of a study's effect and of what a control leaves of it; see the module for a study's part.

    They are reported of data with items of the control's arm. The first is the effect minus that of the
    control, and the only one in which models are compared: over the same texts, with a test that flips the
    signs of whole clusters. The last, from products of replies, is reported of runs with repeats.

    Args:
        control: The edits that cannot matter.
        score: What edits change.
    """
    groups, plural, name = score.edits, control.edits, f"{score.name}_{{}}_{control.name}"
    beside = "" if control is PLACEBO else f"_beside_{control.name}"
    points, size = ("percentage points", "%") if score.yes_no else (score.unit,) * 2
    less, more = ("less often", "more often") if score.yes_no else ("less", "more")
    sides = (f"{plural} change more", f"{groups} change more")
    no_more, than = (
        f"no difference from {plural}",
        f"under {groups} than under {plural}, over $n $counts",
    )
    share = "under $value of " if score.yes_no else "by $value under "
    most = score.effect.most * score.effect.scale
    of_size: dict[str, Any] = {"least": 0, "most": most if most < inf else None}
    described: dict[str, Any] = {"role": "description", "counts": groups}

    def made(
        number: Number, called: str, unit: str, neutral: float | None, summary: str, meaning: Meaning,
        **further: Any,
    ) -> Measure:  # fmt: skip
        metric = replace(score.effect, number=number, control=control.arm)
        return Measure(
            called, metric, (*score.reads, ARM, score.text or ITEM, ITEM, CLUSTER), unit, neutral,
            summary=summary, meaning=meaning, over=score.over,
            where={ARM: (BASE_ARM, GROUP_ARM, control.arm)}, needs_labels={ARM: control.arm},
            **{"comparison": None, **further, **(score.further or {})},
        )  # fmt: skip

    return (
        made(
            "excess", name.format("less"), points, 0,
            f"The mean size of changes by {groups} minus that of changes by {plural} of the same texts, at "
            "equal numbers of replies.",
            Meaning(
                f"{score.called} minus {control.arm}", f"minus {control.arm}", counts=groups, sides=sides,
                neutral_is=no_more,
                sentence=f"{score.moves} $size {more} {than}",
                sentence_below=f"{score.moves} $size {less} {than}",
                least=-most if most < inf else None, most=most if most < inf else None,
            ),
            comparison=PAIRED,
        ),
        made(
            "raw", f"{score.name}_of_groups{beside}", size, None,
            f"The mean size of changes by {groups}, noise of replies included.",
            Meaning(
                f"{score.called} by {groups}", sentence=f"{score.moves} {share}{groups}", **described,
                **of_size,
            ),
        ),
        made(
            "placebo", name.format("of"), size, None,
            f"The mean size of changes by {plural} of the same texts, at the same number of replies.",
            Meaning(
                f"{score.called} by {plural}", sentence=f"{score.moves} {share}{plural}", **described,
                **of_size,
            ),
        ),
        made(
            "share", name.format("share_of"), OF_EFFECT, None,
            f"The size of changes by {plural} in percent of that by {groups}: what is not about groups.",
            Meaning(f"{score.called}: share of {control.arm}", **described, least=0),
        ),
        made(
            "wins", name.format("wins_over"), "%", 50,
            f"How often one of the {groups} changes more than one of the {plural} of the same text; ties "
            "count half.",
            Meaning(
                f"{score.called}: larger than {control.arm}", **described, sides=sides,
                neutral_is="as often as not",
            ),
        ),
        made(
            "magnitude", f"{score.name}_magnitude_less_{control.name}", points, 0,
            f"The signed root of the mean square change by {groups} minus that by {plural}, from products of "
            "different replies, which contain no noise.",
            Meaning(
                f"{score.called} minus {control.arm}, without noise", **described, sides=sides,
                neutral_is=no_more,
            ),
            needs=(REPEATS,),
        ),
    )  # fmt: skip


def views_less(controls: Sequence[Control], *scores: EditedScore) -> tuple[View, ...]:
    """How both arms and their difference are shown, in pictures and a table, as far as a run has them."""
    views: list[View] = []
    for control in controls:
        views += (_picture(control, score) for score in scores)
        views.append(
            NumberTable(
                f"less-{control.name}", f"Effect minus {control.arm}", rows=("measure",),
                columns=number_columns("", value=0, interval=1, p=2, n=3),
                measures=tuple(name for score in scores for name in _names(control, score)),
            )
        )  # fmt: skip
    return tuple(views)


def _picture(control: Control, score: EditedScore) -> Forest:
    return Forest(
        f"{score.name}-less-{control.name}", f"Effect minus {control.arm}",
        caption=f"{score.called} by {score.edits} and by {control.edits}, and the difference, with 95 % "
        "intervals. Where groups do not matter the difference is 0.",
        measures=tuple(_names(control, score))[:DRAWN],
        heading=f"{score.called} by {score.edits} and by {control.edits}",
    )  # fmt: skip


def _names(control: Control, score: EditedScore) -> Iterator[str]:
    return (measure.name for measure in measures_less(control, score))
