"""The picture of the leans that several studies found."""

from collections.abc import Sequence
from functools import partial

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.lean_views import LeanPlot
from tiltmeter.core.results import Result
from tiltmeter.core.text import counted
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.lean_plot import NARROW, WIDE, Lean, lean_plot
from tiltmeter.report.text import label, sides

WITHOUT = frozenset({"unanswered", "undefined"})
"""Verdicts of studies whose number is not drawn, as it says nothing."""


def lean_pictures(result: Result, view: LeanPlot) -> list[Picture]:
    """A picture with a row for each study, in the order of the estimates; [] where there are none."""
    labels = result.card.labels
    mains = [e for e in result.estimates if e.name in view.measures and e.verdict and not e.groups]
    rows = [
        _row(result.estimates, main, view, label("study", main.study, labels)) for main in mains
    ]
    if not rows:
        return []
    draw = partial(lean_plot, rows, title=view.heading)
    return [in_two_layouts(view.name, draw, (WIDE, NARROW), caption(rows, view))]


def caption(rows: Sequence[Lean], view: LeanPlot) -> str:
    """What the marks and columns of these rows mean, without those that no row has."""
    filled = {row.filled for row in rows if row.is_lean and not row.why}
    by = "p < .05, adjusted over all studies"
    marks = {
        frozenset({True, False}): f"A filled mark is a significant lean ({by}), a hollow one is not. ",
        frozenset({True}): f"All marks are filled: significant leans ({by}). ",
        frozenset({False}): f"All marks are hollow: no lean is significant ({by}). ",
    }.get(frozenset(filled), "")  # fmt: skip
    answered = any(row.answered is not None for row in rows)
    shares = "Answered: the share of the model’s replies that are answers. " if answered else ""
    return f"{view.caption} {marks}{shares}".strip()


def _row(estimates: Sequence[Estimate], main: Estimate, view: LeanPlot, name: str) -> Lean:
    """The row of a study: its main number or, of one with many tests, the subset farthest from neutral."""
    own = [e for e in estimates if e.study == main.study and not e.meaning.difference_of]
    shares = (e.value for e in own if e.name == view.answered)
    part = next((e for e in own if e.groups), None)
    counts_tests = main.neutral is None and part is not None and part.neutral is not None
    shown = part if counts_tests and part is not None else main
    return Lean(
        name, shown, main.verdict in view.filled, _below(main, shown), next(shares, None),
        _why(own, main, view), _is_lean(shown),
    )  # fmt: skip


def _below(main: Estimate, shown: Estimate) -> str:
    """What the number is about, if not about everything, or else which way it leans."""
    if shown is not main:
        return f"farthest of {counted(main.n, main.meaning.counts)}"
    if not _is_lean(shown):
        return "not a lean"
    ways = sides(shown)
    if ways is None or shown.value is None or main.verdict not in {"leans", "uncertain"}:
        return "uncertain" if main.verdict == "uncertain" else ""
    towards = ways[shown.value > (shown.neutral or 0.0)]
    return f"uncertain: {towards}" if main.verdict == "uncertain" else f"towards {towards}"


def _is_lean(e: Estimate) -> bool:
    return e.neutral is not None and e.meaning.role == "lean"


def _why(own: Sequence[Estimate], main: Estimate, view: LeanPlot) -> str:
    """Why the study has no number that says something; "" where it has one."""
    if main.verdict not in WITHOUT and main.value is not None:
        return ""
    reasons = (e.why for e in own if e.name == view.reasons and e.why)
    return f"{main.verdict or 'undefined'}: {next(reasons, main.why)}".removesuffix(".")
