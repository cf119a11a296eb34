"""Linear mixed models with random intercepts: Tiltmeter against statsmodels and mixedlm.

Ratings of groups on traits, made up: each group and each trait has a shift of its own, and two predictors
are fixed. With one factor only the groups' shifts are fitted, with two crossed ones both. All fit by REML;
Tiltmeter and mixedlm give Satterthwaite's degrees of freedom as well, statsmodels none.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import _peers
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, timed
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.regression.mixed_model import fit_mixed

TASK = "Mixed model"
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Ratings:
    """A rating of each group on each trait, by several people."""

    y: Array
    x: Array
    """Two predictors, shape (n, 2)."""
    groups: Labels
    traits: Labels

    @classmethod
    def made_up(cls, groups: int, traits: int, each: int) -> "Ratings":
        """Shifts of groups and traits with standard deviations of 0.5 and 1, noise of 1."""
        rng = np.random.default_rng(0)
        a, b = (
            side.ravel().repeat(each)
            for side in np.meshgrid(np.arange(groups), np.arange(traits), indexing="ij")
        )
        x = rng.normal(size=(len(a), 2))
        shifts = rng.normal(0, 0.5, groups)[a] + rng.normal(0, 1, traits)[b]
        y = 2 + x @ [0.3, 0.02] + shifts + rng.normal(size=len(a))
        return cls(y, x, a.astype(str), b.astype(str))


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is compared: coefficients with their standard errors and p."""

    coefficients: Array
    errors: Array
    p: Array


def rows(settings: Settings) -> Iterator[Row]:
    """One factor, then two crossed ones."""
    sizes = (12, 6, 1) if settings.tiny else (53, 32, 1) if settings.quick else (53, 32, 2)
    data = Ratings.made_up(*sizes)
    for crossed in (False, True):
        factors = [data.groups, data.traits] if crossed else [data.groups]
        which = "groups and traits, crossed" if crossed else "groups"
        case = f"{len(data.y):,} rows, random intercepts of {which}"
        _ours(data, factors)  # warm up
        expected, took = timed(lambda factors=factors: _ours(data, factors))
        yield Row(case, "tiltmeter", took)
        for name, fit in (("statsmodels", _statsmodels), ("mixedlm", _mixedlm)):
            try:
                version = __import__(name).__version__
            except ImportError:
                yield Row(case, name, skipped=f"{name} is not installed: pip install {name}")
                continue
            with _peers.silent():
                fit(Ratings.made_up(6, 4, 1), crossed=crossed)()  # warm up
                run: Callable[[], Fitted] = fit(data, crossed=crossed)
                found, seconds = timed(run)
            values = {TIMES: seconds / took} | _agreement(expected, found)
            yield Row(case, f"{name} {version}", seconds, values)


def _ours(data: Ratings, factors: list[Labels]) -> Fitted:
    fit = fit_mixed(data.y, data.x, factors)
    return Fitted(fit.coefficients, fit.errors, fit.p)


def _table(data: Ratings) -> Any:
    import pandas as pd

    return pd.DataFrame(
        {"y": data.y, "p": data.x[:, 0], "q": data.x[:, 1], "g": data.groups, "t": data.traits}
        | {"one": 1}
    )


def _statsmodels(data: Ratings, *, crossed: bool) -> Callable[[], Fitted]:
    from statsmodels.formula.api import mixedlm

    table = _table(data)
    parts = {"g": "0 + C(g)", "t": "0 + C(t)"}

    def run() -> Fitted:
        if crossed:
            model = mixedlm("y ~ p + q", table, groups="one", vc_formula=parts)
        else:
            model = mixedlm("y ~ p + q", table, groups="g")
        found = model.fit()
        return Fitted(
            found.fe_params.to_numpy(), found.bse_fe.to_numpy(), found.pvalues.to_numpy()[:3]
        )

    return run


def _mixedlm(data: Ratings, *, crossed: bool) -> Callable[[], Fitted]:
    from mixedlm import lmer

    table = _table(data)
    formula = "y ~ p + q + (1 | g)" + (" + (1 | t)" if crossed else "")

    def run() -> Fitted:
        lines = [line.split() for line in str(lmer(formula, table).summary()).splitlines()]
        at = [line for line in lines if line and line[0] in {"(Intercept)", "p", "q"}]
        fixed = [line for line in at if len(line) > 5]
        p = [float(line[-1 if line[-1][0].isdigit() else -2].strip("<")) for line in fixed]
        coefficients, errors = (np.array([float(line[i]) for line in fixed]) for i in (1, 2))
        return Fitted(coefficients, errors, np.array(p))

    return run


def _agreement(expected: Fitted, found: Fitted) -> dict[str, Any]:
    same = int(((expected.p < ALPHA) == (found.p < ALPHA)).sum())
    return {
        DIFFERENCE: float(np.abs(expected.coefficients - found.coefficients).max()),
        "difference of errors": float(np.abs(expected.errors - found.errors).max()),
        SAME: f"{same} of {len(expected.p)}",
    }
