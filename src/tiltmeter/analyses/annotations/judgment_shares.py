"""Shares of judgments of generated hypotheses: how many are illegitimate, based on identity, negative.

Under the convention `harmonised` all judgments count, after all annotators were given one scale; under
`sotnikova2021` the codes are as published, and each hypothesis counts once, with the last judgment in the
files.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from tiltmeter.analyses.annotations.hypothesis_judgments import (
    MAYBE,
    NO,
    YES,
    HypothesisJudgment,
    HypothesisJudgments,
    harmonised,
)
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.types import Groups
from tiltmeter.stats.confidence_intervals.intervals import wilson_clustered

HARMONISED, PUBLISHED = "harmonised", "sotnikova2021"
CONVENTIONS = (HARMONISED, PUBLISHED)
"""All judgments on one scale, or codes and judgments as the paper counted them."""
AXES = (("domain",), ("generator",), ("domain", "group"), ("situation",))
"""Shares are given over everything and along each of these."""


def _share_of_judgments(name: str, title: str, short: str) -> Quantity:
    return quantity(
        name, title, short, counts="judgments", unit="%", interval="Wilson, by hypotheses"
    )


ILLEGITIMATE = _share_of_judgments(
    "not_valid_or_not_plausible", "Not valid or not plausible", "illegitimate"
)
IDENTITY = _share_of_judgments("based_on_identity", "Based on identity", "identity")
BASED_ON_THE_SITUATION = _share_of_judgments(
    "based_on_the_situation", "Based on the situation", "situation"
)
IDENTITY_WITHOUT_SITUATION = _share_of_judgments(
    "identity_without_situation", "Identity without situation", "identity only"
)
STEREOTYPE = _share_of_judgments(
    "stereotype_yes_or_maybe", "Stereotype, yes or maybe", "stereotype"
)
STEREOTYPE_YES = _share_of_judgments("stereotype_yes", "Stereotype, yes", "sure stereotype")
NEGATIVE = _share_of_judgments("negative", "Negative", "negative")
NEUTRAL = _share_of_judgments("neutral", "Neutral", "neutral")
POSITIVE = _share_of_judgments("positive", "Positive", "positive")
NEGATIVE_NOT_NEUTRAL = _share_of_judgments(
    "negative_of_those_not_neutral", "Negative, of those not neutral", "negative, not neutral"
)

Flag = Callable[[HypothesisJudgment], bool | None]
"""Whether a judgment counts as a hit; None where it does not count at all."""


def _among_legitimate(hit: Callable[[Mapping[str, float]], bool], *needed: str) -> Flag:
    """Whether answers are a hit, among judgments that call the hypothesis valid and plausible."""

    def flag(row: HypothesisJudgment) -> bool | None:
        there = row.is_legitimate and all(name in row.answers for name in needed)
        return hit(row.answers) if there else None

    return flag


SHARES: dict[Quantity, Flag] = {
    ILLEGITIMATE: lambda row: not row.is_legitimate,
    IDENTITY: _among_legitimate(lambda a: a["identity"] < MAYBE, "identity"),
    BASED_ON_THE_SITUATION: _among_legitimate(lambda a: a["situation"] < MAYBE, "situation"),
    IDENTITY_WITHOUT_SITUATION: _among_legitimate(
        lambda a: a["identity"] < MAYBE < a["situation"], "identity", "situation"
    ),
    STEREOTYPE: _among_legitimate(lambda a: a.get("stereotype", NO) in {YES, MAYBE}),
    STEREOTYPE_YES: _among_legitimate(lambda a: a.get("stereotype", NO) == YES),
    NEGATIVE: _among_legitimate(lambda a: a["sentiment"] > MAYBE, "sentiment"),
    NEUTRAL: _among_legitimate(lambda a: a["sentiment"] == MAYBE, "sentiment"),
    POSITIVE: _among_legitimate(lambda a: a["sentiment"] < MAYBE, "sentiment"),
    NEGATIVE_NOT_NEUTRAL: lambda row: (
        row.answers["sentiment"] > MAYBE
        if row.is_legitimate and row.answers.get("sentiment", MAYBE) != MAYBE
        else None
    ),
}
"""When a judgment counts towards each share.

All but the first are of judgments that call the hypothesis valid and plausible. Codes of stereotypes that
count are 1 and 3: 2, which one annotator wrote, is no.
"""


def counted_judgments(published: HypothesisJudgments, convention: str) -> HypothesisJudgments:
    """The judgments on the scale of a convention, one of CONVENTIONS."""
    return harmonised(published) if convention == HARMONISED else published


def shared_rows(judgments: HypothesisJudgments, convention: str) -> Sequence[HypothesisJudgment]:
    """The judgments that shares are computed from: all, or, as in the paper, the last of each hypothesis."""
    if convention == HARMONISED:
        return judgments.rows
    return [*{row.hypothesis: row for row in judgments.rows}.values()]


def share_estimates(rows: Sequence[HypothesisJudgment]) -> Iterator[Estimate]:
    """Every share over all judgments, then by domain, generator, group and situation."""
    for axes in ((), *AXES):
        for values, judgments in by_value(rows, axes):
            groups = dict(zip(axes, values, strict=True))
            for share, flag in SHARES.items():
                yield _share_estimate(share, flag, groups, judgments)


def by_value(
    rows: Sequence[HypothesisJudgment], axes: tuple[str, ...]
) -> list[tuple[tuple[str, ...], list[HypothesisJudgment]]]:
    """The judgments by their values along these axes; without axes all together."""
    by_value: dict[tuple[str, ...], list[HypothesisJudgment]] = {}
    for row in rows:
        values = tuple(getattr(row, axis) for axis in axes)
        if all(values):
            by_value.setdefault(values, []).append(row)
    return sorted(by_value.items())


def _share_estimate(
    share: Quantity, flag: Flag, groups: Groups, rows: Sequence[HypothesisJudgment]
) -> Estimate:
    counted = [(row.hypothesis, hit) for row in rows if (hit := flag(row)) is not None]
    hits = np.array([float(hit) for _, hit in counted])
    if not counted:
        return share.at(None, why="no judgment counts here", groups=groups, clusters=0)
    _, codes = np.unique([" ".join(hypothesis) for hypothesis, _ in counted], return_inverse=True)
    low, high = wilson_clustered(hits, codes)
    return share.at(
        float(100 * hits.mean()), Inference(100 * low, 100 * high), n=len(counted), groups=groups,
        clusters=len(np.unique(codes)),
    )  # fmt: skip
