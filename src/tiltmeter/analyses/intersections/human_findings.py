"""Emergent traits against what people were found to associate with the same intersectional groups.

A cell is an intersectional group that the findings name, in any order of its components, and a trait of
the dimensions that they speak of. It is *true* where a finding says so, *predicted* where the trait emerges.
Precision is the share of predicted cells that are true, recall the share of true cells that are predicted.

Both are compared with two kinds of chance. Picking as many cells at random has the precision of all cells
and the recall of all predicted ones; how often it hits as many is hypergeometric. Cells of one group are
not independent, though: so the rows of the named groups are also permuted among all intersectional groups
of the run, which asks whether these groups' traits emerge rather than any group's.
"""

from collections.abc import Sequence
from functools import partial
from math import perm

import numpy as np
import numpy.typing as npt

from tiltmeter.analyses.intersections.components import ComponentScores
from tiltmeter.analyses.intersections.emergent_traits import Emergent
from tiltmeter.core.errors import Undefined, UnknownName
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.types import Array
from tiltmeter.data.groups.findings import Finding
from tiltmeter.stats.hypothesis_tests.one_sided import hits_at_least

DEALT = 9_999
FEWEST = 20
"""With fewer ways to permute the rows than this, no p can be below .05."""
Marks = npt.NDArray[np.bool_]
PREDICTED_BY = "emergent"
"""The axis: which cells are predicted, "above both components"."""
_of_cells = partial(quantity, counts="cells")
PREDICTED = _of_cells("predicted_cells", "Cells where the trait emerges", "predicted", decimals=0)
TRUE = _of_cells("true_cells", "Cells that people were found to associate", "true", decimals=0)
HITS = _of_cells(
    "hits", "Predicted cells that are true", "both", decimals=0, test="hypergeometric, cells at random",
)  # fmt: skip
PRECISION = _of_cells("precision", "Precision", "precision")
CHANCE_PRECISION = _of_cells("chance_precision", "Precision by chance", "chance")
RECALL = _of_cells("recall", "Recall", "recall")
CHANCE_RECALL = _of_cells("chance_recall", "Recall by chance", "chance")
BEYOND = _of_cells(
    "hits_beyond_chance", "Hits beyond chance", "beyond chance", decimals=0,
    test="rows of groups permuted",
)  # fmt: skip
QUANTITIES = (PREDICTED, TRUE, HITS, PRECISION, CHANCE_PRECISION, RECALL, CHANCE_RECALL, BEYOND)


def agreement(
    scores: ComponentScores,
    emerging: Emergent,
    findings: Sequence[Finding],
    file: str,
    *,
    seed: int,
) -> tuple[list[Estimate], str]:
    """How well traits that emerge, and those that do significantly, predict the findings of a file.

    Returns:
        Precision, recall and chance of either, none where the run has nothing that findings name; and a
        sentence on the groups that they are about, or why there are none.
    """
    predicted = {"above both components": emerging.numbers["above"] > 0}
    if emerging.tested:
        predicted["significantly above"] = emerging.significant("above")
    estimates: list[Estimate] = []
    groups: tuple[str, ...] = ()
    try:
        for prediction, marks in predicted.items():
            rng = np.random.default_rng(seed)
            some, groups = against(scores, marks, findings, rng, prediction=prediction)
            estimates += some
    except Undefined as undefined:
        return [], f"No agreement with {file}: {undefined}."
    return estimates, f"Findings: {file}. Groups: {', '.join(groups)}."


def against(
    scores: ComponentScores,
    predicted: Marks,
    findings: Sequence[Finding],
    rng: np.random.Generator,
    *,
    prediction: str = "above both components",
) -> tuple[list[Estimate], tuple[str, ...]]:
    """Precision, recall and chance, and the intersectional groups that they are about.

    `predicted` says of each intersectional group and trait, shape (intersectional, traits), whether it
    emerges; `prediction` is what that stands for, for the report.

    Raises:
        Undefined: The run holds no group that they name, or all cells are true, or none is.
        UnknownName: A finding about such a group names a trait, pair or dimension that the run does
            not have.
    """
    truth, columns, groups, lost = _truth(scores, findings)
    rows = np.flatnonzero(groups)
    if not len(rows):
        raise Undefined(
            f"the run contains no intersectional groups that the findings name ({', '.join(lost)})"
        )
    true, mine = truth[rows][:, columns], predicted[rows][:, columns]
    cells, n_true, n_predicted = true.size, int(true.sum()), int(mine.sum())
    hits = int((true & mine).sum())
    if n_true in {0, cells}:
        raise Undefined("every cell is true, so precision is meaningless")
    p_dealt, beyond, reason = _dealt(predicted[:, columns], true, rows, rng)
    at = {PREDICTED_BY: prediction}
    p = hits_at_least(hits, cells, n_true, n_predicted)
    estimates = [
        PREDICTED.at(n_predicted, n=cells, groups=at),
        TRUE.at(n_true, n=cells, groups=at),
        HITS.at(
            hits, Inference(None, None, p), n=cells, groups=at,
            why=f"not in the run: {', '.join(lost)}" if lost else "",
        ),
        PRECISION.at(
            hits / n_predicted if n_predicted else None, n=n_predicted, groups=at,
            why="" if n_predicted else "no cell is predicted",
        ),
        CHANCE_PRECISION.at(n_true / cells, groups=at),
        RECALL.at(hits / n_true, n=n_true, groups=at),
        CHANCE_RECALL.at(n_predicted / cells, groups=at),
        BEYOND.at(beyond, Inference(None, None, p_dealt, why=reason), n=cells, groups=at),
    ]  # fmt: skip
    return estimates, tuple(scores.intersectional[i] for i in rows)


def _truth(
    scores: ComponentScores, findings: Sequence[Finding]
) -> tuple[Marks, list[int], Marks, list[str]]:
    """Which cells are true, of which traits and groups findings speak, and which groups the run lacks."""
    orders = [{int(a), int(b)} for a, b in zip(scores.first, scores.second, strict=True)]
    names = (name.casefold() for name in scores.intersectional)
    components = dict(zip(names, orders, strict=True))
    truth = np.zeros((len(scores.intersectional), len(scores.traits)), dtype=np.bool_)
    is_named = np.zeros(len(scores.intersectional), dtype=np.bool_)
    about: set[int] = set()
    lost: dict[str, None] = {}
    for finding in findings:
        both = components.get(finding.group.casefold())
        if both is None:
            lost.setdefault(finding.group)
            continue
        traits, dimension = _traits(scores, finding)
        about |= set(dimension)
        rows = [i for i, order in enumerate(orders) if order == both]
        truth[np.array(rows)[:, None], traits] = True
        is_named[rows] = True
    return truth, sorted(about), is_named, list(lost)


def _traits(scores: ComponentScores, finding: Finding) -> tuple[list[int], list[int]]:
    """The traits that a finding says, and all of the dimensions that they belong to."""
    n = len(scores.pairs)
    high = n * (finding.direction == "high")  # traits are all left ones, then all right ones
    if finding.trait:
        stated = [_place("trait", finding.trait, scores.traits)]
    elif finding.pair:
        stated = [_place("pair of traits", finding.pair, scores.pairs) + high]
    else:
        _place("dimension", finding.dimension, scores.dimensions)
        wanted = finding.dimension.casefold()
        stated = [i + high for i, d in enumerate(scores.dimensions) if d.casefold() == wanted]
    dimensions = {scores.dimensions[i % n] for i in stated}
    every = [i for i in range(2 * n) if scores.dimensions[i % n] in dimensions]
    return stated, every


def _place(kind: str, name: str, known: Sequence[str]) -> int:
    folded = [text.casefold() for text in known]
    if name.casefold() not in folded:
        raise UnknownName(kind, name, {text for text in known if text})
    return folded.index(name.casefold())


def _dealt(
    predicted: Marks, true: Marks, rows: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[float | None, float, str]:
    """The p of permuting groups' rows, the hits beyond chance, and why there is no p."""
    share = true.mean(axis=1)
    hits = predicted.astype(np.float64) @ true.T.astype(np.float64)  # (crossed, rows)
    beyond: Array = hits - predicted.sum(axis=1)[:, None] * share
    places = np.arange(len(rows))
    seen = float(beyond[rows, places].sum())
    ways = perm(len(predicted), len(rows))
    if ways < FEWEST:
        number = "is only 1 way" if ways == 1 else f"are only {ways} ways"
        return None, seen, f"no second test: there {number} to permute the groups' rows"
    extreme = 0
    for _ in range(DEALT):
        drawn = rng.permutation(len(predicted))[: len(rows)]
        extreme += int(
            beyond[drawn, places].sum() >= seen - 1e-9
        )  # equal but for rounding is as extreme
    return (1 + extreme) / (1 + DEALT), seen, ""
