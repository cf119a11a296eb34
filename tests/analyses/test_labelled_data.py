"""`tiltmeter labelled-data`: sizes and shares of data sets, those that are here and those that are not."""

import pytest

from tiltmeter.analyses.labelled_data import POSITIVE, REPEATED, SET, TEXTS
from tiltmeter.run.folder import read


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """A folder of data with one registered set, and an empty cache."""
    given = tmp_path / "given"
    given.mkdir()
    rows = [
        "index,oh_label,Date,Text",
        "0,1,,Go away.",
        "1,0,,Well done.",
        "2,,,No label.",
        "3,0,,Go away.",
    ]
    (given / "kaggle_parsed_dataset.csv").write_text("\n".join(rows), "utf-8")
    monkeypatch.setenv("TILTMETER_DATA", str(given))
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_sets_stand_under_each_other_and_an_absent_one_says_so(tilt, offline):
    (offline / "mine.csv").write_text("text,label\na,x\nb,y\nc,y\nd,z\n", "utf-8")
    code, printed, err = tilt(
        "labelled-data",
        "kaggle_insults",
        "civil_comments",
        offline / "mine.csv",
        "--out",
        offline / "r",
    )
    assert code == 0, err
    assert "2 data sets read: 33.3 % of their texts are positive." in printed
    assert "civil_comments/all_data.csv" in err  # where it would have to be
    folder = next((offline / "r").rglob("card.json")).parent
    by_set = {(e.name, e.groups[SET]): e for e in read(folder).estimates if e.groups}
    values = {key: e.value for key, e in by_set.items()}
    assert values == {
        (TEXTS.name, "kaggle_insults"): 3, (POSITIVE.name, "kaggle_insults"): pytest.approx(100 / 3),
        (REPEATED.name, "kaggle_insults"): 1, (TEXTS.name, "civil_comments"): None,
        (TEXTS.name, "mine.csv"): 4, (POSITIVE.name, "mine.csv"): None, (REPEATED.name, "mine.csv"): 0,
    }  # fmt: skip
    assert by_set[POSITIVE.name, "mine.csv"].why == "its labels are on a par"
    code, table, _ = tilt(
        "table", folder, "--rows", "set", "--columns", "measure,model", "--measure", "texts",
        "--measure", "positive_share", "--published", "elsafoury2023_data", "--format", "csv",
    )  # fmt: skip
    assert code == 0
    assert "7425" in next(line for line in table.splitlines() if line.startswith("kaggle_insults"))


def test_the_positive_label_can_be_named(tilt, tmp_path):
    (tmp_path / "mine.csv").write_text("text,label\na,x\nb,y\nc,y\nd,z\n", "utf-8")
    code, printed, _ = tilt("labelled-data", tmp_path / "mine.csv", "--positive", "y+z")
    assert code == 0
    assert ": 75.0 % of their texts" in printed
