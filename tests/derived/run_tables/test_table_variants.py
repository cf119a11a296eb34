"""Numbers of several models that are not comparable never share a line of a table."""

from dataclasses import replace

import pytest

from report import example
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.records import Record
from tiltmeter.derived.run_tables.run_table import placements, run_table
from tiltmeter.derived.run_tables.run_table_layout import Placed

PAIRS = [example.result("a"), example.result("b", seed=9, shift=-0.2)]
COST = Meaning("Perplexity", role="cost", better="lower")


def cost(model, value, title="Perplexity", study="perplexity", **card):
    """A result with one number, of which less is better."""
    head = replace(
        PAIRS[0].headline, name="perplexity", value=value, meaning=replace(COST, title=title)
    )
    about = {"study": study, "model": {"name": model}, **card}
    return replace(PAIRS[0], card=replace(PAIRS[0].card, **about), estimates=[head])


PSEUDO = {"title": "Pseudo-perplexity", "rule": "pll_all"}
CAUSAL = {"rule": "log_likelihood"}
LEANS = [example.result(name) for name in ("gpt", "bert", "roberta")]
COSTS = [cost("gpt", 30.0, **CAUSAL), cost("bert", 5.0, **PSEUDO), cost("roberta", 4.0, **PSEUDO)]


def test_two_measures_of_one_name_have_a_column_each_in_a_table_of_studies():
    table = run_table([*LEANS, *COSTS], rows=["model"], columns=["study"])
    assert table.column_names == ("study", "variant")
    assert [*table.columns] == [
        ("crows_pairs", ""), ("perplexity", "Perplexity"), ("perplexity", "Pseudo-perplexity"),
    ]  # fmt: skip
    assert table.best() == {(("roberta",), ("perplexity", "Pseudo-perplexity"))}


def test_where_each_model_has_one_variant_it_stands_with_the_models():
    table = run_table(COSTS, rows=["measure"], columns=["model"])
    assert [*table.columns] == [
        ("Perplexity", "gpt"), ("Pseudo-perplexity", "bert"), ("Pseudo-perplexity", "roberta"),
    ]  # fmt: skip
    table = run_table(COSTS, rows=["model"], columns=["study"])
    assert (table.row_names, table.column_names) == (("variant", "model"), ("study",))
    assert table.best() == {(("Pseudo-perplexity", "roberta"), ("perplexity",))}


def test_rules_that_mean_the_same_share_a_column():
    both = ("pll_shared", "log_likelihood")
    alike = [
        cost("gpt", 30.0, rule=both[1], alike=both),
        cost("bert", 5.0, rule=both[0], alike=both),
    ]
    table = run_table(alike, rows=["model"], columns=["study"])
    assert table.column_names == ("study",)
    assert table.best() == {(("bert",), ("perplexity",))}


DATA = PAIRS[0].card.data


@pytest.mark.parametrize(
    ("change", "name"),
    [({"convention": "own"}, "own"), ({"settings": {"x": "1"}}, "x = 1"),
     ({"data": {**DATA, "name": "more", "sha256": "b" * 64}}, "more"), ({"ties": "loss"}, "ties: loss"),
     ({"data": {**DATA, "sample": "5 of 10 items, seed 0"}}, "5 of 10 items, seed 0")],
)  # fmt: skip
def test_whatever_makes_numbers_incomparable_sets_them_apart(change, name):
    table = run_table([cost("a", 3.0), cost("b", 2.0, **change)], rows=["model"], columns=["study"])
    assert table.row_names == ("variant", "model")
    assert table.rows[1] == (name, "b")
    assert table.best() == set()


def test_models_by_different_rules_share_a_column_in_which_none_is_the_best():
    two = [cost("a", 3.0), cost("b", 2.0, rule="other")]
    table = run_table(two, rows=["model"], columns=["study"])
    assert (table.row_names, table.rows) == (("model",), [("a",), ("b",)])
    assert table.best() == set()


def test_one_model_by_two_rules_has_a_line_for_each():
    three = [cost("a", 3.0), cost("a", 1.0, rule="other"), cost("b", 2.0, rule="other")]
    table = run_table(three, rows=["model"], columns=["study"])
    assert (table.row_names, table.column_names) == (("model", "rule"), ("study",))
    assert table.best() == {(("a", "other"), ("perplexity",))}


def test_where_all_are_equal_none_is_the_best():
    tied = [cost("a", 2.0), cost("b", 2.0)]
    assert run_table(tied, rows=["model"], columns=["study"]).best() == set()
    table = run_table([*tied, cost("c", 3.0)], rows=["model"], columns=["study"])
    assert {row for row, _ in table.best()} == {("a",), ("b",)}


def test_a_baseline_stands_in_every_variant():
    ideal = cost("ideal", 1.0)
    card = replace(ideal.card, model={"name": "ideal", "kind": "baseline"})
    table = run_table([*COSTS, replace(ideal, card=card)], rows=["model"], columns=["study"])
    assert [v for v, model in table.rows if model == "ideal"] == ["Perplexity", "Pseudo-perplexity"]
    assert table.best() == {(("Pseudo-perplexity", "roberta"), ("perplexity",))}


def test_a_papers_number_stands_with_the_runs_of_its_rule():
    run = placements(COSTS[1])[0].run | {"model": "paper", "measure": "perplexity"}
    here = Placed(COSTS[1].headline, run, printed=True)
    elsewhere = Placed(COSTS[1].headline, {**run, "model": "other", "rule": ""}, printed=True)
    table = run_table(COSTS, rows=["model"], columns=["study"], printed=[here, elsewhere])
    assert {*table.rows} >= {("Pseudo-perplexity", "paper"), ("as printed", "other")}


def by_token(model, value, *counts, is_by_token=True):
    """A perplexity of a model that splits the items into so many tokens."""
    made = cost(model, value)
    head = made.headline
    records = [Record(str(i), {"tokens_scored": float(n)}, {}) for i, n in enumerate(counts)]
    meaning = replace(head.meaning, by_token=is_by_token)
    return replace(made, records=records, estimates=[replace(head, meaning=meaning)])


@pytest.mark.parametrize("axis", ["study", "measure"])
def test_models_of_other_tokens_share_a_column_in_which_none_is_the_best(axis):
    two = [by_token("a", 3.0, 7, 9), by_token("b", 2.0, 7, 9)]
    table = run_table([*two, by_token("c", 1.0, 8, 8)], rows=["model"], columns=[axis])
    assert (table.row_names, len(table.columns)) == (("model",), 1)
    assert table.best() == set()
    (line,) = table.of_other_tokens()
    assert [[p.run["model"] for p in group] for group in line] == [["a", "b"], ["c"]]
    table = run_table(two, rows=["model"], columns=[axis])
    assert ([*table.of_other_tokens()], [row for row, _ in table.best()]) == ([], [("b",)])


def test_tokens_do_not_matter_to_a_measure_that_does_not_depend_on_them():
    bits = [by_token("a", 3.0, 7, is_by_token=False), by_token("b", 2.0, 8, is_by_token=False)]
    table = run_table(bits, rows=["model"], columns=["study"])
    assert (table.of_other_tokens(), {row for row, _ in table.best()}) == ([], {("b",)})
