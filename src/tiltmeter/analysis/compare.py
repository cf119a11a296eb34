"""Two models on the same items: paired tests and paired intervals, never two separate ones."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from tiltmeter.analysis.compare_contexts import compare_contexts, over_models
from tiltmeter.analysis.compare_effects import compare_effects, is_association
from tiltmeter.analysis.compare_pairs import SIDES as OF_PAIRS
from tiltmeter.analysis.compare_pairs import compare_pairs
from tiltmeter.analysis.compare_texts import compare_texts, is_text
from tiltmeter.analysis.matrix import is_matrix
from tiltmeter.analysis.matrix_comparison import compare_cells
from tiltmeter.analysis.paired import check
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import SIDES
from tiltmeter.core.results import Estimate, Result
from tiltmeter.run.estimates import ADJUSTMENTS

ALL_PAIRS_UP_TO = 4
"""Of so many models each is compared with each; of more, each with the first."""


def compare_all(results: Sequence[Result], *, seed: int = 0) -> list[Estimate]:
    """Every two of up to four results; of more, each with the first.

    Holm's adjustment then runs over all comparisons: over their overall differences, and over all
    their differences by category.

    Raises:
        BadInput: As `compare`, or there are fewer than two results.
    """
    if len(results) < 2:  # noqa: PLR2004
        raise BadInput("one result is not a comparison", "give two or more")
    pairs = list(combinations(results, 2))
    if len(results) > ALL_PAIRS_UP_TO:
        pairs = [(results[0], other) for other in results[1:]]
    return _adjusted([
        *(e for a, b in pairs for e in compare(a, b, seed=seed)),
        *over_models(results, seed=seed),
    ])  # fmt: skip


def _adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Over each family of two or more: the estimates of one name over the same axes.

    By Holm, or as the estimates name their adjustment: cells of matrices, of which there are hundreds,
    by Benjamini and Hochberg.
    """
    families: dict[tuple[str, ...], list[int]] = {}
    for i, e in enumerate(estimates):
        families.setdefault((e.name, *e.groups), []).append(i)
    out = list(estimates)
    for members in families.values():
        way = estimates[members[0]].adjustment or "Holm"
        if len(members) > 1:
            corrected = ADJUSTMENTS[way]([estimates[i].p for i in members])
            for i, p in zip(members, corrected, strict=True):
                told = "" if p is None else way
                out[i] = replace(estimates[i], p_adjusted=p, adjustment=told)
    return out


def compare(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """How far A's stereotype rate is from B's, over all common items and by category.

    The difference is A − B in percentage points, 0 where they are equal; its interval resamples
    items (whole clusters where the data have them) with both models' answers, its p is the exact
    McNemar test on the items on which one of the two is more in favour of the more stereotyping
    sentence than the other, or, where items share clusters, a test that changes the two models' places
    for whole clusters; with ties="half" a tie stands between the two preferences.
    Then how often both prefer the same sentence, or both neither, and Cohen's kappa of that.

    Of groups and traits: see `compare_cells`; of association tests: see `compare_effects`; of running
    text: see `compare_texts`.

    Items are matched by id. Scores are rounded first where the results' convention says so. Items
    that only one result has are left out and counted in `why`, as are different rules.

    Raises:
        BadInput: They are not about the same study and data, count ties in different ways, or have no
            item in common. Data from two files count as the same where all common items have the
            same texts.
    """
    check(a, b)
    if is_association(a) and is_association(b):
        return compare_effects(a, b, seed=seed)
    if is_matrix(a) and is_matrix(b):
        return _adjusted(compare_cells(a, b, seed=seed))
    if is_text(a) and is_text(b):
        return compare_texts(a, b, seed=seed)
    of_contexts = bool(a.records) and set(SIDES) <= set(a.records[0].scores)
    if not of_contexts and any(
        set(OF_PAIRS) - set(r.records[0].scores) for r in (a, b) if r.records
    ):
        raise BadInput(
            f"results of {a.card.study} are not comparable from model to model",
            "read each by itself",
        )
    compared = compare_contexts if of_contexts else compare_pairs
    return _adjusted(compared(a, b, seed=seed))
