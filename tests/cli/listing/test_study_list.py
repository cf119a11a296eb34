"""The list of studies: a line each, in a terminal of 80 columns."""

import json
import re

import pytest

from tiltmeter.cli.console import out as console
from tiltmeter.core.finder import known
from tiltmeter.core.study_groups import GROUPS


@pytest.fixture
def lines(tilt, monkeypatch):
    monkeypatch.setattr(console, "width", 80)
    code, out, _ = tilt("ls")
    assert code == 0
    return out.splitlines()


def test_a_line_a_study_in_80_columns_and_about_50_lines(lines):
    assert len(lines) <= 55
    assert max(map(len, lines)) <= 80
    for study in known("studies"):
        assert len([line for line in lines if re.match(rf"{study} ", line)]) == 1


def test_studies_stand_in_their_group(lines):
    headings = [line.partition(":")[0] for line in lines if line.partition(":")[0] in GROUPS]
    assert headings == [*GROUPS]
    at = {line.split()[0].rstrip(":"): place for place, line in enumerate(lines) if line.split()}
    assert at["answers"] < at["bbq"] < at["writing"] < at["inferences"] < at["people"]


def test_a_line_says_of_which_model_how_long_and_whether_data_are_there(lines):
    def line(study):
        return next(line for line in lines if line.startswith(f"{study} "))

    assert re.search(r"Is the stereotype likelier\? +LM +1,508 +1 min get$", line("crows_pairs"))
    assert re.search(r"replies +12 k +1\.7 h get$", line("bbq"))
    assert line("starter_pairs").endswith(" here")
    assert line("pairs").endswith(" file")


def test_json_has_what_the_lines_have(tilt):
    entries = {s["name"]: s for s in json.loads(tilt("ls", "--json")[1])["studies"]}
    assert [*entries] == known("studies")
    assert entries["weat"]["needs"] == ["vectors"]
    assert entries["bbq"]["seconds"] == 5977  # 11,954 replies, four in two seconds
    assert entries["ceat"]["run_needs"] == "--set corpus=PATH"
    assert entries["ceat"]["items"] is None
