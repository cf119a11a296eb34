"""How far annotators of generated hypotheses agree on each question, and who turned a scale round."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tiltmeter.analyses.annotations.hypothesis_judgments import (
    MAYBE,
    NO,
    QUESTIONS,
    YES,
    HypothesisJudgments,
)
from tiltmeter.analyses.annotations.judgment_shares import by_value
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity, computed, quantity
from tiltmeter.core.types import Array
from tiltmeter.stats.raters.gwet import gwet_ac1, gwet_inference
from tiltmeter.stats.raters.kappa_and_alpha import Level, alpha_inference, krippendorff_alpha
from tiltmeter.stats.raters.percent_agreement import (
    draws_agree,
    draws_inference,
    m_of_n_agree,
    m_of_n_inference,
)
from tiltmeter.stats.raters.scale_check import scale_check

PANEL = 4
"""So many annotators answered about the hypotheses on which the agreement of all is measured."""
DRAWN = 3
"""So many answers about one hypothesis are drawn at random and compared."""
REVERSED = "reversed"
"""The verdict on an annotator who used a scale the other way round."""
ALL_FOUR = quantity("all_four", "All four agree", "all four", counts="hypotheses", unit="%")
THREE = quantity(
    "three", "Three answers drawn at random are equal", "three", counts="hypotheses", unit="%"
)
PAIR = quantity(
    "pair", "Two answers drawn at random are equal", "pair", counts="hypotheses", unit="%"
)
ALPHA = quantity(
    "alpha", "Krippendorff’s α of the five ordered codes", "α", counts="hypotheses", decimals=2
)
AC1 = quantity("ac1", "Gwet’s AC1 of the three answers", "AC1", counts="hypotheses", decimals=2)
SCALE = quantity(
    "scale_r", "Correlation with the mean of the others", "r", counts="hypotheses", decimals=2
)
AGREEMENT_QUANTITIES = (ALL_FOUR, THREE, PAIR, ALPHA, AC1, SCALE)


def agreement_estimates(judgments: HypothesisJudgments) -> Iterator[Estimate]:
    """Agreement on each question, over all hypotheses and by group."""
    for question in QUESTIONS:
        yield from _panel(judgments, question)
        yield from _panel_by_group(judgments, question)


def _table(judgments: HypothesisJudgments, question: str) -> Array:
    """Answers by item and annotator, of the items that several were asked about; NaN where there is none."""
    people = {name: at for at, name in enumerate(judgments.annotators)}
    items = {name: at for at, name in enumerate(sorted(judgments.panels))}
    codes = np.full((len(items), len(people)), np.nan)
    for row in judgments.rows:
        if row.item in items and question in row.answers:
            codes[items[row.item], people[row.annotator]] = row.answers[question]
    return codes


def three_answers(codes: Array) -> Array:
    """Five codes as three answers: yes (1), not sure (3), no (5).

    >>> three_answers(np.array([1.0, 2.0, 3.0, 4.0, np.nan])).tolist()
    [1.0, 1.0, 3.0, 5.0, nan]
    """
    known = np.where(codes < MAYBE, YES, np.where(codes > MAYBE, NO, MAYBE))
    return np.where(np.isnan(codes), np.nan, known)


def _panel(judgments: HypothesisJudgments, question: str) -> Iterator[Estimate]:
    """Agreement on one question, whose answers count as three: yes, not sure, no."""
    codes = _table(judgments, question)
    three = three_answers(codes)
    # Valid and plausible are yes or no; the answers to all other questions have degrees.
    level: Level = "nominal" if question in {"valid", "plausible"} else "ordinal"
    items = int(((~np.isnan(codes)).sum(axis=1) == PANEL).sum())
    numbers: dict[Quantity, tuple[Callable[[], float], Callable[[], Inference]]] = {
        ALL_FOUR: (
            lambda: m_of_n_agree(three, PANEL, PANEL),
            lambda: m_of_n_inference(three, PANEL, PANEL),
        ),
        THREE: (lambda: draws_agree(three, DRAWN), lambda: draws_inference(three, DRAWN)),
        PAIR: (lambda: draws_agree(three), lambda: draws_inference(three)),
        ALPHA: (
            lambda: krippendorff_alpha(codes, level=level),
            lambda: alpha_inference(codes, level=level),
        ),
        AC1: (lambda: gwet_ac1(three), lambda: gwet_inference(three)),
    }
    for agreement, (number, inference) in numbers.items():
        n = items if agreement is ALL_FOUR else 0
        yield agreement.at(*computed(number, inference), n=n, groups={"question": question})


def _panel_by_group(judgments: HypothesisJudgments, question: str) -> Iterator[Estimate]:
    """Agreement on one question about each group's hypotheses, of which there are few."""
    for (domain, group), rows in by_value(judgments.rows, ("domain", "group")):
        codes = _table(replace(judgments, rows=tuple(rows)), question)
        items = int(((~np.isnan(codes)).sum(axis=1) >= DRAWN).sum())
        if items:
            groups = {"question": question, "domain": domain, "group": group}
            yield THREE.at(draws_agree(three_answers(codes), DRAWN), n=items, groups=groups)


def scale_estimates(published: HypothesisJudgments, seed: int) -> Iterator[Estimate]:
    """How each annotator uses the scale of each question, as published."""
    for question in QUESTIONS:
        yield from _scales(published, question, seed)


def _scales(published: HypothesisJudgments, question: str, seed: int) -> Iterator[Estimate]:
    """How each annotator uses the scale of one question, as published, and which codes only others use."""
    codes = _table(published, question)
    if codes.size == 0 or codes.shape[1] < 2:  # noqa: PLR2004
        return
    used = {
        who: {int(row.answers[question]) for row in published.rows
              if row.annotator == who and question in row.answers}
        for who in published.annotators
    }  # fmt: skip
    every = set().union(*used.values())
    for check in scale_check(codes, rng=np.random.default_rng(seed), level="ordinal"):
        who = published.annotators[check.rater]
        never = ", ".join(map(str, sorted(every - used[who])))
        yield SCALE.at(
            check.r, check.r_interval, n=check.items, why=never and f"never uses {never}",
            verdict=REVERSED if check.reversed else "", groups={"question": question, "annotator": who},
        )  # fmt: skip
