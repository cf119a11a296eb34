"""How far annotators agree on each question, who answers on a reversed or shifted scale, and true labels."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.quantity import Quantity, computed, quantities_beside
from tiltmeter.core.results import Estimate, Inference
from tiltmeter.core.types import Array
from tiltmeter.data.people.annotator_answers import Judgments
from tiltmeter.stats.agreement import (
    Level,
    alpha_inference,
    fleiss_inference,
    fleiss_kappa,
    krippendorff_alpha,
)
from tiltmeter.stats.dawid_skene import accuracy_inference, dawid_skene
from tiltmeter.stats.gwet import Weights, gwet_ac2, gwet_inference
from tiltmeter.stats.percent_agreement import (
    draws_agree,
    draws_inference,
    m_of_n_agree,
    m_of_n_inference,
    panel_size,
)
from tiltmeter.stats.scale_check import ScaleCheck, marked, scale_check

FEW_LEVELS = 10
"""Numbers with more different values are taken as an interval scale."""
SHOWN = 8
"""Words that an error lists."""
WEIGHTS: dict[Level, Weights] = {
    "nominal": "identity", "ordinal": "ordinal", "interval": "quadratic", "ratio": "quadratic",
}  # fmt: skip
"""How answers agree in part, for Gwet's coefficient: with the identity it is AC1, else AC2."""
REVERSED, SHIFTED, UNRELATED = "reversed", "shifted", "unrelated"
"""Verdicts on an annotator's scale."""
MATTERS = 0.05
"""Annotators reversed throughout are turned round in a question where at least this share of it is."""
EVERY = ""
"""In place of a question: all of them."""
MANY = 4
"""So many annotators are counted and not named."""
GIVEN = "as given"
"""Of the axis `change`: what else was done with the answers to a question with a reversed annotator."""
NUMBERS = quantities_beside(__file__)
LOWEST = NUMBERS["lowest_alpha"]
ALL_AGREE = NUMBERS["all_agree"]
ENOUGH_AGREE = NUMBERS["m_of_n_agree"]
PAIRS_AGREE = NUMBERS["pairs_agree"]
ALPHA = NUMBERS["alpha"]
KAPPA = NUMBERS["kappa"]
GWET = NUMBERS["gwet"]
PANEL = NUMBERS["panel"]
NEEDED = NUMBERS["m"]
R = NUMBERS["scale_r"]
SLOPE = NUMBERS["scale_slope"]
SHIFT = NUMBERS["scale_shift"]
ALPHA_WITHOUT = NUMBERS["alpha_without"]
ALL_R = NUMBERS["answers_r"]
ALL_SHIFT = NUMBERS["answers_shift"]
ACCURACY = NUMBERS["accuracy"]
GIVEN_SHARE = NUMBERS["given_share"]
TRUE_SHARE = NUMBERS["true_share"]
QUANTITIES = tuple(NUMBERS.values())
Numbers: TypeAlias = dict[Quantity, tuple[Callable[[], float], Callable[[], Inference]]]


def rater_agreement(
    judgments: Judgments, *, level: Level | None = None, needed: int | None = None, seed: int = 0
) -> list[Estimate]:
    """Agreement on every question and, where answers have an order, every annotator's scale.

    Scales are checked by question and, where there are several, over all of an annotator's answers.

    Panels have one size for the whole file: the most common number of answers per item and question. A
    question with a reversed annotator is given three more times, by the axis `change`.

    Args:
        judgments: Of at least two annotators.
        level: Of all questions. By default words and two numbers are nominal, up to ten numbers
            ordinal, more an interval scale.
        needed: How many of a panel must agree, for m-of-n agreement; by default more than half.
        seed: Of the scale checks and the true labels.

    Raises:
        BadInput: There is one annotator only, no item with two answers, a level of numbers for words, or
            `needed` is no part of the panel.
    """
    if len(judgments.annotators) < 2:  # noqa: PLR2004
        raise BadInput("it has one annotator, so there is no agreement", file=judgments.name)
    answered = [(~np.isnan(table)).sum(axis=1) for table in judgments.answers.values()]
    if max(int(counts.max(initial=0)) for counts in answered) < 2:  # noqa: PLR2004
        raise BadInput(
            f"no two of its {len(judgments.annotators)} annotators answered the same item, so there is no "
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
    throughout = {check.rater for check in checks.get(EVERY, ()) if check.reversed}
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
            estimates += _scale(check, question, judgments.annotators[check.rater])
        turned = {c.rater for c in of_question if c.reversed}
        if len(throughout) >= MATTERS * len(of_question):
            turned |= throughout
        if 0 < 2 * len(turned) < len(of_question):
            estimates += _with_and_without(judgments, question, sorted(turned), raters, measured)
        if kind == "nominal":
            estimates += true_labels(judgments, question, seed=seed)
    lowest_first = sorted(
        checks.get(EVERY, ()), key=lambda check: (check.r is None, check.r or 0.0)
    )
    for check in lowest_first:
        estimates += _all_answers(check, judgments.annotators[check.rater])
    return [_lowest(estimates, len(judgments.answers)), *estimates]


def scale_checks(
    judgments: Judgments, kinds: Mapping[str, Level], seed: int
) -> dict[str, list[ScaleCheck]]:
    """Each annotator's scale by question, and under EVERY over all of several questions.

    Marks are adjusted over annotators and questions. Whether answers are unrelated to the others' is said of
    all of an annotator's answers only.
    """
    ordered = {
        question: answers
        for question, answers in judgments.answers.items()
        if question not in judgments.words or question in judgments.ordered
    }
    names = list(ordered)
    tables = [
        scale_check(ordered[name], rng=np.random.default_rng(seed), level=kinds[name])
        for name in names
    ]
    by_question = dict(zip(names, marked(tables), strict=True))
    if len(names) < 2:  # noqa: PLR2004
        return by_question
    by_question = {
        name: [replace(check, unrelated=False) for check in checks]
        for name, checks in by_question.items()
    }
    scaled = [_in_range(ordered[name], judgments.declared.get(name, ())) for name in names]
    every = np.concatenate([table for table in scaled if table is not None] or [np.empty((0, 0))])
    if every.size:
        by_question[EVERY] = scale_check(every, rng=np.random.default_rng(seed), level=None)
    return by_question


def _in_range(answers: Array, declared: Sequence[float]) -> Array | None:
    """The answers with the ends of their range as 0 and 1; None where all are equal."""
    low, high = _ends(answers, declared)
    return (answers - low) / (high - low) if high > low else None


def _ends(answers: Array, declared: Sequence[float]) -> tuple[float, float]:
    """The ends of the declared range, or of the range of the answers."""
    if declared:
        return declared[0], declared[-1]
    if np.isnan(answers).all():
        return 0.0, 0.0
    return float(np.nanmin(answers)), float(np.nanmax(answers))


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
    who = " and ".join(named) if len(named) < MANY else f"{len(named)} annotators"
    low, high = _ends(answers, judgments.declared.get(question, ()))
    turned = answers.copy()
    turned[:, reversed_raters] = low + high - answers[:, reversed_raters]
    rest = np.delete(answers, reversed_raters, axis=1)
    fewer = None if raters is None else max(2, raters - len(reversed_raters))
    yield from measured(answers, change=GIVEN)
    yield from measured(turned, change=f"with {who} turned round")
    yield from measured(rest, raters=fewer, change=f"without {who}")


def _check_level(judgments: Judgments, level: Level | None) -> None:
    """Refuse a level of numbers for words, which at most have an order."""
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
    """The level that the answers to a question have as they are."""
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
    counts = (~np.isnan(answers)).sum(axis=1)
    full = answers[counts == raters]
    weights = WEIGHTS[level]
    n = raters or 2
    m = min(needed or n // 2 + 1, n)
    several = int((counts >= 2).sum())  # noqa: PLR2004
    groups = {"question": question, **({"change": change} if change else {})}
    of_panels: Numbers = {
        ALL_AGREE: (
            lambda: m_of_n_agree(answers, n, n), lambda: m_of_n_inference(answers, n, n)
        ),
        ENOUGH_AGREE: (
            lambda: m_of_n_agree(answers, m, n), lambda: m_of_n_inference(answers, m, n)
        ),
        KAPPA: (lambda: fleiss_kappa(full), lambda: fleiss_inference(full)),
    }  # fmt: skip
    of_items: Numbers = {
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
    for numbers, of in ((of_panels, len(full)), (of_items, several)):
        for agreement, (number, inference) in numbers.items():
            yield agreement.at(*computed(number, inference), n=of, groups=groups)


def _scale(check: ScaleCheck, question: str, annotator: str) -> Iterator[Estimate]:
    """How an annotator uses the scale of a question; the verdict stands on the correlation."""
    groups = {"question": question, "annotator": annotator}
    yield R.at(
        check.r,
        check.r_interval,
        n=check.items,
        groups=groups,
        verdict=_verdict(check),
        why=check.why,
    )
    yield SLOPE.at(check.slope, check.slope_interval, n=check.items, groups=groups)
    yield SHIFT.at(check.shift, check.shift_interval, n=check.items, groups=groups)
    yield ALPHA_WITHOUT.at(check.alpha_without, n=check.items, groups=groups)


def _all_answers(check: ScaleCheck, annotator: str) -> Iterator[Estimate]:
    """How an annotator answers all questions, each on a scale from 0 to 1."""
    groups = {"annotator": annotator}
    yield ALL_R.at(
        check.r,
        check.r_interval,
        n=check.items,
        groups=groups,
        verdict=_verdict(check),
        why=check.why,
    )
    shift = None if check.shift is None else 100 * check.shift
    yield ALL_SHIFT.at(shift, _percent(check.shift_interval), n=check.items, groups=groups)


def _verdict(check: ScaleCheck) -> str:
    verdicts = {REVERSED: check.reversed, UNRELATED: check.unrelated, SHIFTED: check.shifted}
    return next((verdict for verdict, holds in verdicts.items() if holds), "")


def true_labels(judgments: Judgments, question: str, *, seed: int = 0) -> Iterator[Estimate]:
    """Fit `stats.dawid_skene` to the answers to one question, each value being a label.

    Accuracies are by question and annotator, shares by question and label. Where nothing is identified,
    accuracies are undefined, for the reason, and there are no shares.
    """
    answers, rng = judgments.answers[question], np.random.default_rng(seed)
    counts = (~np.isnan(answers)).sum(axis=0)
    places = [{"question": question, "annotator": name} for name in judgments.annotators]
    people = [*zip(places, counts.tolist(), strict=True)]
    try:
        fit = dawid_skene(answers, rng=rng)
        why = "" if fit.identified else f"not identified: {fit.why}"
    except Undefined as none:
        why = str(none)
    if why:
        yield from (ACCURACY.at(None, n=n, why=why, groups=at) for at, n in people if n)
        return
    intervals = accuracy_inference(answers, fit, rng=rng)
    for (groups, n), value, interval in zip(people, fit.accuracy, intervals, strict=True):
        if n:
            yield ACCURACY.at(100 * float(value), _percent(interval), n=n, groups=groups)
    given = answers[~np.isnan(answers)]
    for value, share in zip(fit.values, fit.prevalence, strict=True):
        groups = {"question": question, "label": _label(judgments, question, value)}
        yield GIVEN_SHARE.at(100 * float(np.mean(given == value)), groups=groups)
        yield TRUE_SHARE.at(100 * float(share), groups=groups)


def _percent(interval: Inference) -> Inference:
    low, high = (None if end is None else 100 * end for end in (interval.low, interval.high))
    return interval._replace(low=low, high=high)


def _label(judgments: Judgments, question: str, value: float) -> str:
    words = judgments.words.get(question)
    return words[int(value)] if words else f"{value:g}"
