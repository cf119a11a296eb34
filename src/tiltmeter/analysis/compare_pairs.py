"""Two models on the same sentence pairs: paired tests and paired intervals."""

from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis import paired
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.types import Array, Labels, Ties
from tiltmeter.metrics.preference import outcomes
from tiltmeter.stats.intervals import bootstrap_mean
from tiltmeter.stats.significance import mcnemar_exact, sign_flip

AXIS, NAME = "bias_type", "stereotype_rate"
OF_SOS = ("attribute", "sos_rate")
"""The same where the sentences of a pair are an offensive and a pleasant one."""
SIDES = ("more", "less")


@dataclass(frozen=True, slots=True)
class _Both:
    """The items that both results scored, in one order."""

    a: Array
    """What A preferred: 1 the more stereotyping (offensive) sentence, 0 the other; a tie as `ties` says."""
    b: Array
    side_a: Array
    """The same with ties always 0: -1, 0, 1."""
    side_b: Array
    clusters: Labels
    kinds: Labels
    """The category of each item, "" where it has none."""

    @property
    def tied(self) -> int:
        """Items on which either result has a tie."""
        return int(np.sum((self.side_a == 0) | (self.side_b == 0)))


def compare_pairs(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """Differences of stereotype or SOS rates and agreement of preferences; see `compare.compare`."""
    axis, measure = OF_SOS if any(e.name == OF_SOS[1] for e in a.estimates) else (AXIS, NAME)
    both, left_out = _common(a, b, axis)
    note = paired.note(a, b, left_out)
    name = f"{measure}_difference"
    overall = _one(a, b, both, name, {}, seed, note)
    kinds = sorted({str(k) for k in both.kinds if k})
    parts = [
        _one(a, b, paired.where(both, both.kinds == k), name, {axis: k}, seed, "") for k in kinds
    ]
    return [
        overall,
        *parts,
        *paired.agreement(a, b, both.side_a, both.side_b, both.clusters, seed=seed, tied=both.tied),
    ]


def _common(a: Result, b: Result, axis: str) -> tuple[_Both, int]:
    mine, yours = paired.matched(a, b)
    more_a, less_a = paired.columns(a.card, mine, SIDES)
    more_b, less_b = paired.columns(b.card, yours, SIDES)
    ties: Ties = a.card.ties  # type: ignore[assignment]
    both = _Both(
        outcomes(more_a, less_a, ties=ties),
        outcomes(more_b, less_b, ties=ties),
        np.sign(more_a - less_a),
        np.sign(more_b - less_b),
        np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in mine]),
        np.array([r.groups.get(axis, "") for r in mine]),
    )
    return both, len(a.records) + len(b.records) - 2 * len(mine)


def _tested(both: _Both, rng: np.random.Generator) -> tuple[float, str]:
    """McNemar's test; where items share clusters it is made of whole clusters, as the interval is."""
    above, below = int(np.sum(both.a > both.b)), int(np.sum(both.a < both.b))
    if above + below == 0 or len(np.unique(both.clusters)) == len(both.clusters):
        return mcnemar_exact(above, below), "exact McNemar test"
    p = sign_flip(np.sign(both.a - both.b), both.clusters, rng)
    return p, "sign-flip test of whole clusters on the items on which the two differ,"


def _one(
    a: Result, b: Result, both: _Both, name: str, groups: dict[str, str], seed: int, note: str
) -> Estimate:
    difference = 100 * (both.a - both.b)
    rng = paired.rng_of(seed, name, groups)
    sure, why = paired.interval(lambda: bootstrap_mean(difference, both.clusters, rng))
    try:
        p, test = _tested(both, rng)
        sure = sure._replace(p=p, test=f"{test} against 0")
    except Undefined as undefined:
        why = "; ".join(part for part in (why, f"no test: {undefined}") if part)
    why = "; ".join(part for part in (why, note) if part)
    value = float(difference.mean())
    shown = paired.Number(name, value, "percentage points", 0.0, groups, why)
    return paired.estimate(a, b, shown, sure, n=len(both.a), tied=both.tied)
