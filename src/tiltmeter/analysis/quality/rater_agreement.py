"""How far annotators agree on each question, and who answers on a reversed or shifted scale."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

import numpy as np

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.analysis.quality.true_labels import TrueLabels, true_labels
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array
from tiltmeter.data.people.annotator_answers import Judgments
from tiltmeter.stats.agreement import (
    Level,
    alpha_inference,
    fleiss_inference,
    fleiss_kappa,
    krippendorff_alpha,
)
from tiltmeter.stats.gwet import Weights, gwet_ac2, gwet_inference
from tiltmeter.stats.percent_agreement import (
    all_agree,
    all_agree_inference,
    m_of_n_agree,
    m_of_n_inference,
    pairs_agree,
    pairs_inference,
    panel_size,
)
from tiltmeter.stats.scale_check import ScaleCheck, scale_check

FEW_LEVELS = 10
"""Numbers with more different values are taken as an interval scale."""
WEIGHTS: dict[Level, Weights] = {
    "nominal": "identity", "ordinal": "ordinal", "interval": "quadratic", "ratio": "quadratic",
}  # fmt: skip
"""How answers agree in part, for Gwet's coefficient: with the identity it is AC1, else AC2."""


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """Agreement on one question, of all annotators or after a change."""

    question: str
    change: str
    """"": as given; else what was done to a reversed annotator."""
    level: Level
    items: int
    """Items with two answers or more."""
    raters: int | None
    """Answers of the items that `all_agree` and `kappa` use; None where no item has two."""
    panels: int
    """Items with that many answers."""
    all_agree: Value
    needed: int | None
    """Equal answers that `enough_agree` asks for."""
    enough_agree: Value
    """The share of full panels with that many equal answers (m-of-n agreement)."""
    pairs_agree: Value
    alpha: Value
    kappa: Value
    gwet: Value


@dataclass(frozen=True, slots=True)
class AnnotatorCheck:
    """One annotator's scale on one question."""

    question: str
    annotator: str
    check: ScaleCheck


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """All questions of one file."""

    judgments: Judgments
    questions: tuple[QuestionAgreement, ...]
    checks: tuple[AnnotatorCheck, ...]
    """Of questions whose answers are numbers."""
    changed: tuple[QuestionAgreement, ...]
    """Questions with a reversed annotator: with their scale turned round, then without them."""
    labels: tuple[TrueLabels, ...]
    """Of questions that are no interval scales."""
    seed: int

    @property
    def reversed(self) -> list[AnnotatorCheck]:
        """Annotators whose scale is reversed, by question."""
        return [one for one in self.checks if one.check.reversed]

    @property
    def shifted(self) -> list[AnnotatorCheck]:
        """Annotators whose scale is shifted, by question."""
        return [one for one in self.checks if one.check.shifted and not one.check.reversed]

    def undecided(self, question: str) -> bool:
        """Whether so many are reversed that the answers cannot show which of them are."""
        who = [one.check.reversed for one in self.checks if one.question == question]
        return 2 * sum(who) >= len(who)


def rater_agreement(
    judgments: Judgments, *, level: Level | None = None, needed: int | None = None, seed: int = 0
) -> RaterAgreement:
    """Agreement on every question and, where answers are numbers, every annotator's scale.

    Panels have one size for the whole file: the most common number of answers per item and question.

    Args:
        judgments: Of at least two annotators.
        level: Of all questions. By default words and two numbers are nominal, up to ten numbers
            ordinal, more an interval scale.
        needed: How many of a panel must agree, for m-of-n agreement; by default more than half.
        seed: Of the scale checks and the true labels.

    Raises:
        BadInput: There is one annotator only, a level of numbers for words, or `needed` is no part of
            the panel.
    """
    if len(judgments.annotators) < 2:  # noqa: PLR2004
        raise BadInput("it has one annotator, so there is no agreement", file=judgments.name)
    if level not in {None, "nominal"} and judgments.words:
        question = next(iter(judgments.words))
        raise BadInput(f"{question!r} has answers that are not numbers", "leave out --level")
    raters = _panel(list(judgments.answers.values()))
    if needed is not None and raters is not None and not 2 <= needed <= raters:  # noqa: PLR2004
        way_out = f"ask for 2 to {raters}"
        raise BadInput(f"{needed} of {raters} answers cannot agree: a panel has {raters}", way_out)
    questions, checks, changed, labels = [], [], [], []
    for question, answers in judgments.answers.items():
        kind = level or _level(answers, words=question in judgments.words)
        measured = partial(_measured, question=question, level=kind, raters=raters, needed=needed)
        questions.append(measured(answers))
        if kind in {"nominal", "ordinal"}:
            labels.append(true_labels(judgments, question, seed=seed))
        if question in judgments.words:
            continue
        found = scale_check(answers, rng=np.random.default_rng(seed), level=kind)
        checks += [AnnotatorCheck(question, judgments.annotators[c.rater], c) for c in found]
        marked = [c.rater for c in found if c.reversed]
        if 0 < 2 * len(marked) < len(found):
            named = " and ".join(judgments.annotators[rater] for rater in marked)
            changed.append(measured(_turned(answers, marked), change=f"with {named} turned round"))
            rest = np.delete(answers, marked, axis=1)
            fewer = None if raters is None else max(2, raters - len(marked))
            changed.append(replace(measured(rest, raters=fewer), change=f"without {named}"))
    return RaterAgreement(
        judgments, tuple(questions), tuple(checks), tuple(changed), tuple(labels), seed
    )


def folder_name(made: RaterAgreement) -> str:
    """The folder: the file's name, and a digest of its content and of how it was read."""
    how = [f"{q.level} {q.needed}" for q in made.questions]
    parts = [made.judgments.sha256, *made.judgments.answers, *how]
    digest = sha256("\n".join([*parts, str(made.seed)]).encode()).hexdigest()[:8]
    return f"agreement-{made.judgments.name.rsplit('.', 1)[0]}-{digest}"


def _panel(tables: Sequence[Array]) -> int | None:
    try:
        return panel_size(np.concatenate(tables))
    except Undefined:
        return None


def _level(answers: Array, *, words: bool) -> Level:
    values = len(np.unique(answers[~np.isnan(answers)]))
    if words or values <= 2:  # noqa: PLR2004
        return "nominal"
    return "ordinal" if values <= FEW_LEVELS else "interval"


def _turned(answers: Array, raters: Sequence[int]) -> Array:
    """The answers with the scale of these raters turned round, within the range of all answers."""
    turned = answers.copy()
    turned[:, raters] = np.nanmin(answers) + np.nanmax(answers) - answers[:, raters]
    return turned


def _measured(
    answers: Array,
    *,
    question: str,
    level: Level,
    raters: int | None,
    needed: int | None,
    change: str = "",
) -> QuestionAgreement:
    counts = (~np.isnan(answers)).sum(axis=1)
    full = answers[counts == raters]
    weights = WEIGHTS[level]
    n = raters or 2
    m = min(needed or n // 2 + 1, n)

    return QuestionAgreement(
        question,
        change,
        level,
        int((counts >= 2).sum()),  # noqa: PLR2004
        raters,
        len(full),
        _value(
            lambda: all_agree(answers, raters=raters),
            lambda: all_agree_inference(answers, raters=raters),
        ),
        None if raters is None else m,
        _value(lambda: m_of_n_agree(answers, m, n), lambda: m_of_n_inference(answers, m, n)),
        _value(lambda: pairs_agree(answers), lambda: pairs_inference(answers)),
        _value(
            lambda: krippendorff_alpha(answers, level=level),
            lambda: alpha_inference(answers, level=level),
        ),
        _value(lambda: fleiss_kappa(full), lambda: fleiss_inference(full)),
        _value(
            lambda: gwet_ac2(answers, weights=weights),
            lambda: gwet_inference(answers, weights=weights),
        ),
    )


def _value(number: Callable[[], float], inference: Callable[[], Inference]) -> Value:
    try:
        value, found = number(), inference()
    except Undefined as none:
        return Value(None, why=str(none))
    return Value(value, found.low, found.high, found.why)
