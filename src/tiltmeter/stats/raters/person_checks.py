"""Finds people whose answers run against the others', or are unrelated to them, from all their answers.

Each person is compared with the rest: on every item with the mean of all others' answers, or, where answers
are labels, with the share of the others who gave each label. The correlation over all of a person's answers
shows what single questions, with a handful of answers each, cannot.

Whether there is a relation is tested by permuting the person's answers among the items; whether it is weaker
than a typical person's, by simulating people who give, to the same items, the answer of one of the others at
random. Both hold for few answers, for skewed ones and for ties. Marks are adjusted over people so that few of
them are false (Benjamini and Hochberg).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tiltmeter.core.estimates import Inference
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_hochberg
from tiltmeter.stats.raters.other_people import (
    LEAST,
    OtherMeans,
    Others,
    OtherShares,
    Part,
    correlations,
    effective_number,
)
from tiltmeter.stats.raters.scale_check import FEWEST, NOTHING, SHIFT, p_of_shift, scale_intervals

MARKED = 0.05
"""People are marked if p, after Benjamini and Hochberg's adjustment, is below this."""
RELATED = 0.01
"""Answers count as related to the others' if the one-sided p is below this."""
ENOUGH_POWER = 0.8
"""So many answers can tell if random ones would be marked with at least this probability."""
LEAST_POWER = 0.2
"""Nobody is marked as unrelated where random answers would be less often."""
MANY = 5
"""The minimum number of people needed to determine how much they differ."""
FEWEST_VARIED = 4
"""Nobody is marked as unrelated whose answers, or the others', vary on fewer items (`effective_number`): one
rare answer missed is no carelessness."""
SIMULATED = 1_000
"""The number of simulated typical people for each person."""
DRAWS, FURTHER_DRAWS = 2_000, 20_000
"""Permutations for everybody, and for those who may be marked as reversed: of 500 people, one alone is marked
if p is below .0001."""
DOUBTFUL = 0.01
"""More permutations are drawn if p of a reversed scale is below this."""
NO_INTERVAL = Inference(None, None, why="no interval of r where some answers are labels")
_CELLS = 2_000_000
"""The maximum number of cells in a block of permutations, which bounds the memory."""
_FULL = 0.98
"""Fisher's z is that of this correlation at most: a few equal answers are no stronger evidence."""
_MAD = 1.4826
"""Times the median absolute deviation: the standard deviation of a normal distribution."""


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """All answers to one question."""

    answers: Array
    """Shape (items, people), NaN where there is none; from 0 to 1 where they have an order."""
    is_nominal: bool = False
    """Whether the numbers stand for labels without an order."""


@dataclass(frozen=True, slots=True)
class PersonCheck:
    """All answers of one person compared with those of the others."""

    person: int
    """The person's column in the answers."""
    answers: int
    """How many of the person's answers are to items that others answered too."""
    r: float | None = None
    """The correlation with the others, from −1 to 1; see `person_checks`."""
    r_interval: Inference = NOTHING
    """For other items; only where all answers have an order."""
    shift: float | None = None
    """The mean difference from the others, as a share of the scale, of answers that have an order."""
    shift_interval: Inference = NOTHING
    reversed_p: float | None = None
    """The one-sided p of a correlation this far below 0 under no relation."""
    related_p: float | None = None
    """The one-sided p of a correlation this far above 0 under no relation."""
    shifted_p: float | None = None
    power: float | None = None
    """The probability that random answers, as many, would be marked as unrelated; None if nothing is known of
    what is typical."""
    reversed: bool = False
    unrelated: bool = False
    """Whether no positive relation is found, and r is significantly below that of a typical person."""
    shifted: bool = False
    why: str = ""
    """The reason why r is None; "" if there is none."""

    @property
    def cannot_tell(self) -> bool:
        """Whether answers are neither shown to be related to the others' nor marked."""
        return not (self.is_related or self.reversed or self.unrelated)

    @property
    def is_related(self) -> bool:
        """Whether the answers are related to the others'."""
        return self.related_p is not None and self.related_p < RELATED


def person_checks(
    questions: Sequence[QuestionAnswers], *, rng: np.random.Generator
) -> list[PersonCheck]:
    """Compare all answers of each person with those of the others.

    The correlation is Pearson's for answers with an order, over all questions together. Labels are vectors
    with a 1 for the label that was given, beside the shares of the others who gave each, both centred within
    a question; two different labels are as far apart as the ends of a scale. With two labels that is
    Pearson's correlation, too.

    How much people differ beyond chance is taken from the median absolute deviation of all people, so that a
    crowd of different people is no crowd of careless ones.

    >>> truth = np.linspace(0, 1, 40)[:, None]
    >>> noise = np.random.default_rng(0).normal(0, 0.1, (40, 9))
    >>> answers = np.column_stack([truth + noise, 1 - truth, np.random.default_rng(1).random(40)])
    >>> checks = person_checks([QuestionAnswers(answers)], rng=np.random.default_rng(0))
    >>> [check.person for check in checks if check.reversed], [c.person for c in checks if c.unrelated]
    ([9], [10])
    """
    people = questions[0].answers.shape[1] if questions else 0
    ordered = [q.answers for q in questions if not q.is_nominal]
    means = OtherMeans(np.concatenate([np.empty((0, people)), *ordered]))
    shares = [OtherShares(q.answers) for q in questions if q.is_nominal]
    every: list[Others] = [means, *shares]
    seed = int(rng.integers(2**63))  # the same for everybody, whatever their column
    permutations, spread = _Permutations(seed), means.pooled_variance()
    checks: list[PersonCheck] = []
    relations: list[_Relation | None] = []
    for person in range(people):
        given, others = means.of(person)
        compared = [part for of in every if (part := of.part(person)) is not None]
        count = sum(part.answers for part in compared)
        check = PersonCheck(person, count)
        if len(given) >= FEWEST:
            intervals = scale_intervals(given, others, 1.0, np.random.default_rng(seed))
            check = replace(
                check, shift=float((given - others).mean()), shift_interval=intervals.shift,
                shifted_p=p_of_shift(given - others, SHIFT, spread),
                r_interval=NO_INTERVAL if shares else intervals.r,
            )  # fmt: skip
        if count < FEWEST:
            why = f"only {counted(count, 'answers')} shared with others"
            check, relation = replace(check, why=why), None
        else:
            check, relation = _related(check, compared, permutations)
        if relation is not None:
            rng_of_person = np.random.default_rng([seed, count])
            typical = [of.typical(person, rng_of_person, SIMULATED) for of in every]
            relation = replace(relation, typical=correlations(typical))
        checks.append(check)
        relations.append(relation)
    return _marked(checks, relations)


@dataclass(frozen=True, slots=True)
class _Relation:
    """What a correlation is compared with, in Fisher's z."""

    z: float
    spread: float
    """The standard deviation under no relation."""
    typical: Array = field(default_factory=lambda: np.empty(0))
    """Those of simulated typical people; none where too few items have three answers."""


# ── Tests ────────────────────────────────────────────────────────────────────────────────────────


class _Permutations:
    """Seeded permutations of so many answers; those for everybody are drawn once for each number."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.known: dict[tuple[int, int], Integers] = {}

    def sums(self, parts: Sequence[Part], draws: int) -> Array:
        """The sum of products under each permutation, shape (draws,)."""
        total = np.zeros(draws)
        for place, part in enumerate(parts):
            start = 0
            for block in self._blocks(part.answers, draws, place):
                total[start : start + len(block)] += part.sums(block)
                start += len(block)
        return total

    def _blocks(self, n: int, draws: int, place: int) -> Sequence[Integers]:
        """Permutations of n answers, shape (some of the draws, n) each; other ones for each part."""
        at = (n, place)
        if draws == DRAWS and at in self.known:
            return [self.known[at]]
        rng = np.random.default_rng([self.seed, n, place, draws])
        size = max(1, min(draws, _CELLS // n))
        sizes = [size] * (draws // size) + ([draws % size] if draws % size else [])
        blocks = [rng.permuted(np.tile(np.arange(n), (rows, 1)), axis=1) for rows in sizes]
        if len(blocks) == 1 and draws == DRAWS:
            self.known[at] = blocks[0]
        return blocks


def _related(
    check: PersonCheck, parts: Sequence[Part], permutations: _Permutations
) -> tuple[PersonCheck, _Relation | None]:
    """The check with the correlation and its p-values."""
    squares_by_item = np.concatenate([part.others_squares for part in parts])
    squares_by_answer = np.concatenate([part.squares for part in parts])
    others_squares, squares = float(squares_by_item.sum()), float(squares_by_answer.sum())
    if min(others_squares, squares) < LEAST:
        who = "the others’ answers" if others_squares < LEAST else "the answers"
        return replace(check, why=f"{who} are all the same"), None
    size = math.sqrt(others_squares * squares)
    observed = sum(part.observed for part in parts) / size
    r = float(np.clip(observed, -1, 1))
    draws = permutations.sums(parts, DRAWS) / size
    related_p, reversed_p = _p(-draws, -observed), _p(draws, observed)
    if reversed_p < DOUBTFUL:
        many = permutations.sums(parts, FURTHER_DRAWS) / size
        reversed_p = _p(many, observed)
        if reversed_p <= 1 / (FURTHER_DRAWS + 1):  # none is as low: the tail is Student's
            reversed_p = min(reversed_p, _student(r, check.answers))
    spread = float(np.std(_fisher(draws)))
    check = replace(check, r=r, related_p=related_p, reversed_p=reversed_p)
    varied = min(map(effective_number, (squares_by_item, squares_by_answer)))
    if spread == 0 or varied < FEWEST_VARIED:
        return check, None
    return check, _Relation(float(_fisher(np.array(r))), spread)


def _p(draws: Array, observed: float) -> float:
    """The share of draws with a value as low or lower, the observed one counted."""
    return float((1 + (draws <= observed + 1e-9).sum()) / (1 + len(draws)))


def _student(r: float, n: int) -> float:
    from scipy.special import stdtr

    rest = max(1 - r * r, 1e-300)
    return float(stdtr(n - 2, r * math.sqrt((n - 2) / rest)))


def _fisher(r: Array) -> Array:
    return np.asarray(np.arctanh(np.clip(r, -_FULL, _FULL)))


def _marked(
    checks: Sequence[PersonCheck], relations: Sequence[_Relation | None]
) -> list[PersonCheck]:
    """The checks with their marks, adjusted over people."""
    from scipy.special import ndtr, ndtri

    known = [(i, of, _fisher(of.typical)) for i, of in enumerate(relations)
             if of is not None and len(of.typical) >= SIMULATED / 2]  # fmt: skip
    centres = np.array([float(z.mean()) for _, _, z in known])
    # Where items have few answers, simulated people share most of these and differ too little.
    scales = np.array([max(of.spread, float(z.std())) for _, of, z in known])
    own = np.array([of.z for _, of, _ in known])
    more, times = 0.0, 1.0
    if len(known) >= MANY and (scales > 0).all():
        # A simulated person is compared with one other person fewer, which matters where these are few.
        more = max(0.0, float(np.median(own - centres)))
        # Where the few others happen to agree, a simulated person does no worse than they.
        centres = np.minimum(centres + more, np.median(own))
        beyond = (own - centres - np.median(own - centres)) / scales
        times = max(1.0, _MAD * float(np.median(np.abs(beyond))))
    lower: list[float | None] = [None] * len(checks)
    for (i, of, z), centre, scale in zip(known, centres, scales, strict=True):
        if centre > 0 and scale > 0:
            normal = float(ndtr((of.z - centre) / scale / times))
            among = _p(z + more, of.z)
            is_below_all = among <= 1 / (1 + len(z))
            lower[i] = normal if is_below_all else max(normal, among)
    turned = [_is_below(p) for p in benjamini_hochberg([check.reversed_p for check in checks])]
    moved = [_is_below(p) for p in benjamini_hochberg([check.shifted_p for check in checks])]
    low = [_is_below(p) for p in benjamini_hochberg(lower)]
    tests = sum(p is not None for p in lower)
    # The p that marks as many people as are marked, or one.
    limit = float(ndtri(MARKED * max(1, sum(low)) / tests)) if tests else 0.0
    powers: list[float | None] = [None] * len(checks)
    for (i, of, _), centre, scale in zip(known, centres, scales, strict=True):
        if lower[i] is not None:
            highest = centre + limit * scale * times
            powers[i] = float(ndtr(highest / of.spread))
    return [
        replace(
            check, reversed=turned[i], shifted=moved[i], power=powers[i],
            unrelated=(
                low[i] and (powers[i] or 0) >= LEAST_POWER and not (check.is_related or turned[i])
            ),
        )
        for i, check in enumerate(checks)
    ]  # fmt: skip


def _is_below(p: float | None) -> bool:
    return p is not None and p < MARKED
