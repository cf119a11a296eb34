"""Agreement within and between groups of annotators, and with which group a judge agrees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tiltmeter.analyses.agreement.annotator_scales import answer_range
from tiltmeter.analyses.agreement.rater_agreement import ALPHA, GWET, PAIRS_AGREE, WEIGHTS
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import computed, quantity
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.data.people.judge_answers import JudgeAnswers
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE
from tiltmeter.stats.raters.group_agreement import (
    JudgeAndGroup,
    TwoGroups,
    likeness,
    ratings_by_item,
)
from tiltmeter.stats.raters.gwet import gwet_ac2, gwet_inference
from tiltmeter.stats.raters.judge_errors import crossed_inference
from tiltmeter.stats.raters.kappa_and_alpha import Level, alpha_inference, krippendorff_alpha
from tiltmeter.stats.raters.percent_agreement import draws_agree, draws_inference

MORE, LESS = "more", "less"
"""Verdicts: with which side a judge agrees significantly more."""
UNEQUAL = 2.0
"""From so many times as many answers of one group as of another, a note says so."""
PEOPLE = quantity("group_people", "People", "people", counts="answers", decimals=0)
BETWEEN_AGREE = quantity(
    "between_agree", "Agreement between people of two groups", "between", unit="%"
)
BETWEEN_KAPPA = quantity(
    "between_kappa", "κx between two groups", "κx", decimals=2, least=-1, most=1
)
JUDGE_AGREES = quantity(
    "judge_agrees", "Agreement of the judge with the group", "judge agrees", unit="%"
)
JUDGE_DIFFERENCE = quantity(
    "judge_agrees_more",
    "Agreement of the judge with the group minus that with everybody else",
    "group minus others",
    unit="points",
)
GROUP_QUANTITIES = (PEOPLE, BETWEEN_AGREE, BETWEEN_KAPPA, JUDGE_AGREES, JUDGE_DIFFERENCE)


@dataclass(frozen=True, slots=True)
class AnnotatorGroups:
    """The annotators by what a column, or several crossed, says of them."""

    attribute: str
    members: Mapping[str, Sequence[int]]
    """By value: the numbers of the annotators. Those of whom it says nothing are in no group."""

    @property
    def known(self) -> list[int]:
        """The numbers of all annotators in a group, ascending."""
        return sorted(i for group in self.members.values() for i in group)


def annotator_groups(people: Judgments, columns: Sequence[str]) -> AnnotatorGroups:
    """The groups by columns of the table, crossed where there are several.

    Raises:
        BadInput: All annotators are in one group, or in none.
    """
    attribute = " × ".join(columns)
    members: dict[str, list[int]] = {}
    for i, values in enumerate(zip(*(people.attributes[c] for c in columns), strict=True)):
        if all(values):
            members.setdefault(" × ".join(values), []).append(i)
    if len(members) < 2:  # noqa: PLR2004
        what = f"all are {next(iter(members))!r}" if members else "it is empty"
        raise BadInput(
            f"{attribute!r} does not divide the annotators: {what}",
            "name a column with two values or more with --by",
            file=people.name,
        )
    return AnnotatorGroups(attribute, {name: members[name] for name in sorted(members)})


def group_numbers(
    people: Judgments, groups: AnnotatorGroups, question: str, level: Level
) -> Iterator[Estimate]:
    """Agreement on one question within each group and between each two."""
    answers, weights = people.answers[question], WEIGHTS[level]
    declared = people.declared.get(question, ())
    extent = extent_of(people, question, level)
    for name, members in groups.members.items():
        mine = answers[:, list(members)]
        at = {"question": question, "attribute": groups.attribute, "group": name}
        counts = (~np.isnan(mine)).sum(axis=1)
        several = int((counts >= 2).sum())  # noqa: PLR2004
        active = int((~np.isnan(mine)).any(axis=0).sum())
        yield PEOPLE.at(active, n=int(counts.sum()), groups=at)
        for of, number, inference in (
            (PAIRS_AGREE, lambda m=mine: draws_agree(m), lambda m=mine: draws_inference(m)),
            (
                ALPHA, lambda m=mine: krippendorff_alpha(m, level=level),
                lambda m=mine: alpha_inference(m, level=level),
            ),
            (
                GWET, lambda m=mine: gwet_ac2(m, weights=weights, declared=declared),
                lambda m=mine: gwet_inference(m, weights=weights, declared=declared),
            ),
        ):  # fmt: skip
            yield of.at(*computed(number, inference), n=several, groups=at)
    for (name, members), (other, others) in combinations(groups.members.items(), 2):
        at = {
            "question": question, "attribute": groups.attribute, "group": name, "other": other,
        }  # fmt: skip
        try:
            both = TwoGroups.of(answers[:, list(members)], answers[:, list(others)], extent)
        except Undefined as none:
            yield BETWEEN_AGREE.at(None, why=str(none), groups=at)
            yield BETWEEN_KAPPA.at(None, why=str(none), groups=at)
            continue
        n = len(both.first)
        yield BETWEEN_AGREE.at(*computed(both.agreement, both.agreement_inference), n=n, groups=at)
        yield BETWEEN_KAPPA.at(
            *computed(both.cross_kappa, both.cross_kappa_inference), n=n, groups=at
        )


def judge_group_numbers(
    people: Judgments, judge: JudgeAnswers, groups: AnnotatorGroups, question: str, level: Level
) -> Iterator[Estimate]:
    """How far a judge agrees with each group, and the difference from everybody else in a group."""
    extent = extent_of(people, question, level)
    table = likeness(people.answers[question], judge.answers[question][:, None], extent)
    known = groups.known
    place = {rater: i for i, rater in enumerate(known)}
    table = table[:, known]
    # With two groups the two differences are the same but for their sign: one test.
    tests = len(groups.members) if len(groups.members) > 2 else 1  # noqa: PLR2004
    strict = 1 - (1 - CONFIDENCE) / tests
    for name, members in groups.members.items():
        at = {
            "question": question, "judge": judge.name, "attribute": groups.attribute, "group": name,
        }  # fmt: skip
        mine = [place[rater] for rater in members]
        n = int((~np.isnan(table[:, mine])).any(axis=1).sum())
        try:
            rated = ratings_by_item(table[:, mine])
            agreement, spread = rated.mean, crossed_inference(rated)
            yield JUDGE_AGREES.at(100 * agreement, spread.times(100), n=n, groups=at)
            side = JudgeAndGroup.of(table, mine)
            difference, interval = side.value, side.inference()
            decided = side.inference(strict)
            verdict = ""
            if decided.low is not None and decided.high is not None:
                verdict = MORE if decided.low > 0 else LESS if decided.high < 0 else ""
            yield JUDGE_DIFFERENCE.at(
                100 * difference, interval.times(100), n=side.items, groups=at, verdict=verdict
            )
        except Undefined as none:
            yield JUDGE_DIFFERENCE.at(None, Inference(None, None), why=str(none), groups=at)


def extent_of(people: Judgments, question: str, level: Level) -> float:
    """The range of a scale over which distances count; 0 for labels, which are equal or not."""
    if level == "nominal":
        return 0.0
    low, high = answer_range(people.answers[question], people.declared.get(question, ()))
    return high - low


def group_notes(people: Judgments, groups: AnnotatorGroups, question: str) -> Iterator[str]:
    """Who was asked: annotators without a group, unequal groups, and items that only one group saw."""
    given = ~np.isnan(people.answers[question])
    about = f"{question}, {groups.attribute}"
    unknown = given[:, [i for i in range(given.shape[1]) if i not in groups.known]]
    if unknown.any():
        people_out = int(unknown.any(axis=0).sum())
        yield f"{about}: in no group are {counted(people_out, 'annotators')}, of whom the table says nothing."
    answers = {name: int(given[:, list(m)].sum()) for name, m in groups.members.items()}
    most, least = max(answers, key=answers.__getitem__), min(answers, key=answers.__getitem__)
    if answers[most] >= UNEQUAL * max(answers[least], 1):
        yield (
            f"{about}: {counted(answers[most], 'answers', 'are')} from {most} and "
            f"{answers[least]:,} from {least}. "
            "Majorities and the agreement of all annotators mostly show the former; agreement within and "
            "between groups and the judge’s differences do not."
        )
    seen = _seen_by(given, groups)
    alone = int((seen == 1).sum())
    if alone:
        yield (
            f"{about}: of {counted(int((seen > 0).sum()), 'items')} {alone:,} had answers of one group only. "
            "They count neither between groups nor in differences, which would compare different items."
        )


def _seen_by(given: Array, groups: AnnotatorGroups) -> Array:
    """How many groups answered each item, shape (items,)."""
    columns = [given[:, list(members)].any(axis=1) for members in groups.members.values()]
    return np.asarray(np.stack(columns).sum(axis=0))
