"""placebo: its folder is a result like others; the published scores."""

import json
from pathlib import Path

import pytest

import tiltmeter as tm
from support import published
from support.edit_scores import rows, write


@pytest.fixture(autouse=True)
def _workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_folder_is_a_result_like_others(tilt):
    code, out, err = tilt(
        "analyse", "placebo", write(rows(models=("a", "b"), noise=0.2)), "--json", "--out", "out"
    )
    assert code == 0, err
    assert json.loads(out)["card"]["study"] == "placebo"
    (folder,) = Path("out").iterdir()
    assert " " not in folder.name
    code, table, _ = tilt(
        "table", folder, "--rows", "axis", "--measure", "effect", "--format", "csv"
    )
    assert code == 0 and "name" in table


def test_the_published_scores():
    """At equal numbers of replies, which are nearly equal in these data, numbers hardly differ."""
    path = published.need("resume_placebo/scores.csv")
    columns = {"text": "job", "edit": "variant"}
    result = tm.analyse.placebo(path, columns=columns, within=["harness"])
    assert result.headline.value == pytest.approx(0.032, abs=0.001)
    assert result.card.data["clusters"] == 17
    assert sum("claude" in note.text for note in result.card.notes) == 1
