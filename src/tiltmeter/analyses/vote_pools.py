"""active pools: data sets with several votes per item: sizes, disagreement, and how votes are distributed."""

from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from tiltmeter.active.pool_numbers import DISAGREEMENT
from tiltmeter.active.pools.item_choice import ItemChoice, VotePoolOptions
from tiltmeter.active.pools.registered_pools import POOLS as POOLS_BY_NAME
from tiltmeter.active.pools.vote_sources import open_pool
from tiltmeter.active.votes import VotePool, split_items
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    paragraphs,
    paths_of,
)
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import Forest, NumberTable, number_columns
from tiltmeter.report.text import value_with_unit
from tiltmeter.run.monitor import Monitor

POOLS = quantity("pools", "Data sets with several votes per item", counts="data sets", decimals=0)
ITEMS = quantity("items", "Items", "items", counts="items", decimals=0)
PER_ITEM = quantity(
    "votes_per_item", "Votes per item", "votes per item", counts="items", decimals=2
)
TESTED = quantity(
    "test_items", "Test items of a simulation", "test items", counts="items", decimals=0
)
LABEL_SHARE = quantity("label_share", "Share of the votes", "share", counts="votes", unit="%")
ITEM_SHARE = quantity("item_share", "Share of the items", "share", counts="items", unit="%")


def compute(inputs: Sequence[Input], options: VotePoolOptions, monitor: Monitor) -> Result:
    """Describe registered pools of votes, or tables with the columns item, text, annotator, label."""
    pools: list[VotePool] = []
    for place in paths_of(inputs):
        monitor.step(f"reading {place}")
        pool = options.of(open_pool(str(place), labels=options.label))
        pools.append(pool.capped(options.pool_votes, options.limit_seed))
    names = [pool.name for pool in pools]
    return finish(
        ANALYSIS,
        [POOLS.at(len(pools)), *(e for pool in pools for e in _numbers(pool))],
        Circumstances(
            data={"name": ", ".join(names), "sha256": digest(*(pool.sha256 for pool in pools))},
            subtitle=" · ".join(names),
            method="Test items are those that a simulation with seed 0 holds out.",
            settings={
                option.name: str(value)
                for option in fields(ItemChoice)
                if (value := getattr(options, option.name)) != option.default
            }
            | ({"pool_votes": str(most)} if (most := options.pool_votes) else {}),
            notes=notes_of(
                "data",
                [
                    *(f"{pool.name}: {note}" for pool in pools for note in pool.notes),
                    *(
                        [f"At most {counted(most, 'votes')} on an item are counted."]
                        if most
                        else []
                    ),
                ],
            ),
            sources=[{"set": name, "data": name, "model": ""} for name in names],
        ),
    )


def _numbers(pool: VotePool) -> Iterator[Estimate]:
    at, items, votes = {"set": pool.name}, len(pool.items), len(pool.item)
    yield ITEMS.at(items, n=items, groups=at)
    yield PER_ITEM.at(votes / items, n=items, groups=at)
    yield TESTED.at(len(split_items(pool, 0).test), n=items, groups=at)
    yield DISAGREEMENT.at(pool.disagreement, n=items, groups=at)
    for label, given in zip(
        pool.labels, np.bincount(pool.label, minlength=len(pool.labels)), strict=True
    ):
        yield LABEL_SHARE.at(100 * float(given) / votes, n=votes, groups={**at, "label": label})
    for number, of in zip(*np.unique(pool.counts.sum(axis=1), return_counts=True), strict=True):
        groups = {**at, "votes_on_item": str(number)}
        yield ITEM_SHARE.at(100 * float(of) / items, n=items, groups=groups)


def words(numbers: Numbers) -> list[Paragraph]:
    """Size and disagreement of each set."""
    return paragraphs(
        f"{e.groups['set']}: {counted(e.n, 'items')} with "
        f"{value_with_unit(numbers.all(PER_ITEM, **e.groups)[0])} votes each on average; two votes on an "
        f"item differ with probability {value_with_unit(e)}."
        for e in numbers.all(DISAGREEMENT)
        if e.value is not None
    )


def sets_of(name: str) -> list[str]:
    """The data set that a registered pool is made of; [] for a user's table and for made-up pools."""
    return [POOLS_BY_NAME[name].data] if name in POOLS_BY_NAME and POOLS_BY_NAME[name].data else []


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> votes = pl.DataFrame([
...     {"item": n, "text": f"text {n}", "annotator": who, "label": "yes" if n % every else "no"}
...     for n in range(10) for who, every in (("ann", 2), ("bob", 3))
... ])
>>> tm.analyse.vote_pools(votes).estimate("votes_per_item", set="table in memory")
<votes_per_item of set table in memory: 2, n 10>"""
ANALYSIS = Analysis(
    name="vote_pools",
    title="Data sets with several votes per item",
    version="1",
    source="Baumler, Sotnikova and Daumé 2023, doi:10.18653/v1/2023.findings-acl.658",
    summary="Data sets with several votes per item: sizes, disagreement, labels, votes on an item.",
    means="How often two votes on an item differ limits what a single label can say of it.",
    not_what="Why people disagree.",
    example=EXAMPLE,
    inputs="Registered pools of votes, or tables with the columns item, text, annotator, label.",
    quantities=(POOLS, ITEMS, PER_ITEM, TESTED, DISAGREEMENT, LABEL_SHARE, ITEM_SHARE),
    compute=compute,
    options=VotePoolOptions,
    sets_of=sets_of,
    words=words,
    views=(
        NumberTable(
            "pools",
            "Sizes and disagreement",
            ("set",),
            (
                *ITEMS.columns(),
                *PER_ITEM.columns(),
                *TESTED.columns(),
                *number_columns("disagreement"),
            ),
        ),
        Forest(
            "labels",
            "Labels",
            caption="Share of the votes by label.",
            measures=(LABEL_SHARE.name,),
            rows=("label",),
            by="set",
            heading="Share of the votes",
        ),
        Forest(
            "votes-on-items",
            "Votes on an item",
            caption="Share of the items with so many votes.",
            measures=(ITEM_SHARE.name,),
            rows=("votes_on_item",),
            by="set",
            heading="Share of the items",
        ),
    ),
)
