"""How often intervals of judges and of groups of annotators contain the true value, and how often a judge
passes the alternative annotator test that is exactly ε worse than the annotators."""

from functools import cache, partial

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from simulations.cases import Case, NullCase
from simulations.intervals import ends
from tiltmeter.analyses.agreement import judge_numbers
from tiltmeter.stats.raters.alternative_annotator import advantages, alternative_annotator_test
from tiltmeter.stats.raters.group_agreement import JudgeAndGroup, TwoGroups, ratings_by_item
from tiltmeter.stats.raters.judge_errors import crossed_inference, majority_answers, single_answers

LARGE = 300_000
JOINED = "score intervals over items and over people, joined"
PEOPLE = {
    "nobody differs": (0.7, 0, 0, 0, 0),
    "items differ": (0.7, 1, 0, 0, 0),
    "people differ": (0.7, 0.5, 0.5, 0, 0),
    "people differ much": (0.7, 0.5, 1, 0, 0),
    "3 % disagree": (0.97, 0.5, 0.3, 0, 0),
    "one in ten agrees in 20 %": (0.9, 0.5, 0.1, 0.1, 0.2),
    "one in twenty never agrees": (0.9, 0.5, 0.1, 0.05, 0),
    "three in ten agree in 20 %": (0.8, 0.5, 0.2, 0.3, 0.2),
    "skewed items": (0.85, 1.5, 0.6, 0, 0),
}
"""How often people agree with the judge, the probit spread of items and of people, the share of odd people,
and how often these agree."""


def agreeing(items, people, each, of, rng, lean):
    """Whether each of `each` people on an item agrees with the judge; NaN for other people."""
    share, _, spread, odd, odd_share = of
    chance = ndtr(ndtri(share) * _scale(of) + lean[:, None] + spread * rng.normal(size=people))
    chance[:, rng.random(people) < odd] = odd_share
    asked = np.argsort(rng.random((items, people)), axis=1) < each
    return np.where(asked, (rng.random((items, people)) < chance) * 1.0, np.nan)


def _scale(of):
    return (1 + of[1] ** 2 + of[2] ** 2) ** 0.5


def expected(of):
    """The true share: the mean over items and people like these."""
    share, _, _, odd, odd_share = of
    return (1 - odd) * share + odd * odd_share


def agrees(items, people, each, of, rng):
    """The agreement of a judge with people, some of whom judged each item."""
    table = agreeing(items, people, each, of, rng, of[1] * rng.normal(size=items))
    return ends(crossed_inference(ratings_by_item(table)), expected(of))


def agrees_more(items, sizes, each, of, other, rng):
    """The same with one group less that with another one, on the same items."""
    lean = of[1] * rng.normal(size=items)
    sides = [
        agreeing(items, people, min(each, people), how, rng, lean)
        for people, how in zip(sizes, (of, other), strict=True)
    ]
    table = np.hstack(sides)
    inference = JudgeAndGroup.of(table, range(sizes[0])).inference()
    return ends(inference, expected(of) - expected(other))


def labelled(items, accuracies, rng, *, classes=3, hard=0.0):
    """Labels of raters who are right so often, fewer on hard items, and a judge, the last of them."""
    truth = rng.integers(classes, size=(items, 1))
    right = rng.random((items, len(accuracies))) < np.asarray(accuracies) - hard * rng.random(
        (items, 1)
    )
    wrong = (truth + rng.integers(1, classes, size=right.shape)) % classes
    labels = np.where(right, truth, wrong) * 1.0
    return labels[:, :-1], labels[:, -1]


@cache
def true_advantage(people, spread, judge):
    """ρ over annotators like these, from many items."""
    rng = np.random.default_rng(1)
    rho = []
    for _ in range(60):
        accuracies = [*_accuracies(people, spread, rng), judge]
        ratings, answers = labelled(2000, accuracies, rng, hard=0.2)
        outcome = alternative_annotator_test(ratings, answers, epsilon=0.1, nominal=True)
        rho.append(outcome.advantage)
    return float(np.mean(rho))


def _accuracies(people, spread, rng):
    return np.clip(0.8 + spread * rng.normal(size=people), 0.4, 1)


def advantage(items, people, spread, judge, rng):
    """ρ of a judge over annotators of whom each is right so often."""
    accuracies = [*_accuracies(people, spread, rng), judge]
    ratings, answers = labelled(items, accuracies, rng, hard=0.2)
    outcome = alternative_annotator_test(ratings, answers, epsilon=0.1, nominal=True)
    return ends(crossed_inference(advantages(outcome)), true_advantage(people, spread, judge))


@cache
def true_of_annotator(accuracies, hard, name):
    return _of_annotator(LARGE, accuracies, hard, name, np.random.default_rng(3)).value


def _of_annotator(items, accuracies, hard, name, rng):
    ratings, answers = labelled(items, accuracies, rng, hard=hard)
    outcome = alternative_annotator_test(ratings, answers, epsilon=0.1, nominal=True)
    numbers = judge_numbers._of_annotator(outcome.annotators[0], {}, tested=True)
    return next(number for number in numbers if number.name == name)


def of_annotator(items, accuracies, hard, name, rng):
    """A number of the test of the first annotator, who is left out."""
    sure = _of_annotator(items, accuracies, hard, name, rng)
    return sure.low, sure.high, true_of_annotator(accuracies, hard, name)


@cache
def true_error(reference, people, spread):
    rng = np.random.default_rng(2)
    shares = [_error(reference, 4000, people, spread, rng).value for _ in range(100)]
    return float(np.mean(shares))


def _error(reference, items, people, spread, rng):
    accuracies = [*_accuracies(people, spread, rng), 0.85]
    ratings, answers = labelled(items, accuracies, rng, hard=0.3)
    of = majority_answers if reference == "majority" else single_answers
    return of(ratings, answers).sensitivity(0.0)


def sensitivity(reference, items, people, spread, rng):
    """A judge's sensitivity for the first of three classes."""
    share = _error(reference, items, people, spread, rng)
    return ends(share.inference(), true_error(reference, people, spread))


def between(items, rates, kappa, rng):
    """Two groups of four people who copy the truth with these probabilities and else guess."""
    truth = (rng.random((items, 1)) < 0.3) * 1.0
    groups = [
        np.where(rng.random((items, 4)) < rate, truth, rng.random((items, 4)) < 0.3)
        for rate in rates
    ]
    both = TwoGroups.of(groups[0] * 1.0, groups[1] * 1.0, 0)
    true = rates[0] * rates[1]
    if kappa:
        return ends(both.cross_kappa_inference(), true)
    return ends(both.agreement_inference(), 100 * (true + (1 - true) * (0.3**2 + 0.7**2)))


def passes(items, people, accuracy, epsilon, rng):
    """Whether a judge passes that is worse than each annotator by exactly ε; labels are yes and no."""
    others = people - 1
    more = float(binom.sf(others / 2, others, accuracy))
    fewer = float(binom.cdf(-(-others // 2) - 1, others, accuracy))
    judge = accuracy - epsilon / (more - fewer)
    assert judge > 0
    ratings, answers = labelled(items, [accuracy] * people + [judge], rng, classes=2)
    outcome = alternative_annotator_test(ratings, answers, epsilon=epsilon, nominal=True)
    return float(not outcome.passed)


SIZES = ((50, 10, 3), (200, 40, 3))
LEFT_OUT = (
    ("are alike", (0.8,) * 5 + (0.9,), 0.2),
    ("are two", (0.8,) * 2 + (0.7,), 0.2),
    ("are nearly always right", (0.98,) * 4 + (0.97,), 0.0),
    ("are worse than the judge", (0.4,) * 4 + (0.95,), 0.2),
    ("guess, as the judge does", (1 / 3,) * 4, 0.0),
)
"""What annotators are like, how often each and at last the judge is right, and how much less often on hard
items."""
CASES = (
    *(Case(JOINED, "judge_agrees", f"{items} items, {each} of {people} people on each, {name}",
           partial(agrees, items, people, each, of), 92, 100, 400)
      for name, of in PEOPLE.items() for items, people, each in SIZES),
    *(Case(JOINED, "judge_agrees_more", f"{items} items, {a} against {b} people, {each} of each, {name}",
           partial(agrees_more, items, (a, b), each, of, other), 92, 100, 400)
      for name, of, other in (
          *((name, of, of) for name, of in PEOPLE.items()),
          ("people differ, 70 and 50 %", PEOPLE["people differ"], (0.5, 0.5, 0.5, 0, 0)),
          ("odd people in one group", PEOPLE["one in ten agrees in 20 %"], (0.9, 0.5, 0.1, 0, 0)),
      )
      for items, a, b, each in ((100, 30, 10, 3),)),
    *(Case(JOINED, "judge_agrees_more", f"50 items, 5 against 5 people, 5 of each, {name}",
           partial(agrees_more, 50, (5, 5), 5, PEOPLE[name], PEOPLE[name]), 92, 100, 400)
      for name in ("people differ much", "three in ten agree in 20 %")),
    *(Case(JOINED, "advantage_probability",
           f"{items} items, {people} annotators who {how}, judge right in {100 * j:.0f} %",
           partial(advantage, items, people, spread, j), 92, 100, 400)
      for items, people, how, spread, j in (
          (50, 5, "are alike", 0.0, 0.9), (50, 5, "differ", 0.1, 0.7), (100, 10, "differ", 0.1, 0.9),
          (100, 10, "differ", 0.1, 0.5),
      )),
    *(Case(JOINED if reference == "single" else "Wilson", f"judge_sensitivity against {named}",
           f"{items} items, {people} people who {how}",
           partial(sensitivity, reference, items, people, spread), 92, 100, 400)
      for reference, named in (("majority", "the majority"), ("single", "single people"))
      for items, people, how, spread in (
          (60, 5, "are alike", 0.0), (60, 8, "differ", 0.1), (200, 8, "differ", 0.1),
      )),
    *(Case("score interval, jackknife over items", of, f"{items} items, two groups of 4 people, {name}",
           partial(between, items, rates, of == "between_kappa"), 92, 100, 400)
      for of in ("between_agree", "between_kappa")
      for items, rates, name in (
          (40, (0.8, 0.8), "κx = .64"), (40, (0.95, 0.95), "κx = .9"), (100, (0.8, 0.3), "κx = .24"),
      )),
    *(Case(kind, of, f"{items} items, annotators who {how}",
           partial(of_annotator, items, accuracies, hard, of), 92, 100, 400)
      for of, kind in (("judge_as_good", "Wilson"), ("annotator_as_good", "Wilson"),
                       ("annotator_less_judge", "score intervals of both parts"))
      for how, accuracies, hard in LEFT_OUT for items in (30, 100)),
)  # fmt: skip
NULL_CASES = tuple(
    NullCase(
        "alternative annotator test", f"judge passes, ε = {epsilon:g}",
        f"{items} items, {people} annotators right in {100 * accuracy:.0f} %",
        partial(passes, items, people, accuracy, epsilon), most, 2000,
    )
    for items, people, accuracy, epsilon, most in (
        (30, 2, 1, 0.1, 25), (100, 2, 1, 0.1, 15), (30, 3, 1, 0.1, 10), (100, 3, 1, 0.1, 10),
        (30, 9, 1, 0.1, 10), (30, 3, 0.95, 0.1, 10), (100, 3, 0.95, 0.1, 8), (30, 3, 0.85, 0.1, 5),
        (30, 3, 0.85, 0.2, 5),
        (100, 3, 0.85, 0.2, 5), (300, 3, 0.85, 0.1, 5), (30, 9, 0.85, 0.1, 5), (100, 9, 0.85, 0.1, 5),
    )
)  # fmt: skip
