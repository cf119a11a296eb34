"""How far annotators agree on each question, who answers on a reversed or shifted scale, and true labels."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from tiltmeter.analyses.agreement.annotator_scales import (
    MATTERS,
    SCALE_QUANTITIES,
    answer_range,
    estimates_of_scale,
    scale_checks,
)
from tiltmeter.analyses.agreement.annotators import (
    ANNOTATOR_QUANTITIES,
    answers_of_annotators,
    reversed_annotators,
)
from tiltmeter.analyses.agreement.true_labels import LABEL_QUANTITIES, true_labels
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity, computed, quantity
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.raters.gwet import Weights, gwet_ac2, gwet_inference
from tiltmeter.stats.raters.kappa_and_alpha import (
    Level,
    alpha_inference,
    fleiss_inference,
    fleiss_kappa,
    krippendorff_alpha,
)
from tiltmeter.stats.raters.percent_agreement import (
    draws_agree,
    draws_inference,
    m_of_n_agree,
    m_of_n_inference,
    panel_size,
)

FEW_LEVELS = 10
"""Numbers with more different values are taken as an interval scale."""
SHOWN = 8
"""How many words an error lists at most."""
WEIGHTS: dict[Level, Weights] = {
    "nominal": "identity", "ordinal": "ordinal", "interval": "quadratic", "ratio": "quadratic",
}  # fmt: skip
"""How answers agree in part, for Gwet's coefficient: with the identity it is AC1, else AC2."""
MANY = 4
"""From so many reversed annotators on, they are counted instead of named."""
GIVEN = "as given"
"""The value of the axis `change` for the answers before anything is done about reversed scales."""
LOWEST = quantity(
    "lowest_alpha",
    "Lowest Krippendorff’s α of a question",
    "lowest α",
    counts="questions",
    decimals=2,
)
ALL_AGREE = quantity("all_agree", "All annotators agree", "all agree", unit="%")
ENOUGH_AGREE = quantity("m_of_n_agree", "m annotators agree", "m agree", unit="%")
PAIRS_AGREE = quantity("pairs_agree", "Two annotators agree", "pairs agree", unit="%")
ALPHA = quantity("alpha", "Krippendorff’s α", "α", decimals=2, least=-1, most=1)
KAPPA = quantity("kappa", "Fleiss’ κ", "κ", decimals=2, least=-1, most=1)
GWET = quantity("gwet", "Gwet’s AC", "AC", decimals=2, least=-1, most=1)
PAIRS = quantity("answer_pairs", "Pairs of answers to the same item", "pairs", decimals=0)
PANEL = quantity("panel", "Answers of a full panel", "panel", counts="full panels", decimals=0)
NEEDED = quantity("m", "Equal answers for m-of-n agreement", "m", decimals=0)
QUANTITIES = (
    LOWEST, ALL_AGREE, ENOUGH_AGREE, PAIRS_AGREE, ALPHA, KAPPA, GWET, PAIRS, PANEL, NEEDED,
    *ANNOTATOR_QUANTITIES, *SCALE_QUANTITIES, *LABEL_QUANTITIES,
)  # fmt: skip
Measures: TypeAlias = dict[Quantity, tuple[Callable[[], float], Callable[[], Inference]]]


def rater_agreement(
    judgments: Judgments, *, level: Level | None = None, needed: int | None = None, seed: int = 0
) -> list[Estimate]:
    """Agreement on every question and, where answers have an order, how each annotator uses the scale.

    Scales are checked by question, and annotators over all their answers.

    Panels have one size for the whole file: the most common number of answers per item and question. A
    question with a reversed annotator is reported three more times along the axis `change`: as given, with
    the scale turned round, and without the annotator.

    Args:
        judgments: Answers of at least two annotators.
        level: Level of measurement of all questions. By default words and two numbers are nominal, up to
            ten numbers ordinal, more an interval scale.
        needed: How many answers of a panel must be equal for m-of-n agreement; by default more than half.
        seed: For the scale checks and the true labels.

    Raises:
        BadInput: There is only one annotator, no item has two answers, answers in words are given a level
            of numbers, or `needed` is below 2 or above the size of the panel.
    """
    if len(judgments.annotators) < 2:  # noqa: PLR2004
        raise BadInput("it has one annotator, so there is no agreement", file=judgments.name)
    answered = [(~np.isnan(table)).sum(axis=1) for table in judgments.answers.values()]
    if max(int(counts.max(initial=0)) for counts in answered) < 2:  # noqa: PLR2004
        raise BadInput(
            f"no two of its {counted(len(judgments.annotators), 'annotators')} answered the same "
            "item, so there is no "
            "agreement to measure",
            "give the same items to two people or more: survey serve --overlap 2 does",
            file=judgments.name,
        )
    _check_level(judgments, level)
    raters = _panel(list(judgments.answers.values()))
    if needed is not None and raters is not None and not 2 <= needed <= raters:  # noqa: PLR2004
        way_out = f"ask for 2 to {raters}"
        raise BadInput(f"{needed} of {raters} answers cannot agree: a panel has {raters}", way_out)
    kinds = {question: level or level_of(judgments, question) for question in judgments.answers}
    checks = scale_checks(judgments, kinds, seed)
    people, of_people = answers_of_annotators(judgments, kinds, seed)
    throughout = reversed_annotators(people)
    estimates: list[Estimate] = []
    for question, answers in judgments.answers.items():
        kind = kinds[question]
        measured = partial(
            _measured, question=question, level=kind, raters=raters, needed=needed,
            declared=judgments.declared.get(question, ()),
        )  # fmt: skip
        estimates += measured(answers)
        of_question = checks.get(question, [])
        for check in of_question:
            estimates += estimates_of_scale(check, question, judgments.annotators[check.rater])
        turned = {c.rater for c in of_question if c.reversed}
        active = int((~np.isnan(answers)).any(axis=0).sum())
        if question in checks and len(throughout) >= MATTERS * active:
            turned |= throughout
        # Where half or more look reversed, nobody can say which half it is.
        if 0 < 2 * len(turned) < active:
            estimates += _with_and_without(judgments, question, sorted(turned), raters, measured)
        if kind == "nominal":
            estimates += true_labels(judgments, question, seed=seed)
    estimates += of_people
    return [_lowest(estimates, len(judgments.answers)), *estimates]


def _with_and_without(
    judgments: Judgments,
    question: str,
    reversed_raters: Sequence[int],
    raters: int | None,
    measured: Callable[..., Iterator[Estimate]],
) -> Iterator[Estimate]:
    """The agreement as given, with reversed scales turned round, and without their annotators."""
    answers = judgments.answers[question]
    named = [judgments.annotators[rater] for rater in reversed_raters]
    who = " and ".join(named) if len(named) < MANY else counted(len(named), "annotators")
    low, high = answer_range(answers, judgments.declared.get(question, ()))
    turned = answers.copy()
    turned[:, reversed_raters] = low + high - answers[:, reversed_raters]
    rest = np.delete(answers, reversed_raters, axis=1)
    fewer = None if raters is None else max(2, raters - len(reversed_raters))
    yield from measured(answers, change=GIVEN)
    yield from measured(turned, change=f"with {who} reversed")
    yield from measured(rest, raters=fewer, change=f"without {who}")


def _check_level(judgments: Judgments, level: Level | None) -> None:
    """Refuse a level of numbers for answers in words, which at most have an order."""
    if level in {None, "nominal"}:
        return
    for question, words in judgments.words.items():
        if level == "ordinal" and question in judgments.ordered:
            continue
        way_out = "leave out --level"
        if level == "ordinal":
            way_out = (
                f"give their order, from low to high, with --order: {', '.join(words[:SHOWN])}"
            )
        raise BadInput(f"{question!r} has answers that are not numbers", way_out)


def _lowest(estimates: Sequence[Estimate], questions: int) -> Estimate:
    alphas = [e for e in estimates if e.name == ALPHA.name and [*e.groups] == ["question"]]
    known = [e.value for e in alphas if e.value is not None]
    return LOWEST.at(min(known, default=None), n=questions, why="" if known else alphas[0].why)


def _panel(tables: Sequence[Array]) -> int | None:
    try:
        return panel_size(np.concatenate(tables))
    except Undefined:
        return None


def level_of(judgments: Judgments, question: str) -> Level:
    """The level of measurement that the answers to a question have as they are."""
    answers = judgments.answers[question]
    values = len(judgments.declared.get(question, ()) or np.unique(answers[~np.isnan(answers)]))
    is_words = question in judgments.words and question not in judgments.ordered
    if is_words or values <= 2:  # noqa: PLR2004
        return "nominal"
    return "ordinal" if values <= FEW_LEVELS else "interval"


def _measured(
    answers: Array,
    *,
    question: str,
    level: Level,
    raters: int | None,
    needed: int | None,
    declared: Sequence[float] = (),
    change: str = "",
) -> Iterator[Estimate]:
    """Agreement on one question by every coefficient, over full panels or all items with two answers."""
    counts = (~np.isnan(answers)).sum(axis=1)
    full = answers[counts == raters]
    weights = WEIGHTS[level]
    # Without panels, 2 is the least panel there can be: the coefficients below are undefined and say why.
    n = raters or 2
    m = min(needed or n // 2 + 1, n)
    several = int((counts >= 2).sum())  # noqa: PLR2004
    groups = {"question": question, **({"change": change} if change else {})}
    of_panels: Measures = {
        ALL_AGREE: (
            lambda: m_of_n_agree(answers, n, n), lambda: m_of_n_inference(answers, n, n)
        ),
        ENOUGH_AGREE: (
            lambda: m_of_n_agree(answers, m, n), lambda: m_of_n_inference(answers, m, n)
        ),
        KAPPA: (lambda: fleiss_kappa(full), lambda: fleiss_inference(full)),
    }  # fmt: skip
    of_items: Measures = {
        PAIRS_AGREE: (lambda: draws_agree(answers), lambda: draws_inference(answers)),
        ALPHA: (
            lambda: krippendorff_alpha(answers, level=level),
            lambda: alpha_inference(answers, level=level),
        ),
        GWET: (
            lambda: gwet_ac2(answers, weights=weights, declared=declared),
            lambda: gwet_inference(answers, weights=weights, declared=declared),
        ),
    }
    if raters is not None:
        yield PANEL.at(raters, n=len(full), groups=groups)
        yield NEEDED.at(m, groups=groups)
    yield PAIRS.at(int((counts * (counts - 1) // 2).sum()), n=several, groups=groups)
    for numbers, of in ((of_panels, len(full)), (of_items, several)):
        for agreement, (number, inference) in numbers.items():
            yield agreement.at(*computed(number, inference), n=of, groups=groups)
