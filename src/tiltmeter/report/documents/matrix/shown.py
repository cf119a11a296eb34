"""What the sections about one matrix are made of."""

from collections.abc import Mapping
from dataclasses import dataclass

from tiltmeter.analysis.matrix import ScoreLayers, axes_of
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.views import Matrix
from tiltmeter.report.plots.matrix_grid import MatrixGrid, grid_of
from tiltmeter.report.text import name_of


@dataclass(frozen=True, slots=True)
class MatrixShown:
    """A matrix with what there is to know of it."""

    result: Result
    view: Matrix
    grid: MatrixGrid
    axes: ScoreLayers | None
    """Which domains there are; with scores by layer where the records have them."""
    key: str = "m"
    """Where anchors and names of pictures begin: "m1"."""

    @property
    def model(self) -> str:
        """Its name."""
        return name_of(self.result)

    @property
    def layers(self) -> ScoreLayers | None:
        """Scores by layer; None where the matrix has no layers."""
        return self.axes if self.axes and self.axes.layers else None

    def strengths(self, axis: str) -> Mapping[str, Estimate]:
        """How far cells lie from 0, by the values of one axis."""
        return {
            e.groups[axis]: e
            for e in self.result.estimates
            if e.name == self.view.strength and tuple(e.groups) == (axis,)
        }


def matrix_shown(result: Result, view: Matrix, key: str = "m") -> MatrixShown:
    """A result's matrix, in the order of its records."""
    axes = axes_of(result)
    return MatrixShown(result, view, grid_of(result.estimates, view, axes), axes, key)
