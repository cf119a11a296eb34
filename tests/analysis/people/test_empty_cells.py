"""Cells without a number are stated and left out."""

import numpy as np

from analysis.people.examples import matrix, random_people, table
from tiltmeter.analysis.people.alignment import Wanted, align
from tiltmeter.analysis.people.sources import Source


def test_missing_cells_are_stated_and_left_out():
    truth, _ = random_people()
    scores = truth.copy()
    scores[0, 1] = np.nan
    scores[:, 3] = np.nan
    said = truth.copy()
    said[4] = np.nan
    (one,) = align([Source("M", "m", matrix(scores))], table(said), Wanted()).parts
    told = "\n".join(one.left_out)
    assert "1 pair has no values from M: low3 - high3." in told
    assert "1 further cell of 48 without a value from M: sailors, low1 - high1." in told
    assert "1 group has no values from people: poets." in told
    assert one.find("kendall_tau").value == 1
    assert one.find("kendall_tau").n == 5 * 7 - 1
    assert "at least three points" in one.find("kendall_tau", {"group": "poets"}).why
