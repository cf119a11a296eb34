"""Our numbers beside the printed ones: how they compare, and where each stands."""

from dataclasses import replace
from pathlib import Path

import pytest

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.data.published import published
from tiltmeter.papers.cells import PaperCell, place
from tiltmeter.papers.chosen_models import ChosenModel
from tiltmeter.papers.paper_file import PaperItem, Remark
from tiltmeter.papers.paper_plan import PaperResult

SOS = PaperItem(
    "T2", "SOS", of=("sos",), rows=("attribute",), columns=("model", "status"), measures=("sos_rate",),
    published=("elsafoury2023_sos",),
)  # fmt: skip


def estimate(value, low=None, high=None, **groups):
    return Estimate("sos_rate", value, low, high, None, 210, 50, "%", groups=groups)


def result(*estimates, model="bert-base-uncased", rule="", sample=""):
    data = {"name": "sos", "sha256": "s", "sample": sample}
    card = Card("sos", "1", {"name": model, "fingerprint": "f"}, data, rule)
    made = [replace(e, model=model) for e in estimates]
    return PaperResult("sos", Path("x"), {}, Result(card, [], made))


def cell(table, *at):
    return next(c for c in table.cells if (*c.row, *c.column) == at)


@pytest.mark.parametrize(
    ("ours", "status"),
    [
        (estimate(58.0952), "equal"),  # printed 58.0: the paper cuts its decimals off
        (estimate(58.1001), "different"),
        (estimate(57.99), "different"),
        (estimate(57.0, 50.0, 64.0), "within"),
        (estimate(57.0, 50.0, 57.9), "different"),
        (estimate(57.0, 50.0, None), "within"),
        (estimate(None), "not computable"),
        (None, "not computable"),
    ],
)
def test_a_number_is_judged_by_its_printed_digits_and_our_interval(ours, status):
    (printed,) = [
        n for n in published("elsafoury2023_sos").numbers
        if {"bert-base-uncased", "race", "marginalised"} <= {*n.places.values()}
    ]  # fmt: skip
    assert printed.value == 58.0
    assert PaperCell((), (), ours, printed).status == status


def test_numbers_stand_in_the_order_of_the_paper_with_other_models_behind():
    race = {"attribute": "race", "status": "marginalised"}
    results = [result(estimate(58.0952, **race)), result(estimate(40.0, **race), model="mine")]
    table = place(SOS, results, [])
    assert cell(table, "race", "bert-base-uncased", "marginalised").status == "equal"
    assert cell(table, "race", "mine", "marginalised").status == "ours"
    assert cell(table, "race", "roberta-base", "marginalised").status == "not computable"
    assert table.cells[0].row == ("gender",)
    assert table.cells[-1].column == ("mine", "marginalised")
    assert sum(c.printed is not None for c in table.cells) == len(
        published("elsafoury2023_sos").numbers
    )


def test_what_the_paper_does_not_print_is_left_out():
    other = result(estimate(50.0, attribute="age", status="marginalised"), estimate(50.0))
    assert all(c.ours is None for c in place(SOS, [other], []).cells)


RACE = {"attribute": "race", "status": "marginalised"}


def test_of_two_numbers_for_one_place_the_user_s_own_is_shown():
    """Given before run before stored, whatever their order; only tables that lack an axis are mistaken."""
    made = {
        by: replace(result(estimate(value, **RACE)), by=by, at={"model": "bert-base-uncased"})
        for by, value in (("stored", 58.0), ("run", 57.0), ("given", 56.0))
    }
    for kinds, shown in ((("stored", "run"), 57.0), (("stored", "run", "given"), 56.0)):
        table = place(SOS, [made[by] for by in kinds], [])
        assert cell(table, "race", "bert-base-uncased", "marginalised").ours.value == shown
        assert [clash.left_out.by for clash in table.clashes] == [*reversed(kinds)][1:]
        assert not any(clash.is_mistake for clash in table.clashes)


def test_numbers_that_no_user_doubled_are_a_mistake_of_the_table():
    twice = result(estimate(58.0, **RACE), estimate(57.0, **RACE))
    (clash,) = place(SOS, [twice], []).clashes
    assert clash.is_mistake and clash.at == "race, bert-base-uncased, marginalised"
    item = replace(SOS, of=("sos", "other"))
    mine, theirs = ChosenModel("./mine"), ChosenModel("./bert", "bert", "bert-base-uncased")
    for models, mistake in (
        ((theirs, theirs), True),
        ((None, None), True),  # analyses
        ((mine, mine), False),
        ((theirs, replace(theirs, name="bert_debiased")), False),  # which the user's model is not
    ):
        one, two = (replace(result(estimate(58.0, **RACE)), model=model) for model in models)
        (clash,) = place(item, [replace(two, source="other"), one], []).clashes
        assert clash.is_mistake is mistake and clash.shown is one


def test_reasons_are_those_of_the_cell():
    item = replace(
        SOS,
        known=(Remark("a misprint", {"attribute": ("race",)}),),
        missing=(Remark("no such model", {"model": ("roberta-base",)}),),
    )
    lacking = [Remark("not run", {"model": ("albert-base",)})]
    race = {"attribute": "race", "status": "marginalised"}
    table = place(item, [result(estimate(60.0, **race))], lacking)
    assert cell(table, "race", "bert-base-uncased", "marginalised").why == "a misprint"
    assert cell(table, "gender", "roberta-base", "marginalised").why == "no such model"
    assert cell(table, "gender", "albert-base", "marginalised").why == "not run"
    none = place(item, [], [])
    assert (
        cell(none, "gender", "albert-base", "marginalised").why == "no result here has this number"
    )
    assert (
        cell(table, "gender", "bert-base-uncased", "marginalised").why
        == "what was run here does not report this number"
    )


def test_names_of_the_paper_are_those_of_results():
    item = replace(SOS, names={"attribute": {"race": "ethnicity"}})
    table = place(item, [result(estimate(58.0, attribute="ethnicity", status="marginalised"))], [])
    assert cell(table, "ethnicity", "bert-base-uncased", "marginalised").status == "equal"


def test_where_keeps_what_is_meant():
    item = replace(SOS, columns=("model",), where={"status": ("marginalised",)})
    both = [
        estimate(58.0, attribute="race", status="marginalised"),
        estimate(9.0, attribute="race", status="non-marginalised"),
    ]
    table = place(item, [result(*both)], [])
    assert cell(table, "race", "bert-base-uncased").ours.value == 58.0
    assert {(c.row, c.column) for c in table.cells} == {
        ((n.places["attribute"],), (n.places["model"],))
        for n in published("elsafoury2023_sos").numbers
        if n.places["status"] == "marginalised"
    }


def test_studies_share_a_column_by_category_and_a_mitigated_model_a_row_with_its_base():
    """Table 5: four studies, each with another axis for race, and models with what was done to them."""
    item = PaperItem(
        "T5", "", of=("crows",), rows=("base", "mitigation"), columns=("measure", "category"),
        measures=("stereotype_rate",), published=("elsafoury2023_mitigation",),
        names={"measure": {"stereotype_rate": "CrowS-Pairs"}, "axis": {"base": "model"}},
    )  # fmt: skip
    facts = [{}, {"made from": "x", "mitigation": "sentence_debias", "mitigation of": "profanity"}]
    results = []
    for value, about in zip((54.1, 74.3), facts, strict=True):
        card = Card(
            "crows_pairs", "1", {"name": "x", "fingerprint": "f", **about}, {"name": "c", "sha256": "s"},
            categories="bias_type",
        )  # fmt: skip
        rate = replace(estimate(value, bias_type="race-color"), name="stereotype_rate")
        results.append(
            PaperResult("crows", Path("x"), {"model": "albert-base"}, Result(card, [], [rate]))
        )
    table = place(item, results, [])
    assert table.rows == ("model", "mitigation")
    before = cell(table, "albert-base", "none", "CrowS-Pairs", "race")
    after = cell(table, "albert-base", "sentence_debias of profanity", "CrowS-Pairs", "race")
    assert (before.status, before.printed.value) == ("different", 51.3)
    assert (after.status, after.printed.value) == ("equal", 74.3)
    own = place(item, [replace(each, at={}) for each in results], [])
    assert cell(own, "x", "none", "CrowS-Pairs", "race").ours.value == 54.1  # no model of the paper


def test_a_rule_of_two_halves_is_the_same_rule():
    item = PaperItem(
        "T4", "", of=("sos",), rows=("model",), columns=("measure",), measures=("lms",),
        published=("nadeem2021_likelihood",), names={"data": {"sos": "stereoset_test"}},
    )  # fmt: skip
    of_test = replace(estimate(85.4), name="lms")
    one, other = (
        cell(place(item, [result(of_test, model="bert-base-cased", rule=rule)], []), "bert-base-cased", "lms")
        for rule in ("blank_logprob+next_sentence", "blank_logprob")
    )  # fmt: skip
    assert (one.status, one.why) == ("equal", "")
    assert other.why == "ours is by another rule: blank_logprob, not blank_logprob+next_sentence"


def test_numbers_of_other_data_or_rules_stand_beside_and_are_not_compared():
    race = {"attribute": "race", "status": "marginalised"}
    for made, why in (
        (result(estimate(58.0952, **race), rule="aul"), "another rule: aul, not pll_shared"),
        (result(estimate(58.0952, **race), sample="20 of 1,508 items"), "sample of the data"),
    ):
        one = cell(place(SOS, [made], []), "race", "bert-base-uncased", "marginalised")
        assert one.status == "not computable" and one.ours.value == 58.0952
        assert why in one.why
        other = cell(place(SOS, [made], []), "gender", "bert-base-uncased", "marginalised")
        assert ("the sample of the data that was measured has nothing of it" in other.why) is (
            "sample" in why
        )
    item = replace(SOS, unlike=(Remark("other people", {"attribute": ("race",)}),))
    table = place(item, [result(estimate(58.0952, **race))], [])
    assert cell(table, "race", "bert-base-uncased", "marginalised").why == "other people"


def test_a_sample_of_the_data_stands_where_the_data_do():
    item = replace(SOS, rows=("data", "attribute"), columns=("status",), published=())
    whole = result(estimate(58.0, **RACE), sample="3 of 9 items, seed 0")
    card = replace(whole.result.card, data={**whole.result.card.data, "name": "sos, 3 of 9"})
    made = replace(whole, result=replace(whole.result, card=card))
    (ours,) = place(item, [made], []).cells
    assert ours.row == ("sos", "race")


def test_an_undefined_number_gives_its_own_reason_and_a_sample_is_that_of_the_study():
    undefined = replace(estimate(None, **RACE), why="only 2 items")
    made = result(undefined, sample="20 of 1,638 items")
    other = result(replace(estimate(1.0), name="ss"), sample="20 of 4,229 items")
    table = place(SOS, [replace(other, source="sos"), made], [])
    assert cell(table, "race", "bert-base-uncased", "marginalised").why == "only 2 items"
    assert cell(table, "gender", "bert-base-uncased", "marginalised").why.endswith("1,638 items")
