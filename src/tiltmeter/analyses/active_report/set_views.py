"""The tables of one set: votes to the target, mean losses, what was asked, and the skill of f_ent."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tiltmeter.active.curves import DIFFERENCE, WITH_ITEMS
from tiltmeter.active.pool_numbers import CORRELATION, GROWTHS, SHARES, SKILL
from tiltmeter.active.pool_runs import LOSSES, PoolRuns
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.targets import CLOSED, NEAR, RATIO, UNREACHED, VOTES
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.text import raised
from tiltmeter.core.views import NumberTable, Shown, TextLines, View
from tiltmeter.report.text import number

BEST, GAP = f"{NEAR} × the best", f"{100 * CLOSED:.0f}\u00a0% of the gap closed"
ASKED = "What was asked"
RATES = {
    "again": "Share of votes on items that had one already",
    "underestimated": "Share of votes where annotators are expected to disagree more than the model does",
}


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
            yield TextLines(
                title=title,
                lines=(
                    (
                        f"Targets: {NEAR} × the best mean loss of any strategy, or "
                        f"{100 * CLOSED:.0f} % of the gap between the start and training on every vote "
                        "closed."
                    ),
                    (
                        "Excess log loss: log loss of single held-out votes minus the entropy of these "
                        "votes, which log loss never falls below. It is the Kullback–Leibler "
                        "divergence from votes to prediction. Differences between strategies are those "
                        "of log loss."
                    ),
                    (
                        "Votes: where the mean curve first reaches the target, interpolated between "
                        f"measured points. The ratio is the votes of {base} for each vote of the "
                        "strategy: above 1 the strategy saves votes. Intervals resample seeds through "
                        "the whole computation, target included. Not reached: share of resamples in "
                        "which the budget does not suffice; > marks a lower and < an upper bound. "
                        "Verdicts: saves or costs where the interval excludes 1, no difference where "
                        "it lies between 0.909 and 1.10, else undecided, as all are from fewer than 5 "
                        "seeds."
                    ),
                ),
                on="page",
            )  # fmt: skip
        compared = {loss: runs for loss, runs in self.pool.losses.items() if runs.differences}
        for loss in compared:
            caption = self._captioned(f"mean {LOSSES[loss]}, difference from {base}")
            explained = _on_differences(base) if loss == [*self.pool.losses][-1] else ""
            yield NumberTable(
                "", self._titled("Mean loss"), caption=caption, where={"set": self.name, "loss": loss},
                rows=("strategy",),
                columns=(
                    *DIFFERENCE.columns(signed=True),
                    *DIFFERENCE.columns("over seeds", signed=True, interval=1),
                    *WITH_ITEMS.columns("over seeds and items", signed=True, interval=2),
                    *DIFFERENCE.columns(p=3), *DIFFERENCE.columns("seeds", n=4),
                ),
                explained=explained,
            )  # fmt: skip
        title = self._titled(ASKED)
        for name, of in self.pool.shares.items():
            if of:
                share, growth = SHARES[name], GROWTHS[name]
                yield NumberTable(
                    "", title, caption=f"{RATES[name]}: first and last third of the points",
                    where={"set": self.name}, rows=("strategy",),
                    columns=(
                        *share.columns("first third", at={"third": "first"}),
                        *share.columns("last third", at={"third": "last"}),
                        *growth.columns(value=0, interval=0),
                    ),
                    folded=True, on="page",
                )  # fmt: skip
        if self.pool.skill:
            yield from self._skill(title)

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
                "", title, caption=self._captioned(f"{goal}, {kind}"),
                where={"set": self.name, "loss": loss, "target": target.kind}, rows=("strategy",),
                columns=(
                    *VOTES.columns(value=0, interval=2), *UNREACHED.columns(value=3), *RATIO.columns(),
                    *RATIO.columns("interval of ratio", interval=1), *RATIO.columns(verdict=0),
                    *VOTES.columns("seeds", on="terminal", n=4),
                ),
                on=on,
            )  # fmt: skip

    def _skill(self, title: str) -> tuple[View, ...]:
        """How well f_ent foretells the entropy of all votes, as it was trained and by its budget."""
        settings = self.pool.manifest.settings
        made = f"{settings.get('entropy_items')} items with {settings.get('votes_each')} votes each"
        trained = self._captioned(f"skill of f_ent, trained on {made}")
        budget = self._captioned("skill of f_ent by its budget")
        return (
            NumberTable(
                "", title, caption=trained, where={"set": self.name}, rows=("strategy",),
                columns=(*SKILL.columns(value=0, interval=0), *SKILL.columns("seeds", n=0)),
            ),
            TextLines(
                title=title,
                lines=(
                    (
                        "Skill of f_ent: 1 − its squared error / that of the mean entropy, on the test "
                        "items. At 0 or below, f_ent knows no more than the mean, and "
                        "disagreement-aware strategies rank items by |H − constant|."
                    ),
                ),
            ),
            NumberTable(
                "", title, caption=budget, where={"set": self.name}, rows=("votes_each", "items"),
                columns=(
                    *SKILL.columns(value=0, interval=0), *CORRELATION.columns(),
                    *SKILL.columns("seeds", n=0),
                ),
                explained="Correlation of f_ent with the entropy of all votes of the test items.",
                folded=True, on="page",
            ),
        )  # fmt: skip


def _on_differences(base: str) -> str:
    return (
        f"Mean loss over the measured points, less that of {base} with the same seed. The first "
        "interval is Student’s over seeds, p a sign-flip test over seeds with Holm’s adjustment. The "
        "second resamples seeds and test items, so it is about items like these and not these alone."
    )
