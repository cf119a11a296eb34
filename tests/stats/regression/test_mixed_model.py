"""Mixed models by REML, beside dense matrices and the numbers of two other packages."""

import numpy as np
import pytest
from scipy.optimize import minimize

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.regression.mixed_model import fit_mixed, variance_inflation


def crossed(seed, *, rows=8, columns=6, lost=5, row_sd=0.7):
    """An incomplete crossed design: y, x and the two factors."""
    rng = np.random.default_rng(seed)
    a, b = (axis.ravel() for axis in np.indices((rows, columns)))
    kept = rng.permutation(rows * columns)[lost:]
    a, b = a[kept], b[kept]
    x = rng.normal(2, 3, (len(a), 2))
    shift = rng.normal(0, row_sd, rows)[a] + rng.normal(0, 1.5, columns)[b]
    return x @ [0.5, 0.0] + shift + rng.normal(size=len(a)), x, [a, b]


def dense(y, x, factors):
    """The same by the textbook: V inverted, all variances searched, nothing profiled."""
    design = np.column_stack([np.ones(len(y)), x])
    shared = [labels[:, None] == labels for labels in factors]

    def parts(logs):
        v = np.exp(logs[-1]) * np.eye(len(y))
        v = v + sum(np.exp(log) * same for log, same in zip(logs, shared, strict=False))
        inverse = np.linalg.inv(v)
        covariance = np.linalg.inv(design.T @ inverse @ design)
        beta = covariance @ design.T @ inverse @ y
        return v, inverse, covariance, beta

    def deviance(logs):
        v, inverse, covariance, beta = parts(logs)
        rest = y - design @ beta
        logs_of = np.linalg.slogdet(v)[1] - np.linalg.slogdet(covariance)[1]
        free = len(y) - design.shape[1]
        return logs_of + rest @ inverse @ rest + free * np.log(2 * np.pi)

    start = np.zeros(len(factors) + 1)
    found = minimize(deviance, start, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10,
                                                                     "maxiter": 4000})  # fmt: skip
    _, _, covariance, beta = parts(found.x)
    return beta, np.sqrt(np.diag(covariance)), np.exp(found.x / 2), found.fun


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("one", [True, False])
def test_it_equals_dense_matrices(seed, one):
    y, x, factors = crossed(seed)
    factors = factors[:1] if one else factors
    fit = fit_mixed(y, x, factors)
    beta, errors, sds, deviance = dense(y, x, factors)
    assert fit.coefficients == pytest.approx(beta, abs=1e-4)
    assert fit.errors == pytest.approx(errors, rel=1e-4)
    assert [*fit.factor_sds, fit.residual_sd] == pytest.approx(sds, abs=1e-3)
    assert fit.deviance == pytest.approx(deviance, abs=1e-6)


def test_a_factor_without_variance_is_left_out():
    y, x, (a, b) = crossed(5, rows=4, row_sd=0.0)
    fit, without = fit_mixed(y, x, [a, b]), fit_mixed(y, x, [b])
    assert fit.factor_sds[0] == 0
    assert fit.coefficients == pytest.approx(without.coefficients, abs=1e-5)
    assert fit.degrees == pytest.approx(without.degrees, rel=1e-3)


def test_units_do_not_matter():
    y, x, factors = crossed(1)
    fit, other = fit_mixed(y, x, factors), fit_mixed(y * 1e6, x * [1e-5, 10], factors)
    assert other.coefficients[1:] == pytest.approx(
        fit.coefficients[1:] * 1e6 / [1e-5, 10], rel=1e-4
    )
    assert other.p == pytest.approx(fit.p, rel=1e-3)


def test_one_group_mean_per_label_has_the_degrees_of_a_t_test():
    rng = np.random.default_rng(2)
    labels = np.repeat(np.arange(10), 4)
    between = np.repeat(np.arange(10) % 2, 4)[:, None].astype(float)
    y = rng.normal(0, 2, 10)[labels] + rng.normal(size=40)
    fit = fit_mixed(y, between, [labels])
    assert fit.degrees[1] == pytest.approx(8, rel=1e-3)  # ten means, two parameters
    low, high = fit.interval()
    assert low[1] < fit.coefficients[1] < high[1]


@pytest.mark.parametrize(
    ("crossing", "coefficients", "deviance", "rows"),
    [
        (
            False,
            [0.480485887735554, 0.4773745956508515, 0.023582639828577768],
            958.9493566276244,
            [(0.4805, 0.2524, 44.37), (0.4774, 0.0576, 202.07), (0.0236, 0.0501, 202.05)],
        ),
        (
            True,
            [0.48281747303207456, 0.5078144390942179, 0.008124029018199287],
            690.239572041171,
            [(0.4828, 0.6267, 13.28), (0.5078, 0.0261, 180.63), (0.0081, 0.0229, 181.34)],
        ),
    ],
)
def test_it_equals_other_packages(crossing, coefficients, deviance, rows):
    """Coefficients and deviance of statsmodels 0.15.0; rows of mixedlm 1.3.0, as it prints them.

    `benchmarks/mixed_model.py` fits with both packages anew.
    """
    y, x, (a, b) = crossed(4, rows=20, columns=12, lost=30)
    fit = fit_mixed(y, x, [a, b] if crossing else [a])
    assert fit.coefficients == pytest.approx(coefficients, abs=1e-4)
    assert fit.deviance == pytest.approx(deviance, abs=1e-4)
    printed = np.array(rows)
    assert printed[:, :2] == pytest.approx(
        np.column_stack([fit.coefficients, fit.errors]), abs=1.1e-4
    )
    assert printed[:, 2] == pytest.approx(fit.degrees, rel=1e-3)


def test_an_intercept_alone_is_the_mean_with_the_variances_of_the_two_way_table():
    rng = np.random.default_rng(0)
    rows, columns = np.indices((30, 5))
    table = rng.normal(size=(30, 1)) + 0.5 * rng.normal(size=(1, 5)) + rng.normal(size=(30, 5))
    fit = fit_mixed(table.ravel(), np.empty((150, 0)), [rows.ravel(), columns.ravel()])
    between_rows, between_columns = 5 * table.mean(1).var(ddof=1), 30 * table.mean(0).var(ddof=1)
    rest = table - table.mean(1, keepdims=True) - table.mean(0) + table.mean()
    error = (rest**2).sum() / (29 * 4)
    assert fit.coefficients == pytest.approx([table.mean()])
    assert np.square(fit.factor_sds) == pytest.approx(
        [(between_rows - error) / 5, (between_columns - error) / 30], rel=1e-4
    )
    assert fit.residual_sd**2 == pytest.approx(error, rel=1e-4)
    assert fit.covariance[0, 0] == pytest.approx(
        (between_rows + between_columns - error) / 150, rel=1e-3
    )
    with pytest.raises(Undefined, match="1 row is too few for a mixed model"):
        fit_mixed(np.ones(1), np.empty((1, 0)), [np.zeros(1, int)])


def test_what_cannot_be_fitted():
    y, x, (a, b) = crossed(0)
    with pytest.raises(BadInput, match="3 random intercepts; give one or two"):
        fit_mixed(y, x, [a, b, a])
    with pytest.raises(BadInput, match="different lengths"):
        fit_mixed(y[1:], x, [a, b])
    with pytest.raises(Undefined, match="all values are equal"):
        fit_mixed(np.ones(len(y)), x, [a])
    with pytest.raises(Undefined, match="collinear"):
        fit_mixed(y, np.column_stack([x, x.sum(axis=1)]), [a])
    with pytest.raises(Undefined, match="3 rows are too few for 2 predictors"):
        fit_mixed(y[:3], x[:3], [a[:3]])


def test_inflation_is_that_of_regressing_on_the_others():
    x = np.random.default_rng(0).normal(size=(50, 3)) @ np.array(
        [[1, 0.5, 0], [0, 1, 0.3], [0, 0, 1]]
    )
    for i, found in enumerate(variance_inflation(x)):
        others = np.column_stack([np.ones(50), np.delete(x, i, axis=1)])
        rest = x[:, i] - others @ np.linalg.lstsq(others, x[:, i], rcond=None)[0]
        assert found == pytest.approx(x[:, i].var() / rest.var())
