"""How active report is shown: views of each set, of the claims over all sets, and for files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.active.curves import DIFFERENCE, WITH_ITEMS, Curves
from tiltmeter.active.paper_claims import PaperClaim
from tiltmeter.active.pool_numbers import (
    CORRELATION,
    CURVE,
    DISAGREEMENT,
    ERROR,
    FLOOR,
    FULL,
    GROWTHS,
    SHARES,
    SKILL,
)
from tiltmeter.active.pool_runs import FURTHER, LOSSES, PoolRuns
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.targets import BASELINE_RATIO, CLOSED, NEAR, RATIO, TARGET, UNREACHED, VOTES
from tiltmeter.active.verdicts import BORNE_OUT, CLAIM, F1_DIFFERENCE
from tiltmeter.core.analysis_views import (
    ESTIMATES,
    HIGH,
    LOW,
    NumberColumn,
    NumberTable,
    RecordCurves,
    RecordTable,
    Shown,
    TextLines,
)
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.results import Estimate, Record
from tiltmeter.core.views import View
from tiltmeter.report.text import number, raised, sentence_end

BEST, GAP = f"{NEAR} × the best", f"{100 * CLOSED:.0f}\u00a0% of the gap closed"
TARGETS = (
    f"Targets: {NEAR} × the best mean loss of any strategy, or {100 * CLOSED:.0f}\u00a0% of the gap between "
    "the start and training on every vote closed."
)
EXCESS = (
    "Excess log loss: log loss of single held-out votes less the entropy of these votes, which log loss "
    "never falls below. It is the Kullback–Leibler divergence from votes to prediction. Differences "
    "between strategies are those of log loss."
)
EXPLAINED = (
    "Votes: where the mean curve first reaches the target, interpolated between measured points. The "
    "ratio is the votes of {base} for each vote of the strategy: above 1 the strategy saves votes. "
    "Intervals resample seeds through the whole computation, target included. Not reached: share of "
    "resamples in which the budget does not suffice; > marks a lower and < an upper bound. Verdicts: "
    "saves or costs where the interval excludes 1, no difference where it lies between 0.909 and 1.10, "
    "else undecided, as all are from fewer than 5 seeds."
)
DIFFERENCES = (
    "Mean loss over the measured points, less that of {base} with the same seed. The first interval is "
    "Student’s over seeds, p a sign-flip test over seeds with Holm’s adjustment. The second resamples seeds "
    "and test items, so it is about items like these and not these alone."
)
BANDS = "Bands are 95\u00a0% intervals over seeds, without what all strategies share in a seed."
LEVELS = (
    "All votes: trained on every vote of the training items. Noise floor: what the true distributions would "
    "score, since each test item has few votes."
)
CURVES, ASKED = "Learning curves", "What was asked"
SKILL_IS = (
    "Skill of f_ent: 1 − its squared error / that of the mean entropy, on the test items. At 0 or below, "
    "f_ent knows no more than the mean, and disagreement-aware strategies rank items by |H − constant|."
)
BUDGETS = "Correlation of f_ent with the entropy of all votes of the test items."
VERDICTS = (
    "Log loss, as the excess over the entropy of the held-out votes, and JS: votes of the other strategy, "
    "or of the best of the others, for each vote of this one, to the common target; above 1 this one saves "
    "votes. Mean: its mean loss less that of the best of the others, in nats. Asked again and f_ent > H: how "
    "much that share of votes grows from the first to the last third. The best is chosen anew in each "
    "resample. Verdicts follow from the 95\u00a0% interval: no difference if it lies within ±10\u00a0%, else "
    "saves or costs if it excludes 1, else undecided. They are undecided with fewer than 5 seeds, and "
    "not adjusted for the number of claims. Macro-F1, mean: as the mean loss, where the paper reports it. "
    "Borne out: whether the verdict is what the claim says; undecided speaks neither for nor against it."
)
BY_PAPER = (
    "By the paper’s rule: the target is the loss at the strategy’s first measured point within 5 % of its "
    "own best, so it depends on the strategy. Ratios are votes of the baseline to that loss for each vote of "
    "the strategy; > where the baseline does not reach it within its budget."
)
ONE_TARGET = (
    f"The target is {NEAR} × the best loss of any strategy of the set. The ratio is the votes of the other "
    "strategy for each vote of this one."
)
AVERAGE = "average"
"""In place of a set: all of them together."""
RATES = {
    "again": "Share of votes on items that had one already",
    "underestimated": "Share of votes where annotators are expected to disagree more than the model does",
}
QUERY, VOTE = "query", "vote"
"""Kinds of records: the first queries of each strategy, and all votes that were bought."""
JUDGED = (
    RATIO.name,
    DIFFERENCE.name,
    F1_DIFFERENCE.name,
    *(q.name for q in GROWTHS.values()),
    SKILL.name,
)
"""Measures of the verdicts on claims."""


def titled(name: str) -> str:
    """A strategy by its title."""
    try:
        return strategy_named(name).title
    except UnknownName:  # of another version, or another package
        return name


@dataclass(frozen=True, slots=True)
class SetViews:
    """The tables and pictures of one set; `number` is 0 where there is only one."""

    name: str
    pool: PoolRuns
    number: int

    @property
    def all(self) -> Iterator[View]:
        """In the order in which they are shown."""
        for loss in self.pool.losses:
            yield from self._votes(loss)
        if self.pool.losses:
            explained = EXPLAINED.format(base=titled(self.pool.against))
            title = self._titled("Votes to the target")
            yield TextLines(title, (TARGETS, EXCESS, explained), on="page")
        yield from self._differences()
        yield from self._asked()
        yield from self._skill()

    def _titled(self, title: str) -> str:
        return f"{self.name}: {title}" if self.number else title

    def _captioned(self, caption: str) -> str:
        return f"{self.name}: {caption}" if self.number else raised(caption)

    def _votes(self, loss: str) -> Iterator[View]:
        """A table for each target, the main one of the headline's first."""
        runs, title = self.pool.losses[loss], self._titled("Votes to the target")
        headline = loss == next(iter(self.pool.losses))
        # False comes before True, and so the main target first.
        for target in sorted(runs.targets, key=lambda t: t is not runs.main_target):
            on: Shown = "both" if headline and target is runs.main_target else "page"
            goal = f"{LOSSES[loss]} ≤ {number(target.loss)} nats"
            kind = {"best": BEST, "gap": GAP}[target.kind]
            if all(np.isinf(drawn).all() for drawn in target.drawn.values()):
                budget = max(map(target.budget, target.exact))
                never = f"No strategy reaches {goal} ({kind}) within {budget:,.0f} votes, in any resample."
                yield TextLines(title, (never,), on=on)
                continue
            yield NumberTable(
                "", title, ("strategy",),
                (
                    *VOTES.columns(value=0, interval=2), *UNREACHED.columns(value=3), *RATIO.columns(),
                    NumberColumn(RATIO.name, "interval", "interval of ratio", drop=1),
                    NumberColumn(RATIO.name, "verdict"),
                    NumberColumn(VOTES.name, "n", "seeds", drop=4, on="terminal"),
                ),
                caption=self._captioned(f"{goal}, {kind}"),
                where={"set": self.name, "loss": loss, "target": target.kind}, on=on,
            )  # fmt: skip

    def _differences(self) -> Iterator[View]:
        title, base = self._titled("Mean loss"), titled(self.pool.against)
        for loss, runs in self.pool.losses.items():
            if not runs.differences:
                continue
            yield NumberTable(
                "", title, ("strategy",), DIFFERENCE_COLUMNS,
                caption=self._captioned(f"mean {LOSSES[loss]}, difference from {base}"),
                where={"set": self.name, "loss": loss},
                explained=DIFFERENCES.format(base=base) if loss == [*self.pool.losses][-1] else "",
            )  # fmt: skip

    def _asked(self) -> Iterator[View]:
        title = self._titled(ASKED)
        for name, of in self.pool.shares.items():
            if not of:
                continue
            share, growth = SHARES[name], GROWTHS[name]
            yield NumberTable(
                "", title, ("strategy",),
                (
                    *share.columns("first third", at={"third": "first"}),
                    *share.columns("last third", at={"third": "last"}), *growth.columns(value=0, interval=0),
                ),
                caption=f"{RATES[name]}: first and last third of the points",
                where={"set": self.name}, folded=True, on="page",
            )  # fmt: skip

    def _skill(self) -> Iterator[View]:
        title, settings = self._titled(ASKED), self.pool.manifest.settings
        if not self.pool.skill:
            return
        made = f"{settings.get('entropy_items')} items with {settings.get('votes_each')} votes each"
        columns = (*SKILL.columns(value=0, interval=0), NumberColumn(SKILL.name, "n", "seeds"))
        yield NumberTable(
            "", title, ("strategy",), columns, where={"set": self.name},
            caption=self._captioned(f"skill of f_ent, trained on {made}"),
        )  # fmt: skip
        yield TextLines(title, (SKILL_IS,))
        yield NumberTable(
            "", title, ("votes_each", "items"),
            (*columns[:2], *CORRELATION.columns(), columns[2]),
            caption=self._captioned("skill of f_ent by its budget"), where={"set": self.name},
            explained=BUDGETS, folded=True, on="page",
        )  # fmt: skip


DIFFERENCE_COLUMNS = (
    NumberColumn(DIFFERENCE.name, signed=True),
    NumberColumn(DIFFERENCE.name, "interval", "over seeds", drop=1, signed=True),
    NumberColumn(WITH_ITEMS.name, "interval", "over seeds and items", drop=2, signed=True),
    NumberColumn(DIFFERENCE.name, "p", drop=3),
    NumberColumn(DIFFERENCE.name, "n", "seeds", drop=4),
)


def curve_views(pools: Mapping[str, PoolRuns], printed: Mapping[str, Curves]) -> Iterator[View]:
    """Curves of all sets: a panel each, or one for all settings of one pool."""
    sets, settings = [*pools, *printed], len({pool.name for pool in pools.values()}) < len(pools)
    panels = "set" if len(sets) > 1 and not settings else ""
    only = {"set": sets[0]} if len(sets) == 1 else {}
    lines = "strategy,set" if settings else "strategy"
    losses = {name: f"{words}, nats" for name, words in LOSSES.items()}
    for score, up in (losses | FURTHER | RATES).items():
        title, notes = ASKED if score in RATES else CURVES, [f"{raised(up)}.", BANDS]
        if score in RATES:
            notes[1] = "Among the votes since the measured point before; means over seeds."
        elif score in LOSSES:
            notes.append(LEVELS)
        at = {"loss": score, **only}
        yield RecordCurves(
            score, title, CURVE, score, "votes", lines, "votes", up, panels=panels,
            caption=" ".join(notes),
            levels=(NumberColumn(FULL.name, at=at), NumberColumn(FLOOR.name, at=at)),
        )  # fmt: skip
    yield RecordCurves(
        ERROR.name, ASKED, ESTIMATES, ERROR.name, "items", lines.replace("strategy", "votes_each"), "items",
        "squared error, nats²", panels=panels, where=only,
        caption="Mean squared error of f_ent on the test items, by the number of items that it is trained "
        "on; a line for each number of votes on an item.",
    )  # fmt: skip
    yield RecordTable(
        "chosen", ASKED, QUERY, ("strategy", "item"), ("votes", "score", "h", "f_ent"),
        ("label", "reason", "asked before"), by="set" if len(sets) > 1 else "",
        headings={"h": "H, nats", "f_ent": "f_ent, nats"}, decimals={"votes": 0}, folded=True,
        caption="The first votes that each strategy chose, with the first seed",
    )  # fmt: skip


def ratio_views(pools: Mapping[str, PoolRuns], printed: Mapping[str, Curves]) -> Iterator[View]:
    """Ratios to each baseline by the paper's rule; of printed curves votes to one target, too."""
    losses = dict.fromkeys(loss for pool in pools.values() for loss in pool.losses)
    for loss in losses or ("js_nats",):
        yield NumberTable(
            f"baselines-{loss}", f"Votes of baselines, {LOSSES[loss]}", ("set", "strategy"),
            BASELINE_RATIO.columns(), spread="baseline", where={"loss": loss}, explained=BY_PAPER,
        )  # fmt: skip
    if printed:
        yield NumberTable(
            "one-target", "Votes to one target", ("set", "strategy"), (*VOTES.columns(), *RATIO.columns()),
            where={"loss": "js_nats", "target": "best"}, explained=ONE_TARGET,
        )  # fmt: skip


def claim_views(
    claims: Sequence[PaperClaim], estimates: Sequence[Estimate], records: Sequence[Record]
) -> Iterator[View]:
    """A table for each claim over all sets, the paper's numbers, and how to read it."""
    title, verdicts = "Claims and verdicts", [e for e in estimates if "claim" in e.groups]
    judged_ids = dict.fromkeys(e.groups["claim"] for e in verdicts if e.verdict)
    if not judged_ids:
        return
    by_id = {claim.id: claim for claim in claims}
    for claim in sorted(map(by_id.__getitem__, judged_ids), key=lambda claim: claim.number):
        yield NumberTable(
            "", title, ("set", "by"),
            (
                NumberColumn(), NumberColumn(shows="interval", drop=1), NumberColumn(shows="verdict"),
                NumberColumn(BORNE_OUT.name, "verdict", "borne out", drop=2),
                NumberColumn(shows="n", heading="seeds", drop=5),
            ),
            caption=f"Claim {claim.number}: {claim.text}", where={"claim": claim.id}, measures=JUDGED,
            most=60,
        )  # fmt: skip
        if claim.published:
            yield TextLines(title, (f"The paper: {sentence_end(claim.published)}",))
    sets: dict[tuple[int, str], dict[str, None]] = {}
    for record in records:
        if record.kind == CLAIM and record.texts["why"]:
            key = by_id[record.groups["claim"]].number, record.texts["why"]
            sets.setdefault(key, {})[record.groups["set"]] = None
    untested: dict[str, list[str]] = {}
    for (claim_number, why), names in sorted(sets.items()):
        untested.setdefault(", ".join(names), []).append(f"{claim_number} ({why})")
    lines = (f"Claims not tested on {of}: {', '.join(why)}." for of, why in untested.items())
    yield TextLines(title, tuple(lines))
    yield TextLines(title, (VERDICTS,), on="page")


def file_views(queries: str) -> Iterator[View]:
    """Everything over all sets, for files."""
    tables: dict[str, tuple[tuple[str, ...], tuple[Quantity, ...]]] = {
        "votes": (("loss", "target", "strategy"), (VOTES, UNREACHED, RATIO)),
        "sets": ((), (DISAGREEMENT,)),
        "targets": (("loss", "target"), (TARGET,)),
        "differences": (("loss", "strategy"), (DIFFERENCE, WITH_ITEMS)),
        "shares": (("strategy",), (*GROWTHS.values(),)),
        "skill": (("strategy",), (SKILL,)),
        "budgets": (("votes_each", "items"), (SKILL, CORRELATION, ERROR)),
    }
    for name, (rows, of) in tables.items():
        columns = tuple(column for q in of for column in q.columns())
        yield NumberTable(name, "", ("set", *rows), columns, on="files")
    yield NumberTable(
        "verdicts", "", ("set", "claim", "by"),
        (NumberColumn(), NumberColumn(BORNE_OUT.name, "verdict", "borne out")), measures=JUDGED, on="files",
    )  # fmt: skip
    texts = ("against", "why", "published")
    yield RecordTable("claims", "", CLAIM, ("set", "claim", "by"), texts=texts, on="files")
    series = [*LOSSES, *FURTHER, *SHARES]
    yield RecordTable(
        "curves", "", CURVE, ("set", "strategy", "votes"),
        tuple(name.format(score) for score in series for name in ("{}", LOW, HIGH)), on="files",
    )  # fmt: skip
    yield RecordTable(
        "queries", "", queries, ("set", "strategy", "seed", "item", "annotator"),
        ("votes", "score", "h", "f_ent"), ("label", "reason", "asked before"), on="files",
    )  # fmt: skip
