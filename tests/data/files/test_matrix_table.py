"""Matrices from tables: long and wide, cells without a number, and what is refused."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.derived.matrices.matrix import as_csv, read_matrix

LONG = "group,pair,value\nmen,cold - warm,0.5\nmen,poor - rich,\nwomen,cold - warm,-1\n"
WIDE = "who,cold - warm,poor - rich\nmen,0.5,\nwomen,-1,nan\n"


@pytest.fixture
def read(tmp_path):
    def made(text):
        (tmp_path / "mine.csv").write_text(text, encoding="utf-8")
        return read_matrix(tmp_path / "mine.csv")

    return made


@pytest.mark.parametrize("text", [LONG, WIDE])
def test_both_layouts_say_the_same(read, text):
    found = read(text)
    assert (found.name, found.rows) == ("mine", ("men", "women"))
    assert found.columns == ("cold - warm", "poor - rich")
    assert np.array_equal(found.values, [[0.5, np.nan], [-1, np.nan]], equal_nan=True)
    again = read(as_csv(found))
    assert np.array_equal(again.values, found.values, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LONG + "men,cold - warm,1\n", "men, cold - warm is given twice; leave one out"),
        (WIDE + " men ,1,2\n", "men, cold - warm is given twice"),
        (LONG + ",cold - warm,1\n", "a row has no group, or no pair of traits"),
        (LONG + "women,,1\n", "a row has no group, or no pair of traits"),
        (WIDE + ",1,2\n", "a row has no group"),
        (WIDE.replace("-1", "high"), "women, cold - warm is 'high', which is not a number"),
        (WIDE.replace("-1", "1_0"), "women, cold - warm is '1_0', which is not a number"),
        (WIDE.replace("-1", "٣"), "women, cold - warm is '٣', which is not a number"),
        (WIDE.replace("-1", "1e999"), "women, cold - warm is '1e999', which is not a number"),
        (WIDE.replace("-1", "-1e101"), "'-1e101', beyond ±1e.100"),
        (WIDE.replace("-1", "-inf"), "is '-inf', which is not a number"),
        ("group\nmen\n", "has no rows, or only one column"),
    ],
)
def test_what_is_refused(read, text, says):
    with pytest.raises(BadInput, match=says):
        read(text)
