"""What people said about generated hypotheses: shares, agreement on each question, each annotator's scale.

Under the convention `harmonised` all judgments count, after all annotators were given one scale; under
`sotnikova2021` the codes are as published, and each hypothesis counts once, with the last judgment in the
files.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.core.errors import Undefined, UnknownName
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array
from tiltmeter.data.people.inference_annotations import (
    MAYBE,
    NO,
    QUESTIONS,
    YES,
    HypothesisJudgment,
    HypothesisJudgments,
    harmonised,
)
from tiltmeter.stats.agreement import Level, alpha_inference, krippendorff_alpha
from tiltmeter.stats.bootstrap_intervals import PERCENT, bootstrap_mean
from tiltmeter.stats.gwet import gwet_ac1, gwet_inference
from tiltmeter.stats.percent_agreement import (
    all_agree,
    all_agree_inference,
    draws_agree,
    draws_inference,
    pairs_agree,
    pairs_inference,
)
from tiltmeter.stats.scale_check import ScaleCheck, scale_check

HARMONISED, PUBLISHED = "harmonised", "sotnikova2021"
CONVENTIONS = (HARMONISED, PUBLISHED)
PANEL = 4
"""Annotators whose answers are compared."""


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """A percentage of judgments."""

    name: str
    axis: str
    """"" for all judgments."""
    value_of: str
    n: int
    hypotheses: int
    share: Value


@dataclass(frozen=True, slots=True)
class QuestionPanel:
    """Agreement on one question, its answers counted as three: yes, not sure, no."""

    question: str
    items: int
    """With an answer of all four."""
    all_four: Value
    three: Value
    """Of three answers drawn at random."""
    pair: Value
    alpha: Value
    """Krippendorff's alpha of the five ordinal codes."""
    ac1: Value
    """Gwet's AC1 of the three answers."""


@dataclass(frozen=True, slots=True)
class AnnotatorScale:
    """How one annotator uses the scale of one question, as published."""

    question: str
    annotator: str
    check: ScaleCheck
    never: tuple[int, ...]
    """Codes that others use and this annotator never does."""


@dataclass(frozen=True, slots=True)
class JudgedHypotheses:
    """All there is to say."""

    judgments: HypothesisJudgments
    """Those that were counted."""
    published: HypothesisJudgments
    convention: str
    shares: tuple[JudgedShare, ...]
    panels: tuple[QuestionPanel, ...]
    scales: tuple[AnnotatorScale, ...]
    seed: int

    def share(self, name: str, axis: str = "", value: str = "") -> JudgedShare:
        """One of the shares.

        Raises:
            KeyError: There is none.
        """
        for one in self.shares:
            if (one.name, one.axis, one.value_of) == (name, axis, value):
                return one
        raise KeyError(name, axis, value)

    def panel(self, question: str) -> QuestionPanel:
        """Agreement on one question."""
        return next(one for one in self.panels if one.question == question)

    @property
    def reversed(self) -> list[AnnotatorScale]:
        """Annotators whose scale is turned round."""
        return [one for one in self.scales if one.check.reversed]


Flag = Callable[[HypothesisJudgment], bool | None]
"""Whether a judgment counts as a hit; None where it does not count at all."""


def _among_legitimate(hit: Callable[[Mapping[str, float]], bool], *needed: str) -> Flag:
    def flag(row: HypothesisJudgment) -> bool | None:
        there = row.is_legitimate and all(name in row.answers for name in needed)
        return hit(row.answers) if there else None

    return flag


SHARES: dict[str, Flag] = {
    "not valid or not plausible": lambda row: not row.is_legitimate,
    "based on identity": _among_legitimate(lambda a: a["identity"] < MAYBE, "identity"),
    "based on the situation": _among_legitimate(lambda a: a["situation"] < MAYBE, "situation"),
    "identity without situation": _among_legitimate(
        lambda a: a["identity"] < MAYBE < a["situation"], "identity", "situation"
    ),
    "stereotype, yes or maybe": _among_legitimate(lambda a: a.get("stereotype", NO) <= MAYBE),
    "stereotype, yes": _among_legitimate(lambda a: a.get("stereotype", NO) == YES),
    "negative": _among_legitimate(lambda a: a["sentiment"] > MAYBE, "sentiment"),
    "neutral": _among_legitimate(lambda a: a["sentiment"] == MAYBE, "sentiment"),
    "positive": _among_legitimate(lambda a: a["sentiment"] < MAYBE, "sentiment"),
    "negative, of those not neutral": lambda row: (
        row.answers["sentiment"] > MAYBE
        if row.is_legitimate and row.answers.get("sentiment", MAYBE) != MAYBE
        else None
    ),
}
"""By name. All but the first are of judgments that call the hypothesis valid and plausible."""
AXES = ("domain", "generator", "group")


def judged_hypotheses(
    published: HypothesisJudgments, *, convention: str = HARMONISED, seed: int = 0
) -> JudgedHypotheses:
    """Shares, agreement and scales.

    Args:
        published: The answers as published.
        convention: One of CONVENTIONS.
        seed: Of the bootstraps of shares, which draw hypotheses, and of the scale checks.

    Raises:
        UnknownName: No such convention.
    """
    if convention not in CONVENTIONS:
        raise UnknownName("convention", convention, CONVENTIONS)
    coded = harmonised(published) if convention == HARMONISED else published
    rows = coded.rows if convention == HARMONISED else _last(coded.rows)
    shares = [
        _share(name, flag, axis, value, some, seed)
        for axis in ("", *AXES)
        for value, some in _parts(rows, axis)
        for name, flag in SHARES.items()
    ]
    panels = [_panel(coded, question) for question in QUESTIONS]
    scales = [one for question in QUESTIONS for one in _scales(published, question, seed)]
    return JudgedHypotheses(
        coded, published, convention, tuple(shares), tuple(panels), tuple(scales), seed
    )


def _last(rows: Sequence[HypothesisJudgment]) -> list[HypothesisJudgment]:
    """One judgment a hypothesis, the last in the order of the files."""
    return [*{row.hypothesis: row for row in rows}.values()]


def _parts(
    rows: Sequence[HypothesisJudgment], axis: str
) -> list[tuple[str, list[HypothesisJudgment]]]:
    if not axis:
        return [("", list(rows))]
    found: dict[str, list[HypothesisJudgment]] = {}
    for row in rows:
        if value := getattr(row, axis):
            found.setdefault(value, []).append(row)
    return sorted(found.items())


def _share(
    name: str, flag: Flag, axis: str, value: str, rows: Sequence[HypothesisJudgment], seed: int
) -> JudgedShare:
    counted = [(row.hypothesis, hit) for row in rows if (hit := flag(row)) is not None]
    hits = np.array([float(hit) for _, hit in counted])
    _, codes = np.unique([" ".join(one) for one, _ in counted], return_inverse=True)
    n, k = len(counted), len(np.unique(codes))
    if not n:
        return JudgedShare(name, axis, value, 0, 0, Value(None, why="no judgment counts here"))
    try:
        low, high = bootstrap_mean(100 * hits, codes, np.random.default_rng(seed), within=PERCENT)
        share = Value(float(100 * hits.mean()), low, high)
    except Undefined as none:
        share = Value(float(100 * hits.mean()), why=f"no interval: {none}")
    return JudgedShare(name, axis, value, n, k, share)


def _table(judgments: HypothesisJudgments, question: str) -> Array:
    """The answers of each annotator to the items that several were asked about, NaN where there is none."""
    people = {name: at for at, name in enumerate(judgments.annotators)}
    items = {name: at for at, name in enumerate(sorted(judgments.panels))}
    found = np.full((len(items), len(people)), np.nan)
    for row in judgments.rows:
        if row.item in items and question in row.answers:
            found[items[row.item], people[row.annotator]] = row.answers[question]
    return found


def three_answers(codes: Array) -> Array:
    """Five codes as three answers: yes (1), not sure (3), no (5).

    >>> three_answers(np.array([1.0, 2.0, 3.0, 4.0, np.nan])).tolist()
    [1.0, 1.0, 3.0, 5.0, nan]
    """
    known = np.where(codes < MAYBE, YES, np.where(codes > MAYBE, NO, MAYBE))
    return np.where(np.isnan(codes), np.nan, known)


def _panel(judgments: HypothesisJudgments, question: str) -> QuestionPanel:
    codes = _table(judgments, question)
    three = three_answers(codes)
    level: Level = "nominal" if question in {"valid", "plausible"} else "ordinal"

    return QuestionPanel(
        question,
        int(((~np.isnan(codes)).sum(axis=1) == PANEL).sum()),
        _value(
            lambda: all_agree(three, raters=PANEL), lambda: all_agree_inference(three, raters=PANEL)
        ),
        _value(lambda: draws_agree(three, 3), lambda: draws_inference(three, 3)),
        _value(lambda: pairs_agree(three), lambda: pairs_inference(three)),
        _value(
            lambda: krippendorff_alpha(codes, level=level),
            lambda: alpha_inference(codes, level=level),
        ),
        _value(lambda: gwet_ac1(three), lambda: gwet_inference(three)),
    )


def _value(number: Callable[[], float], inference: Callable[[], Inference]) -> Value:
    try:
        value, found = number(), inference()
    except Undefined as none:
        return Value(None, why=str(none))
    return Value(value, found.low, found.high, found.why)


def _scales(published: HypothesisJudgments, question: str, seed: int) -> list[AnnotatorScale]:
    codes = _table(published, question)
    if codes.size == 0 or codes.shape[1] < 2:  # noqa: PLR2004
        return []
    used = {
        who: {int(row.answers[question]) for row in published.rows
              if row.annotator == who and question in row.answers}
        for who in published.annotators
    }  # fmt: skip
    every = set().union(*used.values())
    return [
        AnnotatorScale(question, who, check, tuple(sorted(every - used[who])))
        for who, check in (
            (published.annotators[one.rater], one)
            for one in scale_check(codes, rng=np.random.default_rng(seed), level="ordinal")
        )
    ]
