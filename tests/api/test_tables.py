"""One table over several runs, from Python."""

import pytest

import tiltmeter as tm


@pytest.fixture(scope="module")
def runs():
    return [tm.run("starter_pairs", f"fake:{kind}", limit=60) for kind in ("masked", "causal")]


def test_a_table_of_runs_is_a_data_frame_latex_and_html(runs, tmp_path):
    made = tm.table(runs[0], runs[1].save(tmp_path / "second").folder, rows="bias_type")
    frame = made.to_polars()
    assert frame["bias_type"][0] == "all"
    assert frame["fake:masked"][0] == runs[0].headline.value
    assert frame["fake:causal low"][0] == runs[1].headline.low
    assert r"\begin{tabular}" in made.to_latex()
    assert made.to_markdown().startswith("**Stereotype rate by bias type and model")
    assert repr(made).startswith("Stereotype rate by bias type and model")
    assert made._repr_html_().startswith('<div id="tm-')
    pandas = pytest.importorskip("pandas")
    assert isinstance(made.to_pandas(), pandas.DataFrame)


def test_several_studies_are_one_table_where_rows_and_columns_say_so(runs):
    other = tm.run("winobias", "fake:masked", data=_winobias())
    with pytest.raises(tm.TiltmeterError, match="2 tables, one for each study"):
        tm.table([*runs, other]).to_polars()
    frame = tm.table([*runs, other], rows="model", columns="study").to_polars()
    assert frame["model"].to_list() == ["fake:masked", "fake:causal"]
    assert frame["winobias"].to_list() == [other.headline.value, None]
    assert frame["starter_pairs n"].to_list() == [60, 60]


def _winobias():
    return tm.studies()["winobias"].sample().items


def test_what_is_no_table_says_why(runs):
    with pytest.raises(tm.TiltmeterError, match="at least one run"):
        tm.table()
    with pytest.raises(tm.TiltmeterError, match="No axis named 'nope'"):
        tm.table(runs, rows="nope")
