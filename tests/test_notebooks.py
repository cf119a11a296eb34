"""Notebooks of docs/notebooks: a real kernel shows what is stored, and a strict type checker accepts them."""

import json
import re
import shutil
import subprocess
import sys

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

from goldens import of_notebooks  # noqa: E402 what it imports may be missing
from support import published  # noqa: E402

NAMES = of_notebooks.names()
NEEDS = {"paper-with-your-model": "crows_pairs/crows_pairs_anonymized.csv"}
"""Published data that a notebook reads."""
HOME = re.compile(r"/(?:home|root|tmp|work)/[\w./-]+")
SHOWN = {
    "runs": "list[RunResult]",
    "headline": "Estimate | None",
    "card": "Card",
    "records": "Rows[Record]",
    "table": "RunTables",
    "frame": "DataFrame",
    "audit": "RunResult",
    "value": "float | None",
}
"""What a type checker says of the values in MORE, by their names."""
MORE = """
import pandas as pd
import tiltmeter as tm

runs = [tm.run(study, "fake") for study in tm.studies()]
reveal_type(runs)
headline = runs[0].headline
reveal_type(headline)
card = runs[0].card
reveal_type(card)
records = runs[0].records
reveal_type(records)
table = tm.table(runs)
reveal_type(table)
frame = records.to_polars()
reveal_type(frame)
audit = tm.audit("fake", profile="quick", fail_if=["crows_pairs/stereotype_rate.low > 55"])
reveal_type(audit)
value = tm.analyse.agreement(frame, question="a", by=["a", ("b", "c")]).estimate("alpha").value
reveal_type(value)
tm.compare(runs, "folder", margin="stereotype_rate=5", out="out").save("again").page("page.html")
tm.run("decisions", data=pd.DataFrame({"selected": [1], "sex": ["f"]})).to_pandas()
tm.score(None, "fake", ["One.", "Two."])[0].scores["more"] + 1
tm.analyse.leak([tm.load("a")], people={"en": "people.csv"}, k=5)
tm.analyse.agreement("a.csv", quesion="tone")  # an error: no such parameter
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_shows_what_is_stored(name):
    if name in NEEDS:
        published.need(NEEDS[name])
    assert not of_notebooks.changes(name), "in tests, python -m goldens.of_notebooks --write"


@pytest.mark.parametrize("name", NAMES)
def test_it_was_executed_whole_and_names_no_place_of_a_computer(name):
    book = of_notebooks.stored(name)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert not [o for cell in code for o in cell.outputs if o.output_type == "error"]
    assert not HOME.search((of_notebooks.FOLDER / f"{name}.ipynb").read_text("utf-8"))


@pytest.mark.slow
def test_type_checkers_know_what_users_get(tmp_path):
    checker = shutil.which("pyright") if shutil.which("node") else None
    for name in NAMES:
        code = [c.source for c in of_notebooks.stored(name).cells if c.cell_type == "code"]
        (tmp_path / f"{name.replace('-', '_')}.py").write_text("\n".join(code) + "\n", "utf-8")
    (tmp_path / "more.py").write_text(MORE, "utf-8")
    if checker is None:
        pytest.skip("pyright is not installed, or node is not")
    source = of_notebooks.FOLDER.parents[1] / "src"
    # A cell ends in the value that it shows; pandas has no stubs of its own.
    strict = {
        "typeCheckingMode": "strict", "extraPaths": [str(source)], "reportUnusedExpression": False,
        "reportMissingTypeStubs": False,
    }  # fmt: skip
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(strict), "utf-8")
    run = subprocess.run(
        [checker, "--outputjson", "--pythonpath", sys.executable, "-p", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = json.loads(run.stdout)["generalDiagnostics"]
    errors = [(entry["file"], entry["message"]) for entry in found if entry["severity"] == "error"]
    assert errors == [(str(tmp_path / "more.py"), 'No parameter named "quesion"')]
    said = [entry["message"] for entry in found if entry["severity"] == "information"]
    assert said == [f'Type of "{name}" is "{kind}"' for name, kind in SHOWN.items()]
