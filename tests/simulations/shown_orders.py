"""How often intervals of what an order does to answers contain the true value."""

from functools import partial

import numpy as np

from simulations.cases import Case, NullCase
from tiltmeter.stats.regression.within_strata import mean_excess, within_slope

EFFECT, OF_PEOPLE = 3.0, 3.0
"""Of swapped ends, on average, and how much it varies over people."""


def sides(people, each, rng, *, together=True, effect=EFFECT, skewed=False):
    """Sliders of four items, whose ends are swapped for one of two people, all together or each alone."""
    order = np.repeat(
        rng.permuted(np.tile([0.0, 1.0], (-(-people // 2), 1)), axis=1).ravel()[:people, None], 4, 1
    )
    if not together:
        alone = rng.permuted(np.tile([0.0, 1.0], (-(-people // 2), 4, 1)), axis=2)
        order = alone.transpose(0, 2, 1).reshape(-1, 4)[:people]
    own = rng.exponential(12, people) if skewed else rng.normal(0, 10, people)
    moved = effect + OF_PEOPLE * rng.normal(size=people)
    base = rng.normal(0, 15, (26, 4))
    cells = []
    for person in range(people):
        for item in rng.choice(26 if each < 4 else each, each, replace=False):
            values = own[person] + base[item] + moved[person] * order[person]
            values = values + 12 * rng.normal(size=4)
            cells += [
                (v, x, item * 4 + q, person)
                for q, (v, x) in enumerate(zip(values, order[person], strict=True))
            ]
    return columns(cells)


def columns(cells):
    y, x, strata, people = (np.array(part) for part in zip(*cells, strict=True))
    return y, x, strata.astype(np.int64), people.astype(np.int64)


def places(people, rows, rng, *, slope=0.3):
    """Rows in random order, whose answers rise from place to place by as much as differs over people."""
    base, cells = rng.normal(0, 15, rows), []
    for person in range(people):
        own, steep = 10 * rng.normal(), slope + 0.3 * rng.normal()
        for place, row in enumerate(rng.permutation(rows), start=1):
            cells.append((own + base[row] + steep * place + 12 * rng.normal(), place, row, person))
    return columns(cells)


def options(people, items, count, rng, *, lazy):
    """Choices of people who take the first option in a share of answers, and else what they prefer."""
    hits, of = [], []
    for person in range(people):
        order, liked = rng.permutation(count), rng.dirichlet(np.ones(count))
        share = rng.beta(8 * lazy, 8 * (1 - lazy)) if lazy else 0.0
        for _ in range(items):
            chosen = order[0] if rng.random() < share else rng.choice(count, p=liked)
            hits.append(float(chosen == order[0]))
            of.append(person)
    return np.array(hits), np.full(len(hits), 1 / count), np.array(of)


def of_slope(make, true, rng):
    sure = within_slope(*make(rng=rng)).inference
    return sure.low, sure.high, true


def of_first(people, items, count, rng, *, lazy):
    sure = mean_excess(*options(people, items, count, rng, lazy=lazy)).inference
    return sure.low, sure.high, lazy * (1 - 1 / count)


def p_of(make, rng):
    return within_slope(*make(rng=rng)).inference.p


KIND = "Student’s t, jackknife over people"
FIRST = f"{KIND}, at least the error by chance"
CASES = (
    *(
        Case(KIND, "order_difference", f"{people} people, {each} items of 4 sliders, {said}",
             partial(of_slope, partial(sides, people, each, **how), EFFECT), 91, 99, 400)
        for people, each, said, how in (
            (10, 4, "ends swapped by page", {}),
            (10, 4, "ends swapped by page, skewed", {"skewed": True}),
            (10, 4, "ends swapped by slider", {"together": False}),
            (40, 4, "ends swapped by page", {}),
            (40, 2, "ends swapped by page, other items each", {}),
        )
    ),
    *(
        Case(KIND, "order_difference", f"{people} people, {rows} rows by place",
             partial(of_slope, partial(places, people, rows), 0.3), 91, 99, 400)
        for people, rows in ((10, 8), (60, 8))
    ),
    *(
        Case(FIRST, "first_option_excess", f"{people} people, {items} choices of {count}, {said}",
             partial(of_first, people, items, count, lazy=lazy), 92, 100, 400)
        for people, items, count, said, lazy in (
            (10, 1, 5, "by chance", 0.0),
            (40, 1, 5, "by chance", 0.0),
            (40, 4, 2, "by chance", 0.0),
            (40, 4, 5, "one answer in five the first", 0.2),
        )
    ),
)  # fmt: skip
NULL_CASES = (
    NullCase(KIND, "order_difference", "20 people, 4 items of 4 sliders, ends swapped by page",
             partial(p_of, partial(sides, 20, 4, effect=0.0)), 8, 400),
    NullCase(KIND, "order_difference", "20 people, 8 rows by place",
             partial(p_of, partial(places, 20, 8, slope=0.0)), 8, 400),
)  # fmt: skip
