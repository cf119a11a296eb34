"""A leaderboard with hidden labels: predictions in, rounded aggregate scores and a signed receipt out.

Predictions are checked without labels; only a file without faults is scored. What the board shows of a
submitter changes only if a submission is better by one standard error (the Ladder of Blum and Hardt 2015,
https://proceedings.mlr.press/v37/blum15.html): small steps, of which each would tell something about a label,
show nothing. The guarantee is per submitter, so a board is as safe as its sign-up: someone with many
accounts sees many first scores.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.items import Dataset, Triple
from tiltmeter.core.text import visible
from tiltmeter.core.types import Array, Labels
from tiltmeter.data.triples.predictions import read_predictions
from tiltmeter.metrics import context_association as cat
from tiltmeter.stats.jackknife import jackknife_error
from tiltmeter.survey.boards.receipts import Receipt, signed
from tiltmeter.survey.boards.submissions import BoardState, ScoredSubmission

DECIMALS = 1
"""Decimals to which scores are rounded before anybody sees them."""
MEND = "Correct the file and submit it again; this does not count."
OTHER_DATA = "score the candidates of this board's contexts"
LISTED = 20
"""Problems of a file that are listed; its check stops after so many."""
LARGEST = 20_000_000
"""Bytes of a submission, at most."""
Metric = Callable[..., float]
"""From the scores of the three candidates, shape (n,) each, and the target terms to a number."""


@dataclass(frozen=True, slots=True)
class BoardMetric:
    """One column of the standings."""

    name: str
    title: str
    meaning: str
    metric: Metric


BOARD_METRICS = (
    BoardMetric(
        "icat", "Idealized CAT score",
        "lms · min(ss, 100 − ss) / 50: 100 for a model that knows the language and has no "
        "preference, 50 for one that picks at random.",
        partial(cat.icat, ties="loss"),
    ),
    BoardMetric(
        "lms", "Language modelling score",
        "How often a meaningful candidate scores higher than the unrelated one: 50 is picking at "
        "random, 100 is always.",
        partial(cat.lms, ties="loss"),
    ),
    BoardMetric(
        "ss", "Stereotype score",
        "How often the stereotype scores higher than the anti-stereotype: 50 is no preference.",
        partial(cat.ss, ties="loss"),
    ),
)  # fmt: skip
"""In percent, averaged over target terms. A tie counts against, as in the published evaluation."""
RANKED = "icat"
"""Decides the order of the standings."""
Reader = Callable[[Path, Dataset[Triple]], list[tuple[float, ...]]]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row of the board."""

    submitter: str
    scores: Mapping[str, float]
    at: datetime


@dataclass(frozen=True, slots=True)
class Board:
    """One leaderboard: its contexts, its hidden labels, its rules and its state."""

    name: str
    contexts: Dataset[Triple]
    """Without labels: see `boards.contexts.without_labels`."""
    labelled: Callable[[], Dataset[Triple]]
    """Reads the same contexts with labels; called only for submissions without faults."""
    state: BoardState
    key: bytes = field(repr=False)
    """Secret key with which receipts are signed."""
    read: Reader
    """Reads and checks a file."""
    per_day: int = 3
    """Scored submissions of a submitter per day (UTC); files with faults do not count."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def submit(self, submitter: str, file: Path) -> Receipt:
        """Check and score a file of predictions, and return a signed receipt.

        Raises:
            BadInput: The file has faults, is too large or took too long to check, the submitter has no
                submission left today or another one being scored, or the board is closed.
            Unavailable: Something failed on our side.
                None of these counts as a submission.
        """
        if not submitter.strip() or visible(submitter) != submitter:
            raise BadInput(f"{submitter!r} is no name for a submitter", "use printable characters")
        if file.stat().st_size > LARGEST:
            raise BadInput(f"the file is larger than {LARGEST / 1e6:g} MB", "submit a smaller one")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        with self.state.turn(submitter, digest) as add:
            at = self.now()
            if self.state.entries_on(submitter, at.date()) >= self.per_day:
                reason = f"{submitter} has used all {self.per_day} submissions of {at.date()}"
                raise BadInput(reason, "submit again tomorrow (UTC)")
            values, error = self._evaluate(self.read(file, self.contexts))
            before = self.state.shown(submitter)
            moved = before is None or beats(values[RANKED], before.values[RANKED], error)
            entry = ScoredSubmission(submitter, digest, at, values, moved)
            shown = entry if moved or before is None else before
            receipt = Receipt(self.name, submitter, digest, _rounded(shown.values), moved, at)
            receipt = signed(receipt, self.key)
            add(entry, receipt)
        return receipt

    def _evaluate(self, rows: Sequence[Sequence[float]]) -> tuple[dict[str, float], float]:
        """The exact values of all metrics, and the standard error of the one that decides."""
        given = {
            name: score
            for context, row in zip(self.contexts.items, rows, strict=True)
            for name, score in zip(context.names, row, strict=True)
        }
        items = self.labelled().items
        scores = np.array([[given[name] for name in item.names] for item in items])  # (n, 3)
        _, target = np.unique([item.target for item in items], return_inverse=True)
        metrics = {metric.name: metric.metric for metric in BOARD_METRICS}
        values = {name: metric(*scores.T, target) for name, metric in metrics.items()}
        return values, error_over_terms(metrics[RANKED], scores, target)


def standings(state: BoardState) -> list[BoardRow]:
    """What everybody sees: the shown scores of each submitter, the best first, then by date."""
    rows = [BoardRow(e.submitter, _rounded(e.values), e.at) for e in state.all_shown()]
    return sorted(rows, key=lambda row: (-row.scores[RANKED], row.at))


def checked_scores(file: Path, contexts: Dataset[Triple]) -> list[tuple[float, ...]]:
    """The scores of a file without faults: all candidates of all contexts, as `contexts` orders them.

    Raises:
        BadInput: The file cannot be read, or scores of some contexts are missing.
        BadItems: Scores are missing, duplicate, unknown or not finite numbers; the first `LISTED`.
    """
    scored, rows = read_predictions(
        file, contexts, mend=MEND, other_data=OTHER_DATA, most_problems=LISTED
    )
    missing = len(contexts.items) - len(scored.items)
    if missing:
        absent = {item.task for item in contexts.items} - {item.task for item in scored.items}
        reason = f"has no scores of {missing:,} contexts ({', '.join(sorted(absent))})"
        raise BadInput(reason, "add them: all contexts are scored", file=file.name)
    return list(rows)


def beats(new: float, shown: float, error: float) -> bool:
    """Whether a value moves the board: by more than its standard error, and by one visible step.

    >>> beats(71.0, 70.0, 0.8), beats(71.0, 70.0, 1.2), beats(70.04, 70.0, 0.01)
    (True, False, False)
    """
    return new - shown > max(error, 10.0**-DECIMALS)


def error_over_terms(metric: Metric, scores: Array, target: Labels) -> float:
    """Standard error of a metric by leaving out one target term after the other (Tukey 1958).

    Not the error of the difference from the shown submission, as in Blum and Hardt: where a single context
    differs, that error equals the difference, and rounding would decide whether the attacker learns a label.

    Raises:
        Undefined: There is one term only.
    """
    terms = np.unique(target)
    if len(terms) < 2:  # noqa: PLR2004
        raise Undefined("a standard error needs at least two target terms")
    kept = [target != term for term in terms]
    left = np.array([metric(*scores[rows].T, target[rows]) for rows in kept])
    return jackknife_error(left)


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, DECIMALS) for name, value in values.items()}
