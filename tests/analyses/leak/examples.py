"""Ratings and scores of models that the tests of leakage share."""

import csv

from support import published
from tiltmeter.analyses.leak.grids import ModelCells
from tiltmeter.data.people.people import leakage_ratings
from tiltmeter.derived.people.rated_cells import HumanCells, human_cells


def four_countries(**options):
    """The published ratings by language; the test is skipped where they are not."""
    published.need("stereotype_leakage/data_full_english.json")
    return {code: human_cells(r, name=code, **options) for code, r in leakage_ratings().items()}


def common(humans):
    """Groups that enough raters of every language know."""
    first = next(iter(humans.values()))
    return [
        g
        for g in first.groups
        if all(g in h.groups and h.enough[h.groups.index(g)].all() for h in humans.values())
    ]


def made_model(humans, effects, rng, *, target="ru", truth=None, noise=2.0):
    """Scores that depend on the means of some languages by these effects, with shifts and noise."""
    groups = common(humans)
    columns = next(iter(humans.values())).columns
    truth = truth or {name: human.part(groups, columns).means for name, human in humans.items()}
    y = sum(effect * truth[name] for name, effect in effects.items())
    shape = (len(groups), len(columns))
    y = y + rng.normal(0, 0.8, shape[1]) + rng.normal(0, 0.5, (shape[0], 1))
    return ModelCells(target, tuple(groups), columns, y + rng.normal(0, noise, shape))


def small_humans(rng, *, groups=6, columns=8, raters=5, names=("en", "ru")):
    """Made-up raters of a few groups, all of whom rated all of them."""
    titles = tuple(f"g{i}" for i in range(groups)), tuple(f"t{i}" for i in range(columns))
    truth = {name: rng.normal(10, 5, (groups, columns)) for name in names}
    return {
        name: HumanCells(name, *titles, own + rng.normal(0, 3, (raters, groups, columns)))
        for name, own in truth.items()
    }


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


LANGUAGES = ("en", "ru", "zh", "hi")
