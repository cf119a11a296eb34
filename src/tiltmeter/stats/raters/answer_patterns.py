"""Finds people who give one answer to everything, and people whose answers are copies of another's.

Both happen by chance where nearly everybody gives one answer. So each pattern has a p-value: how probable it
is if a person answers each item as the others do. Items count as independent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_hochberg
from tiltmeter.stats.raters.person_checks import MARKED, QuestionAnswers

FEWEST_EQUAL = 5
"""The minimum number of equal answers that are a pattern."""
FEWEST_COMMON = 12
"""The minimum number of common answers of two people, all equal, that are a copy."""
PRIOR = 1.0
"""The weight, in answers, of the question's distribution of answers in that of an item."""


@dataclass(frozen=True, slots=True)
class ConstantAnswers:
    """A person who gives the same answer to all items of each question."""

    person: int
    answers: int
    p: float
    """The probability of such answers from somebody who answers each item as the others do."""
    is_marked: bool = False
    """Whether p is below `MARKED` after adjustment over all people."""


@dataclass(frozen=True, slots=True)
class CopiedAnswers:
    """Two people who give equal answers to everything that both answered."""

    first: int
    second: int
    common: int
    """The number of common answers."""
    p: float
    """The probability that two people who answer each item as the others do agree on all of them."""


def constant_answers(questions: Sequence[QuestionAnswers]) -> list[ConstantAnswers]:
    """Everybody with at least `FEWEST_EQUAL` answers who gives one answer only, or one to each question.

    Answers to different questions are equal if they are the same number.

    >>> varied = np.tile([0.0, 0.25, 0.5, 0.75, 1.0], (8, 1)).T.repeat(2, axis=0)
    >>> answers = np.column_stack([varied, np.full(10, 0.5)])
    >>> [(c.person, c.answers, c.is_marked) for c in constant_answers([QuestionAnswers(answers)])]
    [(8, 10, True)]
    """
    people = questions[0].answers.shape[1] if questions else 0
    found = []
    for person in range(people):
        given = [q.answers[:, person] for q in questions]
        values = [v[~np.isnan(v)] for v in given]
        several = [v for v in values if len(v) > 1]
        count = sum(map(len, values))
        if count < FEWEST_EQUAL or any(np.ptp(v) > 0 for v in several):
            continue
        equal = len(set(np.concatenate(values).tolist())) == 1
        # One answer per question says nothing where each question has one item.
        if not equal and sum(len(v) - 1 for v in several) < FEWEST_EQUAL:
            continue
        ps = [_chance(question, person) for question in questions]
        p = min(1.0, 2 * float(np.prod(ps))) if several else 1.0
        if equal:
            p = min(p, 2 * _chance_of_equal(questions, person))
        found.append(ConstantAnswers(person, count, min(1.0, p)))
    every: list[float | None] = [1.0] * people
    for each in found:
        every[each.person] = each.p
    adjusted = benjamini_hochberg(every)
    return [
        ConstantAnswers(c.person, c.answers, c.p, (adjusted[c.person] or 0.0) < MARKED)
        for c in found
    ]


def _chance(question: QuestionAnswers, person: int) -> float:
    """The probability of one answer to all items of a question that the person answered."""
    logs = _log_shares(question.answers, person)
    return min(1.0, float(np.exp(logs.sum(axis=0)).sum())) if len(logs) > 1 else 1.0


def _chance_of_equal(questions: Sequence[QuestionAnswers], person: int) -> float:
    """The probability of one answer to everything."""
    totals: dict[float, float] = {}
    answered = 0
    for question in questions:
        values = np.unique(question.answers[~np.isnan(question.answers)])
        logs = _log_shares(question.answers, person)
        if not len(logs):
            continue
        answered += 1
        sums = dict(zip(values.tolist(), logs.sum(axis=0).tolist(), strict=True))
        totals = {
            value: total + (0.0 if answered == 1 else totals[value])
            for value, total in sums.items()
            if answered == 1 or value in totals
        }
    return min(1.0, float(np.exp(list(totals.values())).sum()))


def _log_shares(table: Array, person: int) -> Array:
    """Logarithms of the others' shares of each answer (columns) to the items that the person answered."""
    there = ~np.isnan(table[:, person])
    values = np.unique(table[~np.isnan(table)])
    others = np.delete(table, person, axis=1)
    of_all = np.array([(others == value).sum() for value in values], dtype=np.float64)
    # No answer is impossible: one that only this person gives counts as given once.
    usual = (of_all + 1 / len(values)) / (of_all.sum() + 1) if len(values) else of_all
    times = np.stack([(others[there] == value).sum(axis=1) for value in values], axis=1) if len(
        values
    ) else np.empty((0, 0))  # fmt: skip
    return np.asarray(np.log((times + PRIOR * usual) / (times.sum(axis=1, keepdims=True) + PRIOR)))


def copied_answers(questions: Sequence[QuestionAnswers]) -> list[CopiedAnswers]:
    """Pairs of people with at least `FEWEST_COMMON` common answers, all equal, that chance does not explain.

    The probability is the larger of two: if both answer each item as everybody does, and if each gives their
    own answers in any order. p is adjusted over all pairs of people with as many common answers (Bonferroni).

    >>> answers = np.random.default_rng(0).integers(0, 5, (30, 6)) / 4
    >>> answers[:, 5] = answers[:, 2]
    >>> [(c.first, c.second, c.common) for c in copied_answers([QuestionAnswers(answers)])]
    [(2, 5, 30)]
    """
    if not questions:
        return []
    table = np.concatenate([q.answers for q in questions])
    there = ~np.isnan(table)
    alike = _log_chances_of_agreement(table, there)
    pairs = tests = 0.0
    found = []
    for first in range(table.shape[1] - 1):
        # Only items of the first person can be common.
        mine = np.flatnonzero(there[:, first])
        if len(mine) < FEWEST_COMMON:
            continue
        both = there[mine, first + 1 :]
        same = table[mine, first + 1 :] == table[mine, first][:, None]
        common = both.sum(axis=0)
        tests += int((common >= FEWEST_COMMON).sum())
        for other in np.flatnonzero((common >= FEWEST_COMMON) & (same.sum(axis=0) == common)):
            second = first + 1 + int(other)
            items = mine[both[:, other]]
            p = float(np.exp(alike[items].sum()))
            p = max(p, _chance_of_own(table[items, first]))
            found.append(CopiedAnswers(first, second, len(items), p))
    pairs = max(1.0, tests)
    return [each for each in found if each.p * pairs < MARKED]


def _log_chances_of_agreement(table: Array, there: Array) -> Array:
    """The logarithm of the probability that two people give one answer to each item."""
    chances = np.zeros(len(table))
    for item in range(len(table)):
        times = np.unique(table[item, there[item]], return_counts=True)[1]
        if len(times):
            # Two people of these agree at least as often as two of the whole population.
            chances[item] = np.log(float(((times / times.sum()) ** 2).sum()))
    return chances


def _chance_of_own(given: Array) -> float:
    """The probability that two people agree on everything who give these answers, each in any order."""
    times = np.unique(given, return_counts=True)[1]
    return float(np.exp(len(given) * np.log(float(((times / times.sum()) ** 2).sum()))))


def by_person(copies: Sequence[CopiedAnswers]) -> Iterator[tuple[int, int, int]]:
    """Each person with a copy, once: the person, the one with the most common answers, and how many."""
    most: dict[int, tuple[int, int]] = {}
    for copy in copies:
        for one, other in ((copy.first, copy.second), (copy.second, copy.first)):
            if one not in most or copy.common > most[one][1]:
                most[one] = (other, copy.common)
    for person, (other, common) in sorted(most.items()):
        yield person, other, common
