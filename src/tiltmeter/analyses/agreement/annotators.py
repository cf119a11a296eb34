"""Each annotator over all answers: reversed, unrelated, constant, copied or very fast, or too few to tell."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tiltmeter.analyses.agreement.annotator_scales import REVERSED, SHIFTED, answer_range
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.data.people.judgments import Judgments
from tiltmeter.stats.raters.answer_patterns import by_person, constant_answers, copied_answers
from tiltmeter.stats.raters.kappa_and_alpha import Level
from tiltmeter.stats.raters.pace import paces
from tiltmeter.stats.raters.person_checks import PersonCheck, QuestionAnswers, person_checks

CONSTANT, COPIED, UNRELATED, TOO_FAST = "constant", "copied", "unrelated", "too fast"
CANNOT_TELL = "cannot tell"
"""The answers are neither shown to be related to the others' nor marked."""
MARKS = (CONSTANT, COPIED, REVERSED, UNRELATED, TOO_FAST, SHIFTED)
"""Verdicts on an annotator: of several, the first counts."""
RELATED = "related"
"""In a count of annotators by verdict, those whose answers are related to the others', without a mark."""
ALL_R = quantity(
    "answers_r",
    "Correlation with the others, over all answers",
    "r",
    counts="answers",
    decimals=2,
    least=-1,
    most=1,
)
NOTICED = quantity(
    "random_noticed",
    "Probability that random answers, as many, would be marked as unrelated",
    "random noticed",
    counts="answers",
    unit="%",
    decimals=0,
)
ALL_SHIFT = quantity(
    "answers_shift",
    "Shift from the others, over all answers, in per cent of the range",
    "shift",
    counts="answers",
    unit="%",
    least=-100,
    most=100,
)
SAME = quantity(
    "same_answer", "Answers to all items that are one and the same", "same answer", decimals=0
)
COPY = quantity(
    "equal_answers", "Common answers that are all equal to another annotator’s", "equal", decimals=0
)
PACE = quantity(
    "pace", "Time beside the usual time on the same items", "time", counts="answers", decimals=2
)
ANNOTATORS = quantity(
    "annotators_marked", "Annotators by mark", "annotators", counts="annotators", decimals=0
)
ANNOTATOR_QUANTITIES = (ANNOTATORS, ALL_R, NOTICED, ALL_SHIFT, SAME, COPY, PACE)


def answers_of_annotators(
    judgments: Judgments, kinds: Mapping[str, Level], seed: int
) -> tuple[list[PersonCheck], list[Estimate]]:
    """The checks of all annotators, and what is reported of them: the lowest correlation first."""
    questions = [_question(judgments, name, kind) for name, kind in kinds.items()]
    usable = [question for question in questions if question is not None]
    checks = person_checks(usable, rng=np.random.default_rng(seed))
    names = judgments.annotators
    constant = {found.person: found for found in constant_answers(usable)}
    copied = [*by_person(copied_answers(usable))]
    pace = paces(np.concatenate([*judgments.seconds.values()])) if judgments.seconds else []
    further = [
        *(SAME.at(c.answers, groups={"annotator": names[c.person]},
                  verdict=CONSTANT if c.is_marked else "") for c in constant.values()),
        *(COPY.at(common, verdict=COPIED,
                  groups={"annotator": names[person], "other": names[other]})
          for person, other, common in copied),
        *(PACE.at(p.ratio, n=p.times, groups={"annotator": names[p.person]},
                  verdict=TOO_FAST if p.too_fast else "") for p in pace),
    ]  # fmt: skip
    marks: dict[str, set[str]] = {}
    for estimate in further:
        marks.setdefault(estimate.groups["annotator"], set()).add(estimate.verdict)
    estimates: list[Estimate] = []
    verdicts: Counter[str] = Counter()
    for check in sorted(checks, key=lambda check: (check.r is None, check.r or 0.0)):
        verdict = _verdict(check, marks.get(names[check.person], set()))
        verdicts[verdict or RELATED] += 1
        estimates += _estimates(check, names[check.person], verdict)
    counts = [
        ANNOTATORS.at(verdicts[mark], groups={"mark": mark})
        for mark in (*MARKS, CANNOT_TELL, RELATED)
        if checks and (verdicts[mark] or mark in {CANNOT_TELL, RELATED})
    ]
    return checks, [*counts, *estimates, *further]


def _question(judgments: Judgments, name: str, kind: Level) -> QuestionAnswers | None:
    """The answers to a question with the ends of its range as 0 and 1; None where all are equal."""
    answers = judgments.answers[name]
    are_labels = name in judgments.words or len(np.unique(answers[~np.isnan(answers)])) > 2  # noqa: PLR2004
    if kind == "nominal" and are_labels:
        return QuestionAnswers(answers, is_nominal=True)
    low, high = answer_range(answers, judgments.declared.get(name, ()))
    return QuestionAnswers((answers - low) / (high - low)) if high > low else None


def _verdict(check: PersonCheck, marks: set[str]) -> str:
    holds = {
        REVERSED: check.reversed, UNRELATED: check.unrelated, SHIFTED: check.shifted,
        **dict.fromkeys(marks, True),
    }  # fmt: skip
    mark = next((mark for mark in MARKS if holds.get(mark)), "")
    return mark or (CANNOT_TELL if check.cannot_tell else "")


def _estimates(check: PersonCheck, annotator: str, verdict: str) -> Iterator[Estimate]:
    """What is known of an annotator; the correlation carries the verdict."""
    groups, n = {"annotator": annotator}, check.answers
    yield ALL_R.at(check.r, check.r_interval, n=n, groups=groups, verdict=verdict, why=check.why)
    if check.power is not None:
        yield NOTICED.at(100 * check.power, n=n, groups=groups)
    if check.shift is not None:
        yield ALL_SHIFT.at(100 * check.shift, check.shift_interval.times(100), n=n, groups=groups)


def reversed_annotators(checks: Sequence[PersonCheck]) -> set[int]:
    """The numbers of annotators who are reversed over all their answers; none where half or more are.

    Where half look reversed, nobody can say which half it is.
    """
    reversed_people = {check.person for check in checks if check.reversed}
    return reversed_people if 2 * len(reversed_people) < len(checks) else set()
