"""active report: what finished runs of active learning say, and about the claims of a paper."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeVar

from tiltmeter.active import pool_numbers
from tiltmeter.active.curves import DIFFERENCE, WITH_ITEMS
from tiltmeter.active.paper_claims import BASELINES, claims_of
from tiltmeter.active.pool_runs import LOSSES, USUAL, PoolRuns, read_pool, run_folders
from tiltmeter.active.published_curves import published_curves
from tiltmeter.active.run_variants import folder_facts, named_apart, variants
from tiltmeter.active.targets import BASELINE_RATIO, RATIO, TARGET, UNREACHED, VOTES
from tiltmeter.active.verdicts import BORNE_OUT, F1, F1_DIFFERENCE, MEAN, judged
from tiltmeter.analyses.active_report.sentences import SAVES, words
from tiltmeter.analyses.active_report.set_views import BEST, GAP, SetViews, titled
from tiltmeter.analyses.active_report.views import (
    AVERAGE,
    POOL,
    QUERY,
    VARIANT,
    VOTE,
    claim_views,
    curve_views,
    file_views,
    ratio_views,
)
from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish, paths_of
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.options import CheckedOptions, Option, Seed
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.data.published import known_published, published
from tiltmeter.run.monitor import Monitor

SAVING = quantity(
    "saving_strategies", "Strategies that save votes", counts="comparisons", decimals=0
)
"""By the headline loss and its main target, over all sets."""
BY = {
    "excess_log_loss": "log loss", MEAN.format("excess_log_loss"): "log loss, mean", "js_nats": "JS",
    MEAN.format("js_nats"): "JS, mean", "again": "asked again", "underestimated": "f_ent > H",
    "skill": "skill", F1: "macro-F1, mean",
}  # fmt: skip
OF_STRATEGIES = (
    "Every strategy buys votes one round after the other, and the model is trained again after each. "
    "Within a seed all strategies share the split into training and test items, the first votes and "
    "the order of each item's votes, so differences are paired."
)
OF_PEOPLE = (
    "In a live round people are asked in turn, and the model is trained again after each round."
)
OF_LOSSES = (
    "Log loss of single held-out votes is "
    "the headline, as the excess over the entropy of these votes: log loss is a proper score, so its "
    "expectation is lowest for the true distribution. Neither the excess nor the divergence can be "
    "expected to reach 0, since the few votes of a test item are a rough picture of a distribution."
)
NOT_WHAT = "How strategies would do with another model, other items or other people."
OF_SIMULATIONS = (
    "Simulations buy votes that were given before: nobody is asked anew, and the people who gave them "
    "did not know which items come next."
)
OF_LIVE_ROUNDS = (
    "In a live round people were asked while the model learned: it has one strategy, and what another "
    "would have asked is not known."
)


@dataclass(frozen=True, slots=True)
class ActiveReportOptions(CheckedOptions):
    """The options of `tiltmeter active report`."""

    against: Annotated[str, Option(
        "Strategy to compare the others with.", metavar="NAME",
    )] = USUAL  # fmt: skip
    convention: Annotated[str, Option(
        "Paper whose claims are judged.", metavar="NAME",
    )] = "baumler2023"  # fmt: skip
    queries: Annotated[int, Option(
        "Queries per strategy to list on the page.", min=0,
    )] = 20  # fmt: skip
    all_queries: Annotated[bool, Option(
        "Keep every query, in records.parquet and queries.csv.",
    )] = False  # fmt: skip
    seed: Seed = 0


T = TypeVar("T", Estimate, Record)


def compute(inputs: Sequence[Input], options: ActiveReportOptions, monitor: Monitor) -> Result:
    """Read every folder, compare its strategies, and judge the claims."""
    claims = claims_of(options.convention)
    places = paths_of(inputs)
    tables = [str(place) for place in places if str(place) in known_published()]
    printed = {n: c for name in tables for n, c in published_curves(published(name)).items()}
    read = []
    for folder in run_folders([place for place in places if str(place) not in tables]):
        monitor.step(f"reading {folder.name}")
        read.append(read_pool(folder, against=options.against, seed=options.seed))
    pools = named_apart(read, printed)
    run = {name for pool in read for name in pool.manifest.strategies}
    run |= {name for curves in printed.values() for name in curves.strategies}
    if options.against not in {*run, USUAL}:
        raise UnknownName("strategy of these runs", options.against, run)
    told_apart = dict(zip(pools, variants(read), strict=True))
    estimates, records = [], []
    for name, pool in pools.items():
        verdicts = [*judged(pool, claims)]
        estimates += [_of_set(name, e) for e in pool_numbers.pool_estimates(pool)]
        estimates += [_of_set(name, e) for e in verdicts if isinstance(e, Estimate)]
        records += [_of_set(name, r) for r in verdicts if isinstance(r, Record)]
        records += [
            _of_set(name, _in_panel(record, pool, told_apart[name]))
            for record in _records(pool, options)
        ]
    for name, curves in printed.items():
        estimates += [_of_set(name, e) for e in pool_numbers.printed_estimates(curves)]
        records += [_of_set(name, record) for record in pool_numbers.printed_records(curves)]
    means = [*averages(estimates)]
    estimates += means
    sets, alike = [*pools, *printed], len({pool.name for pool in read}) == 1 and not printed
    sources = [_source(name, pool) for name, pool in pools.items()]
    sources += [{"set": n, "data": n, "model": "", "from": ", ".join(tables)} for n in printed]
    if means:
        models = {source["model"] for source in sources}
        model = models.pop() if len(models) == 1 else ""
        every = ", ".join(sorted(str(source["data"]) for source in sources))
        sources.append({"set": AVERAGE, "data": f"average of {every}", "model": model})
    return finish(
        ANALYSIS,
        [*_totals(estimates), *estimates],
        Circumstances(
            data={
                "name": ", ".join(sets),
                "sha256": digest(
                    *((pool.manifest, pool.table.seeds) for pool in pools.values()), *tables
                ),
            },
            convention=options.convention,
            subtitle=" · ".join(sets),
            seed=options.seed,
            method=_method(pools.values(), printed=bool(printed)),
            limits=_limits(pools.values(), printed=bool(printed)),
            settings={"against": options.against, "queries": str(options.queries)},
            notes=notes_of(
                "data",
                [f"{name}: {note}" for name, p in pools.items() for note in p.manifest.notes],
            ),
            sources=sources,
            labels={
                "strategy": {name: titled(name) for name in (*sorted(run), pool_numbers.ALL)},
                "baseline": {name: titled(name) for name in BASELINES},
                "set": {n: n.removeprefix(f"{p.name}, ") for n, p in pools.items() if alike},
                "votes_each": {
                    e.groups["votes_each"]: f"{e.groups['votes_each']} votes"
                    for e in estimates
                    if "votes_each" in e.groups
                },
                "loss": dict(LOSSES),
                "by": BY,
                "target": {"best": BEST, "gap": GAP},
                "claim": {c.id: f"Claim {c.number}: {c.text}" for c in claims},
                "axis": {"by": "measure", "votes_each": "votes each"},
            },
            views=[
                *curve_views(pools, printed, several_settings=any(told_apart.values())),
                *(
                    view
                    for number, (name, pool) in enumerate(pools.items(), 1)
                    for view in SetViews(name, pool, number if len(sets) > 1 else 0).all
                ),
                *ratio_views(pools, printed),
                *claim_views(claims, estimates, records),
                *file_views(VOTE if options.all_queries else QUERY),
            ],
        ),
        records,
    )


def _method(pools: Iterable[PoolRuns], *, printed: bool) -> str:
    """How votes were bought, in simulations, in live rounds, or in both, and what is measured."""
    are_live = {bool(pool.manifest.settings.get("live")) for pool in pools}
    simulated = [OF_STRATEGIES] if False in are_live or printed else []
    live = [OF_PEOPLE] if True in are_live else []
    return " ".join([*simulated, *live, OF_LOSSES])


def _limits(pools: Iterable[PoolRuns], *, printed: bool) -> str:
    """What the results do not show: of simulations, of live rounds, or of both."""
    are_live = {bool(pool.manifest.settings.get("live")) for pool in pools}
    simulated = [OF_SIMULATIONS] if False in are_live or printed else []
    live = [OF_LIVE_ROUNDS] if True in are_live else []
    return " ".join([NOT_WHAT, *simulated, *live])


def averages(estimates: Sequence[Estimate]) -> Iterator[Estimate]:
    """Mean ratios to each baseline over all sets of a report, of strategies that all of them have."""
    sets = dict.fromkeys(e.groups["set"] for e in estimates)
    places: dict[tuple[str, ...], list[Estimate]] = {}
    for e in estimates:
        if e.name == BASELINE_RATIO.name and e.value is not None:
            key = tuple(e.groups[axis] for axis in ("loss", "strategy", "baseline"))
            places.setdefault(key, []).append(e)
    for some in places.values():
        if len(some) == len(sets) > 1:
            mean = sum(e.value or 0.0 for e in some) / len(some)
            bound: Literal["", ">"] = ">" if any(e.bound for e in some) else ""
            groups = {**some[0].groups, "set": AVERAGE}
            yield BASELINE_RATIO.at(mean, groups=groups, bound=bound)


def _of_set(name: str, item: T) -> T:
    return replace(item, groups={"set": name, **item.groups})


def _in_panel(record: Record, pool: PoolRuns, variant: str) -> Record:
    """The record; a point of a curve with its pool and, in its words, what is special about its settings."""
    if record.kind != pool_numbers.CURVE:
        return record
    return replace(record, groups={POOL: pool.pool_name, VARIANT: variant, **record.groups})


def _records(pool: PoolRuns, options: ActiveReportOptions) -> Iterator[Record]:
    yield from pool_numbers.pool_records(pool)
    yield from (pool_numbers.query_record(q, QUERY) for q in pool.first_queries(options.queries))
    if options.all_queries:
        yield from (pool_numbers.query_record(q, VOTE) for q in pool.all_queries())


def _totals(estimates: Sequence[Estimate]) -> Iterator[Estimate]:
    """How many strategies save votes, and how many verdicts bear a claim out."""
    mains: dict[str, Groups] = {}
    for e in estimates:
        if e.verdict == pool_numbers.MAIN:
            mains.setdefault(e.groups["set"], e.groups)  # of the headline loss, which is first
    compared = [
        e for e in estimates
        if e.name == RATIO.name
        and mains.get(e.groups["set"], {"": ""}).items() <= e.groups.items()
    ]  # fmt: skip
    borne_out = [e.value or 0.0 for e in estimates if e.name == BORNE_OUT.name]
    saving, about = sum(e.verdict == SAVES for e in compared), counted(len(compared), "comparisons")
    yield SAVING.at(saving, why=f"of {about}")
    yield BORNE_OUT.at(sum(borne_out), n=len(borne_out))


def _source(name: str, pool: PoolRuns) -> dict[str, Any]:
    """What the runs on a set were made with."""
    manifest, votes = pool.manifest, pool.table.votes.tolist()
    settings = {k: v for k, v in manifest.settings.items() if v not in {None, ""}}
    return {
        "set": name,
        "data": pool.name,
        "model": " on ".join(str(settings[k]) for k in ("predictor", "encoder") if k in settings),
        "folder": pool.folder.name,
        "pool": dict(manifest.pool),
        "labels": manifest.labels,
        "strategies": manifest.strategies,
        "against": pool.against,
        "seeds": len(pool.table.seeds),
        "settings": settings,
        "measured at": f"{counted(len(votes), 'points')}, {votes[0]:,} to {counted(votes[-1], 'votes')}",
        "versions": dict(manifest.versions),
    }


EXAMPLE = """\
>>> import tiltmeter as tm
>>> tm.analyse.active_report("baumler2023_curves").headline
<saving_strategies: 0, n 0>"""
ANALYSIS = Analysis(
    name="active_report", title="Active learning", version="1",
    source="Baumler, Sotnikova and Daumé 2023, doi:10.18653/v1/2023.findings-acl.658",
    summary="Compare strategies: votes to a target, learning curves, queries, verdicts on a paper’s "
    "claims.",
    means="A ratio of 1.25 means that the other strategy needs 25 % more votes, or this one 20 % "
    "fewer.",
    not_what=NOT_WHAT,
    example=EXAMPLE,
    inputs="Run folders, a folder of them, or published learning curves "
    "(baumler2023_curves).",
    quantities=(
        SAVING, BORNE_OUT, VOTES, RATIO, UNREACHED, TARGET, BASELINE_RATIO, DIFFERENCE, WITH_ITEMS,
        F1_DIFFERENCE, *pool_numbers.QUANTITIES,
    ),
    compute=compute, options=ActiveReportOptions, words=words, folders=folder_facts,
)  # fmt: skip
