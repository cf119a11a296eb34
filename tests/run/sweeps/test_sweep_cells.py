"""A cell of a sweep: one study on one model."""

import pytest

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.sweeps.sweep_cells import Cell, SweepRow


@pytest.mark.parametrize(("error", "traced"), [(BadInput("no", "yes"), False), (KeyError(1), True)])
def test_only_what_nobody_foresaw_leaves_a_traceback(error, traced):
    study = find("studies", "pairs", "STUDY")
    row = SweepRow("pairs", study, Dataset("none", "1", [], "made up", "none"), RunOptions())
    cell = Cell(row, "model", Options())
    cell.fail(error)
    assert cell.state == "failed"
    assert cell.why == ("no; yes" if not traced else "KeyError: 1")
    assert bool(cell.trace) == traced
    assert cell.headline is None
