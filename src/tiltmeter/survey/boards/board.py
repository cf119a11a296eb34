"""A leaderboard with hidden labels: predictions in, rounded aggregate scores and a signed receipt out.

Predictions are checked without labels; only a file without faults is scored. What the board shows of a
model changes only if a submission is better by one standard error (the Ladder of Blum and Hardt 2015,
https://proceedings.mlr.press/v37/blum15.html): small steps, of which each would tell something about a label,
show nothing. The guarantee is per first score, so a submitter may name only so many models, and a board is as
safe as its sign-up: someone with many accounts sees many first scores.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from tiltmeter.core.data.items import Dataset, Triple
from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted, visible
from tiltmeter.data.triples.predictions import read_predictions
from tiltmeter.metrics.context_association import icat_of
from tiltmeter.stats.resampling.jackknife import jackknife_error
from tiltmeter.survey.boards.receipts import Receipt, signed
from tiltmeter.survey.boards.standings import RANKED, STEP, exact_scores, rounded, scores_by_term
from tiltmeter.survey.boards.submissions import BoardState, ScoredSubmission, TermScores

MEND = "Correct the file and submit it again; this does not count."
OTHER_DATA = "score the candidates of this board's contexts"
LISTED = 20
"""Problems of a file that are listed; its check stops after so many."""
LARGEST = 20_000_000
"""Bytes of a submission, at most."""
LONGEST_NAME = 64
"""Characters of the name of a submitter or a model, at most."""
Reader = Callable[[Path, Dataset[Triple]], list[tuple[float, ...]]]


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
    """Scored submissions of a submitter per day (UTC), of all models; files with faults do not count."""
    models: int = 5
    """Models that a submitter may name."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def submit(self, submitter: str, model: str, file: Path) -> Receipt:
        """Check and score a file of predictions, and return a signed receipt.

        The limits apply to the submitter, a person or team; `model` names a row of the standings.

        Raises:
            BadInput: The file has faults, is too large or took too long to check, the submitter has no
                submission left today, another one being scored or too many models, or the board is closed.
            Unavailable: Something failed on our side.
                None of these counts as a submission.
        """
        for name, whose in ((submitter, "submitter"), (model, "model")):
            if name != name.strip() or visible(name) != name or not 0 < len(name) <= LONGEST_NAME:
                way_out = f"use 1 to {LONGEST_NAME} printable characters"
                raise BadInput(f"{name[: 2 * LONGEST_NAME]!r} is no name for a {whose}", way_out)
        if file.stat().st_size > LARGEST:
            raise BadInput(f"the file is larger than {LARGEST / 1e6:g} MB", "submit a smaller one")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        with self.state.turn(submitter, model, digest) as add:
            at = self.now()
            if self.state.entries_on(submitter, at.date()) >= self.per_day:
                reason = f"{submitter} has used all {self.per_day} submissions of {at.date()}"
                raise BadInput(reason, "submit again tomorrow (UTC)")
            rows = self.state.shown_of(submitter)
            before = rows.get(model)
            if before is None and len(rows) >= self.models:
                reason = f"{submitter} has named all {self.models} models that a submitter may have"
                raise BadInput(reason, f"submit under one of these names: {', '.join(rows)}")
            terms = self._by_term(self.read(file, self.contexts))
            exact, shown = exact_scores(terms), exact_scores(before.terms) if before else None
            moved = shown is None or beats(exact[RANKED], shown[RANKED], standard_error(terms))
            scores = rounded(exact if moved or shown is None else shown)
            receipt = Receipt(self.name, submitter, model, digest, scores, moved, at)
            receipt = signed(receipt, self.key)
            add(ScoredSubmission(submitter, model, digest, at, terms, moved), receipt)
        return receipt

    def _by_term(self, rows: Sequence[Sequence[float]]) -> TermScores:
        """Scores by target term; a tie counts against, as in the published evaluation."""
        given = {
            name: score
            for context, row in zip(self.contexts.items, rows, strict=True)
            for name, score in zip(context.names, row, strict=True)
        }
        items = self.labelled().items
        scores = np.array([[given[name] for name in item.names] for item in items])  # (n, 3)
        return scores_by_term(items, scores, ties="loss")


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
        reason = f"has no scores of {counted(missing, 'contexts')} ({', '.join(sorted(absent))})"
        raise BadInput(reason, "add them: all contexts are scored", file=file.name)
    return list(rows)


def beats(new: float, shown: float, error: float) -> bool:
    """Whether a value moves the board: by more than its standard error, and by one visible step.

    >>> beats(71.0, 70.0, 0.8), beats(71.0, 70.0, 1.2), beats(70.04, 70.0, 0.01)
    (True, False, False)
    """
    return new - shown > max(error, STEP)


def standard_error(terms: TermScores) -> float:
    """The standard error of the score that decides, by leaving out one target term at a time (Tukey 1958).

    Not the error of the difference from the shown submission, as in Blum and Hardt: where a single context
    differs, that error equals the difference, and rounding would decide whether the attacker learns a label.

    >>> standard_error(((100.0, 10.0), (100.0, 20.0), (100.0, 30.0)))  # of twice the mean: 20 / √3
    11.547...
    """
    each = np.array(terms)
    left = (each.sum(axis=0) - each) / (len(each) - 1)
    return jackknife_error(icat_of(left.T))
