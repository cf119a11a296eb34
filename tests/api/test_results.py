"""What the public functions return: tables, pages, pictures and what a notebook shows."""

import json
import pickle
import sys

import polars as pl
import pytest

import tiltmeter as tm
from tiltmeter.api.results import RunResult
from tiltmeter.core.errors import Unavailable, UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result


@pytest.fixture
def result():
    card = Card(
        "mine", "1", {"name": "<b>model</b>", "fingerprint": "f"},
        {"name": "d", "sha256": "", "warning": ""}, "rule", "paper", "half", 0, "", {"scored": 2},
    )  # fmt: skip
    estimates = [
        Estimate("rate", 60.0, 40.0, 80.0, 0.2, 10, 50.0, "%"),
        Estimate("rate", 75.0, None, None, None, 4, 50.0, "%", groups={"age": "old"}),
        Estimate("gap", None, None, None, None, 0, 0.0, "", why="nothing to compare"),
    ]
    records = [
        Record("1", {"more": -1.0, "less": -2.0}, {"age": "old"}),
        Record("2", {"more": -3.0}, {}),
    ]
    return RunResult(Result(card, records, estimates), None)


def test_estimates_are_a_table(result):
    table = result.estimates.to_polars()
    assert table.columns[:4] == ["name", "group_age", "value", "low"]
    assert table.select("name", "group_age", "value", "n").rows() == [
        ("rate", "all", 60.0, 10), ("rate", "old", 75.0, 4), ("gap", "all", None, 0),
    ]  # fmt: skip
    assert "mde" in table.columns
    assert len(result.estimates) == 3
    assert [e.name for e in result.estimates[:2]] == ["rate", "rate"]


def test_records_have_the_columns_of_the_file(tmp_path):
    run = tm.run("starter_pairs", "fake:masked").save(tmp_path / "run", jsonl=True)
    from_file = pl.read_parquet(tmp_path / "run" / "records.parquet")
    table = run.records.to_polars()
    assert set(table.columns) == set(from_file.columns)
    assert table.select(from_file.columns).equals(from_file)
    first = json.loads((tmp_path / "run" / "records.jsonl").read_text("utf-8").splitlines()[0])
    assert first["score_more"] == table["score_more"][0]
    assert run.folder == tmp_path / "run"


def test_estimates_and_records_are_tables_of_pandas(result):
    pandas = pytest.importorskip("pandas")
    table = result.estimates.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == result.estimates.to_polars().columns
    assert list(table["value"][:2]) == [60.0, 75.0]
    assert table["value"].dtype == float
    assert table["n"].dtype == int
    assert pandas.isna(table["value"][2])
    assert list(table["group_age"]) == ["all", "old", "all"]
    assert table.groupby("name")["n"].sum().to_dict() == {"rate": 14, "gap": 0}
    records = result.records.to_pandas()
    assert list(records["item"]) == ["1", "2"]
    assert pandas.isna(records["score_less"][1])


def test_pandas_is_optional(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Unavailable, match="pip install pandas"):
        result.estimates.to_pandas()


def test_a_number_by_its_name_and_subset(result):
    assert result.estimate("rate").value == 60
    assert result.estimate("rate", age="old").value == 75
    assert result.headline is result.estimate("rate")
    with pytest.raises(UnknownName, match="rate"):
        result.estimate("rate", age="young")


def test_a_notebook_shows_the_finding_and_the_table(result):
    shown = result._repr_html_()
    assert "<b>" not in shown
    assert "&lt;b&gt;model&lt;/b&gt;: rate is" in shown
    assert "40.0 to 80.0" in shown
    assert repr(result).startswith("<mine: <b>model</b>: rate is 60.0\xa0% over 10 items")


def test_a_model_card_is_made_and_kept_up_to_date(result, tmp_path):
    pytest.importorskip("yaml")
    file = tmp_path / "README.md"
    file.write_text("---\nlicense: mit\n---\n# Mine\n", "utf-8")
    assert result.update_model_card(file) == file
    first = file.read_text("utf-8")
    assert "license: mit" in first
    assert "# Mine" in first
    assert str(result.to_model_card()) in first
    result.update_model_card(file)
    assert file.read_text("utf-8") == first


def test_a_result_is_a_table_of_its_numbers(result):
    assert result.to_polars().equals(result.estimates.to_polars())
    pandas = pytest.importorskip("pandas")
    pandas.testing.assert_frame_equal(result.to_pandas(), result.estimates.to_pandas())


def test_a_notebook_shows_numbers_and_records_as_tables_without_texts(result):
    shown = result.estimates._repr_html_()
    assert "<th>group_age</th>" in shown and "75.0" in shown
    assert "<th>level</th>" not in shown  # the same in all rows
    records = [
        Record(str(i), {"more": -float(i)}, {}, texts={"more": f"They are {i}"}) for i in "12"
    ]
    records_html = RunResult(Result(result.card, records, []), None).records._repr_html_()
    assert "They are" not in records_html and "<th>score_more</th>" in records_html
    assert RunResult(Result(result.card, [], []), None).records._repr_html_()


def test_what_is_loaded_or_unpickled_equals_what_was_saved(tmp_path):
    runs = [tm.run("starter_pairs", f"fake:{kind}", out=tmp_path) for kind in ("masked", "causal")]
    tone = {
        "item": [*"aabbccddee"],
        "annotator": ["ann", "bob"] * 5,
        "tone": [1, 1, 2, 2, 3, 3, 4, 4, 5, 1],
    }
    made = [
        *runs,
        tm.compare(runs, out=tmp_path),
        tm.compare(runs).save(tmp_path / "with its runs"),
        # has intervals below 0 %, of a measure whose unit alone would not allow that
        tm.analyse.agreement(pl.DataFrame(tone), question="tone", out=tmp_path),
        tm.fairness([1, 0, 1, 0], [0.2, 0.3, 0.9, 0.6], [*"abab"]).save(tmp_path / "fairness"),
    ]
    for result in made:
        again = pickle.loads(pickle.dumps(result))
        assert tm.load(result.folder) == result == again
        assert again.estimates == result.estimates and again.records == result.records
        assert (again.study, again.folder) == (result.study, result.folder)
    assert made[0] != made[1]
