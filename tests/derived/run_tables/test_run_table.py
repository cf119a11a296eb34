"""Which estimate stands where in a table over runs."""

from dataclasses import replace
from itertools import groupby

import pytest

from report import contexts, example
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.estimates import Meaning
from tiltmeter.derived.run_tables.run_table import placements, run_table, run_tables
from tiltmeter.derived.run_tables.run_table_layout import Placed

PAIRS = [example.result("a"), example.result("b", seed=9, shift=-0.2)]
THREE = [contexts.result(name, seed=i) for i, name in enumerate("abc")]


def changed(result, **card):
    return replace(result, card=replace(result.card, **card))


def test_models_by_categories_the_whole_first():
    table = run_table(PAIRS)
    assert (table.row_names, table.column_names) == (("bias_type",), ("model",))
    assert table.columns == [("a",), ("b",)]
    assert table.rows[0] == ("",)
    for result, column in zip(PAIRS, table.columns, strict=True):
        head = result.headline
        assert table.cells[("",), column].estimate == head
        ages = [e for e in result.estimates if e.name == head.name and len(e.groups) == 1
                and "bias_type" in e.groups]  # fmt: skip
        assert len(ages) == len(table.rows) - 1
        for e in ages:
            assert table.cells[(e.groups["bias_type"],), column].estimate == e
    assert table.shared["measure"] == PAIRS[0].headline.name
    assert table.shared["data"] == PAIRS[0].card.data["name"]


def test_rows_and_columns_change_places():
    table, turned = run_table(PAIRS), run_table(PAIRS, rows=["model"])
    assert (turned.row_names, turned.column_names) == (("model",), ("bias_type",))
    assert {(c, r): p for (r, c), p in turned.cells.items()} == dict(table.cells)


def test_measures_that_are_read_together_are_columns():
    table = run_table(THREE)
    assert (table.row_names, table.column_names) == (("model",), ("measure",))
    assert [c for (c,) in table.columns] == ["ss", "lms", "icat"]
    assert len(table.cells) == 9


def test_nested_rows_have_the_whole_before_its_parts():
    table = run_table(THREE, rows=["task", "domain"])
    assert table.column_names == ("measure", "model")
    assert table.rows[0] == ("", "")
    tasks = [task for task, _ in table.rows]
    assert [task for task, _ in groupby(tasks)] == list(dict.fromkeys(tasks))
    for task in set(tasks):
        assert next(domain for t, domain in table.rows if t == task) == ""
    crossed = table.cells[("intrasentence", "race"), ("ss", "b")].estimate
    assert crossed.groups == {"task": "intrasentence", "domain": "race"}


def test_runs_of_two_data_sets_stand_under_each_other():
    other = changed(PAIRS[1], data={**PAIRS[1].card.data, "name": "more"})
    table = run_table([PAIRS[0], other])
    assert (table.row_names, table.column_names) == (("data",), ("model",))
    assert [row for (row,) in table.rows] == [PAIRS[0].card.data["name"], "more"]
    by_type = run_table([PAIRS[0], other], rows=["data", "bias_type"])
    assert by_type.rows[0][1] == ""
    assert len(by_type.rows) == 2 * len(run_table(PAIRS).rows)


def test_runs_of_two_rules_are_told_apart():
    other = changed(PAIRS[0], rule="other")
    table = run_table([PAIRS[0], other], rows=["bias_type"], columns=["model"])
    assert table.row_names == ("bias_type", "rule")
    assert len(table.cells) == 2 * len(run_table(PAIRS[:1]).cells)


def test_two_numbers_for_one_cell_are_refused_with_the_commands_of_both():
    runs = [
        changed(PAIRS[0], command=f"tiltmeter run {n}", run={"finished": f"2026-01-0{n}T03:04:05"})
        for n in (1, 2)
    ]
    with pytest.raises(BadInput, match=r"same cell .*model a.*leave one of them out") as refused:
        run_table(runs)
    both = "`tiltmeter run 1` (finished 2026-01-01 03:04), and `tiltmeter run 2` (finished 2026-01-02 03:04)"
    assert both in str(refused.value)


def test_unknown_names_are_refused_with_what_is_known():
    with pytest.raises(UnknownName, match=r"No axis named 'bias_typ'\. Did you mean 'bias_type'"):
        run_table(PAIRS, rows=["bias_typ"])
    with pytest.raises(UnknownName, match=r"No measure named 'nope'.*stereotype_rate"):
        run_table(PAIRS, measures=["nope"])
    with pytest.raises(BadInput, match="model is named twice"):
        run_table(PAIRS, rows=["model"], columns=["model"])


def test_the_best_is_marked_only_where_the_measure_has_a_better_side():
    assert run_table(PAIRS).best() == set()
    table = run_table(THREE)
    best = table.best()
    for measure in ("lms", "icat"):
        values = {row: table.cells[row, (measure,)].estimate.value for row in table.rows}
        top = max(values.values())
        assert {row for row, column in best if column == (measure,)} == {
            row for row, value in values.items() if value == top
        }
    assert not any(column == ("ss",) for _, column in best)


def test_a_baseline_is_never_the_best():
    ideal = changed(THREE[2], model=THREE[2].card.model | {"name": "ideal", "kind": "baseline"})
    assert run_table([*THREE[:2], ideal]).best() == run_table(THREE[:2]).best() != set()
    assert run_table([THREE[0], ideal]).best() == set()


def test_models_of_different_rules_have_no_best():
    other = [THREE[0], changed(THREE[1], rule="other")]
    assert run_table(other).best() == set()


def test_lower_is_better_where_the_measure_says_so():
    def costly(result, value):
        cost = replace(result.headline, name="cost", value=value, meaning=Meaning(better="lower"))
        return replace(result, estimates=[cost])

    table = run_table([costly(PAIRS[0], 3.0), costly(PAIRS[1], 2.0)], rows=["measure"])
    assert table.best() == {(("cost",), ("b",))}


def test_printed_numbers_stand_beside_and_are_never_the_best():
    head = THREE[0].headline
    run = placements(THREE[0])[0].run | {"model": "paper", "measure": head.name}
    printed = Placed(replace(head, value=100.0), run, printed=True)
    table = run_table(THREE, printed=[printed])
    assert table.cells[("paper",), (head.name,)] is printed
    assert not any(row == ("paper",) for row, _ in table.best())


def test_each_study_has_its_table():
    tables = run_tables([*PAIRS, *THREE])
    alone = [run_table(PAIRS), run_table(THREE)]
    assert [t.cells for t in tables] == [t.cells for t in alone]
    assert [t.notes for t in tables] == [[], []]


def test_named_rows_make_one_table_of_all_studies():
    (table,) = run_tables([PAIRS[0], changed(THREE[0], model=PAIRS[0].card.model)], rows=["model"])
    assert {p.run["study"] for p in table.cells.values()} == {"crows_pairs", "stereoset"}


def test_a_study_without_the_measure_is_named():
    (table,) = run_tables([*PAIRS, *THREE], measures=["icat"])
    assert table.notes == ["crows_pairs: not in the table, it does not report icat."]
    with pytest.raises(UnknownName, match="No measure named 'nope'"):
        run_tables([*PAIRS, *THREE], measures=["nope"])


def test_a_run_whose_numbers_have_other_axes_is_named():
    parts = replace(
        THREE[0], estimates=[e for e in THREE[0].estimates if [*e.groups] == ["domain"]]
    )
    table = run_table([PAIRS[0], parts], rows=["bias_type"])
    assert table.notes == ["stereoset of a: not in the table, its numbers are by domain."]
    whole = run_table([PAIRS[0], THREE[0]], rows=["bias_type"])
    (reason,) = whole.notes
    assert reason.startswith("stereoset of a: only over everything, its numbers are by ")


def test_an_axis_by_which_nothing_is_known_alone_is_refused():
    crossed = replace(
        PAIRS[0], estimates=[replace(e, groups=e.groups | {"crossed": "x"} if e.groups else {})
                             for e in PAIRS[0].estimates],
    )  # fmt: skip
    with pytest.raises(
        BadInput, match=r"no number of stereotype_rate is by crossed alone.*its axes"
    ):
        run_table([crossed], rows=["crossed"])


def test_data_of_one_name_are_told_apart_by_their_content():
    other = changed(THREE[1], data=THREE[1].card.data | {"sha256": "b" * 64})
    first = str(THREE[0].card.data["sha256"])[:8]
    table = run_table([THREE[0], other], rows=["data"])
    name = THREE[0].card.data_name
    assert [row for (row, *_) in table.rows] == [f"{name} ({first})", f"{name} (bbbbbbbb)"]
    assert table.best() == set()


@pytest.mark.parametrize("change", [{"convention": "other"}, {"data": {"sample": "5 of 10"}}])
def test_only_the_same_convention_and_items_have_a_best(change):
    if "data" in change:
        change = {"data": THREE[1].card.data | change["data"]}
    assert run_table(THREE[:2]).best() != set()
    assert run_table([THREE[0], changed(THREE[1], **change)]).best() == set()


def by_category(result, axis, **names):
    """With another name of the axis of categories, and other names of its values."""

    def renamed(e):
        groups = {axis if a == "bias_type" else a: names.get(v, v) for a, v in e.groups.items()}
        return replace(e, groups=groups)

    return changed(replace(result, estimates=[*map(renamed, result.estimates)]), categories=axis)


@pytest.mark.parametrize("axis", ["family", "category"])
def test_studies_stand_side_by_side_by_category(axis):
    """Each study names its axis in its way, and one of the values in another way too."""
    value = next(e.groups["bias_type"] for e in PAIRS[0].estimates if "bias_type" in e.groups)
    second = by_category(PAIRS[1], axis, **{value: "ethnicity"})
    first = by_category(PAIRS[0], "bias_type", **{value: "race-color"})
    second = changed(second, study="other")
    table = run_table([first, second], rows=["category"])
    assert table.row_names == ("category",)
    assert ("race",) in table.rows and (value,) not in table.rows
    assert len(table.cells) == 2 * len(table.rows)  # no cell is empty
    assert table.notes == [
        "Different names of one category are joined: ethnicity as race, race-color as race."
    ]
    with pytest.raises(UnknownName):
        run_table(PAIRS, rows=["category"])


def test_a_source_of_an_analysis_gives_its_model_and_rule_in_place_of_the_axis_that_names_it():
    """Two rules on two models in one result: a row a group, a column a rule and model."""
    sources = [
        {"matrix": f"{model} ({rule})", "model": model, "rule": rule, "words": "all"}
        for model in "ab" for rule in ("set", "ilps")
    ]  # fmt: skip
    head = THREE[0].headline
    estimates = [
        replace(head, value=10.0 * i + j, groups={"matrix": source["matrix"], **at}, model="")
        for i, source in enumerate(sources)
        for j, at in enumerate(({}, {"group": "women"}))
    ]
    card = replace(THREE[0].card, model={}, rule="", sources=sources)
    several = replace(THREE[0], card=card, estimates=estimates)
    table = run_table([several], rows=["group"], columns=["rule", "model"])
    columns = [("set", "a"), ("set", "b"), ("ilps", "a"), ("ilps", "b")]
    assert list(table.columns) == columns
    values = [[p.estimate.value for p in table.row((group,))] for group in ("", "women")]
    assert values == [[0, 20, 10, 30], [1, 21, 11, 31]]
    by_axis = run_table([several], rows=["group"], columns=["matrix"])
    assert [c for (c,) in by_axis.columns] == ["a (set)", "a (ilps)", "b (set)", "b (ilps)"]
    of_one = replace(several, card=replace(card, model={"name": "a", "fingerprint": ""}))
    with pytest.raises(BadInput, match="matrix"):
        run_table([of_one], rows=["group"], columns=["rule"])


def made(result, **model):
    return changed(result, model={**result.card.model, **model})


def test_a_mitigated_model_stands_beside_its_base():
    """Whatever its own name, it is placed by the model that it was made from and by what was done to that."""
    facts = {"made from": "a", "mitigation": "sentence_debias", "mitigation of": "profanity"}
    runs = [PAIRS[0], made(PAIRS[1], **facts)]
    table = run_table(runs, rows=["base", "mitigation"], columns=["bias_type"])
    assert table.rows == [("a", "none"), ("a", "sentence_debias of profanity")]
    assert [p.run["model"] for p in table.row(("a", "none")) if p] == ["a"] * len(table.columns)
    assert {p.run["model"] for p in table.row(table.rows[1]) if p} == {"b"}
    assert "base" not in table.shared and "mitigation" not in run_table(runs).shared


def test_classifiers_of_one_model_stand_in_its_column_a_row_a_seed():
    """As in a table of models by data sets: each set has a classifier of its own."""
    of = {"trained from": "bert", "training seed": 0}
    other = changed(PAIRS[1], data={**PAIRS[1].card.data, "name": "more", "sha256": "b" * 64})
    runs = [made(PAIRS[0], **of), made(other, **of)]
    table = run_table(runs, rows=["data"], columns=["base"])
    assert (table.columns, len(table.cells)) == ([("bert",)], 2)
    seeds = [made(PAIRS[0], **of), made(PAIRS[0], **{**of, "training seed": 1})]
    assert run_table(seeds, rows=["seed"], columns=["base"]).rows == [("0",), ("1",)]
    mitigated = {"made from": "bert", "trained with mitigation": "inlp of gender"}
    twin = made(other, **{**of, "trained from": "mitigated:x", **mitigated})
    table = run_table([runs[0], twin], rows=["mitigation"], columns=["base"])
    assert table.rows == [("none",), ("inlp of gender",)]
