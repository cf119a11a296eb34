"""How active report is shown: views of each set, of the claims over all sets, and for files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tiltmeter.active.curves import Curves
from tiltmeter.active.paper_claims import PaperClaim
from tiltmeter.active.pool_numbers import GROWTHS, SHARES
from tiltmeter.active.pool_runs import FURTHER, LOSSES, PoolRuns
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.targets import CLOSED, NEAR
from tiltmeter.active.verdicts import CLAIM
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.analysis_views import Shown, TextLines
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.views import View
from tiltmeter.report.text import number, raised, sentence_end

FILE = AnalysisFile.beside(Path(__file__).with_name("active_report"))
BEST, GAP = f"{NEAR} × the best", f"{100 * CLOSED:.0f}\u00a0% of the gap closed"
CURVES, ASKED, CLAIMS = "Learning curves", "What was asked", "Claims and verdicts"
AVERAGE = "average"
"""In place of a set: all of them together."""
RATES = {
    "again": "Share of votes on items that had one already",
    "underestimated": "Share of votes where annotators are expected to disagree more than the model does",
}
QUERY, VOTE = "query", "vote"
"""Kinds of records: the first queries of each strategy, and all votes that were bought."""


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
        base = titled(self.pool.against)
        for loss in self.pool.losses:
            yield from self._votes(loss)
        if self.pool.losses:
            title = self._titled("Votes to the target")
            yield from FILE.shown(
                "targets", title=title, near=NEAR, closed=f"{100 * CLOSED:.0f}", base=base
            )
        compared = {loss: runs for loss, runs in self.pool.losses.items() if runs.differences}
        for loss in compared:
            yield from FILE.shown(
                "differences", title=self._titled("Mean loss"), set=self.name, loss=loss,
                caption=self._captioned(f"mean {LOSSES[loss]}, difference from {base}"),
                explained=FILE.text("differences", base=base) if loss == [*self.pool.losses][-1] else "",
            )  # fmt: skip
        title = self._titled(ASKED)
        for name, of in self.pool.shares.items():
            if of:
                yield from FILE.shown(
                    "asked", title=title, set=self.name, rate=RATES[name], share=SHARES[name].name,
                    growth=GROWTHS[name].name,
                )  # fmt: skip
        if self.pool.skill:
            settings = self.pool.manifest.settings
            made = f"{settings.get('entropy_items')} items with {settings.get('votes_each')} votes each"
            yield from FILE.shown(
                "skill", title=title, set=self.name,
                trained=self._captioned(f"skill of f_ent, trained on {made}"),
                budget=self._captioned("skill of f_ent by its budget"),
            )  # fmt: skip

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
            yield from FILE.shown(
                "target", title=title, caption=self._captioned(f"{goal}, {kind}"), set=self.name,
                loss=loss, target=target.kind, on=on,
            )  # fmt: skip


def curve_views(pools: Mapping[str, PoolRuns], printed: Mapping[str, Curves]) -> Iterator[View]:
    """Curves of all sets: a panel each, or one for all settings of one pool."""
    sets, settings = [*pools, *printed], len({pool.name for pool in pools.values()}) < len(pools)
    panels = "set" if len(sets) > 1 and not settings else ""
    only = {"set": sets[0]} if len(sets) == 1 else {}
    lines = "strategy,set" if settings else "strategy"
    losses = {name: f"{words}, nats" for name, words in LOSSES.items()}
    for score, up in (losses | FURTHER | RATES).items():
        of_rates, of_loss = score in RATES, score in LOSSES
        notes = ["rates"] if of_rates else ["bands", *(["levels"] if of_loss else [])]
        yield from FILE.shown(
            "curve", score=score, title=ASKED if of_rates else CURVES, lines=lines, up=up, panels=panels,
            caption=" ".join([f"{raised(up)}.", *map(FILE.text, notes)]), at={"loss": score, **only},
        )  # fmt: skip
    yield from FILE.shown(
        "queries", lines=lines.replace("strategy", "votes_each"), panels=panels, only=only,
        by="set" if len(sets) > 1 else "",
    )  # fmt: skip


def ratio_views(pools: Mapping[str, PoolRuns], printed: Mapping[str, Curves]) -> Iterator[View]:
    """Ratios to each baseline by the paper's rule; of printed curves votes to one target, too."""
    losses = dict.fromkeys(loss for pool in pools.values() for loss in pool.losses)
    for loss in losses or ("js_nats",):
        yield from FILE.shown("baselines", loss=loss, called=LOSSES[loss])
    if printed:
        yield from FILE.shown("one_target", near=NEAR)


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
        yield from FILE.shown("claim", number=claim.number, text=claim.text, claim=claim.id)
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
    lines = (f"Claims not tested on {of}: {', '.join(why)}." for of, why in untested.items())
    yield from FILE.shown("claims", untested=tuple(lines))
