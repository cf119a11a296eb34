"""What there is to say of two matrices of groups by traits, on the page and in the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tiltmeter.analysis.compare_cells import DIFFERENCE
from tiltmeter.analysis.matrix import Layers
from tiltmeter.core.results import Estimate
from tiltmeter.report.grid import Grid, grid_of
from tiltmeter.report.matrices import heats, surest
from tiltmeter.report.plots.picture import Picture
from tiltmeter.report.terms import OF_CELLS
from tiltmeter.report.wording import (
    adjustment,
    level,
    number,
    span,
    visible,
    with_unit,
)

ENDS = 10
"""How many of the cells that differ most are listed."""


@dataclass(frozen=True, slots=True)
class CellsCompared:
    """Two models."""

    models: str
    """Both names, the first less the second."""
    said: Sequence[str]
    """The finding in sentences."""
    numbers: Sequence[Estimate]
    """Of the whole matrices."""
    groups: Sequence[Estimate]
    """Kendall's tau of each group, the least alike first."""
    grid: Grid | None
    """Differences cell by cell; None where the two are not on one scale."""
    drawn: Picture | None
    surest: Sequence[Estimate]
    """The cells that are told apart most surely."""


def cells_compared(
    comparisons: Sequence[Estimate], layers: Layers | None = None, *, drawn: bool = True
) -> list[CellsCompared]:
    """One for every two models, in the order of the comparisons."""
    found = []
    for i, models in enumerate(dict.fromkeys(e.model for e in comparisons), 1):
        members = [e for e in comparisons if e.model == models]
        apart = any(e.name == DIFFERENCE for e in members)
        grid = grid_of(members, layers, name=DIFFERENCE) if apart else None
        title = f"Differences of associations, {visible(models)}"
        picture = heats(grid, f"apart-{i}", title, ways=False) if grid and drawn else None
        taus = [e for e in members if e.name == "matrix_tau" and e.groups]
        found.append(
            CellsCompared(
                visible(models),
                _said(members, grid),
                [e for e in members if e.name in OF_CELLS and not e.groups],
                sorted(taus, key=lambda e: (e.value is None, e.value or 0.0)),
                grid,
                picture,
                [cell for cell in surest(grid) if cell.value][:ENDS] if grid else (),
            )
        )
    return found


def _said(members: Sequence[Estimate], grid: Grid | None) -> list[str]:
    whole = {e.name: e for e in members if not e.groups}
    tau = whole["matrix_tau"]
    said = [_order(tau, whole.get("matrix_tau_within")), _lean(whole)]
    if grid is None:
        said.append(
            "Their numbers are not on one scale, so that only the order of cells is compared."
        )
    else:
        how = {
            "BH": " after Benjamini and Hochberg’s adjustment",
            "Holm": " after Holm’s adjustment",
        }
        after = how.get(adjustment(grid.known), "")
        said.append(
            f"{_strengths(whole)}Of {len(grid.known):,} cells {grid.told:,} are told apart (p < .05{after}). "
            "Of models with different vocabularies such differences are not on one scale: read the order of "
            "cells first."
        )  # fmt: skip
    if tau.why:
        said.append(f"Note: {visible(tau.why)}.")
    return [text for text in said if text]


def _order(tau: Estimate, within: Estimate | None) -> str:
    if tau.value is None:
        return f"{visible(tau.model)}: whether the cells stand in one order is undefined: {visible(tau.why)}."
    said = (
        f"{visible(tau.model)}: the orders of their {tau.n:,} common cells agree at Kendall’s τ-b = "
        f"{_number(tau)}; 0 would be no relation, 1 the same order."
    )
    if within and within.value is not None:
        said += (
            " Without what all groups share in a pair of traits, which is how particular groups stand to "
            f"each other, τ-b is {_number(within)}."
        )
    return said


def _lean(whole: Mapping[str, Estimate]) -> str:
    same = whole.get("same_lean")
    if same is None or same.value is None:
        return ""
    inside = span(same)
    bounds = f" ({inside})" if inside else ""
    return f"Both lean the same way in {with_unit(same.value, same.unit)} of cells{bounds}."


def _strengths(whole: Mapping[str, Estimate]) -> str:
    apart = whole.get("strength_difference")
    if apart is None or apart.value is None:
        return ""
    return f"Their mean strengths differ by {_number(apart, with_unit(apart.value, apart.unit))}. "


def _number(estimate: Estimate, shown: str = "") -> str:
    inside = span(estimate)
    value = shown or number(estimate.value or 0.0, estimate.unit)
    return f"{value} ({level(estimate)} interval {inside})" if inside else value
