"""Papers' numbers beside those of runs."""

from dataclasses import replace

import pytest

from report import contexts, example
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.derived.run_tables.printed_numbers import PRINTED, printed_numbers
from tiltmeter.derived.run_tables.run_table import run_table

RUNS = [contexts.result(name, seed=i) for i, name in enumerate("ab")]


def test_a_papers_models_are_rows_beside_ones_own():
    printed = printed_numbers(["nadeem2021_pseudo"], RUNS)
    table = run_table(RUNS, printed=printed)
    rows = [row for (row,) in table.rows]
    assert rows[:2] == ["a", "b"]
    assert f"gpt2{PRINTED}" in rows
    cells = {name: table.cells[(f"gpt2{PRINTED}",), (name,)] for name in ("ss", "lms", "icat")}
    assert {name: p.estimate.value for name, p in cells.items()} == {
        "ss": 59.0, "lms": 86.8, "icat": 71.1,
    }  # fmt: skip
    assert all(p.printed for p in cells.values())


def test_numbers_of_two_papers_are_told_apart():
    names = ["nadeem2021_pseudo_task", "nadeem2020_task"]
    models = {p.run["model"] for p in printed_numbers(names, RUNS)}
    assert all(model.endswith(("(nadeem2021)", "(nadeem2020)")) for model in models)


def test_a_table_of_other_numbers_is_refused_with_those_that_fit():
    with pytest.raises(BadInput, match=r"nangia2020_bias has no number .*nadeem2021_pseudo"):
        printed_numbers(["nangia2020_bias"], RUNS)
    own = example.result()
    with pytest.raises(BadInput, match="leave --published out"):
        printed_numbers(["nangia2020_bias"], [replace(own, card=replace(own.card, study="mine"))])
    with pytest.raises(UnknownName, match="nadeem2021_pseudo"):
        printed_numbers(["nadeem2021_psuedo"], RUNS)
    assert printed_numbers([], [example.result()]) == []


def test_measures_that_the_runs_lack_are_named():
    run = replace(RUNS[0], estimates=[e for e in RUNS[0].estimates if e.name == "association"])
    with pytest.raises(BadInput, match=r"none of the measures of nadeem2021_pseudo: lms, ss, icat"):
        printed_numbers(["nadeem2021_pseudo"], [run])


def test_a_papers_mitigated_models_stand_beside_their_bases():
    printed = printed_numbers(["elsafoury2023_mitigation"], RUNS)
    table = run_table(
        RUNS, rows=["base", "mitigation"], columns=["domain"], measures=["ss"], printed=printed
    )
    albert = [row for row in table.rows if row[0] == f"albert-base{PRINTED}"]
    assert albert == [
        (f"albert-base{PRINTED}", what) for what in ("none", "sentence_debias of profanity")
    ]
    values = [[p.estimate.value if p else None for p in table.row(row)] for row in albert]
    places = [table.columns.index((d,)) for d in ("gender", "race", "religion")]
    assert [[row[i] for i in places] for row in values] == [[59.9, 57.5, 60.3], [50.4, 46.8, 53.9]]


def test_means_over_seeds_have_the_papers_f1_beside_them():
    """The means are an analysis's, of runs of a study: they stand by the data that models were trained on."""
    head = replace(
        RUNS[0].headline, name="f1_weighted", study="classification", model="bert", value=80.0,
        groups={"trained_on": "kaggle_insults"}, unit="%",
    )  # fmt: skip
    card = replace(RUNS[0].card, study="seeds", model={})
    seeds = replace(RUNS[0], card=card, estimates=[head])
    printed = printed_numbers(["elsafoury2023_f1"], [seeds])
    table = run_table(
        [seeds], rows=["trained_on"], columns=["model"], measures=["f1_weighted"], printed=printed
    )
    row = dict(zip(table.columns, table.row(("kaggle_insults",)), strict=True))
    assert row["bert",].estimate.value == 80
    assert row[f"albert-base{PRINTED}",].estimate.value == 83.2
