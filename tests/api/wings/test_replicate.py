"""tm.replicate: the same as the command, as a result that can be asked."""

import re
from pathlib import Path

import pytest

import tiltmeter as tm

PAPER = """
title = "Mine"
source = "me"
[runs.pairs]
study = "starter_pairs"
[[item]]
name = "T1"
title = "Kinds of bias"
of = ["pairs"]
rows = ["bias_type"]
columns = ["model"]
measures = ["stereotype_rate"]
[[item]]
name = "T2"
title = "A photograph"
why = "It shows people."
"""


def test_replicate_returns_a_result_with_cells(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(PAPER, "utf-8")
    paper = tm.replicate(file, models=["fake:masked"], out=tmp_path / "out")
    assert paper.estimate("published_numbers").value == 0
    assert {r.kind for r in paper.records} == {"T1"}
    rate = next(r for r in paper.records if r.groups.get("bias_type") == "age")
    (run,) = paper.runs
    assert rate.scores["value"] == pytest.approx(
        run.estimate("stereotype_rate", bias_type="age").value
    )
    assert tm.load(tmp_path / "out").estimate("published_numbers").value == 0
    with pytest.raises(tm.TiltmeterError, match="'T3'"):
        tm.replicate(file, select=["T3"], out=Path(tmp_path / "other"))


def test_the_example_of_the_page_runs(tmp_path, monkeypatch):
    page = Path(__file__).parents[3] / "docs" / "how-to" / "papers.md"
    (example,) = re.findall(
        r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    scope = {}
    exec(compile(example, page.name, "exec"), scope)  # our own page
    assert scope["paper"].estimate("published_numbers").value > 0
