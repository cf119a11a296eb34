"""The standings of a leaderboard: scores with intervals, ranks with ranges, and baselines beside them.

Everything comes from each row's lms and ss by target term. For ranges of ranks, terms are drawn with
replacement, the same ones for all rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

import numpy as np

from tiltmeter.core.data.items import Triple
from tiltmeter.core.types import Array, Ties
from tiltmeter.metrics.context_association import by_term, credited, icat_of
from tiltmeter.metrics.context_association_inference import score_intervals
from tiltmeter.stats.ranks.rank_ranges import pair_p_values, rank_ranges
from tiltmeter.stats.resampling.bootstrap import resamples
from tiltmeter.survey.boards.submissions import ScoredSubmission, TermScores
from tiltmeter.survey.formats.cells import Cell, as_csv

DECIMALS = 1
"""Decimals to which scores are rounded before anybody sees them."""
STEP = 10.0**-DECIMALS
"""The smallest difference that anybody sees."""


SCORES = ("icat", "lms", "ss")
"""In percent, averaged over target terms: columns of the standings that `board_scores.html` explains."""
RANKED = "icat"
"""Decides the order of the standings."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row of the standings: what a submitter calls a model, or a baseline."""

    model: str
    submitter: str
    """"" for a baseline."""
    scores: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    """The two ends of the 95 % interval of each score, by its name."""
    at: datetime | None = None
    """When the shown scores were submitted; None for a baseline."""
    rank: int | None = None
    """1 and the number of submissions with a higher score; None for a baseline."""
    ranks: tuple[int, int] | None = None
    """The best and the worst rank at 95 % confidence."""

    @property
    def score(self) -> float:
        """The score that decides the order."""
        return self.scores[RANKED]

    def cells(self) -> dict[str, Cell]:
        """The row as `board list --json` and CSV files have it."""
        best, worst = self.ranks or (None, None)
        cells: dict[str, Cell] = {
            "rank": self.rank, "rank_low": best, "rank_high": worst, "model": self.model,
            "submitter": self.submitter, "kind": "submission" if self.at else "baseline",
        }  # fmt: skip
        for name, value in self.scores.items():
            low, high = self.intervals[name]
            cells |= {name: value, f"{name}_low": low, f"{name}_high": high}
        return cells | {"at": self.at.isoformat() if self.at else None}


def scores_by_term(items: Sequence[Triple], scores: Array, ties: Ties) -> TermScores:
    """Each target term's lms and ss, in the order of the terms.

    Args:
        items: With labels.
        scores: Of the stereotype, the anti-stereotype and the unrelated candidate, shape (items, 3).
        ties: How a tie between two candidates counts.
    """
    each = by_term(credited(*scores.T, ties=ties), np.array([item.target for item in items]))
    return tuple((float(lms), float(ss)) for lms, ss in each)


def exact_scores(terms: TermScores) -> dict[str, float]:
    """The scores of a submission, unrounded; these never leave the board.

    >>> exact_scores(((100.0, 25.0), (80.0, 50.0)))
    {'icat': 67.5, 'lms': 90.0, 'ss': 37.5}
    """
    lms, ss = np.mean(terms, axis=0)
    return {"icat": float(icat_of(np.array([lms, ss]))), "lms": float(lms), "ss": float(ss)}


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    """Scores as everybody may see them."""
    return {name: round(value, DECIMALS) for name, value in values.items()}


# Anybody may ask for a page of standings, and each costs thousands of resamples.
@lru_cache(maxsize=32)
def standings(
    entries: tuple[ScoredSubmission, ...], baselines: tuple[tuple[str, TermScores], ...] = ()
) -> tuple[BoardRow, ...]:
    """What everybody sees, the best first: shown submissions with their ranks, and baselines without."""
    by_date = sorted(entries, key=lambda entry: entry.at)
    rows = [_unranked(entry.model, entry.submitter, entry.terms, entry.at) for entry in by_date]
    ranked = [
        replace(row, rank=1 + sum(other.score > row.score for other in rows), ranks=ends)
        for row, ends in zip(rows, _ranges(by_date), strict=True)
    ]
    unranked = [_unranked(name, "", terms) for name, terms in baselines]
    return tuple(sorted([*unranked, *ranked], key=lambda row: -row.score))


def standings_csv(rows: Sequence[BoardRow]) -> str:
    """The standings as a table in CSV."""
    cells = [row.cells() for row in rows]
    return as_csv([*cells[0]], cells) if cells else ""


def _unranked(
    model: str, submitter: str, terms: TermScores, at: datetime | None = None
) -> BoardRow:
    intervals = {
        name: (round(low, DECIMALS), round(high, DECIMALS))
        for name, (low, high) in score_intervals(np.array(terms)).items()
    }
    return BoardRow(model, submitter, rounded(exact_scores(terms)), intervals, at)


def _ranges(entries: Sequence[ScoredSubmission]) -> list[tuple[int, int]]:
    # Rows no more than a step apart are tied: if they differ in one context, the order of their exact scores
    # would reveal its label, which their rounded scores hide.
    if not entries:
        return []
    exact = np.array([exact_scores(entry.terms)[RANKED] for entry in entries])
    drawn = np.stack([_resampled(entry.terms) for entry in entries])
    p = pair_p_values(exact, drawn, len(entries[0].terms), tied=STEP)
    return rank_ranges(exact, p)


def _resampled(terms: TermScores) -> Array:
    """The score that decides on resamples of the terms, shape (draws,): the same ones for all rows."""
    each = np.array(terms)
    drawn = [counts @ each for counts in resamples(len(each), np.random.default_rng(0))]
    return icat_of(np.concatenate(drawn).T / len(each))
