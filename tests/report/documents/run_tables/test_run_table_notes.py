"""What stands under a table over several runs."""

from dataclasses import replace

import pytest

from derived.run_tables.test_table_variants import by_token
from report import contexts, example
from report.documents.run_tables.test_run_table_page import in_parts
from tiltmeter.core.finder import known
from tiltmeter.core.text import listed
from tiltmeter.derived.run_tables.run_table import run_table
from tiltmeter.report import tables
from tiltmeter.report.documents.run_tables.run_table_notes import (
    cautions,
    study_label,
    table_facts,
    table_notes,
)
from tiltmeter.report.documents.run_tables.run_table_page import run_table_document

PAIRS = [example.result("a"), example.result("b", seed=9, shift=-0.2)]


def facts(made, intervals="none"):
    return table_facts(made, intervals, {}, [])


def test_a_table_of_several_studies_says_what_each_number_is_and_on_how_many_items():
    head = PAIRS[0].headline
    made = run_table([*PAIRS, in_parts(PAIRS[0])], rows=["model"], columns=["study"])
    said = facts(made)
    assert said["crows_pairs"] == (
        f"Stereotype rate; neutral value 50; {head.n} pairs of {PAIRS[0].card.data_name}"
    )
    assert said["seat"].startswith("Effect size, standard deviations; ")
    assert "seat: gender" not in said
    alone = facts(run_table(PAIRS))
    assert (alone["Study"], alone["Measure"]) == (
        "crows_pairs",
        "Stereotype rate; neutral value 50",
    )
    assert "crows_pairs" not in alone


def test_the_numbers_of_items_of_a_study_are_a_range_where_they_differ():
    other = PAIRS[1]
    fewer = replace(other, estimates=[replace(e, n=9) for e in other.estimates])
    made = run_table([PAIRS[0], fewer, in_parts(PAIRS[0])], rows=["model"], columns=["study"])
    assert facts(made)["crows_pairs"].endswith(f"; 9 to {PAIRS[0].headline.n} pairs of starter")


def test_measures_in_columns_say_whose_they_are():
    made = run_table([PAIRS[0], contexts.result("a")], rows=["model"], columns=["measure"])
    assert facts(made)["stereotype_rate"] == "crows_pairs; neutral value 50"
    assert facts(made)["ss"] == "Stereotype score (ss), stereoset; neutral value 50"


@pytest.mark.parametrize(
    ("intervals", "sign", "said"),
    [("beside", "Intervals", "95\u00a0% (Wilson)"), ("below", "In brackets", "95\u00a0% intervals (Wilson)"),
     ("plusminus", "±", "95\u00a0% intervals (Wilson)")],
)  # fmt: skip
def test_signs_of_intervals_are_explained_with_level_and_method(intervals, sign, said):
    made = run_table([
        replace(r, estimates=[replace(e, interval="Wilson") for e in r.estimates]) for r in PAIRS
    ])  # fmt: skip
    assert facts(made, intervals)[sign] == said
    (latex,) = tables.files(run_table_document([made], intervals=intervals), "latex").values()
    assert "(Wilson)." in latex
    assert not {"Intervals", "In brackets", "±"} & facts(made, "none").keys()


def test_a_study_has_the_name_before_the_colon_of_its_title():
    card = PAIRS[0].card
    labels = [study_label(replace(card, study=name)) for name in ("crows_pairs", "sos", "unknown")]
    assert listed(labels) == "CrowS-Pairs, SOS and unknown"


@pytest.mark.parametrize("name", sorted(known("studies")))
def test_the_name_of_every_study_fits_the_head_of_a_column(name):
    label = study_label(replace(PAIRS[0].card, study=name))
    assert label[0].isupper()
    assert len(label) <= len("Systematic word associations")


@pytest.mark.parametrize(
    "columns", [["study"], ["measure"], ["data"], ["study", "measure"], ["study", "data"]]
)
def test_a_table_always_names_the_sample_and_the_data(columns):
    """Whatever is in the columns, and in LaTeX and Markdown, which stand alone."""
    drawn = {"name": "starter, 100 of 1,508", "sample": "100 of 1,508 items, seed 0"}
    sampled = [
        replace(r, card=replace(r.card, data={**r.card.data, **drawn}),
                estimates=[replace(e, n=100) for e in r.estimates])
        for r in PAIRS
    ]  # fmt: skip
    made = run_table([*sampled, contexts.result("a")], rows=["model"], columns=columns)
    for kind in ("latex", "markdown"):
        (text,) = tables.files(run_table_document([made]), kind).values()
        assert "100 of 1,508" in text
        assert "starter" in text
        assert "made-up contexts" in text


def test_methods_of_intervals_of_several_studies_are_said_for_each():
    wilson = replace(
        PAIRS[0], estimates=[replace(e, interval="Wilson") for e in PAIRS[0].estimates]
    )
    other = contexts.result("a")
    other = replace(other, estimates=[replace(e, interval="draws") for e in other.estimates])
    made = run_table([wilson, other], rows=["model"], columns=["study"])
    assert facts(made, "below")["In brackets"] == (
        "95\u00a0% intervals (crows_pairs: Wilson; stereoset: draws)"
    )


def test_perplexities_of_other_tokens_come_with_a_note_and_without_a_best():
    made = run_table([by_token("a", 3.0, 7), by_token("c", 1.0, 8), by_token("b", 2.0, 7)])
    (note,) = cautions(made)
    assert note == (
        "Perplexity depends on how a model splits texts into tokens. These do it differently, so their "
        "numbers are not comparable, and none is marked as the best: a and b; c."
    )
    assert not any("best" in n for n in table_notes(made, {}, marked_best=bool(made.best())))
    assert cautions(run_table([by_token("a", 3.0, 7), by_token("b", 2.0, 7)])) == []
