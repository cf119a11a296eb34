"""Commands of the page about other programs' exports run, each on a small made-up file of that program."""

import json
import shlex
from pathlib import Path

import pytest

from data.people.exports import test_recognising as made
from data.people.exports.examples import qualtrics, table
from data.people.exports.test_limesurvey import ROWS
from support.survey import forms
from support.survey.databases import new_store

PAGE = Path(__file__).parents[2] / "docs" / "surveys" / "exchange.md"
COMMANDS = [
    line for block in PAGE.read_text("utf-8").split("```bash\n")[1:]
    for line in block.split("```")[0].splitlines()
]  # fmt: skip


@pytest.fixture
def files(tmp_path):
    """The files that the commands name."""

    def named(layout, name):
        folder = tmp_path / f"of {name}"
        folder.mkdir()
        path, _ = layout(folder)
        path.rename(tmp_path / name)

    named(made.label_studio, "label-studio.json")
    named(made.label_studio_csv, "label-studio.csv")
    named(made.potato_folder, "potato")
    named(made.argilla_by_user, "argilla.jsonl")
    named(made.doccano_folder, "doccano")
    numbers = {"low": 1, "medium": 2, "high": 3}
    path, _ = qualtrics(tmp_path)
    text = path.read_text("utf-8")
    for word, number in numbers.items():
        text = text.replace(f",{word}", f",{number}")
    path.write_text(text.replace(",30", ",31", 1), "utf-8")
    table(tmp_path / "limesurvey.csv", ROWS)
    table(tmp_path / "texts.csv", [("id", "text"), *((n, f"text {n}") for n in range(1, 4))])
    annotation = [{"from_name": "label", "type": "choices", "value": {"choices": ["neither"]}}]
    tasks = [
        {"id": n, "data": {}, "annotations": [{"completed_by": 1, "result": annotation}]}
        for n in (1, 2)
    ]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), "utf-8")
    form = forms.a_form(2)
    with new_store(tmp_path / "survey.db") as store:
        forms.fill_in(store, form, forms.someone(store, forms.a_study(store, form)))


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_runs(tilt, line):
    program, *words = shlex.split(line)
    assert program == "tiltmeter"
    if words[:2] == ["survey", "import"] and words[2] == "export":
        assert tilt("survey", "export", "--out", "export")[0] == 0
    code, out, err = tilt(*words)
    assert code == 0, err
    if words[0] == "agreement":
        assert "annotators" in out and ("Read as an export of" in out or "Columns" in out)
