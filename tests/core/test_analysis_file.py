"""What the TOML file beside an analysis says becomes its texts, options and views."""

import pytest

from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.analysis_views import NumberColumn, NumberTable, TextLines
from tiltmeter.core.reading.options import Option
from tiltmeter.core.reading.typed_values import Faults

FILE = """
title = "Gaps"

[options]
most = { help = "Rows at most.", min = 1 }

[texts]
method = "Over {axis}."

[columns]
shared = [{ measure = "gap", heading = "Gap", value = 0, interval = 2 }]

[[views.tables]]
kind = "number_table"
name = "by_{axis}"
title = "Gaps"
rows = ["{axes}", "run"]
columns = ["{shared}", { measure = "{measure}", n = 1 }, {}]
explained = "{method}"

[[views.lines]]
kind = "text_lines"
title = "Notes"
lines = ["{line}"]

[[views.wrong]]
kind = "text_lines"
heading = "Notes"
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "gaps.toml").write_text(FILE, "utf-8")
    return AnalysisFile.beside(tmp_path / "gaps.py")


def test_braces_stand_for_values_texts_and_columns(file):
    assert file.shown("tables", axis="age", axes=("age", "sex"), measure="rate") == (
        NumberTable(
            "by_age", "Gaps", ("age", "sex", "run"),
            (
                NumberColumn("gap", heading="Gap"), NumberColumn("gap", "interval", drop=2),
                NumberColumn("rate", "n", drop=1), NumberColumn(),
            ),
            explained="Over age.",
        ),
    )  # fmt: skip


@pytest.mark.parametrize("line", ["{method}", "{", "{line}", "{0}"])
def test_braces_in_a_value_are_left_as_they_are(file, line):
    assert file.shown("lines", line=line) == (TextLines("Notes", (line,)),)


def test_it_is_named_like_its_module_and_describes_options(file):
    assert file.name == "gaps"
    assert file.option("most", metavar="N") == Option("Rows at most.", min=1, metavar="N")
    assert file.text("method", axis="sex") == "Over sex."


def test_a_key_that_a_view_lacks_is_named(file):
    with pytest.raises(Faults, match="heading"):
        file.shown("wrong")
