"""How active report is shown over all sets: curves, ratios to baselines, claims, and what only files have."""

from collections.abc import Iterator, Mapping, Sequence

from tiltmeter.active.curves import DIFFERENCE, WITH_ITEMS, Curves
from tiltmeter.active.paper_claims import PaperClaim
from tiltmeter.active.pool_numbers import (
    CORRELATION,
    DISAGREEMENT,
    ERROR,
    FLOOR,
    FULL,
    GROWTHS,
    SKILL,
)
from tiltmeter.active.pool_runs import FURTHER, LOSSES, PoolRuns
from tiltmeter.active.targets import BASELINE_RATIO, NEAR, RATIO, TARGET, UNREACHED, VOTES
from tiltmeter.active.verdicts import BORNE_OUT, CLAIM, F1_DIFFERENCE
from tiltmeter.analyses.active_report.set_views import ASKED, RATES
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.text import raised
from tiltmeter.core.views import (
    ESTIMATES,
    HIGH,
    LOW,
    NumberTable,
    RecordCurves,
    RecordTable,
    TextLines,
    View,
    number_columns,
)
from tiltmeter.report.text import sentence_end

CURVES, CLAIMS = "Learning curves", "Claims and verdicts"
AVERAGE = "average"
"""In place of a set: all of them together."""
POOL, VARIANT = "pool", "variant"
"""Axes of the points of curves: the pool, and the settings that tell its runs apart."""
QUERY, VOTE = "query", "vote"
"""Kinds of records: the first queries of each strategy, and all votes that were bought."""
OF_CLAIMS = (RATIO, DIFFERENCE, F1_DIFFERENCE, GROWTHS["again"], GROWTHS["underestimated"], SKILL)
"""The numbers by which claims are judged."""
CURVE_SCORES = tuple(
    shape.format(name) for name in (*LOSSES, *FURTHER, *RATES) for shape in ("{}", LOW, HIGH)
)
"""For each measure with a curve, its mean and both ends of its interval."""
ON_BANDS = "Bands are 95 % intervals over seeds, without what all strategies share in a seed."
ON_LEVELS = (
    "All votes: trained on every vote of the training items. Noise floor: what the true distributions "
    "would score, since each test item has few votes."
)
ON_RATES = "Among the votes since the measured point before; means over seeds."


def curve_views(
    pools: Mapping[str, PoolRuns], printed: Mapping[str, Curves], *, several_settings: bool
) -> Iterator[View]:
    """Curves of all sets: a panel each; runs on one pool with several settings share a panel."""
    sets = [*pools, *printed]
    panels = "set" if len(sets) > 1 else ""
    only = {"set": sets[0]} if len(sets) == 1 else {}
    lines = "strategy"
    if several_settings:
        panels = POOL if len({pool.pool_name for pool in pools.values()}) > 1 else ""
        lines = f"strategy,{VARIANT}"
    losses = {name: f"{words}, nats" for name, words in LOSSES.items()}
    for score, up in (losses | FURTHER | RATES).items():
        of_rates, of_loss = score in RATES, score in LOSSES
        notes = (
            [ON_RATES]
            if of_rates
            else [ON_BANDS, *([ON_LEVELS] if of_loss and not several_settings else [])]
        )
        caption = " ".join([f"{raised(up)}.", *notes])
        at = {"loss": score, **only}
        title = ASKED if of_rates else CURVES
        yield RecordCurves(
            score, title, caption=caption, of="curve", score=score, x="votes", lines=lines,
            across="votes", up=up, panels=panels, levels=(*FULL.columns(at=at), *FLOOR.columns(at=at)),
        )  # fmt: skip
    by = "set" if len(sets) > 1 else ""
    yield from (
        RecordCurves(
            ERROR.name, ASKED,
            caption="Mean squared error of f_ent on the test items, by the number of items that it is "
            "trained on; a line for each number of votes on an item.",
            of=ESTIMATES, score=ERROR.name, x="items", lines="votes_each", across="items",
            up="squared error, nats²", panels=by, where=only,
        ),
        RecordTable(
            "chosen", ASKED, caption="The first votes that each strategy chose, with the first seed",
            by=by, of=QUERY, axes=("strategy", "item"), scores=("votes", "score", "h", "f_ent"),
            texts=("label", "reason", "asked before"),
            headings={"h": "H, nats", "f_ent": "f_ent, nats"}, decimals={"votes": 0}, folded=True,
        ),
    )  # fmt: skip


def ratio_views(pools: Mapping[str, PoolRuns], printed: Mapping[str, Curves]) -> Iterator[View]:
    """Ratios to each baseline by the paper's rule; of printed curves votes to one target, too."""
    losses = dict.fromkeys(loss for pool in pools.values() for loss in pool.losses)
    for loss in losses or ("js_nats",):
        yield NumberTable(
            f"baselines-{loss}", f"Votes of baselines, {LOSSES[loss]}", where={"loss": loss},
            rows=("set", "strategy"), columns=BASELINE_RATIO.columns(), spread="baseline",
            explained="By the paper’s rule: the target is the loss at the strategy’s first measured "
            "point within 5 % of its own best, so it depends on the strategy. Ratios are votes of the "
            "baseline to that loss for each vote of the strategy; > where the baseline does not reach "
            "it within its budget.",
        )  # fmt: skip
    if printed:
        yield NumberTable(
            "one-target", "Votes to one target", where={"loss": "js_nats", "target": "best"},
            rows=("set", "strategy"), columns=(*VOTES.columns(), *RATIO.columns()),
            explained=f"The target is {NEAR} × the best loss of any strategy of the set. The ratio is "
            "the votes of the other strategy for each vote of this one.",
        )  # fmt: skip


def claim_views(
    claims: Sequence[PaperClaim], estimates: Sequence[Estimate], records: Sequence[Record]
) -> Iterator[View]:
    """A table for each claim over all sets, the paper's numbers, and how to read it."""
    judged_ids = dict.fromkeys(
        e.groups["claim"] for e in estimates if "claim" in e.groups and e.verdict
    )
    if not judged_ids:
        return
    by_id = {claim.id: claim for claim in claims}
    for claim in sorted(map(by_id.__getitem__, judged_ids), key=lambda claim: claim.number):
        yield NumberTable(
            "", CLAIMS, caption=f"Claim {claim.number}: {claim.text}", where={"claim": claim.id},
            rows=("set", "by"),
            columns=(
                *number_columns(""), *number_columns("", interval=1), *number_columns("", verdict=0),
                *BORNE_OUT.columns("borne out", verdict=2), *number_columns("", "seeds", n=5),
            ),
            measures=tuple(q.name for q in OF_CLAIMS), most=60,
        )  # fmt: skip
        if claim.published:
            yield TextLines(CLAIMS, (f"The paper: {sentence_end(claim.published)}",))
    sets: dict[tuple[int, str], dict[str, None]] = {}
    for record in records:
        if record.kind == CLAIM and record.texts["why"]:
            key = by_id[record.groups["claim"]].number, record.texts["why"]
            sets.setdefault(key, {})[record.groups["set"]] = None
    untested: dict[str, list[str]] = {}
    for (claim_number, why), names in sorted(sets.items()):
        untested.setdefault(", ".join(names), []).append(f"{claim_number} ({why})")
    untested_lines = (
        f"Claims not tested on {of}: {', '.join(why)}." for of, why in untested.items()
    )
    yield from (
        TextLines(title=CLAIMS, lines=tuple(untested_lines)),
        TextLines(
            title=CLAIMS,
            lines=(
                (
                    "Log loss, as the excess over the entropy of the held-out votes, and JS: votes of "
                    "the other strategy, or of the best of the others, for each vote of this one, to "
                    "the common target; above 1 this one saves votes. Mean: its mean loss minus that of "
                    "the best of the others, in nats. Asked again and f_ent > H: how much that share "
                    "of votes grows from the first to the last third. The best is chosen anew in each "
                    "resample. Verdicts follow from the 95 % interval: no difference if it lies within "
                    "±10 %, else saves or costs if it excludes 1, else undecided. They are undecided "
                    "with fewer than 5 seeds, and not adjusted for the number of claims. Macro-F1, "
                    "mean: as the mean loss, where the paper reports it. Borne out: whether the "
                    "verdict is what the claim says; undecided speaks neither for nor against it."
                ),
            ),
            on="page",
        ),
    )  # fmt: skip


def file_views(queries: str) -> tuple[View, ...]:
    """What only files have; `queries` is the kind of the records of queries that are listed."""
    return (
        NumberTable(
            "votes", "", rows=("set", "loss", "target", "strategy"),
            columns=(*VOTES.columns(), *UNREACHED.columns(), *RATIO.columns()), on="files",
        ),
        NumberTable("sets", "", rows=("set",), columns=DISAGREEMENT.columns(), on="files"),
        NumberTable(
            "targets", "", rows=("set", "loss", "target"), columns=TARGET.columns(), on="files",
        ),
        NumberTable(
            "differences", "", rows=("set", "loss", "strategy"),
            columns=(*DIFFERENCE.columns(), *WITH_ITEMS.columns()), on="files",
        ),
        NumberTable(
            "shares", "", rows=("set", "strategy"),
            columns=(*GROWTHS["again"].columns(), *GROWTHS["underestimated"].columns()), on="files",
        ),
        NumberTable("skill", "", rows=("set", "strategy"), columns=SKILL.columns(), on="files"),
        NumberTable(
            "budgets", "", rows=("set", "votes_each", "items"),
            columns=(*SKILL.columns(), *CORRELATION.columns(), *ERROR.columns()), on="files",
        ),
        NumberTable(
            "verdicts", "", rows=("set", "claim", "by"),
            columns=(*number_columns(""), *BORNE_OUT.columns("borne out", verdict=0)),
            measures=tuple(q.name for q in OF_CLAIMS), on="files",
        ),
        RecordTable(
            "claims", "", of=CLAIM, axes=("set", "claim", "by"), texts=("against", "why", "published"),
            on="files",
        ),
        RecordTable(
            "curves", "", of="curve", axes=("set", "strategy", "votes"), scores=CURVE_SCORES,
            on="files",
        ),
        RecordTable(
            "queries", "", of=queries, axes=("set", "strategy", "seed", "item", "annotator"),
            scores=("votes", "score", "h", "f_ent"), texts=("label", "reason", "asked before"),
            on="files",
        ),
    )  # fmt: skip
