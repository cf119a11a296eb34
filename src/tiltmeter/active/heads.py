"""Softmax regression on frozen features, trained on votes: the model of label distributions.

Every vote is a training row with its label. Rows of one item share their features, so an item is one row with
its label counts: the loss is the same and the work less.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tiltmeter.core.types import Array, Integers

PENALTIES: Final = (30.0, 15.0, 8.0, 4.0, 2.0, 1.0, 0.5)
"""Tried from strong to weak; each multiplies half the sum of squared weights."""
FOLDS: Final = 5
ITERATIONS: Final = 200
GROWTH: Final = 1.5
"""The penalty is chosen again when the votes have grown by this factor."""
CLOSE: Final = 5e-4
"""Penalties whose cross-validated losses differ by less, as a share, are compared by longer computation."""


@dataclass(frozen=True, slots=True)
class SoftmaxHead:
    """Probabilities are softmax(features · weights + bias)."""

    weights: Array
    """Shape (d + 1, K); the last row is the bias."""
    penalty: float

    def probabilities(self, features: Array) -> Array:
        """Predicted label distributions of items, shape (items, K)."""
        return softmax(features @ self.weights[:-1] + self.weights[-1])


def softmax(logits: Array) -> Array:
    """Distributions with these logits, each of shape (items, K)."""
    exp = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(exp / exp.sum(axis=1, keepdims=True), dtype=np.float64)


def fit_head(
    features: Array,
    counts: Array | Integers,
    penalty: float,
    start: SoftmaxHead | None = None,
    *,
    around: SoftmaxHead | None = None,
) -> SoftmaxHead:
    """Minimise the summed log loss of all votes plus the penalty with L-BFGS.

    Args:
        features: Shape (items, d).
        counts: Votes for each label, shape (items, K); they may be weighted.
        penalty: How many times half the sum of squared weights is added; the bias is free.
        start: A head to start from; the optimum is unique, so only the time depends on it.
        around: Penalise the distance from this head instead, the bias included: without votes, the result
            is this head.
    """
    from scipy.optimize import minimize  # noqa: PLC0415  (slow to import)

    rows = np.flatnonzero(counts.sum(axis=1) > 0)
    x, y = features[rows], np.asarray(counts[rows], dtype=np.float64)
    totals = y.sum(axis=1, keepdims=True)
    n, shape = max(float(totals.sum()), 1.0), (features.shape[1] + 1, counts.shape[1])

    centre = np.zeros(shape) if around is None else around.weights
    penalised = np.full(shape, penalty)
    if around is None:
        penalised[-1] = 0.0  # the bias is free

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(shape)
        logits = x @ weights[:-1] + weights[-1]
        logits -= logits.max(axis=1, keepdims=True)
        exp = np.exp(logits)
        sums = exp.sum(axis=1, keepdims=True)
        value = float((totals * np.log(sums)).sum() - (y * logits).sum())
        residual = exp * (totals / sums) - y  # (rows, K)
        away = weights - centre
        gradient = np.vstack([x.T @ residual, residual.sum(axis=0)]) + penalised * away
        value += float((penalised * away**2).sum()) / 2
        return value / n, gradient.ravel() / n

    first = start.weights if start is not None else _prior(y, shape)
    optimum = minimize(
        loss, first.ravel(), jac=True, method="L-BFGS-B",
        options={"maxiter": ITERATIONS, "gtol": 1e-5, "ftol": 1e-9},
    )  # fmt: skip
    return SoftmaxHead(optimum.x.reshape(shape), penalty)


def chosen_penalty(features: Array, counts: Array | Integers) -> float:
    """The penalty with the lowest cross-validated log loss on the votes that were bought.

    Folds are made of items, in the order of their positions: all votes of an item are in one fold.
    """
    rows = np.flatnonzero(counts.sum(axis=1) > 0)
    if len(rows) < 2 * FOLDS:
        return PENALTIES[0]
    x, y = features[rows], np.asarray(counts[rows], dtype=np.float64)
    inside = np.arange(len(rows)) % FOLDS != np.arange(FOLDS)[:, None]
    quick = _quick_losses(x, y, inside)
    near = np.flatnonzero(quick <= quick.min() * (1 + CLOSE))
    if len(near) == 1:
        return PENALTIES[int(near[0])]
    tried = PENALTIES[: near[-1] + 1]
    losses = sum(path_losses(x[i], y[i], x[~i], y[~i], penalties=tried) for i in inside)
    return PENALTIES[int(near[np.asarray(losses)[near].argmin()])]


class RepeatedChoice:
    """A penalty that is chosen again whenever the votes have grown by half."""

    def __init__(self) -> None:
        self._due, self._penalty = 0.0, 0.0

    def after(self, votes: int, choose: Callable[[], float]) -> float:
        """The penalty after so many votes, which `choose` chooses if it is time to."""
        if votes >= self._due:
            self._due, self._penalty = votes * GROWTH, choose()
        return self._penalty


def held_out_penalty(
    features: Array, counts: Array | Integers, held_out: tuple[Array, Array | Integers]
) -> float:
    """The penalty with the lowest log loss on features and votes that were bought for this choice alone."""
    rows = np.flatnonzero(counts.sum(axis=1) > 0)
    x, y = held_out[0], np.asarray(held_out[1], dtype=np.float64)
    losses = path_losses(features[rows], np.asarray(counts[rows]), x, y)
    return PENALTIES[int(losses.argmin())]


def majority_counts(counts: Array | Integers) -> Array:
    """All votes of an item moved to its most frequent label; equal ones share them."""
    best = counts == counts.max(axis=1, keepdims=True)
    totals = counts.sum(axis=1, keepdims=True)
    return np.where(best, totals / best.sum(axis=1, keepdims=True), 0.0)


def standardised(features: Array) -> Callable[[Array], Array]:
    """A map that centres features and scales them, all by one number, to a mean squared length of 1.

    It is learned from texts alone, so all items may be used, with or without votes.
    """
    centre = features.mean(axis=0)
    scale = float(np.sqrt(((features - centre) ** 2).sum(axis=1).mean())) or 1.0

    def mapped(some: Array) -> Array:
        return np.asarray((some - centre) / scale, dtype=np.float64)

    return mapped


def path_losses(
    x: Array,
    y: Array,
    to_x: Array,
    to_y: Array,
    around: SoftmaxHead | None = None,
    penalties: Sequence[float] = PENALTIES,
) -> Array:
    """Summed log loss on other items for each penalty, every fit starting from the one before.

    Features have shape (items, d), votes (items, K).
    """
    head, losses = around, []
    for penalty in penalties:
        head = fit_head(x, y, penalty, head, around=around)
        logs = np.log(np.maximum(head.probabilities(to_x), 1e-300))
        losses.append(-float((to_y * logs).sum()))
    return np.array(losses)


def _quick_losses(x: Array, y: Array, inside: npt.NDArray[np.bool_]) -> Array:
    """What `path_losses` gives for `PENALTIES`, summed over folds, with errors below `CLOSE` and much faster.

    All folds are fitted at once, in coordinates in which the Hessian is nearly the identity: along the
    eigenvectors of the features' covariance, each divided by the root of its curvature. Features have shape
    (items, d), votes (items, K); `inside` says whether a fold's fit sees an item, shape (folds, items).
    """
    from scipy.optimize import minimize  # noqa: PLC0415

    totals, shares = y.sum(axis=1), y.sum(axis=0) / y.sum()
    root = np.sqrt(totals)[:, None]
    if len(x) < x.shape[1]:
        strengths, left = np.linalg.eigh((root * x) @ (root * x).T)
        rotated = left * np.sqrt(np.maximum(strengths, 0)) / root
    else:
        strengths, right = np.linalg.eigh((root * x).T @ (root * x))
        rotated = x @ right
    z = np.hstack([rotated, np.ones((len(x), 1))])  # the last is the bias's
    columns, rank = np.ascontiguousarray(z.T), z.shape[1]
    spread = inside.mean() * (1 - shares @ shares) / (len(shares) - 1)
    curvature = spread * np.append(strengths, totals.sum())
    votes, kept, away = totals * inside, y.T[:, None] * inside, y.T[:, None] * ~inside

    def logits(weights: Array) -> Array:
        product: Array = (weights.reshape(-1, rank) @ columns).reshape(kept.shape)
        product -= product.max(axis=0)
        return product

    def loss(flat: Array, scale: Array, penalised: Array) -> tuple[float, Array]:
        weights = flat.reshape(-1, rank) * scale  # a row for each label and fold
        product, shrunk = logits(weights), penalised * weights
        residual = np.exp(product)
        sums = residual.sum(axis=0)
        value = np.vdot(votes, np.log(sums)) - np.vdot(kept, product) + np.vdot(shrunk, weights) / 2
        residual *= votes / sums
        residual -= kept
        return float(value), (scale * (residual.reshape(-1, len(z)) @ z + shrunk)).ravel()

    weights = np.zeros((len(shares) * len(inside), rank))
    weights[:, -1] = np.log(kept.sum(axis=2) + 1.0).ravel()
    step, losses = np.zeros_like(weights), list[float]()
    for penalty in PENALTIES:
        penalised = np.append(np.full(rank - 1, penalty), 0.0)
        scale = 1 / np.sqrt(np.maximum(curvature + penalised, 1.0))
        optimum = minimize(
            loss, ((weights + step) / scale).ravel(), (scale, penalised), jac=True, method="L-BFGS-B",
            options={"maxiter": ITERATIONS, "gtol": 3e-3, "ftol": 0.0},
        )  # fmt: skip
        before, weights = weights, optimum.x.reshape(-1, rank) * scale
        if losses:
            step = weights - before  # the next fit starts as far again in the same direction
        product = logits(weights)
        losses.append(-float(np.vdot(away, product - np.log(np.exp(product).sum(axis=0)))))
    return np.array(losses)


def _prior(counts: Array, shape: tuple[int, int]) -> Array:
    """No weights, and the logarithms of the labels' shares as bias."""
    weights = np.zeros(shape)
    shares = counts.sum(axis=0) + 1.0
    weights[-1] = np.log(shares / shares.sum())
    return weights
