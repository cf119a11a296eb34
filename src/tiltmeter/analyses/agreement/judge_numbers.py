"""May a judge replace people? The alternative annotator test, and how often it finds each class."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import computed, quantity
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.judge_answers import JudgeAnswers
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.confidence_intervals.intervals import difference_interval, wilson
from tiltmeter.stats.raters.alternative_annotator import (
    FEWEST_ITEMS,
    AlternativeAnnotator,
    LeftOutAnnotator,
    advantages,
    alternative_annotator_test,
)
from tiltmeter.stats.raters.judge_errors import (
    JudgedShare,
    crossed_inference,
    majority_answers,
    single_answers,
)
from tiltmeter.stats.raters.kappa_and_alpha import Level

PASSED, FAILED, WON, UNTESTED = "passed", "failed", "won", "not tested"
"""Verdicts on a judge, and of one annotator."""
MAJORITY, SINGLE = "majority", "single people"
"""The references of a judge's errors."""
MOST_CLASSES = 20
"""Questions with more different answers have no numbers by class."""
ADJUSTMENT = "Benjamini–Yekutieli"
WINNING_RATE = quantity(
    "winning_rate", "Winning rate of the judge (ω)", "ω", counts="annotators", decimals=2
)
ADVANTAGE = quantity(
    "advantage_probability",
    "Advantage probability of the judge (ρ)",
    "ρ",
    counts="comparisons",
    decimals=2,
    least=0,
    most=1,
)
JUDGE_AS_GOOD = quantity("judge_as_good", "Judge at least as good", "judge as good", unit="%")
PERSON_AS_GOOD = quantity(
    "annotator_as_good", "Annotator at least as good", "annotator as good", unit="%"
)
PERSON_LESS_JUDGE = quantity(
    "annotator_less_judge",
    "Advantage of the annotator minus that of the judge",
    "annotator minus judge",
    unit="points",
    test="one-sided Student’s t against ε",
)
JUDGE_ACCURACY = quantity(
    "judge_accuracy", "Answers that the judge gives too", "agrees", counts="answers", unit="%"
)
SENSITIVITY = quantity(
    "judge_sensitivity", "Sensitivity of the judge", "sensitivity", counts="answers", unit="%"
)
SPECIFICITY = quantity(
    "judge_specificity", "Specificity of the judge", "specificity", counts="answers", unit="%"
)
JUDGE_QUANTITIES = (
    WINNING_RATE, ADVANTAGE, JUDGE_AS_GOOD, PERSON_AS_GOOD, PERSON_LESS_JUDGE,
    JUDGE_ACCURACY, SENSITIVITY, SPECIFICITY,
)  # fmt: skip


def judge_numbers(
    people: Judgments, judge: JudgeAnswers, question: str, level: Level, epsilon: float
) -> Iterator[Estimate]:
    """What one judge's answers to one question come to, beside the people's."""
    ratings, answers = people.answers[question], judge.answers[question]
    at = {"question": question, "judge": judge.name}
    outcome = alternative_annotator_test(
        ratings, answers, epsilon=epsilon, nominal=level == "nominal"
    )
    yield from _test_numbers(people, outcome, at)
    yield from _errors(people, question, answers, at)


def _test_numbers(
    people: Judgments, outcome: AlternativeAnnotator, at: Groups
) -> Iterator[Estimate]:
    rate, nothing = computed(lambda: outcome.winning_rate)
    verdict = "" if rate is None else PASSED if outcome.passed else FAILED
    yield WINNING_RATE.at(rate, nothing, n=len(outcome.tested), groups=at, verdict=verdict)
    wins = advantages(outcome)
    advantage, inference = computed(lambda: outcome.advantage, lambda: crossed_inference(wins))
    yield ADVANTAGE.at(advantage, inference, n=len(wins.values), groups=at)
    for each in outcome.annotators:
        if (~np.isnan(each.judge_wins)).any():
            yield from _of_annotator(
                each, {**at, "annotator": people.annotators[each.rater]}, tested=each.p is not None
            )


def _of_annotator(each: LeftOutAnnotator, at: Groups, *, tested: bool) -> Iterator[Estimate]:
    counted = ~np.isnan(each.judge_wins)
    judge_wins, rater_wins, n = each.judge_wins[counted], each.rater_wins[counted], each.items
    for of, wins in ((JUDGE_AS_GOOD, judge_wins), (PERSON_AS_GOOD, rater_wins)):
        low, high = wilson(float(wins.sum()), n)
        interval = Inference(100 * low, 100 * high, interval="Wilson")
        yield of.at(100 * float(wins.mean()), interval, n=n, groups=at)
    differences = rater_wins - judge_wins
    low, high = difference_interval(differences, np.arange(n), 1.0)
    interval = Inference(100 * low, 100 * high, each.p, interval="score intervals of both parts")
    estimate = PERSON_LESS_JUDGE.at(
        100 * each.difference, interval, n=n, groups=at, p_adjusted=each.p_adjusted,
        verdict=WON if each.won else "" if tested else UNTESTED,
    )  # fmt: skip
    yield replace(estimate, adjustment=ADJUSTMENT) if tested else estimate


def _errors(people: Judgments, question: str, answers: Array, at: Groups) -> Iterator[Estimate]:
    """Agreement, sensitivity and specificity against the majority and against single people."""
    ratings = people.answers[question]
    labels = np.unique(ratings[~np.isnan(ratings)])
    for reference, of in (
        (MAJORITY, majority_answers(ratings, answers)),
        (SINGLE, single_answers(ratings, answers)),
    ):
        groups = {**at, "reference": reference}
        yield JUDGE_ACCURACY.at(*_per_cent(of.agreement()), n=len(of.reference), groups=groups)
        for label in labels if len(labels) <= MOST_CLASSES else ():
            of_label = {**groups, "label": label_of(people, question, label)}
            positive = int((of.reference == label).sum())
            yield SENSITIVITY.at(*_per_cent(of.sensitivity(label)), n=positive, groups=of_label)
            yield SPECIFICITY.at(
                *_per_cent(of.specificity(label)), n=len(of.reference) - positive, groups=of_label
            )


def _per_cent(share: JudgedShare) -> tuple[float | None, Inference]:
    try:
        return 100 * share.value, share.inference().times(100)
    except Undefined as none:
        return None, Inference(None, None, why=str(none))


def label_of(people: Judgments, question: str, value: float) -> str:
    """The answer that a number stands for."""
    words = people.words.get(question)
    return words[int(value)] if words else f"{value:g}"


def left_out_notes(people: Judgments, judge: JudgeAnswers, question: str) -> Iterator[str]:
    """What of a judge's comparison was left out, in sentences."""
    ratings, answers = people.answers[question], judge.answers[question]
    rated = ~np.isnan(ratings).all(axis=1)
    lacking = int((rated & np.isnan(answers)).sum())
    if lacking:
        yield (
            f"{question}: {judge.name} has no answer to {lacking:,} of {counted(int(rated.sum()), 'items')}, "
            f"which {verb_for(lacking, 'are')} left out."
        )
    both = rated & ~np.isnan(answers)
    several = both & ((~np.isnan(ratings)).sum(axis=1) >= 2)  # noqa: PLR2004
    alone = int((both & ~several).sum())
    if alone:
        yield f"{question}: {counted(alone, 'items', 'have')} one person’s answer: no majority, and no test."
    tied = int(several.sum()) - len(majority_answers(ratings, answers).reference)
    if tied:
        yield (
            f"{question}: ties on {counted(tied, 'items')}, which {verb_for(tied, 'are')} left out where the "
            "majority counts."
        )
    usable = (~np.isnan(ratings))[several].sum(axis=0)
    few = [name for name, n in zip(people.annotators, usable, strict=True) if n < FEWEST_ITEMS]
    if few:
        named = ", ".join(few[:8]) + (f" and {len(few) - 8:,} more" if len(few) > 8 else "")  # noqa: PLR2004
        yield (
            f"{question}: {len(few):,} of {counted(len(people.annotators), 'annotators')} "
            f"{verb_for(len(few), 'share')} fewer than "
            f"{FEWEST_ITEMS} items with others and {verb_for(len(few), 'are')} not in the test of "
            f"{judge.name} ({named})."
        )
