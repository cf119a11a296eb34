"""What the placebo analysis shows: effects beside placebo, by axis, by model, and by both."""

from tiltmeter.analyses.placebo.effects import (
    AXIS,
    CHANGE,
    EFFECT,
    LESS,
    MAGNITUDE,
    PLACEBO_EFFECT,
    SHARE,
    SQUARE,
    WINS,
)
from tiltmeter.core.views import NumberTable

COLUMNS = (
    *EFFECT.columns(value=0),
    *PLACEBO_EFFECT.columns(value=2),
    *LESS.columns(value=0, interval=0),
    *LESS.columns(p_adjusted=3),
    *SHARE.columns(value=6, interval=8),
    *WINS.columns(value=5, interval=7),
    *CHANGE.columns(value=4, interval=7),
    *SQUARE.columns(value=4),
    *MAGNITUDE.columns(value=9),
    *EFFECT.columns("edits", n=1),
)
EXPLAINED = (
    "“minus placebo” is the mean size of changes by edits of groups minus that of placebo edits of the "
    "same texts; p is adjusted over the axes by Holm’s method. “wins” is how often a group edit changes "
    "the score more than a placebo edit of the same text, ties counting half. “mean square” is that of "
    "changes minus what noise adds to it, and “without noise” the signed root of its difference from "
    "that of placebo edits."
)
VIEWS = (
    NumberTable("axes", "By axis", (AXIS,), COLUMNS, explained=EXPLAINED),
    NumberTable("models", "By model", ("model",), COLUMNS),
    NumberTable(
        "models_axes", "By model and axis", ("model", AXIS), COLUMNS, folded=True, on="page"
    ),
)
