"""Inputs and options of analyses as programs have them."""

import pandas as pd
import polars as pl
import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput

ROWS = {
    "item": list("aabbccddeeff"),
    "annotator": ["ann", "bob"] * 6,
    "tone": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 1, 2],
    "age": ["young", "old"] * 6,
}


def numbers(result):
    return [(e.name, dict(e.groups), e.value, e.low, e.high, e.n) for e in result.estimates]


def test_a_table_in_memory_is_read_as_its_file_is(tmp_path):
    pl.DataFrame(ROWS).write_csv(tmp_path / "tone.csv")
    wanted = numbers(tm.analyse.agreement(tmp_path / "tone.csv", question=("tone",), by=[("age",)]))
    for table in (pl.DataFrame(ROWS), pd.DataFrame(ROWS)):
        result = tm.analyse.agreement(table, question="tone", by="age")
        assert numbers(result) == wanted
        assert result.card.data_name == "table in memory.csv"
        assert result.card.command == (
            "tiltmeter.analyse.agreement(table, question='tone', by='age')"
        )


def test_a_text_is_read_as_on_the_command_line():
    wide = pl.DataFrame({"item": list("abcd"), "ann": [1, 2, 3, 4], "bob": [1, 2, 4, 4]})
    one, other = (
        tm.analyse.agreement(wide, annotators=names) for names in ("ann,bob", ["ann", "bob"])
    )
    assert numbers(one) == numbers(other)
    crossed = pl.DataFrame({**ROWS, "sex": ["f", "m"] * 6})
    one, other = (
        tm.analyse.agreement(crossed, question="tone", by=by)
        for by in ("sex,age", [("sex", "age")])
    )
    assert numbers(one) == numbers(other)


def test_missing_cells_of_pandas_are_missing():
    rows = {**ROWS, "tone": [1.0, None, *ROWS["tone"][2:]]}
    one, other = (
        tm.analyse.agreement(table, question="tone")
        for table in (pl.DataFrame(rows), pd.DataFrame(rows).convert_dtypes())
    )
    assert numbers(one) == numbers(other)


def test_calls_name_files_and_models_without_their_folders(tmp_path):
    pl.DataFrame(ROWS).write_csv(tmp_path / "tone.csv")
    result = tm.analyse.agreement(tmp_path / "tone.csv", question="tone")
    assert result.card.command == "tiltmeter.analyse.agreement('PATH/TO/tone.csv', question='tone')"


def test_what_is_no_input_and_too_few_are_refused():
    with pytest.raises(BadInput, match="leak cannot take 3; its inputs: Run folders"):
        tm.analyse.leak(3)
    with pytest.raises(
        BadInput, match="no input is given, and agreement needs at least 1; give a table with"
    ):
        tm.analyse.agreement()
    with pytest.raises(BadInput, match="question is 3; it must be a list"):
        tm.analyse.agreement(pl.DataFrame(ROWS), question=3)
